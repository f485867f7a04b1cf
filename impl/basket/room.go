package basket

import (
	"errors"
	"fmt"
)

// The life of a basket: opened, sealed, claimed to be retired, taken over from the dead. Each change of state
// is one compare-and-swap of its head. There is no queue and no list: who needs a basket looks at all heads.

// roomLooks bounds how many heads a call looks at for a basket, when nothing can be had: all others are open
// or retiring, and their owners alive.
const roomLooks = 1 << 22

// roomLook loads the head of a basket.
func (b *basketWords) roomLook() Head { return Head(b.head.Load()) }

// roomNumber draws the number of a basket in the order of age.
func (c *common) roomNumber() uint64 { return c.sequence.Add(1) }

// sequenceRead is the number that was drawn last.
func (c *common) sequenceRead() uint64 { return c.sequence.Load() }

// roomOpen takes a free basket. Expected: the head of a free basket, whose generation is of this life only.
func (b *basketWords) roomOpen(old, new Head) bool {
	return b.head.CompareAndSwap(uint64(old), uint64(new))
}

// roomSeal gives an open basket up. Expected: a head that names its owner, with a number that no other
// opening has.
func (b *basketWords) roomSeal(old, new Head) bool {
	return b.head.CompareAndSwap(uint64(old), uint64(new))
}

// roomTake claims a sealed basket, or one that a dead owner has left, to retire it. Expected: its head, with
// the number of this claim.
func (b *basketWords) roomTake(old, new Head) bool {
	return b.head.CompareAndSwap(uint64(old), uint64(new))
}

// roomSettle finishes what dead owners have installed in the index, before anybody may walk over their
// baskets, and tells what has left by it.
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

// rank is what can be had of a basket; less is better.
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
	frees  int    // so many free baskets
	free   choice // the first of them
	best   choice // of the others: what the dead have left, or the oldest
	sparse choice // of those that are worth being compacted the one in which least lives
	gain   uint32 // so many units are gained by it; 0 without one
	moves  uint32 // so many live in it
	live   uint64 // units that live in all that were looked at
	opens  int    // baskets that others have open

	tiers  [TiersMax]TierOf
	oldest [TiersMax]choice // sealed basket of each tier
}

// look looks at one head after the other: for free baskets, until it has seen enough; and for what the dead
// have left, else for the oldest sealed one.
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

// hintOf is the hint of a basket with that head, in bounds; if it is of another life, all of it lives.
func (s *Store) hintOf(b uint32, head Head) Hint {
	if h := s.baskets[b].hintRead(); h.Generation() == head.Generation() && h.Used() <= s.units {
		return h
	}
	return MakeHint(head.Generation(), s.units, s.units)
}

// gain is how many units a basket with that hint gains by being compacted: what is dead. What is behind the
// last record is neither dead nor alive: records of one size leave as much behind them wherever they are. It
// counts only where a writer has ended long before the basket was full, so that all that lives in it fits
// into the open basket. Without that programs that come and go would push out what others have. And it counts
// for Tend only, whose callers bound what they do: a Replace must not move the chain that it is about to
// change for ever.
func (w *Writer) gain(hint Hint) uint32 {
	if live := min(hint.Live(), w.store.units); w.tends && live < w.store.units/2 && live <= w.left() {
		return w.store.units - live
	}
	return hint.Dead()
}

// pays reports whether a basket is worth being compacted by which so many units are gained.
func (w *Writer) pays(gain uint32) bool { return uint64(gain)*100 > uint64(w.store.units)*w.least }

// slack is how many units there is room for beside all that lives, before entries have to leave; 0 if they
// have to.
func (w *Writer) slack(seen *sight) uint64 {
	most := uint64(len(w.store.records)) * w.living
	if w.reserve == 0 || seen.live*100 >= most {
		return 0
	}
	return (most - seen.live*100 + 99) / 100
}

// compacts reports whether room is to be made by moving what lives in one basket.
func (w *Writer) compacts(seen *sight) bool { return seen.gain > 0 && w.slack(seen) > 0 }

// wants is how many free baskets there should be. As long as room is made by compaction, those are one more
// for each basket that another writer has open, and one for a writer that comes: whoever finds none when its
// own is full, or has none yet, has nowhere to move to what lives. They are no more than half of the slack.
func (w *Writer) wants(seen *sight) int {
	if !w.compacts(seen) {
		return w.reserve
	}
	return w.reserve + min(seen.opens+1, int(w.slack(seen)/uint64(w.store.units)/2))
}

// victim is the basket that is to be retired next, and whether what lives in it is moved. While there is room
// for all that lives, what is dead makes the room, and nothing leaves: a program that overwrites a few keys
// for ever must not push the others out. See Tuning. A basket that a dead owner was retiring is given back
// then, and is a sealed one as others are: the dead one may have been about to move what lives there.
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

// Tend does work that else a Replace would have to do: it walks over at most so many records of baskets that
// retire, as long as less than the reserve of baskets is free. did is how many they were; less than records
// if there is nothing more to do, or nothing can be had. Errors: those of Replace. Progress: lock-free.
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

// retire begins to retire a basket, if none does and one has to.
func (w *Writer) retire() error {
	if w.retiring != none {
		return nil
	}
	w.tune()
	tiered := w.store.layout.tiers() > 1
	enough := w.reserve + len(w.store.entries)
	if tiered || w.ages[0] > 0 { // the policy, or the age of what is oldest, is to know what there is
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

// hurry is how many portions a call walks over when a basket that is compacted is behind the open one.
const hurry = 4

// portionFor walks over records of a basket that retires, or has to, ahead of an append of so many units:
// over so many that the basket will be free shortly before the open one is full, and no more than a portion.
// So the work is spread over all calls, and what is to leave anyway leaves late.
func (w *Writer) portionFor(own uint32) error {
	w.lane = &w.lanes[0]
	if !w.halfway && w.pos > w.store.units/2 { // others may have taken what was free
		w.halfway, w.short, w.stuck = true, w.reserve > 0, false
	}
	if w.stuck || !w.short && w.retiring == none {
		return nil
	}
	if err := w.retire(); err != nil {
		return err
	}
	most := w.portion * hurry // of which no more than a portion leave
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

// pace is for what part of the open basket there is still room when the walk is to have come to its end.
const pace = 16

// behind reports whether the walk has more of its basket in front of it than there will be room in the open
// basket behind an append of so many units.
func (w *Writer) behind(own uint32) bool {
	units, left := w.store.units, w.left()
	slack := units / pace
	if left <= own+slack {
		return true
	}
	return uint64(units-w.at)*uint64(units-slack) > uint64(left-own-slack)*uint64(units)
}

// room has an open basket with room for so many units, which fit into one. For that it may retire others.
func (w *Writer) room(need uint32) error {
	for looks := uint32(0); w.open == none || need > w.left(); looks += w.store.layout.Baskets {
		if looks&(roomLooks/16-1) < w.store.layout.Baskets {
			w.passed = none // try it again
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

// walkAll walks to the end, and gives the basket back if it is not free then.
func (w *Writer) walkAll() error {
	w.full = false
	if _, err := w.walk(len(w.store.records)); err != nil {
		return err
	}
	return w.giveBack()
}

// openBasket seals the open basket and opens the free one, if that is still free.
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

// seal gives the open basket up.
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

// take claims what a look has found, if it is still that: an open basket of the dead is sealed, any other one
// retires from here on. A walk that a dead one had begun is begun anew; if what lives is to be moved, the
// basket is given back instead.
//
// The claim of one that retires already has a number of its own. Else a writer that has found the owner
// before last dead, and comes late, could find the head that it expects again, with a living owner.
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

// Older tells whether the record of ref a is older than that of b: it is in a basket that was opened before,
// or ahead of it in the same basket. A table with this function (hopscotch.Options.Older) lets the oldest
// record of a bucket go when it is full. It may be asked about any two numbers. Progress: wait-free.
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
