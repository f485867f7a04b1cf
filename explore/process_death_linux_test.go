package explore_test

//lint:file-ignore SA2001 a lock that is taken and given back is a step of the programs here

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
	"github.com/samecycle/samecycle/explore/shim/sync"
	"github.com/samecycle/samecycle/internal/hook"
)

// watched explores a program of shared memory with one death, and wants no failure, no step of an actor
// after its death, and no execution twice. It returns in how many executions so many actors died.
func watched(t *testing.T, p explore.Program, s shared) map[int]int {
	t.Helper()
	var steps strings.Builder
	seen, deaths, dead := map[string]bool{}, map[int]int{}, map[int]bool{}
	start, finish := p.Start, p.Finish
	p.Start = func(x *explore.Execution) []explore.Actor {
		x.Region(s.at(0), sharedBytes)
		*s.lock(0) = sync.Mutex{}
		for i := 1; i < 8; i++ {
			s[0][i].Store(0)
		}
		steps.Reset()
		clear(dead)
		return start(x)
	}
	p.Step = func(_ *explore.Execution, s explore.Step) error {
		fmt.Fprintln(&steps, s.Actor, s.Kind, s.Object, s.Old, s.New)
		if dead[s.Actor] {
			return fmt.Errorf("actor %d makes a %v after its death", s.Actor, s.Kind)
		}
		dead[s.Actor] = s.Kind == hook.Kill
		return nil
	}
	p.Finish = func(x *explore.Execution) error {
		n := 0
		for _, d := range dead {
			n += btoi(d)
		}
		deaths[n]++
		if seen[steps.String()] {
			return errors.New("the same steps once more:\n" + steps.String())
		}
		seen[steps.String()] = true
		if finish == nil {
			return nil
		}
		return finish(x)
	}
	o := unbounded()
	o.Kills, o.Audit = 1, -1
	rep := mustExplore(t, p, o)
	if rep.Failure != nil || !rep.Exhaustive {
		t.Fatalf("%v, %s", rep.Err(), rep.Bound)
	}
	return deaths
}

// Each death of a process is one decision, and a step for each actor that was alive.
func TestProcess_AStepForEachWhoDies(t *testing.T) {
	s := mapShared(t, 2)
	p := mortals(s, func(*explore.Execution, *explore.Process, bool) {}, func(int) {})
	deaths := watched(t, p, s)
	if deaths[0] != 30 || deaths[1] == 0 || deaths[2] == 0 || deaths[3] > 0 { // 30 is 5!/(2! 2! 1!)
		t.Errorf("deaths by execution: %v", deaths)
	}
}

// An actor that waits for a lock, or has been set aside in a loop, dies with its process, and never makes a
// step again; the others go on to their end.
func TestProcess_WhoWaitsDiesToo(t *testing.T) {
	s := mapShared(t, 2)
	pair, other := s.process("pair", 0), s.process("other", 1)
	var x *explore.Execution
	turns, saw, awake := 0, false, false
	for name, bodies := range map[string][3]func(){
		"waits": {
			func() { s.lock(0).Lock(); s.lock(0).Unlock() },
			func() { s.lock(0).Lock(); s[0][2].Add(1); s.lock(0).Unlock() },
			func() { s[1][3].Add(1); s[1][3].Add(1) },
		},
		"loops": {
			func() {
				for s[0][2].Load() == 0 && !x.Gone(other) {
					flow.Gosched()
					turns++
				}
				s[0][3].Store(1)
			},
			func() { saw = s[0][3].Load() == 1 },
			func() { s[1][2].Store(1); s[1][4].Load() },
		},
	} {
		t.Run(name, func(t *testing.T) {
			deaths := watched(t, explore.Program{Name: name,
				Start: func(now *explore.Execution) []explore.Actor {
					x, turns, saw = now, 0, false
					return []explore.Actor{{Process: pair, Body: bodies[0]}, {Process: pair, Body: bodies[1]},
						{Process: other, Body: bodies[2]}}
				},
				Finish: func(x *explore.Execution) error {
					awake = awake || turns > 1 && saw && x.Gone(other) && s[0][2].Load() == 0
					return nil
				}}, s)
			if deaths[2] == 0 {
				t.Errorf("no two die at once: %v", deaths)
			}
		})
	}
	if !awake {
		t.Error("who was set aside does not go on beside others when a process dies")
	}
}

// What an actor of a process starts belongs to the process: it dies with it.
func TestProcess_ChildrenDieToo(t *testing.T) {
	s := mapShared(t, 1)
	parent := s.process("parent", 0)
	ended, short := false, 0
	watched(t, explore.Program{Name: "children",
		Start: func(*explore.Execution) []explore.Actor {
			ended = false
			return []explore.Actor{{Process: parent, Body: func() {
				s[0][1].Add(1)
				flow.Go(func() {
					s[0][2].Add(1)
					s[0][2].Add(1)
					ended = true
				})
				s[0][1].Add(1)
			}}}
		},
		Finish: func(x *explore.Execution) error {
			if n := s[0][2].Load(); !x.Gone(parent) && !ended || n < 2 && x.Gone(parent) && ended {
				return fmt.Errorf("the child has made %d steps", n)
			} else if x.Gone(parent) && n == 1 {
				short++
				if !x.Killed(1) {
					return errors.New("the child of a dead process has ended by itself")
				}
			}
			return nil
		}}, s)
	if short == 0 {
		t.Error("no child died in the midst of its work")
	}
}

// Which of two processes that have ended has died is a part of a state: whoever looks later tells them apart.
func TestProcess_StatesTellWhoIsGone(t *testing.T) {
	s := mapShared(t, 3)
	p, q, r := s.process("p", 0), s.process("q", 1), s.process("r", 2)
	search := func(stateful bool) []string {
		saw, ended, began, late, all := "", 0, false, false, map[string]bool{}
		o := unbounded()
		o.Kills, o.Stateful = 1, stateful
		mustExplore(t, explore.Program{Name: "looks",
			Start: func(x *explore.Execution) []explore.Actor {
				x.Region(s.at(0), sharedBytes)
				saw, ended, began, late = "", 0, false, false
				return []explore.Actor{{Process: p, Body: func() { s[0][1].Load(); ended++ }},
					{Process: q, Body: func() { s[1][1].Load(); ended++ }},
					{Process: r, Body: func() { s[2][1].Load(); began = true }}, // a decision after the death
					{Process: r, Body: func() {
						s[2][1].Load()
						s[2][1].Load()
						saw = fmt.Sprint(x.Gone(p), x.Gone(q))
						x.Mark(uint64(btoi(x.Gone(p))) + 2*uint64(btoi(x.Gone(q))))
					}}}
			},
			Step: func(_ *explore.Execution, s explore.Step) error {
				late = late || s.Kind == hook.Kill && ended == 2 && !began
				return nil
			},
			Finish: func(x *explore.Execution) error {
				all[fmt.Sprint(saw, x.Gone(p), x.Gone(q), x.Gone(r), late)] = true
				return nil
			}}, o)
		return slices.Sorted(maps.Keys(all))
	}
	if want, got := search(false), search(true); !slices.Equal(want, got) || len(want) < 6 {
		t.Errorf("%q when states are joined, want %q", got, want)
	}
}

// A program that offers other deaths when it is run again is told which.
func TestProcess_ADeathThatComesAndGoesIsNamed(t *testing.T) {
	s := mapShared(t, 1)
	pair, n := s.process("pair", 0), 0
	o := unbounded()
	o.Kills, o.Audit = 1, -1
	f := wantFailure(t, mustExplore(t, explore.Program{Name: "flickers",
		Start: func(x *explore.Execution) []explore.Actor {
			x.Region(s.at(0), sharedBytes)
			n++
			pair.Present = n%2 == 1
			body := func() { s[0][1].Load() }
			return []explore.Actor{{Process: pair, Body: body}, {Process: pair, Body: body}}
		}}, o), explore.Nondeterminism)
	if !strings.Contains(f.Message, "the death of process pair") {
		t.Error(f.Message)
	}
}
