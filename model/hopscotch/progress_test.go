package model

import (
	"context"
	"sync"
	"testing"
)

// Two adders with homes in one window, and a member that stands in one of them. If a member may move
// back, each adder may undo what the other has done, for ever: with generations that wrap, the
// schedule comes back to a state. Moves that only lead away from the base end.
func TestUsurpersWithoutEnd(t *testing.T) {
	refused := machineOf(t, "S03AddFull_LostHole", 0).Config()
	refused.Wrap.Ref = 2
	if m, err := New(refused); err != nil || m.Refuses(PartialOrder) == nil {
		t.Errorf("a partial order over references that wrap: %v", err)
	}
	for _, fixes := range []Fix{AllFixes &^ FixMoveAway, AllFixes} {
		c := machineOf(t, "S03AddFull_LostHole", 0).Config()
		c.Fixes, c.Properties = fixes, []string{}
		c.Wrap = Wrap{Ref: 2, Version: 3}
		m, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		r := Explore(context.Background(), m, Options{Limit: 1_000_000})
		if !r.Exhaustive || r.SoloFails != "" || (r.Endless != "") != (fixes != AllFixes) {
			t.Errorf("repairs %b: %s, %d states, alone %q, together %q", fixes, r.Bound, r.Distinct,
				r.SoloFails, r.Endless)
		}
	}
}

// Steps that few programs lead to, of the kinds of operation that may take them.
func TestRareSteps(t *testing.T) {
	type step struct {
		action ActionID
		kind   Kind
	}
	for program, steps := range map[string][]step{
		"S03AddFull_LostHole":         {{HelpWithdraw, KindMove}, {HelpPropose, KindMove}},
		"S02AddCollision_LostHole":    {{HelpWithdraw, KindAdd}, {HelpPropose, KindAdd}},
		"S22DeleteBaseMembers_Update": {{HelpUnmark, KindLift}},
		"S12UsurpUpdate":              {{HelpUnmark, KindMove}},
	} {
		m := machineOf(t, program, 0)
		won := map[step]bool{}
		var lock sync.Mutex
		m.hook = func(a ActionID, prev, next *State) {
			if prev.w0 == next.w0 && prev.w1 == next.w1 && prev.desc == next.desc {
				return
			}
			lock.Lock()
			defer lock.Unlock()
			for i := range m.actors {
				if prev.loc[i] != next.loc[i] {
					won[step{a, prev.loc[i].p.head.Kind}] = true
				}
			}
		}
		Explore(context.Background(), m, Options{NoGraph: true})
		for _, x := range steps {
			if !won[x] {
				t.Errorf("%s: %v never succeeds for a %v", program, x.action, x.kind)
			}
		}
	}
}
