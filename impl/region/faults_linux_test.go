package region

import (
	"errors"
	"io/fs"
	"math"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// splitHeader is a region in memory whose header has its first line on one page, and the others on pages that
// give only that access.
func splitHeader(t *testing.T) *Region {
	t.Helper()
	page := os.Getpagesize()
	all, err := unix.Mmap(-1, 0, 3*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(all) })
	if err := unix.Mprotect(all[page:], unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	r := &Region{fd: noFile}
	r.settle(small)
	r.adopt(all[page-LineBytes:][:small.Size()])
	return r
}

// TestPublish_MagicComesLast: whoever is cut short in the midst of the header has not made a region.
func TestPublish_MagicComesLast(t *testing.T) {
	r := splitHeader(t)
	if err := r.Guard(r.publish); !errors.Is(err, ErrFault) || r.words[wordVersion].Load() != FormatVersion {
		t.Fatalf("%v, version %d", err, r.words[wordVersion].Load())
	}
	if magic := r.words[wordMagic].Load(); magic != 0 {
		t.Errorf("the magic %#x is there before the last word", magic)
	}
}

// TestExamine_MagicComesFirst: what is read before it may be older than what it says is there. Without it
// nothing else is looked at, and with it each of the words.
func TestExamine_MagicComesFirst(t *testing.T) {
	r := splitHeader(t)
	r.words[wordVersion].Store(FormatVersion)
	r.words[wordHeader].Store(headerBytes)
	for magic, want := range map[uint64]error{0: ErrUnfinished, 1 << 32: ErrMagic, Magic ^ 1<<63: ErrMagic,
		Magic: ErrFault} {
		r.words[wordMagic].Store(magic)
		if err := r.examine(small.Size(), wanted{layout: small}); !errors.Is(err, want) {
			t.Errorf("magic %#x: %v, want %v", magic, err, want)
		}
	}
}

// TestFault_IsTold: where a page is gone, of which file; an observer, who may have tried to write, is told of
// that as well.
func TestFault_IsTold(t *testing.T) {
	path, r := mustCreate(t)
	o, err := Observe(path)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		r  *Region
		do string
	}{
		"process": {r, "the file was truncated while in use: unlink it and create it anew"},
		"observer": {o, "an observer cannot write; if nobody tried to, " +
			"the file was truncated while in use: unlink it and create it anew"},
	} {
		err := c.r.Guard(func() { c.r.Words()[520].Load() })
		want := Error{Reason: ErrFault, File: path, Field: "page", Found: "not there at offset 4160",
			Want: "mapped memory", Do: c.do}
		var e *Error
		if !errors.As(err, &e) || *e != want {
			t.Errorf("%s: %v, want %v", name, err, &want)
		}
	}
	// A file that has lost its pages between its opening and the first look.
	for name, look := range map[string]func() error{
		"once":    func() error { return r.examine(small.Size(), wanted{layout: small}) },
		"waiting": func() error { return r.examineWithin(small.Size(), wanted{layout: small}, short) },
	} {
		if err := look(); !errors.Is(err, ErrFault) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAbandon_LeavesNothing: a creation in place that fails takes back its file, memory and descriptor.
func TestAbandon_LeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	c, err := newCreation(path, small)
	if err == nil {
		_, err = c.createInPlace()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := c.abandon(); err != nil {
		t.Error(err)
	}
	_, err = os.Lstat(path)
	n := opened(t, path)
	if !errors.Is(err, fs.ErrNotExist) || n != 0 || c.r.words != nil || c.r.fd != noFile {
		t.Errorf("left: file %v, %d descriptors, %d words, descriptor %d", err, n, len(c.r.words), c.r.fd)
	}
}

// TestOpen_RefusesASocket, which cannot even be opened; one that is handed over has the name that it has.
func TestOpen_RefusesASocket(t *testing.T) {
	folder, err := os.MkdirTemp("", "region") // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "socket")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Chdir(folder)
	handed, err := l.(*net.UnixListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer handed.Close()
	for name, err := range map[string]error{"socket": failed(Open("socket", small)),
		handed.Name(): failed(OpenFile(handed, small))} {
		want := Error{Reason: ErrNotRegular, File: name, Field: "type", Found: "a socket or device",
			Want: "a regular file", Do: "name the file itself"}
		var e *Error
		if !errors.As(err, &e) || *e != want {
			t.Errorf("%v, want %v", err, &want)
		}
	}
}

// TestClose_TellsAllThatFails: of a handle whose mapping and file are another's; the mapping first.
func TestClose_TellsAllThatFails(t *testing.T) {
	path, _ := mustCreate(t)
	for name, open := range map[string]func() (*Region, error){
		"an observer": func() (*Region, error) { return Observe(path) },
		"a process":   func() (*Region, error) { return Open(path, small) },
	} {
		o, err := open()
		if err != nil {
			t.Fatal(err)
		}
		mapped, fd := o.mapped, o.fd
		o.mapped, o.fd = mapped[1:], -2
		want := "region " + path + ": unmap: system call failed: invalid argument; " +
			"this is a defect of the program: the mapping is not ours\n" +
			"region " + path + ": close: system call failed: bad file descriptor; check the file system"
		if err := o.Close(); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		if err := errors.Join(unmap(path, mapped), unix.Close(fd)); err != nil {
			t.Error(err)
		}
	}
}

// TestFault_TellsWhereTheFileEnds: right before the byte that is not there, or behind it.
func TestFault_TellsWhereTheFileEnds(t *testing.T) {
	path, r := mustCreate(t)
	page := os.Getpagesize()
	const hole = "its file system has no room for a hole of it, or cannot read it: " +
		"make room, or see to the disk"
	for length, want := range map[int]string{page: "the file was truncated while in use: unlink it and " +
		"create it anew", page + 1: hole} {
		if err := errors.Join(os.Truncate(path, int64(length)),
			unix.Mprotect(r.mapped[page:], unix.PROT_NONE)); err != nil {
			t.Fatal(err)
		}
		var e *Error
		err := r.Guard(func() { r.Words()[page/WordBytes].Load() })
		if !errors.As(err, &e) || e.Reason != ErrFault || e.Do != want {
			t.Errorf("a file of %d bytes has none at %d: %v, want %s", length, page, err, want)
		}
	}
	if err := errors.Join(unix.Mprotect(r.mapped[page:], unix.PROT_READ|unix.PROT_WRITE),
		os.Truncate(path, int64(small.Size()))); err != nil { // for who closes it
		t.Fatal(err)
	}
}

// TestMake_ComparesAllBitsOfTheSize: memory that is longer by 4 GiB, which nobody touches.
func TestMake_ComparesAllBitsOfTheSize(t *testing.T) {
	long := small.Size() + 1<<32
	if long > math.MaxInt {
		t.Skip("NOT RUN: addresses of 64 bits are missing; run the tests on a machine that has them")
	}
	m, err := unix.Mmap(-1, 0, int(long), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(m)
	if _, err := Make(m, small, clerk{desk: &desk{}, self: 1}); !errors.Is(err, ErrSize) {
		t.Error(err)
	}
}

// TestUnlink_LeavesWhatCannotBeRead: memory of this process, as a file of its own, has nothing at its begin.
func TestUnlink_LeavesWhatCannotBeRead(t *testing.T) {
	const path = "/proc/self/mem"
	err := Unlink(path)
	if !errors.Is(err, ErrSystem) || !strings.Contains(err.Error(), path+": read: ") {
		t.Errorf("%v, want that it cannot be read", err)
	}
}

// TestShare_OfTheHeap: there is no file, and so none is named.
func TestShare_OfTheHeap(t *testing.T) {
	r, err := Heap(small)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Share()
	want := Error{Reason: ErrNotRegular, Field: "type", Found: "memory of this process",
		Want: "a regular file", Do: "create a file or a memory file"}
	var e *Error
	if !errors.As(err, &e) || *e != want {
		t.Errorf("%v, want %v", err, &want)
	}
}

// TestAttachWithin_ChecksWhatItHasWaitedFor: the region that is finished meanwhile is checked as any other.
func TestAttachWithin_ChecksWhatItHasWaitedFor(t *testing.T) {
	for name, c := range map[string]struct {
		want Layout
		err  error
	}{"any": {Layout{}, nil}, "another window": {asks("window", 4), ErrLayout}} {
		m, d := memory(small), &desk{}
		made := make(chan error)
		go func() {
			time.Sleep(short)
			_, err := Make(m, small, clerk{desk: d, self: 1})
			made <- err
		}()
		r, err := AttachWithin(m, c.want, clerk{desk: d, self: 2}, long)
		if !errors.Is(err, c.err) || err == nil && !r.Layout().Equal(small) {
			t.Errorf("%s: %v, %v", name, r, err)
		}
		if err := <-made; err != nil {
			t.Error(err)
		}
	}
}
