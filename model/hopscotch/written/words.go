package written

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Bounds of every machine. They are small on purpose: a state is one flat value.
const (
	MaxCells      = 8  // cells; the window is at most as wide
	MaxRecords    = 7  // stash records, numbered from 1
	MaxClients    = 4  // clients, numbered from 1
	MaxActors     = 7  // the clients, the cropper, one completion service or two
	MaxKeys       = 16 // keys, numbered from 1
	MaxQueue      = 12 // entries of one queue
	MaxHistories  = 64 // possible histories, of all keys together
	Lost          = 99 // the key of a deleted element
	None          = 0  // no key, no value
	noRecord      = 0
	smallestValue = 10 // smaller numbers are results
)

// Results of operations. A get that finds answers with the value.
const (
	NoResult = 0
	Absent   = 1
	Added    = 2
	Updated  = 3
	Deleted  = 4

	// What a search has found that is not yet the result of the operation.
	retry  = 6 // look again
	atBase = 7 // a delete has found its key at the base
)

// Set is a set of numbers 0..7: offsets, records.
type Set uint8

// Has reports whether x is in the set.
func (s Set) Has(x uint8) bool { return s>>x&1 == 1 }

// With returns the set with x in it.
func (s Set) With(x uint8) Set { return s | 1<<x }

// Without returns the set without x.
func (s Set) Without(x uint8) Set { return s &^ (1 << x) }

// least and most are for sets that are not empty.
func (s Set) least() uint8 { return uint8(bits.TrailingZeros8(uint8(s))) }
func (s Set) most() uint8  { return uint8(bits.Len8(uint8(s)) - 1) }

func (s Set) list() []uint8 {
	var list []uint8
	for x := uint8(0); x < 8; x++ {
		if s.Has(x) {
			list = append(list, x)
		}
	}
	return list
}

func (s Set) String() string {
	var items []string
	for _, x := range s.list() {
		items = append(items, strconv.Itoa(int(x)))
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// upTo is the set from..to.
func upTo(from, to uint8) Set {
	var s Set
	for x := from; x <= to; x++ {
		s = s.With(x)
	}
	return s
}

// Form0 says what word 0 of a cell is, Form1 what word 1 is.
type (
	Form0 uint8
	Form1 uint8
)

// The forms of word 0.
const (
	Empty    Form0 = iota // E
	Base                  // B: m is the map of members
	BaseOp                // BO: a base in operation, s is the stash record
	Member                // M: o cells above its base, n users hold it in its place
	MemberOp              // MO: a member in operation, s is the stash record
)

// The forms of word 1.
const (
	Zero    Form1 = iota // Z
	Taken                // T: of a member
	TakenBy              // B: of a base, m is its taken map
	Stashed              // O: of a base with readers, s is the stash record, r counts them
)

func (f Form0) String() string { return [...]string{"E", "B", "BO", "M", "MO"}[f] }
func (f Form1) String() string { return [...]string{"Z", "T", "B", "O"}[f] }

// Flags is a set of flags of operational control bits.
type Flags uint8

// The flags.
const (
	Root     Flags = 1 << iota // the master of the bucket is at work
	Editor                     // the old pair is in the stash
	Swappy                     // the root is edited, but may be read
	Immobile                   // the cell is claimed
	Mobile                     // the member may be moved: it is deleted
	Delete                     // the base, or what a swap has left, is to be deleted
	Usurped                    // the member's cell becomes a base
)

var flagNames = [...]string{"root", "editor", "swappy", "immobile", "mobile", "delete", "usurped"}

func (f Flags) names() []string {
	var list []string
	for i, name := range flagNames {
		if f>>i&1 == 1 {
			list = append(list, name)
		}
	}
	return list
}

// Word0 is the first word of a cell: control bits and key.
type Word0 struct {
	F  Form0
	M  Set
	O  uint8
	S  uint8
	FL Flags
	N  int8 // below 0 once a pin has been taken away twice
	K  uint8
}

func (w Word0) isBase() bool       { return w.F == Base || w.F == BaseOp }
func (w Word0) isMember() bool     { return w.F == Member || w.F == MemberOp }
func (w Word0) has(f Flags) bool   { return w.FL&f != 0 }
func (w Word0) names(s uint8) bool { return (w.F == BaseOp || w.F == MemberOp) && w.S == s }

// keepsOut: a reader is kept out while somebody edits the root and does not swap.
func (w Word0) keepsOut() bool { return w.F == BaseOp && w.has(Root) && !w.has(Swappy) }

func (w Word0) String() string {
	text := w.F.String()
	switch w.F {
	case Base:
		text += w.M.String()
	case BaseOp, MemberOp:
		text += fmt.Sprintf("(record %d)", w.S)
	case Member:
		text += fmt.Sprintf("+%d", w.O)
	}
	if w.FL != 0 {
		text += "[" + strings.Join(w.FL.names(), " ") + "]"
	}
	if w.N != 0 {
		text += fmt.Sprintf(" held %d", w.N)
	}
	if w.F == Empty && w == (Word0{}) {
		return text
	}
	return text + " key " + keyText(w.K)
}

func keyText(k uint8) string {
	if k == Lost {
		return "lost"
	}
	return strconv.Itoa(int(k))
}

// Word1 is the second word of a cell: taken bits and value.
type Word1 struct {
	F Form1
	M Set
	S uint8
	R uint8
	V uint8
}

func (w Word1) String() string {
	text := w.F.String()
	switch w.F {
	case TakenBy:
		text += w.M.String()
	case Stashed:
		text += fmt.Sprintf("(record %d) readers %d", w.S, w.R)
	}
	return fmt.Sprintf("%s value %d", text, w.V)
}

// Record is a stash record: real bits or the offset of a member, a pair, and how many use it. Less
// than nobody may use it once it has been given back twice.
type Record struct {
	Real Set
	O    uint8
	K, V uint8
	U    int8
}

func filled(real Set) Record { return Record{Real: real, U: 1} }

func (r Record) String() string {
	return fmt.Sprintf("real %v key %s value %d users %d", r.Real, keyText(r.K), r.V, r.U)
}

// Kind says what a piece of work is.
type Kind uint8

// The kinds of work.
const (
	NoKind   Kind = iota
	NewBase       // new: a base is born
	OldPair       // old: a displaced pair is in the stash
	PutPair       // put: a pair is in the item
	DropOnly      // drop: nothing is reinserted, a reference is given back
	Flagged       // flagged: no work, but a delete that has flagged the base
)

func (k Kind) String() string {
	return [...]string{"none", "new", "old", "put", "drop", "flagged"}[k]
}

// Mode says how a search looks at members: "none" for the plain way.
type Mode uint8

// The modes.
const (
	Plain   Mode = iota // none: pins what matches
	Careful             // swappy: pins before it looks
)

func (m Mode) String() string { return [...]string{"none", "swappy"}[m] }

// Item is work of the completion service.
type Item struct {
	Kind       Kind
	B, S, K, V uint8
}

func (i Item) String() string {
	return fmt.Sprintf("%v base %d record %d key %s value %d", i.Kind, i.B, i.S, keyText(i.K), i.V)
}

// OpKind says what an operation does.
type OpKind uint8

// The operations of clients.
const (
	OpAdd OpKind = iota
	OpGet
	OpUpdate
	OpDelete
)

func (k OpKind) String() string { return [...]string{"add", "get", "update", "delete"}[k] }

// Op is one operation of a program; V is 0 for a get and a delete.
type Op struct {
	Op   OpKind
	K, V uint8
}

func (o Op) String() string {
	if o.V == None {
		return fmt.Sprintf("%v(%d)", o.Op, o.K)
	}
	return fmt.Sprintf("%v(%d, %d)", o.Op, o.K, o.V)
}
