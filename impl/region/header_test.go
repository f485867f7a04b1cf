package region

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
)

// Words of the header of small: of its first parameter, and of its first section.
const smallParams, smallSections = wordParts + partWords, wordParts + partWords + 4*paramWords

func TestHeader_RoundTrip(t *testing.T) {
	two := append(small.complete(), Part{"b", 1<<32 - 1, []Param{{"most", math.MaxUint64}},
		[]Section{{"x", 8, 4096}, {"y", 64, 64}, {"z", 72, 128}}})
	full := Layout{}
	for i := range PartsMax {
		p := Part{Engine: fmt.Sprintf("engine number %02d", i), Version: 1}
		for j := range ParamsMax {
			p.Params = append(p.Params, Param{fmt.Sprintf("p %d", j), uint64(j)})
		}
		for j := range SectionsMax {
			p.Sections = append(p.Sections, Section{fmt.Sprintf("s %d", j), uint64(8 * (j + 1)), 64})
		}
		full = append(full, p)
	}
	for _, l := range []Layout{small, two, full} {
		h := l.header()
		if got, err := h.check("f", l.Size()); err != nil || !got.Equal(l) {
			t.Errorf("%v comes back as %v, %v", l, got, err)
		}
		if len(h)%(LineBytes/WordBytes) != 0 || len(h) != int(l.Offset(Own, OwnProcesses)/WordBytes) {
			t.Errorf("%v has a header of %d words", l, len(h))
		}
	}
	if n := len(full.header()); n != (headerMost+7)&^7 {
		t.Errorf("the largest header has %d words, want %d", n, headerMost)
	}
	// The bytes at the start of a file are the name, for people and for file(1).
	if h := small.header(); string(binary.LittleEndian.AppendUint64(nil, h[0])) != "samecyc\x00" {
		t.Errorf("magic %#x", h[0])
	}
}

// TestHeader_WordsArePinned: each word by its place, as other builds read it. The sizes follow from the
// layout: 5 rows of 32 bytes, 3 descriptors of 64, each section from the next line on.
func TestHeader_WordsArePinned(t *testing.T) {
	h, names := small.named()
	text := func(s string) uint64 {
		return binary.LittleEndian.Uint64([]byte(s + "\x00\x00\x00\x00\x00\x00\x00\x00"))
	}
	want := header{0x00637963656D6173, 8, 256, 4800, 1, h.checksum(),
		text("toy"), 0, 9, 2<<32 | 4, text("cells pe"), text("r half"), 5, text("window"), 0, 3,
		text("descript"), text("ors"), 3, text("homes"), 0, 1,
		text("cells"), 0, 4416, 160, 64, text("descript"), text("ors"), 4608, 192, 64}
	if !slices.Equal(h, want) {
		t.Errorf("header\n%x, want\n%x", h, want)
	}
	for word, name := range []string{"magic", "format version", "header size", "total size",
		"number of parts",
		"checksum", "engine of part 0", "engine of part 0", "version of toy",
		"numbers of parameters and sections of toy", "name of parameter 0 of toy",
		"name of parameter 0 of toy",
		"cells per half of toy"} {
		if names[word] != name {
			t.Errorf("word %d is called %s, want %s", word, names[word], name)
		}
	}
	last := []string{"name of section 1 of toy", "name of section 1 of toy",
		"offset of section descriptors of toy",
		"size of section descriptors of toy", "alignment of section descriptors of toy"}
	if !slices.Equal(names[27:], last) {
		t.Errorf("the last words are called %q, want %q", names[27:], last)
	}
	one := Layout{{Engine: "toy", Version: 1, Sections: []Section{{"a", 8, 64}}}}
	if h, names := one.named(); len(h) != 16 || names[15] != "spare word 15" || h[15] != 0 {
		t.Errorf("%d words, the last one %s", len(h), names[len(h)-1])
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
	damaged := slices.Clone(h)
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
	h, names := small.named()
	for word := range h {
		for bit := range 64 {
			damaged := slices.Clone(h)
			damaged[word] ^= 1 << bit
			l, err := damaged.check("f", small.Size())
			var e *Error
			if err == nil || !errors.As(err, &e) || e.File != "f" || e.Field == "" || e.Do == "" {
				t.Errorf("bit %d of %s flipped: %v, %v", bit, names[word], l, err)
			}
		}
	}
}

// TestHeader_ForgedFieldsAreRefused repairs the checksum after each change, as somebody would who
// means harm: only a header that is right for its layout may pass. What a parameter means is the engine's to
// judge.
func TestHeader_ForgedFieldsAreRefused(t *testing.T) {
	values := []uint64{0, 1, 2, 33, 4097, 1 << 31, math.MaxUint32, 1 << 32, 1 << 63,
		math.MaxUint64, math.MaxUint64 - 63, math.MaxInt64}
	_, names := small.named()
	for word := range names {
		for _, value := range values {
			h := small.header()
			if h[word] == value || word == wordChecksum {
				continue
			}
			h[word] = value
			h[wordChecksum] = h.checksum()
			legal := false
			switch word {
			case 8: // the version of the engine
				legal = value > 0 && value <= math.MaxUint32
			case 11, 17, 28: // the rest of a name
				legal = value == 0
			case 12, 15, 18, 21: // parameters
				legal = true
			}
			if l, err := h.check("f", small.Size()); (err == nil) != legal {
				t.Errorf("%s, word %d, forged to %#x: %v, %v", names[word], word, value, l, err)
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
		{"header beyond the file", wordHeader, 1 << 20, ErrHeader, "header size"},
		{"header of no lines", wordHeader, 257, ErrHeader, "header size"},
		{"no header", wordHeader, 0, ErrHeader, "header size"},
		{"longer header", wordHeader, 320, ErrHeader, "header size"},
		{"shorter header", wordHeader, 192, ErrHeader, "list of parts"},
		{"no parts", wordCount, 0, ErrHeader, "parts"},
		{"many parts", wordCount, math.MaxUint64, ErrHeader, "list of parts"},
		{"one part more", wordCount, 2, ErrHeader, "list of parts"},
		{"wide version", wordParts + 2, 1<<32 | 9, ErrHeader, "version of toy"},
		{"many parameters", wordParts + 3, 2<<32 | 17, ErrHeader, "list of parts"},
		{"many sections", wordParts + 3, math.MaxUint64, ErrHeader, "list of parts"},
		{"size", wordSize, 1 << 40, ErrHeader, "total size"},
		{"offset", smallSections + 2, 0, ErrHeader, "offset of section cells of toy"},
		{"length", smallSections + 8, math.MaxUint64, ErrHeader, "size of section descriptors of toy"},
		{"alignment of zero", smallSections + 4, 0, ErrHeader, "alignment of section cells of toy"},
		{"checksum", wordChecksum, 1, ErrHeader, "checksum"},
	}
	for _, c := range cases {
		h := small.header()
		h[c.word] = c.value
		if n := int(h[wordHeader] / WordBytes); n >= wordParts && n < len(h) {
			h = h[:n]
		}
		_, err := h.check("f", small.Size())
		var e *Error
		if !errors.Is(err, c.reason) || !errors.As(err, &e) || e.Field != c.field {
			t.Errorf("%s: %v, want field %q and %v", c.name, err, c.field, c.reason)
		}
	}
	h := small.header()
	for _, size := range []uint64{headerBytes, small.Size() - 1, small.Size() + 1, small.Size() + 1<<32} {
		if _, err := h.check("f", size); !errors.Is(err, ErrSize) {
			t.Errorf("file of %d bytes: %v", size, err)
		}
	}
}

// TestHeader_TheFirstReasonIsTold: of two words that are wrong the first in this order is told: what says
// whose file it is, and how long the header; what bounds the layout, in its order; each other word by its
// place; and the checksum. The length of the file comes last.
func TestHeader_TheFirstReasonIsTold(t *testing.T) {
	_, names := small.named()
	names[wordCount] = "list of parts"
	order := []int{wordMagic, wordVersion, wordHeader, wordCount, 6, 8, 10, 22, 26, wordSize, 24, 29,
		wordChecksum}
	for i, first := range order {
		for _, second := range order[i:] {
			h := small.header()
			h[second] = 5000
			h[first] = 5000
			if first == 8 || second == 8 {
				h[8] = 0
			}
			_, err := h.check("f", 4736)
			var e *Error
			if !errors.As(err, &e) || e.Field != names[first] {
				t.Errorf("of %s and %s: %v", names[first], names[second], err)
			}
		}
	}
}

// TestHeader_ChecksumCoversTheRest: each word counts but the magic, which is written last, and itself. What
// it leaves out would change its meaning unseen by those who compare checksums only.
func TestHeader_ChecksumCoversTheRest(t *testing.T) {
	h, names := small.named()
	for word := range h {
		changed := slices.Clone(h)
		changed[word] ^= 1 << 40
		counts := word != wordMagic && word != wordChecksum
		if (changed.checksum() != h.checksum()) != counts {
			t.Errorf("a change of %s changes the checksum: %v", names[word], !counts)
		}
	}
}

// TestLayout_AcceptComparesWhatWasAsked: each number that is named, unless it is zero; whole, also zeros, and
// what is not named.
func TestLayout_AcceptComparesWhatWasAsked(t *testing.T) {
	const yes, partly, no = 2, 1, 0
	version := Layout{{Engine: "toy", Version: 8}}
	section := func(s Section) Layout { return Layout{{Engine: "toy", Sections: []Section{s}}} }
	changed := func(change func(p *Part)) Layout {
		l := small.complete()
		change(&l[0])
		return l
	}
	reversed := changed(func(p *Part) { slices.Reverse(p.Params); slices.Reverse(p.Sections) })
	for name, c := range map[string]struct {
		want Layout
		good int
	}{
		"all":               {small, yes},
		"nothing":           {nil, partly},
		"the engine":        {Layout{{Engine: "toy"}}, partly},
		"another engine":    {Layout{{Engine: "cache"}}, no},
		"another version":   {version, no},
		"a number":          {asks("window", 3), partly},
		"another number":    {asks("window", 4), no},
		"zero":              {asks("window", 0), partly},
		"no such number":    {asks("age", 0), no},
		"the other order":   {reversed, yes},
		"all, and a zero":   {changed(func(p *Part) { p.Params[3].Value = 0 }), partly},
		"a number fewer":    {changed(func(p *Part) { p.Params = p.Params[:3] }), partly},
		"a section fewer":   {changed(func(p *Part) { p.Sections = p.Sections[:1] }), partly},
		"a section":         {section(Section{"cells", 0, 0}), partly},
		"another size":      {section(Section{"cells", 168, 0}), no},
		"another alignment": {section(Section{"cells", 160, 128}), no},
		"no such section":   {section(Section{"rows", 0, 0}), no},
		"a part more":       {append(small.complete(), Part{Engine: "cache"}), no},
	} {
		for whole, least := range map[bool]int{false: partly, true: yes} {
			err := small.accept("f", c.want, whole)
			if (err == nil) != (c.good >= least) || err != nil && !errors.Is(err, ErrLayout) {
				t.Errorf("%s, whole %v: %v", name, whole, err)
			}
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
		h := make(header, max(wordParts, len(b)/8))
		for i := range len(b) / 8 {
			h[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		if h[wordHeader]/WordBytes >= uint64(len(h)) {
			h[wordHeader] = uint64(len(h)) * WordBytes
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
		for _, part := range spans {
			if part.offset < at || part.offset%LineBytes != 0 || part.size > size-part.offset {
				t.Fatalf("%v: %s at %d, %d bytes", l, part.name, part.offset, part.size)
			}
			at = part.offset + part.size
		}
	})
}
