package basket

import "iter"

// Info describes a basket at about one moment.
type Info struct {
	State      State
	Tier       uint32 // of its records; 0 is the top one, and what a free basket has
	Writer     uint32 // number of the entry of the writer that fills it or walks over it, plus one; 0: nobody
	Generation uint32 // how often it was freed, modulo 2^16
	Opened     uint64 // when, in milliseconds since 1970; 0 if unknown
	Age        uint64 // number of baskets that were opened or given back after it; 0 if free
	LiveBytes  uint64 // by the hint; it may be off by some records after a death
	DeadBytes  uint64 // the rest of a basket that is not free
}

// All yields the baskets in the order of their places. Progress: wait-free. It does not write.
func (s *Store) All() iter.Seq[Info] {
	return func(yield func(Info) bool) {
		for i := range s.baskets {
			if !yield(s.info(uint32(i))) {
				return
			}
		}
	}
}

// info is basket b. Its head is read ahead of the last number, so that no age is negative.
func (s *Store) info(b uint32) Info {
	head := s.baskets[b].roomLook()
	x := Info{State: head.State(), Writer: head.Owner(), Generation: head.Generation()}
	if x.State == StateFree {
		return x
	}
	x.Tier, x.Opened = head.Tier(), s.timeRead(b)
	x.Age = (s.common.sequenceRead() - head.Sequence()) & sequenceMask
	x.LiveBytes = uint64(min(s.hintOf(b, head).Live(), s.units)) * UnitBytes
	x.DeadBytes = uint64(s.layout.BasketBytes) - x.LiveBytes
	return x
}
