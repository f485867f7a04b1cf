package region

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// What the system refuses, in the ways in which it does.
var (
	noModes   = refusal{call: unix.SYS_FCHMOD, why: unix.EPERM}
	noLength  = refusal{call: callFtruncate, why: unix.EFBIG}
	noRoom    = refusal{call: unix.SYS_FALLOCATE, why: unix.ENOSPC}
	noReserve = refusal{call: unix.SYS_FALLOCATE, why: unix.EOPNOTSUPP}
	noShared  = refusal{call: callMmap, why: unix.ENOMEM}.with(3, unix.MAP_SHARED)
	noLock    = refusal{call: callFcntl, why: unix.ENOLCK}.with(1, unix.F_OFD_SETLK)
	noAnswer  = refusal{call: callFcntl, why: unix.ENOLCK}.with(1, unix.F_OFD_GETLK)
	noSeals   = refusal{call: callFcntl, why: unix.EPERM}.with(1, unix.F_ADD_SEALS)
	noLink    = refusal{call: unix.SYS_LINKAT, why: unix.ENOENT}
	noOpen    = refusal{call: unix.SYS_OPENAT, why: unix.EACCES}
	noStat    = refusal{call: callFstat, why: unix.EIO}
	noRead    = refusal{call: unix.SYS_PREAD64, why: unix.EIO}
	noUnlink  = refusal{call: unix.SYS_UNLINKAT, why: unix.EROFS}
	noClose   = refusal{call: unix.SYS_CLOSE, why: unix.EIO}
	noMemory  = refusal{call: unix.SYS_MEMFD_CREATE, why: unix.EMFILE}
)

// refusedCall is a call that fails since the system refuses another one, and what its error says behind the
// file's name, each line of it.
type refusedCall struct {
	name string
	call func(path string) error
	list []refusal
	want []string
}

const (
	saysLock = "lock a process entry: system call failed: no locks available; " +
		"put the region on a local file system that has locks of open file descriptions"
	saysMap  = "map: system call failed: cannot allocate memory; check memory limits and the file system"
	saysRoom = "reserve space: system call failed: no space left on device; " +
		"make room for 4800 bytes, or choose a smaller layout"
)

func refusedCreations() []refusedCall {
	create := func(path string) error { return failed(Create(path, small)) }
	inPlace := func(path string) error {
		c, err := newCreation(path, small)
		if err != nil {
			return err
		}
		return failed(c.createInPlace())
	}
	memory := func(path string) error { return failed(Memory(path, small)) }
	return []refusedCall{
		{"create", create, []refusal{noModes}, []string{
			"chmod: system call failed: operation not permitted; choose a file system with modes"}},
		{"create", create, []refusal{noLength}, []string{
			"reserve space: system call failed: file too large; " +
				"make room for 4800 bytes, or choose a smaller layout"}},
		{"create", create, []refusal{noRoom}, []string{saysRoom}},
		// That there is no reserving is another thing: what a disk fails at is not tried in another way.
		{"create", create, []refusal{{call: noRoom.call, why: unix.EIO}}, []string{
			"reserve space: system call failed: input/output error; " +
				"make room for 4800 bytes, or choose a smaller layout"}},
		{"create", create, []refusal{noShared}, []string{saysMap}},
		{"create", create, []refusal{noLock}, []string{saysLock}},
		{"create", create, []refusal{noOpen}, []string{"create: system call failed: permission denied; " +
			"make its folder first, one that can be written, or choose another path"}},
		{"create", create, []refusal{{call: unix.SYS_LINKAT, why: unix.EEXIST}}, []string{
			"create: system call failed: file exists; open it if it exists, or choose another path"}},
		{"create in place", inPlace, []refusal{noRoom}, []string{saysRoom}},
		{"create in place", inPlace, []refusal{noLock}, []string{saysLock}},
		{"memory", memory, []refusal{noMemory}, []string{
			"create: system call failed: too many open files; choose a shorter name, or a region file"}},
		{"memory", memory, []refusal{noRoom}, []string{saysRoom}},
		{"memory", memory, []refusal{noSeals}, []string{
			"seal: system call failed: operation not permitted; use a region file"}},
	}
}

func refusedOpenings() []refusedCall {
	open := func(path string) error { return failed(Open(path, small)) }
	observe := func(path string) error { return failed(Observe(path)) }
	return []refusedCall{
		{"open", open, []refusal{noOpen}, []string{
			"open: system call failed: permission denied; " +
				"run as its owner, and check the permissions of the file and its folders"}},
		{"open", open, []refusal{{call: noOpen.call, why: unix.EPERM}}, []string{
			"open: system call failed: operation not permitted; " +
				"run as its owner, and check the permissions of the file and its folders"}},
		{"open", open, []refusal{{call: noOpen.call, why: unix.ENOENT}}, []string{
			"open: system call failed: no such file or directory; create it, or check the path"}},
		{"open", open, []refusal{{call: noOpen.call, why: unix.ENOTDIR}}, []string{
			"open: system call failed: not a directory; check the path and the file system"}},
		{"open", open, []refusal{{call: noOpen.call, why: unix.EIO}}, []string{
			"open: system call failed: input/output error; check the path and the file system"}},
		{"open", open, []refusal{noStat}, []string{
			"stat: system call failed: input/output error; check the file system"}},
		{"open", open, []refusal{noShared}, []string{saysMap}},
		{"open", open, []refusal{noRoom}, []string{
			"reserve space: system call failed: no space left on device; " +
				"make room for the holes of the file"}},
		{"open", open, []refusal{noLock}, []string{saysLock}},
		{"observe", observe, []refusal{noShared}, []string{saysMap}},
		{"unlink", Unlink, []refusal{noRead}, []string{
			"read: system call failed: input/output error; remove it by hand"}},
		{"unlink", Unlink, []refusal{noUnlink}, []string{
			"unlink: system call failed: read-only file system; check the permissions of its folder"}},
	}
}

// lines are what the error says of the file, without its name.
func lines(err error, file string) (all []string) {
	if err == nil {
		return nil
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		all = append(all, strings.TrimPrefix(line, "region "+file+": "))
	}
	return all
}

// TestRefused_IsToldAndLeavesNothing: whatever the system refuses, its reason comes first and what to do
// last; no name, descriptor nor mapping is left of what was begun, and what was there stays.
func TestRefused_IsToldAndLeavesNothing(t *testing.T) {
	try := func(c refusedCall, path, file string) {
		var err error
		refused(t, func() { err = c.call(path) }, c.list...)
		if got := lines(err, file); strings.Join(got, "\n") != strings.Join(c.want, "\n") ||
			!errors.Is(err, ErrSystem) || !errors.Is(err, c.list[0].why) {
			t.Errorf("%s without %v: %q, want %q", c.name, c.list[0], got, c.want)
		}
	}
	for _, c := range refusedCreations() {
		folder := t.TempDir()
		path := filepath.Join(folder, "table")
		file := path
		if c.name == "memory" {
			folder, path, file = "/memfd:table", "table", "memory file table"
		}
		try(c, path, file)
		_, err := os.Lstat(path)
		if left := kept(t, folder); !errors.Is(err, fs.ErrNotExist) || len(left) != 0 {
			t.Errorf("%s without %v leaves %v, %v", c.name, c.list[0], err, left)
		}
	}
	for _, c := range refusedOpenings() {
		path := filepath.Join(t.TempDir(), "table")
		r, err := Create(path, small)
		if err == nil {
			err = r.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		try(c, path, path)
		if left := kept(t, filepath.Dir(path)); len(left) != 0 {
			t.Errorf("%s without %v leaves %v", c.name, c.list[0], left)
		}
		if r, err = Open(path, small); err != nil || r.Process() != MakeProcess(0, 2) || r.Close() != nil {
			t.Errorf("after %s without %v: %v, %v", c.name, c.list[0], r, err)
		}
	}
}

// TestRefused_InPlace: where a file without a name cannot be had, or gets none, it has its name from the
// start.
func TestRefused_InPlace(t *testing.T) {
	unnamed := refusal{call: unix.SYS_OPENAT, why: unix.EOPNOTSUPP}.
		with(2, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC|unix.O_LARGEFILE)
	for name, x := range map[string]refusal{"no file without a name": unnamed, "no name for it": noLink} {
		path := filepath.Join(t.TempDir(), "table")
		var r *Region
		var err error
		refused(t, func() { r, err = Create(path, small) }, x)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode() != 0o600 || r.Process() != MakeProcess(0, 1) ||
			!r.Layout().Equal(small) {
			t.Errorf("%s: %v, %v, of %v", name, info, err, r.Process())
		}
		if n := len(kept(t, filepath.Dir(path))); n != 2 {
			t.Errorf("%s: %d descriptors and mappings, want those of one file", name, n)
		}
		if err := r.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRefused_ThereIsNoReserving: where the file system cannot reserve space a new file is filled with zeros,
// to its length, and one that is there has what it has.
func TestRefused_ThereIsNoReserving(t *testing.T) {
	const length = 12345
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	refused(t, func() { err = reserve(int(file.Fd()), length) }, noReserve)
	var stat unix.Stat_t
	if failed := unix.Fstat(int(file.Fd()), &stat); failed != nil {
		t.Fatal(failed)
	}
	if err != nil || stat.Size != length || stat.Blocks*512 < length {
		t.Errorf("%v, %d bytes, of %d in blocks; want %d of both", err, stat.Size, 512*stat.Blocks, length)
	}
	path, _ := mustCreate(t)
	var r *Region
	refused(t, func() { r, err = Open(path, small) }, noReserve)
	if err != nil || r.Process() != MakeProcess(1, 1) {
		t.Fatalf("open: %v, %v", r, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestRefused_TheWayBackToo: of a creation that fails, and cannot be taken back, the reason comes first, and
// what is left by hand after it.
func TestRefused_TheWayBackToo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	inPlace := func() error {
		c, err := newCreation(path, small)
		if err != nil {
			return err
		}
		return failed(c.createInPlace())
	}
	const (
		saysUnlink = "unlink: system call failed: read-only file system; remove it by hand"
		saysClose  = "close: system call failed: input/output error; check the file system"
	)
	for _, c := range []struct {
		file string // its name in errors
		call func() error
		list []refusal
		want []string
		left int // descriptors
	}{
		{path, inPlace, []refusal{noRoom, noUnlink}, []string{saysRoom, saysUnlink}, 0},
		{path, inPlace, []refusal{noRoom, noUnlink, noClose}, []string{saysRoom, saysUnlink, saysClose}, 1},
		{path, inPlace, []refusal{noLock, noUnlink, noClose}, []string{saysLock, saysUnlink, saysClose}, 1},
		{path, func() error { return failed(Create(path, small)) }, []refusal{noRoom, noClose},
			[]string{saysRoom, saysClose}, 1},
		{"memory file table", func() error { return failed(Memory("table", small)) },
			[]refusal{noRoom, noClose}, []string{saysRoom, saysClose}, 1},
	} {
		var err error
		refused(t, func() { err = c.call() }, c.list...)
		if got := lines(err, c.file); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s without %v: %q, want %q", c.file, c.list, got, c.want)
		}
		open := filepath.Dir(path)
		if c.file != path {
			open = "/memfd:table"
		}
		if left := kept(t, open); len(left) != c.left {
			t.Errorf("%s without %v: left %q", c.file, c.list, left)
		}
		forget(t, open)
		_ = os.Remove(path) // if it is there
	}
}

// TestRefused_ToAHandle: what a handle asks of the system and does not get is told, and changes nothing; but
// what is for a person, or a help for speed, may be missing.
func TestRefused_ToAHandle(t *testing.T) {
	path, r := mustCreate(t)
	next, err := Open(path, small)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	const saysAnswer = "ask for the lock of a process entry: system call failed: no locks available; " +
		"put the region on a local file system that has locks of open file descriptions"
	for _, c := range []refusedCall{
		{"alive", func(string) error { return failed(r.Alive(next.Process())) }, []refusal{noAnswer},
			[]string{saysAnswer}},
		{"attachments", func(string) error { return failed(r.Attachments()) }, []refusal{noAnswer},
			[]string{saysAnswer}},
		{"clear", func(string) error { return failed(r.Clear(next.Process())) }, []refusal{noLock},
			[]string{saysLock}},
		{"unlock", func(string) error { return r.unlockFile(5) }, []refusal{noLock},
			[]string{"un" + saysLock}},
		{"share", func(string) error { return failed(r.Share()) }, []refusal{noOpen}, []string{
			"open again: system call failed: permission denied; check that /proc is mounted"}},
	} {
		refused(t, func() { err = c.call(path) }, c.list...)
		if got := lines(err, path); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	alive(t, r, next.Process(), true)

	since, slept := uint64(1), true
	refused(t, func() { since = now() }, refusal{call: unix.SYS_CLOCK_GETTIME, why: unix.EPERM})
	noSleep := refusal{call: unix.SYS_FUTEX, why: unix.ENOSYS}.with(1, futexOpWait)
	refused(t, func() { slept = Futex{}.Sleep(new(uint32), 0, long) }, noSleep)
	if since != 0 || slept {
		t.Errorf("without a clock it is %d; without its sleep the system has slept: %v", since, slept)
	}
}

// TestRefused_HugePages: memory that the system does not have is told; that it knows no huge pages is for a
// person.
func TestRefused_HugePages(t *testing.T) {
	l := toy(1<<16, 8, 2, near)
	noPages := refusal{call: callMmap, why: unix.ENOMEM}.with(1, uint32(l.Size()+HugePage))
	var r *Region
	var err error
	refused(t, func() { r, err = Heap(l) }, noPages)
	const want = "map memory: system call failed: cannot allocate memory; choose a smaller layout"
	if got := lines(err, "on the heap"); len(got) != 1 || got[0] != want || r != nil {
		t.Errorf("%q, %v, want %q", got, r, want)
	}
	noAdvice := refusal{call: unix.SYS_MADVISE, why: unix.EINVAL}.with(2, unix.MADV_HUGEPAGE)
	refused(t, func() { r, err = Heap(l) }, noAdvice)
	if err != nil || r.Huge() != HugeRefused || r.Size() != l.Size() {
		t.Fatalf("%v, huge pages %v, %d bytes", err, r.Huge(), r.Size())
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// forget closes what this process has open of that name.
func forget(t *testing.T, name string) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		to, _ := os.Readlink("/proc/self/fd/" + e.Name())
		if fd, err := strconv.Atoi(e.Name()); err == nil && strings.HasPrefix(to, name) {
			unix.Close(fd)
		}
	}
}
