package region

import (
	"errors"
	"math"
	"slices"
	"testing"
	"unsafe"
)

// toy is a layout with one engine, which has two sections and four parameters.
func toy(cells, window, descriptors, homes uint64) Layout {
	return Layout{{Engine: "toy", Version: 9, Params: []Param{{"cells per half", cells}, {"window", window},
		{"descriptors", descriptors}, {"homes", homes}},
		Sections: []Section{{"cells", cells * 32, LineBytes}, {"descriptors", descriptors * 64, LineBytes}}}}
}

const near, apart = 1, 2

// asks is what somebody wants of a toy's region who knows one parameter.
func asks(name string, value uint64) Layout {
	return Layout{{Engine: "toy", Params: []Param{{name, value}}}}
}

var small = toy(5, 3, 3, near)

// Of the header of small.
const headerWords, headerBytes = 32, 256

func mustHeap(t *testing.T, l Layout) *Region {
	t.Helper()
	r, err := Heap(l)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestHeap_AlignedZeroAndDescribed(t *testing.T) {
	for _, l := range []Layout{small, toy(64, 32, 64, apart), toy(1<<17, 32, 64, near)} {
		r := mustHeap(t, l)
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
		if !r.Layout().Equal(l) || r.Size() != l.Size() || r.File() != "" {
			t.Errorf("%v: says %v, %d bytes, file %q", l, r.Layout(), r.Size(), r.File())
		}
		h := header(r.Words().Plain()[:headerWords])
		if got, err := h.check("", r.Size()); err != nil || !got.Equal(l) {
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
	wantWords := [...]int{32, 512, 8, 20, 24} // 256/8, 64*64/8, 64/8, 5*4, 3*8
	for i, s := range r.spans {
		words, err := r.Section(s.engine, s.name)
		if err != nil || len(words) != wantWords[i] || cap(words) != len(words) {
			t.Fatalf("%s: %d words of %d, %v", s.name, len(words), wantWords[i], err)
		}
		for j := range words {
			words[j].Add(uint64(i)<<32 | 1<<48)
		}
	}
	for i, s := range r.spans[1:] {
		for j := range wantWords[i+1] {
			w, err := r.Word(small.Offset(s.engine, s.name) + uint64(j)*8)
			if err != nil || w.Load() != uint64(i+1)<<32|1<<48 {
				t.Fatalf("%s word %d: %#x, %v", s.name, j, w.Load(), err)
			}
		}
	}
	for _, s := range [][2]string{{"toy", "none"}, {"none", "cells"}, {Own, "cells"}, {"toy", OwnBell}} {
		if _, err := r.Section(s[0], s[1]); !errors.Is(err, ErrRange) {
			t.Errorf("unknown section %q: %v", s, err)
		}
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
	words, _ := r.Section("toy", "cells")
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
	r := mustHeap(t, toy(1<<17, 32, 1, near)) // mapped, where the system can
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Word(0); !errors.Is(err, ErrClosed) {
		t.Errorf("word: %v", err)
	}
	for _, s := range []string{"cells", "none"} {
		if _, err := r.Section("toy", s); !errors.Is(err, ErrClosed) {
			t.Errorf("section %s: %v", s, err)
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
	_, err := Heap(Layout{{Engine: "toy"}})
	want := "region on the heap: version of toy is 0, want 1..4294967295 (geometry out of bounds): " +
		"choose a value within the bounds"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	err = &Error{Reason: ErrMode, File: "a file", Field: "mode", Found: "0604", Want: "0600", Do: "chmod it"}
	if want := "region a file: mode is 0604, want 0600 (mode is too open): chmod it"; err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	said := []string{HugeNotAsked.String(), HugeAsked.String(), HugeRefused.String(), HugeGranted.String(),
		Process(0).String(), MakeProcess(63, 2).String()}
	if want := []string{"not asked for", "asked for, granted or not is unknown", "refused", "granted",
		"the only process", "63@2"}; !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
}

// BenchmarkCells measures the hot path: a masked index into a view of the cells.
func BenchmarkCells(b *testing.B) {
	r, err := Heap(toy(1<<10, 32, 1, near))
	if err != nil {
		b.Fatal(err)
	}
	words, err := r.Section("toy", "cells")
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
	for cells, want := range map[uint64]bool{64999: true, 64997: false} {
		r := mustHeap(t, toy(cells, 2, 199, near))
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
