package region

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// desk keeps the locks of a region in memory: by entry, the handle that holds it.
type desk struct{ holder [Processes]int }

// clerk is the System of one handle.
type clerk struct {
	Futex
	*desk
	self int
	fail error
}

func (c clerk) Lock(i uint32) (bool, error) {
	if c.fail != nil || c.holder[i] != 0 && c.holder[i] != c.self {
		return false, c.fail
	}
	c.holder[i] = c.self
	return true, nil
}

func (c clerk) Unlock(i uint32) error {
	c.holder[i] = 0
	return nil
}

func (c clerk) Locked(i uint32) (bool, error) {
	return c.holder[i] != 0 && c.holder[i] != c.self, c.fail
}
func (c clerk) Pid() uint64 { return uint64(c.self) }
func (c clerk) Now() uint64 { return 0 }

func memory(l Layout) []byte {
	size := int(l.Size())
	return aligned(make([]byte, size+LineBytes), LineBytes)[:size]
}

// Regions in memory of the caller's have a process table, whose locks are asked of the caller: who
// holds one is alive, and who takes the entry of a dead one is somebody else.
func TestSystem_LocksAreTheCallers(t *testing.T) {
	l := toy(64, 8, 2, near)
	m, d := memory(l), &desk{}
	if _, err := Attach(m, l, clerk{desk: d, self: 1}); !errors.Is(err, ErrUnfinished) {
		t.Fatalf("%v; want a region that is not there yet", err)
	}
	first, err := Make(m, l, clerk{desk: d, self: 1})
	if err != nil {
		t.Fatal(err)
	}
	second, err := Attach(m, Layout{}, clerk{desk: d, self: 2})
	if err != nil {
		t.Fatal(err)
	}
	if first.Process() != MakeProcess(0, 1) || second.Process() != MakeProcess(1, 1) {
		t.Fatalf("processes %v and %v, want 0@1 and 1@1", first.Process(), second.Process())
	}
	if !first.Layout().Equal(l) || !second.Layout().Equal(l) {
		t.Fatalf("who made it has %#v, the other %#v; want %#v of both", first.Layout(), second.Layout(), l)
	}
	alive := func(r *Region, p Process, want bool) {
		t.Helper()
		if got, err := r.Alive(p); err != nil || got != want {
			t.Errorf("%v counts as alive: %v, %v, want %v", p, got, err, want)
		}
	}
	alive(second, first.Process(), true)
	d.holder[0] = 0 // the first one dies
	alive(second, first.Process(), false)
	third, err := Attach(m, l, clerk{desk: d, self: 3})
	if err != nil || third.Process() != MakeProcess(0, 2) {
		t.Fatalf("%v, %v; want the entry of the dead one, with the next epoch", third.Process(), err)
	}
	alive(second, first.Process(), false)
	alive(second, third.Process(), true)
	if err := third.Close(); err != nil || d.holder[0] != 0 {
		t.Errorf("%v, lock of %d; want it given up", err, d.holder[0])
	}
	alive(second, MakeProcess(0, 2), false)
	if _, err := Attach(m, l, clerk{desk: d, self: 4, fail: ErrSystem}); !errors.Is(err, ErrSystem) {
		t.Errorf("%v; want the error of the caller's system", err)
	}
}

func TestSystem_MemoryMustFit(t *testing.T) {
	l := toy(64, 8, 2, near)
	m, s := memory(l), clerk{desk: &desk{}, self: 1}
	if _, err := Make(m, Layout{}, s); !errors.Is(err, ErrGeometry) {
		t.Errorf("no layout: %v", err)
	}
	if _, err := Make(m[:len(m)-8], l, s); !errors.Is(err, ErrSize) {
		t.Errorf("a word short: %v", err)
	}
	for _, off := range []int{8, 16, 32} { // with bytes enough: the address alone is wrong
		at := aligned(make([]byte, len(m)+2*LineBytes), LineBytes)[off:][:len(m)]
		if _, err := Make(at, l, s); !errors.Is(err, ErrSize) {
			t.Errorf("%d bytes behind a line: %v", off, err)
		}
	}
	longer := aligned(make([]byte, len(m)+2*LineBytes), LineBytes)[:len(m)+LineBytes]
	if _, err := Make(longer, l, s); !errors.Is(err, ErrSize) {
		t.Errorf("a line too many: %v", err)
	}
	for name, c := range map[string]struct {
		memory []byte
		want   error
	}{"16 bytes": {m[:16], ErrSize}, "a byte short of a header": {m[:headerLeast-1], ErrSize},
		"a header": {m[:headerBytes], ErrUnfinished}, "nothing": {m[:0], ErrUnfinished},
		"a word behind a line": {m[WordBytes:], ErrSize}} {
		if r, err := Attach(c.memory, l, s); r != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := Make(m, l, s); err != nil {
		t.Fatal(err)
	}
	if _, err := Attach(m, asks("window", 16), s); !errors.Is(err, ErrLayout) {
		t.Errorf("another window: %v", err)
	}
}

// TestMake_WantsZeros: memory in which something is, as a region that is in use, is refused and stays as it
// is.
func TestMake_WantsZeros(t *testing.T) {
	m, d := memory(small), &desk{}
	first, err := Make(m, small, clerk{desk: d, self: 1})
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(first.Words().Plain())
	r, err := Make(m, small, clerk{desk: d, self: 2})
	if r != nil || !errors.Is(err, ErrDirty) || !strings.Contains(err.Error(), "is a region, want zeros") {
		t.Errorf("over a region: %v", err)
	}
	if !slices.Equal(first.Words().Plain(), before) || d.holder[1] != 0 {
		t.Errorf("the region is another one now; the lock of the next entry is of %d", d.holder[1])
	}
	for at := range len(m) {
		dirty := memory(small)
		dirty[at] = 1
		r, err := Make(dirty, small, clerk{desk: &desk{}, self: 1})
		want := fmt.Sprintf("%#x at offset %d", uint64(1)<<(at%8*8), at/8*8)
		var e *Error
		if r != nil || !errors.Is(err, ErrDirty) || !errors.As(err, &e) || e.Found != want {
			t.Fatalf("byte %d: %v, want %s", at, err, want)
		}
	}
	var all [2]byte // of a length of one's own
	if _, err := Make(all[:], small, clerk{}); !errors.Is(err, ErrSize) {
		t.Errorf("two bytes: %v", err)
	}
}

// TestSystem_DescribesTheProcess: whose it is, and since when, as the System says.
func TestSystem_DescribesTheProcess(t *testing.T) {
	r, err := Make(memory(small), small, clerk{desk: &desk{}, self: 7})
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.Attachments()
	if err != nil || len(list) != 1 || list[0].Pid != 7 || list[0].Since != 0 {
		t.Errorf("%+v, %v, want the process 7, since 0", list, err)
	}
}
