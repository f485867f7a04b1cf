package hopscotch

import (
	"fmt"
	"strconv"

	"github.com/samecycle/samecycle/impl/region"
)

// The packed words of a descriptor. The rules at the top of words.go hold here too.

// Kind of the operation that a descriptor describes. The field of the head is full.
type Kind uint8

const (
	KindNone    Kind = iota // the descriptor is idle
	KindNew                 // an element becomes the base of its empty home cell
	KindAdd                 // an element displaces the one in its home cell, which is a base
	KindReplace             // an element takes the base; the one there is lost, or is evicted
	KindMove                // a member goes into another hole of its window
	KindDrop                // a member leaves: it is lost, or is evicted or discarded
	KindLift                // a member takes its base, whose own key is lost or discarded
	KindClear               // a base without members, whose key is lost or discarded, becomes empty
	kindCount
)

var kindNames = [kindCount]string{"none", "new", "add", "replace", "move", "drop", "lift", "clear"}

// kindSet is a set of kinds, one bit each.
type kindSet uint8

const (
	kindsOfMember kindSet = 1<<KindMove | 1<<KindDrop | 1<<KindLift   // they have a Source
	kindsAdding   kindSet = 1<<KindNew | 1<<KindAdd | 1<<KindReplace  // they bring a new element
	kindsToHole   kindSet = 1<<KindAdd | 1<<KindMove                  // they need a hole
	kindsForRoom  kindSet = kindsOfMember | 1<<KindClear              // an add installs them to make room
	kindsThatFlip kindSet = 1<<KindAdd | 1<<KindReplace | 1<<KindLift // the base gets another key
	kindsAway     kindSet = 1<<KindMove | 1<<KindDrop                 // a member leaves its place

	kindsLeaving kindSet = 1<<KindReplace | 1<<KindDrop | 1<<KindLift | 1<<KindClear // a value leaves
)

func (s kindSet) has(k Kind) bool { return s>>k&1 != 0 }

// String is the kind's name in lower case.
func (k Kind) String() string {
	if k < kindCount {
		return kindNames[k]
	}
	return "kind" + strconv.Itoa(int(k))
}

// Head is word 0 of a descriptor: which operation on which cell. It is fixed within one generation, and the
// first word that the owner writes of it. The descriptor is filled before a cell refers to it. So if a
// reader has the generation from a cell, and finds the same Head before and after its reads of the other
// words, it has read words of that generation.
//
//	bits    field
//	63      spare, zero
//	62..36  generation; the high bits that the region's references have no room for are zero
//	35..33  kind
//	32      half of the home cell
//	31..0   index of the home cell in its half
type Head uint64

const (
	headHalfShift       = 32
	headKindShift       = 33
	headGenerationShift = 36
	headUsedBits        = headGenerationShift + generationBits
)

// MakeHead packs kind and home for one generation; half is 0 or 1.
func MakeHead(g Generation, k Kind, half, home uint32) Head {
	return Head(g&generationMask)<<headGenerationShift | Head(k&7)<<headKindShift |
		Head(half&1)<<headHalfShift | Head(home)
}

// Valid reports whether the spare bits are zero.
func (h Head) Valid() bool { return h>>headUsedBits == 0 }

// Generation of the descriptor.
func (h Head) Generation() Generation { return Generation(h>>headGenerationShift) & generationMask }

// Kind of the operation.
func (h Head) Kind() Kind { return Kind(h>>headKindShift) & 7 }

// Half of the home cell, 0 or 1.
func (h Head) Half() uint32 { return uint32(h>>headHalfShift) & 1 }

// Home is the index of the home cell in its half. Compare with the geometry before use.
func (h Head) Home() uint32 { return uint32(h) }

// String prints all fields.
func (h Head) String() string {
	s := fmt.Sprintf("%v gen=%d home=%d.%d", h.Kind(), h.Generation(), h.Half(), h.Home())
	if !h.Valid() {
		s = "? " + s
	}
	return s
}

// Pair is word 1 of a descriptor: the new element, or the member that a move, a drop or a lift is
// about. A clear has none; its owner leaves the word as it was, and nobody reads it.
//
//	bits    field
//	63..32  key
//	31..0   value
type Pair uint64

// MakePair packs an element.
func MakePair(k Key, v Value) Pair { return Pair(k)<<keyShift | Pair(v) }

// Key of the element.
func (p Pair) Key() Key { return Key(p >> keyShift) }

// Value of the element.
func (p Pair) Value() Value { return Value(p) }

// String prints both.
func (p Pair) String() string { return fmt.Sprintf("key=%v value=%v", p.Key(), p.Value()) }

// Plan is word 2 of a descriptor: the base that the operation found in the home cell. A new base
// found none; its owner leaves the word as it was, and nobody reads it.
//
//	bits    field
//	63..32  k0, the key of the base, or KeyLost
//	31..0   membership map of its bucket; bit 0 zero
type Plan uint64

// MakePlan remembers the key and map of the base B(k0,m).
func MakePlan(k0 Key, m Map) Plan { return Plan(k0)<<keyShift | Plan(m) }

// Key that the base had.
func (p Plan) Key() Key { return Key(p >> keyShift) }

// Map that the base had.
func (p Plan) Map() Map { return Map(p) &^ 1 }

// String prints both fields.
func (p Plan) String() string { return fmt.Sprintf("key=%v map=%v", p.Key(), p.Map()) }

// Valid reports whether an operation of kind k may have p. A new base has zero. The others have a key, which
// may be KeyLost; for a clear this base has no members.
func (p Plan) Valid(k Kind) bool {
	switch {
	case k == KindNone || k == KindNew:
		return p == 0
	case p.Key() == KeyNone || p&1 != 0:
		return false
	case k == KindClear:
		return p.Map() == 0
	}
	return true
}

// Owner is word 5 of a descriptor: the actor that owns it. Zero is nobody.
//
//	bits    field
//	63..32  attachment of the owner's process (region.Process); zero on the heap
//	31..0   number of the actor, by which a person knows it again; not 0
type Owner uint64

const ownerProcessShift = 32

// MakeOwner packs an actor's number and its process.
func MakeOwner(number uint32, p region.Process) Owner {
	return Owner(p)<<ownerProcessShift | Owner(number)
}

// Valid reports whether it is nobody, or has a number.
func (w Owner) Valid() bool { return w == 0 || w.Number() != 0 }

// Number of the actor.
func (w Owner) Number() uint32 { return uint32(w) }

// Process of the actor.
func (w Owner) Process() region.Process { return region.Process(w >> ownerProcessShift) }

// String prints both, or nobody.
func (w Owner) String() string {
	if w == 0 {
		return "nobody"
	}
	s := fmt.Sprintf("owner %d", w.Number())
	if w.Process() != 0 {
		s += fmt.Sprintf(" in process %v", w.Process())
	}
	if !w.Valid() {
		s = "? " + s
	}
	return s
}

// Source is word 6 of a descriptor: the member that a move, a drop or a lift is about. The other
// kinds leave the word as it was, and nobody reads it.
//
//	bits    field
//	63..58  spare, zero
//	57..53  offset of the member from the home cell, 1..31
//	52..29  low 24 bits of the generation in the member's Word0
//	28..0   version in its Word1
type Source uint64

const (
	sourceGenerationShift = versionBits
	sourceOffsetShift     = sourceGenerationShift + memberVersionBits
	sourceUsedBits        = sourceOffsetShift + offsetBits
)

// MakeSource packs where a member is, the generation of its Word0 and the version of its Word1.
func MakeSource(offset uint32, g, n Version) Source {
	return Source(offset&offsetMask)<<sourceOffsetShift |
		Source(g&memberVersionMask)<<sourceGenerationShift | Source(n&versionMask)
}

// Valid reports whether the spare bits are zero and there is an offset.
func (s Source) Valid() bool { return s>>sourceUsedBits == 0 && s.Offset() != 0 }

// Offset of the member from the home cell, 1..31.
func (s Source) Offset() uint32 { return uint32(s>>sourceOffsetShift) & offsetMask }

// Generation of the member's Word0, its low 24 bits.
func (s Source) Generation() Version { return Version(s>>sourceGenerationShift) & memberVersionMask }

// Version of the member's Word1.
func (s Source) Version() Version { return Version(s) & versionMask }

// String prints offset/generation and version: +3/5 n=7.
func (s Source) String() string {
	text := fmt.Sprintf("+%d/%d n=%d", s.Offset(), s.Generation(), s.Version())
	if !s.Valid() {
		text = "? " + text
	}
	return text
}

// Status is the decision on an operation. It leaves StatusUndecided at most once a generation.
type Status uint8

const (
	StatusUndecided Status = iota // anybody may decide
	StatusCommitted               // the operation takes effect
	StatusAborted                 // another operation holds the key: undo
	StatusFull                    // no hole in the window: undo
)

// String is the status's name in lower case.
func (s Status) String() string {
	return [4]string{"undecided", "committed", "aborted", "full"}[s&3]
}

// Target is word 4 of a descriptor: the decision, and the hole for the element that moves. It is
// changed by compare-and-swap only; its generation makes a late helper's attempt fail.
//
//	bits    field
//	63..37  generation of the descriptor, as in the head
//	36..35  status
//	34      has: a hole is proposed
//	33..29  offset of the hole from the home cell, 1..31; zero without has
//	28..0   generation of the empty cell there; zero without has
type Target uint64

const (
	targetOffsetShift     = versionBits
	targetHasShift        = 34
	targetStatusShift     = 35
	targetGenerationShift = 37
	targetHoleMask        = 1<<(targetHasShift+1) - 1
	targetStatusMask      = 3 << targetStatusShift
)

// MakeTarget is the first Target of a generation: undecided, no hole.
func MakeTarget(g Generation) Target {
	return Target(g&generationMask) << targetGenerationShift
}

// Valid reports whether the hole is present or absent as a whole. There are no spare bits.
func (t Target) Valid() bool {
	return t.Has() == (t.Offset() != 0) && (t.Has() || t.Version() == 0)
}

// Generation of the descriptor.
func (t Target) Generation() Generation { return Generation(t >> targetGenerationShift) }

// Status of the operation.
func (t Target) Status() Status { return Status(t>>targetStatusShift) & 3 }

// Has reports whether a hole is proposed.
func (t Target) Has() bool { return t>>targetHasShift&1 != 0 }

// Offset of the hole from the home cell, 1..31; defined with Has.
func (t Target) Offset() uint32 { return uint32(t>>targetOffsetShift) & offsetMask }

// Version is the generation of the empty cell that the hole was; defined with Has.
func (t Target) Version() Version { return Version(t) & versionMask }

// Decide is t with another status.
func (t Target) Decide(s Status) Target {
	return t&^targetStatusMask | Target(s&3)<<targetStatusShift
}

// Propose is t with the hole at offset (1..31), an empty cell of generation g.
func (t Target) Propose(offset uint32, g Version) Target {
	return t&^targetHoleMask | 1<<targetHasShift |
		Target(offset&offsetMask)<<targetOffsetShift | Target(g&versionMask)
}

// Withdraw is t without a hole.
func (t Target) Withdraw() Target { return t &^ targetHoleMask }

// String prints all fields, the hole as offset/generation.
func (t Target) String() string {
	s := fmt.Sprintf("%v gen=%d", t.Status(), t.Generation())
	if t.Has() {
		s += fmt.Sprintf(" hole=+%d/%d", t.Offset(), t.Version())
	}
	if !t.Valid() {
		s = "? " + s
	}
	return s
}

// DescriptorText is the text of a word of a descriptor, by its index: DescriptorHead and so on. A word of
// another index is its Raw.
func DescriptorText(index int, word uint64) string {
	switch index {
	case DescriptorHead:
		return Head(word).String()
	case DescriptorPair:
		return Pair(word).String()
	case DescriptorPlan:
		return Plan(word).String()
	case DescriptorExpect:
		return Word1(word).String()
	case DescriptorTarget:
		return Target(word).String()
	case DescriptorOwner:
		return Owner(word).String()
	case DescriptorSource:
		return Source(word).String()
	}
	return Raw(word).String()
}
