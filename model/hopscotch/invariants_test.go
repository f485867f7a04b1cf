package model

import (
	"slices"
	"strings"
	"testing"
)

// canary is a state that one invariant must refuse, as a change of a program's initial state.
type canary struct {
	property, program string
	spoil             func(s *State)
}

// atEnd lets every actor be finished.
func atEnd(s *State) {
	for t, n := range s.length {
		s.loc[t].i = n + 1
	}
}

// moving is a descriptor of actor 1 that moves the member above cell 0 of half 0.
func moving(s *State) Ref {
	s.desc[0] = Desc{Head: Head{Gen: 1, Kind: KindMove}, Pair: Pair{2, 20}, Plan: Plan{1, 2},
		Expect: Word1{V: 10, N: 1}, Source: Source{1, 1, 1}, Target: Target{Gen: 1}}
	return Ref{1, 1}
}

var canaries = []canary{
	{"TypeOK", "S02AddCollision", func(s *State) { s.w1[0][0].V = 99 }},
	{"TypeOK", "S02AddCollision", func(s *State) { s.w0[0][1].F = Marked + 1 }},
	{"I1NoEmptyKey", "S02AddCollision", func(s *State) { s.w0[0][0].K = 0 }},
	{"I1NoEmptyKey", "S11UsurpGet", func(s *State) { s.w0[0][1].K = 0 }},
	{"I2EmptyWord", "S02AddCollision", func(s *State) { s.w0[0][1].G = 1 }},
	{"I3RefsLive", "S02AddCollision", func(s *State) { s.w0[0][1] = claimed(Ref{1, 7}) }},
	// The cells that an operation may hold are its home, its hole and its member.
	{"I3RefsLive", "S11UsurpGet", func(s *State) { s.w0[0][0] = claimed(moving(s)) }},
	{"I3RefsLive", "S11UsurpGet", func(s *State) { s.w0[0][3] = inWork(1, moving(s)) }},
	{"I3RefsLive", "S11UsurpGet", func(s *State) { s.w0[0][2] = marked(2, moving(s)) }},
	{"I3RefsLive", "S11UsurpGet", func(s *State) {
		s.w0[0][1] = marked(2, moving(s))
		s.desc[0].Head.Kind = KindAdd
	}},
	{"I4FrozenIsHeld", "S02AddCollision", func(s *State) { s.w1[0][0].Z = 1 }},
	{"I4FrozenIsHeld", "S11UsurpGet", func(s *State) { s.w1[0][1].Z = 1 }},
	{"I5MembersOwned", "S02AddCollision", func(s *State) { s.w0[0][1] = member(4, 1, 1) }},
	{"I5MembersOwned", "S11UsurpGet", func(s *State) { s.w0[0][1] = marked(2, moving(s)) }},
	{"I5MembersOwned", "S11UsurpGet", func(s *State) { // beyond the window
		s.w0[0][3], s.w0[0][1] = member(2, 3, 1), empty(1)
		s.w1[0][3], s.w1[0][1], s.w0[0][0].M = s.w1[0][1], Word1{N: 1}, 8
	}},
	{"I5MembersOwned", "S11UsurpGet", func(s *State) {
		s.w0[0][1] = marked(2, moving(s))
		s.w0[0][0] = inWork(1, Ref{2, 1})
		s.desc[1] = s.desc[0]
	}},
	{"I6MapsExact", "S02AddCollision", func(s *State) { s.w0[0][0].M = 2 }},
	{"I7InItsBucket", "S02AddCollision", func(s *State) { s.w0[0][1] = base(1, 0) }},
	{"I7InItsBucket", "S11UsurpGet", func(s *State) { s.w0[0][1].K = 5 }},
	{"I8KeysUnique", "S02AddCollision", func(s *State) { s.w0[1][0] = base(1, 0) }},
	{"I8KeysUnique", "S11UsurpGet", func(s *State) { s.w0[0][1].K = 1 }},
	{"I9MemoryIsMap", "S02AddCollision", func(s *State) { s.contents[1] = 12 }},
	{"I9MemoryIsMap", "S11UsurpGet", func(s *State) { s.w0[0][1].K = Lost }},
	// A member that has been moved is where its copy is, from the thaw of its base on.
	{"I9MemoryIsMap", "S11UsurpGet", func(s *State) {
		s.w0[0][1] = marked(2, moving(s))
		s.w0[0][0] = inWork(1, Ref{1, 1})
		s.desc[0].Target.St = Committed
		s.w1[0][0].N++
	}},
	{"I10NothingLeft", "S02AddCollision", func(s *State) {
		atEnd(s)
		s.w0[0][1] = claimed(Ref{1, 0})
	}},
	{"I10NothingLeft", "S02AddCollision", func(s *State) {
		atEnd(s)
		s.w1[0][0].Z = 1
	}},
	{"I11HeldOnce", "S02AddCollision", func(s *State) {
		for c := range 4 {
			s.w0[0][c] = claimed(Ref{1, 0})
		}
	}},
	{"I11HeldOnce", "S02AddCollision", func(s *State) {
		s.w0[0][0], s.w0[1][0] = inWork(1, Ref{1, 0}), inWork(3, Ref{1, 0})
	}},
	{"I12ResultsAllowed", "S02AddCollision", func(s *State) {
		s.loc[0].pc = ClientReturn
		s.loc[0].p.t.St = Added
		s.busy[0] = add(2, 12)
	}},
	{"I13HandedOnce", "S11UsurpGet", func(s *State) { s.freed = 2 }},
	{"I13HandedOnce", "S11UsurpGet", func(s *State) { s.freed = 1 }}, // of the least value, 10
	{"I14Conserved", "S11UsurpGet", func(s *State) {
		atEnd(s)
		s.w1[0][1].V = 0
	}},
	{"I14Conserved", "S11UsurpGet", func(s *State) {
		atEnd(s)
		s.w1[0][1].V = 10
	}},
	{"I14Conserved", "S11UsurpGet", func(s *State) {
		atEnd(s)
		s.freed = 1
	}},
	{"I15NothingLost", "S23DeleteSameKey", func(s *State) {
		atEnd(s)
		s.w0[0][0].K, s.contents[1] = Lost, 0
	}},
}

// Each property of a state is broken on purpose, and its name must come back.
func TestEveryInvariantCanFail(t *testing.T) {
	broken := map[string]bool{}
	for _, x := range canaries {
		m := machineOf(t, x.program, 0)
		s := m.Initial()
		if bad := m.Check(&s); bad != nil {
			t.Fatalf("the initial state of %s violates %v", x.program, bad)
		}
		broken[x.property] = true
		x.spoil(&s)
		if bad := m.Check(&s); !strings.Contains(strings.Join(bad, "\n"), x.property+": ") {
			t.Errorf("%s is not reported, only %v", x.property, bad)
		}
	}
	for _, name := range InvariantNames() {
		if !broken[name] {
			t.Errorf("%s has no canary", name)
		}
	}
}

// What only looks like a violation is none.
func TestInvariantsAllow(t *testing.T) {
	for _, x := range []canary{
		// A lost cell may stay where nobody crops, where somebody is still at work, and after a
		// death.
		{"I15NothingLost", "S14UsurpDeleteBase", func(s *State) {
			atEnd(s)
			s.w0[0][0].K, s.contents[1] = Lost, 0
		}},
		{"I15NothingLost", "S23DeleteSameKey", func(s *State) {
			s.w0[0][0].K, s.contents[1] = Lost, 0
		}},
		{"I15NothingLost", "S23DeleteSameKey", func(s *State) {
			atEnd(s)
			s.dead = 1
			s.w0[0][0].K, s.contents[1] = Lost, 0
		}},
		// A value that is nowhere any more was handed out.
		{"I14Conserved", "S11UsurpGet", func(s *State) {
			atEnd(s)
			s.w1[0][0].V, s.freed = 0, 1
		}},
		// The dead leave what they held, the others do not.
		{"I10NothingLeft", "S02AddCollision", func(s *State) {
			atEnd(s)
			s.dead = 1
			s.w0[0][1] = claimed(Ref{1, 0})
		}},
		// A base, a member and a hole at once.
		{"I11HeldOnce", "S11UsurpGet", func(s *State) {
			r := moving(s)
			s.w0[0][0], s.w0[0][1], s.w0[0][2] = inWork(1, r), marked(2, r), claimed(r)
		}},
		// The copy of a member that moves is not there yet.
		{"I8KeysUnique", "S11UsurpGet", func(s *State) {
			r := moving(s)
			s.w0[0][0], s.w0[0][1], s.w0[0][2] = inWork(1, r), marked(2, r), member(2, 2, 1)
			s.desc[0].Target = Target{Gen: 1, St: Committed, C: 2}
		}},
	} {
		m := machineOf(t, x.program, 1)
		s := m.Initial()
		x.spoil(&s)
		if bad := m.Check(&s); strings.Contains(strings.Join(bad, "\n"), x.property+": ") {
			t.Errorf("%s: %v", x.program, bad)
		}
	}
}

// Only the properties that are asked for are checked; an unknown one is an error.
func TestProperties(t *testing.T) {
	c := machineOf(t, "S02AddCollision", 0).Config()
	c.Properties = []string{"I9MemoryIsMap"}
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	s := m.Initial()
	next := s
	next.contents[1] = 12
	if bad := m.Check(&next); len(bad) != 1 || !strings.HasPrefix(bad[0], "I9MemoryIsMap: ") {
		t.Errorf("one property: %v", bad)
	}
	next.contents[1], next.w0[0][0].K = 10, 0
	if bad := m.Check(&next); slices.ContainsFunc(bad, func(x string) bool {
		return strings.HasPrefix(x, "I1NoEmptyKey")
	}) {
		t.Errorf("one property: %v", bad)
	}
	next = s
	next.contents[2] = 12
	if bad := m.CheckStep(&s, &next, "ClientCall", 1); bad != nil {
		t.Errorf("no property of a step: %v", bad)
	}
	c.Properties = []string{"I99"}
	if _, err := New(c); err == nil {
		t.Error("an unknown property is no error")
	}
}
