package basket

import (
	"errors"
	"fmt"
)

// This file has the life of a basket: opened, sealed, claimed to be retired, taken over from the dead. Each
// change of state is one compare-and-swap of its head. There is no queue and no list: a writer that needs a
// basket looks at all heads.

// roomLooks bounds how many heads a call looks at when no basket is available, because all others are open
// or retiring and their owners are alive.
const roomLooks = 1 << 22

// roomLook loads the head of a basket.
func (b *basketWords) roomLook() Head { return Head(b.head.Load()) }

// roomNumber draws a sequence number for a basket. The numbers give the order of age.
func (c *common) roomNumber() uint64 { return c.sequence.Add(1) }

// sequenceRead is the number that was drawn last.
func (c *common) sequenceRead() uint64 { return c.sequence.Load() }

// roomOpen takes a free basket. Expected: the head of a free basket, whose generation only this life has.
func (b *basketWords) roomOpen(old, new Head) bool {
	return b.head.CompareAndSwap(uint64(old), uint64(new))
}

// roomSeal gives up an open basket. Expected: a head that names its owner, with a number that no other
// opening has.
func (b *basketWords) roomSeal(old, new Head) bool {
	return b.head.CompareAndSwap(uint64(old), uint64(new))
}

// roomTake claims a sealed basket, or one that a dead owner has left, to retire it. Expected: its head, with
// the number of this claim.
func (b *basketWords) roomTake(old, new Head) bool {
	return b.head.CompareAndSwap(uint64(old), uint64(new))
}

// roomSettle finishes what dead owners have installed in the index, before any walk over their baskets. It
// tells the records that leave by that.
func (w *Writer) roomSettle() error {
	err := w.index.Settle(w.taken)
	w.walkTell()
	return err
}

// choice is the best basket that a look has seen.
type choice struct {
	basket uint32
	head   Head
	rank   rank
}

// rank is the kind of a basket for a writer that looks for room; less is better.
type rank uint8

const (
	rankFree rank = iota
	rankLeftRetiring
	rankLeftOpen
	rankSealed
	rankNone
)

// better reports whether x comes before y.
func (x choice) better(y choice) bool {
	return x.rank < y.rank || x.rank == rankSealed && y.rank == rankSealed && x.head.olderThan(y.head)
}

// sight is what a look over the heads has seen.
type sight struct {
	frees  int    // number of free baskets
	free   choice // the first free basket
	best   choice // the best of the others: one that the dead have left, or the oldest
	sparse choice // of the baskets worth compacting, the one with the fewest live units
	gain   uint32 // units that compacting sparse would gain; 0 without one
	moves  uint32 // live units of sparse
	live   uint64 // live units of all baskets that were looked at
	opens  int    // baskets that other writers have open

	tiers  [TiersMax]TierOf
	oldest [TiersMax]choice // the oldest sealed basket of each tier
}

// look examines one head after the other, until it has seen enough free baskets. It also looks for baskets
// that the dead have left, and otherwise for the oldest sealed basket.
func (w *Writer) look(enough int) (seen sight, err error) {
	seen.best = choice{none, 0, rankNone}
	for t := range seen.oldest {
		seen.oldest[t] = choice{none, 0, rankNone}
	}
	n := w.store.layout.Baskets
	for i := uint32(0); i < n && seen.frees < enough; i++ {
		b := w.cursor + i
		if b >= n {
			b -= n
		}
		x := choice{b, w.store.baskets[b].roomLook(), rankNone}
		if x.rank, err = w.rank(x.head); err != nil {
			return seen, err
		}
		if x.rank == rankFree {
			if seen.frees++; seen.frees == 1 {
				seen.free = x
			}
			continue
		}
		if x.head.State() == StateOpen && x.head.Owner() != w.number {
			seen.opens++
		}
		tier := x.head.Tier()
		seen.tiers[tier].Baskets++
		if b == w.passed {
			continue
		}
		if x.rank == rankSealed {
			w.renew(&seen, tier, x)
		}
		if x.better(seen.best) {
			seen.best = x
		}
		hint := w.store.hintOf(b, x.head)
		gain := w.gain(hint)
		seen.live += uint64(hint.Live())
		if x.rank == rankSealed && w.pays(gain) && (seen.gain == 0 || hint.Live() < seen.moves) {
			seen.sparse, seen.gain, seen.moves = x, gain, hint.Live()
		}
	}
	return seen, nil
}

// hintOf is the hint of a basket with that head, within bounds. If the hint is of another life, the whole
// basket counts as live.
func (s *Store) hintOf(b uint32, head Head) Hint {
	if h := s.baskets[b].hintRead(); h.Generation() == head.Generation() && h.Used() <= s.units {
		return h
	}
	return MakeHint(head.Generation(), s.units, s.units)
}

// gain is the number of units that are gained by compacting a basket with that hint: its dead units. The
// room behind the last record counts as neither dead nor live, because records of one size leave as much
// room behind them in any basket. That room counts only if a writer has ended long before the basket was
// full, so that all its live records fit into the open basket. Otherwise programs that start and end would
// push out the entries of others. It counts only for Tend, whose callers bound the work: a Replace must not
// go on moving the chain that it is about to change.
func (w *Writer) gain(hint Hint) uint32 {
	if live := min(hint.Live(), w.store.units); w.tends && live < w.store.units/2 && live <= w.left() {
		return w.store.units - live
	}
	return hint.Dead()
}

// pays reports whether a basket is worth compacting if that gains so many units.
func (w *Writer) pays(gain uint32) bool { return uint64(gain)*100 > uint64(w.store.units)*w.least }

// slack is the number of units that are still free beside all live records, before entries have to leave. It
// is 0 if entries have to leave.
func (w *Writer) slack(seen *sight) uint64 {
	most := uint64(len(w.store.records)) * w.living
	if w.reserve == 0 || seen.live*100 >= most {
		return 0
	}
	return (most - seen.live*100 + 99) / 100
}

// compacts reports whether room should be made by moving the live records of one basket.
func (w *Writer) compacts(seen *sight) bool { return seen.gain > 0 && w.slack(seen) > 0 }

// wants is the number of baskets that should be free. While compaction makes room, there is one more for
// each basket that another writer has open, and one for a writer that starts. Otherwise a writer whose own
// basket is full, or that has none yet, could find no basket to move live records to. The additional baskets
// are at most half of the slack.
func (w *Writer) wants(seen *sight) int {
	if !w.compacts(seen) {
		return w.reserve
	}
	return w.reserve + min(seen.opens+1, int(w.slack(seen)/uint64(w.store.units)/2))
}

// victim returns the basket that retires next, and whether its live records are moved. While there is room
// for all live records, only dead records make room, and no entry leaves: a program that overwrites a few
// keys again and again must not push the others out. See Tuning. In that case a basket that a dead owner was
// retiring is given back, and becomes a sealed basket as others are, because the dead owner may have been
// about to move its live records.
func (w *Writer) victim(seen *sight) (x choice, moves bool) {
	switch left := seen.best.rank; {
	case left == rankSealed && w.compacts(seen):
		return seen.sparse, true
	case left != rankSealed:
		return seen.best, left == rankLeftRetiring && w.slack(seen) > 0
	}
	for t := range w.rivals {
		if x := seen.oldest[t]; x.rank == rankSealed && x.basket != w.rivals[t].basket {
			w.rivals[t] = rivals{basket: x.basket}
		}
	}
	tier := w.order.Retires(w.balance(seen)) % TiersMax
	for t := TiersMax - 1; seen.oldest[tier].rank != rankSealed && t >= 0; t-- {
		tier = uint32(t)
	}
	return seen.oldest[tier], false
}

// rank judges a head.
func (w *Writer) rank(h Head) (rank, error) {
	switch h.State() {
	case StateFree:
		return rankFree, nil
	case StateSealed:
		return rankSealed, nil
	}
	left, err := w.abandoned(h.Owner())
	switch {
	case err != nil || !left:
		return rankNone, err
	case h.State() == StateOpen:
		return rankLeftOpen, nil
	}
	return rankLeftRetiring, nil
}

// Tend does work in advance that otherwise a Replace would have to do. It walks over at most so many records
// of baskets that retire, while fewer baskets are free than the reserve. did is the number of records; it is
// less than records if there is nothing more to do, or no basket is available. Errors: those of Replace.
// Progress: lock-free.
func (w *Writer) Tend(records int) (did int, err error) {
	if err := w.usable(); err != nil {
		return 0, err
	}
	w.short, w.tends, w.stuck = true, true, false
	defer func() { w.tends = false }()
	for range w.store.layout.Baskets {
		if did >= records || w.stuck || !w.short && w.retiring == none {
			break
		}
		err := w.retire()
		if err == nil {
			w.full = false
			var n int
			n, err = w.walkAhead(records - did)
			did += n
		}
		if err != nil {
			return did, fmt.Errorf("tend: %w", err)
		}
	}
	return did, nil
}

// retire begins to retire a basket, if one has to retire and none does so yet.
func (w *Writer) retire() error {
	if w.retiring != none {
		return nil
	}
	w.tune()
	tiered := w.store.layout.tiers() > 1
	enough := w.reserve + len(w.store.entries)
	if tiered || w.ages[0] > 0 { // the policy, or the limit of age, needs the numbers of all baskets
		enough = int(w.store.layout.Baskets) + 1
	}
	seen, err := w.look(enough)
	if err != nil {
		return err
	}
	if tiered {
		w.ageAll(&seen)
	}
	if w.short = seen.frees < w.wants(&seen) && seen.best.rank != rankNone; !w.short {
		if x := seen.oldest[w.store.layout.tiers()-1]; w.tends && w.tooOld(x) {
			return w.take(x, false)
		}
		return nil
	}
	return w.take(w.victim(&seen))
}

// hurry is the largest number of portions that a call walks over, if the walk of a compacted basket is
// behind the open basket.
const hurry = 4

// portionFor walks over records of a basket that retires or has to retire, before an append of so many
// units. It walks over so many records that the basket becomes free shortly before an open one is full, but
// stops when a portion of records has been evicted. So the work is spread over all calls, and records that
// leave anyway stay as long as possible.
func (w *Writer) portionFor(own uint32) error {
	w.lane = w.fullest()
	if !w.halfway && w.pos > w.store.units/2 { // other writers may have taken the free baskets
		w.halfway, w.short, w.stuck = true, w.reserve > 0, false
	}
	if w.stuck || !w.short && w.retiring == none {
		return nil
	}
	if err := w.retire(); err != nil {
		return err
	}
	most := w.portion * hurry // entries leave by at most one portion of these
	gone := w.tally.Of(ReasonEvicted) + uint64(w.portion)
	w.full = false
	for ; most > 0 && w.retiring != none && w.behind(own) && w.tally.Of(ReasonEvicted) < gone; most-- {
		if w.stuck {
			break
		}
		if _, err := w.walkAhead(1); err != nil {
			return err
		}
	}
	return nil
}

// pace sets when the walk should end: when one part in pace of the open basket is still free.
const pace = 16

// behind reports whether the walk has more units of its basket left than the open basket will have after an
// append of so many units.
func (w *Writer) behind(own uint32) bool {
	units, left := w.store.units, w.left()
	slack := units / pace
	if left <= own+slack {
		return true
	}
	return uint64(units-w.at)*uint64(units-slack) > uint64(left-own-slack)*uint64(units)
}

// room makes sure that the open basket has room for so many units, which fit into one basket. For that it
// may retire other baskets.
func (w *Writer) room(need uint32) error {
	for looks := uint32(0); w.open == none || need > w.left(); looks += w.store.layout.Baskets {
		if looks&(roomLooks/16-1) < w.store.layout.Baskets {
			w.passed = none // so it is tried again
		}
		if looks >= roomLooks {
			return fmt.Errorf("%d baskets, of which others have all: %w", w.store.layout.Baskets, ErrNoRoom)
		}
		seen, err := w.look(1)
		switch {
		case err != nil:
			return err
		case seen.frees > 0:
			err = w.openBasket(seen.free)
		case w.retiring != none:
			err = w.walkAll()
		default:
			w.tune()
			if err = w.take(w.victim(&seen)); err == nil {
				err = w.walkAll()
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// walkAll walks to the end. It gives the basket back if it is not free then.
func (w *Writer) walkAll() error {
	w.full = false
	if _, err := w.walk(len(w.store.records)); err != nil {
		return err
	}
	return w.giveBack()
}

// openBasket seals the open basket, and opens the free one if that is still free.
func (w *Writer) openBasket(x choice) error {
	if err := w.seal(); err != nil {
		return err
	}
	b := &w.store.baskets[x.basket]
	head := x.head.opened(w.number, w.store.common.roomNumber(), w.tier)
	if b.roomOpen(x.head, head) {
		if w.now != nil {
			w.store.timeSet(x.basket, w.now())
		}
		b.hintBegin(MakeHint(head.Generation(), 0, 0))
		w.open, w.head, w.pos = x.basket, head, 0
		w.cursor = (x.basket + 1) % w.store.layout.Baskets
		w.short, w.halfway, w.stuck = w.reserve > 0, false, false
	}
	return nil
}

// seal gives up the open basket.
func (w *Writer) seal() error {
	if w.open == none {
		return nil
	}
	b := &w.store.baskets[w.open]
	w.open = none
	if !b.roomSeal(w.head, w.head.sealed()) {
		return errors.Join(fmt.Errorf("basket of writer %d has another owner: %w", w.number-1, ErrCorrupt))
	}
	return nil
}

// take claims the basket that a look has found, if its head is unchanged. An open basket of the dead is
// sealed; any other basket retires from now on. A walk that a dead owner had begun starts again; if live
// records are to be moved, the basket is given back instead.
//
// A claim of a basket that already retires draws a new number. Without that, a late writer that has found an
// earlier owner dead could find the head that it expects again, with a living owner.
func (w *Writer) take(x choice, moves bool) error {
	if x.rank == rankNone {
		return nil
	}
	b, sequence := &w.store.baskets[x.basket], x.head.Sequence()
	switch x.rank {
	case rankLeftOpen:
		if err := w.roomSettle(); err != nil {
			return err
		}
		b.roomSeal(x.head, x.head.sealed())
		return nil
	case rankLeftRetiring:
		if moves {
			b.walkBack(x.head, x.head.renumbered(w.store.common.walkNumber()))
			return nil
		}
		sequence = w.store.common.roomNumber()
	}
	head := x.head.taken(w.number, sequence)
	if b.roomTake(x.head, head) {
		w.retiring, w.retired, w.at = x.basket, head, 0
		w.moves, w.waits, w.stuck = moves, 0, false
		w.tooLong = w.tooOld(choice{x.basket, head, rankSealed})
		w.order.Walks(head.Tier(), w.store.units)
		w.ahead, w.led = 0, 0
	}
	return nil
}

// Older reports whether the record of ref a is older than that of ref b: whether it is in a basket that was
// opened earlier, or before the other in the same basket. A full bucket of a table with this function
// (hopscotch.Options.Older) gives up its oldest record. Older accepts any two numbers. Progress: wait-free.
func (s *Store) Older(a, b uint32) bool {
	unitA, unitB := Ref(a).unit(), Ref(b).unit()
	all := uint32(len(s.records))
	if unitA >= all || unitB >= all {
		return unitA < unitB
	}
	basketA, basketB := s.basketOf(unitA), s.basketOf(unitB)
	if basketA == basketB {
		return unitA < unitB
	}
	return s.baskets[basketA].roomLook().olderThan(s.baskets[basketB].roomLook())
}
