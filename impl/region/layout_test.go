package region

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
)

func TestLayout_SizesAndOffsetsPinned(t *testing.T) {
	if got := unsafe.Sizeof(seam.Uint64{}); got != WordBytes {
		t.Fatalf("a shared word takes %d bytes, want %d", got, WordBytes)
	}
	if headerBytes != 256 || Processes*ProcessBytes != 4096 || HugePage != 2<<20 {
		t.Fatalf("header %d, process table %d and huge page %d bytes, want 256, 4096 and 2 MiB",
			headerBytes, Processes*ProcessBytes, HugePage)
	}
	cases := []struct {
		layout  Layout
		offsets [5]uint64 // header, processes, cells, descriptors, bell
		size    uint64
	}{
		// A row of two cells is 32 bytes, two rows are a line; 64 bytes a descriptor, and 64 for the bell.
		{Layout{2, 2, 1, HomesNear}, [5]uint64{0, 256, 4352, 4352 + 64, 4352 + 128}, 4352 + 192},
		{Layout{4, 3, 1, HomesApart}, [5]uint64{0, 256, 4352, 4352 + 128, 4352 + 192}, 4352 + 256},
		{Layout{5, 3, 3, HomesNear}, [5]uint64{0, 256, 4352, 4352 + 192, 4352 + 384}, 4352 + 448},
		{Layout{1 << 20, 32, 4096, 0}, [5]uint64{0, 256, 4352, 4352 + 32<<20, 4352 + 32<<20 + 4096*64},
			4352 + 32<<20 + 4097*64},
		{Layout{math.MaxUint32, 32, 4096, HomesNear},
			[5]uint64{0, 256, 4352, 4352 + 1<<37, 4352 + 1<<37 + 4096*64}, 4352 + 1<<37 + 4097*64},
	}
	for _, c := range cases {
		for s := SectionHeader; s < sectionCount; s++ {
			if got := c.layout.Offset(s); got != c.offsets[s] || got%LineBytes != 0 {
				t.Errorf("%v: %v at %d, want %d", c.layout, s, got, c.offsets[s])
			}
		}
		if got := c.layout.Size(); got != c.size {
			t.Errorf("%v: size %d, want %d", c.layout, got, c.size)
		}
		if got := c.layout.Offset(sectionCount); got != c.size {
			t.Errorf("%v: unknown section at %d, want the end", c.layout, got)
		}
	}
}

func TestLayout_Check(t *testing.T) {
	cases := []struct {
		layout Layout
		good   bool
	}{
		{Layout{2, 2, 1, HomesNear}, true},
		{Layout{32, 32, 4096, HomesNear}, true},
		{Layout{math.MaxUint32, 32, 4096, HomesNear}, true},
		{Layout{7, 3, 5, HomesNear}, true},
		{Layout{7, 3, 5, HomesApart}, true},
		{Layout{7, 3, 5, 0}, true},
		{Layout{7, 3, 5, 3}, false},
		{Layout{}, false},
		{Layout{1, 2, 1, HomesNear}, false},
		{Layout{31, 32, 1, HomesNear}, false},
		{Layout{64, 1, 1, HomesNear}, false},
		{Layout{64, 33, 1, HomesNear}, false},
		{Layout{64, 32, 0, HomesNear}, false},
		{Layout{64, 32, 4097, HomesNear}, false},
	}
	for _, c := range cases {
		if err := c.layout.Check(); (err == nil) != c.good || !c.good && !errors.Is(err, ErrGeometry) {
			t.Errorf("%v: %v", c.layout, err)
		}
		if _, err := Heap(c.layout); !c.good && !errors.Is(err, ErrGeometry) {
			t.Errorf("heap with %v: %v", c.layout, err)
		}
	}
}

// TestLayoutHash_SeesEveryDifference: a build that names, orders or sizes anything differently
// must get another hash.
func TestLayoutHash_SeesEveryDifference(t *testing.T) {
	seen := map[uint64]string{LayoutHash(): "this build"}
	add := func(name string, hash uint64) {
		if other, ok := seen[hash]; ok {
			t.Errorf("%s has the hash of %s", name, other)
		}
		seen[hash] = name
	}
	for i := range headerFields {
		fields := headerFields
		fields[i] += " old"
		add("field renamed: "+fields[i], layoutHash(fields[:], fieldSection))
	}
	swapped := headerFields
	swapped[wordCells], swapped[wordWindow] = swapped[wordWindow], swapped[wordCells]
	add("fields swapped", layoutHash(swapped[:], fieldSection))
	for i := range sectionTable {
		add(fmt.Sprintf("section %d grown", i), layoutHash(headerFields[:], func(at int) string {
			if at == i {
				return fmt.Sprintf("%s/%d", sectionTable[at].name, sectionTable[at].entry+8)
			}
			return fieldSection(at)
		}))
	}
	if LayoutHash() != layoutHash(headerFields[:], fieldSection) {
		t.Error("the hash is not a function of the table")
	}
}

// TestLayoutHash_TextIsPinned: the hash is FNV-1a of this text, here by its definition. Whatever changes
// the text makes every region of another build unreadable, and what is not in it may change unseen.
func TestLayoutHash_TextIsPinned(t *testing.T) {
	text := "words 32 line 64 processes 64\n" +
		"word 0 magic\nword 1 format version\nword 2 layout hash\nword 3 total size\n" +
		"word 4 cells per half\nword 5 window\nword 6 descriptors\nword 7 homes\nword 8 checksum\n" +
		"section 0 header/8\nsection 1 processes/64\nsection 2 cells/32\nsection 3 descriptors/64\n" +
		"section 4 bell/64\n"
	want := uint64(14695981039346656037)
	for _, b := range []byte(text) {
		want = (want ^ uint64(b)) * 1099511628211
	}
	if got := LayoutHash(); got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}

// TestCellWord_SharesLines: each word of a row is one cell's, and two rows are one cache line.
func TestCellWord_SharesLines(t *testing.T) {
	if RowBytes != 2*CellBytes || LineBytes != 2*RowBytes {
		t.Errorf("a row of %d bytes, a cell of %d, a line of %d", RowBytes, CellBytes, LineBytes)
	}
	var got []int
	for cell := range uint32(3) {
		for half := range uint32(2) {
			got = append(got, CellWord(half, cell))
		}
	}
	if want := []int{0, 2, 4, 6, 8, 10}; !slices.Equal(got, want) {
		t.Errorf("words %v, want %v", got, want)
	}
}

func TestHomes_Names(t *testing.T) {
	if s := fmt.Sprint(HomesNear, HomesApart, Homes(9)); s != "near apart homes9" {
		t.Error(s)
	}
	if s := small.String(); s != "5 cells a half, window 3, descriptors 3, homes near" {
		t.Error(s)
	}
}

// The pid and the time of each entry are for a person, and no other word is.
func TestLayout_Personal(t *testing.T) {
	l := Layout{CellsPerHalf: 64, Window: 8, Descriptors: 2}
	n := 0
	for offset := uint64(0); offset < l.Size(); offset += WordBytes {
		if !l.Personal(offset) {
			continue
		}
		n++
		entry := (offset - l.Offset(SectionProcesses)) % ProcessBytes
		if entry != processPid*WordBytes && entry != processSince*WordBytes {
			t.Errorf("the word at %#x, %d bytes into an entry", offset, entry)
		}
	}
	if n != 2*Processes {
		t.Errorf("%d words, want 2 of each of %d entries", n, Processes)
	}
}

// TestLayout_SaysItsNumbers: each by its name, and the homes that zero stands for.
func TestLayout_SaysItsNumbers(t *testing.T) {
	for l, want := range map[Layout]string{
		{5, 3, 7, 0}:          "5 cells a half, window 3, descriptors 7, homes near",
		{6, 4, 8, HomesApart}: "6 cells a half, window 4, descriptors 8, homes apart",
	} {
		if got := l.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := sectionCount.String(); got != "section 5" {
		t.Errorf("the first section that is none is %q", got)
	}
}

// TestCellWord_OfTwoHalves: the lowest bit is the half.
func TestCellWord_OfTwoHalves(t *testing.T) {
	for half := range uint32(6) {
		if got, want := CellWord(half, 7), 28+int(half)%2*2; got != want {
			t.Errorf("cell 7 of half %d is word %d, want %d", half, got, want)
		}
	}
}
