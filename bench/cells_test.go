package bench

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// few keys make a table that tests fill in no time.
const few = 3 * chunk

// smallBench is a bench whose tables and peers have few keys.
func smallBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{Options: Options{Root: "..", Dir: t.TempDir(), Rounds: 1, Say: t.Logf},
		dir: t.TempDir(), keys: PresentKeys(few)}
	t.Cleanup(b.forget)
	return b
}

// TestOne_LeavesNoRowOut: a cell that fails, or gives no figure for a row, has all its rows.
func TestOne_LeavesNoRowOut(t *testing.T) {
	announced := []Row{versus("index/get/x", "xsync", "ns/op").atMost(1),
		versus("index/get/x", "map", "ns/op")}
	broken := errors.New("as planted")
	for _, c := range []struct {
		rows []Row
		err  error
		runs []string // reasons
		want error
	}{
		{nil, broken, []string{"as planted", "as planted"}, broken},
		{announced[:1], nil, []string{"", errNoFigure.Error()}, nil},
		{[]Row{{Name: "index/get/x/stranger"}}, nil, []string{"row that", "row that"}, errStranger},
	} {
		rows, err := smallBench(t).one(t.Context(), cell{part: "index/get", rows: announced,
			run: func(context.Context, *bench) ([]Row, error) { return c.rows, c.err }})
		if !errors.Is(err, c.want) || len(rows) != 2 {
			t.Fatalf("%d rows, %v, want 2, %v", len(rows), err, c.want)
		}
		for i, r := range rows {
			if !strings.HasPrefix(r.NotRun, c.runs[i]) || c.runs[i] == "" && r.NotRun != "" {
				t.Errorf("row %s: %q, want %q", r.Name, r.NotRun, c.runs[i])
			}
		}
	}
}

// TestCompare_AbsentPeer: a peer that cannot be built, is not safe, or is wrong is NOT RUN with the
// reason; the others have figures.
func TestCompare_AbsentPeer(t *testing.T) {
	fine := func(name string) Subject { return Subject{Name: name, Ops: 1, Run: func() int { return 0 }} }
	k := contest{name: "index/mix/x", subjects: []Subject{fine(ourName)}}
	for _, p := range []string{"absent", "unsafe", "wrong", "fine"} {
		k.rows = append(k.rows, versus(k.name, p, "ns/op"))
	}
	k.entrants([]loaded{{peer: peer{name: "absent"}, err: errAbsent},
		{peer: peer{name: "unsafe", alone: true}}, {peer: peer{name: "wrong"}}, {peer: peer{name: "fine"}}},
		false, func(l loaded) Subject {
			s := fine(l.name)
			if l.name == "wrong" {
				s.Run = func() int { return 1 }
			}
			return s
		})
	rows, err := smallBench(t).compare(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{errAbsent.Error(), errAlone.Error(), "wrong: " + ErrWrong.Error(), ""} {
		if !strings.HasPrefix(rows[i].NotRun, want) || want == "" && rows[i].NotRun != "" {
			t.Errorf("%s: %q, want %q", rows[i].Name, rows[i].NotRun, want)
		}
	}
	k.subjects[0].Run = func() int { return 1 }
	rows, err = smallBench(t).compare(t.Context(), k)
	if !errors.Is(err, ErrWrong) || rows[0].NotRun != errAbsent.Error() || rows[3].NotRun == "" {
		t.Errorf("ours being wrong gave %+v, %v", rows, err)
	}
}

// TestGrant_RefusesSmallPages is the canary of the memory's name.
func TestGrant_RefusesSmallPages(t *testing.T) {
	m := fileMemory(t.TempDir() + "/region")
	r, err := m.make(layoutFor(few, 0.5))
	if err != nil {
		t.Fatal(err)
	}
	defer dispose(r)
	if err := m.grantWritten(r); err != nil {
		t.Errorf("a file that promises nothing: %v", err)
	}
	if m.least = 1.01; !errors.Is(m.grant(r), errNoHuge) {
		t.Errorf("a region that cannot be all on huge pages: %v", m.grant(r))
	}
}

// everyStore is ours and all peers, with few keys in.
func everyStore(t *testing.T, b *bench) map[string]store {
	t.Helper()
	table, err := b.tableOf("file", 0.5)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]store{ourName: table.ours}
	for _, l := range b.peers() {
		if l.err != nil {
			t.Fatalf("%s: %v", l.name, l.err)
		}
		all[l.name] = l.store
	}
	return all
}

// TestStores: what is measured does what it is taken for, and the loops notice when it does not.
func TestStores(t *testing.T) {
	b := smallBench(t)
	absent := AbsentDraws(few, few)
	for name, s := range everyStore(t, b) {
		if n := s.gets(b.keys, true) + s.gets(absent, false); n != 0 {
			t.Errorf("%s: %d gets are wrong", name, n)
		}
		if n := s.gets(absent, true); n != few {
			t.Errorf("%s: %d gets of absent keys as present are noticed, want all", name, n)
		}
		if n := s.gets(b.keys, false); n != few {
			t.Errorf("%s: %d gets of present keys as absent are noticed, want all", name, n)
		}
		if n := s.sets(b.keys, flipped) + notSet(s, b.keys, flipped); n != 0 {
			t.Errorf("%s: %d sets are wrong", name, n)
		}
		if n := notSet(s, b.keys, straight); n != checked {
			t.Errorf("%s: %d sets that did not come are noticed, want %d", name, n, checked)
		}
		if seen, wrong := s.walks(); seen != few || wrong != 0 {
			t.Errorf("%s: a walk saw %d, %d of them wrong", name, seen, wrong)
		}
		if name != "map" {
			if n := s.mixes(1, b.keys, MixPattern(), straight); n != 0 {
				t.Errorf("%s: %d mixed operations are wrong", name, n)
			}
			if n := s.mixes(0, absent[:1], []bool{true}, straight); n != 1 {
				t.Errorf("%s: a mixed get of an absent key is not noticed", name)
			}
		}
		s.sets(b.keys[:1], 1)
		if n := s.gets(b.keys[:1], true); n != 1 {
			t.Errorf("%s: a value that is neither straight nor flipped is not noticed", name)
		}
	}
}

func TestOurs_Batches(t *testing.T) {
	b := smallBench(t)
	table, err := b.tableOf("file", 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if n := table.batches(b.keys, 32); n != 0 {
		t.Errorf("%d batches are wrong", n)
	}
	if n := table.batches(AbsentDraws(few, 64), 32); n == 0 {
		t.Error("batches of absent keys are not noticed")
	}
	for name, adds := range map[string]func(keys []uint32) int{
		"singly": table.adds, "in two stages": table.addsStaged, "in batches": table.addsBatched} {
		if err := table.anew(); err != nil {
			t.Fatal(err)
		}
		if n := adds(b.keys); n != 0 {
			t.Errorf("%d adds %s are wrong", n, name)
		}
		// More than one part of each way, and a part that is not whole.
		if n := adds(b.keys[:2*addBatch+5]); n != 2*addBatch+5 {
			t.Errorf("%d adds %s of keys that are there are noticed, want %d", n, name, 2*addBatch+5)
		}
		if seen, wrong := table.walks(); seen != len(b.keys)-len(table.left) || wrong != 0 {
			t.Errorf("%d elements after adds %s, %d of them wrong; want %d without %d", seen, name, wrong,
				len(b.keys), len(table.left))
		}
	}
}

func TestFirstHandOver(t *testing.T) {
	load, err := firstHandOver(hopscotch.Layout{CellsPerHalf: 512, Window: 32, Descriptors: 1}, 1)
	if err != nil || load <= 0.3 || load > 1 {
		t.Errorf("the first element leaves at the load %v, %v", load, err)
	}
	// Two cells a half of which one bucket uses two: the first element leaves early.
	small, err := firstHandOver(hopscotch.Layout{CellsPerHalf: 2, Window: 2, Descriptors: 1}, 1)
	if err != nil || small <= 0 || small > 1 {
		t.Errorf("of four cells: %v, %v", small, err)
	}
}

func TestAllocRows(t *testing.T) {
	announced := []Row{Row{Name: "index/allocs/get", Against: number, Unit: "allocs/op"}.atMost(0),
		versus("index/allocs/get", "map", "allocs/op")}
	sample := func(name string, allocs float64) Sample {
		return Sample{Name: name, Ops: 1000, NS: []float64{1}, Allocs: []float64{allocs}}
	}
	rows := allocRows(announced, "index/allocs/get", []Sample{sample(ourName, 0.0004), sample("map", 1)})
	if len(rows) != 2 || rows[0].verdict() != "met" || rows[1].Ratio != 0 {
		t.Errorf("no allocation is %+v", rows)
	}
	rows = allocRows(announced, "index/allocs/get", []Sample{sample(ourName, 1), sample("map", 1)})
	if rows[0].verdict() != "missed" || rows[1].Ratio != 1 {
		t.Errorf("an allocation is %+v", rows)
	}
}

// TestOther: the second process works between two calls, and only then.
func TestOther(t *testing.T) {
	b := smallBench(t)
	table, err := b.tableOf("file", 0.5)
	if err != nil {
		t.Fatal(err)
	}
	o, err := startOther(t.Context(), roleSet, table.region.File())
	if err != nil {
		t.Fatal(err)
	}
	defer o.End()
	for range 3 {
		if err := o.Work(); err != nil {
			t.Fatal(err)
		}
		if n := table.gets(b.keys, true) + o.Rest(); n != 0 {
			t.Errorf("%d results are wrong", n)
		}
	}
	if len(o.rates) != 3 || o.rates[0] <= 0 {
		t.Errorf("its rates are %v", o.rates)
	}
}

// TestOther_Canary: a second process that is gone, or finds its keys gone, is noticed.
func TestOther_Canary(t *testing.T) {
	b := smallBench(t)
	table, err := b.tableOf("file", 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := startOther(t.Context(), roleGet, table.region.File()+".none"); !errors.Is(err, errChild) {
		t.Errorf("a file that is none: %v", err)
	}
	o, err := startOther(t.Context(), roleGet, table.region.File())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.handles[0].Clear(func(hopscotch.Leaving) {}); err != nil {
		t.Fatal(err)
	}
	if err := o.Work(); err != nil {
		t.Fatal(err)
	}
	if n := o.Rest(); n < chunk {
		t.Errorf("%d gets of keys that are gone are noticed, want %d at least", n, chunk)
	}
	o.End()
	if n := o.Rest(); n != 1 {
		t.Errorf("a process that has ended counts as %d wrong results", n)
	}
}

func TestKeys_AreDistinct(t *testing.T) {
	seen := map[uint32]bool{}
	for _, key := range append(PresentKeys(1000), AbsentDraws(1000, 1000)...) {
		if key == 0 || key == 1<<32-1 || seen[key] {
			t.Fatalf("key %d is reserved or comes twice", key)
		}
		seen[key] = true
	}
}

// TestDraws: a zipf of 0.99 over 1000 keys gives the first one 13 % of the draws, uniform ones 0.1 %.
func TestDraws(t *testing.T) {
	keys := PresentKeys(1000)
	count := func(drawn []uint32) (first, foreign int) {
		known := map[uint32]bool{}
		for _, k := range keys {
			known[k] = true
		}
		for _, k := range drawn {
			if k == keys[0] {
				first++
			}
			if !known[k] {
				foreign++
			}
		}
		return first, foreign
	}
	if first, foreign := count(ZipfDraws(keys, 100_000)); first < 12_000 || first > 14_500 || foreign != 0 {
		t.Errorf("zipf draws the first key %d times, and %d foreign ones", first, foreign)
	}
	if first, foreign := count(UniformDraws(keys, 100_000)); first < 50 || first > 150 || foreign != 0 {
		t.Errorf("uniform draws the first key %d times, and %d foreign ones", first, foreign)
	}
	reads := 0
	for _, r := range MixPattern() {
		if r {
			reads++
		}
	}
	if reads != 2048 {
		t.Errorf("%d of 4096 operations read", reads)
	}
}

// TestAll_Interrupt: the parts before the one that an interrupt cuts short are written, it is not.
func TestAll_Interrupt(t *testing.T) {
	b := smallBench(t)
	ctx, stop := context.WithCancel(t.Context())
	part := func(name string, run func(r Row) Row) cell {
		rows := []Row{versus(name+"/x", "xsync", "ns/op")}
		return cell{part: name, rows: rows, run: func(context.Context, *bench) ([]Row, error) {
			return []Row{run(rows[0])}, nil
		}}
	}
	_, err := b.all(ctx, []cell{part("index/get", func(r Row) Row { r.Ratio = 2; return r }),
		part("index/set", func(r Row) Row { stop(); return r })})
	if err == nil || !strings.Contains(err.Error(), "interrupted in index/set/x") {
		t.Errorf("an interrupt ends with %v", err)
	}
	all, err := Merge(b.Dir, nil)
	if err != nil || len(all) != 1 || all[0].Name != "index/get/x/xsync" || all[0].Ratio != 2 {
		t.Errorf("what was written is %+v, %v", all, err)
	}
}

// TestCollect: a collection with nothing in takes some time; a subject that is none is refused.
func TestCollect(t *testing.T) {
	if ns, err := childCollects(t.Context(), "empty"); err != nil || ns <= 0 {
		t.Errorf("an empty heap: %v ns, %v", ns, err)
	}
	if _, err := childCollects(t.Context(), "nonsense"); !errors.Is(err, errChild) {
		t.Errorf("a subject that is none: %v", err)
	}
}
