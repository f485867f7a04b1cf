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
	err := w.index.Settle(w.dead)
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
	frees int    // so many free baskets
	free  choice // the first of them
	best  choice // of the others
}

// look looks at one head after the other: for free baskets, until it has seen enough; and for what the dead
// have left, else for the oldest sealed one.
func (w *Writer) look(enough int) (seen sight, err error) {
	seen.best = choice{none, 0, rankNone}
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
		switch {
		case x.rank == rankFree:
			if seen.frees++; seen.frees == 1 {
				seen.free = x
			}
		case x.better(seen.best):
			seen.best = x
		}
	}
	return seen, nil
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
	w.short = true
	for range w.store.layout.Baskets {
		if did >= records || !w.short && w.retiring == none {
			break
		}
		n, err := w.tend(records - did)
		if did += n; err != nil {
			return did, fmt.Errorf("tend: %w", err)
		}
	}
	return did, nil
}

// tend walks over a portion of records, if a basket retires or has to.
func (w *Writer) tend(records int) (did int, err error) {
	if w.retiring == none {
		seen, err := w.look(w.reserve)
		if err != nil {
			return 0, err
		}
		if w.short = seen.frees < w.reserve && seen.best.rank != rankNone; !w.short {
			return 0, nil
		}
		if err := w.take(seen.best); err != nil {
			return 0, err
		}
	}
	return w.walk(records)
}

// room has an open basket with room for so many units, which fit into one. For that it may retire others.
func (w *Writer) room(need uint32) error {
	for looks := uint32(0); w.open == none || need > w.left(); looks += w.store.layout.Baskets {
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
			_, err = w.walk(len(w.store.records))
		default:
			if err = w.take(seen.best); err == nil {
				_, err = w.walk(len(w.store.records))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// openBasket seals the open basket and opens the free one, if that is still free.
func (w *Writer) openBasket(x choice) error {
	if err := w.seal(); err != nil {
		return err
	}
	b := &w.store.baskets[x.basket]
	head := x.head.opened(w.number, w.store.common.roomNumber())
	if b.roomOpen(x.head, head) {
		w.open, w.head, w.pos = x.basket, head, 0
		w.cursor = (x.basket + 1) % w.store.layout.Baskets
		w.short = w.reserve > 0
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
// retires from here on. A walk that a dead one had begun is begun anew.
//
// The claim of one that retires already has a number of its own. Else who has found the owner before last
// dead, and comes late, could find the head that he expects again, with a living owner.
func (w *Writer) take(x choice) error {
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
		sequence = w.store.common.roomNumber()
	}
	head := x.head.taken(w.number, sequence)
	if b.roomTake(x.head, head) {
		w.retiring, w.retired, w.at = x.basket, head, 0
	}
	return nil
}
