package hopscotch

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// newTable makes an empty table on the heap, with one handle.
func newTable(tb testing.TB, l Layout) (*Table, *Handle) {
	tb.Helper()
	return newTableWith(tb, l, Options{})
}

// keepAll makes a table that is Full when an element finds no place.
var keepAll = Options{KeepAll: true}

func newTableWith(tb testing.TB, l Layout, o Options) (*Table, *Handle) {
	tb.Helper()
	r, err := Heap(l)
	if err != nil {
		tb.Fatal(err)
	}
	t, err := NewWith(r, o)
	if err != nil {
		tb.Fatal(err)
	}
	h, err := t.NewHandle(1)
	if err != nil {
		tb.Fatal(err)
	}
	return t, h
}

// clean fails the test for each finding of a structural check.
func clean(tb testing.TB, t *Table) {
	tb.Helper()
	for _, f := range Check(t, CheckOptions{}) {
		tb.Errorf("check: %v", f)
	}
}

var geometries = []Layout{
	{CellsPerHalf: 4, Window: 3, Descriptors: 1},
	{CellsPerHalf: 8, Window: 8, Descriptors: 2},
	{CellsPerHalf: 2, Window: 2, Descriptors: 1},
	{CellsPerHalf: 37, Window: 5, Descriptors: 3},
	{CellsPerHalf: 100, Window: 32, Descriptors: 3},
	{CellsPerHalf: 1 << 16, Window: 32, Descriptors: 4},
}

func TestTable_KeepsAll(t *testing.T) {
	for _, l := range geometries {
		t.Run(fmt.Sprintf("%dx%d", l.CellsPerHalf, l.Window), func(t *testing.T) {
			rounds := 200
			if l.CellsPerHalf > 1000 {
				rounds = 1
			}
			full, exists := 0, 0
			for seed := range uint64(rounds) {
				f, e := againstMap(t, l, seed)
				full, exists = full+f, exists+e
			}
			if full == 0 || exists == 0 {
				t.Errorf("full %d times, exists %d times: want both", full, exists)
			}
		})
	}
}

// againstMap adds random keys, twice as many as there are cells, and compares with a Go map. It
// counts the results.
func againstMap(t *testing.T, l Layout, seed uint64) (full, exists int) {
	table, h := newTableWith(t, l, keepAll)
	random := rand.New(rand.NewPCG(seed, 1))
	want := map[uint32]uint32{}
	for range 4 * l.CellsPerHalf {
		key, value := 1+random.Uint32N(6*l.CellsPerHalf), 1+random.Uint32N(1<<20)
		_, there := want[key]
		switch r, err := h.Add(key, value); {
		case err != nil:
			t.Fatalf("seed %d: add of %d: %v", seed, key, err)
		case r == Exists != there:
			t.Fatalf("seed %d: add of %d: %v, but in the map: %v", seed, key, r, there)
		case r == Exists:
			exists++
		case r == Full:
			full++
		case r == Added:
			want[key] = value
		}
	}
	for key := uint32(1); key <= 6*l.CellsPerHalf; key++ {
		value, ok, err := table.Lookup(key)
		if w, there := want[key]; err != nil || ok != there || value != w {
			t.Fatalf("seed %d: get of %d: %d, %v, %v; want %d, %v", seed, key, value, ok, err, w, there)
		}
	}
	clean(t, table)
	if n := Measure(table).Elements; n != len(want) {
		t.Errorf("seed %d: %d elements, want %d", seed, n, len(want))
	}
	return full, exists
}

func TestTable_RefusesReservedKeysAndNoValue(t *testing.T) {
	table, h := newTable(t, geometries[0])
	for _, key := range []uint32{0, 0xFFFFFFFF} {
		if _, err := h.Add(key, 1); !errors.Is(err, ErrKey) {
			t.Errorf("add of %#x: %v", key, err)
		}
		if _, ok, err := table.Lookup(key); ok || !errors.Is(err, ErrKey) {
			t.Errorf("lookup of %#x: %v, %v", key, ok, err)
		}
		if _, ok := table.Get(key); ok {
			t.Errorf("get of %#x found it", key)
		}
	}
	if _, err := h.Add(5, 0); !errors.Is(err, ErrValue) {
		t.Errorf("value 0: %v", err)
	}
	for _, key := range []uint32{1, 0xFFFFFFFE} {
		if r, err := h.Add(key, 0xFFFFFFFF); r != Added || err != nil {
			t.Errorf("add of %#x: %v, %v", key, r, err)
		}
	}
	clean(t, table)
}

func TestHandle_OwnsOneDescriptor(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 2})
	second, err := table.NewHandle(2)
	if err != nil || second.Descriptor() != 1 || h.Descriptor() != 0 {
		t.Fatalf("second handle: %v", err)
	}
	if _, err := table.NewHandle(3); !errors.Is(err, ErrHandles) {
		t.Errorf("third of two: %v", err)
	}
	if _, err := table.NewHandle(0); !errors.Is(err, ErrOwner) {
		t.Errorf("owner 0: %v", err)
	}
	for key := range uint32(3) {
		if r, err := h.Add(key+1, 7); r != Added || err != nil {
			t.Fatal(r, err)
		}
	}
	before := h.generation
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if err := h.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("second close: %v", err)
	}
	if _, err := h.Add(9, 9); !errors.Is(err, ErrClosed) {
		t.Errorf("add after close: %v", err)
	}
	next, err := table.NewHandle(4)
	if err != nil || next.Descriptor() != 0 || next.generation != table.refs.Next(before) || before == 0 {
		t.Errorf("next owner: generation %d, want the one after %d (%v)", next.generation, before, err)
	}
}

func TestHomes_AreSpreadAndIndependent(t *testing.T) {
	const cells, keys = 64, 64 * 64 * 16
	var joint [cells * cells]int
	for key := uint32(1); key <= keys; key++ {
		h0, h1 := homesApart(key, cells)
		if h0 >= cells || h1 >= cells {
			t.Fatalf("key %d: homes %d, %d", key, h0, h1)
		}
		joint[h0*cells+h1]++
	}
	var chi float64 // 4095 degrees of freedom: mean 4095, deviation 90
	for _, n := range joint {
		chi += float64((n-16)*(n-16)) / 16
	}
	if chi > 4095+6*90 {
		t.Errorf("consecutive keys: chi square of the pairs of homes is %.0f", chi)
	}
	for _, cells := range []uint32{2, 3, 1 << 31, 0xFFFFFFFF} {
		for key := range uint32(1000) {
			for _, homes := range []Placement{HomesNear, HomesApart} {
				h0, h1 := Homes(key*0x01000193, Layout{CellsPerHalf: cells, Homes: homes})
				if h0 >= cells || h1 >= cells {
					t.Fatalf("key %d of %d cells, %v: homes %d, %d", key, cells, homes, h0, h1)
				}
			}
		}
	}
}

// TestHomes_NearShareALine: each key of a home has one of the two cells of the same line as its other
// home, either as often as not. The last row of an odd number, whose line is incomplete, is no home.
func TestHomes_NearShareALine(t *testing.T) {
	const keys = 1 << 16
	for _, cells := range []uint32{64, 65} {
		var same, other [65]int
		l := Layout{CellsPerHalf: cells}
		for key := uint32(1); key <= keys; key++ {
			h0, h1 := Homes(key, l)
			first := CellWord(0, h0) * region.WordBytes / region.LineBytes
			if second := CellWord(1, h1) * region.WordBytes / region.LineBytes; first != second {
				t.Fatalf("key %d: homes %d, %d, lines %d, %d", key, h0, h1, first, second)
			}
			if h0 == h1 {
				same[h0]++
			} else {
				other[h0]++
			}
		}
		for home := range cells {
			mean := float64(keys) / float64(2*(cells&^1)) // of each count; deviation its root
			if home == 64 {
				if other[home]+same[home] != 0 {
					t.Errorf("last row: %d and %d keys", same[home], other[home])
				}
				continue
			}
			for _, n := range []int{same[home], other[home]} {
				if math.Abs(float64(n)-mean) > 6*math.Sqrt(mean) {
					t.Errorf("%d cells, home %d: %d keys, want some %.0f", cells, home, n, mean)
				}
			}
		}
	}
}

// TestGet_WhereHomesAreApart: the short way of Get is for near homes; here it would look elsewhere.
func TestGet_WhereHomesAreApart(t *testing.T) {
	const keys = 40
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 1,
		Homes: HomesApart})
	for key := uint32(1); key <= keys; key++ {
		if r, err := h.Add(key, 100+key); r != Added || err != nil {
			t.Fatal(key, r, err)
		}
	}
	for key := uint32(1); key <= 2*keys; key++ {
		if v, ok := table.Get(key); ok != (key <= keys) || ok && v != 100+key {
			t.Errorf("key %d: %d, %v", key, v, ok)
		}
	}
}

// TestOptions_Alive: whether an owner can still move is for the program to say, if it wants to.
func TestOptions_Alive(t *testing.T) {
	var asked []Owner
	table, h := newTableWith(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 2},
		Options{Alive: func(w Owner) bool { asked = append(asked, w); return false }})
	orphans, err := table.Orphans()
	if err != nil || len(orphans) != 1 || orphans[0] != h.index || len(asked) != 1 || asked[0] != h.owner {
		t.Errorf("orphans %v, %v; asked for %v", orphans, err, asked)
	}
}

// TestTable_ConcurrentAddsAndGets lets actors add overlapping keys while others read. The value
// tells who added it.
func TestTable_ConcurrentAddsAndGets(t *testing.T) {
	for _, l := range []Layout{
		{CellsPerHalf: 4, Window: 3, Descriptors: 8},
		{CellsPerHalf: 37, Window: 5, Descriptors: 8},
		{CellsPerHalf: 1 << 11, Window: 32, Descriptors: 8},
	} {
		rounds := 1 + 4000/int(l.CellsPerHalf)
		for round := range rounds {
			concurrent(t, l, uint64(round))
		}
	}
}

const adders, readers = 4, 2

func concurrent(t *testing.T, l Layout, seed uint64) {
	table, first := newTableWith(t, l, keepAll)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	keys := l.CellsPerHalf + 2
	var results [adders][]Result
	var adding, reading sync.WaitGroup
	stop := make(chan struct{})
	for actor := range adders {
		h, err := table.NewHandle(uint64(actor) + 1)
		if err != nil {
			t.Fatal(err)
		}
		results[actor] = make([]Result, keys+1)
		adding.Go(func() {
			order := rand.New(rand.NewPCG(seed, uint64(actor))).Perm(int(keys))
			for _, k := range order {
				key := uint32(k) + 1
				r, err := h.Add(key, value(key, actor))
				if err != nil {
					t.Errorf("actor %d, key %d: %v", actor, key, err)
				}
				results[actor][key] = r
			}
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	for range readers {
		reading.Go(func() { readAll(t, table, keys, stop) })
	}
	adding.Wait()
	close(stop)
	reading.Wait()
	clean(t, table)
	settle(t, table, results[:])
}

func value(key uint32, actor int) uint32 { return key<<4 | uint32(actor) + 1 }

// readAll reads until stop: a value must be one that was added, and a key that was found stays.
func readAll(t *testing.T, table *Table, keys uint32, stop chan struct{}) {
	found := make([]uint32, keys+1)
	for {
		for key := uint32(1); key <= keys; key++ {
			v, ok, err := table.Lookup(key)
			if err != nil {
				t.Errorf("get of %d: %v", key, err)
				return
			}
			if ok && (v>>4 != key || v&15 < 1 || v&15 > adders) {
				t.Errorf("get of %d: foreign value %#x", key, v)
			}
			if was := found[key]; was != 0 && was != v {
				t.Errorf("get of %d: %#x (%v) after %#x", key, v, ok, was)
			}
			found[key] = v
		}
		select {
		case <-stop:
			return
		default:
		}
	}
}

// settle compares the results of all actors with the table at rest.
func settle(t *testing.T, table *Table, results [][]Result) {
	for key := uint32(1); key < uint32(len(results[0])); key++ {
		winner, exists := -1, false
		for actor := range results {
			switch results[actor][key] {
			case Added:
				if winner >= 0 {
					t.Errorf("key %d: added by %d and by %d", key, winner, actor)
				}
				winner = actor
			case Exists:
				exists = true
			}
		}
		v, ok := table.Get(key)
		switch {
		case winner >= 0 && (!ok || v != value(key, winner)):
			t.Errorf("key %d of actor %d: %#x, %v", key, winner, v, ok)
		case winner < 0 && (ok || exists):
			t.Errorf("key %d: nobody added it; found %v, exists %v", key, ok, exists)
		}
	}
}

func TestTable_DoesNotAllocate(t *testing.T) {
	table, h := newTable(t, geometries[5])
	key := uint32(0)
	if n := testing.AllocsPerRun(10000, func() {
		key++
		if _, err := h.Add(key, 1); err != nil {
			t.Fatal(err)
		}
		if _, ok := table.Get(key); !ok {
			t.Fatal(key)
		}
		table.Get(key + 1<<20)
	}); n != 0 {
		t.Errorf("%v allocations for an add and two gets", n)
	}
}

// TestAdd_TriesTheOtherHalf: with a window that is full in the chosen half the element goes to the
// other one, and Full comes only when both have no place.
func TestAdd_TriesTheOtherHalf(t *testing.T) {
	p := newPlanted(t)
	p.keepAll = true
	h, err := p.NewHandle(5)
	if err != nil {
		t.Fatal(err)
	}
	// Keys of home 2 in half 0: the window 2..5 takes four of them at most.
	var results []Result
	for nth := range 30 {
		r, err := h.Add(uint32(p.key(0, 2, nth)), 9)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	clean(t, p.Table)
	n := Measure(p.Table)
	var added, full int
	for _, r := range results {
		switch r {
		case Added:
			added++
		case Full:
			full++
		}
	}
	if n.Elements != 4+added || added+full+2 != len(results) || full == 0 {
		t.Errorf("%d added, %d full, %d elements", added, full, n.Elements)
	}
	for cell := uint32(2); cell < 6; cell++ {
		if p.word0(0, cell).Key() == KeyNone {
			t.Errorf("cell 0.%d is empty, and there was an element to put there", cell)
		}
	}
}
