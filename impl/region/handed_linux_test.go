package region

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func TestOpenFile_OfNone(t *testing.T) {
	if r, err := OpenFile(nil, small); r != nil || !errors.Is(err, ErrClosed) {
		t.Errorf("%v, %v, want %v", r, err, ErrClosed)
	}
}

// TestOpenFile_HasTheNameOfItsFile: and one attachment; what is refused is told by that name as well, though
// it is opened by another one. A file may have no name.
func TestOpenFile_HasTheNameOfItsFile(t *testing.T) {
	path, first := mustCreate(t)
	for i, name := range []string{"the file", ""} {
		fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		f := os.NewFile(uintptr(fd), name)
		r, err := OpenFile(f, small)
		if err != nil {
			t.Fatal(err)
		}
		list, err := first.Attachments()
		if want := MakeProcess(1, uint32(i+1)); r.Process() != want || len(list) != 2 || err != nil {
			t.Errorf("attached as %v, want %v, beside the creator: %v, %v", r.Process(), want, list, err)
		}
		if r.File() != name {
			t.Errorf("%q, want %q", r.File(), name)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		for _, c := range []refusedCall{
			{list: []refusal{noOpen}, want: []string{
				"open: system call failed: permission denied; " +
					"run as its owner, and check the permissions of the file and its folders"}},
			{list: []refusal{noStat}, want: []string{
				"stat: system call failed: input/output error; check the file system"}},
		} {
			refused(t, func() { err = failed(OpenFile(f, small)) }, c.list...)
			if got := lines(err, name); len(got) != 1 || got[0] != c.want[0] {
				t.Errorf("%q: %q, want %q", name, got, c.want)
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	shared := path + "-shared"
	if err := errors.Join(os.WriteFile(shared, nil, 0o600), os.Chmod(shared, 0o604)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Error{
		shared: {Reason: ErrMode, File: shared, Field: "mode", Found: "0604",
			Want: "no bits for group and others",
			Do:   "if it is a region, make sure that nobody changed it, then chmod 600"},
		filepath.Dir(path): {Reason: ErrNotRegular, File: filepath.Dir(path), Field: "type",
			Found: "a directory", Want: "a regular file", Do: "name the file itself"},
	} {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		var e *Error
		if err := failed(OpenFile(f, small)); !errors.As(err, &e) || *e != want {
			t.Errorf("%v, want %v", err, &want)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestOpen_TellsWhatIsNoFile: by its whole error, under the name that was given.
func TestOpen_TellsWhatIsNoFile(t *testing.T) {
	path, _ := mustCreate(t)
	folder, link := filepath.Dir(path), path+"-link"
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for name, found := range map[string]string{folder: "a directory",
		link: "a symbolic link (or behind too many)"} {
		want := Error{Reason: ErrNotRegular, File: name, Field: "type", Found: found, Want: "a regular file",
			Do: "name the file itself"}
		var e *Error
		if err := failed(Open(name, small)); !errors.As(err, &e) || *e != want {
			t.Errorf("%v, want %v", err, &want)
		}
	}
}

// TestOpen_AsksWhoItIs: the owner has to be the effective user, whoever that is. A system that does not tell
// says the number that nobody has.
func TestOpen_AsksWhoItIs(t *testing.T) {
	path, _ := mustCreate(t)
	var err error
	refused(t, func() { err = failed(Open(path, small)) }, refusal{call: callGeteuid, why: unix.EPERM})
	var e *Error
	if !errors.As(err, &e) || e.Reason != ErrOwner || e.Want != fmt.Sprint(^uint32(0)) ||
		e.Found != fmt.Sprint(os.Geteuid()) {
		t.Errorf("%v", err)
	}
}

// TestOpen_TellsFirstWhyItFails: and then that what was begun cannot be taken back.
func TestOpen_TellsFirstWhyItFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	r, err := Create(path, small)
	if err == nil {
		err = errors.Join(r.Close(), os.WriteFile(path+"-short", make([]byte, 8), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, reason := range map[string]error{path + "-short": ErrSize, path: ErrLayout} {
		refused(t, func() { err = failed(Open(name, asks("window", 9))) }, noClose)
		first, then, _ := strings.Cut(fmt.Sprint(err), "\n")
		want := "region " + name + ": close: system call failed: input/output error; check the file system"
		if !errors.Is(err, reason) || !strings.Contains(first, reason.Error()) || then != want {
			t.Errorf("%v, want %v first, and then %s", err, reason, want)
		}
		if left := kept(t, name); len(left) != 1 {
			t.Errorf("left are %v, want the descriptor that could not be closed", left)
		}
		forget(t, name)
	}
}

// TestOpenOrCreate_WaitsForTheFirstSteps: of a creator in place whose file has no length yet. Another file is
// what it is, whatever its descriptor.
func TestOpenOrCreate_WaitsForTheFirstSteps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	c, err := newCreation(path, small)
	if err == nil {
		c.r.fd, err = unix.Open(path, openFlags|unix.O_RDWR|unix.O_CREAT, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.Create(path + "-other")
	if err == nil {
		err = other.Truncate(300)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	made := make(chan error)
	go func() {
		time.Sleep(short)
		var all []error
		for _, step := range c.stepsInPlace() {
			all = append(all, step())
		}
		made <- errors.Join(all...)
	}()
	r, created, err := OpenOrCreate(path, small)
	if err := <-made; err != nil {
		t.Fatal(err)
	}
	if err != nil || created || r.Process() != MakeProcess(1, 1) {
		t.Fatalf("created %v, %v", created, err)
	}
	if err := errors.Join(r.Close(), c.r.Close()); err != nil {
		t.Error(err)
	}
}

// TestEnterFile_TheTableIsGone: a file may lose its pages between the look at its header and the attachment,
// here those of the last entries, while all others are held.
func TestEnterFile_TheTableIsGone(t *testing.T) {
	path, _ := mustCreate(t)
	page := os.Getpagesize()
	onFirst := (page - int(small.Offset(Own, OwnProcesses))) / ProcessBytes
	if onFirst >= Processes {
		t.Skip("NOT RUN: the table is on one page; run the tests where pages have 4096 bytes")
	}
	o, err := Open(path, small)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for i := range uint32(onFirst) {
		if i > 1 { // the two that are open have theirs
			if ok, err := o.lockFile(i); !ok || err != nil {
				t.Fatalf("lock %d: %v, %v", i, ok, err)
			}
		}
	}
	if err := os.Truncate(path, int64(page)); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Open(path, openFlags|unix.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	late := &Region{file: path, fd: fd}
	refused(t, func() { err = late.enterFile(int64(small.Size()), wanted{layout: small}, 0) }, noReserve)
	if !errors.Is(err, ErrFault) || late.Process() != 0 {
		t.Errorf("%v, attached as %v", err, late.Process())
	}
	if err := late.Close(); err != nil {
		t.Error(err)
	}
	if err := os.Truncate(path, int64(small.Size())); err != nil { // for those who close it
		t.Error(err)
	}
}

// TestGone_SaysWhy: whose memory it was, and whether the file ends before the page.
func TestGone_SaysWhy(t *testing.T) {
	path, r := mustCreate(t)
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	const hole = "its file system has no room for a hole of it, or cannot read it: " +
		"make room, or see to the disk"
	for offset, want := range map[uint64]string{4095: hole,
		4096: "the file was truncated while in use: unlink it and create it anew"} {
		if got := r.gone(offset); got != want {
			t.Errorf("at %d of 4096: %q, want %q", offset, got, want)
		}
	}
	const away = "whoever mapped the memory took it away: map it anew"
	if got := (&Region{fd: noFile}).gone(0); got != away {
		t.Errorf("memory of a caller: %q, want %q", got, away)
	}
}

// TestRetry_UntilNoSignalComes: a call is made as long as a signal interrupts it, and no more.
func TestRetry_UntilNoSignalComes(t *testing.T) {
	for _, last := range []error{nil, unix.EIO} {
		calls := 0
		n, err := retry(func() (int, error) {
			if calls++; calls < 3 {
				return 5, unix.EINTR
			}
			return 7, last
		})
		if n != 7 || err != last || calls != 3 {
			t.Errorf("%d, %v after %d calls, want 7, %v after 3", n, err, calls, last)
		}
	}
}

// mappingOf is what the system says about the memory at an address; empty if there is none.
func mappingOf(t *testing.T, at uintptr) string {
	t.Helper()
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	found := ""
	for line := range strings.Lines(string(text)) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			if found != "" {
				return found
			}
			if from <= at && at < to {
				found = line
			}
		} else if found != "" {
			found += line
		}
	}
	return found
}

// TestHeap_HugeMemoryIsGivenBack: and huge pages are asked for where it says so.
func TestHeap_HugeMemoryIsGivenBack(t *testing.T) {
	r := mustHeap(t, toy(1<<17, 8, 2, near))
	at := uintptr(unsafe.Pointer(&r.Words()[0]))
	before, flags, _ := strings.Cut(mappingOf(t, at), "VmFlags:")
	flags, _, _ = strings.Cut(flags, "\n")
	if asked := strings.Contains(flags+" ", " hg "); asked != (r.Huge() == HugeAsked) {
		t.Errorf("huge pages %v, the system has%s", r.Huge(), flags)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	place, _, _ := strings.Cut(before, " ")
	if place == "" || strings.HasPrefix(mappingOf(t, at), place+" ") {
		t.Errorf("after Close the memory at %q is there still", place)
	}
}
