package region

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// TestRegionCheck_EveryWord: whichever bit of a region is flipped, sections of engines apart, the check
// tells of that word, but for those that some process may write so; and of nothing else.
func TestRegionCheck_EveryWord(t *testing.T) {
	r, err := Make(memory(small), small, &clerk{desk: &desk{}, self: 1})
	if err != nil {
		t.Fatal(err)
	}
	if found := r.Check(); found != nil {
		t.Errorf("a new region: %v", found)
	}
	processes, bell := small.Offset(Own, OwnProcesses)/WordBytes, small.Offset(Own, OwnBell)/WordBytes
	cells, descriptors := small.Offset("toy", "cells")/WordBytes, small.Offset("toy", "descriptors")/WordBytes
	afterCells, afterDescriptors := cells+5*4, descriptors+3*8
	for i := range r.words {
		word := uint64(i)
		for bit := range 64 {
			var reason error
			switch entry := (word - processes) % (ProcessBytes / WordBytes); {
			case word < processes:
				reason = ErrHeader
			case word >= cells && word < afterCells, word >= descriptors && word < afterDescriptors:
			case word == bell && bit < 33:
			case word < bell && entry < 3: // state, pid and time
			default:
				reason = ErrSpare
			}
			before := r.words[i].Load()
			r.words[i].Store(before ^ 1<<bit)
			found := r.Check()
			r.words[i].Store(before)
			sound := len(found) == 0
			if reason != nil {
				sound = len(found) == 1 && errors.Is(found[0], reason)
			}
			if !sound {
				t.Fatalf("bit %d of word %d: %v, want %v", bit, i, found, reason)
			}
		}
	}
}

// TestRegionCheck_SaysWhere: each finding names its word, and what to do.
func TestRegionCheck_SaysWhere(t *testing.T) {
	r, err := Make(memory(small), small, &clerk{desk: &desk{}, self: 1})
	if err != nil {
		t.Fatal(err)
	}
	r.file = "f"
	for word, want := range map[int]string{
		1:          "format version is 0x9, want 0x8 (header is damaged)",
		12:         "cells per half of toy is 0x9, want 0x5 (header is damaged)",
		31:         "alignment of section descriptors of toy is 0x9, want 0x40 (header is damaged)",
		32 + 7:     "word 7 of entry 0 of the process table is 0x9, want zero (spare word is written)",
		32 + 3 + 8: "word 3 of entry 1 of the process table is 0x9, want zero (spare word is written)",
		552 + 20:   "byte 4576, behind the section cells of toy is 0x9, want zero (spare word is written)",
		544 + 7:    "word 7 of the bell is 0x9, want zero (spare word is written)",
	} {
		before := r.words[word].Load()
		r.words[word].Store(9)
		want = fmt.Sprintf("region f: %s: %s", want, doEnd)
		if found := r.Check(); len(found) != 1 || found[0].Error() != want {
			t.Errorf("word %d: %v, want %s", word, found, want)
		}
		r.words[word].Store(before)
	}
	r.bell().Store(7<<32 | 3)
	want := "[region f: spare bits of the bell is 0x600000000, want zero (spare word is written): find out " +
		"what else writes to it; to be sure of it, end the processes that use it, and create it anew]"
	if found := fmt.Sprint(r.Check()); found != want {
		t.Error(found)
	}
	r.bell().Store(0)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if found := r.Check(); len(found) != 1 || !errors.Is(found[0], ErrClosed) {
		t.Errorf("closed: %v", found)
	}
}

// TestRegionCheck_InOrder: findings come in the order of what is checked, and each by itself.
func TestRegionCheck_InOrder(t *testing.T) {
	r, err := Make(memory(small), small, &clerk{desk: &desk{}, self: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []int{4, 31, 32 + 3, 32 + 8 + 4, 552 + 20, 544, 544 + 1} {
		r.words[word].Store(1 << 40)
	}
	var fields []string
	for _, err := range r.Check() {
		fields = append(fields, err.(*Error).Field)
	}
	want := []string{"number of parts", "alignment of section descriptors of toy",
		"word 3 of entry 0 of the process table",
		"word 4 of entry 1 of the process table", "spare bits of the bell", "word 1 of the bell",
		"byte 4576, behind the section cells of toy"}
	if !slices.Equal(fields, want) {
		t.Errorf("%q, want %q", fields, want)
	}
}
