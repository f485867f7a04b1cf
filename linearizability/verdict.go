package linearizability

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/samecycle/samecycle/internal/history"
)

// Verdict is the answer of Check.
type Verdict[Q, R history.Value] struct {
	Outcome Outcome
	// Key is the key of a part: for Illegal, of the part whose operations have no order; for Unknown, of the
	// last part that was not judged. It is nil for a model without keys.
	Key    any
	Ops    int   // operations of that part
	Reason error // Unknown: why

	// Evidence, for Illegal: operations of that part that have no order either, as few as could be found
	// in a moment. A prefix in time, with operations in flight as pending ones, less operations
	// that are read only: whoever accepts that these are illegal must accept it of the whole history.
	Evidence history.History[Q, R]
	model    Model[Q, R] // of the evidence

	// Clients are the names of the clients in texts and pictures, by number; a client without a name is
	// "client" and its number.
	Clients []string
}

// name is what a client is called.
func (v Verdict[Q, R]) name(client int) string {
	if client < len(v.Clients) {
		return v.Clients[client]
	}
	return fmt.Sprintf("client %d", client)
}

// names are those of all clients of the evidence.
func (v Verdict[Q, R]) names() []string {
	var all []string
	for i := range v.Evidence.Clients() {
		all = append(all, v.name(i))
	}
	return all
}

// Err returns nil for Ok and otherwise a *Failure. Illegal wraps ErrIllegal; Unknown wraps
// ErrUnknown and its reason.
func (v Verdict[Q, R]) Err() error {
	if v.Outcome == Ok {
		return nil
	}
	return &Failure{Outcome: v.Outcome, Key: v.Key, Ops: v.Ops, Reason: v.Reason, verdict: v}
}

// Failure is the error of a verdict that is not Ok, for callers that do not know the types of its operations.
// Its fields are those of the verdict.
type Failure struct {
	Outcome Outcome
	Key     any
	Ops     int
	Reason  error
	verdict interface {
		inLine() string
		Detail() string
		Draw(w io.Writer) error
	}
}

// Error says in one line what was found.
func (f *Failure) Error() string {
	switch {
	case f.Outcome == Illegal:
		return f.verdict.inLine()
	case f.Ops > 0 && f.Key != nil:
		return fmt.Sprintf("%v: key %v with %d operations: %v", ErrUnknown, f.Key, f.Ops, f.Reason)
	case f.Ops > 0:
		return fmt.Sprintf("%v: %d operations: %v", ErrUnknown, f.Ops, f.Reason)
	}
	return fmt.Sprintf("%v: %v", ErrUnknown, f.Reason)
}

// Unwrap returns the sentinels that Err promises.
func (f *Failure) Unwrap() []error {
	if f.Outcome == Illegal {
		return []error{ErrIllegal}
	}
	if f.Reason == nil {
		return []error{ErrUnknown}
	}
	return []error{ErrUnknown, f.Reason}
}

// Detail is Verdict.Detail.
func (f *Failure) Detail() string { return f.verdict.Detail() }

// Draw is Verdict.Draw.
func (f *Failure) Draw(w io.Writer) error { return f.verdict.Draw(w) }

// premise says what was judged, and what there was before the first operation.
func (v Verdict[Q, R]) premise() string {
	out := ""
	if v.Key != nil {
		out = fmt.Sprintf("key %v, ", v.Key)
	}
	if v.model == nil || len(v.Evidence) == 0 {
		return out + "initially unknown"
	}
	return out + "initially " + v.model.initially(v.Evidence[0].Request)
}

// inLine is the error of an illegal verdict: it lists a few operations of the evidence.
func (v Verdict[Q, R]) inLine() string {
	const most = 8
	h := v.Evidence
	texts := make([]string, 0, most+1)
	for _, op := range h[:min(len(h), most)] {
		texts = append(texts, op.Text(v.name(op.Client)))
	}
	if len(h) > most {
		texts = append(texts, fmt.Sprintf("and %d more", len(h)-most))
	}
	return fmt.Sprintf("%v: %s: no order explains %s", ErrIllegal, v.premise(), strings.Join(texts, "; "))
}

// Detail describes the verdict in several lines: for Illegal with the evidence as a table with one
// column per client.
func (v Verdict[Q, R]) Detail() string {
	if v.Outcome == Ok {
		return "linearizable\n"
	}
	if v.Outcome == Unknown {
		return v.Err().Error() + "\n"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%v: %s: no order explains these %d of %d operations\n",
		ErrIllegal, v.premise(), len(v.Evidence), v.Ops)
	if err := history.TableOf(&out, v.Evidence, v.names()); err != nil {
		panic("a strings.Builder takes everything: " + err.Error())
	}
	return out.String()
}

// illegal makes the verdict for the operations of one part that were found illegal.
func illegal[Q, R history.Value](m Model[Q, R], part history.History[Q, R],
	deadline time.Time) Verdict[Q, R] {
	if limit := time.Now().Add(shortenTime); deadline.After(limit) {
		deadline = limit
	}
	return Verdict[Q, R]{Outcome: Illegal, Key: m.key(part[0].Request), Ops: len(part),
		Evidence: shorten(m, part, deadline), model: m}
}

// shortenTime bounds the search for short evidence.
const shortenTime = time.Second

// shorten looks for a smaller illegal history of the part. Invariant: if the result is illegal, so
// is what it was made from. Cutting at a time keeps that, since prefixes of linearizable histories
// are linearizable; leaving out an operation that is read only keeps it too, since an order with it
// is an order without it. Leaving out one that may have taken effect would not.
func shorten[Q, R history.Value](m Model[Q, R], part history.History[Q, R],
	deadline time.Time) history.History[Q, R] {
	refused := func(h history.History[Q, R]) bool {
		if len(h) == 0 {
			return false
		}
		o, _ := m.walk(Operations(h, history.Forever), DefaultLimits(), deadline)
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
			fewer := append(history.History[Q, R](nil), part[:max(0, end-size)]...)
			for i := len(fewer); i < end; i++ {
				if !m.readOnly(&part[i]) {
					fewer = append(fewer, part[i])
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
