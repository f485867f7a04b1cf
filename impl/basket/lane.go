package basket

// lane is the open basket of a writer for one tier.
type lane struct {
	tier    uint32
	open    uint32 // basket that it appends to
	head    Head   // of it
	pos     uint32 // unit of it at which the next record begins
	halfway bool   // the basket is half full, and this has led to another look at the room
}

// makeLanes makes the lanes of the policy. None of them has a basket yet.
func (w *Writer) makeLanes(n uint32) {
	w.lanes = make([]lane, n)
	for i := range w.lanes {
		w.lanes[i] = lane{tier: uint32(i), open: none}
	}
	w.lane = &w.lanes[0]
}

// fullest returns the lane that needs a free basket next: the one whose basket has the least room.
func (w *Writer) fullest() *lane {
	x := &w.lanes[0]
	for i := range w.lanes {
		if w.lanes[i].pos > x.pos {
			x = &w.lanes[i]
		}
	}
	return x
}

// into returns the lane for a tier. Tiers below the last lane use the last lane.
func (w *Writer) into(tier uint32) *lane { return &w.lanes[min(tier, uint32(len(w.lanes))-1)] }

// tierOf is the tier of the record at that unit.
func (s *Store) tierOf(unit uint32) uint32 { return s.baskets[s.basketOf(unit)].roomLook().Tier() }

// laneOf chooses the lane for a change of what a Find has found. A key that is there stays in its tier; for
// any other key the policy decides. The new record has so many units.
func (w *Writer) laneOf(f Found, units uint32) {
	switch {
	case len(w.lanes) == 1:
	case f.state == there:
		w.lane = w.into(w.store.tierOf(w.found.links[w.found.at].unit))
	default:
		w.lane = w.into(w.order.Enters(w.found.hash, units))
	}
}

// rivals are the records of the oldest basket of a tier, with which others are compared.
type rivals struct {
	basket uint32
	at     uint32 // unit of the next one
}

// rival returns the next record of the oldest basket of a tier that the last look has seen: see
// Candidate.Rival.
func (w *Writer) rival(tier uint32) (hash uint32, uses int, ok bool) {
	if tier >= TiersMax || w.rivals[tier].basket == none {
		return 0, 0, false
	}
	x := &w.rivals[tier]
	for range 2 { // after its last record, start again at the first one
		unit := x.basket*w.store.units + x.at
		if x.at < w.store.units {
			if size := w.store.rivalRead(unit); size != 0 && w.store.fits(unit, size.Units()) {
				x.at += size.Units()
				return size.Hash(), w.store.touches(unit).uses(), true
			}
		}
		x.at = 0
	}
	return 0, 0, false
}

// rivalRead loads a size word. If the basket has its next life by now, the word is that of another record.
func (s *Store) rivalRead(unit uint32) SizeWord { return SizeWord(s.records[unit].bits.Load()) }
