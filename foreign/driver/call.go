package driver

import (
	"fmt"
	"strings"
)

// A Kind is an operation of a map. Each foreign map offers some of them, under names of its own.
type Kind uint8

// The operations, with the names of sync.Map. The zero value is not an operation.
const (
	Load             Kind = 1 + iota // the value of the key, if there is one
	Store                            // set the value of the key
	Swap                             // Store, and return what was replaced
	LoadOrStore                      // the value of the key; store Value first if there is none
	LoadAndDelete                    // delete the key, and return its value if there was one
	Delete                           // LoadAndDelete without an answer
	CompareAndSwap                   // set Value if the key has the value Old
	CompareAndDelete                 // delete the key if it has the value Old
)

var kindNames = [...]string{
	Load: "Load", Store: "Store", Swap: "Swap", LoadOrStore: "LoadOrStore",
	LoadAndDelete: "LoadAndDelete", Delete: "Delete", CompareAndSwap: "CompareAndSwap",
	CompareAndDelete: "CompareAndDelete",
}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) >= len(kindNames) || k == 0 {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return kindNames[k]
}

func (k Kind) known() bool { return k > 0 && int(k) < len(kindNames) }

// hasOld and hasValue report which arguments a kind has besides the key.
func (k Kind) hasOld() bool { return k == CompareAndSwap || k == CompareAndDelete }

func (k Kind) hasValue() bool {
	return k == Store || k == Swap || k == LoadOrStore || k == CompareAndSwap
}

// A Call is an operation with its arguments. Arguments that its kind does not have are zero.
type Call struct {
	Kind       Kind
	Key        uint32
	Old, Value uint32
}

// names are the foreign map's names of the kinds. A kind that is not in it has its own name.
type names map[Kind]string

// call prints the call as source text would: CompareAndSwap(1, 5, 6).
func (n names) call(c Call) string {
	name, ok := n[c.Kind]
	if !ok {
		name = c.Kind.String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s(%d", name, c.Key)
	if c.Kind.hasOld() {
		fmt.Fprintf(&b, ", %d", c.Old)
	}
	if c.Kind.hasValue() {
		fmt.Fprintf(&b, ", %d", c.Value)
	}
	return b.String() + ")"
}

// An Answer is what an operation returned. The meaning of OK depends on the kind:
//
//	Load, Swap, LoadAndDelete          the key had the value Value
//	LoadOrStore                        the key had the value Value (loaded); if false, Value is the
//	                                   call's own, which is now stored
//	CompareAndSwap, CompareAndDelete   it was done
//
// Store and Delete have no answer. Value is zero if the operation returns none.
type Answer struct {
	Value uint32
	OK    bool
}

// text prints the answer to a call of the kind.
func (a Answer) text(k Kind) string {
	switch k {
	case Store, Delete:
		return "done"
	case CompareAndSwap, CompareAndDelete:
		return fmt.Sprint(a.OK)
	case LoadOrStore:
		if !a.OK {
			return fmt.Sprintf("%d stored", a.Value)
		}
		return fmt.Sprintf("%d loaded", a.Value)
	}
	if !a.OK {
		if a.Value != 0 {
			return fmt.Sprintf("absent with the value %d", a.Value)
		}
		return "absent"
	}
	return fmt.Sprint(a.Value)
}

// A Map is the foreign map as the driver sees it. Do performs one operation. Actors call it at any time, and
// it must do nothing but call the map.
type Map interface {
	Do(c Call) Answer
}

// The constructors of calls keep the lists of programs readable.

// OnKey returns a call of a kind that takes a key alone.
func OnKey(k Kind, key uint32) Call { return Call{Kind: k, Key: key} }

// With returns a call of a kind that takes a key and a value.
func With(k Kind, key, value uint32) Call { return Call{Kind: k, Key: key, Value: value} }

// Change returns CompareAndSwap(key, old, value).
func Change(key, old, value uint32) Call {
	return Call{Kind: CompareAndSwap, Key: key, Old: old, Value: value}
}
