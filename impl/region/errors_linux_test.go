package region

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// TestErrors_AreWhole: an error says which field of which file is what, what it should be, and what to do.
func TestErrors_AreWhole(t *testing.T) {
	for _, c := range slices.Concat(errorsOfFiles(t), errorsOfHeaders(), errorsOfHandles(t)) {
		var e *Error
		if !errors.As(c.err, &e) {
			t.Errorf("%v, want %+v", c.err, c.want)
			continue
		}
		if c.want.Do = e.Do; *e != c.want || e.Do == "" {
			t.Errorf("%+v, want %+v and what to do", *e, c.want)
		}
	}
	if err := checkSize("f", 256); err != nil {
		t.Errorf("a file that holds a header and no more: %v", err)
	}
	if got, err := addressable("f", math.MaxInt-HugePage); got != math.MaxInt-HugePage || err != nil {
		t.Errorf("the most that is addressable: %d, %v", got, err)
	}
}

// toldError is an error, and what it should say but for what to do. Found is what the case has put there,
// want what the function is asked for, or the bound that it documents.
type toldError struct {
	err  error
	want Error
}

func says(err, reason error, file, field, found, want string) toldError {
	return toldError{err, Error{Reason: reason, File: file, Field: field, Found: found, Want: want}}
}

func errorsOfFiles(t *testing.T) []toldError {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("texttext"), 0o600); err != nil {
		t.Fatal(err)
	}
	stat := func(mode, owner uint32) error {
		return checkStat("f", &unix.Stat_t{Mode: mode, Uid: owner}, 7)
	}
	most := math.MaxInt - HugePage
	return []toldError{
		says(stat(unix.S_IFCHR, 7), ErrNotRegular, "f", "type", "a character device", "a regular file"),
		says(stat(0o160000, 7), ErrNotRegular, "f", "type", "0160000", "a regular file"),
		says(stat(unix.S_IFREG|0o600, 8), ErrOwner, "f", "owner", "8", "7"),
		says(stat(unix.S_IFREG|0o640, 7), ErrMode, "f", "mode", "0640", "no bits for group and others"),
		says(stat(unix.S_IFREG|0o601, 7), ErrMode, "f", "mode", "0601", "no bits for group and others"),
		says(stat(unix.S_IFDIR|0o700, 8), ErrNotRegular, "f", "type", "a directory", "a regular file"),
		says(Unlink(text), ErrMagic, text, "magic", "0x7478657474786574", "0x637963656d6173"),
		says(checkSize("f", 63), ErrSize, "f", "file size", "63", "at least 64"),
		says(checkSize("f", 0), ErrUnfinished, "f", "file size", "0", "at least 64"),
		says(failed(addressable("f", uint64(most)+1)), ErrSize, "f", "total size", fmt.Sprint(most+1),
			fmt.Sprintf("at most %d", most)),
	}
}

// forged is the error of a header with another word.
func forged(word int, value uint64) error {
	h := small.header()
	h[word] = value
	return failed(h.check("f", small.Size()))
}

func errorsOfHeaders() []toldError {
	h, size := small.header(), small.Size()
	six := small.complete()
	six[0].Params[0].Value = 6
	both, sum := slices.Clone(h),
		slices.Clone(h) // what is wrong is told before the checksum, and that before the size
	both[headerWords-1], both[wordChecksum], sum[wordChecksum] = 1, 1, 1
	return []toldError{
		says(forged(wordMagic, 0), ErrUnfinished, "f", "magic", "0x0", "0x637963656d6173"),
		says(forged(wordMagic, 7), ErrMagic, "f", "magic", "0x7", "0x637963656d6173"),
		says(forged(wordVersion, 7), ErrVersion, "f", "format version", "0x7", "0x8"),
		says(forged(wordVersion, 9), ErrVersion, "f", "format version", "0x9", "0x8"),
		says(forged(wordHeader, 1<<40), ErrHeader, "f", "header size", "0x10000000000",
			"a multiple of 64, at most 8512"),
		says(forged(wordHeader, 320), ErrHeader, "f", "header size", "0x140", "0x100"),
		says(failed(h.check("f", 192)), ErrSize, "f", "file size", "192", "at least 256"),
		says(forged(wordCount, 9), ErrHeader, "f", "list of parts", "9 of them",
			"parts that fit into 32 words of a header"),
		says(forged(wordParts+2, 0), ErrHeader, "f", "version of toy", "0", "1..4294967295"),
		says(forged(smallParams+2, 6), ErrHeader, "f", "checksum", fmt.Sprintf("%#x", h.checksum()),
			fmt.Sprintf("%#x", six.header().checksum())),
		says(forged(smallSections+2, 1), ErrHeader, "f", "offset of section cells of toy", "0x1", "0x1140"),
		says(failed(both.check("f", small.Size())), ErrHeader, "f",
			"alignment of section descriptors of toy", "1",
			"64..4096"),
		says(failed(sum.check("f", 256)), ErrHeader, "f", "checksum", "0x1", fmt.Sprintf("%#x",
			h.checksum())),
		says(failed(h.check("f", size+1)), ErrSize, "f", "file size", fmt.Sprint(size+1), fmt.Sprint(size)),
		says(failed(h.check("f", size-1)), ErrSize, "f", "file size", fmt.Sprint(size-1), fmt.Sprint(size)),
		says(small.accept("f", asks("cells per half", 9), false), ErrLayout, "f", "cells per half of toy",
			"5",
			"9"),
		says(small.accept("f", asks("window", 4), false), ErrLayout, "f", "window of toy", "3", "4"),
		says(small.accept("f", asks("age", 4), false), ErrLayout, "f", "age of toy", "not there", "4"),
		says(small.accept("f", Layout{{Engine: "cache"}}, false), ErrLayout, "f", "engine", "toy", "cache"),
	}
}

func errorsOfHandles(t *testing.T) []toldError {
	path, file := mustCreate(t)
	heap, closed, size, full := mustHeap(t, small), mustHeap(t, small), small.Size(), &desk{}
	lostPath, lost := mustCreate(t)
	if err := errors.Join(closed.Close(), lost.Close()); err != nil {
		t.Fatal(err)
	}
	for i := range full.holder {
		full.holder[i] = 2
	}
	wide := Layout{{Engine: "toy"}}
	_, _, either := OpenOrCreate("no file", wide)
	short := failed(Make(memory(small)[:size-8], small, clerk{}))
	moved := aligned(make([]byte, size+2*LineBytes), LineBytes)[8:][:size]
	none := failed(Make(memory(small), small, clerk{desk: full, self: 1}))
	return []toldError{
		says(failed(heap.Section("toy", "x")), ErrRange, "", "section", "x of toy",
			"one that the region has"),
		says(failed(heap.Word(size)), ErrRange, "", "offset", fmt.Sprint(size),
			fmt.Sprintf("a multiple of 8 below %d", size)),
		says(failed(file.Section("x", "cells")), ErrRange, path, "section", "cells of x",
			"one that the region has"),
		says(failed(file.Word(4)), ErrRange, path, "offset", "4",
			fmt.Sprintf("a multiple of 8 below %d", size)),
		says(failed(Create("no file", wide)), ErrGeometry, "no file", "version of toy", "0", "1..4294967295"),
		says(either, ErrGeometry, "no file", "version of toy", "0", "1..4294967295"),
		says(failed(closed.Word(0)), ErrClosed, "", "handle", "closed", "open"),
		says(failed(lost.Word(0)), ErrClosed, lostPath, "handle", "closed", "open"),
		says(short, ErrSize, "", "memory", fmt.Sprint(size-8), fmt.Sprint(size)),
		says(failed(Make(moved, small, clerk{})), ErrSize, "", "memory", fmt.Sprintf("%p", moved),
			"a multiple of 64"),
		says(none, ErrProcesses, "", "process table", "64 entries held by living processes",
			"one that is free"),
	}
}

// TestErrors_OfTheSystem: a call that fails is ErrSystem with the file's name and the system's reason. The
// file is one that is not open.
func TestErrors_OfTheSystem(t *testing.T) {
	c, err := newCreation("the file", small)
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func() error{
		"mode": c.mode, "reserve": c.reserve, "map": c.mapAll, "seal": c.seal, "close": c.r.closeFile,
		"lock":   func() error { return failed(c.r.lockFile(1)) },
		"unlock": func() error { return c.r.unlockFile(1) },
		"locked": func() error { return failed(c.r.fileLocked(1)) },
		"take": func() error {
			return failed((&Region{file: "the file", fd: noFile}).take(4800, wanted{layout: small}, 0))
		},
	} {
		err := call()
		if !errors.Is(err, ErrSystem) || !errors.Is(err, unix.EBADF) {
			t.Errorf("%s: %v", name, err)
		}
	}
	const unlinked = "no name for a file without one: no such file or directory"
	if err := c.link(); !errors.Is(err, errNoLink) || err.Error() != unlinked {
		t.Errorf("a file that cannot get a name: %v, want %s", err, unlinked)
	}
	none := filepath.Join(t.TempDir(), "none", "table")
	if _, err := Create(none, small); !errors.Is(err, ErrSystem) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("create in no folder: %v", err)
	}
	for name, err := range map[string]error{"create": failed(Create(none, Layout{})),
		"memory": failed(Memory("none", Layout{})), "heap": failed(Heap(Layout{}))} {
		if !errors.Is(err, ErrGeometry) {
			t.Errorf("%s without a layout: %v", name, err)
		}
	}
}

// TestErrors_SayWhatToDo: of each header that is refused, as its reason is.
func TestErrors_SayWhatToDo(t *testing.T) {
	const gone = "unlink it and create it anew"
	h := small.header()
	for name, c := range map[string]struct {
		err error
		do  string
	}{
		"empty": {checkSize("f", 0),
			"another process is creating it: try again; if its creator died, " + gone},
		"unfinished": {forged(wordMagic, 0),
			"another process is creating it: try again; if its creator died, " + gone},
		"short": {checkSize("f", 8),
			"the file is something else, or what is left of a region: look before you unlink it"},
		"foreign": {forged(wordMagic, 7), "the file is something else: choose another path"},
		"version": {forged(wordVersion, 7),
			"it was created by another build, whose format this one cannot read: " +
				"use that build, or " + gone},
		"geometry": {forged(wordParts+2, 0), "the file is damaged: " + gone},
		"place":    {forged(smallSections+2, 1), "the file is damaged: " + gone},
		"checksum": {forged(wordChecksum, 1), "the file is damaged: " + gone},
		"cut":      {failed(h.check("f", small.Size()-8)), "the file is damaged: " + gone},
		"long": {failed(h.check("f", small.Size()+8)),
			"cut it to that size, if you know what is behind it, or " + gone},
		"another": {small.accept("f", asks("window", 4), false),
			"ask for what the region has, or " + gone},
	} {
		var e *Error
		if !errors.As(c.err, &e) || e.Do != c.do {
			t.Errorf("%s: %v, want %q", name, c.err, c.do)
		}
	}
}
