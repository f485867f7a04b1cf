package explore_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
	"github.com/samecycle/samecycle/internal/hook"
)

// shared is one file, mapped at several addresses.
type shared [][]atomic.Uint64

const sharedBytes = 4096

func mapShared(t testing.TB, mappings int) shared {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "shared")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(sharedBytes); err != nil {
		t.Fatal(err)
	}
	var s shared
	for range mappings {
		b, err := syscall.Mmap(int(f.Fd()), 0, sharedBytes, syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_SHARED)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := syscall.Munmap(b); err != nil {
				t.Error(err)
			}
		})
		s = append(s, unsafe.Slice((*atomic.Uint64)(unsafe.Pointer(&b[0])), sharedBytes/8))
	}
	return s
}

func (s shared) at(i int) unsafe.Pointer { return unsafe.Pointer(&s[i][0]) }

// process is a process that has the memory at mapping i.
func (s shared) process(name string, i int) *explore.Process {
	return &explore.Process{Name: name, Present: true,
		Mappings: []explore.Mapping{{At: s.at(i), Of: s.at(0), Size: sharedBytes}}}
}

// counters is three processes that add to two words and look at them; told gets what they saw at the
// end of each execution. With several mappings each process uses its own.
func counters(s shared, told func(string)) explore.Program {
	var saw [3]uint64
	return explore.Program{Name: "counters",
		Start: func(x *explore.Execution) []explore.Actor {
			x.Region(s.at(0), sharedBytes)
			s[0][0].Store(0)
			s[0][1].Store(0)
			saw = [3]uint64{}
			var actors []explore.Actor
			for i := range saw {
				m := s[i%len(s)]
				a := explore.Actor{Name: fmt.Sprint(i), Body: func() {
					m[i%2].Add(1)
					saw[i] = m[1-i%2].Load()
					x.Mark(saw[i])
					m[0].CompareAndSwap(1, 7)
				}}
				if len(s) > 1 {
					a.Process = s.process(fmt.Sprint("p", i), i)
				}
				actors = append(actors, a)
			}
			return actors
		},
		Finish: func(*explore.Execution) error {
			told(fmt.Sprint(saw, s[0][0].Load(), s[0][1].Load()))
			return nil
		}}
}

// ofShared is a program on shared memory, by its own mappings or by one.
type ofShared func(s shared, told func(string)) explore.Program

// outcomes explores the program and returns what came of it, and every step that was seen.
func (p ofShared) outcomes(t *testing.T, s shared, o explore.Options) (explore.Report, []string) {
	t.Helper()
	all := map[string]bool{}
	program := p(s, func(o string) { all[o] = true })
	program.Step = func(_ *explore.Execution, s explore.Step) error {
		all[fmt.Sprint(s.Actor, s.Kind, s.Object, s.Old, s.New, s.OK)] = true
		return nil
	}
	rep, err := explore.Explore(program, o)
	if err != nil || rep.Failure != nil || !rep.Exhaustive {
		t.Fatalf("%v: %v, %s", err, rep.Failure, rep.Bound)
	}
	return rep, slices.Sorted(maps.Keys(all))
}

// Three mappings of one memory are one memory, in each mode of the search: as many executions, states
// and classes, and the same outcomes.
func TestProcess_MappingsOfOneFileAreOneMemory(t *testing.T) {
	modes := map[string]explore.Options{"plain": unbounded(), "bounded": {Preemptions: 2}}
	o := unbounded()
	o.Stateful = true
	modes["stateful"] = o
	o = unbounded()
	o.Reduce = true
	modes["reduced"] = o
	o.Races = true
	modes["races"] = o
	locking := maps.Clone(modes)
	for _, reduce := range []bool{false, true} {
		o := unbounded()
		o.BlockedOK, o.Reduce = true, reduce
		sameByMappings(t, "deadlocks", entangled, o)
	}
	o.PlainSteps = true
	locking["plain steps"] = o
	for name, o := range modes {
		sameByMappings(t, name, counters, o)
	}
	for name, o := range locking {
		sameByMappings(t, name+" with locks", lockers, o)
	}
}

func sameByMappings(t *testing.T, name string, p ofShared, o explore.Options) {
	t.Helper()
	one, want := p.outcomes(t, mapShared(t, 1), o)
	three, got := p.outcomes(t, mapShared(t, 3), o)
	if one.Executions != three.Executions || one.States != three.States || one.Classes != three.Classes ||
		one.Blocked != three.Blocked {
		t.Errorf("%s: %d executions, %d states, %d classes; by three mappings %d, %d, %d", name,
			one.Executions, one.States, one.Classes, three.Executions, three.States, three.Classes)
	}
	if !slices.Equal(want, got) || len(got) < 2 {
		t.Errorf("%s: outcomes %q, by three mappings %q", name, want, got)
	}
	if !strings.Contains(three.Bound, "in 3 processes, each with its actors: p0 (1), p1 (1), p2 (1)") ||
		strings.Contains(one.Bound, "processes") {
		t.Errorf("%s: %q does not name the processes, or %q does", name, three.Bound, one.Bound)
	}
}

// The canary: mappings that nobody declares are other objects, and the reduction leaves out orders.
func TestProcess_AnUndeclaredMappingIsMissed(t *testing.T) {
	s := mapShared(t, 3)
	p := counters(s, func(string) {})
	start := p.Start
	p.Start = func(x *explore.Execution) []explore.Actor {
		actors := start(x)
		for i := range actors {
			x.Region(s.at(i), sharedBytes)
			actors[i].Process = nil
		}
		return actors
	}
	o := unbounded()
	o.Reduce = true
	missed, err := explore.Explore(p, o)
	if err != nil {
		t.Fatal(err)
	}
	if full, _ := ofShared(counters).outcomes(t, s, o); missed.Executions >= full.Executions {
		t.Errorf("%d executions with mappings that are not declared, %d with", missed.Executions,
			full.Executions)
	}
}

// A process stores an address of its own, another one follows it: in every schedule in which it
// does that is a finding, and a search without the follower has none.
func TestProcess_AnAddressOfAnotherProcessIsAFault(t *testing.T) {
	s := mapShared(t, 2)
	program := func(follow bool) explore.Program {
		return explore.Program{Name: "address", Start: func(x *explore.Execution) []explore.Actor {
			x.Region(s.at(0), sharedBytes)
			s[0][0].Store(0)
			return []explore.Actor{
				{Name: "writer", Process: s.process("first", 0), Body: func() {
					s[0][0].Store(uint64(uintptr(unsafe.Pointer(&s[0][5]))))
				}},
				{Name: "reader", Process: s.process("second", 1), Body: func() {
					if at := s[1][0].Load(); at != 0 && follow {
						(*atomic.Uint64)(*(*unsafe.Pointer)(unsafe.Pointer(&at))).Load()
					}
				}},
			}
		}}
	}
	rep, err := explore.Explore(program(true), unbounded())
	if err != nil || rep.Failure == nil || rep.Failure.Kind != explore.Fault ||
		!strings.Contains(rep.Failure.Message, "offset 0x28 of the mapping of process first") {
		t.Fatalf("%v, %v; want a fault at offset 0x28", err, rep.Failure)
	}
	again, err := explore.Replay(program(true), rep.Failure.Token, explore.Options{})
	if err != nil || again.Failure == nil || again.Failure.Message != rep.Failure.Message {
		t.Errorf("%v, %v; the token has not the same fault", err, again.Failure)
	}
	if rep, err := explore.Explore(program(false), unbounded()); err != nil || rep.Failure != nil {
		t.Errorf("%v, %v; nobody followed the address", err, rep.Failure)
	}
}

// An address of nothing is a panic of the actor that follows it, and the explorer goes on.
func TestProcess_AWildAddressIsNoCrash(t *testing.T) {
	s := mapShared(t, 1)
	wild := uint64(0x10000) // nothing is ever mapped so low
	start := func(x *explore.Execution) []explore.Actor {
		x.Region(s.at(0), sharedBytes)
		return []explore.Actor{{Name: "reader", Process: s.process("only", 0), Body: func() {
			(*atomic.Uint64)(*(*unsafe.Pointer)(unsafe.Pointer(&wild))).Load()
		}}}
	}
	rep, err := explore.Explore(explore.Program{Name: "wild", Start: start}, unbounded())
	if err != nil || rep.Failure == nil || rep.Failure.Kind != explore.Panicked {
		t.Errorf("%v, %v; want a panic", err, rep.Failure)
	}
}

// mortals is a process of two actors beside one with one actor, which looks whether the first lives.
func mortals(s shared, told func(x *explore.Execution, pair *explore.Process, alive bool),
	deaths func(int)) explore.Program {
	pair, other := s.process("pair", 0), s.process("other", 1)
	var alive bool
	return explore.Program{Name: "mortals",
		Start: func(x *explore.Execution) []explore.Actor {
			x.Region(s.at(0), sharedBytes)
			for i := range 3 {
				s[0][i].Store(0)
			}
			body := func(i int) func() {
				return func() {
					s[0][i].Add(1)
					s[0][i].Add(1)
				}
			}
			return []explore.Actor{
				{Name: "a", Process: pair, Body: body(0)}, {Name: "b", Process: pair, Body: body(1)},
				{Name: "c", Process: other, Body: func() {
					s[1][2].Add(1)
					alive = !x.Gone(pair)
					x.Mark(uint64(btoi(alive)))
				}},
			}
		},
		Step: func(_ *explore.Execution, s explore.Step) error {
			if s.Kind == hook.Kill {
				deaths(s.Actor)
			}
			return nil
		},
		Finish: func(x *explore.Execution) error { told(x, pair, alive); return nil },
	}
}

// All actors of a process die at once: of the pairs of words that two actors leave, each is seen
// with a death that says it, and after a death no word moves. The death is seen by the other process
// at each point, also before any step of the dead.
func TestProcess_DiesWithAllItsActorsAtAnyTime(t *testing.T) {
	s := mapShared(t, 2)
	left, seen := map[string]bool{}, map[string]bool{}
	killed := map[int]bool{}
	p := mortals(s, func(x *explore.Execution, pair *explore.Process, alive bool) {
		a, b := s[0][0].Load(), s[0][1].Load()
		gone := x.Gone(pair)
		if !gone && (a != 2 || b != 2) {
			left["alive, and short"] = true
		}
		if gone {
			left[fmt.Sprint(a, b)] = true
			if x.Killed(0) != (a < 2) && a < 2 || x.Killed(1) != (b < 2) && b < 2 {
				left["an actor of a dead process has survived"] = true
			}
		}
		seen[fmt.Sprint(gone, alive, a+b > 0)] = true
	}, func(i int) { killed[i] = true })
	for _, stateful := range []bool{false, true} {
		clear(left)
		clear(seen)
		o := unbounded()
		o.Kills, o.Stateful = 1, stateful
		rep, err := explore.Explore(p, o)
		if err != nil || rep.Failure != nil || !rep.Exhaustive || rep.Killed == 0 {
			t.Fatalf("%v, %v, %s", err, rep.Failure, rep.Bound)
		}
		var want []string
		for a := range 3 {
			for b := range 3 {
				want = append(want, fmt.Sprint(a, b))
			}
		}
		if got := slices.Sorted(maps.Keys(left)); !slices.Equal(got, want) {
			t.Errorf("stateful %v: a dead pair leaves %q, want %q", stateful, got, want)
		}
		for _, w := range []string{"true false false", "true false true", "true true true",
			"false true true"} {
			if !seen[w] {
				t.Errorf("stateful %v: never seen: dead, seen alive, had made a step: %s", stateful, w)
			}
		}
		said := "up to 1 death, each of a process with all its actors, at any time"
		if !strings.Contains(rep.Bound, said) {
			t.Errorf("bound %q", rep.Bound)
		}
	}
	if len(killed) != 3 {
		t.Errorf("deaths of the actors %v, want of all three", killed)
	}
}

// A process that comes with its first access is there until all its actors have ended, also while one
// of them has ended and the other has not begun: it may die then, and neither before nor after.
func TestProcess_DiesWhileItIsThere(t *testing.T) {
	s := mapShared(t, 1)
	left := map[string]bool{}
	pair := s.process("pair", 0)
	pair.Present = false
	p := explore.Program{Name: "comers",
		Start: func(x *explore.Execution) []explore.Actor {
			x.Region(s.at(0), sharedBytes)
			s[0][0].Store(0)
			s[0][1].Store(0)
			return []explore.Actor{{Name: "a", Process: pair, Body: func() { s[0][0].Add(1) }},
				{Name: "b", Process: pair, Body: func() { s[0][1].Add(1) }}}
		},
		Finish: func(x *explore.Execution) error {
			left[fmt.Sprint(x.Gone(pair), s[0][0].Load(), s[0][1].Load())] = true
			return nil
		},
	}
	o := unbounded()
	o.Kills = 1
	rep := mustExplore(t, p, o)
	want := []string{"false 1 1", "true 0 1", "true 1 0"}
	if got := slices.Sorted(maps.Keys(left)); rep.Failure != nil || !slices.Equal(got, want) {
		t.Errorf("%v; it leaves %q, want %q", rep.Err(), got, want)
	}
	if !strings.Contains(rep.Bound, "at any time while it is there") {
		t.Errorf("bound %q", rep.Bound)
	}
}

// A token of an execution with a death of a process replays it, step by step.
func TestProcess_TokenHasTheDeath(t *testing.T) {
	s := mapShared(t, 2)
	var steps, first []explore.Step
	var token string
	p := mortals(s, func(x *explore.Execution, pair *explore.Process, alive bool) {
		if x.Gone(pair) && x.Killed(0) && x.Killed(1) && s[0][0].Load() == 1 && token == "" {
			token, first = x.Token(), slices.Clone(steps)
		}
	}, func(int) {})
	look, start := p.Step, p.Start
	p.Start = func(x *explore.Execution) []explore.Actor { steps = nil; return start(x) }
	p.Step = func(x *explore.Execution, s explore.Step) error {
		s.Func, s.File, s.Line = "", "", 0 // a replay has them, a search only if asked for
		steps = append(steps, s)
		return look(x, s)
	}
	o := unbounded()
	o.Kills, o.Audit = 1, -1
	if rep, err := explore.Explore(p, o); err != nil || rep.Failure != nil || token == "" {
		t.Fatalf("%v, %v, token %q", err, rep.Failure, token)
	}
	if rep, err := explore.Replay(p, token, explore.Options{}); err != nil || rep.Failure != nil {
		t.Fatalf("%v, %v", err, rep.Failure)
	}
	if !slices.Equal(steps, first) {
		t.Errorf("the token %s has the steps\n%v\nthe execution had\n%v", token, steps, first)
	}
}

// The reduction follows the deaths of processes: it sees all that the search of all executions sees of
// them, whichever of the two processes dies, or both. The pair dies when its words are 0, 1 or 2 each, and
// the other one has looked or not, which are 18 ends less the one with the death after all steps; with that
// of nobody and that of the other one they are 19, and both die with 9 pairs of words.
func TestProcess_ReducedDeaths(t *testing.T) {
	s := mapShared(t, 2)
	for kills := range 3 {
		saw := map[bool]map[string]bool{false: {}, true: {}}
		for reduced := range saw {
			o := withoutAudit(unbounded())
			o.Kills, o.Reduce = kills, reduced
			p := mortals(s, func(x *explore.Execution, pair *explore.Process, alive bool) {
				dead := []bool{x.Gone(pair), x.Killed(0), x.Killed(1), x.Killed(2)}
				alive = alive && !x.Killed(2)
				saw[reduced][fmt.Sprint(dead, alive, s[0][0].Load(), s[0][1].Load())] = true
			}, func(int) {})
			if rep := mustExplore(t, p, o); rep.Failure != nil || !rep.Exhaustive {
				t.Errorf("%d deaths, reduced %v: %v", kills, reduced, rep.Failure)
			}
		}
		if !maps.Equal(saw[true], saw[false]) || len(saw[true]) != []int{1, 19, 28}[kills] {
			t.Errorf("%d deaths: reduced %v, want %v", kills, saw[true], saw[false])
		}
	}
}
