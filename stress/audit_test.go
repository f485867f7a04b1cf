package stress

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/history"
)

// TestLedger follows values by hand: what the audit must accept, and what it must refuse.
func TestLedger(t *testing.T) {
	added, updated := history.Result{Outcome: history.Added}, history.Outcome(history.Updated)
	cell := func(key, value uint32) cellPicture {
		return cellPicture{Key: key, Value: value}
	}
	first := op(opAdd, 1, 7, added, 1, 2)
	killed := func(kind history.Kind, key, value uint32) event {
		req := history.Request{Kind: kind, Key: key, Value: value}
		return event{Op: history.Op{Request: req, Call: 1, Return: history.Forever, Pending: true}}
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
			left(op(opCrop, 1, 0, history.Result{Outcome: history.Tended}, 3, 4), leaving{0, 7})},
			[]cellPicture{cell(1, 7)}, 0},
		{"it is in two cells", "in two cells", []event{first},
			[]cellPicture{cell(1, 7), cell(1, 7)}, 0},
		{"it has another key", "was put in under key 1", []event{first},
			[]cellPicture{cell(2, 7)}, 0},
		{"nobody put it in", "nobody put in", nil, []cellPicture{cell(2, 7)}, 0},
		{"it was handed over twice", "handed over twice", []event{first,
			op(opUpdate, 1, 8, history.Result{Outcome: updated, Value: 7}, 3, 4),
			op(opUpdate, 1, 9, history.Result{Outcome: updated, Value: 7}, 5, 6)},
			[]cellPicture{cell(1, 9), cell(1, 8)}, 0},
		{"it was handed over and never put in", "never put in",
			[]event{left(op(opAdd, 1, 7, added, 1, 2), leaving{2, 5})}, []cellPicture{cell(1, 7)}, 0},
		{"it was handed over with another key", "was put in under key 1", []event{first,
			left(op(opAdd, 3, 8, added, 3, 4), leaving{2, 7})}, []cellPicture{cell(3, 8)}, 0},
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
		var f faults
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
	dead := event{Op: history.Op{Request: history.Request{Kind: opCrop, Key: 1}, Call: 3,
		Return: history.Forever, Pending: true}}
	for says, again := range map[string]func(l *ledger, f *faults){
		"was nowhere, and is in cell": func(l *ledger, f *faults) {
			l.settle([]cellPicture{{Key: 1, Value: 7}}, nil, f)
		},
		"was nowhere, and is handed over later": func(l *ledger, f *faults) { l.hand(leaving{1, 7}, f) },
	} {
		l := newLedger(workload{Cells: 1 << 20, Width: 4, Keys: []uint32{1}})
		var f faults
		l.book([]event{op(opAdd, 1, 7, history.Result{Outcome: history.Added}, 1, 2), dead}, &f)
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
	add := op(opAdd, 1, 7, history.Result{Outcome: history.Added}, 1, 2)
	for _, c := range []struct {
		contents map[uint32]uint32
		fine     bool
	}{{map[uint32]uint32{1: 7}, true}, {map[uint32]uint32{1: 8}, false}, {nil, false}} {
		w := &window{workload: workload{Keys: []uint32{1}}, events: []event{add}, contents: c.contents,
			ended: 3}
		if err := w.judge(w.history(), 0); (err == nil) != c.fine {
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
		var f faults
		l := newLedger(w)
		l.put[7] = key
		dead := history.Request{Kind: opAdd, Key: 1, Value: 8}
		l.settle(nil, []event{{Op: history.Op{Request: dead, Pending: true}}}, &f)
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
	add := op(opAdd, 1, 7, history.Result{Outcome: history.Added}, 1, 2).Op
	del := op(opDelete, 1, 0, history.Result{Outcome: history.Deleted}, 3, 4).Op
	dead := history.Op{Request: history.Request{Kind: opDelete, Key: 1},
		Return: history.Forever, Pending: true}
	there := map[uint32]uint32{1: 7}
	for _, c := range []struct {
		h        history.History
		contents map[uint32]uint32
		fine     bool
	}{
		{history.History{add}, there, true}, {history.History{add}, nil, false},
		{history.History{add, del}, nil, true}, {history.History{add, del}, there, false},
		{history.History{add, dead}, nil, true}, {history.History{add, dead}, there, true},
		{history.History{dead}, there, false},
	} {
		var f faults
		newLedger(workload{Cells: 8, Keys: []uint32{1}}).count(c.h, c.contents, &f)
		if fine := len(f) == 0; fine != c.fine {
			t.Errorf("%v with %v: %v", c.h, c.contents, f)
		}
	}
}

// TestLogbook writes records as a client does, one of which dies in the middle of the next one.
func TestLogbook(t *testing.T) {
	r, err := region.Heap(arenaLayout(2))
	if err != nil {
		t.Fatal(err)
	}
	a, err := openArena(r, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openArena(r, 3); err == nil {
		t.Error("a log is too short and is taken")
	}
	l := a.log(1)
	rec := l.call(history.Request{Kind: opAdd, Key: 3, Value: 30}, a.tick)
	l.left(4, 40)
	finish(rec, history.Result{Outcome: history.Added}, effort{100, 200, 3}, marking{bit(3), 9}, a.tick)
	l.slow(slowness{spent: 2, ran: 3})
	l.call(history.Request{Kind: opUpdate, Key: 3, Value: 31}, a.tick)
	l.left(0, 30)
	l.at(l.next)[atElement].Store(77) // died before this record existed
	events, slow, err := a.log(1).read(5)
	if err != nil || len(events) != 2 || len(slow) != 1 {
		t.Fatalf("%v %v %v", events, slow, err)
	}
	e := events[0]
	if e.String() != "client 5 add(3, 30): added [1, 2]" || e.spent != 200 || e.installs != 3 ||
		e.states != bit(3) || e.bucket != 9 || len(e.left) != 1 || e.left[0] != (leaving{4, 40}) {
		t.Errorf("%+v", e)
	}
	if d := events[1]; !d.Pending || len(d.left) != 1 || d.Result != (history.Result{}) || d.Value != 31 {
		t.Errorf("%+v", d)
	}
	if slow[0] != (slowness{2, 3}) {
		t.Errorf("%+v", slow)
	}
	if again, _, err := a.log(1).read(5); err != nil || len(again) != 0 || l.at(3)[atElement].Load() != 0 {
		t.Errorf("the log is not empty: %v %v", again, err)
	}
	l.at(0)[atKind].Store(200)
	if _, _, err := a.log(1).read(5); err == nil {
		t.Error("a record of no kind is taken")
	}
}

// TestLatency_OfNothing: where nobody died no operation is around a death, and the histogram has no steps.
func TestLatency_OfNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := Campaign(ctx, Options{Threads: 1})
	if r == nil || err == nil {
		t.Fatalf("%+v, %v; want the report of a campaign that was ended at once", r, err)
	}
	text, err := json.Marshal(r)
	if err != nil || strings.Count(string(text), `"histogram":{}`) != 2 {
		t.Errorf("%v: %s", err, text)
	}
}

func TestLatency(t *testing.T) {
	var l Latency
	for i := range int64(1000) {
		l.add(effort{spent: 1000 + i, installs: uint32(i % 4)})
	}
	l.add(effort{spent: 2 * blockedAfter})
	l.settle()
	within := func(got, want int64) bool { return got >= want && got <= want+want/8 }
	if !within(l.P50, 1500) || !within(l.P99, 1990) || l.Max != 2*blockedAfter ||
		l.Over != 1 || l.Installs != 3 {
		t.Errorf("%+v", []any{l.P50, l.P99, l.Max, l.Over, l.Installs})
	}
	ms := int64(time.Millisecond)
	for name, c := range map[string]struct {
		s   slowness
		own int64
	}{
		"busy":                   {slowness{20 * ms, 20 * ms}, 20 * ms},
		"busy, and before it":    {slowness{20 * ms, 23 * ms}, 20 * ms},
		"waited for a processor": {slowness{20 * ms, ms}, ms},
	} {
		if got := c.s.own(); got != c.own {
			t.Errorf("%s: %d ns of its own, want %d", name, got, c.own)
		}
	}
	busy := []slowness{{20 * ms, 20 * ms}}
	if n := len(l.count(nil, busy, nil, 0)); n != 1 || l.Blocked != 1 {
		t.Errorf("%d are blocked, %d counted", n, l.Blocked)
	}
	if n := len(l.count(nil, busy, nil, stolenUnit)); n != 0 {
		t.Error("the machine was taken away for so long, and the operation is blamed")
	}
}

// TestArena_WindowEnds: a round is to end when it is told to, and when it has become too long.
func TestArena_WindowEnds(t *testing.T) {
	r, err := region.Heap(arenaLayout(1))
	if err != nil {
		t.Fatal(err)
	}
	a, err := openArena(r, 1)
	if err != nil {
		t.Fatal(err)
	}
	a.begin(1, calmOperations)
	if a.hurried() {
		t.Error("a round that has begun is to end")
	}
	a.words[wordClock].Add(2*windowMost + 1)
	if !a.hurried() {
		t.Error("a long round goes on")
	}
	a.begin(2, calmOperations)
	if a.hurried() {
		t.Error("the next round is to end at once")
	}
	if a.hurry(); !a.hurried() {
		t.Error("a round goes on although it is to end")
	}
}
