package volume

import (
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
)

// heads looks at words of the store from outside.
type heads struct {
	words   region.Words // two for each basket
	writers region.Words
	records region.Words
	layout  basket.Layout
	units   uint32 // of a basket
}

func newHeads(r *region.Region) (h *heads, err error) {
	h = &heads{}
	if h.layout, err = basket.LayoutOf(r); err != nil {
		return nil, err
	}
	h.units = h.layout.BasketBytes / basket.UnitBytes
	for name, to := range map[string]*region.Words{basket.SectionHeads: &h.words,
		basket.SectionWriters: &h.writers, basket.SectionRecords: &h.records} {
		if *to, err = r.Section(basket.Engine, name); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// at is the head of a basket.
func (h *heads) at(b uint32) basket.Head { return basket.Head(h.words[2*b].Load()) }

// of is the head of the basket of a ref; zero for none.
func (h *heads) of(ref uint32) basket.Head {
	if ref == 0 || uint64(ref) > uint64(len(h.records)) {
		return 0
	}
	return h.at((ref - 1) / h.units)
}

// entry is the entry of the writer with that number, plus one; 0 for none.
func (h *heads) entry(number uint32) uint32 {
	line := uint32(len(h.writers)) / h.layout.Writers
	for i := range h.layout.Writers {
		if basket.Owner(h.writers[i*line].Load()).Number() == number {
			return i + 1
		}
	}
	return 0
}

// none is no basket.
const none = ^uint32(0)

// owned is the basket of an entry that is in that state.
func (h *heads) owned(entry uint32, s basket.State) (b uint32, head basket.Head) {
	for b := range h.layout.Baskets {
		if head := h.at(b); entry != 0 && head.State() == s && head.Owner() == entry {
			return b, head
		}
	}
	return none, 0
}

// lastFree is the only free basket that a look over all heads has met.
func (h *heads) lastFree() (b uint32, head basket.Head) {
	b = none
	for i := range h.layout.Baskets {
		x := h.at(i)
		switch {
		case x.State() != basket.StateFree:
		case b != none:
			return none, 0
		default:
			b, head = i, x
		}
	}
	return b, head
}

// ages is the oldest sealed basket above the last tier that a look over all heads has met.
func (h *heads) ages() (b uint32, head basket.Head) {
	b = none
	for i := range h.layout.Baskets {
		x := h.at(i)
		can := x.State() == basket.StateSealed && x.Tier()+1 < h.layout.Tiers
		if can && (b == none || x.Sequence() < head.Sequence()) { // no run has so many that they wrap
			b, head = i, x
		}
	}
	return b, head
}

// copyOf is the words of a basket.
func (h *heads) copyOf(b uint32) (all []uint64) {
	for i := range h.units {
		all = append(all, h.records[b*h.units+i].Load())
	}
	return all
}
