package region

import (
	"errors"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestFile_GuardTurnsAFaultIntoAnError: reading beyond the end of a truncated file faults.
func TestFile_GuardTurnsAFaultIntoAnError(t *testing.T) {
	path, r := mustCreate(t)
	last := &r.Words()[len(r.Words())-1]
	if err := r.Guard(func() { last.Store(1) }); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	err := r.Guard(func() { last.Load() })
	if !errors.Is(err, ErrFault) || !strings.Contains(err.Error(), "truncated") {
		t.Errorf("reading a page that is gone: %v", err)
	}
	defer func() {
		if recover() != "mine" {
			t.Error("a panic of another kind was swallowed")
		}
	}()
	_ = r.Guard(func() { panic("mine") })
}

// TestGuard_OtherMemoryIsNotItsOwn: a fault just below or above the region is the program's mistake, and
// goes on as one; and what a fault does elsewhere in the program is what it was before.
func TestGuard_OtherMemoryIsNotItsOwn(t *testing.T) {
	size, page := int(small.Size()), os.Getpagesize()
	inner := (size + page - 1) / page * page
	all, err := unix.Mmap(-1, 0, inner+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(all)
	// Aligned to its end, so that the page above is the very next byte.
	from := page + inner - size
	r, err := Make(all[from:from+size], small, clerk{desk: &desk{}, self: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Mprotect(all, unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	var seen byte
	read := func(offset int) (got error, panicked bool) {
		defer func() { panicked = recover() != nil }()
		return r.Guard(func() { seen = all[offset] }), false
	}
	for offset, own := range map[int]bool{
		0: false, from - 1: false, from: true, from + size - 1: true, from + size: false, len(all) - 1: false,
	} {
		if got, panicked := read(offset); errors.Is(got, ErrFault) != own || panicked == own {
			t.Errorf("at %d, the region from %d on: %v, a panic %v", offset, from, got, panicked)
		}
	}
	if seen != 0 || debug.SetPanicOnFault(false) {
		t.Error("after it a fault anywhere is a panic")
	}
}

// TestGuard_WithinAGuard: the inner one leaves a fault what it has found it to be, the outer one's or that of
// a program which always takes faults for panics.
func TestGuard_WithinAGuard(t *testing.T) {
	path, r := mustCreate(t)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	touch := func() { r.words[0].Load() }
	var inner error
	outer := r.Guard(func() {
		inner = r.Guard(touch)
		if !debug.SetPanicOnFault(true) { // else the next line is the end of all tests
			t.Error("a fault after the inner one is no panic")
		}
		touch()
	})
	if !errors.Is(inner, ErrFault) || !errors.Is(outer, ErrFault) {
		t.Errorf("the inner one says %v, the outer one %v", inner, outer)
	}
}

// TestGuard_OfAClosedRegion: what was to run is not run, whatever memory the region had.
func TestGuard_OfAClosedRegion(t *testing.T) {
	path, file := mustCreate(t)
	observer, err := Observe(path)
	if err != nil {
		t.Fatal(err)
	}
	made, err := Make(memory(small), small, clerk{desk: &desk{}, self: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*Region{"file": file, "observer": observer, "made": made,
		"heap": mustHeap(t, small), "mapped heap": mustHeap(t, toy(HugePage/16, 3, 3, near))} {
		words := r.Words()
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		ran := false
		if err := r.Guard(func() { ran = true; words[0].Load() }); !errors.Is(err, ErrClosed) || ran {
			t.Errorf("%s: %v, run %v", name, err, ran)
		}
	}
	err = new(Region).Guard(func() { t.Error("a region that is none was used") })
	if !errors.Is(err, ErrClosed) {
		t.Errorf("the zero region: %v", err)
	}
}

// TestGuard_OfARegionThatIsClosedInIt: what is used after that is memory that is gone, too.
func TestGuard_OfARegionThatIsClosedInIt(t *testing.T) {
	_, r := mustCreate(t)
	old := r.Words()
	if err := r.Guard(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		debug.SetPanicOnFault(true) // whatever the Guard within Close has left
		old[5].Load()
	}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// TestGuard_LetsAPanicOnOfARegionThatIsClosedInIt: what is no fault of the region goes on to the caller, also
// after the region has been closed.
func TestGuard_LetsAPanicOnOfARegionThatIsClosedInIt(t *testing.T) {
	_, r := mustCreate(t)
	defer func() {
		if cause := recover(); cause != "mine" {
			t.Errorf("the panic has become %v", cause)
		}
	}()
	err := r.Guard(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		panic("mine")
	})
	t.Errorf("the panic has become the error %v", err)
}
