package volume

import (
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	"github.com/samecycle/samecycle/stress"
)

// graveyard is a world on the heap whose owner 9 is dead as soon as a test says so.
type graveyard struct {
	*world
	nine *hopscotch.Handle
	dead bool
}

const deadOwner = 9

// newGraveyard is a table of four cells. The keys fill them with four bases, each in a home of its own, so
// that the fifth one replaces a base: that is the one operation of its add.
func newGraveyard(t *testing.T) *graveyard {
	t.Helper()
	work := workload{State: "S03AddFull", Cells: 2, Width: 2, Room: true}
	for _, home := range []uint32{0, 0, 1, 1, 0} {
		for key := uint32(1); ; key++ {
			first, second := hopscotch.Homes(key, work.layout(1))
			if first == home && second == home && !slices.Contains(work.Keys, key) {
				work.Keys = append(work.Keys, key)
				break
			}
		}
	}
	r, err := hopscotch.Heap(work.layout(3))
	if err != nil {
		t.Fatal(err)
	}
	g := &graveyard{}
	if g.world, err = newWorld(&subject{}, work, r); err != nil {
		t.Fatal(err)
	}
	alive := func(w hopscotch.Owner) bool { return !g.dead || w.Number() != deadOwner }
	if g.table, err = hopscotch.NewWith(r, hopscotch.Options{Alive: alive}); err != nil {
		t.Fatal(err)
	}
	if err := g.keeper.Close(); err != nil {
		t.Fatal(err)
	}
	if g.keeper, err = g.table.NewHandle(stress.ParentOwner); err != nil {
		t.Fatal(err)
	}
	if g.nine, err = g.table.NewHandle(deadOwner); err != nil {
		t.Fatal(err)
	}
	return g
}

// evict lets owner 9 add until something leaves, and die. It returns the events of the window.
func (g *graveyard) evict(t *testing.T) (events []stress.Event, left leaving) {
	t.Helper()
	c := &client{workload: g.work, table: g.nine, eye: g.eye, owner: deadOwner}
	for i, key := range g.work.Keys {
		req := requestWords(mapmodel.Request{Kind: mapmodel.Add, Key: key, Value: uint32(70 + i)})
		c.Before(req)
		res, notes, err := c.Call(req)
		if err != nil {
			t.Fatal(err)
		}
		moment := int64(2*i + 1)
		events = append(events, stress.Event{ID: uint64(i + 1), Owner: deadOwner, Request: req, Result: res,
			Call: moment, Return: moment + 1, Notes: slices.Clone(notes)})
		if len(notes) > 0 {
			g.dead = true
			return events, leavingOf(notes[len(notes)-1])
		}
	}
	t.Fatal("nothing has left a table that is full")
	return nil, left
}

func (g *graveyard) window(round uint64, events []stress.Event) *stress.Window {
	return &stress.Window{Round: round, Events: events, Ended: 100, Dead: []uint32{deadOwner}}
}

// killed makes the last event one that its owner died in, before it was told of anything.
func killed(events []stress.Event) []stress.Event {
	last := &events[len(events)-1]
	last.Result, last.Notes, last.Return, last.Pending = stress.Words{}, nil, 0, true
	return events
}

// TestReclaim_HandsOver: what left by the last operation of a dead client is handed over by the reclaim, in
// both orders, whether the client was told of it or not; then nothing is lost, and no descriptor.
func TestReclaim_HandsOver(t *testing.T) {
	for round := uint64(1); round <= 2; round++ {
		for _, told := range []bool{true, false} {
			g := newGraveyard(t)
			events, left := g.evict(t)
			if !told {
				events = killed(events)
			}
			var f stress.Faults
			a := g.Audit(g.window(round, events), &f)
			if len(f) > 0 || a.Lost != 0 || a.Returned != 1 {
				t.Errorf("round %d, told %t: %d lost, %d returned, %v", round, told, a.Lost, a.Returned, f)
			}
			by := uint32(deadOwner)
			if !told {
				by = stress.ParentOwner
			}
			if got := g.ledger.handed[left.value]; got != by {
				t.Errorf("round %d, told %t: %+v was handed to %d, want %d", round, told, left, got, by)
			}
			if err := a.History.Decide(1e9, 100); err != nil {
				t.Errorf("round %d, told %t: %v", round, told, err)
			}
		}
	}
}

// TestReclaim_Canaries lets the parent's reclaim tell something else than the truth: each of it is found.
func TestReclaim_Canaries(t *testing.T) {
	type reclaim = func(h *hopscotch.Handle) ([]hopscotch.Reclaimed, error)
	change := func(f func(x *hopscotch.Reclaimed)) reclaim {
		return func(h *hopscotch.Handle) ([]hopscotch.Reclaimed, error) {
			all, err := h.Reclaim()
			for i := range all {
				f(&all[i])
			}
			return all, err
		}
	}
	for name, c := range map[string]struct {
		round   uint64
		reclaim reclaim
		says    string
	}{
		"none is taken back": {1, func(*hopscotch.Handle) ([]hopscotch.Reclaimed, error) { return nil, nil },
			"client 9 is dead, and 1 of its own have not been given back"},
		"none, as the descriptors say": {2, func(*hopscotch.Handle) ([]hopscotch.Reclaimed, error) {
			return nil, nil
		}, "of client 9 was not taken back"},
		"the value is kept": {2, change(func(x *hopscotch.Reclaimed) { x.Leaves = false }),
			"the reclaim says: "},
		"another value":  {2, change(func(x *hopscotch.Reclaimed) { x.Left.Value++ }), "the reclaim says: "},
		"a value of old": {1, change(func(x *hopscotch.Reclaimed) { x.Left.Value = 12345 }), "never put in"},
		"another key": {1, change(func(x *hopscotch.Reclaimed) { x.Left.Key = 99 }),
			"handed over with key 99"},
		"of the living": {1, change(func(x *hopscotch.Reclaimed) { x.Owner = hopscotch.MakeOwner(8, 0) }),
			"of client 8, which has not died"},
		"twice": {1, func(h *hopscotch.Handle) ([]hopscotch.Reclaimed, error) {
			all, err := h.Reclaim()
			return append(all, all...), err
		}, "handed over twice"},
		"an error": {1, func(h *hopscotch.Handle) ([]hopscotch.Reclaimed, error) {
			all, _ := h.Reclaim()
			return all, hopscotch.ErrBusy
		}, "reclaim: " + hopscotch.ErrBusy.Error()},
	} {
		g := newGraveyard(t)
		events, _ := g.evict(t)
		g.subject = &subject{reclaim: c.reclaim}
		var f stress.Faults
		g.Audit(g.window(c.round, killed(events)), &f)
		if all := strings.Join(f, "\n"); !strings.Contains(all, c.says) {
			t.Errorf("%s: %q, want %q", name, all, c.says)
		}
	}
}

// TestReclaim_CertainIsNew: a value of which it is certain that the dead were not told cannot have been
// handed to anybody; nor can one that somebody else was told of.
func TestReclaim_CertainIsNew(t *testing.T) {
	dead := func(owner uint32, certain bool) takenBack {
		return takenBack{leaving{key: 1, value: 7, owner: owner, certain: certain}, 3}
	}
	for name, c := range map[string]struct {
		told  uint32 // owner of the client that was told of the value before, 0 for none
		x     takenBack
		heirs map[uint32]bool
		fine  bool
	}{
		"nobody was told":               {0, dead(9, true), nil, true},
		"perhaps told, and was not":     {0, dead(9, false), nil, true},
		"the dead one was told":         {9, dead(9, false), nil, true},
		"told, which was impossible":    {9, dead(9, true), nil, false},
		"another one was told":          {8, dead(9, false), nil, false},
		"told, and reclaimed by a dead": {8, dead(9, false), map[uint32]bool{9: true}, true},
		"a living one was told":         {4, dead(9, false), map[uint32]bool{9: true}, false},
	} {
		w := &world{ledger: newLedger(workload{}), dead: map[uint32]bool{8: true, 9: true}}
		w.ledger.put[7] = 1
		if c.told != 0 {
			w.ledger.handed[7] = c.told
		}
		var f stress.Faults
		w.inherit([]takenBack{c.x}, c.heirs, &f)
		if (len(f) == 0) != c.fine || !c.fine && !strings.Contains(f[0], "handed over twice") {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// TestReclaim_OfClients: a client that reclaims tells what it was handed, and the parent counts it.
func TestReclaim_OfClients(t *testing.T) {
	g := newGraveyard(t)
	events, left := g.evict(t)
	c := &client{workload: g.work, table: g.keeper, eye: g.eye, owner: 3}
	req := stress.Words{callReclaim}
	c.Before(req)
	res, notes, err := c.Call(req)
	if err != nil || len(notes) != 1 || c.After(req, res, notes) != (stress.Seen{}) {
		t.Fatalf("%v, %v", notes, err)
	}
	want := leaving{left.key, left.value, deadOwner, false, false}
	if got := leavingOf(notes[0]); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	events = append(killed(events), stress.Event{ID: 99, Owner: 3, Request: req, Call: 50, Return: 51,
		Notes: notes})
	var f stress.Faults
	if a := g.Audit(g.window(1, events), &f); len(f) > 0 || a.Returned != 1 || a.Lost != 0 {
		t.Errorf("%d returned, %d lost, %v", a.Returned, a.Lost, f)
	}
	if got := g.ledger.handed[left.value]; got != 3 {
		t.Errorf("the value was handed to %d", got)
	}
}

func TestNotes_AsWords(t *testing.T) {
	for _, l := range []leaving{{key: 7, value: 70}, {value: 1<<32 - 1}, {1<<32 - 1, 5, 4000, true, false},
		{0, 0, 9, false, true}} {
		if got := leavingOf(l.words()); got != l {
			t.Errorf("%+v is read as %+v", l, got)
		}
	}
}
