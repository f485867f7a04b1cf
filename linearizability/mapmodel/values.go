package mapmodel

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/samecycle/samecycle/internal/history"
)

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
	Lookup                  // a get that keeps a ticket of what it finds
	Still                   // does the ticket of the key hold?
	Swap                    // give the key another value if the ticket holds
	Discard                 // take the key out if the ticket holds
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
	Found                    // Get, Lookup: the key was there with Result.Value
	Absent                   // Get, Lookup, Update, Delete: the key was not there
	Updated                  // Update, Swap: the key had Result.Value and has the new one now
	Deleted                  // Delete: the key was there and is not any more
	Tended                   // Crop, Restore: always
	Same                     // Still: the key has Result.Value, that of the ticket
	Void                     // Still, Swap, Discard: the ticket does not hold, which says nothing of the key
	Discarded                // Discard: the key had Result.Value, the ticket's, and is not there any more
	Evicted                  // Evict: the key was there with Result.Value and is not any more
)

// kindNames and outcomeNames are the words of files, tables and pictures; outcomesOf lists the
// outcomes that each kind may have. A new kind of operation needs one line in each.
var (
	kindNames = [...]string{
		Add: "add", Get: "get", Update: "update", Delete: "delete", Crop: "crop",
		Restore: "restore", Lookup: "lookup", Still: "still", Swap: "swap", Discard: "discard",
		Evict: "evict",
	}
	outcomeNames = [...]string{
		NoOutcome: "none", Added: "added", Exists: "exists", Full: "full",
		Found: "found", Absent: "absent", Updated: "updated", Deleted: "deleted",
		Tended: "tended", Same: "same", Void: "void", Discarded: "discarded", Evicted: "evicted",
	}
	outcomesOf = [...][]Outcome{
		Add: {Added, Exists, Full}, Get: {Found, Absent}, Update: {Updated, Absent},
		Delete: {Deleted, Absent}, Crop: {Tended}, Restore: {Tended}, Evict: {Evicted},
		Lookup: {Found, Absent}, Still: {Same, Void}, Swap: {Updated, Void},
		Discard: {Discarded, Void},
	}
)

// Kinds returns all kinds of operation.
func Kinds() []Kind {
	return []Kind{Add, Get, Update, Delete, Crop, Restore, Lookup, Still, Swap, Discard, Evict}
}

// Calls returns the kinds that a client can call at any time. Those of a ticket need a lookup before.
func Calls() []Kind { return []Kind{Add, Get, Update, Delete, Crop, Restore} }

// Known reports whether k names an operation.
func (k Kind) Known() bool { return int(k) < len(kindNames) && kindNames[k] != "" }

// HasValue reports whether a call of this kind carries a value.
func (k Kind) HasValue() bool { return k == Add || k == Update || k == Swap }

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
func (o Outcome) HasValue() bool {
	return o == Found || o == Updated || o == Same || o == Discarded || o == Evicted
}

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

// What the kinds do not allow.
var (
	ErrUnknownKind = errors.New("operation of unknown kind")
	ErrBadOutcome  = errors.New("outcome does not fit the operation")
	ErrBadValue    = errors.New("value where none belongs")
)

// Validate refuses a request of no kind, and a value where the kind has none.
func (r Request) Validate() error {
	switch {
	case !r.Kind.Known():
		return ErrUnknownKind
	case !r.Kind.HasValue() && r.Value != 0:
		return ErrBadValue
	}
	return nil
}

// ValidateResult refuses a result that the kind does not allow, and a value where the outcome has none.
func (r Request) ValidateResult(result Result) error {
	switch {
	case !r.Kind.Allows(result.Outcome):
		return ErrBadOutcome
	case !result.Outcome.HasValue() && result.Value != 0:
		return ErrBadValue
	}
	return nil
}

// AppendForm appends the canonical form: kind, key and value.
func (r Request) AppendForm(b []byte) []byte {
	b = append(b, byte(r.Kind))
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.Key)), uint64(r.Value))
}

// AppendForm appends the canonical form: outcome and value.
func (r Result) AppendForm(b []byte) []byte {
	return binary.AppendUvarint(append(b, byte(r.Outcome)), uint64(r.Value))
}

// What package history makes of the requests and results of a map.
type (
	// Op is one operation of one client.
	Op = history.Op[Request, Result]
	// History is a set of operations.
	History = history.History[Request, Result]
	// Recorder records a run in which one actor runs at a time.
	Recorder = history.Recorder[Request, Result]
	// Concurrent records a run of goroutines.
	Concurrent = history.Concurrent[Request, Result]
	// ClientLog is the buffer of one client of a Concurrent.
	ClientLog = history.ClientLog[Request, Result]
	// Canon computes canonical forms.
	Canon = history.Canon[Request, Result]
)

// Count returns how many operations ended in o. A history in which every Add is Full is legal for
// every map, so a caller that expects room has to count.
func Count(h History, o Outcome) int {
	n := 0
	for i := range h {
		if h[i].Result.Outcome == o {
			n++
		}
	}
	return n
}

// OfKey returns the operations on the key, in the same order.
func OfKey(h History, key uint32) History {
	return h.Filter(func(op *Op) bool { return op.Request.Key == key })
}
