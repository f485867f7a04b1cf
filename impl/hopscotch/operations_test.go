package hopscotch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
)

// ledger is what a table must hold. Values are never used twice, so each can be followed: it is
// the value of a live element, or lost in a cell that nobody has cropped, or with the caller.
type ledger struct {
	t      *testing.T
	table  *Table
	handle *Handle
	live   map[uint32]uint32 // key -> value
	lost   map[uint32]bool   // value
	value  uint32            // the last one that was used
	count  map[string]int
}

func newLedger(t *testing.T, l Layout, o Options) *ledger {
	table, h := newTableWith(t, l, o)
	return &ledger{t: t, table: table, handle: h, live: map[uint32]uint32{},
		lost: map[uint32]bool{}, count: map[string]int{}}
}

// settle books what has left by the last call.
func (g *ledger) settle(what string, key uint32) {
	g.t.Helper()
	for _, l := range g.handle.Left() {
		switch {
		case l.Key == 0 && g.lost[l.Value]:
			delete(g.lost, l.Value)
			g.count["reclaimed"]++
		case l.Key != 0 && g.live[l.Key] == l.Value && what == "add" && !g.table.keepAll:
			delete(g.live, l.Key)
			g.count["evicted"]++
		default:
			g.t.Fatalf("%s of %d: %+v left, which nobody can have let go", what, key, l)
		}
	}
}

func (g *ledger) fail(what string, key uint32, err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatalf("%s of %d: %v", what, key, err)
	}
}

// step makes one random operation on the key and books it.
func (g *ledger) step(random *rand.Rand, key uint32) {
	g.t.Helper()
	h := g.handle
	_, there := g.live[key]
	switch what := random.Uint32N(16); {
	case what < 7:
		g.value++
		r, err := h.Add(key, g.value)
		g.fail("add", key, err)
		g.settle("add", key)
		switch {
		case r == Exists != there, r == Full && !g.table.keepAll:
			g.t.Fatalf("add of %d: %v, but in the ledger: %v", key, r, there)
		case r == Added:
			g.live[key] = g.value
		}
		g.count[r.String()]++
	case what < 10:
		g.value++
		old, ok, err := h.Update(key, g.value)
		g.fail("update", key, err)
		if ok != there || old != g.live[key] {
			g.t.Fatalf("update of %d: %d, %v; want %d, %v", key, old, ok, g.live[key], there)
		}
		if ok {
			g.live[key] = g.value
			g.count["updated"]++
		}
	case what < 14:
		ok, err := h.Delete(key)
		g.fail("delete", key, err)
		if ok != there {
			g.t.Fatalf("delete of %d: %v, want %v", key, ok, there)
		}
		if ok {
			g.lost[g.live[key]] = true
			delete(g.live, key)
			g.count["deleted"]++
		}
	case what < 15:
		g.fail("crop", key, h.Crop(key))
		g.settle("crop", key)
		g.tended(key)
	default:
		before := Measure(g.table)
		g.fail("restore", key, h.Restore(key))
		if len(h.Left()) != 0 || Measure(g.table) != before {
			g.t.Fatalf("restore of %d: it changed a table at rest", key)
		}
	}
}

// tended: the buckets of the key have no lost cell.
func (g *ledger) tended(key uint32) {
	g.t.Helper()
	var homes [2]uint32
	homes[0], homes[1] = g.table.homes(Key(key))
	for half, home := range homes {
		h := &g.table.halves[half]
		word := Word0(h.cell(home).word0.Load())
		if word.Form() != FormBase {
			continue
		}
		if word.Key() == KeyLost {
			g.t.Fatalf("crop of %d: cell %d.%d is lost", key, half, home)
		}
		for m := word.Map(); m != 0; m = m.Rest() {
			if Word0(h.at(home, m.First()).word0.Load()).Key() == KeyLost {
				g.t.Fatalf("crop of %d: a member of %d.%d is lost", key, half, home)
			}
		}
	}
}

// compare holds the table against the ledger.
func (g *ledger) compare(keys uint32) {
	g.t.Helper()
	for key := uint32(1); key <= keys; key++ {
		v, ok, err := g.table.Lookup(key)
		if want, there := g.live[key]; err != nil || ok != there || v != want {
			g.t.Fatalf("get of %d: %d, %v, %v; want %d, %v", key, v, ok, err, want, there)
		}
	}
	clean(g.t, g.table)
	if n := Measure(g.table); n.Elements != len(g.live) || n.Lost != len(g.lost) {
		g.t.Fatalf("%d elements, %d lost; want %d, %d", n.Elements, n.Lost, len(g.live), len(g.lost))
	}
}

// TestTable_BehavesAsAMap runs random programs of all operations on one handle, in every corner of
// the geometry: windows of the whole ring, around its end, and of all that a word can name.
func TestTable_BehavesAsAMap(t *testing.T) {
	for _, c := range []struct {
		cells, window uint32
		seeds, steps  int
		want          []string
	}{
		{2, 2, 150, 150, []string{"evicted"}},
		{4, 3, 200, 200, []string{"evicted"}},
		{8, 8, 60, 300, []string{"evicted"}},
		{9, 2, 60, 300, []string{"evicted"}},
		{37, 5, 20, 1500, []string{"evicted"}},
		{32, 32, 10, 1500, []string{"evicted"}},
		{33, 32, 10, 1500, []string{"evicted"}},
		{200, 32, 4, 6000, nil},
	} {
		for _, o := range []Options{{}, keepAll} {
			t.Run(fmt.Sprintf("%dx%d/%v", c.cells, c.window, o.KeepAll), func(t *testing.T) {
				count := map[string]int{}
				for seed := range uint64(c.seeds) {
					g := newLedger(t, Layout{CellsPerHalf: c.cells, Window: c.window,
						Descriptors: 2}, o)
					g.run(seed, 3*c.cells, c.steps)
					for what, n := range g.count {
						count[what] += n
					}
				}
				want := append([]string{"added", "exists", "updated", "deleted", "reclaimed"}, c.want...)
				if o.KeepAll {
					want = append(want[:5], "full")
				}
				for _, what := range want {
					if count[what] == 0 && c.cells < 200 {
						t.Errorf("never %s: %v", what, count)
					}
				}
				t.Log(count)
			})
		}
	}
}

// run makes a random program on keys up to the given one, then crops everything.
func (g *ledger) run(seed uint64, keys uint32, steps int) {
	g.t.Helper()
	g.table.patience = 20_000
	random := rand.New(rand.NewPCG(seed, 7))
	for i := range steps {
		g.step(random, 1+random.Uint32N(keys))
		if g.table.cells <= 9 || i%64 == 0 {
			g.compare(keys)
		}
	}
	err := g.handle.CropAll(func(l Leaving) {
		if l.Key != 0 || !g.lost[l.Value] {
			g.t.Fatalf("crop of all: %+v left", l)
		}
		delete(g.lost, l.Value)
	})
	if err != nil || len(g.lost) != 0 || len(g.handle.Left()) != 0 {
		g.t.Fatalf("crop of all: %v; %d values are still lost", err, len(g.lost))
	}
	g.fail("restore of all", 0, g.handle.RestoreAll())
	g.compare(keys)
}

// The ledger's checks can fail.
func TestLedger_Canaries(t *testing.T) {
	for name, spoil := range map[string]func(g *ledger){
		"value": func(g *ledger) { g.live[1]++ },
		"key":   func(g *ledger) { g.live[999] = 1 },
		"lost":  func(g *ledger) { g.lost[4711] = true },
	} {
		t.Run(name, func(t *testing.T) {
			g := newLedger(t, geometries[3], Options{})
			if _, err := g.handle.Add(1, 5); err != nil {
				t.Fatal(err)
			}
			g.live[1] = 5
			g.compare(5)
			spoil(g)
			if refused := probeTest(func(probe *testing.T) { g.t = probe; g.compare(5) }); !refused {
				t.Error("the ledger accepts it")
			}
		})
	}
}

// probeTest reports whether a check fails, on a test of its own that nobody sees.
func probeTest(check func(*testing.T)) bool {
	probe := &testing.T{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		check(probe)
	}()
	<-done
	return probe.Failed()
}

func TestHandle_RefusesWhatIsNoCall(t *testing.T) {
	_, h := newTable(t, geometries[0])
	calls := map[string]func(key uint32) error{
		"add":     func(k uint32) error { _, err := h.Add(k, 1); return err },
		"update":  func(k uint32) error { _, _, err := h.Update(k, 1); return err },
		"delete":  func(k uint32) error { _, err := h.Delete(k); return err },
		"crop":    h.Crop,
		"restore": h.Restore,
	}
	for what, call := range calls {
		for _, key := range []uint32{0, 0xFFFFFFFF} {
			if err := call(key); !errors.Is(err, ErrKey) {
				t.Errorf("%s of %#x: %v", what, key, err)
			}
		}
	}
	if _, _, err := h.Update(1, 0); !errors.Is(err, ErrValue) {
		t.Errorf("update to value 0: %v", err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	calls["crop of all"] = func(uint32) error { return h.CropAll(nil) }
	calls["restore of all"] = func(uint32) error { return h.RestoreAll() }
	for what, call := range calls {
		if err := call(1); !errors.Is(err, ErrClosed) {
			t.Errorf("%s after close: %v", what, err)
		}
	}
}

func TestHandle_DoesNotAllocate(t *testing.T) {
	table, h := newTable(t, geometries[5])
	for key := uint32(1); key <= 40_000; key++ {
		if _, err := h.Add(key, key); err != nil {
			t.Fatal(err)
		}
	}
	key := uint32(0)
	if n := testing.AllocsPerRun(10_000, func() {
		key++
		if v, ok := table.Get(key); !ok || v != key {
			t.Fatal(key)
		}
		if old, ok, err := h.Update(key, 1<<20); !ok || old != key || err != nil {
			t.Fatal(key, err)
		}
		if ok, err := h.Delete(key); !ok || err != nil {
			t.Fatal(key, err)
		}
		if ok, err := h.Delete(key); ok || err != nil {
			t.Fatal(key, err)
		}
		if err := h.Crop(key); err != nil || len(h.Left()) == 0 {
			t.Fatal(key, err)
		}
	}); n != 0 {
		t.Errorf("%v allocations for a get, an update, two deletes and a crop", n)
	}
}
