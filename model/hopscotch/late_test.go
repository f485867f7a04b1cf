package model

import (
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
)

// late are the programs of MCLate.tla, by the name of their run.
var late = map[string]Program{
	"Late_Second": {State: "S20DeleteMembers", Ops: actors(remove(4)),
		Memory: []Standing{in(0, 1, 10), inMember(0, 2, 20, 1), inMember(0, 4, 40, 2)}},
	"Late_GivenBack": {State: "S12UsurpUpdate", Memory: usurpable(),
		Ops: [][]Op{{add(5, 15)}, {update(2, 22), restore(1)}}},
	"Late_Reopened": {State: "S04AddCollisionEmpty", Ops: [][]Op{{add(1, 11)}, {add(1, 21), add(2, 22)}}},
	"Late_LostInTheWay": {State: "S03AddFull", Ops: [][]Op{{del(6), add(2, 12)}},
		Memory: []Standing{in(0, 1, 10), in(0, 5, 50), inMember(0, 6, 60, 1),
			in(1, 3, 30), in(1, 7, 70), in(1, 9, 90)}},
	"Late_ForeignHomes": {State: "S03AddFull", Ops: [][]Op{{add(5, 15)}},
		Memory: []Standing{in(0, 1, 10), inMember(0, 2, 20, 1), in(0, 9, 90),
			in(1, 3, 30), inMember(1, 4, 40, 1), in(1, 10, 95)}},
	"Late_Superseded": {State: "S19UpdateSameKey", Memory: []Standing{in(0, 1, 10)},
		Ops: [][]Op{{update(1, 11)}, {update(1, 21)}, {del(1)}}},
}

// The model has as many states of them as TLC, and they keep every property.
func TestSameCountsOfLatePrograms(t *testing.T) {
	m, err := tlc.LoadManifest(specDir)
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	for _, e := range m.Entries {
		if e.Module != "MCLate" {
			continue
		}
		p, ok := late[e.Name]
		if !ok {
			t.Errorf("the model has no program of %s", e.Name)
			continue
		}
		runs++
		p.Name = e.Name
		x, err := New(p.Config(configOf(t, e).MaxCrashes))
		if err != nil {
			t.Fatal(err)
		}
		r := Explore(t.Context(), x, Options{})
		if !r.OK() || r.Distinct != e.Distinct || r.Depth != e.Depth {
			t.Errorf("%s: the model has %d states, depth %d; TLC %d, %d\n%v", e.Name, r.Distinct, r.Depth,
				e.Distinct, e.Depth, r.Violation)
		}
	}
	if runs != len(late) {
		t.Errorf("%d runs of %d programs", runs, len(late))
	}
}
