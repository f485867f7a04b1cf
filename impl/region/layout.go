package region

import (
	"fmt"
	"slices"
	"strings"
)

// Fixed sizes, in bytes where nothing else is said.
const (
	LineBytes    = 64 // the least alignment of a section: one cache line
	PageBytes    = 4096
	WordBytes    = 8
	ProcessBytes = 64 // eight words, one cache line
	Processes    = 64 // entries of the process table
	HugePage     = 2 << 20
)

// Bounds of a Layout.
const (
	PartsMax    = 8       // parts of a region
	ParamsMax   = 16      // parameters of a part
	SectionsMax = 16      // sections of a part
	NameMax     = 16      // bytes of a name
	SectionMax  = 1 << 48 // bytes of a section
)

// Own is the engine name of the sections that belong to the region itself: OwnHeader, OwnProcesses and
// OwnBell. No engine may have this name.
const Own = "region"

// Sections of the region itself, in the order of their offsets.
const (
	OwnHeader    = "header"    // the layout of the region
	OwnProcesses = "processes" // the attached processes
	OwnBell      = "bell"      // the word that wakes services
)

// Layout says which parts a region has: those of all engines whose memory is in it, in the order in which
// they follow each other. Each engine makes its own part, and finds its sections by name (Region.Section),
// wherever they are.
//
// If a caller passes a Layout to open an existing region, it may leave things out: see Open.
type Layout []Part

// Part is the part of one engine in a region. The region knows nothing else about the engine.
type Part struct {
	Engine   string    // the name of the engine, which no other part of the region has
	Version  uint32    // version of the engine's format; it changes whenever the meaning of a word does
	Params   []Param   // further numbers on which its processes must agree
	Sections []Section // the memory of the engine, in the order of the offsets
}

// Param is a number that the engine interprets, such as a number of cells.
type Param struct {
	Name  string // one that no other parameter of the part has
	Value uint64
}

// Section is memory that only its engine uses. It is zero in a new region.
type Section struct {
	Name  string // one that no other section of the part has
	Bytes uint64 // a multiple of WordBytes, 8 to SectionMax
	Align uint64 // a power of two, LineBytes to PageBytes; 0 is LineBytes
}

// Indexes of the sections of the region itself among all.
const (
	ownProcesses = 1
	ownBell      = 2
	ownSections  = 3 // how many they are
)

// complete is a copy of l with the values that zero stands for.
func (l Layout) complete() Layout {
	l = slices.Clone(l)
	for i := range l {
		l[i].Params, l[i].Sections = slices.Clone(l[i].Params), slices.Clone(l[i].Sections)
		for j, s := range l[i].Sections {
			l[i].Sections[j].Align = max(s.Align, LineBytes)
		}
	}
	return l
}

// Part is the part of that engine, if there is one.
func (l Layout) Part(engine string) (Part, bool) {
	for _, p := range l {
		if p.Engine == engine {
			return p, true
		}
	}
	return Part{}, false
}

// Param is the value of the parameter of that name, if there is one.
func (p Part) Param(name string) (uint64, bool) {
	for _, x := range p.Params {
		if x.Name == name {
			return x.Value, true
		}
	}
	return 0, false
}

// Section is the section of that name, if there is one.
func (p Part) Section(name string) (Section, bool) {
	for _, s := range p.Sections {
		if s.Name == name {
			return s, true
		}
	}
	return Section{}, false
}

// Equal reports whether two layouts describe the same region.
func (l Layout) Equal(other Layout) bool {
	return slices.EqualFunc(l.complete(), other.complete(), func(a, b Part) bool {
		return a.Engine == b.Engine && a.Version == b.Version && slices.Equal(a.Params, b.Params) &&
			slices.Equal(a.Sections, b.Sections)
	})
}

// Check returns an ErrGeometry that names the first field out of bounds, or nil.
func (l Layout) Check() error { return l.check("") }

// bounds collects the first field that is out of bounds.
type bounds struct {
	file string
	err  *Error
}

// number is about a number of the layout.
func (b *bounds) number(field string, is, low, high uint64) {
	b.that(is >= low && is <= high, field, fmt.Sprint(is), fmt.Sprintf("%d..%d", low, high))
}

// name is about a name, which has to differ from those before it.
func (b *bounds) name(field, is string, others ...string) {
	good := is != "" && len(is) <= NameMax && strings.Trim(is, nameBytes) == "" && strings.Trim(is, " ") == is
	b.that(good, field, fmt.Sprintf("%q", is),
		fmt.Sprintf("1 to %d lower case letters, digits, dots, dashes or spaces between them", NameMax))
	b.that(!slices.Contains(others, is), field, fmt.Sprintf("%q", is), "a name that nothing else there has")
}

// that keeps the first thing that does not hold.
func (b *bounds) that(good bool, field, found, want string) {
	if !good && b.err == nil {
		b.err = &Error{Reason: ErrGeometry, File: b.file, Field: field, Found: found, Want: want,
			Do: "choose a value within the bounds"}
	}
}

// nameBytes are the bytes of which names are made.
const nameBytes = "abcdefghijklmnopqrstuvwxyz0123456789.- "

// check is Check of the layout of a region in that file, empty for one on the heap.
func (l Layout) check(file string) error {
	b := bounds{file: file}
	b.number("parts", uint64(len(l)), 1, PartsMax)
	engines := []string{Own}
	for i, p := range l {
		b.name(fmt.Sprintf("engine of part %d", i), p.Engine, engines...)
		engines = append(engines, p.Engine)
		p.check(&b)
	}
	if b.err != nil {
		return b.err
	}
	return nil
}

func (p Part) check(b *bounds) {
	b.number("version of "+p.Engine, uint64(p.Version), 1, 1<<32-1)
	b.number("parameters of "+p.Engine, uint64(len(p.Params)), 0, ParamsMax)
	b.number("sections of "+p.Engine, uint64(len(p.Sections)), 1, SectionsMax)
	var params, sections []string
	for i, x := range p.Params {
		b.name(fmt.Sprintf("name of parameter %d of %s", i, p.Engine), x.Name, params...)
		params = append(params, x.Name)
	}
	for i, s := range p.Sections {
		b.name(fmt.Sprintf("name of section %d of %s", i, p.Engine), s.Name, sections...)
		sections = append(sections, s.Name)
		b.number(fieldSize(p.Engine, s.Name), s.Bytes, WordBytes, SectionMax)
		b.that(s.Bytes%WordBytes == 0, fieldSize(p.Engine, s.Name), fmt.Sprint(s.Bytes), "a multiple of 8")
		if s.Align == 0 {
			continue
		}
		b.number(fieldAlign(p.Engine, s.Name), s.Align, LineBytes, PageBytes)
		b.that(s.Align&(s.Align-1) == 0, fieldAlign(p.Engine, s.Name), fmt.Sprint(s.Align), "a power of two")
	}
}

// Names of what is said of parts, in errors.
func fieldParam(engine, name string) string  { return name + " of " + engine }
func fieldSize(engine, name string) string   { return "size of section " + name + " of " + engine }
func fieldAlign(engine, name string) string  { return "alignment of section " + name + " of " + engine }
func fieldOffset(engine, name string) string { return "offset of section " + name + " of " + engine }

// String prints the parts with their parameters.
func (l Layout) String() string {
	var parts []string
	for _, p := range l {
		text := fmt.Sprintf("%s version %d", p.Engine, p.Version)
		for _, x := range p.Params {
			text += fmt.Sprintf(", %s %d", x.Name, x.Value)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// span is a section with its place.
type span struct {
	engine, name string
	offset, size uint64 // in bytes; the size without the padding behind it
}

// spans places the sections one after the other, first those of the region itself, and returns the size of
// the whole. l must be within its bounds. Then nothing overflows, because the region takes less than 2^57
// bytes.
func (l Layout) spans() (spans []span, size uint64) {
	place := func(engine string, s Section) {
		align := max(s.Align, LineBytes)
		size = (size + align - 1) &^ (align - 1)
		spans = append(spans, span{engine, s.Name, size, s.Bytes})
		size += s.Bytes
	}
	place(Own, Section{Name: OwnHeader, Bytes: l.headerBytes()})
	place(Own, Section{Name: OwnProcesses, Bytes: Processes * ProcessBytes})
	place(Own, Section{Name: OwnBell, Bytes: LineBytes})
	for _, p := range l {
		for _, s := range p.Sections {
			place(p.Engine, s)
		}
	}
	return spans, (size + LineBytes - 1) &^ (LineBytes - 1)
}

// align is the largest alignment of a section.
func (l Layout) align() (most uint64) {
	most = LineBytes
	for _, p := range l {
		for _, s := range p.Sections {
			most = max(most, s.Align)
		}
	}
	return most
}

// Size is the number of bytes that a region of this layout takes, a multiple of 64.
func (l Layout) Size() uint64 {
	_, size := l.spans()
	return size
}

// Offset of a section of an engine in bytes from the start of the region, or of the region itself for
// the engine Own; Size for a section that is not there.
func (l Layout) Offset(engine, section string) uint64 {
	spans, size := l.spans()
	if s, ok := find(spans, engine, section); ok {
		return s.offset
	}
	return size
}

// find is the section of that engine and name.
func find(spans []span, engine, section string) (span, bool) {
	for _, s := range spans {
		if s.engine == engine && s.name == section {
			return s, true
		}
	}
	return span{}, false
}
