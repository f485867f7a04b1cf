// Package history holds what the clients of a map can observe, and nothing more: which operation
// each client called, what came back, and in which order the calls and the returns happened.
//
// Terminology. An operation lasts from its Call to its Return, two times of one logical clock; the
// interval is closed, so operations that share a time are concurrent. A client has at most one
// operation in flight. An operation whose client was killed is pending: it may or may not have
// happened, its Return is Forever and it has no result. A history is judged only after Validate
// has accepted it, because a checker that is handed a malformed history answers "illegal", which
// would read as a fault of the map.
package history

import (
	"fmt"
	"math"
	"strconv"
)

// Forever is the Return of a pending operation: later than every time that a clock can show.
const Forever int64 = math.MaxInt64

// Kind says what a client asked for. The zero value is no operation.
type Kind uint8

// The operations that clients may call. Numbers are stable within a process only; files carry the
// names.
const (
	Add     Kind = 1 + iota // insert the key with the value if the key is absent
	Get                     // look the key up
	Update                  // give the key another value if it is there
	Delete                  // take the key out
	Crop                    // tend the key's place; no change of the contents
	Restore                 // the same
	Evict                   // no call: an add in flight makes the key leave, and is handed its value
)

// Outcome says how an operation ended. The zero value means that nothing came back.
type Outcome uint8

// The answers that clients may get.
const (
	NoOutcome Outcome = iota // pending, or still in flight
	Added                    // Add: the key was absent and has the value now
	Exists                   // Add: the key was there; its value stays and is not reported
	Full                     // Add: no room, nothing changed
	Found                    // Get: the key was there with Result.Value
	Absent                   // Get, Update, Delete: the key was not there
	Updated                  // Update: the key had Result.Value and has the new one now
	Deleted                  // Delete: the key was there and is not any more
	Tended                   // Crop, Restore: always
	Evicted                  // Evict: the key was there with Result.Value and is not any more
)

// kindNames and outcomeNames are the words of files, tables and pictures; outcomesOf lists the
// outcomes that each kind may have. A new kind of operation needs one line in each.
var (
	kindNames = [...]string{
		Add: "add", Get: "get", Update: "update", Delete: "delete", Crop: "crop",
		Restore: "restore", Evict: "evict",
	}
	outcomeNames = [...]string{
		NoOutcome: "none", Added: "added", Exists: "exists", Full: "full",
		Found: "found", Absent: "absent", Updated: "updated", Deleted: "deleted",
		Tended: "tended", Evicted: "evicted",
	}
	outcomesOf = [...][]Outcome{
		Add: {Added, Exists, Full}, Get: {Found, Absent}, Update: {Updated, Absent},
		Delete: {Deleted, Absent}, Crop: {Tended}, Restore: {Tended}, Evict: {Evicted},
	}
)

// Kinds returns all kinds of operation.
func Kinds() []Kind { return []Kind{Add, Get, Update, Delete, Crop, Restore, Evict} }

// Calls returns the kinds that a client can call.
func Calls() []Kind { return []Kind{Add, Get, Update, Delete, Crop, Restore} }

// Known reports whether k names an operation.
func (k Kind) Known() bool { return int(k) < len(kindNames) && kindNames[k] != "" }

// HasValue reports whether a call of this kind carries a value.
func (k Kind) HasValue() bool { return k == Add || k == Update }

// Allows reports whether an operation of this kind may end in o.
func (k Kind) Allows(o Outcome) bool {
	if !k.Known() {
		return false
	}
	for _, allowed := range outcomesOf[k] {
		if allowed == o {
			return true
		}
	}
	return false
}

// String returns the kind's word.
func (k Kind) String() string {
	if !k.Known() {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// HasValue reports whether a result with this outcome carries a value.
func (o Outcome) HasValue() bool { return o == Found || o == Updated || o == Evicted }

// String returns the outcome's word.
func (o Outcome) String() string {
	if int(o) >= len(outcomeNames) {
		return fmt.Sprintf("outcome(%d)", uint8(o))
	}
	return outcomeNames[o]
}

// Request is what a client asks for. Value is zero unless the kind carries one.
type Request struct {
	Kind  Kind
	Key   uint32
	Value uint32
}

// String prints the request as a call: add(7, 70), get(7).
func (r Request) String() string { return string(r.Append(nil)) }

// Append appends what String returns.
func (r Request) Append(text []byte) []byte {
	text = append(append(text, r.Kind.String()...), '(')
	text = strconv.AppendUint(text, uint64(r.Key), 10)
	if r.Kind.HasValue() {
		text = strconv.AppendUint(append(text, ", "...), uint64(r.Value), 10)
	}
	return append(text, ')')
}

// Result is what came back. Value is zero unless the outcome carries one.
type Result struct {
	Outcome Outcome
	Value   uint32
}

// String prints the result: added, found 70.
func (r Result) String() string { return string(r.Append(nil)) }

// Append appends what String returns.
func (r Result) Append(text []byte) []byte {
	text = append(text, r.Outcome.String()...)
	if r.Outcome.HasValue() {
		text = strconv.AppendUint(append(text, ' '), uint64(r.Value), 10)
	}
	return text
}

// Op is one operation of one client.
type Op struct {
	ID     uint64 // unique within its history
	Client int    // 0 or more
	Request
	Result Result
	Call   int64 // time of the call, 1 or more
	Return int64 // time of the return; 0: in flight; Forever: pending
	// Pending: the client was killed before the return, so the operation may or may not have
	// happened. Invariant: Pending has Return == Forever and no result.
	Pending bool
}

// String prints the operation with its client and its times.
func (o Op) String() string { return o.Text(fmt.Sprintf("client %d", o.Client)) }

// Text is String with another name of the client.
func (o Op) Text(client string) string {
	switch {
	case o.Pending:
		return fmt.Sprintf("%s %s: killed [%d, forever]", client, o.Request, o.Call)
	case o.Return == 0 && o.Result.Outcome == NoOutcome:
		return fmt.Sprintf("%s %s: in flight since %d", client, o.Request, o.Call)
	}
	return fmt.Sprintf("%s %s: %s [%d, %d]", client, o.Request, o.Result, o.Call, o.Return)
}

// History is a set of operations; recorders and decoders deliver them in the order of their calls.
type History []Op

// Clients returns the number of columns that the history needs: the largest client plus one.
func (h History) Clients() int {
	n := 0
	for i := range h {
		n = max(n, h[i].Client+1)
	}
	return n
}

// Count returns how many operations ended in o. A history in which every Add is Full is legal for
// every map, so a caller that expects room has to count.
func (h History) Count(o Outcome) int {
	n := 0
	for i := range h {
		if h[i].Result.Outcome == o {
			n++
		}
	}
	return n
}

// OfKey returns the operations on the key, in the same order.
func (h History) OfKey(key uint32) History {
	var part History
	for i := range h {
		if h[i].Key == key {
			part = append(part, h[i])
		}
	}
	return part
}

// Prefix returns what had been observed at the given time: operations called by then, and those
// that had not returned as pending ones. A prefix of a linearizable history is linearizable.
func (h History) Prefix(time int64) History {
	var part History
	for _, op := range h {
		if op.Call > time {
			continue
		}
		if op.Return > time {
			op.Pending, op.Return, op.Result = true, Forever, Result{}
		}
		part = append(part, op)
	}
	return part
}
