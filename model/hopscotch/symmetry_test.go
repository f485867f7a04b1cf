package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A renaming maps steps to steps and violations to violations.
func TestSymmetriesMapSteps(t *testing.T) {
	found := 0
	for _, p := range Programs() {
		m := machineOf(t, p.Name, min(2, len(p.Ops)))
		group, err := m.symmetries()
		if err != nil {
			if !errors.Is(err, ErrReduction) || !strings.Contains(err.Error(), p.Name) {
				t.Errorf("%s: %v", p.Name, err)
			}
			continue
		}
		found++
		if why := notSymmetric(m, group); why != "" {
			t.Errorf("%s: %s", p.Name, why)
		}
	}
	if found < 4 {
		t.Errorf("only %d programs have a symmetry, want 4", found)
	}
	m := machineOf(t, "S04AddCollisionEmpty", 1)
	wrong := identity()
	wrong.actor[1], wrong.actor[2] = 2, 1 // without keys and values
	if why := notSymmetric(m, []renaming{identity(), wrong}); why == "" {
		t.Error("a wrong renaming maps steps to steps: the test cannot fail")
	}
}

func notSymmetric(m *Machine, group []renaming) (why string) {
	first := m.Initial()
	for _, g := range group {
		if g.state(&first) != first {
			return "the initial state is renamed"
		}
	}
	Explore(context.Background(), m, Options{NoGraph: true, Limit: 10_000, Visit: func(s *State) {
		for _, g := range group[1:] {
			if other := g.state(s); why == "" {
				why = notMapped(m, g, s, &other)
			}
		}
	}})
	return why
}

func notMapped(m *Machine, g renaming, s, other *State) string {
	if a, b := m.Check(s), m.Check(other); len(a) != len(b) {
		return fmt.Sprintf("%v is violated, renamed %v", a, b)
	}
	for t := 1; t <= m.actors; t++ {
		list, others := stepsOf(m, s, t), stepsOf(m, other, int(g.actor[t]))
		if len(list) != len(others) {
			return fmt.Sprintf("actor %d has %d steps, renamed %d", t, len(list), len(others))
		}
		for i := range list {
			if g.state(&list[i].Next) != others[i].Next {
				return fmt.Sprintf("%v of actor %d is another step when renamed", list[i].Action, t)
			}
			if m.CheckStep(s, &list[i].Next, "", t) == nil !=
				(m.CheckStep(other, &others[i].Next, "", int(g.actor[t])) == nil) {
				return fmt.Sprintf("%v of actor %d is judged otherwise when renamed", list[i].Action, t)
			}
		}
	}
	return ""
}

// A reduction that does not apply is refused, with the reason, and nothing is searched.
func TestReductionsAreRefused(t *testing.T) {
	evict, _ := ProgramByName("S03AddFull_Oldest")
	evict.Ops = [][]Op{{add(2, 12)}, {add(2, 22)}}
	for _, x := range []struct {
		name string
		c    Config
		red  Reduction
		want string
	}{
		{"different programs", configNamed("S05AddEmptyGet"), Symmetry, "no two of its actors"},
		{"different programs, both", configNamed("S05AddEmptyGet"), PartialOrder | Symmetry,
			"no two of its actors"},
		{"halves", configNamed("S10AddCollisionDeleteBase_SameKey"), Symmetry, "no two of its actors"},
		{"one actor", configNamed("S01AddEmpty"), Symmetry, "no two of its actors"},
		{"eviction", evict.Config(1), Symmetry, "an eviction compares values"},
		{"unknown", configNamed("S01AddEmpty"), 4, "use PartialOrder"},
	} {
		m, err := New(x.c)
		if err != nil {
			t.Fatal(err)
		}
		r := Explore(context.Background(), m, Options{Reduce: x.red})
		if !errors.Is(r.Refused, ErrReduction) || !strings.Contains(r.Refused.Error(), x.want) ||
			r.OK() || r.Distinct != 0 || !strings.Contains(r.Bound, "not searched") {
			t.Errorf("%s: want %q, got %+v", x.name, x.want, r)
		}
	}
}

func configNamed(name string) Config {
	p, _ := ProgramByName(name)
	return p.Config(1)
}
