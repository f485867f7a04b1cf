//go:build explore

package processes

import (
	"testing"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/hook"
)

// witness schedules one actor, and is told of each access just ahead of it.
type witness struct {
	hook.Scheduler
	before func(kind hook.Kind, at unsafe.Pointer)
}

func (w witness) Before(kind hook.Kind, at unsafe.Pointer)              { w.before(kind, at) }
func (w witness) After(hook.Kind, unsafe.Pointer, uint64, uint64, bool) {}

// watch runs f, and tells before of each of its accesses.
func watch(before func(kind hook.Kind, at unsafe.Pointer), f func()) {
	hook.Active = witness{before: before}
	defer func() { hook.Active = nil }()
	f()
}

// made is the memory of a region that the process 0@1 has made, and the locks of its table.
func made(t *testing.T, l region.Layout) (m *Memory, system func(self int) System) {
	t.Helper()
	m, err := NewMemory(l, 1)
	if err != nil {
		t.Fatal(err)
	}
	locks := &Locks{}
	system = func(self int) System {
		return System{Locks: locks, Self: self, Gone: func(int) bool { return false }}
	}
	r, err := region.Make(m.View(0), l, system(1))
	if err != nil || r.Process() != region.MakeProcess(0, 1) {
		t.Fatal(r, err)
	}
	return m, system
}

// Whoever attaches reads each word of the header once: what was checked is what is used, also if somebody who
// means harm writes another geometry, whose cells are not there, as soon as a word has been read.
func TestAttach_UsesWhatItHasChecked(t *testing.T) {
	l := small
	m, system := made(t, l)
	header := m.Words()[:l.Offset(region.Own, region.OwnProcesses)/region.WordBytes]
	read := make([]int, len(header))
	base := uintptr(m.At(0))
	watch(func(kind hook.Kind, at unsafe.Pointer) {
		for i, n := range read {
			if n > 0 {
				header[i] = 1 << 20
			}
		}
		if i := (uintptr(at) - base) / region.WordBytes; kind == hook.Load && i < uintptr(len(read)) {
			read[i]++
		}
	}, func() {
		r, err := region.Attach(m.View(0), nil, system(2))
		if err != nil || !r.Layout().Equal(l) || r.Process() != region.MakeProcess(1, 1) {
			t.Errorf("%v, %v", r, err)
		}
	})
	for i, n := range read {
		if n != 1 {
			t.Errorf("word %d of the header is read %d times", i, n)
		}
	}
}

// Whoever finds that an entry has changed under its lock takes the next one. What was written stays, and the
// lock is given up: else the entry of nobody counts as that of a process that lives.
func TestAttach_LeavesTheEntryThatMoves(t *testing.T) {
	l := small
	m, system := made(t, l)
	entry := l.Offset(region.Own, region.OwnProcesses) + region.ProcessBytes
	state := &m.Words()[entry/region.WordBytes]
	foreign := uint64(region.MakeProcessState(77, true))
	var r *region.Region
	watch(func(kind hook.Kind, at unsafe.Pointer) {
		if at == unsafe.Pointer(state) && kind != hook.Load {
			*state = foreign
		}
	}, func() {
		var err error
		if r, err = region.Attach(m.View(0), nil, system(2)); err != nil {
			t.Fatal(err)
		}
	})
	if r.Process() != region.MakeProcess(2, 1) || *state != foreign {
		t.Errorf("%v, and the entry is %v", r.Process(), region.ProcessState(*state))
	}
	if alive, err := r.Alive(region.MakeProcess(1, 77)); alive || err != nil {
		t.Errorf("whoever has written the entry has no lock, and is alive: %v, %v", alive, err)
	}
	if held, err := system(3).Locked(1); held || err != nil {
		t.Errorf("the lock of the entry is held: %v, %v", held, err)
	}
}

// A service that begins to listen while another listener is rung for listens from that ring on: the word says
// that it listens, and the next ring is for it.
func TestBell_ARingOvertakesWhoListens(t *testing.T) {
	l := small
	m, system := made(t, l)
	r, err := region.Attach(m.View(0), l, system(2))
	if err != nil {
		t.Fatal(err)
	}
	bell := &m.Words()[l.Offset(region.Own, region.OwnBell)/region.WordBytes]
	rung := false
	watch(func(kind hook.Kind, at unsafe.Pointer) {
		if at == unsafe.Pointer(bell) && kind == hook.Or {
			*bell += 2
		}
	}, func() { rung = r.SleepUntilRung(r.Listen(), time.Second, nil) })
	if rung || *bell != 3 {
		t.Errorf("rung %v, and the bell is %#x", rung, *bell)
	}
}
