package model

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// A local step commutes with every step of others, deaths included, and stays local after it. This is
// looked at in all states, not only in those of the reduced search.
func TestLocalStepsCommute(t *testing.T) {
	looked := 0
	for _, name := range []string{"S02AddCollision_SharedHole", "S04AddCollisionEmpty_SameKey",
		"S11UsurpGet", "S12UsurpUpdate", "S16GetDeleteMember", "S22DeleteBaseMembers",
		"S23DeleteSameKey"} {
		looked += localStepsCommute(t, machineOf(t, name, 2), 8000)
	}
	for seed := range uint64(40) {
		m, err := New(randomProgram(seed, 2+int(seed%2), 1).Config(1))
		if err != nil {
			t.Fatal(err)
		}
		looked += localStepsCommute(t, m, 500)
	}
	t.Logf("%d pairs of steps", looked)
	if looked < 50_000 {
		t.Errorf("only %d pairs of steps are compared", looked)
	}
	m := machineOf(t, "S04AddCollisionEmpty_SameKey", 2)
	f, seen := newFollower(m, true), false
	Explore(context.Background(), m, Options{NoGraph: true, Visit: func(s *State) {
		why, _ := notCommuting(m, f, s)
		seen = seen || why != ""
	}})
	if !seen {
		t.Error("with a blind reduction all local steps commute: the test cannot fail")
	}
}

func localStepsCommute(t *testing.T, m *Machine, limit int) (pairs int) {
	t.Helper()
	f := newFollower(m, false)
	Explore(context.Background(), m, Options{NoGraph: true, Limit: limit, Visit: func(s *State) {
		why, n := notCommuting(m, f, s)
		if why != "" {
			t.Fatalf("%s, %v on %v: %s", m.cfg.Name, m.cfg.Program, m.cfg.Memory, why)
		}
		pairs += n
	}})
	return pairs
}

// notCommuting takes the local step of s and each step of another actor in both orders.
func notCommuting(m *Machine, f *follower, s *State) (why string, pairs int) {
	plain := *s
	plain.marks = 0
	p := f.local(&plain, 0)
	if p == 0 {
		return "", 0
	}
	for i, a := range slices.Clone(f.buf) {
		if a.Action == ClientCrash {
			continue
		}
		for q := 1; q <= m.actors; q++ {
			if q == p {
				continue
			}
			first, second := stepsOf(m, &plain, q), stepsOf(m, &a.Next, q)
			for j := range first {
				pairs++
				after := m.Step(&first[j].Next, p, nil)
				if len(first) != len(second) || i >= len(after) {
					return fmt.Sprintf("%v of actor %d changes the choices after %v", first[j].Action,
						q, a.Action), pairs
				}
				x, y := after[i].Next, second[j].Next
				if x.marks, y.marks = 0, 0; x != y {
					return fmt.Sprintf("%v of actor %d and %v of actor %d: %v", a.Action, p,
						first[j].Action, q, m.Changes(&x, &y)), pairs
				}
			}
		}
	}
	return "", pairs
}

func stepsOf(m *Machine, s *State, actor int) []Successor {
	list := m.Step(s, actor, nil)
	if dead, ok := m.Crash(s, actor); ok {
		list = append(list, Successor{ClientCrash, dead})
	}
	return list
}
