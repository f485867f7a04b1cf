package model

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Bounds of every machine. They are small on purpose: a state is one flat value, and all words
// of it count in bytes.
const (
	Halves    = 2   // halves of the table
	MaxCells  = 8   // cells of one half; the window is at most as wide
	MaxActors = 4   // actors, numbered from 1
	MaxKeys   = 16  // keys, numbered from 1
	MaxValues = 15  // different values of one configuration; a value itself is 1..255
	Lost      = 255 // in place of a key: the element is deleted, its cell not yet reclaimed
	noHalf    = 2   // an actor has not chosen a half yet
)

// Form says what word 0 of a cell is.
type Form uint8

// The forms of word 0, in the order of Cells.tla.
const (
	Empty   Form = iota // E(g): nobody's; g is the version of word 1
	Claimed             // C(r): a base being born, or a hole that waits for an element
	Base                // B(k,m): the base of a bucket with members at the offsets m
	InWork              // O(k,r): a base in operation; the offsets are in descriptor r
	Member              // M(k,p,g): a member, p cells above its base
	Marked              // U(k,r): a member in operation; descriptor r moves it or takes it out
)

// String returns the letter of the form in the specification.
func (f Form) String() string { return string("ECBOMU"[f]) }

// Ref names one generation of one descriptor.
type Ref struct {
	D uint8 // the actor that owns the descriptor; 0: none
	G uint8 // its generation
}

func (r Ref) String() string { return fmt.Sprintf("%d.%d", r.D, r.G) }

// Offsets is a set of offsets 0..7 inside a window.
type Offsets uint8

// Has reports whether offset o is in the set.
func (m Offsets) Has(o uint8) bool { return m>>o&1 == 1 }

// With returns the set with offset o in it.
func (m Offsets) With(o uint8) Offsets { return m | 1<<o }

// Without returns the set without offset o.
func (m Offsets) Without(o uint8) Offsets { return m &^ (1 << o) }

// Count returns the number of offsets in the set.
func (m Offsets) Count() int { return bits.OnesCount8(uint8(m)) }

func (m Offsets) least() uint8 { return uint8(bits.TrailingZeros8(uint8(m))) }

func (m Offsets) greatest() uint8 { return uint8(bits.Len8(uint8(m))) - 1 }

func (m Offsets) String() string {
	var names []string
	for o := uint8(0); o < 8; o++ {
		if m.Has(o) {
			names = append(names, strconv.Itoa(int(o)))
		}
	}
	return "{" + strings.Join(names, ",") + "}"
}

// Word0 is word 0 of a cell. Fields that its form does not have are zero, so that == is equality.
type Word0 struct {
	F Form
	K uint8   // Base, InWork, Member, Marked: the key, or Lost
	M Offsets // Base: the members' offsets
	P uint8   // Member: the distance from its base
	G uint8   // Empty, Member: the generation
	R Ref     // Claimed, InWork, Marked: the descriptor
}

func empty(g uint8) Word0           { return Word0{F: Empty, G: g} }
func claimed(r Ref) Word0           { return Word0{F: Claimed, R: r} }
func base(k uint8, m Offsets) Word0 { return Word0{F: Base, K: k, M: m} }
func inWork(k uint8, r Ref) Word0   { return Word0{F: InWork, K: k, R: r} }
func member(k, p, g uint8) Word0    { return Word0{F: Member, K: k, P: p, G: g} }
func marked(k uint8, r Ref) Word0   { return Word0{F: Marked, K: k, R: r} }

// held: the word refers to a descriptor.
func (w Word0) held() bool              { return w.F == Claimed || w.F == InWork || w.F == Marked }
func (w Word0) hasKey() bool            { return w.F >= Base }
func (w Word0) is(one, other Form) bool { return w.F == one || w.F == other }

// String writes the word as the specification's comments do: B(1,{2}).
func (w Word0) String() string {
	switch w.F {
	case Empty:
		return fmt.Sprintf("E(%d)", w.G)
	case Claimed:
		return fmt.Sprintf("C(%s)", w.R)
	case Base:
		return fmt.Sprintf("B(%s,%s)", keyName(w.K), w.M)
	case InWork:
		return fmt.Sprintf("O(%s,%s)", keyName(w.K), w.R)
	case Marked:
		return fmt.Sprintf("U(%s,%s)", keyName(w.K), w.R)
	}
	return fmt.Sprintf("M(%s,%d,%d)", keyName(w.K), w.P, w.G)
}

func keyName(k uint8) string {
	if k == Lost {
		return "lost"
	}
	return strconv.Itoa(int(k))
}

// Word1 is word 1 of a cell.
type Word1 struct {
	V uint8 // the value; 0: none
	Z uint8 // 1: frozen
	N uint8 // the version; it grows with every change of the word but a freeze
}

func frozen(x Word1) Word1 { x.Z = 1; return x }

func (w Word1) String() string { return fmt.Sprintf("V(%d,%d,%d)", w.V, w.Z, w.N) }

// Kind says what a descriptor's operation is.
type Kind uint8

// The kinds of operation, in the order of Cells.tla.
const (
	NoKind      Kind = iota
	KindNew          // an empty cell becomes a base
	KindAdd          // a base takes a new key, the displaced one goes into a hole
	KindReplace      // a base takes a new key, the old one is lost or evicted
	KindMove         // a member goes into another hole of its window
	KindDrop         // a member leaves: it is lost, the oldest of a full window, or of a ticket that holds
	KindLift         // a member becomes the key of its base, whose own key is lost, or of such a ticket
	KindClear        // a base without members, the same, becomes empty
)

func (k Kind) String() string {
	return [...]string{"none", "new", "add", "replace", "move", "drop", "lift", "clear"}[k]
}

// ofMember: the operation is about a member of the bucket.
func (k Kind) ofMember() bool { return k == KindMove || k == KindDrop || k == KindLift }

// makesRoom: an add or a crop installs it for the cells of others, and no new element comes by it.
func (k Kind) makesRoom() bool { return k.ofMember() || k == KindClear }

// bringsKey: the base gets the key of the operation's pair.
func (k Kind) bringsKey() bool { return k == KindAdd || k == KindReplace || k == KindLift }

// Status is the progress of an operation, or the result that waits to be returned.
type Status uint8

// The statuses of a descriptor and the results of an operation; Full is both.
const (
	Undecided Status = iota
	Committed
	Aborted
	Full
	Added
	Exists
	Absent
	Found
	Updated
	Deleted
	Tended
	Same // a still: the ticket holds
	Void // a still, a swap or a discard: it does not
	Discarded
	NoResult // of Out only: nothing came back yet
)

var statusNames = [...]string{"undecided", "committed", "aborted", "full",
	"added", "exists", "absent", "found", "updated", "deleted", "tended", "same", "void", "discarded",
	"none"}

func (st Status) String() string { return statusNames[st] }

// Head is the first word of a descriptor: its generation and the home cell.
type Head struct {
	Gen  uint8
	Kind Kind
	H    uint8 // half
	Home uint8 // cell
}

// Pair is the second word of a descriptor: what is added, or the member that it is about.
type Pair struct{ K, V uint8 }

// Plan is the third word of a descriptor: the key of the base and the members of its bucket.
type Plan struct {
	K uint8
	M Offsets
}

// Source is a word of a descriptor: the member that the operation is about.
type Source struct {
	C uint8 // its offset
	G uint8 // the generation of its word 0
	N uint8 // the version of its word 1
}

// Target is the word of a descriptor that holds progress, the only one that changes within a generation.
type Target struct {
	Gen uint8
	St  Status
	C   uint8 // the hole's offset; 0: none
	G   uint8 // the hole's generation
}

// Desc is a descriptor in shared memory. Expect is word 1 of the home cell as it was found.
type Desc struct {
	Head   Head
	Pair   Pair
	Plan   Plan
	Expect Word1
	Target Target
	Source Source
}

func (h Head) String() string {
	return fmt.Sprintf("gen %d %s at <%d,%d>", h.Gen, h.Kind, h.H, h.Home)
}
func (p Pair) String() string { return fmt.Sprintf("%s=%d", keyName(p.K), p.V) }
func (p Plan) String() string { return fmt.Sprintf("%s %s", keyName(p.K), p.M) }
func (x Source) String() string {
	return fmt.Sprintf("offset %d generation %d version %d", x.C, x.G, x.N)
}
func (t Target) String() string {
	return fmt.Sprintf("gen %d %s hole %d.%d", t.Gen, t.St, t.C, t.G)
}

// Op is one operation of a client's program; V is zero unless it is an add, an update or a swap.
type Op struct {
	Op OpKind
	K  uint8
	V  uint8
}

// OpKind is the kind of a client's operation.
type OpKind uint8

// The operations of a client. Crop and restore tend the bucket of a key, and change no contents. Still,
// swap and discard are about the ticket of the lookup before.
const (
	OpIdle OpKind = iota
	OpAdd
	OpGet
	OpUpdate
	OpDelete
	OpCrop
	OpRestore
	OpLookup
	OpStill
	OpSwap
	OpDiscard
	opCount
)

func (k OpKind) String() string {
	return [...]string{"idle", "add", "get", "update", "delete", "crop", "restore", "lookup", "still",
		"swap", "discard"}[k]
}

// stores: the operation brings a value.
func (k OpKind) stores() bool { return k == OpAdd || k == OpUpdate || k == OpSwap }

// ofTicket: the operation is about the ticket of the lookup before.
func (k OpKind) ofTicket() bool { return k == OpStill || k == OpSwap || k == OpDiscard }

func (x Op) String() string {
	switch {
	case x.Op == OpIdle:
		return "idle"
	case x.Op.stores():
		return fmt.Sprintf("%v(%d,%d)", x.Op, x.K, x.V)
	}
	return fmt.Sprintf("%v(%d)", x.Op, x.K)
}

// Out is what an operation returned; V is zero unless a value was found or replaced.
type Out struct {
	R Status
	V uint8
}

// hasValue: V is the value that was found, or the one that now belongs to the client.
func (x Out) hasValue() bool {
	return x.R == Found || x.R == Updated || x.R == Same || x.R == Discarded
}

// ticket is the value that a still asks for, and a swap or a discard expects: what the last lookup found.
func (x Out) ticket() uint8 {
	if x.R == Found || x.R == Same {
		return x.V
	}
	return 0
}

func (x Out) String() string {
	if x.hasValue() {
		return fmt.Sprintf("%v %d", x.R, x.V)
	}
	return x.R.String()
}
