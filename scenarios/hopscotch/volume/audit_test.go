package volume

import (
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	"github.com/samecycle/samecycle/stress"
)

// TestLedger follows values by hand: what the audit must accept, and what it must refuse.
func TestLedger(t *testing.T) {
	added, updated := mapmodel.Result{Outcome: mapmodel.Added}, mapmodel.Outcome(mapmodel.Updated)
	cell := func(key, value uint32) cellPicture {
		return cellPicture{Key: key, Value: value}
	}
	first := op(opAdd, 1, 7, added, 1, 2)
	killed := func(kind mapmodel.Kind, key, value uint32) event {
		req := mapmodel.Request{Kind: kind, Key: key, Value: value}
		return event{Op: mapmodel.Op{Request: req, Call: 1, Return: history.Forever, Pending: true}}
	}
	left := func(e event, l ...leaving) event { e.left = l; return e }
	for _, c := range []struct {
		name, says string
		events     []event
		cells      []cellPicture
		lost       int
	}{
		{"it is there", "", []event{first}, []cellPicture{cell(1, 7)}, 0},
		{"it is gone", "handed to nobody", []event{first}, nil, 1},
		{"it is there and was handed over", "and is in cell", []event{first,
			left(op(opCrop, 1, 0, mapmodel.Result{Outcome: mapmodel.Tended}, 3, 4),
				leaving{key: 0, value: 7})},
			[]cellPicture{cell(1, 7)}, 0},
		{"it is in two cells", "in two cells", []event{first},
			[]cellPicture{cell(1, 7), cell(1, 7)}, 0},
		{"it has another key", "was put in under key 1", []event{first},
			[]cellPicture{cell(2, 7)}, 0},
		{"nobody put it in", "nobody put in", nil, []cellPicture{cell(2, 7)}, 0},
		{"it was handed over twice", "handed over twice", []event{first,
			op(opUpdate, 1, 8, mapmodel.Result{Outcome: updated, Value: 7}, 3, 4),
			op(opUpdate, 1, 9, mapmodel.Result{Outcome: updated, Value: 7}, 5, 6)},
			[]cellPicture{cell(1, 9), cell(1, 8)}, 0},
		{"it was handed over and never put in", "never put in",
			[]event{left(op(opAdd, 1, 7, added, 1, 2), leaving{key: 2, value: 5})},
			[]cellPicture{cell(1, 7)}, 0},
		{"it was handed over with another key", "was put in under key 1", []event{first,
			left(op(opAdd, 3, 8, added, 3, 4), leaving{key: 2, value: 7})}, []cellPicture{cell(3, 8)}, 0},
		{"a dead one put it in", "", []event{killed(opAdd, 1, 7)}, []cellPicture{cell(1, 7)}, 0},
		{"a dead one did not", "", []event{killed(opAdd, 1, 7)}, nil, 0},
		{"a dead update took it", "", []event{first, killed(opUpdate, 1, 9)},
			[]cellPicture{cell(1, 9)}, 1},
		{"a dead update of another key", "handed to nobody",
			[]event{first, killed(opUpdate, 2, 9)}, nil, 1},
		{"a dead get takes nothing", "the dead can have taken 0",
			[]event{first, killed(opGet, 1, 0)}, nil, 1},
		{"a dead crop took it", "", []event{first, killed(opCrop, 1, 0)}, nil, 1},
	} {
		l := newLedger(workload{Cells: 1 << 20, Width: 4, Keys: []uint32{1, 2, 3}})
		var f stress.Faults
		l.book(c.events, &f)
		w := &window{events: c.events}
		lost := l.settle(c.cells, w.dead(), &f)
		text := strings.Join(f, "\n")
		if lost != c.lost || c.says == "" && text != "" || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d lost, says %q; want %d and %q", c.name, lost, text, c.lost, c.says)
		}
	}
}

// TestLedger_LostStaysLost: a value that was nowhere at one rest is in no cell at a later one, and is not
// handed over.
func TestLedger_LostStaysLost(t *testing.T) {
	dead := event{Op: mapmodel.Op{Request: mapmodel.Request{Kind: opCrop, Key: 1}, Call: 3,
		Return: history.Forever, Pending: true}}
	for says, again := range map[string]func(l *ledger, f *stress.Faults){
		"was nowhere, and is in cell": func(l *ledger, f *stress.Faults) {
			l.settle([]cellPicture{{Key: 1, Value: 7}}, nil, f)
		},
		"was nowhere, and is handed over later": func(l *ledger, f *stress.Faults) {
			l.hand(2, leaving{key: 1, value: 7}, f)
		},
	} {
		l := newLedger(workload{Cells: 1 << 20, Width: 4, Keys: []uint32{1}})
		var f stress.Faults
		l.book([]event{op(opAdd, 1, 7, mapmodel.Result{Outcome: mapmodel.Added}, 1, 2), dead}, &f)
		if lost := l.settle(nil, []event{dead}, &f); lost != 1 || len(f) > 0 {
			t.Fatalf("%d lost with the dead: %v", lost, f)
		}
		if again(l, &f); len(f) != 1 || !strings.Contains(f[0], says) {
			t.Errorf("says %q, want %q", f, says)
		}
	}
}

// TestWindow_LastRead: what a key reads as at the end is a part of the history, so that what was lost after
// the last call on it is refused.
func TestWindow_LastRead(t *testing.T) {
	add := op(opAdd, 1, 7, mapmodel.Result{Outcome: mapmodel.Added}, 1, 2)
	for _, c := range []struct {
		contents map[uint32]uint32
		fine     bool
	}{{map[uint32]uint32{1: 7}, true}, {map[uint32]uint32{1: 8}, false}, {nil, false}} {
		w := &window{workload: workload{Keys: []uint32{1}}, events: []event{add}, contents: c.contents,
			ended: 3}
		if err := (decidable{w.history(), nil}).Decide(time.Minute, 100); (err == nil) != c.fine {
			t.Errorf("at the end %v: %v", c.contents, err)
		}
	}
}

// TestLedger_RoomFarAway lets an add die that may have made room: what it has taken out had its home
// less than a window below the add's, or less than three above.
func TestLedger_RoomFarAway(t *testing.T) {
	w := workload{Cells: 64, Width: 2, Room: true, Keys: []uint32{1}}
	home, other := hopscotch.Homes(1, w.layout(1))
	met := map[uint32]bool{}
	for key := uint32(2); key < 100_000; key++ {
		near, far := hopscotch.Homes(key, w.layout(1))
		above := (near + w.Cells - home) % w.Cells
		if (far+w.Cells-other)%w.Cells < w.Cells/4 || (other+w.Cells-far)%w.Cells < w.Cells/4 || met[above] {
			continue // The other half would do, too.
		}
		met[above] = true
		var f stress.Faults
		l := newLedger(w)
		l.put[7] = key
		dead := mapmodel.Request{Kind: opAdd, Key: 1, Value: 8}
		l.settle(nil, []event{{Op: mapmodel.Op{Request: dead, Pending: true}}}, &f)
		if within := above == w.Cells-1 || above < 6; within != (len(f) == 0) {
			t.Errorf("home %d cells above: %v", above, f)
		}
	}
	if len(met) != int(w.Cells) {
		t.Errorf("%d distances were met, want %d", len(met), w.Cells)
	}
}

// TestLedger_Keys counts one key: added less taken out must be there.
func TestLedger_Keys(t *testing.T) {
	add := op(opAdd, 1, 7, mapmodel.Result{Outcome: mapmodel.Added}, 1, 2).Op
	del := op(opDelete, 1, 0, mapmodel.Result{Outcome: mapmodel.Deleted}, 3, 4).Op
	dead := mapmodel.Op{Request: mapmodel.Request{Kind: opDelete, Key: 1},
		Return: history.Forever, Pending: true}
	there := map[uint32]uint32{1: 7}
	for _, c := range []struct {
		h        mapmodel.History
		contents map[uint32]uint32
		fine     bool
	}{
		{mapmodel.History{add}, there, true}, {mapmodel.History{add}, nil, false},
		{mapmodel.History{add, del}, nil, true}, {mapmodel.History{add, del}, there, false},
		{mapmodel.History{add, dead}, nil, true}, {mapmodel.History{add, dead}, there, true},
		{mapmodel.History{dead}, there, false},
	} {
		var f stress.Faults
		newLedger(workload{Cells: 8, Keys: []uint32{1}}).count(c.h, c.contents, &f)
		if fine := len(f) == 0; fine != c.fine {
			t.Errorf("%v with %v: %v", c.h, c.contents, f)
		}
	}
}
