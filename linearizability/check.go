// Package linearizability judges what the clients of a map observed: is there one order of their
// operations, in agreement with real time, in which a sequential map gives the same answers?
//
// The search is porcupine's; this package adds what it leaves to its callers. A history is
// validated first, because porcupine answers "illegal" for a malformed one. Operations of killed
// clients may or may not have happened. Memory is bounded as well as time. What porcupine cannot
// decide within these bounds, such as long histories of many clients on one key, is decided by a
// second search, which must agree with porcupine wherever both decide. A history that could
// not be judged is Unknown, and Unknown is a failure: no answer is never taken for a good one.
package linearizability

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// Outcome is what is known of a history. The zero value is Unknown, so that a verdict which nobody
// filled in is a failure.
type Outcome uint8

// The three outcomes.
const (
	Unknown Outcome = iota // not judged: malformed, too long, or out of time or memory
	Ok                     // linearizable
	Illegal                // not linearizable
)

// String returns the outcome's word.
func (o Outcome) String() string {
	if int(o) >= len(outcomeNames) {
		return fmt.Sprintf("outcome(%d)", uint8(o))
	}
	return outcomeNames[o]
}

var outcomeNames = [...]string{Unknown: "unknown", Ok: "ok", Illegal: "illegal"}

// The two failures of a verdict, and the reasons of ErrUnknown besides the sentinels of
// history.Validate.
var (
	ErrIllegal = errors.New("history not linearizable")
	ErrUnknown = errors.New("history not judged")

	ErrTimeout = errors.New("search out of time; allow more, or record fewer operations per key")
	ErrMemory  = errors.New("search out of memory; allow more, or record fewer operations per key")
	ErrTooLong = errors.New("too many operations on one key; record fewer")
	ErrLimits  = errors.New("limits must be positive")
)

// Limits bounds one check.
type Limits struct {
	Timeout   time.Duration // for the whole history
	OpsPerKey int           // longest partition that is searched at all
	Words     int64         // 8-byte words that the search of one key may keep, estimated from above
}

// DefaultLimits allows 4096 operations on a key and a quarter of a gigabyte.
func DefaultLimits() Limits {
	return Limits{Timeout: 10 * time.Second, OpsPerKey: 4096, Words: 1 << 25}
}

// Check judges the history of a map that held the initial contents, within the timeout and the
// other default limits. It is safe for concurrent use; it neither keeps nor changes the history.
func Check(h mapmodel.History, timeout time.Duration, initial map[uint32]uint32) Verdict {
	limits := DefaultLimits()
	limits.Timeout = timeout
	return CheckWithin(h, limits, initial)
}

// CheckWithin is Check with all limits given. The keys are searched one after the other, so that
// the memory is that of one search and the first bad key in the order of the history is named.
func CheckWithin(h mapmodel.History, limits Limits, initial map[uint32]uint32) Verdict {
	if limits.Timeout <= 0 || limits.OpsPerKey <= 0 || limits.Words <= 0 {
		return Verdict{Reason: fmt.Errorf("%w: %+v", ErrLimits, limits)}
	}
	if err := h.Validate(); err != nil {
		return Verdict{Reason: err}
	}
	deadline := time.Now().Add(limits.Timeout)
	verdict := Verdict{Outcome: Ok}
	for _, part := range byKey(operations(h, history.Forever)) {
		key := keyOf(part)
		outcome, err := search(part, limits, deadline, initial)
		switch outcome {
		case Illegal:
			return illegal(mapmodel.OfKey(h, key), key, deadline, initial)
		case Unknown:
			verdict = Verdict{Key: key, Ops: len(part), Reason: err}
		}
	}
	return verdict // Ok unless a key was not judged; a later illegal key outweighs it
}

// search decides the operations of one key: porcupine does, or the walk where porcupine cannot.
func search(part []porcupine.Operation, limits Limits, deadline time.Time,
	initial map[uint32]uint32) (Outcome, error) {
	if len(part) > limits.OpsPerKey {
		return Unknown, fmt.Errorf("%w than %d (there are %d)", ErrTooLong, limits.OpsPerKey+1,
			len(part))
	}
	if o := ask(part, limits.Words, time.Until(deadline)/2, initial); o != Unknown {
		return o, nil
	}
	o, err := walkThrough(part, limits, deadline, initially(initial, keyOf(part)))
	if errors.Is(err, ErrMemory) {
		err = fmt.Errorf("%w (%d words)", err, limits.Words)
	}
	return o, err
}

// ask is porcupine's answer, Unknown where it has not time or words enough.
func ask(part []porcupine.Operation, words int64, left time.Duration, initial map[uint32]uint32) Outcome {
	b := newBudget(words, len(part))
	if left <= 0 || int64(len(part)) > words/b.perEntry {
		return Unknown // without one step that is in vain
	}
	switch porcupine.CheckOperationsTimeout(mapModel(initial, b), part, left) {
	case porcupine.Ok:
		return Ok
	case porcupine.Illegal:
		if !b.spent.Load() {
			return Illegal
		}
	}
	return Unknown
}

// Verdict is the answer of Check.
type Verdict struct {
	Outcome Outcome
	Key     uint32 // Illegal: the key whose operations have no order; Unknown: the last one not judged
	Ops     int    // operations on that key
	Reason  error  // Unknown: why

	// Evidence, for Illegal: operations on Key that have no order either, as few as could be found
	// in a moment. A prefix in time, with operations in flight as pending ones, less operations
	// without effect: whoever accepts that these are illegal must accept it of the whole history.
	Evidence mapmodel.History
	initial  keyState

	// Clients are the names of the clients in texts and pictures, by number; one without a name is
	// "client" and its number.
	Clients []string
}

// name is what a client is called.
func (v Verdict) name(client int) string {
	if client < len(v.Clients) {
		return v.Clients[client]
	}
	return fmt.Sprintf("client %d", client)
}

// names are those of all clients of the evidence.
func (v Verdict) names() []string {
	var all []string
	for i := range v.Evidence.Clients() {
		all = append(all, v.name(i))
	}
	return all
}

// Err returns nil for Ok and otherwise a *Failure. Illegal wraps ErrIllegal; Unknown wraps
// ErrUnknown and its reason.
func (v Verdict) Err() error {
	if v.Outcome == Ok {
		return nil
	}
	return &Failure{Verdict: v}
}

// Failure is the error of a verdict that is not Ok.
type Failure struct{ Verdict Verdict }

// Error says in one line what was found.
func (f *Failure) Error() string {
	v := f.Verdict
	if v.Outcome == Illegal {
		return fmt.Sprintf("%v: key %d, initially %s: no order explains %s", ErrIllegal, v.Key,
			v.initial, v.inLine())
	}
	if v.Ops > 0 {
		return fmt.Sprintf("%v: key %d with %d operations: %v", ErrUnknown, v.Key, v.Ops, v.Reason)
	}
	return fmt.Sprintf("%v: %v", ErrUnknown, v.Reason)
}

// Unwrap returns the sentinels that Err promises.
func (f *Failure) Unwrap() []error {
	if f.Verdict.Outcome == Illegal {
		return []error{ErrIllegal}
	}
	if f.Verdict.Reason == nil {
		return []error{ErrUnknown}
	}
	return []error{ErrUnknown, f.Verdict.Reason}
}

// inLine lists a few operations of the evidence for an error of one line.
func (v Verdict) inLine() string {
	const most = 8
	h := v.Evidence
	texts := make([]string, 0, most+1)
	for _, op := range h[:min(len(h), most)] {
		texts = append(texts, op.Text(v.name(op.Client)))
	}
	if len(h) > most {
		texts = append(texts, fmt.Sprintf("and %d more", len(h)-most))
	}
	return strings.Join(texts, "; ")
}

// Detail describes the verdict in several lines: for Illegal with the evidence as a table with one
// column per client.
func (v Verdict) Detail() string {
	if v.Outcome == Ok {
		return "linearizable\n"
	}
	if v.Outcome == Unknown {
		return v.Err().Error() + "\n"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%v: key %d, initially %s: no order explains these %d of %d operations\n",
		ErrIllegal, v.Key, v.initial, len(v.Evidence), v.Ops)
	if err := history.TableOf(&out, v.Evidence, v.names()); err != nil {
		panic("a strings.Builder takes everything: " + err.Error())
	}
	return out.String()
}

// illegal makes the verdict for the operations of one key that were found illegal.
func illegal(part mapmodel.History, key uint32, deadline time.Time,
	initial map[uint32]uint32) Verdict {
	if limit := time.Now().Add(shortenTime); deadline.After(limit) {
		deadline = limit
	}
	return Verdict{
		Outcome: Illegal, Key: key, Ops: len(part),
		Evidence: shorten(part, deadline, initial), initial: initially(initial, key),
	}
}

// shortenTime bounds the search for short evidence.
const shortenTime = time.Second

// shorten looks for a smaller illegal history of the key. Invariant: if the result is illegal, so
// is what it was made from. Cutting at a time keeps that, since prefixes of linearizable histories
// are linearizable; leaving out an operation without effect keeps it too, since an order with it
// is an order without it. Leaving out an Add that may have taken effect would not.
func shorten(part mapmodel.History, deadline time.Time, initial map[uint32]uint32) mapmodel.History {
	refused := func(h mapmodel.History) bool {
		if len(h) == 0 {
			return false
		}
		o, _ := walkThrough(operations(h, history.Forever), DefaultLimits(), deadline,
			initially(initial, h[0].Request.Key))
		return o == Illegal
	}
	if !refused(part) {
		return part // nobody has the time
	}
	low, high := int64(0), int64(0) // legal or unknown at low, illegal at high
	for i := range part {
		if !part[i].Pending {
			high = max(high, part[i].Return)
		}
	}
	for low+1 < high {
		if middle := low + (high-low)/2; refused(part.Prefix(middle)) {
			high = middle
		} else {
			low = middle
		}
	}
	part = part.Prefix(high)
	for size := len(part); size > 0; size /= 2 {
		for end := len(part); end > 0; end -= size {
			fewer := append(mapmodel.History(nil), part[:max(0, end-size)]...)
			for _, op := range part[len(fewer):end] {
				if mayHaveEffect(op) {
					fewer = append(fewer, op)
				}
			}
			fewer = append(fewer, part[end:]...)
			if len(fewer) < len(part) && refused(fewer) {
				part = fewer
			}
		}
	}
	return part
}

func mayHaveEffect(op mapmodel.Op) bool {
	switch op.Request.Kind {
	case mapmodel.Get, mapmodel.Crop, mapmodel.Restore:
		return false
	}
	switch op.Result.Outcome {
	case mapmodel.Exists, mapmodel.Full, mapmodel.Absent:
		return false
	}
	return true
}
