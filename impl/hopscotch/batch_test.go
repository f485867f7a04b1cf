package hopscotch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// loaded is a table whose adds run the same way twice, and what its handle has handed over.
type loaded struct {
	*Table
	h    *Handle
	over []Leaving
}

func newLoaded(t *testing.T, l Layout, o Options) *loaded {
	t.Helper()
	ties := rand.New(rand.NewPCG(1, 1))
	x := &loaded{}
	o.Tie = ties.Uint32
	x.Table, x.h = newTableWith(t, l, o)
	x.h.HandOver(func(l Leaving) { x.over = append(x.over, l) })
	x.h.Assist(7, 2)
	return x
}

// words are those of cells and descriptors.
func (x *loaded) words() []uint64 {
	return x.region.Words().Plain()[x.Region().Layout().Offset(Engine, SectionCells)/region.WordBytes:]
}

// singles adds the elements one by one.
func (x *loaded) singles(t *testing.T, keys, values []uint32) (results []Result, left []Leaving) {
	t.Helper()
	for i, key := range keys {
		r, err := x.h.Add(key, values[i])
		if err != nil {
			t.Fatal(err)
		}
		results, left = append(results, r), append(left, x.h.Left()...)
	}
	return results, left
}

// TestAddBatch_IsSinglesInOrder: a batch leaves the very memory that as many adds leave, with the same
// results, the same tally, and the same elements that leave; keys come twice, elements are evicted or, where
// all are kept, find no place.
func TestAddBatch_IsSinglesInOrder(t *testing.T) {
	evicted, full := uint64(0), 0
	for _, l := range geometries {
		l.CellsPerHalf = min(l.CellsPerHalf, 1000)
		for _, l.Homes = range []Placement{HomesNear, HomesApart} {
			for _, o := range []Options{{}, {KeepAll: true}} {
				one, many := newLoaded(t, l, o), newLoaded(t, l, o)
				full += one.besideBatches(t, many)
				evicted += many.h.Tally().Evicted
			}
		}
	}
	if evicted < 100 || full < 100 {
		t.Errorf("%d elements are evicted, %d find no place: little was tested", evicted, full)
	}
}

// besideBatches adds the same elements one by one and, to many, in batches, and holds these against those.
func (x *loaded) besideBatches(t *testing.T, many *loaded) (full int) {
	t.Helper()
	l := x.Layout()
	random := rand.New(rand.NewPCG(uint64(l.CellsPerHalf), 3))
	for range 60 {
		keys, values := make([]uint32, random.IntN(50)), make([]uint32, 50)
		values = values[:len(keys)]
		for i := range keys {
			keys[i] = 1 + random.Uint32N(4*l.CellsPerHalf)
			values[i] = 1 + random.Uint32N(1<<20)
		}
		results := make([]Result, len(keys))
		want, left := x.singles(t, keys, values)
		n, err := many.h.AddBatch(keys, values, results)
		if err != nil || !slices.Equal(results, want) || n != count(want, Added) {
			t.Fatalf("%v: %d, %v, %v; want %v", l, n, err, results, want)
		}
		if got := many.h.Left(); !slices.Equal(got, left) {
			t.Fatalf("%v: left %v, want %v", l, got, left)
		}
		full += count(want, Full)
		gone := 1 + random.Uint32N(4*l.CellsPerHalf)
		for _, y := range []*loaded{x, many} {
			if _, err := y.h.Delete(gone); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !slices.Equal(x.words(), many.words()) {
		t.Errorf("%v: the tables differ", l)
	}
	if x.h.Tally() != many.h.Tally() || !slices.Equal(x.over, many.over) {
		t.Errorf("%v: tally %+v, want %+v", l, many.h.Tally(), x.h.Tally())
	}
	clean(t, many.Table)
	return full
}

func count(results []Result, want Result) (n int) {
	for _, r := range results {
		if r == want {
			n++
		}
	}
	return n
}

// TestAddBatch_EndsAtTheFirstFailure: what is before it is added, it and what is after it have no result.
func TestAddBatch_EndsAtTheFirstFailure(t *testing.T) {
	const size = 40
	for _, at := range []int{0, 1, 15, 16, 17, size - 1} {
		for want, spoil := range map[error]func(keys, values []uint32){
			ErrKey:   func(keys, _ []uint32) { keys[at] = 0xFFFFFFFF },
			ErrValue: func(_, values []uint32) { values[at] = 0 },
		} {
			table, h := newTable(t, geometries[4])
			keys := freshKeys(size)
			values, results := slices.Clone(keys), make([]Result, size)
			for i := range results {
				results[i] = Full // must be overwritten
			}
			spoil(keys, values)
			n, err := h.AddBatch(keys, values, results)
			says := fmt.Sprintf("element %d of the batch", at)
			if n != at || !errors.Is(err, want) || !strings.Contains(err.Error(), says) {
				t.Errorf("%d, %v; want %d, %q and %v", n, err, at, says, want)
			}
			for i, key := range keys {
				v, ok := table.Get(key)
				if added := i < at; ok != added || added != (results[i] == Added) ||
					!added && results[i] != 0 || added && v != values[i] {
					t.Errorf("fails at %d: element %d is %v, in the table: %v", at, i, results[i], ok)
				}
			}
			if h.Tally().Added != uint64(at) || Measure(table).Elements != at {
				t.Errorf("fails at %d: %d are counted, %d are there", at, h.Tally().Added,
					Measure(table).Elements)
			}
		}
	}
}

// TestAddBatch_TellsTheIndexOfTheFailure: the place in the slices, whatever was added or not before it.
func TestAddBatch_TellsTheIndexOfTheFailure(t *testing.T) {
	for _, at := range []int{3, 19} {
		for want, spoil := range map[error]func(keys, values []uint32){
			ErrKey:   func(keys, _ []uint32) { keys[at] = 0 },
			ErrValue: func(_, values []uint32) { values[at] = 0 },
		} {
			_, h := newTable(t, geometries[4])
			keys := freshKeys(20)
			keys[1], keys[17] = keys[0], keys[0]
			values, results := slices.Clone(keys), make([]Result, len(keys))
			spoil(keys, values)
			n, err := h.AddBatch(keys, values, results)
			says, added := fmt.Sprintf("element %d of the batch", at), count(results[:at], Added)
			if n != added || added == at || !errors.Is(err, want) || !strings.Contains(err.Error(), says) {
				t.Errorf("%d, %v; want %d, %q and %v", n, err, added, says, want)
			}
		}
	}
}

// TestAddBatch_LeftOfABatchThatFails: what left by the adds before the one that fails is the caller's.
func TestAddBatch_LeftOfABatchThatFails(t *testing.T) {
	for want, last := range map[error][2]uint32{ErrKey: {0, 51}, ErrValue: {7, 0}} {
		_, h := newFull(t, Options{})
		var over []Leaving
		h.HandOver(func(l Leaving) { over = append(over, l) })
		keys, values := []uint32{uint32(keyOf(0, 0, 0)), last[0]}, []uint32{50, last[1]}
		n, err := h.AddBatch(keys, values, make([]Result, 2))
		if n != 1 || !errors.Is(err, want) {
			t.Errorf("%d, %v; want 1, %v", n, err, want)
		}
		if left := h.Left(); len(left) != 1 || left[0].Reason != ReasonEvicted || !slices.Equal(left, over) {
			t.Errorf("left %v, handed over %v; want the element that the first add evicted", left, over)
		}
	}
}

// TestAddBatch_TellsDamageByTheNextElement: as single adds do, when the share of the services' work after
// an add fails.
func TestAddBatch_TellsDamageByTheNextElement(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 4, Descriptors: 1})
	table.halves[1].cell(60).word0.Store(uint64(Word0(7)<<keyShift | cbitMark))
	h.Assist(2, 128)
	results := make([]Result, 3)
	n, err := h.AddBatch([]uint32{5, 5, 7}, []uint32{50, 60, 70}, results)
	if n != 1 || !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "element 2 of the batch") {
		t.Errorf("%d, %v; want 1 added and element 2 to fail", n, err)
	}
	if want := []Result{Added, Exists, 0}; !slices.Equal(results, want) {
		t.Errorf("%v, want %v", results, want)
	}
	n, err = h.AddBatch([]uint32{8}, []uint32{80}, results[:1])
	if n != 0 || !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "add of 1 key") {
		t.Errorf("the next batch: %d, %v", n, err)
	}
	if results[0] != Added {
		t.Errorf("a batch that could not begin has written %v", results[0])
	}
	h.stuck = nil
	n, err = h.AddBatch([]uint32{9, 10, 0xFFFFFFFF}, []uint32{1, 2, 3}, results)
	if _, single := h.Add(0xFFFFFFFF, 3); n != 2 || !errors.Is(err, ErrKey) || !errors.Is(single, ErrKey) {
		t.Errorf("a reserved key, too: %d, %v, alone %v", n, err, single)
	}
}

func TestAddBatch_RefusesSlicesThatDoNotFit(t *testing.T) {
	table, h := newTable(t, geometries[1])
	keys, values, results := []uint32{1, 2}, []uint32{7, 7}, []Result{Full, Full}
	for _, c := range []struct {
		values  []uint32
		results []Result
	}{{values[:1], results}, {values, results[:1]}, {nil, nil}} {
		n, err := h.AddBatch(keys, c.values, c.results)
		says := fmt.Sprintf("2 keys with %d values and %d results", len(c.values), len(c.results))
		if n != 0 || !errors.Is(err, ErrBatch) || !strings.Contains(err.Error(), says) {
			t.Errorf("%d, %v; want that it says %q", n, err, says)
		}
	}
	if n, err := h.AddBatch(nil, nil, nil); n != 0 || err != nil {
		t.Errorf("empty batch: %d, %v", n, err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	n, err := h.AddBatch(keys, values, results)
	if n != 0 || !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "add of 2 keys") {
		t.Errorf("closed: %d, %v", n, err)
	}
	if Measure(table).Elements != 0 || count(results, Full) != 2 {
		t.Errorf("a refused batch wrote something: %v", results)
	}
}

// TestAddBatch_ForgetsWhatLeftBefore: Left is of the last call, also of one that adds nothing; a call that
// does not fit is none.
func TestAddBatch_ForgetsWhatLeftBefore(t *testing.T) {
	_, h := newTable(t, geometries[2])
	results := make([]Result, 60)
	if _, err := h.AddBatch(freshKeys(60), freshKeys(60), results); err != nil || len(h.Left()) == 0 {
		t.Fatalf("%d elements left, %v", len(h.Left()), err)
	}
	if _, err := h.AddBatch([]uint32{1}, nil, nil); !errors.Is(err, ErrBatch) || len(h.Left()) == 0 {
		t.Errorf("slices that do not fit: %v, and nothing is left of the call before", err)
	}
	if _, err := h.AddBatch(nil, nil, nil); err != nil || len(h.Left()) != 0 {
		t.Errorf("%v left, %v", h.Left(), err)
	}
}

func TestAddBatch_DoesNotAllocate(t *testing.T) {
	table, h := newTable(t, geometries[4])
	keys := freshKeys(50)
	results := make([]Result, len(keys))
	cells := table.Region().Words().Plain()[table.Region().Layout().Offset(Engine,
		SectionCells)/region.WordBytes:]
	if n := testing.AllocsPerRun(100, func() {
		if n, err := h.AddBatch(keys, keys, results); n != len(keys) || err != nil {
			t.Fatal(n, err)
		}
		clear(cells)
		h.d.owner.Store(uint64(h.owner))
		h.Rewind()
	}); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
}

// TestGetBatch_OfNoTable: none is found in a table that was not made, and nothing is written.
func TestGetBatch_OfNoTable(t *testing.T) {
	for name, table := range map[string]*Table{"nil": nil, "zero": {}} {
		values, found := []uint32{8, 9}, []bool{true, true}
		n, err := table.GetBatch([]uint32{1, 2}, values, found)
		if n != 0 || !errors.Is(err, ErrZero) || values[0] != 8 || values[1] != 9 || !found[0] || !found[1] {
			t.Errorf("%s: %d found, %v, %v, %v", name, n, values, found, err)
		}
	}
}
