package hopscotch

import (
	"errors"
	"fmt"
	"math/bits"
	_ "sync/atomic" // Not used, but without it no access of seam's types is inlined: half the speed.
	"unsafe"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// Each failure of this package wraps one of these.
var (
	ErrKey     = errors.New("key is reserved: use 1..0xFFFFFFFE")
	ErrValue   = errors.New("value is 0, which means none: use another value")
	ErrCorrupt = errors.New("table is damaged: verify the region and create it anew")
	ErrBusy    = errors.New("table does not hold still: verify the region, or try again")
	ErrHandles = errors.New("descriptors are all taken: close a handle or use a larger region")
	ErrOwner   = errors.New("no number of an owner: use 1..0xFFFFFFFF")
	ErrClosed  = errors.New("handle is closed: make a new one")
	ErrHomes   = errors.New("prepared for a table of another geometry: prepare it with this one")
	ErrBatch   = errors.New("batch has slices of different lengths: make them as long as the keys")
)

// patience bounds how often an operation starts again. Starting again means that another actor
// has made a step, so a sound table is far from it; garbage in memory is not.
const patience = 1 << 20

// cell is one place for an element.
type cell struct {
	word0 seam.Uint64 // Word0: key and control bits
	word1 seam.Uint64 // Word1: value, frozen, version
}

// descriptor is the public record of one operation, so that anybody can finish it.
type descriptor struct {
	head   seam.Uint64 // Head; it, the next three and source do not change within a generation
	pair   seam.Uint64 // Pair
	plan   seam.Uint64 // Plan
	expect seam.Uint64 // Word1
	target seam.Uint64 // Target: the progress
	owner  seam.Uint64 // Owner: who has the handle, 0 for nobody
	source seam.Uint64 // Source
	spare  seam.Uint64
}

var (
	_ [CellWords * 8]byte       = [unsafe.Sizeof(cell{})]byte{}
	_ [region.RowBytes]byte     = [unsafe.Sizeof(row{})]byte{}
	_ [DescriptorWords * 8]byte = [unsafe.Sizeof(descriptor{})]byte{}
)

// row is the cells of one index in half 0 and in half 1. Two rows share a cache line, which is where
// near homes are.
type row [2]cell

// Table is one actor's or one process's view of the table in a region. It holds no state of its
// own: any number of tables may be made of one region, in any number of processes.
//
// Its methods may be called by any number of goroutines at once.
type Table struct {
	halves      [2]half
	descriptors []descriptor
	rows        []row  // both halves
	all         []cell // the same: cell i of a half is 2i + half
	cells       uint32
	span        uint32 // how many rows can be homes; even where homes are near
	window      uint32
	front       uint32 // a hole below that offset of a window will do
	reach       uint32 // how far from its home an add looks for members that can move
	near        bool   // the homes of a key are in one row, or in two that share a line
	patience    int
	keepAll     bool
	refs        RefLayout
	older       func(a, b uint32) bool
	tie         func() uint32 // nil: a random bit
	alive       func(Owner) bool
	region      *region.Region // for print and check; keeps the memory alive
}

// Region is where the table is.
func (t *Table) Region() *region.Region { return t.region }

// Options belong to a view of the table: each view may have its own. The zero value is for most.
type Options struct {
	// KeepAll lets an add that finds no place be Full, with nothing changed. Without it the add makes
	// room: it moves members of other buckets within their windows, and if nothing can move, the oldest
	// element of its own bucket leaves the table (Handle.Left).
	KeepAll bool
	// Older tells whether the element with the value a is older than the one with the value b. The
	// age of an element is in the record that its value names, or in the value itself. It may be
	// asked about any value, also one that has just left the table. nil: the smaller value is older.
	Older func(a, b uint32) bool
	// Tie gives the bit that chooses the half for a new element when both have as many; the other bits
	// are ignored. It is called by all goroutines that add. nil: the half that is easier to use, else a
	// random bit, of the runtime's generator. A program that must run the same way twice, or has bits
	// of its own, gives them here.
	Tie func() uint32
	// Patience bounds how often a call starts again before it ends with ErrBusy. Starting again means
	// that another actor has made a step, or that the table is damaged. Fewer make a call on a damaged
	// table end sooner; too few for what others do make calls on a sound one fail, and the handle of
	// an operation that was not finished is of no use any more. Below 1: 2^20, which takes seconds.
	Patience int
	// Alive tells whether an owner of a descriptor can still make a step: once it says no, that
	// owner never moves again. nil: as the process table of the region says. On the heap all owners
	// are alive, so a program that gives its actors up says so here.
	Alive func(Owner) bool
}

// New gives the table in r, with the options that are zero. Every index that it will ever use is
// bounded by the geometry of r, as checked when r was attached. A region whose bytes are zero is
// an empty table. The table ends with the Close of r. Errors: those of [region.Region.Section].
func New(r *region.Region) (*Table, error) { return NewWith(r, Options{}) }

// NewWith is New with other options.
func NewWith(r *region.Region, o Options) (*Table, error) {
	t := &Table{region: r, cells: r.Layout().CellsPerHalf, window: r.Layout().Window,
		near: r.Layout().Homes == region.HomesNear, refs: RefLayoutOf(r.Layout().Descriptors),
		patience: o.Patience, keepAll: o.KeepAll, older: o.Older, tie: o.Tie, alive: o.Alive}
	if t.patience < 1 {
		t.patience = patience
	}
	if t.older == nil {
		t.older = func(a, b uint32) bool { return a < b }
	}
	t.span = spanOf(r.Layout())
	t.front = frontOf(t.window, t.cells)
	t.reach = min(reachWindows*t.window, t.cells)
	words, err := r.Section(region.SectionCells)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	t.rows = unsafe.Slice((*row)(unsafe.Pointer(unsafe.SliceData(words))), len(words)/(2*CellWords))
	t.all = unsafe.Slice((*cell)(unsafe.Pointer(unsafe.SliceData(words))), len(words)/CellWords)
	for i := range t.halves {
		t.halves[i] = newHalf(t.rows, uint32(i), t.window)
	}
	if words, err = r.Section(region.SectionDescriptors); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	first := (*descriptor)(unsafe.Pointer(unsafe.SliceData(words)))
	t.descriptors = unsafe.Slice(first, len(words)/DescriptorWords)
	return t, nil
}

// randomHalf breaks a tie.
func (t *Table) randomHalf() uint32 {
	if t.tie != nil {
		return t.tie() & 1
	}
	return seam.RandomBit()
}

// beyondWindow has the bits of all offsets from window (2..32) on.
func beyondWindow(window uint32) Map { return Map(^uint32(0) << (window - 1) << 1) }

// Layout is the geometry of the table.
func (t *Table) Layout() region.Layout { return t.region.Layout() }

// RefLayout tells how the references in the cells of this table are split.
func (t *Table) RefLayout() RefLayout { return t.refs }

// Get returns the value of key, and whether key is in the table. It writes nothing, needs no
// handle and is lock-free: it starts again only when another actor has made a step. A damaged
// table reads as one without the key; Lookup tells the difference.
func (t *Table) Get(key uint32) (value uint32, ok bool) {
	k := Key(key)
	if k.Reserved() || !t.near {
		v, o := t.get(k)
		return uint32(v), o == present
	}
	h0, h1 := homesNear(key, t.span)
	cells := t.all
	at := likely(cells, k, h0, h1)
	c, o := &cells[at], absent
	w := c.look()
	if w.matches(k) {
		again := c.searchVersionAgain()
		if again == w.word1 && w.word1.settled() {
			return uint32(w.word1.Value()), true
		}
		o = w.mismatch(again)
	} else if w.word0.silent() {
		at = otherHome(h0, h1, at)
		if w = cells[at].look(); !w.matches(k) && w.word0.silent() {
			return 0, false
		}
		v, o := t.getLast(k, at, w)
		return uint32(v), o == present
	}
	v, o := t.getRest(k, h0, h1, at, w, o)
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
	at := likely(t.all, k, h0, h1)
	c, o := &t.all[at], absent
	w := c.look()
	if w.matches(k) {
		v := Value(0)
		if v, o = c.match(w); o == present {
			return v, o
		}
	}
	return t.getRest(k, h0, h1, at, w, o)
}

// likely is the home to look into first, as index in both halves: that of half 1 if the key seems to
// be there, else that of half 0. It is computed without a branch, because the processor would have
// to guess it: which half a key is in is random, and a wrong guess waits for memory and throws away
// the gets that were begun meanwhile. Nothing but the order rests on what is read here.
func likely(all []cell, k Key, h0, h1 uint32) uint64 {
	first, second := 2*uint64(h0), 2*uint64(h1)+1
	_, equal := bits.Sub64(uint64(all[second].searchTouch().Key()^k), 1, 0)
	return first ^ (first^second)&-equal
}

// getRest continues a get after the first look, at the home with the index at, which has not found
// the key there: o is what came of a match, absent if there was none.
//
//go:noinline
func (t *Table) getRest(k Key, h0, h1 uint32, at uint64, w view, o outcome) (Value, outcome) {
	if o != absent || !w.word0.silent() {
		half, home, v := uint32(at&1), uint32(at>>1), Value(0)
		if o == absent {
			v, o = t.halves[half].searchRest(home, k, w)
		}
		if o > present {
			v, o = t.getOn(place{half, home}, k, w, o)
		}
		if o != absent {
			return v, o
		}
	}
	at = otherHome(h0, h1, at)
	if w = t.all[at].look(); !w.matches(k) && w.word0.silent() {
		return 0, absent
	}
	return t.getLast(k, at, w)
}

// otherHome is the index of the home besides that with the index at.
func otherHome(h0, h1 uint32, at uint64) uint64 { return 2*uint64(h0) ^ (2*uint64(h1) + 1) ^ at }

// getLast continues a get after the look at the second home.
//
//go:noinline
func (t *Table) getLast(k Key, at uint64, w view) (Value, outcome) {
	half, home := uint32(at&1), uint32(at>>1)
	v, o := t.halves[half].searchSeen(home, k, w)
	if o > present {
		return t.getOn(place{half, home}, k, w, o)
	}
	return v, o
}

// getOn continues a get in one half after a first look that did not end it.
func (t *Table) getOn(at place, k Key, w view, o outcome) (Value, outcome) {
	s := search{mode: modeGet, key: k, place: at, seen: w, outcome: o}
	t.goOn(&s)
	return s.value, s.outcome
}
