package region

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestCreate_KilledAtEachStep: a creator that dies leaves nothing, or a region, or in place a file
// that says that it is unfinished and that Unlink removes.
func TestCreate_KilledAtEachStep(t *testing.T) {
	for n := range 7 {
		path := filepath.Join(t.TempDir(), "table")
		start(t, nil, "create", fmt.Sprintf("%d %s", n, path)).dies(t)
		_, err := os.Lstat(path)
		if there := err == nil; there != (n == 6) {
			t.Errorf("killed before step %d: the file is there: %v", n, there)
		}
		r, created, err := OpenOrCreate(path, small)
		if err != nil || created != (n < 6) {
			t.Fatalf("killed before step %d: created %v, %v", n, created, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}

		path = filepath.Join(t.TempDir(), "table")
		start(t, nil, "place", fmt.Sprintf("%d %s", n, path)).dies(t)
		if r, err = Open(path, small); n < 5 && errors.Is(err, ErrUnfinished) {
			if err := Unlink(path); err != nil {
				t.Error(err)
			}
			r, err = Create(path, small)
		}
		if err != nil {
			t.Fatalf("in place, killed before step %d: %v", n, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestCreate_InPlace: where files without a name are unknown.
func TestCreate_InPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	c, err := newCreation(path, small)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.createInPlace()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := c.createInPlace(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second one: %v", err)
	}
	next, err := Open(path, small)
	if err != nil {
		t.Fatal(err)
	}
	alive(t, next, r.Process(), true)
	if err := next.Close(); err != nil {
		t.Error(err)
	}
}

// TestCreate_OneOfManyProcesses: several processes want the same region at once.
func TestCreate_OneOfManyProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	var children []second
	for range 6 {
		children = append(children, start(t, nil, "race", "0 "+path))
	}
	created, seen := 0, map[Process]bool{}
	for _, c := range children {
		word, p := c.answer(t)
		if word == "true" {
			created++
		}
		seen[p] = true
	}
	if created != 1 || len(seen) != len(children) {
		t.Errorf("%d creators, %d processes of %d", created, len(seen), len(children))
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("left in the folder: %v, %v", entries, err)
	}
}

// TestMemory_IsSharedAndSealed: a child gets the file, is a process of its own, and dies as one.
func TestMemory_IsSharedAndSealed(t *testing.T) {
	r, err := Memory("test", small)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f, err := r.Share()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Truncate(0) == nil || f.Truncate(1<<20) == nil {
		t.Error("a memory file can change its length")
	}
	seals, err := unix.FcntlInt(f.Fd(), unix.F_GET_SEALS, 0)
	if err != nil || seals != unix.F_SEAL_GROW|unix.F_SEAL_SHRINK|unix.F_SEAL_SEAL {
		t.Errorf("seals %#x, %v; whoever has it may seal it against writing", seals, err)
	}
	child := start(t, []*os.File{f}, "inherit", "")
	_, p := child.answer(t)
	alive(t, r, p, true)
	child.kill()
	alive(t, r, p, false)
	heap, err := Heap(small)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := heap.Share(); !errors.Is(err, ErrNotRegular) {
		t.Errorf("share of a heap region: %v", err)
	}
	if _, err := Memory(strings.Repeat("x", 300), small); !errors.Is(err, ErrSystem) {
		t.Errorf("a name that is too long: %v", err)
	}
}

// TestPaths_AreTheSystems: behind a link to a folder the one above it is that of where the link leads, which
// no rule of texts can know. A path that was made shorter would name, and remove, a file of somebody else.
func TestPaths_AreTheSystems(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	if err := errors.Join(os.MkdirAll(at("here"), 0o700), os.MkdirAll(at("there/inner"), 0o700),
		os.Symlink(at("there/inner"), at("here/link"))); err != nil {
		t.Fatal(err)
	}
	other, err := Create(at("here/table"), small)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	path := at("here/link") + "/../table"
	for name, create := range map[string]func() (*Region, error){
		"create": func() (*Region, error) { return Create(path, small) },
		"open or create": func() (*Region, error) {
			r, _, err := OpenOrCreate(path, small)
			return r, err
		},
		"in place": func() (*Region, error) {
			c, err := newCreation(path, small)
			if err != nil {
				return nil, err
			}
			return c.createInPlace()
		},
	} {
		r, err := create()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := os.Lstat(at("there/table")); err != nil || r.File() != path {
			t.Errorf("%s: %v, made at %q", name, err, r.File())
		}
		if err := errors.Join(r.Close(), Unlink(path)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Lstat(at("here/table")); err != nil {
			t.Fatalf("%s: the other region: %v", name, err)
		}
	}
}

// TestOpenOrCreate_AsksForTheLayout: of what exists, the whole of it, zeros too; and what has failed has not
// created.
func TestOpenOrCreate_AsksForTheLayout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	l := toy(64, 8, 2, 0)
	r, created, err := OpenOrCreate(path, l)
	if err != nil || !created {
		t.Fatalf("created %v, %v", created, err)
	}
	defer r.Close()
	more, fewer := l.complete(), l.complete()
	more[0].Params = append(more[0].Params, Param{"more", 0})
	fewer[0].Sections = fewer[0].Sections[:1]
	again, created, err := OpenOrCreate(path, l)
	if err != nil || created || !again.Layout().Equal(l) {
		t.Fatalf("once more: created %v, %v", created, err)
	}
	defer again.Close()
	for name, c := range map[string]struct {
		path string
		l    Layout
		want error
	}{
		"another number":   {path, toy(64, 16, 2, 0), ErrLayout},
		"no zero":          {path, toy(64, 8, 2, near), ErrLayout},
		"a parameter more": {path, more, ErrLayout},
		"a section fewer":  {path, fewer, ErrLayout},
		"a part more": {path, append(l.complete(), Part{"next", 1, nil, []Section{{"x", 8, 0}}}),
			ErrLayout},
		"no folder":        {filepath.Join(path, "x"), l, ErrSystem},
		"no such folder":   {filepath.Join(filepath.Dir(path), "none", "x"), l, ErrSystem},
		"no such geometry": {path, Layout{}, ErrGeometry},
	} {
		if r, created, err := OpenOrCreate(c.path, c.l); r != nil || created || !errors.Is(err, c.want) {
			t.Errorf("%s: created %v, %v, want %v", name, created, err, c.want)
		}
	}
}

// TestOpenOrCreate_TheCreationFails: who waits for a creation that is then taken back creates the region.
func TestOpenOrCreate_TheCreationFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	removed := make(chan error)
	go func() {
		time.Sleep(short)
		removed <- os.Remove(path)
	}()
	r, created, err := OpenOrCreate(path, small)
	if err != nil || !created {
		t.Fatalf("created %v, %v", created, err)
	}
	if err := errors.Join(<-removed, r.Close()); err != nil {
		t.Error(err)
	}
}

// TestCreate_TellsTheCallFirst: a geometry that no region has is wrong whatever is there.
func TestCreate_TellsTheCallFirst(t *testing.T) {
	path, _ := mustCreate(t)
	if err := failed(Create(path, Layout{})); !errors.Is(err, ErrGeometry) {
		t.Errorf("%v, want %v", err, ErrGeometry)
	}
}
