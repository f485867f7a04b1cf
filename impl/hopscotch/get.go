package hopscotch

import (
	"fmt"
	"math/bits"
	"unsafe"
)

// Getting: both halves are searched for a key (search.go), beginning with the half in which it seems to be.
// S05, S06, S11, S15 to S18.
//
// The cost of a get depends on the number of instructions from one key to the next. A processor looks ahead
// over some hundreds of instructions, and loads the lines of all gets among these at the same time. Branches,
// calls, stores, and loads of a line that has not arrived yet, cost most. So the usual ways are short: that
// of an element in its home, and that of the nearest member of a bucket. The half with which a get begins is
// not guessed by a branch: it is computed from a glance at one home. A glance is a searchTouch, and only the
// order of the search depends on it.

// spot is the place of a cell, in bytes from the first cell.
type spot uintptr

const (
	halfShift = 4 // log2 of the bytes of a cell
	rowShift  = 5 // log2 of the bytes of a row
)

var (
	_ [1 << halfShift]byte = [unsafe.Sizeof(cell{})]byte{}
	_ [1 << rowShift]byte  = [RowBytes]byte{}
)

// spotOf is the spot of a cell of a half.
func spotOf(half, index uint32) spot { return spot(index)<<rowShift | spot(half)<<halfShift }

// half is the half of the cell.
func (s spot) half() uint32 { return uint32(s>>halfShift) & 1 }

// index is the index of the cell in its half.
func (s spot) index() uint32 { return uint32(s >> rowShift) }

// on is the cell of a spot. The spot must be one of the table; the spots of homes are, by the arithmetic that
// makes them.
func (t *Table) on(s spot) *cell { return s.of(t.all) }

// of is the cell of the spot among all cells of a table, for code that looks at two cells: after an atomic
// access the compiler assumes that the fields of the table have changed, and reads them again.
func (s spot) of(all []cell) *cell {
	return (*cell)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(all)), s))
}

// address is the place of a cell in memory. The first cell begins a line, so near homes differ in the same
// bits of their addresses as of their spots, and it takes fewer instructions to go from one to the other. An
// address keeps nothing alive, so no statement may end with one.
type address uintptr

// address is that of the cell.
func (c *cell) address() address { return address(unsafe.Pointer(c)) }

// cell is the one at an address, which must be that of a cell of the table. The check of pointers that comes
// with the race detector takes a pointer made of a number for one that leads nowhere, so it is off here.
//
//go:nocheckptr
func (a address) cell() *cell { return (*cell)(unsafe.Add(nil, a)) }

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
	x := halfMix(key) * lastFactor
	first = spot(x>>32*uint64(span)>>32) << rowShift
	return first, spot(x>>(31-rowShift))&(1<<rowShift) | 1<<halfShift
}

// Get returns the value of key, and whether key is in the table. It writes nothing, needs no handle and is
// lock-free: it starts again only when another actor has made a step. It reports a damaged table as one
// without the key; Lookup distinguishes the two, and its comment says what a death leaves undecided.
//
//go:nosplit
func (t *Table) Get(key uint32) (value uint32, ok bool) {
	// Each line with a call that is inlined does something by itself, too (search_steps.go). The callees look
	// whether the stack is large enough.
	if key-1 >= t.direct {
		v, o := t.get(Key(key))
		return uint32(v), o == present
	}
	k := Key(key)
	first, apart := nearSpots(key, t.span)
	home := first.of(t.all)
	other, seen := (home.address() ^ address(apart)).cell().searchTouch()
	c := (home.address() ^ address(apart&k.mask(seen))).cell()
	if version := c.searchVersion(); !version.settled() {
		v, o := t.getUnsettled(k, first^apart&k.mask(seen), apart, version)
		return uint32(v), o == present
	} else if word, found := c.searchBase(); found != k || !word.idle() {
		v, o := t.getRest(k, first, apart, other, view{word, version})
		return uint32(v), o == present
	} else if !c.searchVersionAgain(version) {
		v, o := t.getEnd(k, first^apart&k.mask(seen), apart, view{word, version}, 0, restart)
		return uint32(v), o == present
	} else {
		return uint32(version.Value()), true
	}
}

// Lookup is Get with an error: ErrKey for a reserved key, ErrCorrupt if it met a word that no step of the
// protocol writes, ErrBusy if it had to start again too often.
//
// If a process has died in the middle of an add, the key may be absent in one Lookup and present in a later
// one, because another actor has finished the add in between. The call of the dead process never returned, so
// it may take effect at any later time, or never. A lookup finishes nothing. A program that needs a final
// answer first calls, with a handle, [Handle.Reclaim] (for all processes that are known to be dead),
// [Handle.Restore] of the key, or [Handle.RestoreAll].
func (t *Table) Lookup(key uint32) (value uint32, found bool, err error) {
	if t.all == nil {
		return 0, false, fmt.Errorf("get of key %v: %w", Key(key), ErrZero)
	}
	v, o := t.get(Key(key))
	switch {
	case o == present:
		return uint32(v), true, nil
	case Key(key).Reserved():
		return 0, false, fmt.Errorf("get of key %v: %w", Key(key), ErrKey)
	case o == absent:
		return 0, false, nil
	}
	return 0, false, fmt.Errorf("get of key %v: %w", Key(key), o.err())
}

// get searches both halves.
func (t *Table) get(k Key) (Value, outcome) {
	if t.mustBeMade("get"); k.Reserved() {
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

// getSpots is getAt for a key whose homes are there. Get has a copy of this code by hand. With a call of
// this function, which is too large to be inlined, the next get begins later, and a get that hits takes
// 1.07 of its user time (2^20 keys, load 0.5, 40 million gets, median of 5 paired runs).
func (t *Table) getSpots(k Key, first, apart spot) (Value, outcome) {
	all := t.all
	other, seen := (first ^ apart).of(all).searchTouch()
	at := first ^ apart&k.mask(seen)
	c := at.of(all)
	if version := c.searchVersion(); !version.settled() {
		return t.getUnsettled(k, at, apart, version)
	} else if word, found := c.searchBase(); found != k || !word.idle() {
		return t.getRest(k, first, apart, other, view{word, version})
	} else if !c.searchVersionAgain(version) {
		return t.getEnd(k, at, apart, view{word, version}, 0, restart)
	} else {
		return version.Value(), present
	}
}

// mask is all ones if the keys are equal, and 0 otherwise. With it a get chooses the likely home of a key, at
// which it looks first: the home in half 1 if a touch saw the key there, and otherwise that in half 0. It has
// no branch, because the processor would have to guess: a key is in either half at random. After a wrong
// guess the processor waits for memory and discards the gets that it had begun.
func (k Key) mask(other Key) spot {
	_, equal := bits.Sub64(uint64(k^other), 1, 0)
	return -spot(equal)
}

// nearest is the nearest of the members of a home.
func (t *Table) nearest(half uint32, home spot, members Map) *cell {
	return t.on(spotOf(half, t.halves[half&1].index(home.index(), members.First())))
}

// getRest continues a get after the look w at the likely home, which did not match. If that home has no
// members, and the home in half 1 had none when it was seen as other, half 1 comes next. Otherwise it looks
// at the nearest member of half 0. If the key seems to be at the nearest member of half 1, it begins again
// with half 1. These ways have no loops; everything else takes the general way.
//
//go:noinline
func (t *Table) getRest(k Key, first, apart spot, other Word0, w view) (Value, outcome) {
	last := first ^ apart
	if other.Key() == k {
		return t.getSeen(k, last, apart, w)
	}
	if other.members() == 0 && w.word0.bare() {
		if w = t.on(last).look(); w.word0.bare() && w.word0 != BaseWord(k, 0) {
			return 0, absent
		}
		return t.getSecond(k, last, w)
	}
	var c *cell
	var word Word0
	if members := w.word0.members(); members != 0 {
		c = t.nearest(0, first, members)
		if word = c.searchMember(); word.isIdleMember(k) {
			if value := c.searchMemberValue(); c.searchMemberAgain(word) {
				return value.Value(), present
			}
			return t.getEnd(k, first, apart, w, 0, restart)
		}
	}
	if members := other.members(); members != 0 {
		c := t.nearest(1, last, members)
		if seen, _ := c.searchTouch(); seen.isIdleMember(k) {
			return t.getTurned(k, last, apart, other, c)
		}
	}
	if c == nil {
		return t.getSeen(k, first, apart, w)
	}
	return t.getMember(k, first, apart, w, c, word)
}

// getSecond is the general way for a key that is not in the half that was searched first, after the look w at
// the home in the other half, at.
//
//go:noinline
func (t *Table) getSecond(k Key, at spot, w view) (v Value, o outcome) {
	if v, o = t.halves[at.half()].searchSeen(at.index(), k, w); o > present {
		return t.getOn(at, k, w, o)
	}
	return v, o
}

// getTurned begins a get again at the home last, which was seen as other, and whose nearest member c seems to
// be the element.
func (t *Table) getTurned(k Key, last, apart spot, other Word0, c *cell) (Value, outcome) {
	w := t.on(last).look()
	if w.word0 != other {
		return t.getSeen(k, last, apart, w)
	}
	word := c.searchMember()
	if !word.isIdleMember(k) {
		return t.getMember(k, last, apart, w, c, word)
	}
	if value := c.searchMemberValue(); c.searchMemberAgain(word) {
		return value.Value(), present
	}
	return t.getEnd(k, last, apart, w, 0, restart)
}

// getMember goes on with a get after the look w at the home at, whose nearest member c was read as word.
//
//go:noinline
func (t *Table) getMember(k Key, at, apart spot, w view, c *cell, word Word0) (Value, outcome) {
	v, o := t.halves[at.half()].searchMembersOn(at.index(), k, w, w.word0.Map(), c, word)
	return t.getEnd(k, at, apart, w, v, o)
}

// getUnsettled is the general way on from the likely home at, which has a version that is not settled.
//
//go:noinline
func (t *Table) getUnsettled(k Key, at, apart spot, version Word1) (Value, outcome) {
	word, _ := t.on(at).searchBase()
	return t.getSeen(k, at, apart, view{word, version})
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
	return t.getSecond(k, at, t.on(at).look())
}

// getOn continues a get in one half after a first look that did not end it.
func (t *Table) getOn(at spot, k Key, w view, o outcome) (Value, outcome) {
	s := search{mode: modeGet, key: k, place: place{at.half(), at.index()}, seen: w, outcome: o}
	t.goOn(&s)
	return s.value, s.outcome
}
