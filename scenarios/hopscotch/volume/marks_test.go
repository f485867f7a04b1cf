package volume

import (
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
)

// Short names for the tables of cases.
const (
	opAdd    = mapmodel.Add
	opGet    = mapmodel.Get
	opUpdate = mapmodel.Update
	opDelete = mapmodel.Delete
	opCrop   = mapmodel.Crop
)

type cellPicture = hopscotch.CellPicture

// bench is a table whose words a test writes by hand: key 1 is looked for, key 2 is another one of
// its bucket. The operation in progress is that of descriptor 1, generation 3.
type bench struct {
	t       *testing.T
	r       *region.Region
	eye     *eye
	k, mate uint32
	home    uint32 // of both keys in half 0
}

const benchCells, benchWindow, benchDescriptors = 8, 4, 2

func newBench(t *testing.T) *bench {
	t.Helper()
	layout := hopscotch.Layout{CellsPerHalf: benchCells, Window: benchWindow, Descriptors: benchDescriptors,
		Homes: hopscotch.HomesApart}
	r, err := hopscotch.Heap(layout)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, r: r, k: 1}
	if b.eye, err = newEye(r, 0); err != nil {
		t.Fatal(err)
	}
	b.home, _ = hopscotch.Homes(b.k, layout)
	for b.mate = 2; ; b.mate++ {
		if h, _ := hopscotch.Homes(b.mate, layout); h == b.home {
			return b
		}
	}
}

func (b *bench) put(cell uint32, w hopscotch.Word0) {
	words, err := b.r.Section(hopscotch.Engine, hopscotch.SectionCells)
	if err != nil {
		b.t.Fatal(err)
	}
	words[hopscotch.CellWord(0, cell%benchCells)].Store(uint64(w))
}

var benchRef = hopscotch.RefLayoutOf(benchDescriptors).Make(1, 3)

// operate fills descriptor 1 and gives the reference to it.
func (b *bench) operate(kind hopscotch.Kind, home uint32, pair, base hopscotch.Key, members hopscotch.Map) {
	words, err := b.r.Section(hopscotch.Engine, hopscotch.SectionDescriptors)
	if err != nil {
		b.t.Fatal(err)
	}
	d := words[hopscotch.DescriptorWords:]
	d[hopscotch.DescriptorHead].Store(uint64(hopscotch.MakeHead(3, kind, 0, home)))
	d[hopscotch.DescriptorPair].Store(uint64(hopscotch.MakePair(pair, 70)))
	d[hopscotch.DescriptorPlan].Store(uint64(hopscotch.MakePlan(base, members)))
}

// seenRace is the memory of a race, and the operation that is to notice it.
type seenRace struct {
	state   int
	key     func(b *bench) uint32 // nil: k
	outcome mapmodel.Outcome
	kind    mapmodel.Kind
	build   func(b *bench)
}

func seenRaces() []seenRace {
	operating := func(b *bench, kind hopscotch.Kind, pair, base hopscotch.Key) {
		b.operate(kind, b.home, pair, base, hopscotch.Map(0).With(1))
		b.put(b.home, hopscotch.OperatingWord(base, benchRef))
		b.put(b.home+1, hopscotch.MemberWord(hopscotch.Key(b.mate), 1, 5))
	}
	claimed := func(b *bench, key uint32) {
		b.operate(hopscotch.KindNew, b.home, hopscotch.Key(key), 0, 0)
		b.put(b.home, hopscotch.ClaimedWord(benchRef))
	}
	const add, move, drop, lift, clear = hopscotch.KindAdd, hopscotch.KindMove, hopscotch.KindDrop,
		hopscotch.KindLift, hopscotch.KindClear
	holds := func(kind hopscotch.Kind, pair, base hopscotch.Key) func(*bench) {
		return func(b *bench) { operating(b, kind, pair, base) }
	}
	const k, lost = hopscotch.Key(1), hopscotch.KeyLost
	return []seenRace{
		{4, nil, mapmodel.Added, opAdd, func(b *bench) { claimed(b, b.mate) }},
		{5, nil, mapmodel.Found, opGet, func(b *bench) { claimed(b, b.k) }},
		{5, nil, mapmodel.Absent, opGet, func(b *bench) { claimed(b, b.k) }},
		{8, nil, mapmodel.Deleted, opDelete, func(b *bench) { claimed(b, b.k) }},
		{8, nil, mapmodel.Absent, opDelete, func(b *bench) { claimed(b, b.k) }},
		{6, nil, mapmodel.Found, opGet, holds(add, 99, k)},
		{7, nil, mapmodel.Updated, opUpdate, holds(add, 99, k)},
		{9, func(b *bench) uint32 { return b.mate }, mapmodel.Deleted, opDelete,
			holds(add, 99, 98)},
		{10, nil, mapmodel.Deleted, opDelete, holds(add, 99, k)},
		{11, nil, mapmodel.Found, opGet, holds(move, k, 98)},
		{12, nil, mapmodel.Updated, opUpdate, holds(move, k, 98)},
		{13, nil, mapmodel.Deleted, opDelete, holds(move, k, 98)},
		{14, nil, mapmodel.Deleted, opDelete, holds(move, 99, k)},
		{16, nil, mapmodel.Found, opGet, holds(drop, lost, k)},
		{17, nil, mapmodel.Found, opGet, holds(lift, k, lost)},
		{21, nil, mapmodel.Added, opAdd, holds(clear, 0, lost)},
		{22, nil, mapmodel.Deleted, opDelete, holds(lift, k, lost)},
		{24, nil, mapmodel.Added, opAdd, func(b *bench) { // engaged
			b.operate(drop, b.home+benchCells-1, lost, 98, hopscotch.Map(0).With(1))
			b.put(b.home, hopscotch.EngagedWord(lost, benchRef))
		}},
		{24, nil, mapmodel.Added, opAdd, func(b *bench) { // not yet engaged: its base is held
			b.operate(drop, b.home+benchCells-1, lost, 98, hopscotch.Map(0).With(1))
			b.put(b.home, hopscotch.MemberWord(lost, 1, 5))
			b.put(b.home+benchCells-1, hopscotch.OperatingWord(98, benchRef))
		}},
	}
}

// TestMark_Seen builds the memory of each race that one look can see, and looks with the right
// operation: exactly the state of the race is marked. With any other outcome, with an operation that
// has moved on, or with one's own, nothing is.
func TestMark_Seen(t *testing.T) {
	for _, c := range seenRaces() {
		b := newBench(t)
		c.build(b)
		key := b.k
		if c.key != nil {
			key = c.key(b)
		}
		look := func() sight { return b.eye.look(key, true, true) }
		e := event{Op: mapmodel.Op{Request: mapmodel.Request{Kind: c.kind, Key: key},
			Result: mapmodel.Result{Outcome: c.outcome}}}
		if got := mark(e, look(), sight{}).states; got != bit(c.state) {
			t.Errorf("state %d, %v %v, seen before: marks %#x", c.state, c.kind, c.outcome, got)
		}
		if got := mark(e, sight{}, look()).states; got != bit(c.state) {
			t.Errorf("state %d, %v %v, seen after: marks %#x", c.state, c.kind, c.outcome, got)
		}
		e.Result.Outcome = mapmodel.Exists
		if got := mark(e, look(), sight{}).states; got != 0 {
			t.Errorf("state %d with another outcome: marks %#x", c.state, got)
		}
		e.Result.Outcome = c.outcome
		b.eye.self = 1
		if got := mark(e, look(), sight{}).states; got != 0 {
			t.Errorf("state %d by one's own operation: marks %#x", c.state, got)
		}
		b.eye.self = 0
		b.operate(hopscotch.KindNone, 0, 0, 0, 0)
		words, _ := b.r.Section(hopscotch.Engine, hopscotch.SectionDescriptors)
		words[hopscotch.DescriptorWords].Store(uint64(hopscotch.MakeHead(4, hopscotch.KindAdd, 0, b.home)))
		if got := mark(e, look(), sight{}).states; got != 0 {
			t.Errorf("state %d when the operation has moved on: marks %#x", c.state, got)
		}
	}
}

// TestMark_Added is the states that an add alone makes.
func TestMark_Added(t *testing.T) {
	b := newBench(t)
	e := event{Op: mapmodel.Op{Request: mapmodel.Request{Kind: opAdd, Key: b.k},
		Result: mapmodel.Result{Outcome: mapmodel.Added}}}
	empty := b.eye.look(b.k, false, true)
	b.put(b.home, hopscotch.BaseWord(hopscotch.Key(b.k), 0))
	if got := mark(e, empty, b.eye.displaced(b.k, empty)).states; got != bit(1) {
		t.Errorf("an empty home: marks %#x", got)
	}
	b.put(b.home, hopscotch.BaseWord(hopscotch.Key(b.mate), 0))
	before := b.eye.look(b.k, false, true)
	b.put(b.home, hopscotch.BaseWord(hopscotch.Key(b.k), hopscotch.Map(0).With(2)))
	if got := mark(e, before, b.eye.displaced(b.k, before)).states; got != 0 {
		t.Errorf("nobody was displaced: marks %#x", got)
	}
	b.put(b.home+2, hopscotch.MemberWord(hopscotch.Key(b.mate), 2, 5))
	if got := mark(e, before, b.eye.displaced(b.k, before)).states; got != bit(2) {
		t.Errorf("the base became a member: marks %#x", got)
	}
	e.left = []leaving{{value: 7}}
	if got := mark(e, sight{}, sight{}).states; got != 0 {
		t.Errorf("a deleted one left: marks %#x", got)
	}
	e.left = append(e.left, leaving{key: b.mate, value: 8})
	if got := mark(e, sight{}, sight{}).states; got != bit(3) {
		t.Errorf("one was evicted: marks %#x", got)
	}
}

// op is an operation for the histories of these tests.
func op(kind mapmodel.Kind, key, value uint32, res mapmodel.Result, call, ret int64) event {
	return event{Op: mapmodel.Op{Request: mapmodel.Request{Kind: kind, Key: key, Value: value}, Result: res,
		Call: call, Return: ret}}
}

// pairMarked fails if the events are not marked as that state alone, once; 0 is none.
func pairMarked(t *testing.T, name string, state int, events []event) {
	t.Helper()
	for i, n := range pairMarks(events) {
		want := uint64(0)
		if i == state {
			want = 1
		}
		if i != 0 && n != want {
			t.Errorf("%s: state %d is marked %d times", name, i, n)
		}
	}
}

// Of a swap and a conditional delete of one key one succeeds.
func TestPairMarks_Discard(t *testing.T) {
	void := mapmodel.Result{Outcome: mapmodel.Void}
	updated := mapmodel.Result{Outcome: mapmodel.Updated, Value: 5}
	discarded := mapmodel.Result{Outcome: mapmodel.Discarded, Value: 5}
	pairMarked(t, "the delete", 27, []event{op(mapmodel.Swap, 1, 7, void, 1, 3),
		op(mapmodel.Discard, 1, 0, discarded, 2, 4)})
	pairMarked(t, "the swap", 27, []event{op(mapmodel.Discard, 1, 0, void, 1, 3),
		op(mapmodel.Swap, 1, 7, updated, 2, 4)})
	pairMarked(t, "none", 0, []event{op(mapmodel.Swap, 1, 7, void, 1, 3),
		op(mapmodel.Discard, 1, 0, void, 2, 4)})
	pairMarked(t, "of two keys", 0, []event{op(mapmodel.Swap, 2, 7, void, 1, 3),
		op(mapmodel.Discard, 1, 0, discarded, 2, 4)})
}

func TestPairMarks(t *testing.T) {
	found := func(v uint32) mapmodel.Result { return mapmodel.Result{Outcome: mapmodel.Found, Value: v} }
	updated := func(v uint32) mapmodel.Result { return mapmodel.Result{Outcome: mapmodel.Updated, Value: v} }
	deleted, absent := mapmodel.Result{Outcome: mapmodel.Deleted}, mapmodel.Result{Outcome: mapmodel.Absent}
	void := mapmodel.Result{Outcome: mapmodel.Void}
	member := func(e event) event { e.bucket = 3; return e }
	for _, c := range []struct {
		name   string
		state  int
		events []event
	}{
		{"two gets", 15, []event{op(opGet, 1, 0, found(5), 1, 4),
			op(opGet, 1, 0, found(5), 2, 3)}},
		{"gets one after the other", 0, []event{op(opGet, 1, 0, found(5), 1, 2),
			op(opGet, 1, 0, found(5), 3, 4)}},
		{"gets and a delete", 0, []event{op(opGet, 1, 0, found(5), 1, 4),
			op(opGet, 1, 0, found(5), 2, 5),
			op(opDelete, 1, 0, deleted, 3, 6)}},
		{"gets after a delete", 0, []event{op(opDelete, 1, 0, deleted, 1, 6),
			op(opGet, 1, 0, found(5), 2, 4),
			op(opGet, 1, 0, found(5), 3, 5)}},
		{"get and update", 18, []event{op(opUpdate, 1, 7, updated(5), 1, 4),
			op(opGet, 1, 0, found(7), 2, 3)}},
		{"get of the old value", 18, []event{op(opGet, 1, 0, found(5), 1, 3),
			op(opUpdate, 1, 7, updated(5), 2, 4)}},
		{"get of a third value", 0, []event{op(opGet, 1, 0, found(4), 1, 3),
			op(opUpdate, 1, 7, updated(5), 2, 4)}},
		{"updates", 19, []event{op(opUpdate, 1, 7, updated(8), 1, 3),
			op(opUpdate, 1, 8, updated(5), 2, 4)}},
		{"updates of two keys", 0, []event{op(opUpdate, 1, 7, updated(8), 1, 3),
			op(opUpdate, 2, 8, updated(5), 2, 4)}},
		{"deletes of members", 20, []event{member(op(opDelete, 1, 0, deleted, 1, 3)),
			member(op(opDelete, 2, 0, deleted, 2, 4))}},
		{"deletes of bases", 0, []event{op(opDelete, 1, 0, deleted, 1, 3),
			op(opDelete, 2, 0, deleted, 2, 4)}},
		{"deletes of one key", 23, []event{op(opDelete, 1, 0, absent, 1, 3),
			op(opDelete, 1, 0, deleted, 2, 4)}},
		{"delete and swap", 25, []event{op(mapmodel.Swap, 1, 7, updated(5), 1, 3),
			op(opDelete, 1, 0, deleted, 2, 4)}},
		{"delete and a swap that is void", 0, []event{op(mapmodel.Swap, 1, 7, void, 1, 3),
			op(opDelete, 1, 0, deleted, 2, 4)}},
		{"add and still", 26, []event{op(mapmodel.Still, 1, 0, void, 1, 3),
			op(opAdd, 1, 7, mapmodel.Result{Outcome: mapmodel.Added}, 2, 4)}},
		{"add and a still that holds", 0, []event{
			op(mapmodel.Still, 1, 0, mapmodel.Result{Outcome: mapmodel.Same, Value: 5}, 1, 3),
			op(opAdd, 1, 7, mapmodel.Result{Outcome: mapmodel.Added}, 2, 4)}},
		{"deletes in vain", 0, []event{op(opDelete, 1, 0, absent, 1, 3),
			op(opDelete, 1, 0, absent, 2, 4)}},
	} {
		pairMarked(t, c.name, c.state, c.events)
	}
	killed := []event{op(opDelete, 1, 0, deleted, 1, 3), {Op: mapmodel.Op{Request: mapmodel.Request{
		Kind: opDelete, Key: 1}, Call: 2, Return: history.Forever, Pending: true}}}
	if got := pairMarks(killed); got[23] != 0 {
		t.Error("an operation without a result is marked")
	}
}

// TestBait_Steps: each word of a home leads one step on to a member of another bucket there, and with
// that to its move, or, once it is lost, to its drop.
func TestBait_Steps(t *testing.T) {
	const key, lost = 7, hopscotch.KeyLost
	request := func(kind mapmodel.Kind, key uint32) mapmodel.Request {
		return mapmodel.Request{Kind: kind, Key: key}
	}
	none := mapmodel.Request{} // no step
	drop := pairing{hopscotch.KindDrop, mapmodel.Add, same}
	move := pairing{hopscotch.KindMove, mapmodel.Get, brought}
	for _, c := range []struct {
		name       string
		home       uint32
		word       hopscotch.Word0
		drop, move mapmodel.Request
	}{
		{"a base", 1, hopscotch.BaseWord(9, 0), request(opDelete, 9), request(opDelete, 9)},
		{"a lost base", 1, hopscotch.BaseWord(lost, 0), request(opCrop, key), request(opCrop, key)},
		{"a base of the cell that is left alone", 0, hopscotch.BaseWord(9, 0), none, none},
		{"a lost base there", 0, hopscotch.BaseWord(lost, 0), none, none},
		{"a stranger", 1, hopscotch.MemberWord(9, 1, 5), request(opDelete, 9), request(opAdd, key)},
		{"a lost stranger", 1, hopscotch.MemberWord(lost, 1, 5), request(opAdd, key),
			request(opAdd, key)},
		{"nothing", 1, hopscotch.EmptyWord(3), none, none},
		{"an operation", 1, hopscotch.OperatingWord(9, benchRef), none, none},
	} {
		g := glimpse{home: c.home, word: c.word}
		for p, want := range map[pairing]mapmodel.Request{drop: c.drop, move: c.move,
			pairings["S14UsurpDeleteBase"]: c.move, pairings["S05AddEmptyGet"]: none} {
			req, ok := p.approach(key, &g)
			if req != want || ok != (want != none) {
				t.Errorf("%+v: home %d with %s: %v, %v, want %v", p, c.home, c.name, req, ok, want)
			}
		}
		g.held = true
		if req, ok := move.approach(key, &g); ok {
			t.Errorf("%s that is held leads to %v", c.name, req)
		}
	}
}

// TestMet: a move is met wherever it is seen, each other operation only where its race is.
func TestMet(t *testing.T) {
	home, stranger := hopscotch.OperatingWord(9, benchRef), hopscotch.MemberWord(9, 1, 5)
	for _, c := range []struct {
		pairing
		word    hopscotch.Word0
		kind    hopscotch.Kind
		held    bool
		catches bool
	}{
		{pairings["S11UsurpGet"], home, hopscotch.KindMove, true, true},
		{pairings["S11UsurpGet"], stranger, hopscotch.KindMove, true, true},
		{pairings["S11UsurpGet"], home, hopscotch.KindMove, false, false},
		{pairings["S11UsurpGet"], home, hopscotch.KindDrop, true, false},
		{pairings["S16GetDeleteMember"], home, hopscotch.KindDrop, true, true},
		{pairings["S16GetDeleteMember"], stranger, hopscotch.KindDrop, true, false},
		{pairings["S24UsurpDeleteInProgress"], stranger, hopscotch.KindDrop, true, true},
		{pairings["S24UsurpDeleteInProgress"], home, hopscotch.KindDrop, true, false},
	} {
		if g := (glimpse{word: c.word, kind: c.kind, held: c.held}); c.met(&g) != c.catches {
			t.Errorf("%+v", c)
		}
	}
}

// TestHunt_LooksAtSomeKeys: half of the time, and then at so many that the one of four that leads to the
// race is nearly always among them.
func TestHunt_LooksAtSomeKeys(t *testing.T) {
	w := workload{State: "S24UsurpDeleteInProgress", Cells: 64, Width: 4, Keys: []uint32{1}}
	r, err := hopscotch.Heap(w.layout(2))
	if err != nil {
		t.Fatal(err)
	}
	table, err := hopscotch.New(r)
	if err != nil {
		t.Fatal(err)
	}
	h, err := table.NewHandle(1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Add(1, 10); err != nil {
		t.Fatal(err)
	}
	eye, err := newEye(r, 1)
	if err != nil {
		t.Fatal(err)
	}
	for key := uint32(2); len(w.Keys) < 4; key++ { // whose homes are empty
		if s := eye.look(key, false, true); s[0].word.Form() == hopscotch.FormEmpty &&
			s[1].word.Form() == hopscotch.FormEmpty {
			w.Keys = append(w.Keys, key)
		}
	}
	c := &client{workload: w, eye: eye}
	rng, hunts, found := rand.New(rand.NewPCG(1, 2)), 2000, 0
	for range hunts {
		switch req, ok := c.hunt(rng); {
		case ok && req != mapmodel.Request{Kind: opDelete, Key: 1}:
			t.Fatalf("the hunter is to %v", req)
		case ok:
			found++
		}
	}
	if found < hunts*40/100 || found > hunts*50/100 {
		t.Errorf("%d of %d looks lead anywhere, want a good 44 of 100", found, hunts)
	}
	c.State = "S05AddEmptyGet" // which needs an operation, not a member
	for range hunts {
		if req, ok := c.hunt(rng); ok {
			t.Fatalf("the hunter of what nothing leads to is to %v", req)
		}
	}
}
