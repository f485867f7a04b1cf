package history

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrRecorder is the misuse of a recorder: a fault of the harness, never one of the object.
var ErrRecorder = errors.New("recorder misused")

// Recorder records one controlled run, in which one actor runs at a time. Its clock counts the
// calls and returns: the order of the events is the whole of what a client can know about time.
//
// The zero value is ready. Reset keeps the memory, so a search that resets it before each run
// allocates nothing once the longest history has been seen. It is not safe for goroutines that
// run at the same time; see Concurrent.
type Recorder[Q, R Value] struct {
	// Mark, if set, is called with 64 mixed bits of each call and each return as it is recorded. An
	// explorer that cuts revisited states makes them a part of the state, so that two runs whose clients
	// saw different results are different states. The same event gives the same bits in every run. Kills
	// are not marked; the explorer makes them itself.
	Mark func(bits uint64)

	ops    []Op[Q, R] // in the order of their calls; ID is the index plus one
	open   []uint64   // by client: the ID in flight, 0 for none
	killed []bool     // by client
	clock  int64
	form   []byte // of the value that is marked
	err    error  // the first misuse
}

// Reset forgets everything but Mark. The history that was returned before is overwritten by what
// follows.
func (r *Recorder[Q, R]) Reset() {
	r.ops = r.ops[:0]
	clear(r.open)
	clear(r.killed)
	r.clock = 0
	r.err = nil
}

// Call records that the client calls the operation and returns its ID for Return.
func (r *Recorder[Q, R]) Call(client int, req Q) uint64 {
	if !r.admit(client) {
		return 0
	}
	r.clock++
	id := uint64(len(r.ops)) + 1
	r.ops = append(r.ops, Op[Q, R]{ID: id, Client: client, Request: req, Call: r.clock})
	r.open[client] = id
	if r.Mark != nil {
		r.form = appendForm(r.form[:0], &r.ops[id-1].Request)
		r.Mark(mixed(mix(0, uint64(client)<<1|1), r.form))
	}
	return id
}

// admit makes room for the client and reports whether it may call.
func (r *Recorder[Q, R]) admit(client int) bool {
	if client < 0 || client >= MaxClients {
		r.fail("client %d is outside of 0 to %d", client, MaxClients-1)
		return false
	}
	for client >= len(r.open) {
		r.open = append(r.open, 0)
		r.killed = append(r.killed, false)
	}
	if r.open[client] != 0 {
		r.fail("client %d calls while its operation %d is in flight", client, r.open[client])
		return false
	}
	if r.killed[client] {
		r.fail("client %d calls after it was killed", client)
		return false
	}
	return true
}

// Return records that the operation came back with the result.
func (r *Recorder[Q, R]) Return(id uint64, result R) {
	if id == 0 || id > uint64(len(r.ops)) {
		r.fail("operation %d returns but was never called", id)
		return
	}
	op := &r.ops[id-1]
	if r.open[op.Client] != id {
		r.fail("operation %d returns but is not in flight", id)
		return
	}
	r.clock++
	op.Return, op.Result = r.clock, result
	r.open[op.Client] = 0
	if r.Mark != nil {
		r.form = appendForm(r.form[:0], &op.Result)
		r.Mark(mixed(mix(0, uint64(op.Client)<<1), r.form))
	}
}

// Kill records that the client never runs again. Its operation in flight, if any, becomes pending:
// it may or may not have happened. Kill reports whether there was one. A second Kill of the same
// client changes nothing.
func (r *Recorder[Q, R]) Kill(client int) bool {
	if client < 0 || client >= MaxClients {
		r.fail("client %d is outside of 0 to %d", client, MaxClients-1)
		return false
	}
	for client >= len(r.open) {
		r.open = append(r.open, 0)
		r.killed = append(r.killed, false)
	}
	r.killed[client] = true
	id := r.open[client]
	if id == 0 {
		return false
	}
	op := &r.ops[id-1]
	op.Pending, op.Return = true, Forever
	r.open[client] = 0
	return true
}

// Clock returns the time of the last event: the number of calls and returns so far.
func (r *Recorder[Q, R]) Clock() int64 { return r.clock }

// History returns what was recorded, valid until Reset. The error is the first misuse of the
// recorder; it wraps ErrRecorder, and the history must then not be judged.
func (r *Recorder[Q, R]) History() (History[Q, R], error) { return History[Q, R](r.ops), r.err }

// mixed folds the bytes into the hash, eight at a time.
func mixed(hash uint64, b []byte) uint64 {
	for ; len(b) >= 8; b = b[8:] {
		hash = mix(hash, binary.LittleEndian.Uint64(b))
	}
	var rest [8]byte
	copy(rest[:], b)
	return mix(hash, binary.LittleEndian.Uint64(rest[:]))
}

// mix folds the word into the hash (the finalizer of SplitMix64, a bijection of the sum).
func mix(hash, word uint64) uint64 {
	z := hash + word + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (r *Recorder[Q, R]) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrRecorder, fmt.Sprintf(format, args...))
	}
}
