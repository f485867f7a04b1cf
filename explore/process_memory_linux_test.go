package explore_test

//lint:file-ignore SA2001 a lock that is taken and given back is a step of the programs here

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/memory"
	"github.com/samecycle/samecycle/explore/shim/sync"
)

// lock is a lock of processes, in the memory that they share.
func (s shared) lock(i int) *sync.Mutex { return (*sync.Mutex)(unsafe.Pointer(&s[i%len(s)][0])) }

// lock2 is another lock.
func (s shared) lock2(i int) *sync.Mutex { return (*sync.Mutex)(unsafe.Pointer(&s[i%len(s)][8])) }

// number is plain memory that they share.
func (s shared) number(i int) *uint64 { return (*uint64)(unsafe.Pointer(&s[i%len(s)][1])) }

// lockers is three processes that change a number in plain memory, in the order in which they get a lock.
func lockers(s shared, told func(string)) explore.Program {
	return explore.Program{Name: "lockers",
		Start: func(x *explore.Execution) []explore.Actor {
			x.Region(s.at(0), sharedBytes)
			*s.lock(0), *s.number(0) = sync.Mutex{}, 0
			var actors []explore.Actor
			for i := range 3 {
				a := explore.Actor{Name: fmt.Sprint(i), Body: func() {
					s.lock(i).Lock()
					n := s.number(i)
					memory.Write(n, "n")
					*n = *n*10 + uint64(i) + 1
					s.lock(i).Unlock()
				}}
				if len(s) > 1 {
					a.Process = s.process(fmt.Sprint("p", i), i)
				}
				actors = append(actors, a)
			}
			return actors
		},
		Finish: func(*explore.Execution) error { told(fmt.Sprint(*s.number(0))); return nil }}
}

// entangled is three processes that take two locks in two orders.
func entangled(s shared, told func(string)) explore.Program {
	p := lockers(s, told)
	start := p.Start
	p.Start = func(x *explore.Execution) []explore.Actor {
		actors := start(x)
		*s.lock2(0) = sync.Mutex{}
		for i := range actors {
			a, b := s.lock(i), s.lock2(i)
			if i == 1 {
				a, b = b, a
			}
			actors[i].Body = func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() }
		}
		return actors
	}
	return p
}

// pairOf is two processes, the second of which gets to run its body only once the first has run its own.
func pairOf(s shared, first, second func()) explore.Program {
	return explore.Program{Name: "pair", Start: func(x *explore.Execution) []explore.Actor {
		x.Region(s.at(0), sharedBytes)
		*s.lock(0), *s.number(0) = sync.Mutex{}, 0
		s[0][2].Store(0)
		return []explore.Actor{
			{Name: "first", Process: s.process("first", 0), Body: func() { first(); s[0][2].Store(1) }},
			{Name: "second", Process: s.process("second", 1), Body: func() {
				if s[1][2].Load() == 1 {
					second()
				}
			}},
		}
	}}
}

// Two processes that write to the same plain memory, each through its own mapping, race, whether plain
// accesses are steps or not.
func TestProcess_PlainMemoryIsOneToo(t *testing.T) {
	s := mapShared(t, 2)
	start := pairOf(s, func() {}, func() {}).Start
	write := func(i int) func() { return func() { memory.Write(s.number(i), "n"); *s.number(i) = 1 } }
	p := explore.Program{Name: "racers", Start: func(x *explore.Execution) []explore.Actor {
		actors := start(x)
		actors[0].Body, actors[1].Body = write(0), write(1)
		return actors
	}}
	for _, steps := range []bool{false, true} {
		o := unbounded()
		o.Races, o.PlainSteps = true, steps
		wantFailure(t, mustExplore(t, p, o), explore.Race)
	}
}

// The lock, and the plain memory, of another process's mapping are addresses of that process: using one is
// a fault, also where the lock is held and is only waited for.
func TestProcess_ALockOfAnotherProcessIsAFault(t *testing.T) {
	s := mapShared(t, 2)
	none := func() {}
	for name, p := range map[string]explore.Program{
		"free":  pairOf(s, none, func() { s.lock(0).Lock() }),
		"held":  pairOf(s, func() { s.lock(0).Lock() }, func() { s.lock(0).Lock() }),
		"plain": pairOf(s, none, func() { memory.Write(s.number(0), "n") }),
	} {
		o := unbounded()
		o.Races = true
		t.Run(name, func(t *testing.T) { wantFailure(t, mustExplore(t, p, o), explore.Fault) })
	}
	o := unbounded()
	o.Races = true
	own := pairOf(s, none, func() { s.lock(1).Lock(); memory.Write(s.number(1), "n"); s.lock(1).Unlock() })
	if r := mustExplore(t, own, o); r.Failure != nil {
		t.Errorf("through its own mapping: %v", r.Err())
	}
}
