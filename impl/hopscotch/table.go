package hopscotch

import (
	"errors"
	"fmt"
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
	ErrBusy    = errors.New("call needs more retries than its limit: try again, or verify the region")
	ErrHandles = errors.New("descriptors are all taken: close a handle or use a larger region")
	ErrOwner   = errors.New("owner number is out of range: use 1..0xFFFFFFFF")
	ErrClosed  = errors.New("handle is closed: make a new one")
	ErrHomes   = errors.New("prepared for a table of another geometry: prepare it with this one")
	ErrBatch   = errors.New("batch has slices of different lengths: make them as long as the keys")
	ErrZero    = errors.New("nil or a zero value: make a table with New, and its handles with NewHandle")
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
	_ [RowBytes]byte            = [unsafe.Sizeof(row{})]byte{}
	_ [DescriptorWords * 8]byte = [unsafe.Sizeof(descriptor{})]byte{}
)

// row is the cells of one index in half 0 and in half 1. Two rows share a cache line, which is where
// near homes are.
type row [2]cell

// Table is one view of the table in a region. It holds no state of its own: a region can have any number of
// views, in any number of processes.
//
// Any number of goroutines may call its methods at once.
type Table struct {
	halves      [2]half
	descriptors []descriptor
	rows        []row  // both halves
	all         []cell // the same: cell i of a half is 2i + half
	cells       uint32
	span        uint32 // how many rows can be homes; even where homes are near
	direct      uint32 // keys 1 to direct take the short way; none where homes are apart, or without New
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

// Options belong to a view of the table: each view may have its own. The zero value suits most programs.
type Options struct {
	// KeepAll makes an add that finds no place return Full, and nothing is changed. Without it the add makes
	// room: it moves members of other buckets within their windows; if nothing can move, the oldest element
	// of its own bucket leaves the table (Handle.Left).
	KeepAll bool
	// Older tells whether the element with the value a is older than the one with the value b. The
	// age of an element is in the record that its value names, or in the value itself. It may be
	// asked about any value, also one that has just left the table. nil: the smaller value is older.
	Older func(a, b uint32) bool
	// Tie returns the bit that chooses the half for a new element if both halves have as many members; the
	// other bits are ignored. All goroutines that add call it. nil: the half that is easier to use, or else
	// a random bit of the runtime's generator. Set it if the program must run the same way twice.
	Tie func() uint32
	// Patience bounds how often a call starts again before it ends with ErrBusy. Starting again means that
	// another actor has made a step, or that the table is damaged. With a smaller number a call on a
	// damaged table ends sooner. If the number is too small for what other actors do, calls on a sound
	// table fail, and the handle of an operation that was not finished cannot be used any more. Below 1:
	// 2^20, which takes seconds.
	Patience int
	// Alive reports whether an owner of a descriptor can still make a step. Once it has returned false, that
	// owner must never make a step again. nil: the process table of the region decides. On the heap all
	// owners are alive, so set Alive if the program abandons actors.
	Alive func(Owner) bool
}

// New returns the table in r, with the default options. Every index that it will ever use is bounded by the
// geometry of r, which is checked here. A region whose bytes are zero is an empty table. The table ends with
// the Close of r. Errors: those of LayoutOf and of [region.Region.Section].
//
// A Table or a Handle that was not made by New or NewHandle cannot be used: its calls return ErrZero, or
// panic with an explanation if they have no error.
func New(r *region.Region) (*Table, error) { return NewWith(r, Options{}) }

// NewWith is New with options.
func NewWith(r *region.Region, o Options) (*Table, error) {
	l, err := LayoutOf(r)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	t := &Table{region: r, cells: l.CellsPerHalf, window: l.Window,
		near: l.Homes == HomesNear, refs: RefLayoutOf(l.Descriptors),
		patience: o.Patience, keepAll: o.KeepAll, older: o.Older, tie: o.Tie, alive: o.Alive}
	if t.patience < 1 {
		t.patience = patience
	}
	if t.older == nil {
		t.older = func(a, b uint32) bool { return a < b }
	}
	if t.near {
		t.direct = 1<<32 - 2
	}
	t.span = spanOf(l)
	t.front = frontOf(t.window, t.cells)
	t.reach = min(reachWindows*t.window, t.cells)
	words, err := r.Section(Engine, SectionCells)
	var descriptors region.Words
	if err == nil {
		descriptors, err = r.Section(Engine, SectionDescriptors)
	}
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	t.rows = unsafe.Slice((*row)(unsafe.Pointer(unsafe.SliceData(words))), len(words)/(2*CellWords))
	t.all = unsafe.Slice((*cell)(unsafe.Pointer(unsafe.SliceData(words))), len(words)/CellWords)
	for i := range t.halves {
		t.halves[i] = newHalf(t.rows, uint32(i), t.window)
	}
	first := (*descriptor)(unsafe.Pointer(unsafe.SliceData(descriptors)))
	t.descriptors = unsafe.Slice(first, len(descriptors)/DescriptorWords)
	return t, nil
}

// made is ErrZero for a table that New has not made.
func (t *Table) made() error {
	if t == nil || t.rows == nil {
		return ErrZero
	}
	return nil
}

// mustBeMade panics for a table that New has not made, in a call that has no error.
func (t *Table) mustBeMade(what string) {
	if err := t.made(); err != nil {
		panic("hopscotch: " + what + ": " + err.Error())
	}
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
func (t *Table) Layout() Layout {
	l := Layout{t.cells, t.window, uint32(len(t.descriptors)), HomesApart}
	if t.near {
		l.Homes = HomesNear
	}
	return l
}

// RefLayout tells how the references in the cells of this table are split.
func (t *Table) RefLayout() RefLayout { return t.refs }
