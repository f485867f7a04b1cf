package region

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
)

func TestLayout_SizesAndOffsetsPinned(t *testing.T) {
	if got := unsafe.Sizeof(seam.Uint64{}); got != WordBytes {
		t.Fatalf("a shared word takes %d bytes, want %d", got, WordBytes)
	}
	if Processes*ProcessBytes != 4096 || HugePage != 2<<20 || PageBytes != 4096 || LineBytes != 64 {
		t.Fatalf("process table %d, huge page %d, page %d and line %d bytes, want 4096, 2 MiB, 4096 and 64",
			Processes*ProcessBytes, HugePage, PageBytes, LineBytes)
	}
	aligned := small.complete()
	aligned[0].Sections[0].Align, aligned[0].Sections[1].Align = 128, PageBytes
	two := append(small.complete(), Part{Engine: "next", Version: 1, Sections: []Section{{"cells", 8, 0}}})
	for name, c := range map[string]struct {
		layout  Layout
		offsets []uint64 // header, processes, bell, sections of the engines
		size    uint64
	}{
		"small":   {small, []uint64{0, 256, 4352, 4416, 4608}, 4800},
		"aligned": {aligned, []uint64{0, 256, 4352, 4480, 8192}, 8384},
		// 9 words more, which do not fit into 256 bytes.
		"two":  {two, []uint64{0, 384, 4480, 4544, 4736, 4928}, 4992},
		"huge": {toy(1<<43, 1, 1, 1), []uint64{0, 256, 4352, 4416, 4416 + 1<<48}, 4480 + 1<<48},
	} {
		spans, size := c.layout.spans()
		var got []uint64
		for _, s := range spans {
			got = append(got, s.offset)
			if at := c.layout.Offset(s.engine, s.name); at != s.offset {
				t.Errorf("%s: section %s of %s at %d and %d", name, s.name, s.engine, at, s.offset)
			}
		}
		if !slices.Equal(got, c.offsets) || size != c.size || c.layout.Size() != c.size {
			t.Errorf("%s: %d, %d bytes, want %d, %d", name, got, size, c.offsets, c.size)
		}
		if got := c.layout.Offset("toy", "none"); got != c.size {
			t.Errorf("%s: unknown section at %d, want the end", name, got)
		}
	}
}

// TestLayout_Check: the first field that is out of bounds is named, with its bounds.
func TestLayout_Check(t *testing.T) {
	long := strings.Repeat("x", NameMax)
	changed := func(change func(p *Part)) Layout {
		l := small.complete()
		change(&l[0])
		return l
	}
	named := func(name string) Layout { return changed(func(p *Part) { p.Engine = name }) }
	section := func(s Section) Layout { return changed(func(p *Part) { p.Sections[1] = s }) }
	for want, l := range map[string]Layout{
		"":                                   small,
		" ":                                  named(long),
		"  ":                                 named("a-b.c 9"),
		"parts 0":                            {},
		"parts 9":                            make(Layout, PartsMax+1),
		"engine of part 0 \"region\"":        named(Own),
		"engine of part 0 \"\"":              named(""),
		"engine of part 0 \"A\"":             named("A"),
		"engine of part 0 \"a\\x00b\"":       named("a\x00b"),
		"engine of part 0 \" a\"":            named(" a"),
		"engine of part 0 \"a \"":            named("a "),
		"engine of part 0 \"" + long + "x\"": named(long + "x"),
		"engine of part 1 \"toy\"":           append(small.complete(), small[0]),
		"version of toy 0":                   changed(func(p *Part) { p.Version = 0 }),
		"parameters of toy 17":               changed(func(p *Part) { p.Params = make([]Param, 17) }),
		"sections of toy 0":                  changed(func(p *Part) { p.Sections = nil }),
		"sections of toy 17": changed(func(p *Part) {
			p.Sections = make([]Section,
				17)
		}),
		"name of parameter 1 of toy \"homes\"": changed(func(p *Part) {
			p.Params[0].Name,
				p.Params[1].Name = "homes", "homes"
		}),
		"name of parameter 0 of toy \"?\"":         changed(func(p *Part) { p.Params[0].Name = "?" }),
		"name of section 1 of toy \"cells\"":       section(Section{"cells", 8, 64}),
		"name of section 1 of toy \"_\"":           section(Section{"_", 8, 64}),
		"   ":                                      section(Section{"b", SectionMax, 0}),
		"size of section b of toy 0":               section(Section{"b", 0, 64}),
		"size of section b of toy 12":              section(Section{"b", 12, 64}),
		"size of section b of toy 281474976710664": section(Section{"b", SectionMax + 8, 64}),
		"alignment of section b of toy 32":         section(Section{"b", 8, 32}),
		"alignment of section b of toy 96":         section(Section{"b", 8, 96}),
		"alignment of section b of toy 8192":       section(Section{"b", 8, 2 * PageBytes}),
	} {
		err := l.Check()
		var e *Error
		switch good := strings.TrimSpace(want) == ""; {
		case good && err != nil:
			t.Errorf("%v: %v", l, err)
		case !good && (!errors.Is(err, ErrGeometry) || !errors.As(err, &e) || e.Field+" "+e.Found != want):
			t.Errorf("%v: %v, want %s", l, err, want)
		case !good && !errors.Is(failed(Heap(l)), ErrGeometry):
			t.Errorf("heap with %v is made", l)
		}
	}
}

// TestLayout_IsFoundByName: the parts, their parameters and sections.
func TestLayout_IsFoundByName(t *testing.T) {
	p, ok := small.Part("toy")
	if !ok || p.Version != 9 {
		t.Fatalf("%v, %v", p, ok)
	}
	if v, ok := p.Param("descriptors"); !ok || v != 3 {
		t.Errorf("descriptors: %d, %v", v, ok)
	}
	if s, ok := p.Section("descriptors"); !ok || s != (Section{"descriptors", 192, 64}) {
		t.Errorf("descriptors: %v, %v", s, ok)
	}
	_, part := small.Part("other")
	_, param := p.Param("other")
	_, section := p.Section("other")
	if part || param || section {
		t.Errorf("what is not there is found: %v, %v, %v", part, param, section)
	}
}

// TestLayout_Equal: each number and name counts; an alignment of zero is that of a line.
func TestLayout_Equal(t *testing.T) {
	zero := small.complete()
	zero[0].Sections[0].Align = 0
	if !zero.Equal(small) || !small.Equal(zero) || zero[0].Sections[0].Align != 0 {
		t.Errorf("an alignment of zero is another one: %v", zero)
	}
	for name, change := range map[string]func(p *Part){
		"engine":    func(p *Part) { p.Engine = "other" },
		"version":   func(p *Part) { p.Version++ },
		"parameter": func(p *Part) { p.Params[3].Value++ },
		"name":      func(p *Part) { p.Sections[1].Name = "x" },
		"size":      func(p *Part) { p.Sections[1].Bytes += 8 },
		"alignment": func(p *Part) { p.Sections[1].Align *= 2 },
	} {
		other := small.complete()
		change(&other[0])
		if other.Equal(small) || small.Equal(other) {
			t.Errorf("another %s is the same layout", name)
		}
	}
	if small.Equal(nil) || small.Equal(append(small.complete(), Part{})) {
		t.Error("more parts are the same layout")
	}
}

// TestRegion_LayoutIsACopy: who changes what it was given changes no region.
func TestRegion_LayoutIsACopy(t *testing.T) {
	l := small.complete()
	r := mustHeap(t, l)
	l[0].Sections[0].Bytes, l[0].Params[0].Value = 8, 8
	got := r.Layout()
	got[0].Sections[1].Bytes, got[0].Engine = 8, "x"
	if !r.Layout().Equal(small) || r.Check() != nil {
		t.Errorf("%v, %v", r.Layout(), r.Check())
	}
}

// The pid and the time of each entry are for a person, and no other word is.
func TestLayout_Personal(t *testing.T) {
	l := toy(64, 8, 2, near)
	n := 0
	for offset := uint64(0); offset < l.Size(); offset += WordBytes {
		if !l.Personal(offset) {
			continue
		}
		n++
		entry := (offset - l.Offset(Own, OwnProcesses)) % ProcessBytes
		if entry != processPid*WordBytes && entry != processSince*WordBytes {
			t.Errorf("the word at %#x, %d bytes into an entry", offset, entry)
		}
	}
	if n != 2*Processes {
		t.Errorf("%d words, want 2 of each of %d entries", n, Processes)
	}
}

// TestLayout_SaysItsNumbers: each by its name.
func TestLayout_SaysItsNumbers(t *testing.T) {
	l := append(small.complete(), Part{Engine: "next", Version: 4})
	const want = "toy version 9, cells per half 5, window 3, descriptors 3, homes 1; next version 4"
	if got := fmt.Sprint(l); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestHeap_AlignsItsSections: an engine that asks for a page gets one, also on the heap.
func TestHeap_AlignsItsSections(t *testing.T) {
	for _, align := range []uint64{64, 128, 1024, PageBytes} {
		l := small.complete()
		l[0].Sections[1].Align = align
		words, err := mustHeap(t, l).Section("toy", "descriptors")
		if err != nil || uint64(uintptr(unsafe.Pointer(&words[0])))%align != 0 {
			t.Errorf("a section that wants %d is at %p, %v", align, &words[0], err)
		}
	}
}

// TestMemory_OfTheCallerMustBeAligned: as the sections ask, for who makes a region and who attaches to it.
func TestMemory_OfTheCallerMustBeAligned(t *testing.T) {
	l := small.complete()
	l[0].Sections[1].Align = PageBytes
	all := aligned(make([]byte, l.Size()+3*PageBytes), PageBytes)
	good, off := all[:l.Size()], all[LineBytes:][:l.Size()]
	s := clerk{desk: &desk{}, self: 1}
	if _, err := Make(off, l, s); !errors.Is(err, ErrSize) {
		t.Errorf("made a line behind a page: %v", err)
	}
	if _, err := Make(good, l, s); err != nil {
		t.Fatal(err)
	}
	moved := aligned(make([]byte, l.Size()+2*PageBytes), PageBytes)[LineBytes:][:l.Size()]
	copy(moved, good)
	if _, err := Attach(moved, nil, s); !errors.Is(err, ErrSize) {
		t.Errorf("attached a line behind a page: %v", err)
	}
	if _, err := Attach(good, nil, clerk{desk: &desk{}, self: 2}); err != nil {
		t.Error(err)
	}
}

// failed is the error alone of a call with a result.
func failed[T any](_ T, err error) error { return err }
