package model

import (
	"strings"
	"testing"
)

func TestEveryStepPropertyCanFail(t *testing.T) {
	m := machineOf(t, "S02AddCollision", 0)
	for _, x := range []struct {
		name, property string
		spoil          func(s *State)
	}{
		{"version goes back", P1VersionsGrow, func(s *State) { s.w1[0][0].N-- }},
		{"value under one version", P1VersionsGrow, func(s *State) { s.w1[0][0].V = 30 }},
		{"thaw under one version", P1VersionsGrow, func(s *State) { s.w1[1][0].Z = 0 }},
		{"empty cell of another generation", P2GenerationsGrow, func(s *State) {
			s.w0[0][1] = empty(1)
		}},
		{"base emptied at once", P2GenerationsGrow, func(s *State) { s.w0[0][0] = empty(1) }},
		{"lost element in a new place", P3LostStaysOut, func(s *State) {
			s.w0[0][2] = member(Lost, 2, 1)
		}},
		{"base with a member is evicted", P4OldestLeaves, func(s *State) {
			s.w1[1][0] = Word1{V: 30, N: 2}
		}},
		{"base is evicted beside an empty cell", P8RoomFirst, func(s *State) {
			s.w1[1][0] = Word1{V: 30, N: 2}
		}},
		{"member goes back", P5MovesAway, func(s *State) {
			s.desc[0] = Desc{Head: Head{Gen: 1, Kind: KindMove}, Source: Source{2, 1, 1},
				Target: Target{Gen: 1, St: Committed, C: 1}}
		}},
		{"restore passes by an operation", P9RestoreFinishes, func(s *State) {
			s.loc[0].u = work{h: 1}
		}},
		{"restore looks into one half", P9RestoreFinishes, func(s *State) {
			s.loc[0].pc = ClientReturn
		}},
		{"add of nobody", RefinesMap, func(s *State) { s.contents[2] = 12 }},
		{"key vanishes", RefinesMap, func(s *State) { s.contents[1] = 0 }},
		{"result of nobody", RefinesMap, func(s *State) { s.out[0] = Out{R: Added} }},
		{"call with a made-up past", RefinesMap, func(s *State) {
			s.busy[0], s.seen[0] = add(2, 12), m.bits[12]
		}},
		{"done without effect", RefinesMap, func(s *State) { s.done = 1 }},
	} {
		prev := m.Initial()
		prev.w1[1][0].Z = 1
		prev.w0[1][0] = inWork(2, Ref{1, 1})
		prev.desc[0] = Desc{Head: Head{Gen: 1, Kind: KindReplace, H: 1}, Plan: Plan{3, 2},
			Target: Target{Gen: 1, St: Committed}}
		prev.w0[0][2] = claimed(Ref{1, 1})
		prev.w0[0][1], prev.w0[1][1], prev.w0[1][2] = base(5, 0), base(5, 0), base(9, 0)
		if x.property == P8RoomFirst {
			prev.w0[0][1], prev.desc[0].Plan.M = empty(0), 0
		}
		if x.property == P9RestoreFinishes {
			prev.busy[0], prev.loc[0].pc = restore(1), CropBase
			prev.w0[0][0] = inWork(1, Ref{1, 1})
		}
		next := prev
		if bad := m.CheckStep(&prev, &next, "ClientCall", 1); bad != nil {
			t.Fatalf("no step at all violates %v", bad)
		}
		x.spoil(&next)
		bad := m.CheckStep(&prev, &next, "ClientCall", 1)
		if len(bad) != 1 || !strings.HasPrefix(bad[0], x.property+": ") {
			t.Errorf("%s: %v is reported, want %s", x.name, bad, x.property)
		}
	}
}

// atomicSteps are steps of the atomic map, and what is none, in a program of an add of key 2 that has
// no room and an update of key 1.
type atomicStep struct {
	name        string
	start, step func(s *State)
	allowed     bool
}

func atomicSteps(m *Machine) []atomicStep {
	both := func(s *State) {
		s.busy = [MaxActors]Op{add(2, 12), update(1, 21)}
		s.seen[0], s.seen[1] = m.bits[0], m.bits[10]
	}
	leave := func(s *State) {
		s.contents[1] = 0
		s.seen[1] |= m.bits[0]
		s.over = bit(2)
	}
	updated := func(s *State) {
		s.contents[1], s.done = 21, bit(2)
		s.seen[1] |= m.bits[21]
	}
	deleted := func(s *State) {
		s.contents[1], s.done = 0, bit(2)
		s.seen[1] |= m.bits[0]
	}
	busy2 := func(x Op) func(s *State) {
		return func(s *State) { s.busy[1], s.seen[1] = x, m.bits[10] }
	}
	calls := func(x Op) func(s *State) {
		return func(s *State) { s.busy[0], s.seen[0] = x, m.bits[10] }
	}
	nobody := func(*State) {}
	list := []atomicStep{
		{"a key is evicted", both, leave, true},
		{"evicted for nobody", nobody, func(s *State) { s.contents[1] = 0 }, false},
		{"evicted unseen", both, func(s *State) {
			leave(s)
			s.seen[1] = m.bits[10]
		}, false},
		{"evicted, and the update does not know", both, func(s *State) {
			leave(s)
			s.over = 0
		}, false},
		{"evicted in the instant of the add", both, func(s *State) {
			leave(s)
			s.contents[2], s.done = 12, bit(1)
			s.seen[0] |= m.bits[12]
		}, true},
		{"evicted after the add", func(s *State) {
			both(s)
			s.contents[2], s.done = 12, bit(1)
		}, leave, false},
		{"the own key is evicted", func(s *State) {
			both(s)
			s.contents[2] = 30
		}, func(s *State) { s.contents[2] = 0 }, false},
		{"an update", both, updated, true},
		{"a delete", busy2(del(1)), deleted, true},
		{"a delete of a crop", busy2(crop(1)), deleted, false},
		{"a crop is called", nobody, calls(crop(1)), true},
		{"a crop with a value is called", nobody, calls(Op{OpCrop, 1, 12}), false},
	}
	return append(list, overtakenSteps(m, func(s *State) {
		both(s)
		leave(s)
	}, both, updated)...)
}

// overtakenSteps are those of an update whose key has left.
func overtakenSteps(m *Machine, overtaken, not, updated func(s *State)) []atomicStep {
	counts := func(s *State) { s.done = bit(2) }
	isMet := func(s *State) {
		counts(s)
		s.seen[1] |= m.bits[21]
	}
	returns := func(s *State) {
		s.busy[1], s.seen[1], s.out[1], s.over = Op{}, 0, Out{R: Absent}, 0
	}
	return []atomicStep{
		{"an update of a key that is gone", overtaken, updated, false},
		{"an update that was overtaken", overtaken, counts, true},
		{"an update that was not overtaken", not, counts, false},
		{"an overtaken update that is met", overtaken, isMet, false},
		{"a return", overtaken, returns, true},
		{"a return that leaves over", overtaken, func(s *State) {
			returns(s)
			s.over = bit(2)
		}, false},
	}
}

func TestAtomicSteps(t *testing.T) {
	m := machineOf(t, "S03AddFull_Base", 0)
	for _, x := range atomicSteps(m) {
		prev := m.Initial()
		x.start(&prev)
		next := prev
		x.step(&next)
		if bad := m.CheckStep(&prev, &next, "HelpFlip", 1); (bad == nil) != x.allowed {
			t.Errorf("%s: %v", x.name, bad)
		}
	}
}

// What an operation may return, by what has happened to its key.
func TestAllowedResults(t *testing.T) {
	m := machineOf(t, "S03AddFull_Base", 0)
	for _, x := range []struct {
		op      Op
		done    bool
		seen    uint16
		out     Out
		allowed bool
	}{
		{update(1, 21), true, m.bits[10] | m.bits[21], Out{Updated, 10}, true},
		{update(1, 21), true, m.bits[10] | m.bits[21], Out{Updated, 30}, false},
		{update(1, 21), true, m.bits[0] | m.bits[10], Out{Updated, 0}, false},
		{update(1, 21), false, m.bits[10], Out{Updated, 10}, false},
		{update(1, 21), false, m.bits[0] | m.bits[10], Out{Absent, 0}, true},
		{update(1, 21), true, m.bits[0] | m.bits[10], Out{Absent, 0}, false},
		{update(1, 21), false, m.bits[10], Out{Absent, 0}, false},
		{update(1, 21), false, m.bits[10], Out{Found, 10}, false},
		{del(1), true, m.bits[0] | m.bits[10], Out{Deleted, 0}, true},
		{del(1), false, m.bits[0] | m.bits[10], Out{Deleted, 0}, false},
		{del(1), false, m.bits[0], Out{Absent, 0}, true},
		{crop(1), false, m.bits[10], Out{Tended, 0}, true},
		{crop(1), false, m.bits[10], Out{Deleted, 0}, false},
		{crop(1), false, m.bits[10], Out{Tended, 10}, false},
		{get(1), false, m.bits[10], Out{Tended, 0}, false},
		{get(1), false, m.bits[10], Out{Found, 10}, true},
		{add(2, 12), false, m.bits[0], Out{Exists, 0}, false},
		{add(2, 12), false, m.bits[0] | m.bits[10], Out{Exists, 0}, true},
		{add(2, 12), true, m.bits[0] | m.bits[12], Out{Added, 0}, true},
		{add(2, 12), true, m.bits[0] | m.bits[12], Out{Full, 0}, false},
	} {
		s := m.Initial()
		s.busy[0], s.seen[0] = x.op, x.seen
		if x.done {
			s.done = 1
		}
		if m.allowed(&s, 1, x.out) != x.allowed {
			t.Errorf("%v, done %v, seen %v: %v is allowed: %v", x.op, x.done,
				m.valueSet(x.seen), x.out, !x.allowed)
		}
	}
}

// evicting is the state of an add of key 2 that makes key 4 with the value leave: a member of base 1
// beside key 3 with value 11.
func evicting(m *Machine, value uint8) (prev, next State) {
	prev = m.Initial()
	r := Ref{1, 1}
	prev.busy[0] = add(2, 12)
	prev.w0[0][0], prev.w1[0][0].Z = inWork(1, r), 1
	prev.w0[0][1], prev.w1[0][1] = marked(4, r), Word1{V: value, Z: 1, N: 1}
	prev.desc[0] = Desc{Head: Head{Gen: 1, Kind: KindDrop}, Pair: Pair{4, value}, Plan: Plan{1, 6},
		Expect: Word1{V: 10, N: 1}, Source: Source{1, 1, 1}, Target: Target{Gen: 1, St: Committed}}
	next = prev
	next.w1[0][0] = Word1{V: 10, N: 2}
	return prev, next
}

// leaving is the step of evicting, with another state before it.
type leaving struct {
	name    string
	value   uint8
	spoil   func(prev *State)
	allowed bool
}

// agesOfLeaving are steps by which the oldest member leaves, or not.
var agesOfLeaving = []leaving{
	{"the oldest", 9, func(*State) {}, true},
	{"the newest", 12, func(*State) {}, false},
	{"beside a lost one", 12, func(s *State) { s.w0[0][2].K = Lost }, true},
	{"a lost one", 12, func(s *State) { s.desc[0].Pair.K = Lost }, true},
	{"given up", 12, func(s *State) { s.desc[0].Target.St = Full }, true},
	{"of another bucket", 12, func(s *State) { s.busy[0].K = 5 }, true},
}

// roomsOfLeaving are the same step where there is room, or not.
var roomsOfLeaving = []leaving{
	{"both windows full", 9, func(*State) {}, true},
	{"an empty cell", 9, func(s *State) { s.w0[1][1] = empty(1) }, false},
	{"an empty home cell", 9, func(s *State) { s.w0[1][0] = empty(1) }, false},
	{"a lost base", 9, func(s *State) { s.w0[1][0].K = Lost }, false},
	{"a lost member", 9, func(s *State) { s.w0[0][2].K = Lost }, false},
	{"a lost base of others", 9, func(s *State) { s.w0[1][1].K = Lost }, false},
	{"a member of others that can move", 9, func(s *State) {
		s.w0[1][2], s.w0[1][1] = member(5, 1, 1), base(5, 2)
	}, false},
	{"one that cannot", 9, func(s *State) {
		s.w0[1][2], s.w0[1][3] = member(5, 1, 1), base(13, 0)
	}, true},
	{"an own one that could", 9, func(s *State) { s.w0[1][1] = member(13, 1, 1) }, true},
	{"a home cell of others that can move", 9, func(s *State) {
		s.w0[1][0], s.w0[1][1] = member(9, 1, 1), empty(1)
	}, false},
	{"one of others that cannot", 9, func(s *State) { s.w0[1][0] = member(9, 1, 1) }, true},
	{"what leaves is lost", 9, func(s *State) {
		s.w0[1][1], s.desc[0].Pair.K = empty(1), Lost
	}, true},
	{"a move", 9, func(s *State) { s.w0[1][1], s.desc[0].Head.Kind = empty(1), KindMove }, true},
}

// The oldest member leaves, where that is defined, and only for want of room.
func TestOldestLeaves(t *testing.T) {
	m := machineOf(t, "S03AddFull_Oldest", 0)
	for _, x := range agesOfLeaving {
		prev, next := evicting(m, x.value)
		x.spoil(&prev)
		if bad := m.oldestLeaves(&prev, &next, addr{}); (bad == "") != x.allowed {
			t.Errorf("%s: %q", x.name, bad)
		}
	}
	// The same step of a table that has room is an eviction too early.
	for _, x := range roomsOfLeaving {
		prev, next := evicting(m, x.value)
		x.spoil(&prev)
		if bad := m.roomFirst(&prev, &next, addr{}); (bad == "") != x.allowed {
			t.Errorf("%s: %q", x.name, bad)
		}
	}
	for program, one := range map[string]bool{"S03AddFull_Oldest": true, "S03AddFull_Base": false} {
		if m := machineOf(t, program, 0); m.oneWriter != one {
			t.Errorf("%s: one writer is %v", program, m.oneWriter)
		}
	}
}
