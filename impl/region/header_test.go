package region

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"
)

func TestHeader_RoundTrip(t *testing.T) {
	for _, l := range []Layout{small, {2, 2, 1, HomesNear}, {math.MaxUint32, 32, 4096, HomesApart}} {
		h := l.header()
		if got, err := h.check("f", l.Size()); err != nil || got != l {
			t.Errorf("%v comes back as %v, %v", l, got, err)
		}
	}
	// The bytes at the start of a file are the name, for people and for file(1).
	if h := small.header(); string(binary.LittleEndian.AppendUint64(nil, h[0])) != "samecyc\x00" {
		t.Errorf("magic %#x", h[0])
	}
}

// TestHeader_WordsArePinned: each word by its place, as other builds read it. The sizes follow from the
// layout: 5 rows of 32 bytes, 3 descriptors of 64, each section from the next line on.
func TestHeader_WordsArePinned(t *testing.T) {
	h := small.header()
	want := header{0x00637963656D6173, 7, LayoutHash(), 4800, 5, 3, 3, 1, h.checksum(),
		0, 256, 256, 4096, 4352, 160, 4544, 192, 4736, 64}
	if h != want {
		t.Errorf("header\n%v, want\n%v", h, want)
	}
	names := []string{8: "checksum", 9: "offset of header", 10: "size of header", 17: "offset of bell",
		18: "size of bell", 19: "spare word 19", 31: "spare word 31"}
	for word, name := range names {
		if name != "" && fieldName(word) != name {
			t.Errorf("word %d is called %s, want %s", word, fieldName(word), name)
		}
	}
}

// TestHeader_ChecksumIsPinned: it is FNV-1a, of 64 bits, of the bytes of all words but two.
func TestHeader_ChecksumIsPinned(t *testing.T) {
	h := small.header()
	want := uint64(0xCBF29CE484222325)
	for i, w := range h {
		if i == wordMagic || i == wordChecksum {
			continue
		}
		for shift := 0; shift < 64; shift += 8 {
			want = (want ^ w>>shift&0xFF) * 0x100000001B3
		}
	}
	if h.checksum() != want {
		t.Errorf("%#x, want %#x", h.checksum(), want)
	}
	damaged := h
	damaged[wordChecksum] = 7
	_, err := damaged.check("f", small.Size())
	told := Error{Reason: ErrHeader, File: "f", Field: "checksum", Found: "0x7",
		Want: fmt.Sprintf("%#x", want), Do: doDamaged}
	var e *Error
	if !errors.As(err, &e) || *e != told {
		t.Errorf("%v, want %v", err, &told)
	}
}

func TestHeader_EveryBitFlipIsRefused(t *testing.T) {
	h := small.header()
	for word := range h {
		for bit := range 64 {
			damaged := h
			damaged[word] ^= 1 << bit
			l, err := damaged.check("f", small.Size())
			var e *Error
			if err == nil || !errors.As(err, &e) || e.File != "f" || e.Field == "" || e.Do == "" {
				t.Errorf("bit %d of %s flipped: %v, %v", bit, fieldName(word), l, err)
			}
		}
	}
}

// TestHeader_ForgedFieldsAreRefused repairs the checksum after each change, as somebody would who
// means harm: only a header that is right for its geometry may pass.
func TestHeader_ForgedFieldsAreRefused(t *testing.T) {
	values := []uint64{0, 1, 2, 33, 4097, 1 << 31, math.MaxUint32, 1 << 32, 1 << 63,
		math.MaxUint64, math.MaxUint64 - 63, math.MaxInt64}
	for word := range headerWords {
		for _, value := range values {
			h := small.header()
			if h[word] == value || word == wordChecksum {
				continue
			}
			h[word] = value
			h[wordChecksum] = h.checksum()
			// A window or homes within their bounds move nothing: then the header is a right one.
			legal := value == 2 && (word == wordWindow || word == wordHomes)
			if l, err := h.check("f", small.Size()); (err == nil) != legal {
				t.Errorf("%s forged to %#x: %v, %v", fieldName(word), value, l, err)
			}
		}
	}
}

func TestHeader_ReasonsNameTheField(t *testing.T) {
	cases := []struct {
		name   string
		word   int
		value  uint64
		reason error
		field  string
	}{
		{"unfinished", wordMagic, 0, ErrUnfinished, "magic"},
		{"foreign", wordMagic, 0x46_4C_45_7F, ErrMagic, "magic"},
		{"other byte order", wordMagic, 0x73616D6563796300, ErrMagic, "magic"},
		{"future", wordVersion, FormatVersion + 1, ErrVersion, "format version"},
		{"format before", wordVersion, FormatVersion - 1, ErrVersion, "format version"},
		{"past", wordVersion, 0, ErrVersion, "format version"},
		{"other build", wordLayout, LayoutHash() + 1, ErrLayout, "layout hash"},
		{"wide number", wordCells, 1<<32 | 5, ErrHeader, "cells per half"},
		{"no window", wordWindow, 0, ErrHeader, "window"},
		{"too many descriptors", wordDescriptors, 4097, ErrHeader, "descriptors"},
		{"no homes", wordHomes, 0, ErrHeader, "homes"},
		{"unknown homes", wordHomes, uint64(HomesApart) + 1, ErrHeader, "homes"},
		{"size", wordSize, 1 << 40, ErrHeader, "total size"},
		{"offset", wordSections + 2*int(SectionCells), 0, ErrHeader, "offset of cells"},
		{"length", wordSections + 2*int(SectionDescriptors) + 1, math.MaxUint64, ErrHeader,
			"size of descriptors"},
		{"spare", headerWords - 1, 1, ErrHeader, "spare word 31"},
		{"checksum", wordChecksum, 1, ErrHeader, "checksum"},
	}
	for _, c := range cases {
		h := small.header()
		h[c.word] = c.value
		_, err := h.check("f", small.Size())
		var e *Error
		if !errors.Is(err, c.reason) || !errors.As(err, &e) || e.Field != c.field {
			t.Errorf("%s: %v, want field %q and %v", c.name, err, c.field, c.reason)
		}
	}
	h := small.header()
	for _, size := range []uint64{0, headerBytes, small.Size() - 1, small.Size() + 1, small.Size() + 1<<32} {
		if _, err := h.check("f", size); !errors.Is(err, ErrSize) {
			t.Errorf("file of %d bytes: %v", size, err)
		}
	}
}

// TestHeader_TheFirstReasonIsTold: of two words that are wrong the first in this order is told: what says
// whose file it is, what bounds the geometry, each other word by its place, and the checksum. The length of
// the file comes last.
func TestHeader_TheFirstReasonIsTold(t *testing.T) {
	order := []int{wordMagic, wordVersion, wordLayout, wordWindow, wordCells, wordDescriptors, wordHomes,
		wordSize}
	for word := wordSections; word < headerWords; word++ {
		order = append(order, word)
	}
	order = append(order, wordChecksum)
	wrong := func(word int) uint64 {
		switch word {
		case wordCells:
			return 1 // fewer than any window
		case wordHomes:
			return 9
		}
		return 5000
	}
	for i, first := range order {
		for _, second := range order[i:] {
			h := small.header()
			h[first], h[second] = wrong(first), wrong(second)
			_, err := h.check("f", 7)
			var e *Error
			if !errors.As(err, &e) || e.Field != fieldName(first) {
				t.Errorf("of %s and %s: %v", fieldName(first), fieldName(second), err)
			}
		}
	}
}

// TestHeader_ChecksumCoversTheRest: each word counts but the magic, which is written last, and itself. What
// it leaves out would change its meaning unseen by those who compare checksums only.
func TestHeader_ChecksumCoversTheRest(t *testing.T) {
	h := small.header()
	for word := range h {
		changed := h
		changed[word] ^= 1 << 40
		counts := word != wordMagic && word != wordChecksum
		if (changed.checksum() != h.checksum()) != counts {
			t.Errorf("a change of %s changes the checksum: %v", fieldName(word), !counts)
		}
	}
}

func TestLayout_AcceptComparesWhatWasAsked(t *testing.T) {
	for want, good := range map[Layout]bool{
		{}: true, small: true, {CellsPerHalf: 5}: true,
		{CellsPerHalf: 6}: false, {Window: 2}: false, {Descriptors: 4}: false,
		{Homes: HomesNear}: true, {Homes: HomesApart}: false,
	} {
		if err := small.accept("f", want); (err == nil) != good || !good && !errors.Is(err, ErrLayout) {
			t.Errorf("asked for %v: %v", want, err)
		}
	}
	apart := small
	apart.Homes = HomesApart
	for want, good := range map[Layout]bool{{}: true, small: false, apart: true, {Homes: HomesApart}: true} {
		if err := apart.accept("f", want); (err == nil) != good {
			t.Errorf("asked for %v of a region with homes apart: %v", want, err)
		}
	}
}

// FuzzHeader: any bytes as a header, any file size. What is accepted must describe sections inside
// the file, apart from each other.
func FuzzHeader(f *testing.F) {
	good := small.header()
	var b []byte
	for _, w := range good {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	f.Add(b, small.Size(), true)
	f.Add(b[:9], uint64(9), false)
	f.Fuzz(func(t *testing.T, b []byte, size uint64, repair bool) {
		var h header
		for i := range h {
			if len(b) >= 8*(i+1) {
				h[i] = binary.LittleEndian.Uint64(b[8*i:])
			}
		}
		if repair {
			h[wordChecksum] = h.checksum()
		}
		l, err := h.check("f", size)
		if err != nil {
			return
		}
		spans, end := l.spans()
		if end != size || l.Check() != nil {
			t.Fatalf("%v of %d bytes accepted for a file of %d", l, end, size)
		}
		at := uint64(0)
		for s, part := range spans {
			if part.offset < at || part.offset%LineBytes != 0 || part.size > size-part.offset {
				t.Fatalf("%v: %v at %d, %d bytes", l, Section(s), part.offset, part.size)
			}
			at = part.offset + part.size
		}
	})
}
