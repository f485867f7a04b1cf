package basket

// Stats is what a store has at about one moment: of one in use the numbers are of different moments.
// FreeBytes + LiveBytes + DeadBytes = Bytes.
type Stats struct {
	Baskets                      int // all
	Free, Open, Sealed, Retiring int // so many in each state
	Writers                      int // entries that are taken
	Bytes                        uint64
	FreeBytes                    uint64 // in free baskets
	LiveBytes                    uint64 // by the hints; they may be off by some records after a death
	DeadBytes                    uint64 // the rest: dead records, and room behind the last one of a basket
}

// Stats looks at all heads. Progress: wait-free.
func (s *Store) Stats() Stats {
	x := Stats{Baskets: len(s.baskets), Bytes: uint64(len(s.records)) * UnitBytes}
	for i := range s.entries {
		if s.entries[i].ownerRead() != 0 {
			x.Writers++
		}
	}
	for i := range s.baskets {
		h := s.baskets[i].roomLook()
		switch h.State() {
		case StateFree:
			x.Free++
			x.FreeBytes += uint64(s.layout.BasketBytes)
			continue
		case StateOpen:
			x.Open++
		case StateSealed:
			x.Sealed++
		case StateRetiring:
			x.Retiring++
		}
		x.LiveBytes += uint64(min(s.hintOf(uint32(i), h).Live(), s.units)) * UnitBytes
	}
	x.DeadBytes = x.Bytes - x.FreeBytes - x.LiveBytes
	return x
}
