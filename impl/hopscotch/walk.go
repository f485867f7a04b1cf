package hopscotch

import (
	"fmt"
	"iter"
	"math/bits"
)

// An iteration goes over home cells, and not over all cells. An element may move from cell to cell, and a
// reader of cells could miss it or see it twice. But an element never leaves its bucket, and a bucket can be
// read as a whole, by the same accesses as a search: the version of the base, its words, the members, and the
// version again. No live element leaves a place before the base has a new version, and it is in its new place
// before that.

// contents is what a bucket holds: each element once.
type contents struct {
	n      int
	keys   [WindowMax]Key
	values [WindowMax]Value
}

func (b *contents) put(k Key, v Value) {
	b.keys[b.n], b.values[b.n] = k, v
	b.n++
}

// gather reads the bucket of a home cell. The outcome is present, damaged or busy. Of the elements,
// each was in the bucket at some instant of the call, with its value; each one that stayed in it
// during the call is there. Progress: lock-free; it stores nothing.
func (t *Table) gather(b *contents, at place) outcome {
	for range t.patience {
		if o := t.gatherOnce(b, at); o != restart {
			return o
		}
	}
	return busy
}

func (t *Table) gatherOnce(b *contents, at place) outcome {
	h := &t.halves[at.half]
	c := h.cell(at.home)
	b.n = 0
	w := c.look()
	switch w.word0.Form() {
	case FormEmpty, FormMember, FormEngaged, FormClaimed:
		return present // proven by the one read of word 0: no base is there
	case FormBase:
		if k := w.word0.Key(); k != KeyLost {
			v, o := c.match(w)
			if o != present {
				return o
			}
			b.put(k, v)
		}
		if members := w.word0.Map(); members != 0 {
			return t.gatherMembers(b, at, w, members)
		}
		return present
	case FormOperating:
		return t.gatherHeld(b, &search{mode: modeGet, place: at, seen: w})
	}
	return damaged
}

// gatherHeld reads a bucket in operation: its members are where the descriptor says.
func (t *Table) gatherHeld(b *contents, s *search) outcome {
	var x recorded
	if !t.readHeld(s, &x) {
		return s.outcome
	}
	h := &t.halves[s.half]
	if k := s.seen.word0.Key(); k != KeyLost {
		if s.matchOperating(h.cell(s.home), &x); s.outcome != present {
			return s.outcome
		}
		b.put(k, s.value)
	}
	if !t.oneOperation(s, &x) {
		return restart
	}
	return t.gatherMembers(b, s.place, s.seen, s.offsets(&x))
}

// gatherMembers reads the members one by one. The key of the base may stand in a member's cell, too:
// the copy of one that an add is about to displace, and the old place of one that has been lifted.
// And the hole of an operation may have become the cell of another bucket before it was reserved.
// A value needs no second look at its key, unlike one that ends a search: HelpUnfreeze gives the base
// a new version before HelpClearMember takes the value of an element that leaves, and the look at the
// version comes last for every member alike.
func (t *Table) gatherMembers(b *contents, at place, w view, members Map) outcome {
	h := &t.halves[at.half]
	if members&h.beyond != 0 {
		return damaged
	}
	for ; members != 0; members = members.Rest() {
		c := h.at(at.home, members.First())
		word := c.searchMember()
		k := word.Key()
		if k == KeyLost || k == w.word0.Key() || !word.isMember(k) || !t.belongs(k, at) {
			continue
		}
		b.put(k, c.searchMemberValue().Value())
	}
	if !h.cell(at.home).unmoved(w) {
		return restart
	}
	return present
}

// homeOf is the home of the key in half 0.
func (t *Table) homeOf(k Key) uint32 {
	h0, _ := t.homes(k)
	return h0
}

// belongs tells whether the bucket is that of the key in this half.
func (t *Table) belongs(k Key, at place) bool {
	h0, h1 := t.homes(k)
	return at.half == 0 && at.home == h0 || at.half == 1 && at.home == h1
}

// Walk calls yield with each element of the table, in no particular order, until yield returns false. It is
// weakly consistent: the answer for each key is that of one Get at an instant of the call. So
//
//   - no key comes twice, not even one that is deleted and added again during the call;
//   - a key that is in the table during the whole call comes, whatever moves, and with a value that it had
//     during the call;
//   - a key that is added or deleted during the call may come or not; one that is absent during the whole
//     call does not come.
//
// There need be no instant at which the table had exactly these elements. The table may be used and changed
// during the call, by yield, too.
//
// A key can move from one half to the other by being deleted and added again. So Walk remembers the keys of
// the first half: it allocates 5 bytes for each home cell of a half, and 4 for each element of a half.
//
// Errors: ErrCorrupt and ErrBusy as for Lookup, with the cell; the walk ends there. Progress: lock-free for
// each bucket; it stores nothing in the table.
func (t *Table) Walk(yield func(key, value uint32) bool) error {
	if err := t.made(); err != nil {
		return fmt.Errorf("walk: %w", err)
	}
	if yield == nil {
		panic("hopscotch: walk without a function to call: give one")
	}
	var b contents
	first := remember(t.cells)
	for half := range uint32(2) {
		for home := range t.cells {
			if o := t.gather(&b, place{half, home}); o != present {
				return fmt.Errorf("walk, bucket at cell %d.%d: %w", half, home, o.err())
			}
			for i, k := range b.keys[:b.n] {
				if half == 1 && first.maybe(k) && first.has(k, t.homeOf(k)) {
					continue
				}
				if !yield(uint32(k), uint32(b.values[i])) {
					return nil
				}
			}
			if half == 0 {
				first.put(home, b.keys[:b.n])
			}
		}
	}
	return nil
}

// All is Walk as an iterator. On a damaged table it ends where the damage is; Walk returns the error.
//
//	for key, value := range table.All() { ... }
func (t *Table) All() iter.Seq2[uint32, uint32] {
	t.mustBeMade("all")
	return func(yield func(key, value uint32) bool) {
		_ = t.Walk(yield) // as with Get: the error is Walk's
	}
}

// remembered has the keys that were found in half 0, by home cell, and a filter that fits into a cache.
// Most keys of half 1 are not among them, and the filter says so.
type remembered struct {
	keys   []Key
	ends   []uint32 // by home cell: where its keys end
	filter []uint64 // the bit of each key is set
	shift  int
}

// remember makes room for the keys of a half: a filter of 4 to 8 bits a cell.
func remember(cells uint32) remembered {
	words := 1 << bits.Len32(cells/16)
	return remembered{ends: make([]uint32, cells), filter: make([]uint64, words),
		shift: 64 - 6 - bits.Len32(cells/16)}
}

// bit is the place of the key in the filter.
func (r *remembered) bit(k Key) (word, mask uint64) {
	x := uint64(k) * 0x9E3779B97F4A7C15 >> r.shift
	return x >> 6, 1 << (x & 63)
}

// put remembers the keys of the next home cell.
func (r *remembered) put(home uint32, keys []Key) {
	for _, k := range keys {
		word, mask := r.bit(k)
		r.filter[word] |= mask
	}
	r.keys = append(r.keys, keys...)
	r.ends[home] = uint32(len(r.keys))
}

// maybe tells whether the key may be there: no is certain.
func (r *remembered) maybe(k Key) bool {
	word, mask := r.bit(k)
	return r.filter[word]&mask != 0
}

// has looks for the key among those of its home cell in half 0.
func (r *remembered) has(k Key, home uint32) bool {
	from := uint32(0)
	if home > 0 {
		from = r.ends[home-1]
	}
	for _, seen := range r.keys[from:r.ends[home]] {
		if seen == k {
			return true
		}
	}
	return false
}
