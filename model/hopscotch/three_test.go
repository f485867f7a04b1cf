package model

import (
	"context"
	"math/bits"
	"slices"
	syncatomic "sync/atomic"
	"testing"

	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
)

// within reports whether the actor is inside another one's operation: it helps with it, reads its
// descriptor, or its key has changed under it. Actors who only read are when they look at members.
func (m *Machine) within(s *State, t int) bool {
	l := &s.loc[t-1]
	other := func(r Ref) bool { return r.D != 0 && int(r.D) != t }
	own := 1
	if s.done&bit(t) != 0 {
		own = 2 // what its key has had, and what it has made of it itself
	}
	return other(l.p.r) || other(l.s.r) || bits.OnesCount16(s.seen[t-1]) > own ||
		m.readersOnly() && l.pc == SearchMember
}

func (m *Machine) readersOnly() bool {
	for _, ops := range m.cfg.Program {
		if slices.ContainsFunc(ops, func(x Op) bool { return x.Op != OpGet }) {
			return false
		}
	}
	return true
}

// threeMeet reports whether the race happens in the step of one actor while all are inside an operation,
// and another actor is within another one's. NoThree of the specification.
func (m *Machine) threeMeet(race string, prev, next *State) bool {
	if prev.marks == next.marks || slices.Contains(prev.Marks(), race) ||
		!slices.Contains(next.Marks(), race) {
		return false
	}
	found := false
	for t := 1; t <= m.actors; t++ {
		if prev.busy[t-1].Op == OpIdle {
			return false
		}
		found = found || prev.loc[t-1] == next.loc[t-1] && m.within(prev, t)
	}
	return found
}

// In each program of three actors the third one meets the race of the other two. The canary: where it
// has nothing to do with their keys it does not.
func TestThreeMeet(t *testing.T) {
	meets := func(p Program) bool {
		m, err := New(p.Config(0))
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var met syncatomic.Bool
		m.hook = func(_ ActionID, prev, next *State) {
			if prev.marks != next.marks && m.threeMeet(p.State, prev, next) {
				met.Store(true)
				stop()
			}
		}
		Explore(ctx, m, Options{NoGraph: true})
		return met.Load()
	}
	for _, p := range ThreeActors() {
		if !meets(p) {
			t.Errorf("%s: the race never happens with the third actor within", p.Name)
		}
	}
	idle, _ := ProgramByName("S01AddEmpty_Three")
	idle.Ops = actors(idle.Ops[0], []Op{get(9)}, []Op{get(10)})
	if meets(idle) {
		t.Error("actors of other keys are said to be within: the test cannot fail")
	}
}

// Each operation state has a program of two actors, one with homes near one another, and one of three actors,
// and the states of one of them at least are compared with TLC's.
func TestProgramsOfEachState(t *testing.T) {
	if bad := missingPrograms(register.States()); len(bad) > 0 {
		t.Error(bad)
	}
	// The canary: a state that nothing is there for.
	if bad := missingPrograms([]catalog.State{{ID: "S99Nothing"}}); len(bad) != 4 {
		t.Errorf("of a state without programs these are said to be missing: %q", bad)
	}
}

// missingPrograms says what the states lack.
func missingPrograms(states []catalog.State) (bad []string) {
	for _, s := range states {
		for _, name := range []string{s.ID, s.ID + "_Near", s.ID + "_Three"} {
			if p, ok := ProgramByName(name); !ok || p.State != s.ID {
				bad = append(bad, name+": the model has no such program of the state")
			}
		}
		same := false
		for _, x := range compared {
			p, _ := ProgramByName(x.program)
			same = same || p.State == s.ID
		}
		if !same {
			bad = append(bad, s.ID+": no program of it is in the list of TestSameStatesAsTLC")
		}
	}
	return bad
}
