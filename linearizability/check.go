package linearizability

import (
	"errors"
	"fmt"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/samecycle/samecycle/internal/history"
)

// Outcome is the result of judging a history. The zero value is Unknown, so a verdict that was never filled
// in is a failure.
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
	ErrPending = errors.New("model does not say what a pending operation may do; set Pending in its Spec")
	ErrModel   = errors.New("model contradicts itself")
)

// Limits bounds one check. For a model without keys, the limits for a key hold for the whole history.
type Limits struct {
	Timeout   time.Duration // for the whole history
	OpsPerKey int           // longest partition that is searched at all
	Words     int64         // 8-byte words that the search of one key may keep, estimated from above
}

// DefaultLimits allows 4096 operations on a key and a quarter of a gigabyte.
func DefaultLimits() Limits {
	return Limits{Timeout: 10 * time.Second, OpsPerKey: 4096, Words: 1 << 25}
}

// Check judges the history by the model, within the timeout and the other default limits. It is safe for
// concurrent use; it neither keeps nor changes the history.
func Check[Q, R history.Value](m Model[Q, R], h history.History[Q, R], timeout time.Duration) Verdict[Q, R] {
	limits := DefaultLimits()
	limits.Timeout = timeout
	return CheckWithin(m, h, limits)
}

// CheckWithin is Check with all limits given. The parts of the history are searched one after the other,
// so that the memory is that of one search and the first bad part in the order of the history is named.
func CheckWithin[Q, R history.Value](m Model[Q, R], h history.History[Q, R], limits Limits) Verdict[Q, R] {
	if err := fit(m, h, limits); err != nil {
		return Verdict[Q, R]{Reason: err}
	}
	deadline := time.Now().Add(limits.Timeout)
	verdict := Verdict[Q, R]{Outcome: Ok}
	for _, part := range parts(m, Operations(h, history.Forever)) {
		outcome, err := search(m, part, limits, deadline)
		key := keyOf(m, part)
		switch outcome {
		case Illegal:
			of := h.Filter(func(op *history.Op[Q, R]) bool { return m.key(op.Request) == key })
			return illegal(m, of, deadline)
		case Unknown:
			verdict = Verdict[Q, R]{Key: key, Ops: len(part), Reason: err}
		}
	}
	return verdict // Ok unless a part was not judged; a later illegal part outweighs it
}

// fit tells why the history cannot be judged at all; nil if it can.
func fit[Q, R history.Value](m Model[Q, R], h history.History[Q, R], limits Limits) error {
	if limits.Timeout <= 0 || limits.OpsPerKey <= 0 || limits.Words <= 0 {
		return fmt.Errorf("%w: %+v", ErrLimits, limits)
	}
	if err := h.Validate(); err != nil {
		return err
	}
	if m.knowsPending() {
		return nil
	}
	for i := range h {
		if h[i].Pending {
			return fmt.Errorf("%w: operation %d: %s", ErrPending, h[i].ID, h[i])
		}
	}
	return nil
}

// keyOf is the key of all operations of a part.
func keyOf[Q, R history.Value](m Model[Q, R], part []porcupine.Operation) any {
	return m.key(part[0].Input.(*history.Op[Q, R]).Request)
}

// search decides the operations of one part: porcupine does, or the walk where porcupine cannot.
func search[Q, R history.Value](m Model[Q, R], part []porcupine.Operation, limits Limits,
	deadline time.Time) (Outcome, error) {
	if len(part) > limits.OpsPerKey {
		return Unknown, fmt.Errorf("%w than %d (there are %d)", ErrTooLong, limits.OpsPerKey+1,
			len(part))
	}
	if o := ask(m, part, limits.Words, time.Until(deadline)/2); o != Unknown {
		return o, nil
	}
	o, err := m.walk(part, limits, deadline)
	if errors.Is(err, ErrMemory) {
		err = fmt.Errorf("%w (%d words)", err, limits.Words)
	}
	return o, err
}

// ask is porcupine's answer, Unknown where it has not time or words enough.
func ask[Q, R history.Value](m Model[Q, R], part []porcupine.Operation, words int64,
	left time.Duration) Outcome {
	b := newBudget(words, len(part), m.words())
	if left <= 0 || int64(len(part)) > words/b.perEntry {
		return Unknown // without one step that is in vain
	}
	switch porcupine.CheckOperationsTimeout(m.porcupine(b), part, left) {
	case porcupine.Ok:
		return Ok
	case porcupine.Illegal:
		if !b.spent.Load() {
			return Illegal
		}
	}
	return Unknown
}

// CheckByPorcupine and CheckByWalk return the outcome of only one of the two searches: the first outcome of
// all parts that is not Ok. Tests of a model use them to verify that the searches agree on it; they do not
// agree, for example, if ReadOnly is wrong. The errors are those of a Verdict.
func CheckByPorcupine[Q, R history.Value](m Model[Q, R], h history.History[Q, R],
	limits Limits) (Outcome, error) {
	return eachPart(m, h, limits, func(part []porcupine.Operation, end time.Time) (Outcome, error) {
		o := ask(m, part, limits.Words, time.Until(end))
		if o == Unknown {
			return o, fmt.Errorf("%w: porcupine has not time or memory enough", ErrUnknown)
		}
		return o, nil
	})
}

// CheckByWalk uses the second search; see CheckByPorcupine.
func CheckByWalk[Q, R history.Value](m Model[Q, R], h history.History[Q, R], limits Limits) (Outcome, error) {
	return eachPart(m, h, limits, func(part []porcupine.Operation, end time.Time) (Outcome, error) {
		return m.walk(part, limits, end)
	})
}

func eachPart[Q, R history.Value](m Model[Q, R], h history.History[Q, R], limits Limits,
	decide func(part []porcupine.Operation, end time.Time) (Outcome, error)) (Outcome, error) {
	if err := fit(m, h, limits); err != nil {
		return Unknown, err
	}
	end := time.Now().Add(limits.Timeout)
	for _, part := range parts(m, Operations(h, history.Forever)) {
		if o, err := decide(part, end); o != Ok {
			return o, err
		}
	}
	return Ok, nil
}
