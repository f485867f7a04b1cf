package hopscotch

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/samecycle/samecycle/impl/region"
)

// Getting: both halves are searched for a key (search.go), and first the half in which it seems to
// be. S05, S06, S11, S15 to S18.
//
// What a get costs is how much there is from one key to the next: a processor works some hundreds of
// instructions ahead, and the lines that the gets among these need are under way at once. Branches, calls,
// stores, and loads of a line that has not come yet, count most. So the usual ways are short: of an element
// that stands in its home, and of the nearest member of a bucket. In which half to begin is not guessed: a
// glance at one home is computed with. Nothing but the order rests on a glance, a searchTouch.

// spot is where a cell is: so many bytes after the first cell.
type spot uintptr

const (
	halfShift = 4 // log2 of the bytes of a cell
	rowShift  = 5 // log2 of those of a row
)

var (
	_ [1 << halfShift]byte = [unsafe.Sizeof(cell{})]byte{}
	_ [1 << rowShift]byte  = [region.RowBytes]byte{}
)

// spotOf is the spot of a cell of a half.
func spotOf(half, index uint32) spot { return spot(index)<<rowShift | spot(half)<<halfShift }

// half is the half of the cell.
func (s spot) half() uint32 { return uint32(s>>halfShift) & 1 }

// index is that of the cell in its half.
func (s spot) index() uint32 { return uint32(s >> rowShift) }

// on is the cell of a spot. It must be one of the table: homes are by the arithmetic that makes them.
func (t *Table) on(s spot) *cell { return s.of(t.all) }

// of is the cell of the spot among all cells of a table, for who looks at two of them: after an atomic
// access the compiler takes the fields of the table for changed, and reads them again.
func (s spot) of(all []cell) *cell {
	return (*cell)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(all)), s))
}

// spots are the homes of a key, as the one in half 0 and in which bits the one in half 1 differs.
func spots(h0, h1 uint32) (first, apart spot) {
	first = spotOf(0, h0)
	return first, first ^ spotOf(1, h1)
}

// spots are the homes of a key.
func (t *Table) spots(key uint32) (first, apart spot) {
	if t.near {
		return nearSpots(key, t.span)
	}
	return spots(homesApart(key, t.span))
}

// nearSpots are spots of homesNear.
func nearSpots(key, span uint32) (first, apart spot) {
	x := mix(key)
	first = spot(x>>32*uint64(span)>>32) << rowShift
	return first, spot(x>>(31-rowShift))&(1<<rowShift) | 1<<halfShift
}

// Get returns the value of key, and whether key is in the table. It writes nothing, needs no
// handle and is lock-free: it starts again only when another actor has made a step. A damaged
// table reads as one without the key; Lookup tells the difference.
func (t *Table) Get(key uint32) (value uint32, ok bool) {
	if key+1 <= t.detour {
		v, o := t.get(Key(key))
		return uint32(v), o == present
	}
	k := Key(key)
	first, apart := nearSpots(key, t.span)
	c, other := t.glance(k, first, apart)
	version := c.searchVersion() // look, without a call
	word := c.searchBase()
	if !word.isBase(k) {
		v, o := t.getRest(k, first, apart, other, view{word, version})
		return uint32(v), o == present
	}
	again := c.searchVersionAgain()
	if again == version && version.settled() {
		return uint32(version.Value()), true
	}
	w := view{word, version}
	v, o := t.getEnd(k, likely(k, first, apart, other), apart, w, 0, w.mismatch(again))
	return uint32(v), o == present
}

// Lookup is Get with a reason: ErrKey for a reserved key, ErrCorrupt when it met a word that no
// step of the protocol writes, ErrBusy when it had to start again too often.
func (t *Table) Lookup(key uint32) (value uint32, found bool, err error) {
	v, o := t.get(Key(key))
	switch {
	case o == present:
		return uint32(v), true, nil
	case Key(key).Reserved():
		return 0, false, ErrKey
	case o == absent:
		return 0, false, nil
	}
	return 0, false, fmt.Errorf("get of key %v: %w", Key(key), o.err())
}

// get searches both halves.
func (t *Table) get(k Key) (Value, outcome) {
	if k.Reserved() {
		return 0, absent
	}
	h0, h1 := t.homes(k)
	return t.getAt(k, h0, h1)
}

// getAt is Get for a key that is not reserved, whose homes are known.
func (t *Table) getAt(k Key, h0, h1 uint32) (Value, outcome) {
	first, apart := spots(h0, h1)
	return t.getSpots(k, first, apart)
}

// getSpots is getAt for a key whose homes are there.
func (t *Table) getSpots(k Key, first, apart spot) (v Value, o outcome) {
	c, other := t.glance(k, first, apart)
	w := c.look()
	if !w.matches(k) {
		return t.getRest(k, first, apart, other, w)
	}
	if v, o = c.match(w); o == present {
		return v, o
	}
	return t.getEnd(k, likely(k, first, apart, other), apart, w, v, o)
}

// glance tells the home to look into first, c, and what it has seen of the home in half 1. There is no branch
// in it, because the processor would have to guess: which half a key is in is random, and a wrong guess waits
// for memory and throws away the gets that were begun meanwhile.
func (t *Table) glance(k Key, first, apart spot) (c *cell, other Word0) {
	all := t.all
	other = (first ^ apart).of(all).searchTouch()
	return likely(k, first, apart, other).of(all), other
}

// likely is the home to look into first when other was seen of the one in half 1: that one if the key seems
// to be there, else the one in half 0.
func likely(k Key, first, apart spot, other Word0) spot { return first ^ apart&other.Key().mask(k) }

// mask is all ones if the keys are equal, else 0.
func (k Key) mask(other Key) spot {
	_, equal := bits.Sub64(uint64(k^other), 1, 0)
	return -spot(equal)
}

// nearest is where the nearest of the members is. The members are inside the window.
func (h *half) nearest(home spot, members Map) spot {
	return spotOf(h.side&1, h.index(home.index(), members.First()))
}

// odd reports whether a search goes on by the general way after the look w at the likely home, which did not
// match: at a base in operation that has the key, and where a map is damaged.
func (t *Table) odd(k Key, w view, other Word0) bool {
	return other.Key() == k || (w.word0.members()|other.members())&t.halves[0].beyond != 0
}

// getRest goes on with a get after the look w at the likely home, which did not match. Each half has a
// straight run of its own: a loop over both took a twentieth longer, and for absent keys half as long again.
//
//go:noinline
func (t *Table) getRest(k Key, first, apart spot, other Word0, w view) (v Value, o outcome) {
	if t.odd(k, w, other) {
		return t.getSeen(k, likely(k, first, apart, other), apart, w)
	}
	last, m0, m1 := first^apart, w.word0.members(), other.members()
	if m0 != 0 {
		c := t.on(t.halves[0].nearest(first, m0))
		if m1 != 0 {
			t.on(t.halves[1].nearest(last, m1)).searchTouch()
		}
		word := c.searchMember()
		if v, o = c.take(k, word); o == present {
			return v, o
		}
		if o == absent {
			v, o = t.halves[0].searchMembersOn(first.index(), k, w, m0, c, word)
		}
		if o != absent {
			return t.getEnd(k, first, apart, w, v, o)
		}
	} else if !w.word0.silent() {
		return t.getSeen(k, first, apart, w)
	}
	if w = t.on(last).look(); m1 == 0 || w.word0 != other {
		return t.getLast(k, last, w)
	}
	c := t.on(t.halves[1].nearest(last, m1))
	word := c.searchMember()
	if v, o = c.take(k, word); o == present {
		return v, o
	}
	if o == absent {
		v, o = t.halves[1].searchMembersOn(last.index(), k, w, m1, c, word)
	}
	if o > present {
		return t.getOn(last, k, w, o)
	}
	return v, o
}

// take takes the value of a member whose word was read, if it is idle and has the key; else it is absent.
func (c *cell) take(k Key, word Word0) (Value, outcome) {
	if !word.isIdleMember(k) {
		return 0, absent
	}
	value := c.searchMemberValue()
	if c.searchMemberAgain() != word {
		return 0, restart
	}
	return value.Value(), present
}

// getSeen is the general way on after the look w at the home of the half that is searched first, at.
//
//go:noinline
func (t *Table) getSeen(k Key, at, apart spot, w view) (Value, outcome) {
	v, o := t.halves[at.half()].searchSeen(at.index(), k, w)
	return t.getEnd(k, at, apart, w, v, o)
}

// getEnd continues a get whose search of the half of at, whose home looked like w, has come to o.
func (t *Table) getEnd(k Key, at, apart spot, w view, v Value, o outcome) (Value, outcome) {
	if o > present {
		v, o = t.getOn(at, k, w, o)
	}
	if o != absent {
		return v, o
	}
	at ^= apart
	return t.getLast(k, at, t.on(at).look())
}

// getLast ends a get in the half that it searches last, after the look w at the home there.
func (t *Table) getLast(k Key, at spot, w view) (v Value, o outcome) {
	if !w.matches(k) && w.word0.silent() {
		return 0, absent
	}
	if v, o = t.halves[at.half()].searchSeen(at.index(), k, w); o > present {
		return t.getOn(at, k, w, o)
	}
	return v, o
}

// getOn continues a get in one half after a first look that did not end it.
func (t *Table) getOn(at spot, k Key, w view, o outcome) (Value, outcome) {
	s := search{mode: modeGet, key: k, place: place{at.half(), at.index()}, seen: w, outcome: o}
	t.goOn(&s)
	return s.value, s.outcome
}
