package region

import (
	"errors"
	"math"
	"testing"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
)

// watched is a System that looks at what is in the memory at the moment at which it is asked.
type watched struct {
	clerk
	lock, unlock, describe func(index uint32)
	wake                   func(half *uint32)
	sleep                  func(half *uint32, seen uint32, most seam.Duration)
}

func (w *watched) Wake(half *uint32) {
	if w.wake != nil {
		w.wake(half)
	}
	w.clerk.Wake(half)
}

// Sleep asks whoever watches, and does not sleep.
func (w *watched) Sleep(half *uint32, seen uint32, most seam.Duration) bool {
	if w.sleep == nil {
		return w.clerk.Sleep(half, seen, most)
	}
	w.sleep(half, seen, most)
	return true
}

func (w *watched) Lock(i uint32) (bool, error) {
	if w.lock != nil {
		w.lock(i)
	}
	return w.clerk.Lock(i)
}

func (w *watched) Unlock(i uint32) error {
	if w.unlock != nil {
		w.unlock(i)
	}
	return w.clerk.Unlock(i)
}

func (w *watched) Now() uint64 {
	if w.describe != nil {
		for i, self := range w.holder {
			if self == w.self {
				w.describe(uint32(i))
			}
		}
	}
	return w.clerk.Now()
}

// three are the handles of one region, of the selfs 1, 2 and 3 in the entries 0, 1 and 2.
func three(t *testing.T) (m []byte, d *desk, all [3]*Region, systems [3]*watched) {
	t.Helper()
	m, d = memory(small), &desk{}
	for i := range all {
		systems[i] = &watched{clerk: clerk{desk: d, self: i + 1}}
		var err error
		if i == 0 {
			all[i], err = Make(m, small, systems[i])
		} else {
			all[i], err = Attach(m, small, systems[i])
		}
		if err != nil || all[i].Process() != MakeProcess(uint32(i), 1) {
			t.Fatalf("handle %d: %v, %v", i, all[i], err)
		}
	}
	return m, d, all, systems
}

// stateOf is the state of an entry.
func stateOf(r *Region, index uint32) ProcessState {
	return ProcessState(r.entry(index)[processState].Load())
}

// TestSystem_EntryIsWrittenUnderItsLock: what a person reads is there before the entry is published, and
// an entry is withdrawn, or cleared, before its lock is given up; each entry is its holder's alone.
func TestSystem_EntryIsWrittenUnderItsLock(t *testing.T) {
	m, _, all, systems := three(t)
	idle := func(i uint32) {
		if s := stateOf(all[2], i); s.Attached() {
			t.Errorf("the lock of entry %d is given up while it is %v", i, s)
		}
	}
	systems[0].unlock = idle
	if err := all[0].Close(); err != nil {
		t.Fatal(err)
	}
	next := &watched{clerk: clerk{desk: systems[0].desk, self: 4}}
	next.describe = func(i uint32) {
		if s := stateOf(all[2], i); i != 0 || s.Attached() {
			t.Errorf("entry %d is described while it is %v", i, s)
		}
	}
	if _, err := Attach(m, small, next); err != nil {
		t.Fatal(err)
	}
	list, err := all[2].Attachments()
	if err != nil || len(list) != 3 {
		t.Fatalf("%+v, %v", list, err)
	}
	for i, want := range []uint64{4, 2, 3} {
		if list[i].Pid != want {
			t.Errorf("entry %d says pid %d, want %d", i, list[i].Pid, want)
		}
	}
	systems[1].holder[1] = 0 // it dies
	systems[2].unlock = idle
	if done, err := all[2].Clear(all[1].Process()); !done || err != nil {
		t.Errorf("clear: %v, %v", done, err)
	}
}

// TestSystem_EntryIsLeftToWhoWritesIt: a process that finds that the state has changed under its lock leaves
// the entry alone, and is not that process.
func TestSystem_EntryIsLeftToWhoWritesIt(t *testing.T) {
	_, _, all, _ := three(t)
	found := stateOf(all[0], 5)
	foreign := MakeProcessState(77, true)
	all[0].entry(5)[processState].Store(uint64(foreign))
	if all[1].enter(5, found) || stateOf(all[0], 5) != foreign || all[1].Process() != MakeProcess(1, 1) {
		t.Errorf("the entry is %v, its finder %v", stateOf(all[0], 5), all[1].Process())
	}
}

// TestSystem_MagicComesLast: nobody can attach to a region before the process that makes it has an entry.
func TestSystem_MagicComesLast(t *testing.T) {
	m, d := memory(small), &desk{}
	other := clerk{desk: d, self: 2}
	asked := 0
	s := &watched{clerk: clerk{desk: d, self: 1}}
	s.lock = func(uint32) {
		asked++
		if _, err := Attach(m, small, other); !errors.Is(err, ErrUnfinished) {
			t.Errorf("before its maker has an entry: %v", err)
		}
	}
	if r, err := Make(m, small, s); err != nil || r.Process() != MakeProcess(0, 1) || asked == 0 {
		t.Errorf("%v, %v, asked %d times", r, err, asked)
	}
}

// TestSystem_WakesComeAfterTheirStores: whoever wakes first, and stores then, wakes one who goes to sleep
// again, and sleeps out its bound. The maker of a region wakes when its magic is there, and who rings when
// the bell says that nobody sleeps, but once; nobody is rung for who has not slept, and who sleeps says so.
func TestSystem_WakesComeAfterTheirStores(t *testing.T) {
	m := memory(small)
	s, wakes, sleeps := &watched{clerk: clerk{desk: &desk{}, self: 1}}, 0, 0
	var first uint64
	s.wake = func(half *uint32) {
		wakes++
		word := (*seam.Uint64)(unsafe.Pointer(unsafe.SliceData(m)))
		if first = word.Load(); half != seam.LowHalf(word) {
			t.Error("another word is woken than the magic")
		}
	}
	r, err := Make(m, small, s)
	if err != nil || wakes != 1 || first != Magic {
		t.Fatalf("made with %d wakes, and %#x there at that moment: %v", wakes, first, err)
	}
	s.wake = func(half *uint32) {
		if wakes++; half != seam.LowHalf(r.bell()) || r.bell().Load() != bellRing|bellWaking {
			t.Errorf("woken while the bell is %#x", r.bell().Load())
		}
	}
	s.sleep = func(half *uint32, seen uint32, most seam.Duration) {
		if sleeps++; half != seam.LowHalf(r.bell()) || seen != bellAsleep || *half != seen {
			t.Errorf("a sleep of %v on %#x, which is %#x", most, seen, *half)
		}
		r.Ring()
	}
	if r.Ring(); wakes != 1 {
		t.Error("a ring wakes although nobody sleeps")
	}
	if rung := r.SleepUntilRung(r.Listen(), long, nil); !rung || sleeps != 1 || wakes != 2 {
		t.Errorf("rung %v, %d sleeps, %d wakes", rung, sleeps, wakes)
	}
	if r.Ring(); wakes != 2 {
		t.Error("who sleeps is woken twice")
	}
}

// TestSystem_ErrorsOfLocksAreTold: that the system does not know is neither alive nor dead, and nobody
// clears on it.
func TestSystem_ErrorsOfLocksAreTold(t *testing.T) {
	_, _, all, systems := three(t)
	p := all[0].Process()
	systems[1].fail = ErrSystem
	if got, err := all[1].Alive(p); !errors.Is(err, ErrSystem) {
		t.Errorf("alive: %v, %v", got, err)
	}
	if list, err := all[1].Attachments(); list != nil || !errors.Is(err, ErrSystem) {
		t.Errorf("attachments: %v, %v", list, err)
	}
	if done, err := all[1].Clear(p); done || !errors.Is(err, ErrSystem) {
		t.Errorf("clear: %v, %v", done, err)
	}
	if got, err := all[2].Alive(p); !got || err != nil {
		t.Errorf("for who can ask: %v, %v", got, err)
	}
}

// TestSystem_WhoHasDetachedIsDead: also while the next one has the lock of the entry and nothing else yet.
func TestSystem_WhoHasDetachedIsDead(t *testing.T) {
	_, d, all, _ := three(t)
	p := all[0].Process()
	if err := all[0].Close(); err != nil {
		t.Fatal(err)
	}
	d.holder[0] = 9
	if got, err := all[1].Alive(p); got || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if list, err := all[1].Attachments(); len(list) != 2 || err != nil {
		t.Errorf("attachments %+v, %v", list, err)
	}
}

// TestSystem_ClearKeepsTheEpoch: an entry that was cleared goes on with the next epoch, only the attachment
// that is asked for is cleared, once, and its lock is given up in each case.
func TestSystem_ClearKeepsTheEpoch(t *testing.T) {
	m, d, all, _ := three(t)
	p := all[0].Process()
	d.holder[0] = 0 // it dies
	for _, c := range []struct {
		p    Process
		want bool
	}{
		{MakeProcess(0, p.Epoch()+1), false}, {MakeProcess(0, 0), false}, {p, true}, {p, false},
		{MakeProcess(5, 0), false},
	} {
		if done, err := all[1].Clear(c.p); done != c.want || err != nil {
			t.Errorf("clear of %v: %v, %v, want %v", c.p, done, err, c.want)
		}
		if i := c.p.Index(); d.holder[i] != 0 {
			t.Errorf("after the clear of %v its lock is held", c.p)
		}
	}
	r, err := Attach(m, small, clerk{desk: d, self: 4})
	if err != nil || r.Process() != MakeProcess(0, p.Epoch()+1) {
		t.Errorf("the next is %v, %v", r.Process(), err)
	}
	if done, err := all[1].Clear(all[1].Process()); done || err != nil {
		t.Errorf("cleared itself: %v, %v", done, err)
	}
}

// TestAttachWithin_WhateverTheBound: the longest there is waits, and the shortest does not, nor does none.
func TestAttachWithin_WhateverTheBound(t *testing.T) {
	for bound, waits := range map[seam.Duration]bool{math.MaxInt64: true, 0: false, math.MinInt64: false} {
		m, d, asleep := memory(small), &desk{}, false
		s := &watched{clerk: clerk{desk: d, self: 2}}
		s.sleep = func(*uint32, uint32, seam.Duration) {
			asleep = true
			if _, err := Make(m, small, clerk{desk: d, self: 1}); err != nil {
				t.Error(err)
			}
		}
		_, err := AttachWithin(m, small, s, bound)
		if asleep != waits || (err == nil) != waits || !waits && !errors.Is(err, ErrUnfinished) {
			t.Errorf("bound %v: has slept %v, %v", bound, asleep, err)
		}
	}
}

// TestAwait_WhateverTheBound: the longest there is waits for the change, and the shortest looks once, in the
// memory of several processes and on the heap.
func TestAwait_WhateverTheBound(t *testing.T) {
	s := &watched{clerk: clerk{desk: &desk{}, self: 1}}
	shared, err := Make(memory(small), small, s)
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*Region{"shared": shared, "heap": mustHeap(t, small)} {
		w := &r.words[len(r.words)-1]
		s.sleep = func(*uint32, uint32, seam.Duration) { w.Store(1) }
		late := time.AfterFunc(long, func() { w.Store(1) }) // so that nobody waits for ever
		if r.Await(w, 0, math.MinInt64) {
			t.Errorf("%s: has waited for a change, the bound is over", name)
		}
		late.Stop()
		w.Store(0)
		time.AfterFunc(short, func() { w.Store(1) })
		if !r.Await(w, 0, math.MaxInt64) {
			t.Errorf("%s: has not waited for the change", name)
		}
	}
}

// TestSleepUntilRung_WhateverTheBound: the longest there is sleeps until somebody rings, the shortest not.
func TestSleepUntilRung_WhateverTheBound(t *testing.T) {
	s, sleeps := &watched{clerk: clerk{desk: &desk{}, self: 1}}, 0
	r, err := Make(memory(small), small, s)
	if err != nil {
		t.Fatal(err)
	}
	s.sleep = func(*uint32, uint32, seam.Duration) { sleeps++; r.Ring() }
	if r.SleepUntilRung(r.Listen(), math.MinInt64, nil) || sleeps != 0 {
		t.Errorf("%d sleeps of no time", sleeps)
	}
	if !r.SleepUntilRung(r.Listen(), math.MaxInt64, nil) || sleeps != 1 {
		t.Errorf("%d sleeps until somebody rings", sleeps)
	}
}

// faulty is a System whose calls fail although they have done what they are for.
type faulty struct {
	clerk
	lock, unlock error
}

func (f *faulty) Lock(i uint32) (bool, error) {
	ok, err := f.clerk.Lock(i)
	return ok, errors.Join(err, f.lock)
}

func (f *faulty) Unlock(i uint32) error { return errors.Join(f.clerk.Unlock(i), f.unlock) }

// TestClear_TellsWhatFails: a process that cannot know whether it has the lock clears nothing, and one that
// cannot give it up has cleared.
func TestClear_TellsWhatFails(t *testing.T) {
	m, d, all, _ := three(t)
	s := &faulty{clerk: clerk{desk: d, self: 4}}
	r, err := Attach(m, small, s)
	if err != nil {
		t.Fatal(err)
	}
	dead := all[1].Process()
	d.holder[dead.Index()] = 0
	for _, c := range []struct {
		lock, unlock error
		done         bool
	}{{ErrSystem, nil, false}, {nil, ErrSystem, true}} {
		s.lock, s.unlock = c.lock, c.unlock
		done, err := r.Clear(dead)
		if done != c.done || !errors.Is(err, ErrSystem) || stateOf(r, dead.Index()).Attached() == done {
			t.Errorf("%+v: cleared %v, %v; the entry is %v", c, done, err, stateOf(r, dead.Index()))
		}
		d.holder[dead.Index()] = 0
	}
	s.lock, s.unlock = ErrSystem, nil
	if _, err := Attach(m, small, s); !errors.Is(err, ErrSystem) {
		t.Errorf("attached with a lock that nobody is sure of: %v", err)
	}
}
