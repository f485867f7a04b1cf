//go:build explore

package seam

import (
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// An access beside the words of a region fails the execution, even where the processor allows it.
func TestWord_OffItsPlace(t *testing.T) {
	var words [2]Uint64
	for off := range uintptr(9) {
		failed := func() (failed bool) {
			defer func() { failed = recover() != nil }()
			word((*Uint64)(unsafe.Add(unsafe.Pointer(&words), off)))
			return false
		}()
		if failed != (off%8 != 0) {
			t.Errorf("%d bytes behind a word: refused is %t", off, failed)
		}
	}
}

// told remembers what the explorer is told of the last access.
type told struct {
	hook.Scheduler
	kind     hook.Kind
	old, new uint64
	ok       bool
}

func (*told) Before(hook.Kind, unsafe.Pointer) {}

func (s *told) After(kind hook.Kind, _ unsafe.Pointer, old, new uint64, ok bool) {
	s.kind, s.old, s.new, s.ok = kind, old, new, ok
}

// TestWord_TellsWhatItDid: the kind of each access, what it found, and what it left or wanted to leave.
func TestWord_TellsWhatItDid(t *testing.T) {
	var w Uint64
	s := &told{}
	hook.Active = s
	defer func() { hook.Active = nil }()
	lock := func(ok bool) func() {
		return func() { _, _ = TryLock(&w, func() (bool, error) { return ok, nil }) }
	}
	for i, c := range []struct {
		do   func()
		want told
	}{
		{func() { w.Store(12) }, told{kind: hook.Store, old: 0, new: 12, ok: true}},
		{func() { w.Load() }, told{kind: hook.Load, old: 12, new: 12, ok: true}},
		{func() { w.Swap(7) }, told{kind: hook.Swap, old: 12, new: 7, ok: true}},
		{func() { w.Add(6) }, told{kind: hook.Add, old: 7, new: 13, ok: true}},
		{func() { w.And(6) }, told{kind: hook.And, old: 13, new: 4, ok: true}},
		{func() { w.Or(3) }, told{kind: hook.Or, old: 4, new: 7, ok: true}},
		{func() { w.CompareAndSwap(7, 8) }, told{kind: hook.CompareAndSwap, old: 7, new: 8, ok: true}},
		{func() { w.CompareAndSwap(7, 9) }, told{kind: hook.CompareAndSwap, old: 8, new: 9}},
		{lock(true), told{kind: hook.TryLock, old: 0, new: 1, ok: true}},
		{lock(false), told{kind: hook.TryLock, old: 1, new: 1}},
	} {
		if c.do(); *s != c.want {
			t.Errorf("access %d: %+v, want %+v", i, *s, c.want)
		}
	}
}

// TestGuarded_TellsWhatItDid: a look reads the digest of the contents, a change finds one and leaves another.
func TestGuarded_TellsWhatItDid(t *testing.T) {
	var g Guarded
	contents := uint64(3)
	digest := func() uint64 { return 100 + contents }
	s := &told{}
	hook.Active = s
	defer func() { hook.Active = nil }()
	if g.Look(digest); *s != (told{kind: hook.Load, old: 103, new: 103, ok: true}) {
		t.Errorf("a look is %+v", *s)
	}
	g.Change(func() { contents = 4 }, digest)
	if *s != (told{kind: hook.Or, old: 103, new: 104, ok: true}) || g.word != 104 {
		t.Errorf("a change is %+v and leaves %d", *s, g.word)
	}
}
