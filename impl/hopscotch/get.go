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
// What a get costs is how many instructions there are from one key to the next: a processor looks some
// hundreds of them ahead, and the lines that the gets among these need are under way at once. So the
// usual ways are short: of an element that stands in its home, and of the nearest member of a bucket. And
// they guess next to nothing that rests on memory: what a glance at a cell reads is computed with, and
// tells where to look. Nothing but the order rests on a glance; the search reads all of it again.

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
	k := Key(key)
	if k.Reserved() || !t.near {
		v, o := t.get(k)
		return uint32(v), o == present
	}
	first, apart := nearSpots(key, t.span)
	at, c, seen, other := t.glance(k, first, apart)
	if !seen.isBase(k) {
		v, o := t.getRest(k, first, apart, seen, other)
		return uint32(v), o == present
	}
	version := c.searchVersion() // look, without a call
	word := c.searchBase()
	w, o := view{word, version}, absent
	if word == seen {
		again := c.searchVersionAgain()
		if again == version && version.settled() {
			return uint32(version.Value()), true
		}
		o = w.mismatch(again)
	}
	v, o := t.getFrom(k, at, apart, w, o)
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
	at, c, seen, other := t.glance(k, first, apart)
	if !seen.isBase(k) {
		return t.getRest(k, first, apart, seen, other)
	}
	w := c.look()
	o = absent
	if w.matches(k) {
		if v, o = c.match(w); o == present {
			return v, o
		}
	}
	return t.getFrom(k, at, apart, w, o)
}

// glance tells the home to look into first: that in half 1 if the key seems to be there, else that in
// half 0; and what it has seen of it, and of the home in half 1. The home is computed without a branch,
// because the processor would have to guess it: which half a key is in is random, and a wrong
// guess waits for memory and throws away the gets that were begun meanwhile.
func (t *Table) glance(k Key, first, apart spot) (at spot, c *cell, seen, other Word0) {
	all := t.all
	other = (first ^ apart).of(all).searchTouch()
	at = first ^ apart&other.Key().mask(k)
	c = at.of(all)
	return at, c, c.searchTouch(), other
}

// mask is all ones if the keys are equal, else 0.
func (k Key) mask(other Key) spot {
	_, equal := bits.Sub64(uint64(k^other), 1, 0)
	return -spot(equal)
}

// nearest looks at the home in which a key seems to be that is in neither of its homes, of which seen and
// other were seen, and at the nearest member there: c with that word. There is no c when there are no
// members, or the home has changed since; then the search goes on after the look w.
//
// Where the key seems to be, glances at the nearest members of both homes tell. That is computed without a
// branch, too: a home that has no members is its own nearest one.
func (t *Table) nearest(k Key, first, apart spot, seen, other Word0) (at spot, w view, c *cell, word Word0) {
	h, members := &t.halves, seen.members()|other.members()
	if members == 0 || members&h[0].beyond != 0 || other.Key() == k {
		at = first ^ apart&other.Key().mask(k)
		return at, t.on(at).look(), nil, 0
	}
	m0 := spotOf(0, h[0].index(first.index(), seen.members().First()))
	m1 := spotOf(1, h[1].index((first^apart).index(), other.members().First()))
	t.on(m0).searchTouch()
	mask := t.on(m1).searchTouch().Key().mask(k)
	at = first ^ apart&mask
	home := seen ^ (seen^other)&Word0(mask)
	if w = t.on(at).look(); w.word0 != home || home.members() == 0 {
		return at, w, nil, 0
	}
	c = t.on(m0 ^ (m0^m1)&mask)
	return at, w, c, c.searchMember()
}

// getRest is a get of a key that seems to be in neither of its homes.
//
//go:noinline
func (t *Table) getRest(k Key, first, apart spot, seen, other Word0) (Value, outcome) {
	at, w, c, word := t.nearest(k, first, apart, seen, other)
	switch {
	case c == nil:
		return t.getFrom(k, at, apart, w, absent)
	case word.isIdleMember(k):
		if value := c.searchMemberValue(); c.searchMemberAgain() == word {
			return value.Value(), present
		}
		return t.getEnd(k, at, apart, w, 0, restart)
	}
	v, o := t.halves[at.half()].searchMembersOn(at.index(), k, w, w.word0.Map(), c, word)
	return t.getEnd(k, at, apart, w, v, o)
}

// getFrom continues a get after the look w at the home at: o is what came of a match, absent if there
// was none.
func (t *Table) getFrom(k Key, at, apart spot, w view, o outcome) (v Value, _ outcome) {
	if o == absent && (w.matches(k) || !w.word0.silent()) {
		v, o = t.halves[at.half()].searchSeen(at.index(), k, w)
	}
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
	if w = t.on(at).look(); !w.matches(k) && w.word0.silent() {
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
