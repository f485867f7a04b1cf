package region

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// kept is what this process has of the files below a folder: open descriptors, and mappings.
func kept(t *testing.T, folder string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && strings.HasPrefix(to, folder) {
			all = append(all, "open: "+to)
		}
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(maps)) {
		if strings.Contains(line, folder) {
			all = append(all, "mapped: "+strings.TrimSpace(line))
		}
	}
	return all
}

// drop takes away what the system keeps for a handle, as the end of a process that is killed does.
func drop(t *testing.T, r *Region) {
	t.Helper()
	mapped := r.mapped
	r.words, r.mapped = nil, nil
	if err := errors.Join(unmap(r.file, mapped), r.closeFile()); err != nil {
		t.Fatal(err)
	}
}

// TestFile_NothingIsKept: whoever is refused, and whoever closes, keeps neither a descriptor nor a mapping.
// A descriptor that stays open keeps its lock, and the process counts as alive for ever.
func TestFile_NothingIsKept(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	if err := errors.Join(os.WriteFile(at("open"), make([]byte, 4096), 0o600), os.Chmod(at("open"), 0o640),
		os.WriteFile(at("short"), make([]byte, 8), 0o600),
		os.WriteFile(at("text"), []byte(strings.Repeat("text", headerBytes)), 0o600)); err != nil {
		t.Fatal(err)
	}
	r, err := Create(at("good"), small)
	if err != nil {
		t.Fatal(err)
	}
	if len(kept(t, folder)) != 2 { // the canary
		t.Errorf("of an open region there is %q", kept(t, folder))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		want Layout
	}{{"open", small}, {"short", small}, {"text", small}, {"good", asks("window", 2)}, {"good", small}} {
		if r, err := Open(at(c.name), c.want); err == nil {
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		if r, err := Observe(at(c.name)); err == nil {
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		if left := kept(t, folder); len(left) != 0 {
			t.Errorf("%s, asked for %v: %q", c.name, c.want, left)
		}
	}
}

// unseen opens the file of a creation without a name.
func unseen(t *testing.T, c *creation) {
	t.Helper()
	if err := c.openUnseen(); err != nil {
		t.Skipf("NOT RUN: files without a name are missing (%v); run the tests in a folder of another file "+
			"system: TMPDIR", err)
	}
}

// TestCreate_NothingIsKept: a creation that fails takes back what it has made, the name only if it is its
// own.
func TestCreate_NothingIsKept(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "table")
	c, err := newCreation(path, small)
	if err != nil {
		t.Fatal(err)
	}
	c.size = -1 // no file has that length
	if _, err := c.createInPlace(); !errors.Is(err, unix.EINVAL) {
		t.Errorf("%v", err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the name of what failed is still there: %v", err)
	}
	if c, err = newCreation(path, small); err != nil {
		t.Fatal(err)
	}
	unseen(t, c)
	for _, step := range c.steps() {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte("somebody else's"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.link(); !errors.Is(err, fs.ErrExist) || errors.Is(err, errNoLink) {
		t.Errorf("the name is taken: %v", err)
	}
	if err := c.abandon(); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "somebody else's" {
		t.Errorf("the file that was faster says %q, %v", text, err)
	}
	if left := kept(t, folder); len(left) != 0 {
		t.Errorf("%q", left)
	}
}

// TestFile_NoChildInheritsALock: a descriptor that a child has too keeps the lock of its parent when that
// is killed, and the dead count as alive. So none is inherited, and what is shared is a description of its
// own.
func TestFile_NoChildInheritsALock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	made := map[string]*Region{}
	keep := func(name string, r *Region, err error) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		t.Cleanup(func() { _ = r.Close() })
		made[name] = r
	}
	r, err := Create(path, small)
	keep("create", r, err)
	c, err := newCreation(path+"-in-place", small)
	if err != nil {
		t.Fatal(err)
	}
	r, err = c.createInPlace()
	keep("create in place", r, err)
	r, err = Open(path, small)
	keep("open", r, err)
	r, err = Observe(path)
	keep("observe", r, err)
	m, err := Memory("test", small)
	keep("memory", m, err)
	f, err := m.Share()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err = OpenFile(f, small)
	keep("open file", r, err)
	fds := map[string]uintptr{"share": f.Fd()}
	for name, r := range made {
		fds[name] = uintptr(r.fd)
	}
	for name, fd := range fds {
		flags, err := unix.FcntlInt(fd, unix.F_GETFD, 0)
		if err != nil || flags != unix.FD_CLOEXEC {
			t.Errorf("%s: flags %#x, %v, want that a child does not inherit it", name, flags, err)
		}
		mode, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		if reads := mode&unix.O_ACCMODE == unix.O_RDONLY; err != nil || reads != (name == "observe") {
			t.Errorf("%s: opened for reading only: %v, %v", name, reads, err)
		}
	}
	index := m.Process().Index()
	drop(t, m) // while the shared file is still open
	if held, err := made["open file"].fileLocked(index); held || err != nil {
		t.Errorf("the lock of who has shared its file outlives it: %v, %v", held, err)
	}
}

// TestLocks_AreToldApart: what the system cannot lock is an error and not the lock of another process, and a
// process that gives up one lock keeps its own.
func TestLocks_AreToldApart(t *testing.T) {
	path, first := mustCreate(t)
	var all []*Region
	for range 2 {
		r, err := Open(path, small)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close() })
		all = append(all, r)
	}
	o, err := Observe(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.Close() })
	if ok, err := o.lockFile(9); ok || !errors.Is(err, ErrSystem) {
		t.Errorf("a lock of a file that is open for reading: %v, %v", ok, err)
	}
	p := all[0].Process()
	drop(t, all[0])
	for _, clearer := range []*Region{first, all[1]} { // of the entries before and after it
		first.entry(p.Index())[processState].Store(uint64(MakeProcessState(p.Epoch(), true)))
		if done, err := clearer.Clear(p); !done || err != nil {
			t.Errorf("clear of %v: %v, %v", p, done, err)
		}
		for _, r := range []*Region{first, all[1]} {
			alive(t, o, r.Process(), true)
		}
	}
}

// TestFile_HolesAreFilled: a copy may be sparse; who opens it has the space of all of it, or is told. A
// file that is no region is not filled.
func TestFile_HolesAreFilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	layout := toy(1<<14, 32, 64, near)
	r, err := Create(path, layout)
	if err == nil {
		err = r.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	fd, size := int(file.Fd()), int64(layout.Size())
	blocks := func() int64 {
		var stat unix.Stat_t
		if err := unix.Fstat(fd, &stat); err != nil {
			t.Fatal(err)
		}
		return stat.Blocks * 512
	}
	err = unix.Fallocate(fd, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, 1<<16, 1<<18)
	if unsupported(err) {
		t.Skipf("NOT RUN: holes are missing on this file system (%v); run the tests elsewhere: TMPDIR", err)
	}
	if before := blocks(); err != nil || before >= size {
		t.Fatalf("%d bytes of %d behind a file with a hole, %v", before, size, err)
	}
	if _, err := file.WriteAt([]byte("text"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, layout); !errors.Is(err, ErrMagic) || blocks() >= size {
		t.Errorf("a foreign file: %v, %d bytes of %d", err, blocks(), size)
	}
	if _, err := file.WriteAt([]byte("same"), 0); err != nil {
		t.Fatal(err)
	}
	if r, err = Open(path, layout); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil || blocks() < size {
		t.Errorf("%d bytes of %d behind an open region, %v", blocks(), size, err)
	}
	for err, want := range map[error]bool{unix.EOPNOTSUPP: true, unix.ENOSYS: true, unix.ENOSPC: false,
		unix.EFBIG: false, fmt.Errorf("wrapped: %w", unix.ENOSYS): true} {
		if unsupported(err) != want {
			t.Errorf("%v says that the system cannot: %v", err, !want)
		}
	}
}
