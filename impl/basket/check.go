package basket

import (
	"fmt"
	"iter"
)

// Finding is a state of a store at rest that no step of the protocol can leave there.
type Finding struct {
	Property string // of the specification: B1NoneFreed, B2Whole, B3KeyOnce, B4Walkable, B6Owned
	Text     string // the place and the fault
}

// String is one line.
func (f Finding) String() string { return f.Property + ": " + f.Text }

// Findings is what a check has found, and its exact counts.
type Findings struct {
	All       []Finding
	Records   int    // that the index leads to
	LiveBytes uint64 // of them
	// HintedBytes is the sum of the hints for them. After a death between a swap and its count it differs
	// from LiveBytes, which is not a fault.
	HintedBytes uint64
}

// findingsMost bounds the list. A store that is damaged everywhere needs no more lines.
const findingsMost = 1000

func (f *Findings) add(property, format string, args ...any) {
	if len(f.All) < findingsMost {
		f.All = append(f.All, Finding{property, fmt.Sprintf(format, args...)})
	}
}

// Check examines a store at rest: the caller makes sure that nobody changes it, or the index, during the
// call. index yields all hashes and refs in the index. hands yields the refs that the index has handed over
// and that nobody has copied (Index.Handed); it is nil if there are none.
//
// Check judges the properties of the specification that concern memory: B1NoneFreed, B2Whole, B3KeyOnce,
// B4Walkable and B6Owned. It judges B5ThisLife only for free baskets. B7 and B8 concern answers and changes.
func (s *Store) Check(index iter.Seq2[uint32, uint32], hands iter.Seq[uint32]) Findings {
	var f Findings
	walkable := s.checkBaskets(&f)
	live := make([]uint64, len(s.baskets))
	seen := map[Ref]bool{}
	for hash, ref := range index {
		s.checkChain(&f, hash, Ref(ref), func(r record) {
			at := refOf(r.unit)
			b := s.basketOf(r.unit)
			switch {
			case seen[at]:
				f.add("B3KeyOnce", "the record at ref %d is in two chains; one is of hash %#x", at, hash)
			case !walkable[at]:
				f.add("B4Walkable", "the record at ref %d of hash %#x is in no walk over basket %d", at, hash,
					b)
			}
			seen[at] = true
			f.Records++
			live[b] += uint64(r.size.Units())
		})
	}
	if hands != nil {
		for ref := range hands {
			hash := uint32(0)
			if unit := Ref(ref).unit(); uint64(unit) < uint64(len(s.records)) {
				hash = s.copySize(unit).Hash()
			}
			s.checkChain(&f, hash, Ref(ref), func(record) {})
		}
	}
	for b := range s.baskets {
		f.LiveBytes += live[b] * UnitBytes
	}
	f.HintedBytes = s.Stats().LiveBytes
	return f
}

// checkChain follows a chain.
func (s *Store) checkChain(f *Findings, hash uint32, ref Ref, visit func(record)) {
	keys := map[string]bool{}
	for n := 0; ref != 0; n++ {
		r, sound := s.look(ref, hash)
		switch {
		case n == ChainMax:
			f.add("B2Whole", "the chain of hash %#x has more than %d records", hash, ChainMax)
			return
		case !sound:
			f.add("B2Whole", "ref %d in the chain of hash %#x leads to no record of that hash", ref, hash)
			return
		}
		b := s.basketOf(r.unit)
		if h := s.baskets[b].roomLook(); h.State() == StateFree {
			f.add("B1NoneFreed", "ref %d of hash %#x leads into basket %d, which is %v", ref, hash, b, h)
		}
		key := string(s.keyOf(r))
		if keys[key] {
			f.add("B3KeyOnce", "the chain of hash %#x has the key %q twice", hash, key)
		}
		keys[key] = true
		visit(r)
		ref = r.word.Next()
	}
}

// keyOf is a copy of the key.
func (s *Store) keyOf(r record) []byte {
	key := make([]byte, r.word.Key())
	s.copyBytes(r.keyAt(), key)
	return key
}

// checkBaskets examines the heads and walks over the baskets. It returns the refs of all records that the
// walks pass.
func (s *Store) checkBaskets(f *Findings) map[Ref]bool {
	walkable := map[Ref]bool{}
	next := s.common.sequenceRead()
	type holding struct {
		owner, tier uint32 // the tier of an open basket, of which a writer has one for each
		state       State
	}
	holds := map[holding]int{}
	sequences := map[uint64]int{}
	for b := range s.baskets {
		h := s.baskets[b].roomLook()
		x := holding{owner: h.Owner(), state: h.State()}
		if x.state == StateOpen {
			x.tier = h.Tier()
		}
		holds[x]++
		switch {
		case !h.Valid() || h.Owner() > uint32(len(s.entries)) || h.Tier() >= s.layout.tiers() ||
			x.state == StateFree && h.Tier() != 0:
			f.add("B6Owned", "the head of basket %d is %v, which no step writes", b, h)
		case h.Owner() != 0 && s.entries[h.Owner()-1].ownerRead() == 0:
			f.add("B6Owned", "basket %d is %v, and nobody has that entry", b, h)
		case x.owner != 0 && holds[x] > 1:
			f.add("B6Owned", "basket %d is %v, and that writer has another one in this state", b, h)
		}
		if h.State() != StateFree {
			if other, ok := sequences[h.Sequence()]; ok {
				f.add("B6Owned", "baskets %d and %d have the number %d", other, b, h.Sequence())
			}
			sequences[h.Sequence()] = b
			if (Head(next) << sequenceShift).olderThan(h) {
				f.add("B6Owned", "basket %d is %v, and the next number is %d", b, h, next)
			}
		}
		s.checkWalk(f, b, h, walkable)
	}
	return walkable
}

// checkWalk walks over a basket.
func (s *Store) checkWalk(f *Findings, b int, h Head, walkable map[Ref]bool) {
	first := uint32(b) * s.units
	for at := uint32(0); at < s.units; {
		size := s.walkSize(first + at)
		if size == 0 {
			return
		}
		if h.State() == StateFree {
			f.add("B5ThisLife", "basket %d is %v, and has a record", b, h)
			return
		}
		r, sound := s.look(refOf(first+at), size.Hash())
		if !sound {
			f.add("B4Walkable", "unit %d of basket %d, where a record should begin, is %#016x", at, b, size)
			return
		}
		walkable[refOf(r.unit)] = true
		at += size.Units()
	}
}
