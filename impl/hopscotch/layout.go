package hopscotch

import (
	"fmt"
	"math"

	"github.com/samecycle/samecycle/impl/region"
)

// FormatVersion is increased whenever a word of the table changes its meaning, or an element its place.
const FormatVersion = 8

// Engine is the name of the table's part of a region. Its sections are SectionCells and SectionDescriptors.
const (
	Engine             = "hopscotch"
	SectionCells       = "cells"       // rows: the cells of one index in both halves, by index
	SectionDescriptors = "descriptors" // descriptors of operations
)

// Names of the parameters of the table's part of a region.
const (
	paramCells       = "cells per half"
	paramWindow      = "window"
	paramDescriptors = "descriptors"
	paramHomes       = "homes"
)

// Sizes in bytes.
const (
	CellBytes       = CellWords * region.WordBytes
	RowBytes        = 2 * CellBytes                      // the cells of one index in both halves
	DescriptorBytes = DescriptorWords * region.WordBytes // one cache line
)

// Bounds of a Layout, below. WindowMax and DescriptorsMax are those above.
const (
	WindowMin      = 2
	DescriptorsMin = 1
)

// Layout is the geometry of a table. Heap, Create and OpenOrCreate make a region of it, and so does any
// function of package region that takes its Region.
type Layout struct {
	CellsPerHalf uint32    // Window or more, any number
	Window       uint32    // cells that a base reaches, itself included: 2..32
	Descriptors  uint32    // 1..4096
	Homes        Placement // where the two homes of a key are; zero is HomesNear
}

// Placement says how far apart the two home cells of a key are.
type Placement uint32

const (
	// HomesNear puts both homes into one cache line, chosen by different bits of the hash. So a search for a
	// key that is in a home cell waits for memory only once.
	HomesNear Placement = 1 + iota
	// HomesApart chooses them independently in the whole of each half. It is for programs that need keys with
	// given homes, and for comparisons: a full table hands elements over somewhat later.
	HomesApart
)

// String is the name in lower case.
func (p Placement) String() string {
	switch p {
	case HomesNear:
		return "near"
	case HomesApart:
		return "apart"
	}
	return fmt.Sprintf("homes%d", uint32(p))
}

// complete is l with the values that zero stands for.
func (l Layout) complete() Layout {
	if l.Homes == 0 {
		l.Homes = HomesNear
	}
	return l
}

// Check returns a region.Error of region.ErrGeometry that names the first field out of bounds, or nil.
func (l Layout) Check() error { return l.check("") }

// check is Check of the layout of a table in that file, empty for one on the heap.
func (l Layout) check(file string) error {
	l = l.complete()
	bounds := []struct {
		name          string
		is, low, high uint32
	}{
		{paramWindow, l.Window, WindowMin, WindowMax},
		{paramCells, l.CellsPerHalf, max(l.Window, WindowMin), math.MaxUint32},
		{paramDescriptors, l.Descriptors, DescriptorsMin, DescriptorsMax},
		{paramHomes, uint32(l.Homes), uint32(HomesNear), uint32(HomesApart)},
	}
	for _, b := range bounds {
		if b.is < b.low || b.is > b.high {
			return &region.Error{Reason: region.ErrGeometry, File: file, Field: b.name,
				Found: fmt.Sprint(b.is),
				Want:  fmt.Sprintf("%d..%d", b.low, b.high), Do: "choose a value within the bounds"}
		}
	}
	return nil
}

// String prints the geometry.
func (l Layout) String() string {
	return fmt.Sprintf("%d cells a half, window %d, descriptors %d, homes %v",
		l.CellsPerHalf, l.Window, l.Descriptors, l.complete().Homes)
}

// Part is the table's part of a region of this layout, which Check accepts.
func (l Layout) Part() region.Part {
	l = l.complete()
	p := l.wanted()
	p.Sections = []region.Section{
		{Name: SectionCells, Bytes: uint64(l.CellsPerHalf) * RowBytes, Align: region.LineBytes},
		{Name: SectionDescriptors, Bytes: uint64(l.Descriptors) * DescriptorBytes, Align: region.LineBytes},
	}
	return p
}

// wanted is the part that the region of a table must have. A zero of l accepts any value.
func (l Layout) wanted() region.Part {
	return region.Part{Engine: Engine, Version: FormatVersion, Params: []region.Param{
		{Name: paramCells, Value: uint64(l.CellsPerHalf)}, {Name: paramWindow, Value: uint64(l.Window)},
		{Name: paramDescriptors, Value: uint64(l.Descriptors)}, {Name: paramHomes, Value: uint64(l.Homes)}}}
}

// Region is the layout of a region with a table of this layout and nothing else.
func (l Layout) Region() region.Layout { return region.Layout{l.Part()} }

// CellWord is the index of the first word of a cell in SectionCells. Half is 0 or 1, cell an index
// in it. Two rows share a cache line.
func CellWord(half, cell uint32) int { return (int(cell)*2 + int(half&1)) * CellWords }

// LayoutOf is the checked geometry of the table in r: each number is within its bounds, and the sections have
// the sizes that it needs. Errors: region.ErrLayout (no table, or a table of another version),
// region.ErrHeader, region.ErrNil.
func LayoutOf(r *region.Region) (Layout, error) {
	bad := func(reason error, field, found, want, do string) (Layout, error) {
		return Layout{}, &region.Error{Reason: reason, File: r.File(), Field: field, Found: found,
			Want: want, Do: do}
	}
	const anew = "unlink it and create it anew"
	if r == nil {
		return Layout{}, &region.Error{Reason: region.ErrNil, Field: "region", Found: "nil",
			Want: "one that is open", Do: "make or open one"}
	}
	all := r.Layout()
	p, ok := all.Part(Engine)
	if !ok {
		return bad(region.ErrLayout, "engine", all.String(), Engine,
			"open a region that has a table, or create one")
	}
	if p.Version != FormatVersion {
		return bad(region.ErrLayout, "version of "+Engine, fmt.Sprint(p.Version), fmt.Sprint(FormatVersion),
			"it was created by another build: use that build, or "+anew)
	}
	l := Layout{CellsPerHalf: paramOf(p, paramCells), Window: paramOf(p, paramWindow),
		Descriptors: paramOf(p, paramDescriptors), Homes: Placement(paramOf(p, paramHomes))}
	const damaged = "the file is damaged: " + anew
	if err := l.check(r.File()); err != nil {
		e := *err.(*region.Error)
		e.Reason, e.Do = region.ErrHeader, damaged
		return Layout{}, &e
	}
	want := l.Part()
	for _, x := range want.Params { // homes of zero, and bits beyond 32
		if value, ok := p.Param(x.Name); !ok || value != x.Value {
			return bad(region.ErrHeader, x.Name, fmt.Sprint(value), fmt.Sprint(x.Value), damaged)
		}
	}
	for _, x := range want.Sections {
		if s, _ := p.Section(x.Name); s.Bytes != x.Bytes {
			return bad(region.ErrHeader, "size of section "+x.Name, fmt.Sprint(s.Bytes), fmt.Sprint(x.Bytes),
				damaged)
		}
	}
	return l, nil
}

// paramOf is a parameter as a number of 32 bits; one that is not there is 0, and a larger one the largest.
func paramOf(p region.Part, name string) uint32 {
	value, _ := p.Param(name)
	return uint32(min(value, math.MaxUint32))
}

// Heap makes a region for a table of one process; see region.Heap. Errors: region.ErrGeometry, and those of
// region.Heap.
func Heap(l Layout) (*region.Region, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	return region.Heap(l.Region())
}

// Create makes a region file for a table; see region.Create. Errors: region.ErrGeometry, and those of
// region.Create.
func Create(path string, l Layout) (*region.Region, error) {
	if err := l.check(path); err != nil {
		return nil, err
	}
	return region.Create(path, l.Region())
}

// OpenOrCreate opens the region of a table, or creates it if there is none; see region.OpenOrCreate. An
// existing table must have this layout. Errors: region.ErrGeometry, and those of region.OpenOrCreate.
func OpenOrCreate(path string, l Layout) (r *region.Region, created bool, err error) {
	if err := l.check(path); err != nil {
		return nil, false, err
	}
	return region.OpenOrCreate(path, l.Region())
}

// Open attaches to the region file of a table; see region.Open. If a field of want is zero, any value of the
// table is accepted. Errors: those of region.Open.
func Open(path string, want Layout) (*region.Region, error) {
	return region.Open(path, region.Layout{want.wanted()})
}
