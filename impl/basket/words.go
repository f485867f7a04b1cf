package basket

import "fmt"

// Only this file knows the meaning of each bit. Every packed word has a type, a layout table above the type,
// a constructor that masks what it packs, and pure accessors that are defined for every bit pattern.

// State of a basket.
type State uint8

const (
	StateFree     State = iota // no owner and no records
	StateOpen                  // its owner appends to it
	StateSealed                // full, or given up; any writer may retire it
	StateRetiring              // its owner walks over it, until the index has none of its records
)

// String is the name in lower case.
func (s State) String() string {
	return [...]string{"free", "open", "sealed", "retiring"}[s&stateMask]
}

// Head is the first word of a basket in SectionHeads. Zero is free, in its first life.
//
//	bits    field
//	63..33  sequence: drawn when the basket was opened, the age of its records; compared circularly
//	32..30  tier of its records; 0 is the top one
//	29..14  generation: how often it was freed, modulo 2^16
//	13..2   owner: entry of the writer plus one; 0 for nobody
//	1..0    State
type Head uint64

const (
	stateMask       = 3
	ownerShift      = 2
	ownerMask       = 1<<12 - 1
	generationShift = 14
	generationMask  = 1<<16 - 1
	tierShift       = 30
	tierMask        = TiersMax - 1
	sequenceShift   = 33
	sequenceBits    = 31
	sequenceMask    = 1<<sequenceBits - 1
)

// MakeHead packs a head in the top tier.
func MakeHead(s State, owner, generation uint32, sequence uint64) Head {
	return Head(s&stateMask) | Head(owner&ownerMask)<<ownerShift |
		Head(generation&generationMask)<<generationShift | Head(sequence&sequenceMask)<<sequenceShift
}

// State of the basket.
func (h Head) State() State { return State(h & stateMask) }

// Owner is the entry of the writer that owns it, plus one; 0 for nobody.
func (h Head) Owner() uint32 { return uint32(h>>ownerShift) & ownerMask }

// Generation counts its lives, modulo 2^16.
func (h Head) Generation() uint32 { return uint32(h>>generationShift) & generationMask }

// Tier is the tier of the records; 0 is the top one.
func (h Head) Tier() uint32 { return uint32(h>>tierShift) & tierMask }

// In returns the head with that tier.
func (h Head) In(tier uint32) Head {
	return h&^(tierMask<<tierShift) | Head(tier&tierMask)<<tierShift
}

// Sequence is the age, modulo 2^31.
func (h Head) Sequence() uint64 { return uint64(h >> sequenceShift) }

// Valid reports whether the head has an owner exactly if its state needs one.
func (h Head) Valid() bool {
	return (h.Owner() != 0) == (h.State() == StateOpen || h.State() == StateRetiring)
}

// opened is the head of a free basket after the owner has opened it in a tier with that number.
func (h Head) opened(owner uint32, sequence uint64, tier uint32) Head {
	return MakeHead(StateOpen, owner, h.Generation(), sequence).In(tier)
}

// sealed is the head without its owner.
func (h Head) sealed() Head {
	return MakeHead(StateSealed, 0, h.Generation(), h.Sequence()).In(h.Tier())
}

// aged is the head of a sealed basket after it went one tier down.
func (h Head) aged() Head { return h.In(h.Tier() + 1) }

// taken is the head of a basket after the owner has claimed it to retire it.
func (h Head) taken(owner uint32, sequence uint64) Head {
	return MakeHead(StateRetiring, owner, h.Generation(), sequence).In(h.Tier())
}

// renumbered is the head without its owner, as the youngest of its tier.
func (h Head) renumbered(sequence uint64) Head {
	return MakeHead(StateSealed, 0, h.Generation(), sequence).In(h.Tier())
}

// freed is the head in the next life of the basket.
func (h Head) freed() Head { return MakeHead(StateFree, 0, h.Generation()+1, 0) }

// olderThan compares the sequence numbers circularly.
func (h Head) olderThan(other Head) bool {
	return int64((h.Sequence()-other.Sequence())<<(64-sequenceBits)) < 0
}

// String prints the fields.
func (h Head) String() string {
	text := fmt.Sprintf("%v generation %d", h.State(), h.Generation())
	if h.State() != StateFree {
		text += fmt.Sprintf(" sequence %d", h.Sequence())
	}
	if h.Tier() != 0 {
		text += fmt.Sprintf(" tier %d", h.Tier())
	}
	if h.Owner() != 0 {
		text += fmt.Sprintf(" writer %d", h.Owner()-1)
	}
	if !h.Valid() {
		text = "? " + text
	}
	return text
}

// Hint is the second word of a basket in SectionHeads: how much of the basket is live. It is a hint: the
// index decides what is live. The generation is that of the life that is counted, so a late writer does not
// lower the count of the next life.
//
//	bits    field
//	63..48  generation
//	47..24  units of records that the index has had
//	23..0   units of those that it has
type Hint uint64

const (
	hintShift = 48
	usedShift = 24
	unitsMask = 1<<usedShift - 1 // a basket has 2^23 units at most
)

// MakeHint packs a hint.
func MakeHint(generation, used, live uint32) Hint {
	return Hint(generation&generationMask)<<hintShift | Hint(used&unitsMask)<<usedShift |
		Hint(live&unitsMask)
}

// Generation of the basket that is counted.
func (h Hint) Generation() uint32 { return uint32(h >> hintShift) }

// Used is the number of units that the index has had.
func (h Hint) Used() uint32 { return uint32(h>>usedShift) & unitsMask }

// Live is the number of units that the index has.
func (h Hint) Live() uint32 { return uint32(h) & unitsMask }

// Dead is the number of units that the index no longer has.
func (h Hint) Dead() uint32 { return h.Used() - min(h.Used(), h.Live()) }

// lower is the hint after so many units have died.
func (h Hint) lower(units uint32) Hint { return h - Hint(min(units, h.Live())) }

// SizeWord is word 0 of a record, written last. Zero ends the records of a basket.
//
//	bits    field
//	63..32  hash: the key under which the index has the record
//	31..0   size of the record in units, its words included
type SizeWord uint64

// MakeSizeWord packs it.
func MakeSizeWord(hash, units uint32) SizeWord { return SizeWord(hash)<<32 | SizeWord(units) }

// Hash is the key under which the index has the record.
func (w SizeWord) Hash() uint32 { return uint32(w >> 32) }

// Units of the record.
func (w SizeWord) Units() uint32 { return uint32(w) }

// KeyWord is word 1 of a record.
//
//	bits    field
//	63..32  ref of the next record of the chain, 0 for none
//	31..16  length of the key in bytes
//	15..3   flags
//	2..0    bytes between the end of the value and that of the record
type KeyWord uint64

// Flag is a property of a record.
type Flag uint16

const (
	// FlagExpires says that word 2 is the instant at which the record expires.
	FlagExpires Flag = 1 << iota
	// FlagSuspect says that the key is asked for too often. The store keeps this flag and returns it
	// (Meta.Suspect).
	FlagSuspect

	flagMask = 1<<13 - 1
)

// MakeKeyWord packs it.
func MakeKeyWord(next Ref, key uint32, flags Flag, padding uint32) KeyWord {
	return KeyWord(next)<<32 | KeyWord(key&0xFFFF)<<16 | KeyWord(flags&flagMask)<<3 | KeyWord(padding&7)
}

// Next is the next record of the chain.
func (w KeyWord) Next() Ref { return Ref(w >> 32) }

// Key is the length of the key.
func (w KeyWord) Key() uint32 { return uint32(w>>16) & 0xFFFF }

// Flags of the record.
func (w KeyWord) Flags() Flag { return Flag(w>>3) & flagMask }

// Padding is the number of bytes behind the value.
func (w KeyWord) Padding() uint32 { return uint32(w) & 7 }

// before is the word with another next record.
func (w KeyWord) before(next Ref) KeyWord { return w&(1<<32-1) | KeyWord(next)<<32 }

// marked is the word with FlagSuspect, or without it.
func (w KeyWord) marked(suspect bool) KeyWord {
	if suspect {
		return w | KeyWord(FlagSuspect)<<3
	}
	return w &^ (KeyWord(FlagSuspect) << 3)
}

// words is the number of words of the record before its key.
func (w KeyWord) words() uint32 {
	if w.Flags()&FlagExpires != 0 {
		return headWords + 1
	}
	return headWords
}

// headWords is the number of words that every record has.
const headWords = 2

// Ref names a record: one more than the unit of SectionRecords at which it begins. 0 is none.
type Ref uint32

// refOf is the ref of the record at that unit of the store.
func refOf(unit uint32) Ref { return Ref(unit + 1) }

// unit is where the record begins. The ref must not be 0.
func (r Ref) unit() uint32 { return uint32(r) - 1 }
