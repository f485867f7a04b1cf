package region

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/seam"
	"golang.org/x/sys/unix"
)

// The system calls of a sleep and a wake across processes; those of Go's runtime are for its own alone.
var (
	aSleep = refusal{call: unix.SYS_FUTEX}.with(1, 0)
	aWake  = refusal{call: unix.SYS_FUTEX}.with(1, 1)
)

// TestOpen_ClosesOnce: what is opened and then refused. A second close would be that of a file that another
// thread has opened in between.
func TestOpen_ClosesOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, 0o604)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		stat unix.Errno
		want error
	}{"not to be asked": {unix.EIO, ErrSystem}, "another mode": {0, ErrMode}} {
		answer := func(call systemCall) unix.Errno {
			if call.number == callFstat {
				return c.stat
			}
			return 0
		}
		var err error
		open := func() { err = failed(Open(path, small)) }
		calls := supervised(t, open, answer, noStat, noClose)
		if !errors.Is(err, c.want) || len(calls) != 2 || calls[0].number != callFstat ||
			calls[1].number != unix.SYS_CLOSE || calls[0].arguments[0] != calls[1].arguments[0] {
			t.Errorf("%s: %v after %+v, want one look and one close", name, err, calls)
		}
	}
}

// TestOpen_WritesOnlyWhereItMust: an observer, and who removes a file, open it for reading. The owner of a
// file may have taken its other bit away, and its file system may be there to read only.
func TestOpen_WritesOnlyWhereItMust(t *testing.T) {
	const rest = unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC | unix.O_NOCTTY | unix.O_LARGEFILE
	path, _ := mustCreate(t)
	for name, c := range map[string]struct {
		open   func() error
		access uint64
	}{
		"open":    {func() error { return closed(Open(path, small)) }, unix.O_RDWR},
		"observe": {func() error { return closed(Observe(path)) }, unix.O_RDONLY},
		"unlink":  {func() error { return Unlink(path) }, unix.O_RDONLY},
	} {
		if err := os.Chmod(path, 0o600); errors.Is(err, fs.ErrNotExist) { // it was removed before
			path, _ = mustCreate(t)
		}
		var err error
		calls := supervised(t, func() { err = c.open() }, nil, noOpen)
		if err != nil || len(calls) != 1 || calls[0].arguments[2]&^rest != c.access {
			t.Errorf("%s: %v after %+v, want one open with access %d", name, err, calls, c.access)
		}
	}
}

// TestUnlink_LooksAndClosesOnce: at the first word of the file that it has opened, and nowhere else, whatever
// comes of it; a signal makes it look again.
func TestUnlink_LooksAndClosesOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for name, c := range map[string]struct {
		text  string
		reads []unix.Errno
		want  error
	}{
		"a region": {"samecyc\x00 and more", []unix.Errno{0}, nil}, "empty": {"", []unix.Errno{0}, nil},
		"the last byte counts":          {"\x00\x00\x00\x00\x00\x00\x00\x01", []unix.Errno{0}, ErrMagic},
		"and the one after it does not": {"\x00\x00\x00\x00\x00\x00\x00\x00\x01", []unix.Errno{0}, nil},
		"of another one":                {"samecyc1", []unix.Errno{0}, ErrMagic},
		"not to be read":                {"", []unix.Errno{unix.EIO}, ErrSystem},
		"interrupted":                   {"", []unix.Errno{unix.EINTR, unix.EINTR, 0}, nil},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		looks := 0
		answer := func(call systemCall) unix.Errno {
			if call.number != unix.SYS_PREAD64 || looks >= len(c.reads) {
				return 0
			}
			looks++
			return c.reads[looks-1]
		}
		var err error
		calls := supervised(t, func() { err = Unlink(path) }, answer, noStat, noRead, noClose)
		if !errors.Is(err, c.want) || len(calls) != len(c.reads)+2 {
			t.Fatalf("%s: %v after %+v", name, err, calls)
		}
		last := len(calls) - 1
		for i, call := range calls {
			number := int32(unix.SYS_PREAD64)
			switch i {
			case 0:
				number = callFstat
			case last:
				number = unix.SYS_CLOSE
			}
			if call.number != number || call.arguments[0] != calls[0].arguments[0] ||
				number == unix.SYS_PREAD64 && (call.arguments[2] != 8 || call.arguments[3] != 0) {
				t.Errorf("%s: call %d is %+v", name, i, call)
			}
		}
		if _, failed := os.Lstat(path); errors.Is(failed, fs.ErrNotExist) != (err == nil) {
			t.Errorf("%s: %v, and then the file: %v", name, err, failed)
		}
	}
}

// TestCreate_NobodyElseMayOpenIt: from its first moment on, ahead of the change of its mode, whatever the
// process masks.
func TestCreate_NobodyElseMayOpenIt(t *testing.T) {
	defer unix.Umask(unix.Umask(0))
	path := filepath.Join(t.TempDir(), "table")
	for name, create := range map[string]func(c *creation) error{
		"unseen": func(c *creation) error { return errors.Join(c.openUnseen(), c.mode(), c.abandon()) },
		"in place": func(c *creation) error {
			r, err := c.createInPlace()
			if err != nil {
				return err
			}
			return r.Close()
		},
	} {
		c, err := newCreation(path, small)
		if err != nil {
			t.Fatal(err)
		}
		looks := func(call systemCall) unix.Errno {
			info, err := os.Stat(descriptorPath(int(call.arguments[0])))
			if err != nil || info.Mode() != 0o600 {
				t.Errorf("%s: mode %v, %v", name, info.Mode(), err)
			}
			return 0
		}
		calls := supervised(t, func() { err = create(c) }, looks, noModes)
		if err != nil || len(calls) != 1 {
			t.Errorf("%s: %v after %d changes of its mode", name, err, len(calls))
		}
	}
}

// TestCreate_LooksBeforeItTakesSpace: where the name is taken, be it by a link that leads nowhere, the disk
// has nothing to do with it. Else a full one would be told of, and what is to be done is another thing.
func TestCreate_LooksBeforeItTakesSpace(t *testing.T) {
	path, _ := mustCreate(t)
	link := path + "-link"
	if err := os.Symlink(path+"-nowhere", link); err != nil {
		t.Fatal(err)
	}
	full := func(systemCall) unix.Errno { return unix.ENOSPC }
	for _, taken := range []string{path, link, filepath.Dir(path)} {
		var err error
		calls := supervised(t, func() { err = failed(Create(taken, small)) }, full, noLength, noRoom)
		if !errors.Is(err, fs.ErrExist) || len(calls) != 0 {
			t.Errorf("%s: %v after %+v", taken, err, calls)
		}
	}
}

// TestOpenOrCreate_GivesUp: after a hundred attempts, if each finds that somebody has taken the name or the
// file away meanwhile.
func TestOpenOrCreate_GivesUp(t *testing.T) {
	path, _ := mustCreate(t)
	var r *Region
	var created bool
	var err error
	gone := func(systemCall) unix.Errno { return unix.ENOENT }
	calls := supervised(t, func() { r, created, err = OpenOrCreate(path, small) }, gone, noOpen)
	if r != nil || created || !errors.Is(err, fs.ErrExist) || len(calls) != 100 {
		t.Errorf("created %v, %v after %d attempts", created, err, len(calls))
	}
}

// TestOpenOrCreate_LooksTwice: who has waited for a creator in vain looks once more, as the creation may have
// been taken back, and no more.
func TestOpenOrCreate_LooksTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	if err := os.WriteFile(path, make([]byte, small.Size()), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	wait := func() { _, _, err = OpenOrCreate(path, small) }
	calls := supervised(t, wait, nil, noOpen, refusal{call: callFstatat})
	if !errors.Is(err, ErrUnfinished) || len(calls) != 2 || calls[0].number != unix.SYS_OPENAT ||
		calls[1].number != unix.SYS_OPENAT {
		t.Errorf("%v after %+v", err, calls)
	}
}

// TestShare_IsAnotherDescriptor: of the same file. Who closes it closes no other one.
func TestShare_IsAnotherDescriptor(t *testing.T) {
	_, r := mustCreate(t)
	f, err := r.Share()
	if err != nil {
		t.Fatal(err)
	}
	var own, shared unix.Stat_t
	if err := errors.Join(unix.Fstat(r.fd, &own), unix.Fstat(int(f.Fd()), &shared)); err != nil {
		t.Fatal(err)
	}
	if int(f.Fd()) == r.fd || own.Ino != shared.Ino || own.Dev != shared.Dev {
		t.Errorf("descriptor %d of file %d, the region's are %d and %d", f.Fd(), shared.Ino, r.fd, own.Ino)
	}
	if err := errors.Join(f.Close(), unix.Fstat(r.fd, &own)); err != nil {
		t.Error(err)
	}
}

// TestShare_AsksForNothing: where there is no file, or no region any more.
func TestShare_AsksForNothing(t *testing.T) {
	closed := mustHeap(t, small)
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	for r, want := range map[*Region]error{mustHeap(t, small): ErrNotRegular, closed: ErrClosed} {
		var f *os.File
		var err error
		calls := supervised(t, func() { f, err = r.Share() }, nil, noOpen)
		if f != nil || !errors.Is(err, want) || len(calls) != 0 {
			t.Errorf("%v, %v, want %v, after %d calls", f, err, want, len(calls))
		}
	}
}

// TestCreate_WakesOnce: those who have met the file before it was finished, when its magic is there; of a
// file that nobody can have met it wakes nobody.
func TestCreate_WakesOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	for name, c := range map[string]struct {
		make  func() (*Region, error)
		wakes int
	}{
		"in place": {func() (*Region, error) {
			c, err := newCreation(path+"-in-place", small)
			if err != nil {
				return nil, err
			}
			return c.createInPlace()
		}, 1},
		"unseen": {func() (*Region, error) { return Create(path, small) }, 0},
		"memory": {func() (*Region, error) { return Memory("table", small) }, 0},
	} {
		var r *Region
		var err error
		finished := func(systemCall) unix.Errno {
			var b [WordBytes]byte
			binary.NativeEndian.PutUint64(b[:], Magic)
			if text, err := os.ReadFile(path + "-in-place"); err != nil || !bytes.HasPrefix(text, b[:]) {
				t.Errorf("%s: a wake ahead of the magic, %v", name, err)
			}
			return 0
		}
		calls := supervised(t, func() { r, err = c.make() }, finished, aWake)
		if err != nil || len(calls) != c.wakes {
			t.Fatalf("%s: %v after %d wakes, want %d", name, err, len(calls), c.wakes)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestOpen_WhateverTheBound: the longest there is waits for who makes the region, the shortest for nobody.
func TestOpen_WhateverTheBound(t *testing.T) {
	fresh := func(path string) *Region {
		fd, err := unix.Open(path, openFlags|unix.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		return &Region{file: path, fd: fd}
	}
	for name, wait := range map[string]func(path string, bound seam.Duration) (*Region, error){
		"open": func(path string, bound seam.Duration) (*Region, error) {
			return openWithin(path, wanted{layout: small}, bound)
		},
		"take": func(path string, bound seam.Duration) (*Region, error) {
			return fresh(path).take(int64(small.Size()), wanted{layout: small}, bound)
		},
		"enter": func(path string, bound seam.Duration) (*Region, error) {
			r := fresh(path)
			err := r.enterFile(int64(small.Size()), wanted{layout: small}, bound)
			return r, err
		},
	} {
		path := filepath.Join(t.TempDir(), "table")
		c, err := newCreation(path, small)
		if err == nil {
			c.r.fd, err = unix.Open(path, openFlags|unix.O_RDWR|unix.O_CREAT|unix.O_EXCL, 0o600)
		}
		steps := c.stepsInPlace()
		for _, step := range steps[:4] { // all but the header
			err = errors.Join(err, step())
		}
		if err != nil {
			t.Fatal(err)
		}
		finish := func() { err = errors.Join(steps[4](), steps[5]()) }
		late := time.AfterFunc(long, finish) // so that nobody waits for ever
		if r, err := wait(path, math.MinInt64); !errors.Is(err, ErrUnfinished) {
			t.Errorf("%s: %v, %v, and the bound is over", name, r, err)
		} else if r != nil { // enter has the file still
			if err := r.Close(); err != nil {
				t.Errorf("%s: the file cannot be closed: %v", name, err)
			}
		}
		late.Stop()
		finished := make(chan struct{})
		time.AfterFunc(short, func() { finish(); close(finished) })
		r, failed := wait(path, math.MaxInt64)
		if <-finished; failed != nil || err != nil {
			t.Fatalf("%s: %v, made with %v", name, failed, err)
		}
		if err := errors.Join(r.Close(), c.r.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestOpenChecked_NothingBesideAnError: neither a descriptor nor a length, whatever it is that is refused.
func TestOpenChecked_NothingBesideAnError(t *testing.T) {
	folder, err := os.MkdirTemp("", "region") // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	at := func(name string) string { return filepath.Join(folder, name) }
	l, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := errors.Join(os.WriteFile(at("shared"), make([]byte, 8), 0o600), os.Chmod(at("shared"), 0o604),
		os.Symlink(at("shared"), at("link"))); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{"": ErrSystem, at("none"): ErrSystem, at("link"): ErrNotRegular,
		folder: ErrNotRegular, at("socket"): ErrNotRegular, at("shared"): ErrMode} {
		for _, list := range [][]refusal{nil, {noStat}} {
			fd, size := 0, int64(0)
			refused(t, func() { fd, size, err = openChecked(path, path, openFlags|unix.O_RDWR) }, list...)
			if fd != noFile || size != 0 || !errors.Is(err, want) && len(list) == 0 || err == nil {
				t.Errorf("%q without %v: descriptor %d, %d bytes, %v", path, list, fd, size, err)
			}
		}
	}
}
