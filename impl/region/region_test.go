package region

import (
	"errors"
	"math"
	"slices"
	"testing"
	"unsafe"
)

var small = Layout{CellsPerHalf: 5, Window: 3, Descriptors: 3, Homes: HomesNear}

func mustHeap(t *testing.T, l Layout) *Region {
	t.Helper()
	r, err := Heap(l)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestHeap_AlignedZeroAndDescribed(t *testing.T) {
	for _, l := range []Layout{small, {64, 32, 64, HomesApart}, {1 << 17, 32, 64, 0}} {
		r := mustHeap(t, l)
		l = l.complete()
		base := uintptr(unsafe.Pointer(&r.Words()[0]))
		align := uintptr(LineBytes)
		if l.Size() >= HugePage && canMap {
			align = HugePage
			if r.Huge() == HugeNotAsked {
				t.Errorf("%v: huge pages %v", l, r.Huge())
			}
		} else if r.Huge() != HugeNotAsked {
			t.Errorf("%v: huge pages %v", l, r.Huge())
		}
		if base%align != 0 {
			t.Errorf("%v: begins at %#x, want a multiple of %d", l, base, align)
		}
		if r.Layout() != l || r.Size() != l.Size() || r.File() != "" {
			t.Errorf("%v: says %v, %d bytes, file %q", l, r.Layout(), r.Size(), r.File())
		}
		var h header
		copy(h[:], r.Words().Plain())
		if got, err := h.check("", r.Size()); err != nil || got != l {
			t.Errorf("%v: header says %v, %v", l, got, err)
		}
		for i, w := range r.Words().Plain()[headerWords:] {
			if w != 0 {
				t.Fatalf("%v: word %d is %#x, want 0", l, i+headerWords, w)
			}
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestRegion_SectionsPartition writes the number of its section into each word and reads the
// marks back by offset: no section overlaps another, none leaves the region.
func TestRegion_SectionsPartition(t *testing.T) {
	r := mustHeap(t, small)
	wantWords := [...]int{32, 512, 20, 24, 8} // 256/8, 64*64/8, 5*4, 3*8, 64/8
	for s := SectionHeader; s < sectionCount; s++ {
		words, err := r.Section(s)
		if err != nil || len(words) != wantWords[s] || cap(words) != len(words) {
			t.Fatalf("%v: %d words of %d, %v", s, len(words), wantWords[s], err)
		}
		for i := range words {
			words[i].Add(uint64(s)<<32 | 1<<48)
		}
	}
	for s := SectionProcesses; s < sectionCount; s++ {
		for i := range wantWords[s] {
			w, err := r.Word(small.Offset(s) + uint64(i)*8)
			if err != nil || w.Load() != uint64(s)<<32|1<<48 {
				t.Fatalf("%v word %d: %#x, %v", s, i, w.Load(), err)
			}
		}
	}
	if _, err := r.Section(sectionCount); !errors.Is(err, ErrRange) {
		t.Errorf("unknown section: %v", err)
	}
}

func TestRegion_WordChecksOffsets(t *testing.T) {
	r := mustHeap(t, small)
	for _, offset := range []uint64{0, 8, r.Size() - 8} {
		if _, err := r.Word(offset); err != nil {
			t.Errorf("offset %d: %v", offset, err)
		}
	}
	for _, offset := range []uint64{1, 4, 7, r.Size() - 7, r.Size(), r.Size() + 8,
		math.MaxUint64, math.MaxUint64 &^ 7, 1 << 63} {
		if w, err := r.Word(offset); !errors.Is(err, ErrRange) || w != nil {
			t.Errorf("offset %d: %v", offset, err)
		}
	}
	words, _ := r.Section(SectionCells)
	if _, ok := words.At(19); !ok {
		t.Error("word 19 of twenty is missing")
	}
	for _, i := range []uint64{20, math.MaxUint64} {
		if w, ok := words.At(i); ok || w != nil {
			t.Errorf("word %d of twenty exists", i)
		}
	}
}

// TestAddressable_IsWhatAnIntHolds, with room to align it.
func TestAddressable_IsWhatAnIntHolds(t *testing.T) {
	for size, good := range map[uint64]bool{
		0: true, 64: true, 1 << 30: true, math.MaxInt - HugePage: true, math.MaxInt - HugePage + 1: false,
		math.MaxInt: false, 1 << 63: false, math.MaxUint64: false,
	} {
		if got, err := addressable("f", size); (err == nil) != good || good && uint64(got) != size ||
			!good && (got != 0 || !errors.Is(err, ErrSize)) {
			t.Errorf("%d bytes: %d, %v", size, got, err)
		}
	}
	if math.MaxInt > math.MaxUint32 {
		for _, size := range []uint64{3 << 30, 4<<30 - 64, 4 << 30, 1 << 38} {
			if got, err := addressable("f", size); err != nil || uint64(got) != size {
				t.Errorf("%d bytes: %d, %v", size, got, err)
			}
		}
	}
}

func TestRegion_ClosedHandleGivesErrors(t *testing.T) {
	r := mustHeap(t, Layout{1 << 17, 32, 1, HomesNear}) // mapped, where the system can
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Word(0); !errors.Is(err, ErrClosed) {
		t.Errorf("word: %v", err)
	}
	for _, s := range []Section{SectionHeader, sectionCount} {
		if _, err := r.Section(s); !errors.Is(err, ErrClosed) {
			t.Errorf("section %d: %v", s, err)
		}
	}
	if err := r.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("second close: %v", err)
	}
	if _, err := r.Alive(0); !errors.Is(err, ErrClosed) {
		t.Errorf("alive: %v", err)
	}
	if _, err := r.Attachments(); !errors.Is(err, ErrClosed) {
		t.Errorf("attachments: %v", err)
	}
	if _, err := r.Clear(0); !errors.Is(err, ErrClosed) {
		t.Errorf("clear: %v", err)
	}
	if r.Size() != 0 || len(r.Words()) != 0 {
		t.Errorf("a closed region has %d bytes", r.Size())
	}
}

func TestError_SaysWhatAndWhatToDo(t *testing.T) {
	_, err := Heap(Layout{64, 33, 1, HomesNear})
	want := "region on the heap: window is 33, want 2..32 (geometry out of bounds): " +
		"choose a value within the bounds"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	err = &Error{Reason: ErrMode, File: "a file", Field: "mode", Found: "0604", Want: "0600", Do: "chmod it"}
	if want := "region a file: mode is 0604, want 0600 (mode is too open): chmod it"; err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	said := []string{Section(9).String(), HugeNotAsked.String(), HugeAsked.String(), HugeRefused.String(),
		Process(0).String(), MakeProcess(63, 2).String()}
	if want := []string{"section 9", "not asked for", "asked for, granted or not is unknown", "refused",
		"the only process", "63@2"}; !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
}

// BenchmarkCells measures the hot path: a masked index into a view of the cells.
func BenchmarkCells(b *testing.B) {
	r, err := Heap(Layout{1 << 10, 32, 1, HomesNear})
	if err != nil {
		b.Fatal(err)
	}
	words, err := r.Section(SectionCells)
	if err != nil {
		b.Fatal(err)
	}
	var sum uint64
	for i := 0; b.Loop(); i++ {
		sum += words[i&(1<<11-1)].Load()
	}
	if sum != 0 {
		b.Fatal(sum)
	}
}

// TestAdopt_TakesWholeWords: a file may have any length until its header is checked.
func TestAdopt_TakesWholeWords(t *testing.T) {
	for rest := range WordBytes {
		var r Region
		if r.adopt(memory(small)[:3*WordBytes+rest]); len(r.Words()) != 3 {
			t.Errorf("3 words and %d bytes: %d words", rest, len(r.Words()))
		}
	}
}

// TestAligned_AtTheFirstMultiple: wherever the memory begins.
func TestAligned_AtTheFirstMultiple(t *testing.T) {
	all := memory(small)
	for from := range 2 * LineBytes {
		rest := aligned(all[from:], LineBytes)
		if want := len(all) - (from+LineBytes-1)/LineBytes*LineBytes; len(rest) != want {
			t.Errorf("%d bytes behind a line %d are left from the next one, want %d", from, len(rest), want)
		}
	}
}

// TestWords_PlainIsAllOfThem: and no more; of none there is none.
func TestWords_PlainIsAllOfThem(t *testing.T) {
	words := mustHeap(t, small).Words()
	for _, n := range []int{0, 1, len(words)} {
		plain := words[:n].Plain()
		if len(plain) != n || cap(plain) != n {
			t.Errorf("of %d words %d are plain, of %d", n, len(plain), cap(plain))
		}
	}
	words[3].Store(7)
	if got := words.Plain()[3]; got != 7 {
		t.Errorf("another memory: %d", got)
	}
}

// TestHeap_AHugePageIsMapped: from the first byte of one on.
func TestHeap_AHugePageIsMapped(t *testing.T) {
	for cells, want := range map[uint32]bool{64999: true, 64997: false} {
		r := mustHeap(t, Layout{cells, 2, 199, HomesNear})
		if mapped := r.Huge() != HugeNotAsked; mapped != (want && canMap) || want != (r.Size() == HugePage) {
			t.Errorf("%d bytes are mapped: %v, huge pages %v", r.Size(), mapped, r.Huge())
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// No file is the descriptor of none, so that the system refuses what is asked of it.
var _ [0]byte = [noFile + 1]byte{}
