// Package history holds what the clients of a concurrent object can observe, and nothing more: which
// operation each client called, what came back, and in which order the calls and the returns
// happened. It knows no object: a request of type Q and a result of type R are values that can write
// themselves as text (Value). What else they can do, they offer by methods that this package looks
// for: Validator, Compact, and those of encoding/json.
//
// Terminology. An operation lasts from its Call to its Return, two times of one logical clock; the
// interval is closed, so operations that share a time are concurrent. A client has at most one
// operation in flight. An operation whose client was killed is pending: it may or may not have
// happened, its Return is Forever and it has no result. A history is judged only after Validate
// has accepted it, because a checker that is handed a malformed history answers "illegal", which
// would read as a fault of the object.
package history

import (
	"fmt"
	"math"
)

// Forever is the Return of a pending operation: later than every time that a clock can show.
const Forever int64 = math.MaxInt64

// Value is what requests and results must be.
type Value interface {
	comparable
	// Append appends the text of the value to b: one line for people, such as add(7, 70). Different
	// values have different texts, and the text of a value never changes: it tells histories apart.
	Append(b []byte) []byte
}

// text is the text of the value.
func text[T Value](v T) string { return string(v.Append(nil)) }

// Op is one operation of one client, which asks for a Q and is answered with an R.
type Op[Q, R Value] struct {
	ID      uint64 // unique within its history
	Client  int    // 0 or more
	Request Q
	Result  R     // the zero value while it is in flight or if it is pending
	Call    int64 // time of the call, 1 or more
	Return  int64 // time of the return; 0: in flight; Forever: pending
	// Pending: the client was killed before the return, so the operation may or may not have
	// happened. Invariant: Pending has Return == Forever and no result.
	Pending bool
}

// String prints the operation with its client and its times.
func (o Op[Q, R]) String() string { return o.Text(fmt.Sprintf("client %d", o.Client)) }

// Text is String with another name of the client.
func (o Op[Q, R]) Text(client string) string {
	var none R
	switch {
	case o.Pending:
		return fmt.Sprintf("%s %s: killed [%d, forever]", client, text(o.Request), o.Call)
	case o.Return == 0 && o.Result == none:
		return fmt.Sprintf("%s %s: in flight since %d", client, text(o.Request), o.Call)
	}
	return fmt.Sprintf("%s %s: %s [%d, %d]", client, text(o.Request), text(o.Result), o.Call, o.Return)
}

// History is a set of operations; recorders and decoders deliver them in the order of their calls.
type History[Q, R Value] []Op[Q, R]

// Clients returns the number of columns that the history needs: the largest client plus one.
func (h History[Q, R]) Clients() int {
	n := 0
	for i := range h {
		n = max(n, h[i].Client+1)
	}
	return n
}

// Filter returns the operations that keep accepts, in the same order.
func (h History[Q, R]) Filter(keep func(*Op[Q, R]) bool) History[Q, R] {
	var part History[Q, R]
	for i := range h {
		if keep(&h[i]) {
			part = append(part, h[i])
		}
	}
	return part
}

// Prefix returns what had been observed at the given time: operations called by then, and those
// that had not returned as pending ones. A prefix of a linearizable history is linearizable.
func (h History[Q, R]) Prefix(time int64) History[Q, R] {
	var part History[Q, R]
	var none R
	for _, op := range h {
		if op.Call > time {
			continue
		}
		if op.Return > time {
			op.Pending, op.Return, op.Result = true, Forever, none
		}
		part = append(part, op)
	}
	return part
}
