package model

import (
	"context"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
)

// A program whose versions grow without end is found before a byte is full.
func TestEndlessVersionsAreFound(t *testing.T) {
	m := machineOf(t, "S02AddCollision", 0)
	m.hook = func(a ActionID, _, next *State) {
		if a == SearchBase {
			next.w1[1][0].N++
			next.loc[0].pc = SearchVersion
		}
	}
	r := Explore(context.Background(), m, Options{})
	if r.Violation == nil || !strings.Contains(r.Violation.Properties[0], tooLong) {
		t.Errorf("want %s, got %v", tooLong, r.Bound)
	}
}

// An action which leaves its actor nowhere is a deadlock, found by the search.
func TestDeadlockIsFound(t *testing.T) {
	m := machineOf(t, "S05AddEmptyGet", 0)
	m.hook = func(a ActionID, _, next *State) {
		for t := range next.loc {
			if a == HelpCommit && next.loc[t].pc == HelpWriteValue {
				next.loc[t].pc = pcDead
			}
		}
	}
	r := Explore(context.Background(), m, Options{})
	if r.Violation == nil || r.Violation.Names()[0] != Deadlock {
		t.Errorf("want a deadlock, got %v", r.Violation)
	}
}

// A search which is not complete says so, and is not ok.
func TestIncompleteSearchSaysSo(t *testing.T) {
	m := machineOf(t, "S06AddCollisionGet", 0)
	r := Explore(context.Background(), m, Options{Limit: 100})
	if r.OK() || r.Exhaustive || !strings.Contains(r.Bound, "not exhaustive") {
		t.Errorf("100 of 587 states: %+v", r)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r = Explore(ctx, m, Options{})
	if r.OK() || r.Exhaustive || !strings.Contains(r.Bound, "not exhaustive") {
		t.Errorf("cancelled: %+v", r)
	}
}

// The result does not depend on the number of goroutines, nor on hashes.
func TestSearchIsDeterministic(t *testing.T) {
	m := machineOf(t, "S04AddCollisionEmpty_SameKey", 0)
	want, _ := modelStates(m)
	var first Report
	for workers := 1; workers <= 3; workers++ {
		var r Report
		got, _ := samestates.NewSet(func(f func(string)) error {
			r = Explore(context.Background(), m, Options{Workers: workers,
				Visit: func(s *State) { f(m.TLA(s)) }})
			return nil
		})
		if d := samestates.Difference(want, got); d != "" || int(r.Distinct) != got.Len() {
			t.Errorf("%d workers: %s", workers, d)
		}
		r.Elapsed = 0
		if workers == 1 {
			first = r
		} else if r.Generated != first.Generated || r.Depth != first.Depth ||
			r.Longest != first.Longest || r.Solo != first.Solo {
			t.Errorf("%d workers: %+v, one worker: %+v", workers, r, first)
		}
	}
	m.cfg.Fixes &^= FixOtherHalf
	one := Explore(context.Background(), m, Options{Workers: 1}).Violation
	two := Explore(context.Background(), m, Options{Workers: 2}).Violation
	if one == nil || two == nil || one.String() != two.String() {
		t.Errorf("the counterexamples differ:\n%v\n%v", one, two)
	}
}

func TestExplain(t *testing.T) {
	m := machineOf(t, "S04AddCollisionEmpty", 1)
	s := m.Initial()
	for _, x := range []struct {
		actor        int
		action, want string
	}{
		{1, "ClientCall", ""},
		{2, "HelpFlip", "loc[2].pc = ClientCall, not HelpFlip"},
		{3, "ClientCall", "3 is no actor of 1..2"},
		{1, "HelpFlop", "HelpFlop is no action of the catalog"},
		{1, "ClientCrash", "loc[1].pc = ClientCall: the actor has nothing in progress"},
	} {
		if got := m.Explain(&s, x.actor, x.action); got != x.want {
			t.Errorf("Explain(%d, %s) = %q, want %q", x.actor, x.action, got, x.want)
		}
	}
	s = m.Step(&s, 1, nil)[0].Next
	dead, ok := m.Crash(&s, 1)
	if !ok || !dead.Dead(1) || m.Enabled(&dead, 1) != "" || len(m.Step(&dead, 1, nil)) != 0 {
		t.Errorf("actor 1 cannot die after its call: %q", m.Explain(&s, 1, "ClientCrash"))
	}
	if got := m.Explain(&dead, 1, "SearchVersion"); got != "loc[1].pc = Dead, not SearchVersion" {
		t.Errorf("a dead actor: %q", got)
	}
	dead = m.Step(&dead, 2, nil)[0].Next
	if got := m.Explain(&dead, 2, "ClientCrash"); !strings.Contains(got, "MaxCrashes = 1") {
		t.Errorf("a second death: %q", got)
	}
	if got := m.Enabled(&dead, 2); got != "SearchVersion" {
		t.Errorf("after the call actor 2 is about to take %q", got)
	}
}

// Explain and Step agree in every state: an action is explained exactly if it is not taken.
func TestExplainAgreesWithStep(t *testing.T) {
	m := machineOf(t, "S06AddCollisionGet", 1)
	Explore(context.Background(), m, Options{Visit: func(s *State) {
		for actor := 1; actor <= m.Actors(); actor++ {
			taken := map[string]bool{}
			for _, y := range m.Step(s, actor, nil) {
				taken[y.Action.String()] = true
			}
			if _, ok := m.Crash(s, actor); ok {
				taken["ClientCrash"] = true
			}
			for _, name := range actionNames {
				if (m.Explain(s, actor, name) == "") != taken[name] {
					t.Fatalf("actor %d, %s: taken %v, explained %q", actor, name, taken[name],
						m.Explain(s, actor, name))
				}
			}
		}
	}})
}
