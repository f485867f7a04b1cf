package cachestorm

import (
	"errors"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/cache"
)

// sweepTimes is how often the parent fills the cache at its end.
const sweepTimes = 3

// last fills the cache until the parent alone has used each basket again. Then nothing of the dead remains:
// the counts are exact, and no basket belongs to a writer.
func (w *world) last() error {
	w.deaths, w.stops = nil, nil
	w.board.begin(roundQuit-1, true)
	if err := errors.Join(w.calm(), w.untune()); err != nil {
		return err
	}
	c, err := cache.Attach(w.region, cache.Options{NoJanitor: true, OnEvent: w.told})
	if err != nil {
		return err
	}
	x, err := w.openRaw()
	if err != nil {
		return errors.Join(err, c.Close())
	}
	before, _ := x.heads()
	if err := x.region.Close(); err != nil {
		return err
	}
	o := c.Options()
	var value []byte
	meter := newMeter()
	slot := w.board.slots
	for n, most := 0, sweepTimes*int(o.Bytes)/valueLeast; n < most; n++ {
		if w.board.length(journalEvents, slot).Load() > uint64(journalSizes[journalEvents].room)/2 ||
			w.board.slot(slot, slotCalls).Load() >= callRoom {
			w.verdict(w.present(c), func() {})
			w.board.begin(roundQuit-1, true)
		}
		key := n % w.keys
		number := uint64(slot+1)<<valueShift | w.board.slot(slot, slotValue).Add(1)
		value = appendValue(value[:0], number, key)
		e := w.board.claim(slot, 0, newCall{kindSet, key, number, meter.now(), 0})
		if err := c.Set(keyOf(key), value); err != nil {
			w.storm.report.fault("accounts: a set when all others have ended: %v", err)
			break
		}
		e.end(w.board, 0, foundNew)
	}
	w.verdict(w.present(c), func() {})
	w.exact(c, before)
	return nil
}

// untune gives all live parameters their defaults.
func (w *world) untune() error {
	c, err := cache.Attach(w.region, cache.Options{NoJanitor: true})
	if err != nil {
		return err
	}
	for _, p := range c.Parameters() {
		err = errors.Join(err, c.Tune(p.Name, p.Default))
	}
	return errors.Join(err, c.Close())
}

// exact judges the accounts of a cache in which only the parent has used baskets since the heads were those
// given, and closes the cache. The hint of each basket that was used again is exact. A basket that was not
// used again, because others had more dead bytes, may have a hint that a death has left wrong.
func (w *world) exact(c *cache.Cache, before []basket.Head) {
	r := w.storm.report
	drift := r.Drift
	w.check(c)
	r.Drift = drift
	if err := c.Close(); err != nil {
		r.fault("accounts: %v", err)
	}
	x, err := w.openRaw()
	if err != nil {
		r.fault("accounts: %v", err)
		return
	}
	if s := x.store.Stats(); s.Open+s.Retiring > 0 {
		r.fault("accounts: %d baskets are open and %d retiring when all have closed the cache", s.Open,
			s.Retiring)
	}
	heads, hints := x.heads()
	lives, stale, again := x.lives(), uint64(0), 0
	for b, h := range heads {
		hint := uint64(hints[b].Live()) * basket.UnitBytes
		switch off := max(hint, lives[b]) - min(hint, lives[b]); {
		case h.State() == basket.StateFree:
		case h.Generation() == before[b].Generation():
			stale += off
		case off > 0:
			r.fault("accounts: basket %d, which was used again, has %d live bytes by its hint, and %d", b,
				hint, lives[b])
		default:
			again++
		}
	}
	r.Stale = max(r.Stale, stale)
	if again == 0 {
		r.fault("accounts: no basket was used again, so nothing was judged")
	}
	if err := x.region.Close(); err != nil {
		r.fault("accounts: %v", err)
	}
}

// heads returns the words of all baskets.
func (x raw) heads() (heads []basket.Head, hints []basket.Hint) {
	words, err := x.region.Section(basket.Engine, basket.SectionHeads)
	for i := 0; err == nil && i+1 < len(words); i += 2 {
		heads, hints = append(heads, basket.Head(words[i].Load())), append(hints,
			basket.Hint(words[i+1].Load()))
	}
	return heads, hints
}
