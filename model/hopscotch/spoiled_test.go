package model

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
)

// judge has the model say of a state and of a step, which no action need make, what properties they violate.
func judge(m *Machine, name string, prev, next State) samestates.Judged {
	x := samestates.Judged{Name: name, Prev: m.tlaVariables(&prev), Next: m.tlaVariables(&next),
		Broken: namesOf(m.Check(&prev)), BrokenByStep: namesOf(m.CheckStep(&prev, &next, "spoiled", 1))}
	if now := namesOf(m.Check(&next)); slices.Contains(append(now, x.Broken...), "TypeOK") {
		x.Asked = []string{"TypeOK"}
		return x
	}
	for _, p := range InvariantNames() {
		// Where a member is seen is told by its base, which has to be one; and a key has a home.
		if (p == "I8KeysUnique" || p == "I9MemoryIsMap") && slices.Contains(x.Broken, "I5MembersOwned") ||
			slices.Contains(x.Broken, "I1NoEmptyKey") && slices.Index(InvariantNames(), p) > 6 {
			continue
		}
		x.Asked = append(x.Asked, p)
	}
	for _, p := range stepProperties {
		if (p == P4OldestLeaves || p == P8RoomFirst) && !evictionIsTold(m, &prev) {
			continue
		}
		x.AskedOfStep = append(x.AskedOfStep, p)
	}
	return x
}

// evictionIsTold: whoever makes an element leave has an operation, and what its descriptor says are members
// have keys.
func evictionIsTold(m *Machine, s *State) bool {
	return m.each(func(a addr) string {
		w := s.at0(a)
		if w.F != InWork {
			return ""
		}
		d := m.descOf(w, s)
		told := s.busy[w.R.D-1].Op != OpIdle
		for left := d.Plan.M; left != 0; left = left.Without(left.least()) {
			told = told && s.at0(m.at(a.h, a.c, left.least())).hasKey()
		}
		if told {
			return ""
		}
		return "not told"
	}) == ""
}

// namesOf are the names in what a check reports.
func namesOf(bad []string) (names []string) {
	for _, x := range bad {
		name, _, _ := strings.Cut(x, ": ")
		names = append(names, name)
	}
	return names
}

// spoiledOf are so many states and steps of a program, spoiled at random.
func spoiledOf(t *testing.T, m *Machine, n int) (list []samestates.Judged) {
	t.Helper()
	var states []State
	Explore(t.Context(), m, Options{Limit: 20_000, NoGraph: true,
		Visit: func(s *State) { states = append(states, *s) }})
	r := spoiler{m, rand.New(rand.NewPCG(1, uint64(len(states))))}
	for i := range n {
		prev := states[r.IntN(len(states))]
		next := prev
		if i%4 == 1 {
			r.spoil(&prev)
			next = prev
		} else if steps := m.Step(&prev, 1+r.IntN(m.actors), nil); len(steps) > 0 {
			next = steps[0].Next
		}
		switch {
		case i%2 == 0:
			prev = states[r.IntN(len(states))]
			r.scene(&prev, &next)
		case r.IntN(3) > 0:
			r.spoil(&next)
		}
		forget(&prev)
		forget(&next)
		list = append(list, judge(m, fmt.Sprintf("random %d", i), prev, next))
	}
	return list
}

// disagreement tells what the specification, edited, says of the list that the model does not.
func disagreement(t *testing.T, jvms *tlc.Machines, m *Machine, list []samestates.Judged,
	edits ...tlc.Edit) string {
	t.Helper()
	dir, cfg := specCopy(t, m.cfg.Name, 0, append(edits, tlc.Edit{Module: "Map",
		Old: "Spec == Init /\\ [][Stays", New: "Spec == [][Stays"})...)
	for _, module := range []string{"Invariants.tla", "Map.tla"} {
		path := filepath.Join(dir, module)
		samestates.Write(t, path, samestates.OfOneStep(samestates.Read(t, path)))
	}
	_, constants, _ := strings.Cut(samestates.Read(t, filepath.Join(dir, cfg)), "\n")
	return samestates.Disagreement(t, jvms, dir, constants,
		samestates.Claims{Module: "MCHopscotch", States: InvariantNames(), Steps: stepProperties[:]}, list)
}

// known: the specification of this program has a word for what is in each cell.
func known(m *Machine, s *State) bool {
	return m.each(func(a addr) string {
		w := s.at0(a)
		isKey := w.K == 0 || w.K == Lost || slices.Contains(m.keys, w.K)
		if w.F > Marked || w.P >= m.w || w.hasKey() && !isKey {
			return "unknown"
		}
		return ""
	}) == ""
}

// handmade are the states and steps of a program that the tests of the model's properties spoil.
func handmade(m *Machine) (list []samestates.Judged) {
	for _, x := range canaries {
		if s := m.Initial(); x.program == m.cfg.Name {
			x.spoil(&s)
			if known(m, &s) {
				list = append(list, judge(m, x.property, s, s))
			}
		}
	}
	switch m.cfg.Name {
	case "S03AddFull_Base":
		for _, x := range atomicSteps(m) {
			prev := m.Initial()
			x.start(&prev)
			next := prev
			x.step(&next)
			list = append(list, judge(m, x.name, prev, next))
		}
	case "S03AddFull_Oldest":
		for _, x := range slices.Concat(agesOfLeaving, roomsOfLeaving) {
			prev, next := evicting(m, x.value)
			x.spoil(&prev)
			next.w0, next.desc, next.busy = prev.w0, prev.desc, prev.busy
			if known(m, &prev) {
				list = append(list, judge(m, x.name, prev, next))
			}
		}
	}
	return list
}

// spoiledPrograms are how many random states and steps there are of which program. In the first one a single
// actor writes, each delete is followed by a crop, and homes are near; the others have handmade ones.
var spoiledPrograms = map[string]int{
	"S16GetDeleteMember_Near": 600, "S02AddCollision": 10, "S11UsurpGet": 50,
	"S03AddFull_Base": 50, "S03AddFull_Oldest": 10,
}

// The specification's properties say of states and steps that no action makes what the model's say. A state
// that keeps the protocol violates none of them, whatever they have forgotten to ask.
func TestSamePropertiesAsTLC(t *testing.T) {
	jvms := samestates.Machines(t)
	broken := map[string]int{}
	for program, random := range spoiledPrograms {
		m := machineOf(t, program, 1)
		list := append(handmade(m), spoiledOf(t, m, random)...)
		for _, x := range list {
			for _, p := range append(x.Broken, x.BrokenByStep...) {
				broken[p]++
			}
		}
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			if d := disagreement(t, jvms, m, list); d != "" {
				t.Error(d)
			}
		})
	}
	for _, p := range slices.Concat(InvariantNames(), stepProperties[:]) {
		if broken[p] < 3 {
			t.Errorf("%s is broken by %d states or steps, want 3", p, broken[p])
		}
	}
	t.Log(broken)
}

// The comparison can fail: a part of a property that is taken out, and of which no mutant of the ledger dies,
// is missed in one of the states or steps.
func TestForgetfulPropertiesDiffer(t *testing.T) {
	jvms := samestates.Machines(t)
	m := machineOf(t, "S16GetDeleteMember_Near", 1)
	list := spoiledOf(t, m, spoiledPrograms[m.cfg.Name])
	for property, edit := range map[string]tlc.Edit{
		"I3RefsLive": {Module: "Invariants", Old: "  /\\ x.head.gen = w0[a].r.g\n", New: ""},
		"P9RestoreFinishes": {Module: "Invariants", Old: "leaves == ends \\/ (h = 0 /\\ loc'[t].u.h = 1)",
			New: "leaves == ends"},
		"RefinesMap": {Module: "Map", Old: "  /\\ ~done[t] /\\ over[t]\n", New: "  /\\ ~done[t]\n"},
	} {
		t.Run(property, func(t *testing.T) {
			t.Parallel()
			if d := disagreement(t, jvms, m, list, edit); !strings.Contains(d, `differ = {"`+property+`"}`) {
				t.Errorf("%q, want that %s differs", d, property)
			}
		})
	}
}
