package basket

import (
	"fmt"

	"github.com/samecycle/samecycle/internal/seam"
)

// A basket retires as follows. One record after the other is taken out of the index, and the basket is free
// when the index has none of its refs. The walk may be cut into portions of any size.

// walkSize loads the size word of the next record, which has the hash beside it.
func (s *Store) walkSize(unit uint32) SizeWord { return SizeWord(s.records[unit].bits.Load()) }

// walkNumber draws a number for a basket that is given back.
func (c *common) walkNumber() uint64 { return c.sequence.Add(1) }

// walkBack gives back a basket that retires. Expected: a head that names its owner.
func (b *basketWords) walkBack(old, new Head) bool {
	return b.head.CompareAndSwap(uint64(old), uint64(new))
}

// walkZero removes all records of a basket, by a zero as its first word.
func (s *Store) walkZero(unit uint32) { s.records[unit].bits.Store(0) }

// walkFree frees a basket that retires. Expected: a head that names its owner.
func (b *basketWords) walkFree(old, new Head) bool {
	return b.head.CompareAndSwap(uint64(old), uint64(new))
}

// walk continues the walk over the basket that retires, by at most so many records. After the last record
// the basket is freed, or given back.
func (w *Writer) walk(most int) (did int, err error) {
	for ; did < most && w.retiring != none; did++ {
		w.askAhead()
		unit, size := w.retiring*w.store.units+w.at, SizeWord(0)
		if w.at < w.store.units {
			size = w.store.walkSize(unit)
		}
		if size == 0 {
			return did, w.ended()
		}
		if !w.store.fits(unit, size.Units()) {
			return did, fmt.Errorf("record at unit %d of basket %d: %w", w.at, w.retiring, ErrCorrupt)
		}
		if err := w.evict(refOf(unit), size.Hash()); err != nil {
			return did, err
		}
		w.at += size.Units()
	}
	return did, nil
}

// walkAhead continues the walk over the basket that retires, by at most so many records, before the room is
// needed. A basket that is compacted waits if there is no place for its next record, because compacting must
// not remove entries. It waits until the writer begins another basket, or has filled half of one.
func (w *Writer) walkAhead(most int) (did int, err error) {
	for did < most && w.retiring != none {
		if w.moves && !w.place() {
			w.stuck = true
			return did, nil
		}
		n, err := w.walk(1)
		if did += n; err != nil || n == 0 {
			return did, err
		}
	}
	return did, nil
}

// place reports whether the next record of the basket that is compacted can be moved without retiring
// another basket. It does not count the copies that colliding keys need.
func (w *Writer) place() bool {
	if w.at >= w.store.units || w.store.hintOf(w.retiring, w.retired).Live() == 0 {
		return true
	}
	size := w.store.copySize(w.retiring*w.store.units + w.at) // not part of the walk: only the owner writes
	outer := w.lane
	w.lane = w.into(w.retired.Tier())
	can := w.roomNow(size.Units())
	w.lane = outer
	return can
}

// aheadMost is the number of records of a walk whose cells in the index are requested in advance. It is a
// portion, so the call that walks over these records does not wait for memory.
const aheadMost = 8

// askAhead requests the cells of the records to come. It is not an access of the protocol: no other actor
// writes into the basket, and the only effect is that the index is in the processor's cache.
func (w *Writer) askAhead() {
	if seam.Explored || w.handle == nil {
		return
	}
	for first := w.retiring * w.store.units; w.led < aheadMost && w.ahead < w.store.units; w.led++ {
		size := w.store.walkSize(first + w.ahead)
		if size == 0 || !w.store.fits(first+w.ahead, size.Units()) {
			w.ahead = w.store.units
			break
		}
		w.indexRequest(size.Hash())
		w.ahead += size.Units()
	}
	w.led--
}

// evict takes the record out of the index, if it is there.
func (w *Writer) evict(ref Ref, hash uint32) error {
	p := &w.walked
	p.hash = hash
	for range patience {
		ticket, ok, err := w.indexLookup(hash)
		if err != nil || !ok {
			return err
		}
		p.ticket = ticket
		if what := p.follow(w.store, nil, ref); what != found {
			if !w.indexStill(ticket) {
				continue
			}
			return w.lost(what, hash)
		}
		if ok, err := w.evictFound(p); ok || err != nil {
			return err
		}
	}
	return fmt.Errorf("eviction of hash %#x: %w", hash, ErrBusy)
}

// evictFound takes the record that was looked for out of its chain, or moves it. If there is no room for the
// copies that this needs, these records leave, too, because the caller evicts for want of room.
func (w *Writer) evictFound(p *path) (bool, error) {
	x := p.links[p.at].record
	keep := p.at
	verdict, m := w.judge(x, p.hash)
	if verdict.Stays {
		keep++
	}
	outer := w.lane
	w.lane = w.into(verdict.Tier)
	ok, err := w.evictInto(p, x, keep, m)
	w.lane = outer
	return ok, err
}

// evictInto makes the change that evictFound has planned. The first keep links of the chain stay.
func (w *Writer) evictInto(p *path, x record, keep int, m marks) (bool, error) {
	for keep > 0 && !w.roomNow(unitsOfLinks(p.links[:keep])) {
		if keep--; keep < p.at {
			keep = 0
		}
	}
	pos := w.pos
	w.noteLinks(p.links[keep:max(p.at, keep)], ReasonEvicted)
	if keep > p.at {
		w.moved, w.movedMarks = x.unit, m
	} else {
		w.note(x, ReasonEvicted)
	}
	w.dies(p.links[:p.n])
	ref := w.appendCopies(p.links[:keep], p.hash, p.tail())
	w.moved = none
	ok, err := w.indexSwap(p, ref)
	return w.changed(ok, err, pos)
}

// judge decides about a record of the basket that retires, and returns its marks if it stays. Each record of
// a basket that is compacted stays, with its marks; otherwise the policy decides.
func (w *Writer) judge(x record, hash uint32) (Verdict, marks) {
	tier, m := w.retired.Tier(), marks(0)
	if !w.noTouch {
		m = w.store.touches(x.unit)
	}
	switch {
	case w.expired(x.expires):
		return Verdict{}, 0
	case w.moves:
		return Verdict{Stays: true, Tier: tier}, m
	}
	w.candidate = Candidate{Hash: hash, Tier: tier, Uses: m.uses(), Given: m.given(), Units: x.size.Units(),
		Old: w.tooLong, writer: w}
	v := w.order.Judge(&w.candidate)
	return v, given(min(max(v.Uses, 0), touchedMost))
}

// roomNow reports whether the open basket, or a free one, has room for so many units. It retires nothing.
func (w *Writer) roomNow(need uint32) bool {
	if need <= w.left() {
		return true
	}
	if need > w.store.units {
		return false
	}
	if w.full {
		return false
	}
	seen, err := w.look(1)
	if w.full = err != nil || seen.frees == 0; w.full {
		return false
	}
	return w.openBasket(seen.free) == nil && need <= w.left()
}

// ended frees the basket after its last record. If the index has handed over a record of the basket to an
// actor, and that actor has not copied it yet, the basket waits, because such a copy takes little time. It
// is given back instead if that takes too long, or if there is no other basket.
func (w *Writer) ended() error {
	held, err := w.walkHand()
	if err != nil {
		return err
	}
	if held {
		if w.waits++; w.waits < waitsMost {
			return nil
		}
		return w.giveBack()
	}
	b := w.retiring
	w.retiring, w.passed = none, none
	w.full = false
	w.store.walkZero(b * w.store.units)
	if !w.store.baskets[b].walkFree(w.retired, w.retired.freed()) {
		return fmt.Errorf("basket %d, which writer %d retires, has another owner: %w", b, w.number-1,
			ErrCorrupt)
	}
	return nil
}

// waitsMost is the number of calls for which a basket waits.
const waitsMost = 64

// walkHand reports whether anything that the index has handed over to an actor leads into the basket that
// retires. If so, it first takes over what dead actors hold. After the walk no record of the basket can be
// handed over any more.
func (w *Writer) walkHand() (held bool, err error) {
	look := func() bool {
		held = false
		w.index.Handed(func(ref uint32) bool {
			held = w.leads(Ref(ref))
			return !held
		})
		return held
	}
	if !look() {
		return false, nil
	}
	if err := w.roomSettle(); err != nil {
		return true, err
	}
	return look(), nil
}

// leads reports whether a chain leads into the basket that retires. The chain is whole as long as the hand
// is there.
func (w *Writer) leads(ref Ref) bool {
	unit := ref.unit()
	if uint64(unit) >= uint64(len(w.store.records)) {
		return false
	}
	hash := w.store.copySize(unit).Hash()
	for range ChainMax {
		x, sound := w.store.look(ref, hash)
		if !sound {
			return false
		}
		if w.store.basketOf(x.unit) == w.retiring {
			return true
		}
		if ref = x.word.Next(); ref == 0 {
			return false
		}
	}
	return false
}

// giveBack gives back the basket that retires, as the youngest one.
func (w *Writer) giveBack() error {
	if w.retiring == none {
		return nil
	}
	b := &w.store.baskets[w.retiring]
	w.retiring, w.passed = none, w.retiring
	if !b.walkBack(w.retired, w.retired.renumbered(w.store.common.walkNumber())) {
		return fmt.Errorf("basket, which writer %d retires, has another owner: %w", w.number-1, ErrCorrupt)
	}
	return nil
}
