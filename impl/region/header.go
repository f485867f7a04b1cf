package region

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/samecycle/samecycle/internal/seam"
)

// Magic is the first word of every finished region: "samecyc" and a zero byte, little endian.
const Magic = uint64(0x00637963656D6173)

// FormatVersion is raised whenever a word of the region changes its meaning.
const FormatVersion = 7

// Words of the header. Offset and size of section s are the words wordSections+2s and the next.
// Words after the last section are spare and zero.
const (
	wordMagic = iota
	wordVersion
	wordLayout
	wordSize
	wordCells
	wordWindow
	wordDescriptors
	wordHomes
	wordChecksum
	wordSections
	headerWords = 32
	headerBytes = headerWords * WordBytes
)

// headerFields names the words that have one meaning in every header.
var headerFields = [wordSections]string{
	"magic", "format version", "layout hash", "total size",
	"cells per half", "window", "descriptors", "homes", "checksum",
}

// fieldName names any word of the header.
func fieldName(word int) string {
	if word < wordSections {
		return headerFields[word]
	}
	s := Section((word - wordSections) / 2)
	switch {
	case s >= sectionCount:
		return fmt.Sprintf("spare word %d", word)
	case (word-wordSections)%2 == 0:
		return "offset of " + s.String()
	}
	return "size of " + s.String()
}

// header is a private copy of a region's header.
type header [headerWords]uint64

// header is what a region of this geometry begins with, and nothing else.
func (l Layout) header() (h header) {
	spans, size := l.spans()
	h[wordMagic] = Magic
	h[wordVersion] = FormatVersion
	h[wordLayout] = LayoutHash()
	h[wordSize] = size
	h[wordCells] = uint64(l.CellsPerHalf)
	h[wordWindow] = uint64(l.Window)
	h[wordDescriptors] = uint64(l.Descriptors)
	h[wordHomes] = uint64(l.complete().Homes)
	for i, s := range spans {
		h[wordSections+2*i], h[wordSections+2*i+1] = s.offset, s.size
	}
	h[wordChecksum] = h.checksum()
	return h
}

// checksum covers every word but the magic (written last) and itself.
func (h *header) checksum() uint64 {
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
	doBuild   = "it was created by another build: use that build, or unlink it and create it anew"
	doShort   = "the file is something else, or what is left of a region: look before you unlink it"
	doDamaged = "the file is damaged: unlink it and create it anew"
	doAsk     = "ask for the geometry that the file has, or unlink it and create it anew"
)

// check validates a header copied from file, whose length is size, and returns the geometry.
// It trusts nothing: the geometry is bounded first, then each other word must be exactly what
// follows from the geometry, so no arithmetic is ever done with an unbounded number.
func (h *header) check(file string, size uint64) (Layout, error) {
	bad := func(reason error, word int, want uint64, do string) (Layout, error) {
		return Layout{}, &Error{Reason: reason, File: file, Field: fieldName(word),
			Found: fmt.Sprintf("%#x", h[word]), Want: fmt.Sprintf("%#x", want), Do: do}
	}
	switch {
	case h[wordMagic] == 0:
		return bad(ErrUnfinished, wordMagic, Magic, doRetry)
	case h[wordMagic] != Magic:
		return bad(ErrMagic, wordMagic, Magic, doForeign)
	case h[wordVersion] != FormatVersion:
		return bad(ErrVersion, wordVersion, FormatVersion, doBuild)
	case h[wordLayout] != LayoutHash():
		return bad(ErrLayout, wordLayout, LayoutHash(), doBuild)
	}
	// Bits beyond 32 are cut off here and refused below, where each word is compared whole.
	l := Layout{uint32(h[wordCells]), uint32(h[wordWindow]), uint32(h[wordDescriptors]),
		Homes(h[wordHomes])}
	if err := l.Check(); err != nil {
		e := *err.(*Error)
		e.Reason, e.File, e.Do = ErrHeader, file, doDamaged
		return Layout{}, &e
	}
	want := l.header()
	for word := range h {
		if h[word] != want[word] && word != wordChecksum {
			return bad(ErrHeader, word, want[word], doDamaged)
		}
	}
	if h[wordChecksum] != want[wordChecksum] {
		return bad(ErrHeader, wordChecksum, want[wordChecksum], doDamaged)
	}
	if size > h[wordSize] {
		return Layout{}, &Error{Reason: ErrSize, File: file, Field: "file size", Found: fmt.Sprint(size),
			Want: fmt.Sprint(h[wordSize]), Do: "cut it to that size, if you know what is behind it, or " +
				"unlink it and create it anew"}
	}
	if size != h[wordSize] {
		return Layout{}, &Error{Reason: ErrSize, File: file, Field: "file size",
			Found: fmt.Sprint(size), Want: fmt.Sprint(h[wordSize]), Do: doDamaged}
	}
	return l, nil
}

// accept compares the geometry of a file with the one that was asked for; a zero field of want
// accepts any value.
func (l Layout) accept(file string, want Layout) error {
	for _, c := range []struct {
		name     string
		is, want uint32
	}{
		{"cells per half", l.CellsPerHalf, want.CellsPerHalf},
		{"window", l.Window, want.Window},
		{"descriptors", l.Descriptors, want.Descriptors},
		{"homes", uint32(l.Homes), uint32(want.Homes)},
	} {
		if c.want != 0 && c.is != c.want {
			return &Error{Reason: ErrLayout, File: file, Field: c.name,
				Found: fmt.Sprint(c.is), Want: fmt.Sprint(c.want), Do: doAsk}
		}
	}
	return nil
}

// checkSize refuses files that cannot hold a header. A creator gives its file the whole size at
// once, before anything else, so an empty file is one whose creation has not got so far.
func checkSize(path string, size int64) error {
	if size >= headerBytes {
		return nil
	}
	e := &Error{Reason: ErrSize, File: path, Field: "file size", Found: fmt.Sprint(size),
		Want: fmt.Sprintf("at least %d", headerBytes), Do: doShort}
	if size == 0 {
		e.Reason, e.Do = ErrUnfinished, doRetry
	}
	return e
}

// examineWithin is examine of a region that is about to be finished: it waits for the magic, but no
// longer than bound.
func (r *Region) examineWithin(size uint64, want Layout, bound seam.Duration) error {
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

// examine copies and checks the header of the mapped file. The magic is loaded first: who sees it
// sees the rest, which was stored before it. Without it the rest is nothing yet, and is not looked at.
func (r *Region) examine(size uint64, want Layout) error {
	var h header
	err := r.Guard(func() {
		h[wordMagic] = r.words[wordMagic].Load()
		for i := wordMagic + 1; i < headerWords && h[wordMagic] == Magic; i++ {
			h[i] = r.words[i].Load()
		}
	})
	if err != nil {
		return err
	}
	if r.layout, err = h.check(r.file, size); err != nil {
		return err
	}
	return r.layout.accept(r.file, want)
}
