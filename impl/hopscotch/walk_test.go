package hopscotch

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// collect walks the table; a key that comes twice fails the test.
func collect(t *testing.T, table *Table) map[uint32]uint32 {
	t.Helper()
	got := map[uint32]uint32{}
	err := table.Walk(func(key, value uint32) bool {
		if _, twice := got[key]; twice {
			t.Errorf("key %d comes twice", key)
		}
		got[key] = value
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A random sequence of operations on a table and on a Go map: iteration, batch, prepared gets and
// the map agree after each few.
func TestWalkAndBatch_AgainstMap(t *testing.T) {
	for _, l := range geometries {
		if l.CellsPerHalf > 1000 {
			l.CellsPerHalf = 1000
		}
		for seed := range uint64(20) {
			table, h := newTable(t, l)
			random := rand.New(rand.NewPCG(seed, 2))
			want := map[uint32]uint32{}
			keys := 3 * l.CellsPerHalf
			for step := range 4 * l.CellsPerHalf {
				change(t, h, random, keys, want)
				if step%(l.CellsPerHalf/2+1) == 0 || step == 4*l.CellsPerHalf-1 {
					agree(t, table, keys, want)
				}
			}
		}
	}
}

// change makes one random change, prepared or not, to the table and to the map.
func change(t *testing.T, h *Handle, random *rand.Rand, keys uint32, want map[uint32]uint32) {
	t.Helper()
	key, value := 1+random.Uint32N(keys), 1+random.Uint32N(1<<20)
	p, err := h.Table().Prepare(key)
	if err != nil || p.Key() != key {
		t.Fatal(p, err)
	}
	_, there := want[key]
	switch random.Uint32N(6) {
	case 0, 1, 2:
		e, err := h.Table().PrepareAdd(key, value)
		if err != nil || e.Value() != value {
			t.Fatal(e, err)
		}
		r, err := h.AddPrepared(e)
		if err != nil || r == Exists != there {
			t.Fatalf("add of %d: %v, %v; there: %v", key, r, err, there)
		}
		for _, l := range h.Left() {
			delete(want, l.Key)
		}
		if r == Added {
			want[key] = value
		}
	case 3:
		old, ok, err := h.UpdatePrepared(p, value)
		if err != nil || ok != there || old != want[key] {
			t.Fatalf("update of %d: %d, %v, %v; want %d", key, old, ok, err, want[key])
		}
		if ok {
			want[key] = value
		}
	case 4:
		if ok, err := h.DeletePrepared(p); err != nil || ok != there {
			t.Fatalf("delete of %d: %v, %v", key, ok, err)
		}
		delete(want, key)
	case 5:
		if err := h.Crop(key); err != nil {
			t.Fatal(err)
		}
	}
}

// agree holds all ways to read the table against the map.
func agree(t *testing.T, table *Table, keys uint32, want map[uint32]uint32) {
	t.Helper()
	if got := collect(t, table); !maps.Equal(got, want) {
		t.Fatalf("walk: %v, want %v", got, want)
	}
	if got := maps.Collect(table.All()); !maps.Equal(got, want) {
		t.Fatalf("all: %v, want %v", got, want)
	}
	batch := make([]uint32, 0, keys+2)
	for key := range keys + 1 { // 0 is reserved
		batch = append(batch, key)
	}
	batch = append(batch, 0xFFFFFFFF)
	values, found := make([]uint32, len(batch)), make([]bool, len(batch))
	for i := range found {
		values[i], found[i] = 99, i%2 == 0 // must be overwritten
	}
	n, err := table.GetBatch(batch, values, found)
	if err != nil || n != len(want) {
		t.Fatalf("batch: %d, %v; want %d", n, err, len(want))
	}
	for i, key := range batch {
		value, there := want[key]
		if found[i] != there || values[i] != value {
			t.Fatalf("batch: key %d is %d, %v; want %d, %v", key, values[i], found[i], value, there)
		}
		if Key(key).Reserved() {
			continue
		}
		p, err := table.Prepare(key)
		if err != nil {
			t.Fatal(err)
		}
		if v, ok, err := table.GetPrepared(p); err != nil || ok != there || v != value {
			t.Fatalf("prepared get of %d: %d, %v, %v; want %d, %v", key, v, ok, err, value, there)
		}
	}
}

func TestWalk_EndsWhenToldTo(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 1})
	for key := uint32(1); key <= 20; key++ {
		if _, err := h.Add(key, key); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for key, value := range table.All() {
		if n++; key != value {
			t.Errorf("key %d has value %d", key, value)
		}
		if n == 7 {
			break
		}
	}
	if n != 7 {
		t.Errorf("%d elements came, want 7", n)
	}
}

// What yield does to the table is seen or not, but nothing comes twice: each key that is deleted and
// added again has a chance to appear in the other half.
func TestWalk_TableMayChangeMeanwhile(t *testing.T) {
	again := 0
	for seed := range uint32(50) {
		table, h := newTable(t, Layout{CellsPerHalf: 32, Window: 8, Descriptors: 1})
		for key := uint32(1); key <= 24; key++ {
			if r, err := h.Add(key+100*seed, 1); r != Added || err != nil || len(h.Left()) != 0 {
				t.Fatal(r, err, h.Left())
			}
		}
		seen := map[uint32]bool{}
		for key := range table.All() {
			if seen[key] {
				t.Fatalf("seed %d: key %d comes twice", seed, key)
			}
			seen[key] = true
			half := halfOf(t, table, key)
			if ok, err := h.Delete(key); !ok || err != nil {
				t.Fatal(ok, err)
			}
			if r, err := h.Add(key, 2); r != Added || err != nil {
				t.Fatal(r, err)
			}
			if half == 0 && halfOf(t, table, key) == 1 {
				again++
			}
		}
		if len(seen) != 24 {
			t.Errorf("seed %d: %d elements came, want 24", seed, len(seen))
		}
	}
	if again < 10 {
		t.Errorf("only %d elements went to the other half: nothing was tested", again)
	}
}

// halfOf is where the key is, found without the code under test.
func halfOf(t *testing.T, table *Table, key uint32) uint32 {
	t.Helper()
	for _, c := range Snapshot(table, DumpOptions{}).Cells {
		if c.Key == key {
			return c.Half
		}
	}
	t.Fatalf("key %d is in no cell", key)
	return 0
}

func TestWalk_TellsDamage(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 1})
	for key := uint32(1); key <= 4; key++ {
		if _, err := h.Add(key, key); err != nil {
			t.Fatal(err)
		}
	}
	c := table.halves[1].cell(7)
	for what, word := range map[string]Word0{
		"no form":              1 << 30 << 1,
		"member out of window": BaseWord(7, Map(0).With(5)),
		"no such descriptor":   OperatingWord(7, table.refs.Make(3, 1)),
	} {
		if what == "no form" {
			word = Word0(7)<<keyShift | cbitMark
		}
		c.word0.Store(uint64(word))
		if err := table.Walk(func(_, _ uint32) bool { return true }); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", what, err)
		}
		n := 0
		for range table.All() {
			n++
		}
		if n > 4 {
			t.Errorf("%s: %d elements", what, n)
		}
	}
}

func TestPrepared_RefusesWhatItIsNotFor(t *testing.T) {
	l := Layout{CellsPerHalf: 8, Window: 4, Descriptors: 1}
	table, h := newTable(t, l)
	l.CellsPerHalf = 1 << 10
	large, _ := newTable(t, l)
	foreign, err := large.PrepareAdd(5, 50)
	if err != nil {
		t.Fatal(err)
	}
	vast, err := table.PrepareAdd(5, 50)
	if err != nil {
		t.Fatal(err)
	}
	vast.layout += homing(1<<31) << 1 // more cells than can be had here
	for _, c := range []struct {
		what string
		p    PreparedAdd
		want error
	}{
		{"of another table", foreign, ErrHomes},
		{"of a vast table", vast, ErrHomes},
		{"zero", PreparedAdd{}, ErrKey},
	} {
		_, err0 := h.AddPrepared(c.p)
		_, _, err1 := h.UpdatePrepared(c.p.Prepared, 1)
		_, err2 := h.DeletePrepared(c.p.Prepared)
		_, _, err3 := table.GetPrepared(c.p.Prepared)
		for i, err := range []error{err0, err1, err2, err3} {
			if !errors.Is(err, c.want) {
				t.Errorf("%s, call %d: %v, want %v", c.what, i, err, c.want)
			}
		}
	}
	for _, key := range []uint32{0, 0xFFFFFFFF} {
		if _, err := table.Prepare(key); !errors.Is(err, ErrKey) {
			t.Errorf("key %#x: %v", key, err)
		}
		if _, err := table.PrepareAdd(key, 1); !errors.Is(err, ErrKey) {
			t.Errorf("key %#x: %v", key, err)
		}
	}
	if _, err := table.PrepareAdd(5, 0); !errors.Is(err, ErrValue) {
		t.Errorf("value 0: %v", err)
	}
	p, _ := table.Prepare(5)
	if _, err := h.AddPrepared(PreparedAdd{Prepared: p}); !errors.Is(err, ErrValue) {
		t.Errorf("add without a value: %v", err)
	}
	if _, _, err := h.UpdatePrepared(p, 0); !errors.Is(err, ErrValue) {
		t.Errorf("update without a value: %v", err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.DeletePrepared(p); !errors.Is(err, ErrClosed) {
		t.Errorf("delete with a closed handle: %v", err)
	}
	clean(t, table)
}

// TestPrepared_TellsWhichHomes: of tables of one size, near homes are of no use where homes are apart.
func TestPrepared_TellsWhichHomes(t *testing.T) {
	tables := map[Placement]*Table{}
	for _, homes := range []Placement{HomesNear, HomesApart} {
		tables[homes], _ = newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 1,
			Homes: homes})
	}
	for from, to := range map[Placement]Placement{HomesNear: HomesApart,
		HomesApart: HomesNear} {
		p, err := tables[from].Prepare(5)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = tables[to].GetPrepared(p)
		const cells = "8 cells a half, homes"
		says := fmt.Sprintf("get of key %v: %v (for %s %v, this one has %s %v)", Key(5), ErrHomes, cells,
			from, cells, to)
		if !errors.Is(err, ErrHomes) || err.Error() != says {
			t.Errorf("%v; want that it says %q", err, says)
		}
	}
}

// A key that a batch has more than once is got, and counted, as often: next to itself, and with others in
// between.
func TestGetBatch_CountsAKeyAsOftenAsItComes(t *testing.T) {
	table, h := newTable(t, geometries[0])
	if r, err := h.Add(7, 70); r != Added || err != nil {
		t.Fatal(r, err)
	}
	keys, want := []uint32{7, 7, 8, 8, 7, 0, 7}, []uint32{70, 70, 0, 0, 70, 0, 70}
	values, found := make([]uint32, len(keys)), make([]bool, len(keys))
	n, err := table.GetBatch(keys, values, found)
	if n != 4 || err != nil || !slices.Equal(values, want) {
		t.Errorf("%d found, %v: %v, want 4: %v", n, err, values, want)
	}
	for i, there := range found {
		if there != (want[i] != 0) {
			t.Errorf("key %d at %d: found %t", keys[i], i, there)
		}
	}
}

func TestGetBatch_RefusesSlicesThatDoNotFit(t *testing.T) {
	table, h := newTable(t, geometries[1])
	if _, err := h.Add(1, 1); err != nil {
		t.Fatal(err)
	}
	keys, values, found := []uint32{1, 2}, []uint32{7, 7}, []bool{false, true}
	for _, c := range []struct {
		values []uint32
		found  []bool
	}{{values[:1], found}, {values, found[:1]}, {nil, nil}} {
		n, err := table.GetBatch(keys, c.values, c.found)
		says := fmt.Sprintf("2 keys into %d values and %d flags", len(c.values), len(c.found))
		if n != 0 || !errors.Is(err, ErrBatch) || !strings.Contains(err.Error(), says) {
			t.Errorf("%d, %v; want that it says %q", n, err, says)
		}
	}
	if values[0] != 7 || found[0] || !found[1] {
		t.Error("a refused batch wrote something")
	}
	if n, err := table.GetBatch(nil, nil, nil); n != 0 || err != nil {
		t.Errorf("empty batch: %d, %v", n, err)
	}
}

func TestReading_DoesNotAllocate(t *testing.T) {
	table, h := newTable(t, geometries[4])
	keys := freshKeys(50)
	for _, key := range keys {
		if _, err := h.Add(key, 1); err != nil {
			t.Fatal(err)
		}
	}
	values, found := make([]uint32, len(keys)), make([]bool, len(keys))
	if n := testing.AllocsPerRun(100, func() {
		if n, err := table.GetBatch(keys, values, found); n == 0 || err != nil {
			t.Fatal(n, err)
		}
		p, err := table.Prepare(keys[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := h.UpdatePrepared(p, 2); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
}

// TestWalk_MeetsADamagedBaseInOperation: what is behind the base is of one operation, but the base's own
// value is no word of the protocol.
func TestWalk_MeetsADamagedBaseInOperation(t *testing.T) {
	p := newPlanted(t)
	p.operate(2)
	p.put(0, 2, p.word0(0, 2), MakeWord1(20, 5).Freeze()|1<<30)
	if err := p.Walk(func(uint32, uint32) bool { return true }); !errors.Is(err, ErrCorrupt) {
		t.Errorf("walk: %v, want ErrCorrupt", err)
	}
}
