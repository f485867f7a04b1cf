package region

import (
	"fmt"
	"hash/fnv"
	"math"
)

// Fixed sizes, in bytes where nothing else is said. LayoutHash covers them.
const (
	LineBytes       = 64 // alignment of sections: one cache line
	WordBytes       = 8
	CellBytes       = 16 // two words
	RowBytes        = 32 // the cells of one index in both halves
	DescriptorBytes = 64 // eight words, one cache line
	ProcessBytes    = 64 // eight words, one cache line
	Processes       = 64 // entries of the process table
	HugePage        = 2 << 20
)

// Bounds of a Layout.
const (
	WindowMin      = 2
	WindowMax      = 32
	DescriptorsMin = 1
	DescriptorsMax = 4096
)

// Layout is the geometry of a region.
type Layout struct {
	CellsPerHalf uint32 // Window or more, any number
	Window       uint32 // cells that a base reaches, itself included: 2..32
	Descriptors  uint32 // 1..4096
	Homes        Homes  // where the two homes of a key are; zero is HomesNear
}

// Homes tells how far from one another the two home cells of a key are.
type Homes uint32

const (
	// HomesNear puts both into one cache line, chosen by different bits: looking for a key that is
	// in a home cell waits for memory once.
	HomesNear Homes = 1 + iota
	// HomesApart chooses them independently in the whole of each half. It is for programs that need
	// keys of certain homes, and to compare with: a full table hands elements over somewhat later.
	HomesApart
)

// String is the name in lower case.
func (h Homes) String() string {
	switch h {
	case HomesNear:
		return "near"
	case HomesApart:
		return "apart"
	}
	return fmt.Sprintf("homes%d", uint32(h))
}

// complete is l with the values that zero stands for.
func (l Layout) complete() Layout {
	if l.Homes == 0 {
		l.Homes = HomesNear
	}
	return l
}

// Check returns an ErrGeometry that names the first field out of bounds, or nil.
func (l Layout) Check() error { return l.check("") }

// check is Check of the layout of a region in that file, empty for one on the heap.
func (l Layout) check(file string) error {
	l = l.complete()
	bounds := []struct {
		name          string
		is, low, high uint32
	}{
		{"window", l.Window, WindowMin, WindowMax},
		{"cells per half", l.CellsPerHalf, max(l.Window, WindowMin), math.MaxUint32},
		{"descriptors", l.Descriptors, DescriptorsMin, DescriptorsMax},
		{"homes", uint32(l.Homes), uint32(HomesNear), uint32(HomesApart)},
	}
	for _, b := range bounds {
		if b.is < b.low || b.is > b.high {
			return &Error{Reason: ErrGeometry, File: file, Field: b.name, Found: fmt.Sprint(b.is),
				Want: fmt.Sprintf("%d..%d", b.low, b.high), Do: "choose a value within the bounds"}
		}
	}
	return nil
}

// String prints the geometry.
func (l Layout) String() string {
	return fmt.Sprintf("%d cells a half, window %d, descriptors %d, homes %v",
		l.CellsPerHalf, l.Window, l.Descriptors, l.complete().Homes)
}

// Section names one part of a region.
type Section uint8

// The sections, in the order of their offsets.
const (
	SectionHeader      Section = iota // geometry and identity of the region
	SectionProcesses                  // who is attached
	SectionCells                      // rows: the cells of one index in both halves, by index
	SectionDescriptors                // operation descriptors
	SectionBell                       // what wakes the services
	sectionCount
)

// sectionTable is the source of names, entry sizes and numbers of entries.
var sectionTable = [sectionCount]struct {
	name    string
	entry   uint64
	entries func(Layout) uint64
}{
	{"header", WordBytes, func(Layout) uint64 { return headerWords }},
	{"processes", ProcessBytes, func(Layout) uint64 { return Processes }},
	{"cells", RowBytes, func(l Layout) uint64 { return uint64(l.CellsPerHalf) }},
	{"descriptors", DescriptorBytes, func(l Layout) uint64 { return uint64(l.Descriptors) }},
	{"bell", LineBytes, func(Layout) uint64 { return 1 }},
}

// String is the section's name.
func (s Section) String() string {
	if s < sectionCount {
		return sectionTable[s].name
	}
	return fmt.Sprintf("section %d", uint8(s))
}

// CellWord is the index of the first word of a cell in SectionCells. Half is 0 or 1, cell an index
// in it. Two rows share a cache line.
func CellWord(half, cell uint32) int {
	return int(cell)*(RowBytes/WordBytes) + int(half&1)*(CellBytes/WordBytes)
}

// span is a range of bytes of the region.
type span struct{ offset, size uint64 }

// spans places the sections one after the other, each at a multiple of LineBytes, and gives the
// size of the whole. It cannot overflow: the largest geometry takes less than 2^38 bytes.
func (l Layout) spans() (spans [sectionCount]span, size uint64) {
	for i, s := range sectionTable {
		spans[i] = span{size, s.entry * s.entries(l)}
		size += (spans[i].size + LineBytes - 1) &^ (LineBytes - 1)
	}
	return spans, size
}

// Size is the number of bytes that a region of this geometry takes, a multiple of 64.
func (l Layout) Size() uint64 {
	_, size := l.spans()
	return size
}

// Offset of a section in bytes from the start of the region; Size for an unknown section.
func (l Layout) Offset(s Section) uint64 {
	spans, size := l.spans()
	if s < sectionCount {
		return spans[s].offset
	}
	return size
}

// LayoutHash is a fingerprint of the header's fields and of the sections' order, names and entry
// sizes. Builds that would read a region differently have different hashes; a change of the
// packed words inside an entry raises FormatVersion instead.
func LayoutHash() uint64 { return layoutHash(headerFields[:], fieldSection) }

// fieldSection describes section i for the hash.
func fieldSection(i int) string {
	return fmt.Sprintf("%s/%d", sectionTable[i].name, sectionTable[i].entry)
}

func layoutHash(fields []string, section func(int) string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "words %d line %d processes %d\n", headerWords, LineBytes, Processes)
	for i, name := range fields {
		fmt.Fprintf(h, "word %d %s\n", i, name)
	}
	for i := range sectionTable {
		fmt.Fprintf(h, "section %d %s\n", i, section(i))
	}
	return h.Sum64()
}
