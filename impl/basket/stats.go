package basket

// Stats describes a store at about one moment. In a store in use, the numbers are from different moments.
// FreeBytes + LiveBytes + DeadBytes = Bytes.
type Stats struct {
	Baskets                      int // all
	Free, Open, Sealed, Retiring int // number in each state
	Writers                      int // entries that are taken
	Bytes                        uint64
	FreeBytes                    uint64 // in free baskets
	LiveBytes                    uint64 // by the hints; they may be off by some records after a death
	DeadBytes                    uint64 // the rest: dead records, and room behind the last one of a basket

	Policy string      // decides which records leave
	Tiers  []TierStats // from the top one down
}

// TierStats describes one tier.
type TierStats struct {
	Baskets   int // number that are not free
	LiveBytes uint64
	DeadBytes uint64
	Oldest    uint64 // when the first of its baskets was opened, in milliseconds since 1970; 0 if unknown
	Youngest  uint64 // when the last one was opened
}

// Stats looks at all heads. Progress: wait-free.
func (s *Store) Stats() Stats {
	x := Stats{Baskets: len(s.baskets), Bytes: uint64(len(s.records)) * UnitBytes}
	x.Policy, x.Tiers = s.layout.policy().String(), make([]TierStats, s.layout.tiers())
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
		live := uint64(min(s.hintOf(uint32(i), h).Live(), s.units)) * UnitBytes
		x.LiveBytes += live
		t := &x.Tiers[min(int(h.Tier()), len(x.Tiers)-1)]
		t.Baskets++
		t.LiveBytes += live
		t.DeadBytes += uint64(s.layout.BasketBytes) - live
		if at := s.timeRead(uint32(i)); at != 0 {
			if t.Oldest == 0 || at < t.Oldest {
				t.Oldest = at
			}
			t.Youngest = max(t.Youngest, at)
		}
	}
	x.DeadBytes = x.Bytes - x.FreeBytes - x.LiveBytes
	return x
}

// TierAt returns the tier of the record of that ref, or 0 for a number that is not a ref. Progress:
// wait-free.
func (s *Store) TierAt(ref uint32) int {
	unit := Ref(ref).unit()
	if uint64(unit) >= uint64(len(s.records)) {
		return 0
	}
	return min(int(s.tierOf(unit)), int(s.layout.tiers())-1)
}
