package region

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/samecycle/samecycle/internal/seam"
)

// Magic is the first word of every finished region: "samecyc" and a zero byte, little endian.
const Magic = uint64(0x00637963656D6173)

// FormatVersion is increased whenever a word of the region that belongs to no engine changes its meaning.
const FormatVersion = 8

// Words of the header. From wordParts on the parts follow one another. A part has two words with the name
// of the engine, the version, and a word with the numbers of parameters (low half) and of sections (high
// half). Then come, for each parameter, two words with its name, and its value; and for each section two
// words with its name, its offset, size and alignment. The words behind the last part, to the end of the
// last line, are spare and zero.
const (
	wordMagic = iota
	wordVersion
	wordHeader // size of the header in bytes
	wordSize   // size of the region in bytes
	wordCount  // number of parts
	wordChecksum
	wordParts
)

const (
	nameWords    = NameMax / WordBytes
	partWords    = nameWords + 2
	paramWords   = nameWords + 1
	sectionWords = nameWords + 3
	// headerMost is how many words the largest layout has.
	headerMost = wordParts + PartsMax*(partWords+ParamsMax*paramWords+SectionsMax*sectionWords)
	// headerLeast is how many bytes a file must have to be judged by what it says.
	headerLeast = LineBytes
)

// header is a private copy of a region's header: whole lines.
type header []uint64

// headerBytes is the size of the header of a layout within its bounds.
func (l Layout) headerBytes() uint64 {
	words := wordParts
	for _, p := range l {
		words += partWords + paramWords*len(p.Params) + sectionWords*len(p.Sections)
	}
	return (uint64(words)*WordBytes + LineBytes - 1) &^ (LineBytes - 1)
}

// header is what a region of this layout begins with, and nothing else.
func (l Layout) header() header {
	h, _ := l.named()
	return h
}

// named is the header of a region of this layout, and the name of each of its words.
func (l Layout) named() (h header, names []string) {
	l = l.complete()
	spans, size := l.spans()
	spans = spans[ownSections:]
	put := func(name string, word uint64) { h, names = append(h, word), append(names, name) }
	text := func(name, value string) {
		for _, word := range nameBits(value) {
			put(name, word)
		}
	}
	put("magic", Magic)
	put("format version", FormatVersion)
	put("header size", l.headerBytes())
	put("total size", size)
	put("number of parts", uint64(len(l)))
	put("checksum", 0)
	for i, p := range l {
		text(fmt.Sprintf("engine of part %d", i), p.Engine)
		put("version of "+p.Engine, uint64(p.Version))
		put("numbers of parameters and sections of "+p.Engine, counts(len(p.Params), len(p.Sections)))
		for j, x := range p.Params {
			text(fmt.Sprintf("name of parameter %d of %s", j, p.Engine), x.Name)
			put(fieldParam(p.Engine, x.Name), x.Value)
		}
		for j, s := range p.Sections {
			text(fmt.Sprintf("name of section %d of %s", j, p.Engine), s.Name)
			put(fieldOffset(p.Engine, s.Name), spans[j].offset)
			put(fieldSize(p.Engine, s.Name), s.Bytes)
			put(fieldAlign(p.Engine, s.Name), s.Align)
		}
		spans = spans[len(p.Sections):]
	}
	for uint64(len(h))*WordBytes < l.headerBytes() {
		put(fmt.Sprintf("spare word %d", len(h)), 0)
	}
	h[wordChecksum] = h.checksum()
	return h, names
}

func counts(params, sections int) uint64 { return uint64(sections)<<32 | uint64(params) }

// nameBits is a name of up to NameMax bytes as words, filled up with zeros.
func nameBits(name string) (words [nameWords]uint64) {
	for i := range min(len(name), NameMax) {
		words[i/WordBytes] |= uint64(name[i]) << (i % WordBytes * 8)
	}
	return words
}

// nameText is the name in those words, with what does not belong into a name, if there is any.
func nameText(words []uint64) string {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(bytes.TrimRight(b, "\x00"))
}

// checksum covers every word but the magic (written last) and itself.
func (h header) checksum() uint64 {
	sum := fnv.New64a()
	var b [WordBytes]byte
	for i, w := range h {
		if i != wordMagic && i != wordChecksum {
			binary.LittleEndian.PutUint64(b[:], w)
			sum.Write(b[:])
		}
	}
	return sum.Sum64()
}

// What a person does about a header that is not as it should be.
const (
	doRetry = "another process is creating it: try again; " +
		"if its creator died, unlink it and create it anew"
	doForeign = "the file is something else: choose another path"
	doBuild   = "it was created by another build, whose format this one cannot read: use that build, or " +
		"unlink it and create it anew"
	doShort   = "the file is something else, or what is left of a region: look before you unlink it"
	doDamaged = "the file is damaged: unlink it and create it anew"
	doAsk     = "ask for what the region has, or unlink it and create it anew"
)

// begins judges the words that each header has, of a region of that many bytes in file: what the file
// is, and how long its header. Nothing behind these words is used before.
func (h header) begins(file string, size uint64) error {
	bad := func(reason error, word int, field, want, do string) error {
		return &Error{Reason: reason, File: file, Field: field, Found: fmt.Sprintf("%#x", h[word]),
			Want: want, Do: do}
	}
	const most = (headerMost*WordBytes + LineBytes - 1) / LineBytes * LineBytes
	switch {
	case h[wordMagic] == 0:
		return bad(ErrUnfinished, wordMagic, "magic", fmt.Sprintf("%#x", Magic), doRetry)
	case h[wordMagic] != Magic:
		return bad(ErrMagic, wordMagic, "magic", fmt.Sprintf("%#x", Magic), doForeign)
	case h[wordVersion] != FormatVersion:
		return bad(ErrVersion, wordVersion, "format version", fmt.Sprintf("%#x", FormatVersion), doBuild)
	case h[wordHeader]%LineBytes != 0 || h[wordHeader] < headerLeast || h[wordHeader] > most:
		return bad(ErrHeader, wordHeader, "header size", fmt.Sprintf("a multiple of %d, at most %d",
			LineBytes, most), doDamaged)
	case h[wordHeader] > size:
		return &Error{Reason: ErrSize, File: file, Field: "file size", Found: fmt.Sprint(size),
			Want: fmt.Sprintf("at least %d", h[wordHeader]), Do: doDamaged}
	}
	return nil
}

// decode is the layout that the header describes, whether it is within the bounds or not; false if the
// parts do not fit into the header.
func (h header) decode() (l Layout, ok bool) {
	rest := h[wordParts:]
	next := func(n int) (words []uint64) {
		if ok = ok && n <= len(rest); !ok {
			return make([]uint64, n)
		}
		words, rest = rest[:n], rest[n:]
		return words
	}
	ok = h[wordCount] <= PartsMax
	for i := uint64(0); ok && i < h[wordCount]; i++ {
		w := next(partWords)
		p := Part{Engine: nameText(w[:nameWords]), Version: uint32(w[nameWords])}
		params, sections := uint32(w[nameWords+1]), w[nameWords+1]>>32
		ok = ok && params <= ParamsMax && sections <= SectionsMax
		for ; ok && params > 0; params-- {
			w := next(paramWords)
			p.Params = append(p.Params, Param{nameText(w[:nameWords]), w[nameWords]})
		}
		for ; ok && sections > 0; sections-- {
			w := next(sectionWords)
			// The offset follows from the rest.
			p.Sections = append(p.Sections, Section{nameText(w[:nameWords]), w[nameWords+1], w[nameWords+2]})
		}
		l = append(l, p)
	}
	return l, ok
}

// check validates a header copied from file, whose length is size, and returns the layout. It trusts
// nothing: the layout is decoded within the header and bounded first, then each word must be exactly what
// follows from the layout, so no arithmetic is ever done with an unbounded number.
func (h header) check(file string, size uint64) (Layout, error) {
	if err := h.begins(file, size); err != nil {
		return nil, err
	}
	damaged := func(field, found, want string) (Layout, error) {
		return nil, &Error{Reason: ErrHeader, File: file, Field: field, Found: found, Want: want,
			Do: doDamaged}
	}
	l, ok := h.decode()
	if !ok {
		return damaged("list of parts", fmt.Sprintf("%d of them", h[wordCount]),
			fmt.Sprintf("parts that fit into %d words of a header", len(h)))
	}
	if err := l.check(file); err != nil {
		e := *err.(*Error)
		e.Reason, e.Do = ErrHeader, doDamaged
		return nil, &e
	}
	if len(h) != int(l.headerBytes()/WordBytes) {
		return damaged("header size", fmt.Sprint(h[wordHeader]), fmt.Sprint(l.headerBytes()))
	}
	want, names := l.named()
	for word := range h {
		if h[word] != want[word] && word != wordChecksum {
			return damaged(names[word], fmt.Sprintf("%#x", h[word]), fmt.Sprintf("%#x", want[word]))
		}
	}
	if h[wordChecksum] != want[wordChecksum] {
		return damaged(names[wordChecksum], fmt.Sprintf("%#x", h[wordChecksum]),
			fmt.Sprintf("%#x", want[wordChecksum]))
	}
	if size == h[wordSize] {
		return l, nil
	}
	e := &Error{Reason: ErrSize, File: file, Field: "file size", Found: fmt.Sprint(size),
		Want: fmt.Sprint(h[wordSize]), Do: doDamaged}
	if size > h[wordSize] {
		e.Do = "cut it to that size, if you know what is behind it, or unlink it and create it anew"
	}
	return nil, e
}

// asked compares what a region has with what was asked for, and keeps the first difference.
type asked struct {
	file  string
	whole bool // zero is a number like any other
	err   *Error
}

func (a *asked) text(same bool, field, found, want string) {
	if !same && a.err == nil {
		a.err = &Error{Reason: ErrLayout, File: a.file, Field: field, Found: found, Want: want, Do: doAsk}
	}
}

func (a *asked) number(field string, found, want uint64) {
	a.text(found == want || want == 0 && !a.whole, field, fmt.Sprint(found), fmt.Sprint(want))
}

// count is about how many there are of something, which tells of what nobody has asked for.
func (a *asked) count(field string, found, want int) {
	a.text(found == want || !a.whole, field, fmt.Sprint(found), fmt.Sprint(want))
}

// accept compares the layout of a file with the one that was asked for, in whatever order. It must have
// all that want names, with the same numbers. If whole, it has nothing else; if not, a zero accepts any
// number.
func (l Layout) accept(file string, want Layout, whole bool) error {
	a := asked{file: file, whole: whole}
	for _, w := range want {
		p, ok := l.Part(w.Engine)
		a.text(ok, "engine", l.engines(), w.Engine)
		a.number("version of "+w.Engine, uint64(p.Version), uint64(w.Version))
		for _, x := range w.Params {
			value, ok := p.Param(x.Name)
			a.text(ok, fieldParam(w.Engine, x.Name), "not there", fmt.Sprint(x.Value))
			a.number(fieldParam(w.Engine, x.Name), value, x.Value)
		}
		a.count("number of parameters of "+w.Engine, len(p.Params), len(w.Params))
		for _, x := range w.Sections {
			s, ok := p.Section(x.Name)
			a.text(ok, fieldSize(w.Engine, x.Name), "not there", fmt.Sprint(x.Bytes))
			a.number(fieldSize(w.Engine, x.Name), s.Bytes, x.Bytes)
			a.number(fieldAlign(w.Engine, x.Name), s.Align, x.Align)
		}
		a.count("number of sections of "+w.Engine, len(p.Sections), len(w.Sections))
	}
	a.text(len(l) == len(want) || !whole, "engines", l.engines(), want.engines())
	if a.err != nil {
		return a.err
	}
	return nil
}

// engines are the names of the engines, for an error.
func (l Layout) engines() string {
	var names []string
	for _, p := range l {
		names = append(names, p.Engine)
	}
	return strings.Join(names, ", ")
}

// wanted is what a caller wants of a region that exists.
type wanted struct {
	layout Layout
	whole  bool // it and nothing else
}

// checkSize refuses files that cannot hold a header. A creator gives its file the whole size at
// once, before anything else, so an empty file is one whose creation has not got so far.
func checkSize(path string, size int64) error {
	if size >= headerLeast {
		return nil
	}
	e := &Error{Reason: ErrSize, File: path, Field: "file size", Found: fmt.Sprint(size),
		Want: fmt.Sprintf("at least %d", headerLeast), Do: doShort}
	if size == 0 {
		e.Reason, e.Do = ErrUnfinished, doRetry
	}
	return e
}

// examineWithin is examine of a region that is about to be finished: it waits for the magic, but no
// longer than bound.
func (r *Region) examineWithin(size uint64, want wanted, bound seam.Duration) error {
	err := r.examine(size, want)
	if bound <= 0 || !errors.Is(err, ErrUnfinished) {
		return err
	}
	finished := false
	if gone := r.Guard(func() { finished = r.Await(&r.words[wordMagic], 0, bound) }); gone != nil {
		return gone
	}
	if finished {
		return r.examine(size, want)
	}
	return err
}

// examine copies and checks the header of the mapped file.
func (r *Region) examine(size uint64, want wanted) error {
	h, err := r.copyHeader(size)
	if err != nil {
		return err
	}
	l, err := h.check(r.file, size)
	if err != nil {
		return err
	}
	r.settle(l)
	return l.accept(r.file, want.layout, want.whole)
}

// copyHeader is the header as it is now, or as much of it as says that it is none. The magic is loaded
// first: who sees it sees the rest, which was stored before it. Without it the rest is nothing yet, and is
// not looked at; nor is what is behind a beginning that is refused.
func (r *Region) copyHeader(size uint64) (h header, err error) {
	h = make(header, wordParts)
	err = r.Guard(func() {
		h[wordMagic] = r.words[wordMagic].Load()
		for i := wordMagic + 1; i < wordParts && h[wordMagic] == Magic; i++ {
			h[i] = r.words[i].Load()
		}
		if h.begins(r.file, size) != nil {
			return
		}
		for i := uint64(wordParts); i < h[wordHeader]/WordBytes; i++ {
			h = append(h, r.words[i].Load())
		}
	})
	return h, err
}
