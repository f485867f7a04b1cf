package remote

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

// What is in a request and in an answer, in the byte order of the host. A request is one operation behind the
// other, at most OpsMax; the answer has one result for each, in their order. Both begin at a multiple of 8.
//
//	offset  operation
//	0       32 bits: kind, 1 get, 2 set, 3 delete
//	4       32 bits: bytes of the key
//	8       32 bits: bytes of the value, 0 unless it is a set
//	12      32 bits: 0
//	16      64 bits, signed: nanoseconds for which a set keeps the value; 0 as the cache does, -1 for ever
//	24      the key, then the value, then zeros up to a multiple of 8
//
//	offset  result
//	0       32 bits: Status
//	4       32 bits: bytes of the value; with StatusLong those that it would have; with StatusMalformed how
//	        many operations there may be, 0 if that is not why; with StatusSuspect, StatusDenied and
//	        StatusClient the milliseconds to wait
//	8       the value of a get that found one, then zeros up to a multiple of 8
const (
	kindGet uint32 = 1 + iota
	kindSet
	kindDelete
)

const (
	operationBytes = 24
	resultBytes    = 8

	ttlDefault = 0
	ttlForever = -1

	OpsMax = 1024 // operations of a request
)

// operation is one operation of a request. Its key and value are parts of the bytes from which it was read.
type operation struct {
	kind       uint32
	ttl        int64
	key, value []byte
}

func padded(n int) int { return (n + 7) &^ 7 }

// appendTo writes the operation behind b.
func (o operation) appendTo(b []byte) []byte {
	n := binary.NativeEndian
	b = n.AppendUint32(b, o.kind)
	b = n.AppendUint32(b, uint32(len(o.key)))
	b = n.AppendUint32(b, uint32(len(o.value)))
	b = n.AppendUint32(b, 0)
	b = n.AppendUint64(b, uint64(o.ttl))
	b = append(append(b, o.key...), o.value...)
	return pad(b, len(o.key)+len(o.value))
}

// pad writes zeros behind n bytes, up to a multiple of 8.
func pad(b []byte, n int) []byte { return append(b, make([]byte, padded(n)-n)...) }

// next reads the operation at the beginning of a request of unknown origin. It allocates nothing.
func next(request []byte) (o operation, rest []byte, ok bool) {
	if len(request) < operationBytes {
		return o, nil, false
	}
	n := binary.NativeEndian
	o.kind, o.ttl = n.Uint32(request), int64(n.Uint64(request[16:]))
	key, value := uint64(n.Uint32(request[4:])), uint64(n.Uint32(request[8:]))
	request = request[operationBytes:]
	if key+value > uint64(len(request)) || o.kind < kindGet || o.kind > kindDelete || o.ttl < ttlForever ||
		o.kind != kindSet && value != 0 {
		return o, nil, false
	}
	o.key, o.value = request[:key:key], request[key:key+value:key+value]
	return o, request[min(padded(int(key+value)), len(request)):], true
}

// sound returns the number of operations of a request of unknown origin, and whether all of them are valid;
// if not, the service does none of them. For a request with more than OpsMax operations it returns OpsMax+1,
// and does not look at the rest.
func sound(request []byte) (n int, ok bool) {
	for ; len(request) > 0 && n <= OpsMax; n++ {
		if _, request, ok = next(request); !ok {
			return 0, false
		}
	}
	return n, n > 0
}

// appendHead writes the head of a result behind b.
func appendHead(b []byte, s Status, n int) []byte {
	b = binary.NativeEndian.AppendUint32(b, uint32(s))
	return binary.NativeEndian.AppendUint32(b, uint32(min(uint64(n), math.MaxUint32)))
}

// nextResult reads the result at the begin of an answer.
func nextResult(answer []byte) (s Status, n uint32, value, rest []byte, ok bool) {
	if len(answer) < resultBytes {
		return 0, 0, nil, nil, false
	}
	s, n = Status(binary.NativeEndian.Uint32(answer)), binary.NativeEndian.Uint32(answer[4:])
	answer = answer[resultBytes:]
	if s != StatusOK {
		return s, n, nil, answer, true
	}
	if uint64(n) > uint64(len(answer)) {
		return 0, 0, nil, nil, false
	}
	return s, n, answer[:n:n], answer[min(padded(int(n)), len(answer)):], true
}

// Batch is a request of several operations. The zero value is empty. It may be sent several times; calls do
// not change it. Only one goroutine at a time may add to it.
type Batch struct {
	request []byte
	n       int
	bad     error // of the first operation that cannot be sent
}

// Len is the number of its operations.
func (b *Batch) Len() int { return b.n }

// Bytes is the number of bytes that the operations take in a request area, without the 8 bytes of the length.
func (b *Batch) Bytes() int { return len(b.request) }

// Reset empties the batch, which keeps its memory.
func (b *Batch) Reset() { b.request, b.n, b.bad = b.request[:0], 0, nil }

// Get adds a get of the key.
func (b *Batch) Get(key []byte) { b.add(operation{kind: kindGet, key: key}) }

// Set adds a set of the key, with the default time to live of the cache.
func (b *Batch) Set(key, value []byte) { b.add(operation{kind: kindSet, key: key, value: value}) }

// SetTTL adds a set with a time to live of its own; 0 is for ever.
func (b *Batch) SetTTL(key, value []byte, ttl time.Duration) {
	o := operation{kind: kindSet, key: key, value: value, ttl: int64(ttl)}
	if ttl == 0 {
		o.ttl = ttlForever
	}
	if ttl < 0 {
		b.refuse(fmt.Errorf("%w: a time of %v: use 0 for ever, or more", ErrRequest, ttl))
		return
	}
	b.add(o)
}

// Delete adds a delete of the key.
func (b *Batch) Delete(key []byte) { b.add(operation{kind: kindDelete, key: key}) }

func (b *Batch) add(o operation) {
	switch {
	case len(o.key) > cache.KeyMax:
		b.refuse(StatusKey.err(0, 0))
	case len(o.value) > math.MaxInt32:
		b.refuse(fmt.Errorf("%w: a value of %d bytes: store at most %d", ErrTooLarge, len(o.value),
			math.MaxInt32))
	case b.n == OpsMax:
		b.refuse(tooMany(OpsMax))
	default:
		b.request, b.n = o.appendTo(b.request), b.n+1
	}
}

func (b *Batch) refuse(err error) {
	if b.bad == nil {
		b.bad = fmt.Errorf("remote: operation %d: %w", b.n, err)
	}
}

// err is why the batch cannot be sent, or nil.
func (b *Batch) err() error {
	if b.bad == nil && b.n == 0 {
		return fmt.Errorf("remote: %w: the batch has no operation", ErrRequest)
	}
	return b.bad
}

// Result is the result of one operation of a batch.
type Result struct {
	OK    bool   // found, set, or deleted; false if the key was not there, or with an error
	Value []byte // the value that a get found, in memory that all results of the batch share
	Err   error  // why the operation was not done, or why its outcome is unknown
}

// resultsOf reads an answer to n operations; most is Client.ValueMax.
func resultsOf(answer []byte, n, most int) ([]Result, error) {
	all := make([]Result, n)
	for i := range all {
		s, size, value, rest, ok := nextResult(answer)
		if i == 0 && s == StatusMalformed && ok {
			return nil, fmt.Errorf("remote: %w", s.err(size, most))
		}
		if !ok {
			return nil, fmt.Errorf("remote: %w: the answer ends behind %d of %d results", ErrCorrupt, i, n)
		}
		all[i] = Result{OK: s == StatusOK, Value: value, Err: s.err(size, most)}
		answer = rest
	}
	return all, nil
}
