package basket

import "fmt"

// Ageing moves baskets from tier to tier. Each move is one compare-and-swap of a head, and copies no byte.
// So an entry is found at any instant of a move, in one tier or the other.

// roomAge moves a sealed basket one tier down. Expected: its head.
func (b *basketWords) roomAge(old, new Head) bool {
	return b.head.CompareAndSwap(uint64(old), uint64(new))
}

// timeSet stores when a basket was opened, in milliseconds since 1970, and timeRead reads that time.
func (s *Store) timeSet(b uint32, now uint64) { s.times[b].Store(now) }

func (s *Store) timeRead(b uint32) uint64 { return s.times[b].Load() }

// balance returns the Balance that the policy is asked about.
func (w *Writer) balance(seen *sight) *Balance {
	b := &w.weighed
	b.All, b.Reserve, b.Tiers, b.Share = w.store.layout.Baskets, uint32(w.reserve), seen.tiers, w.share
	for t := range b.Aged {
		b.Aged[t] = w.tooOld(seen.oldest[t])
	}
	return b
}

// tooOld reports whether a sealed basket is older than the limit of its tier.
func (w *Writer) tooOld(x choice) bool {
	if x.rank != rankSealed || w.now == nil {
		return false
	}
	most := w.ages[x.head.Tier()]
	return most > 0 && w.now() > w.store.timeRead(x.basket)+most
}

// ageAll moves baskets down as the policy says. For each look over the heads it moves at most one basket of
// each tier.
func (w *Writer) ageAll(seen *sight) {
	last := w.store.layout.tiers() - 1
	for range w.store.layout.tiers() {
		t, ok := w.order.Ages(w.balance(seen))
		if !ok || t >= last {
			return
		}
		x := seen.oldest[t]
		if x.rank != rankSealed || !w.lower(x) {
			return
		}
		seen.tiers[t].Baskets--
		seen.tiers[t].Sealed--
		seen.tiers[t+1].Baskets++
		seen.oldest[t].rank = rankNone
		if x.basket == seen.sparse.basket {
			seen.sparse.head = x.head.aged()
		}
		w.renew(seen, t+1, choice{x.basket, x.head.aged(), rankSealed})
	}
}

// lower moves a sealed basket one tier down, unless another actor has changed its head.
func (w *Writer) lower(x choice) bool {
	if !w.store.baskets[x.basket].roomAge(x.head, x.head.aged()) {
		return false
	}
	if !w.noTouch && w.order.Forgets(x.head.Tier()) {
		w.store.forget(x.basket)
	}
	return true
}

// renew adds a basket that has come into a tier to what the look has seen.
func (w *Writer) renew(seen *sight, tier uint32, x choice) {
	seen.tiers[tier].Sealed++
	if x.better(seen.oldest[tier]) {
		seen.oldest[tier] = x
	}
}

// Age moves one basket down: the oldest sealed basket above the last tier, whatever the policy says. done is
// false if there is no such basket. Age is for programs that decide by themselves. Errors: ErrClosed.
// Progress: lock-free.
func (w *Writer) Age() (done bool, err error) {
	if err := w.usable(); err != nil {
		return false, err
	}
	last := w.store.layout.tiers() - 1
	for range ageTries {
		x := choice{none, 0, rankNone}
		for i := range w.store.baskets {
			y := choice{uint32(i), w.store.baskets[i].roomLook(), rankNone}
			if y.head.State() != StateSealed || y.head.Tier() >= last {
				continue
			}
			if y.rank = rankSealed; y.better(x) {
				x = y
			}
		}
		if x.rank == rankNone {
			return false, nil
		}
		if w.lower(x) {
			return true, nil
		}
	}
	return false, fmt.Errorf("age: %w", ErrBusy)
}

// ageTries bounds how often Age looks again after another actor has taken the basket that it chose.
const ageTries = 1 << 16
