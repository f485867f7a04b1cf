package hopscotch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
)

// TestHomes_ArePinned: all processes of one region agree, whatever version they are of. The words
// were computed apart from this code, by the definition: MurmurHash3's finaliser, of which
// fmix64(1) = 0xB456BCFC34C2CB2C is a published value.
func TestHomes_ArePinned(t *testing.T) {
	for _, c := range []struct {
		key    uint32
		mixed  uint64
		h0, h1 uint32 // of 1000 cells
	}{
		{1, 0x49B26BB7B084CC98, 689, 287},
		{2, 0xDD696835A06C3A8C, 626, 864},
		{3, 0xD957B358978CD285, 591, 848},
		{7, 0x6C69F0F6F9293C26, 973, 423},
		{0x12345678, 0xA0FAB522CA208453, 789, 628},
		{0xFFFFFFFE, 0x0B11F07C49954F49, 287, 43},
	} {
		if got := mix(c.key); got != c.mixed {
			t.Errorf("mix of %#x is %#x, want %#x", c.key, got, c.mixed)
		}
		if h0, h1 := Homes(c.key, 1000); h0 != c.h0 || h1 != c.h1 {
			t.Errorf("homes of %#x are %d, %d, want %d, %d", c.key, h0, h1, c.h0, c.h1)
		}
	}
}

func TestResult_String(t *testing.T) {
	for r, want := range map[Result]string{0: "result0", Added: "added", Exists: "exists", Full: "full",
		Full + 1: "result4"} {
		if r.String() != want {
			t.Errorf("%d is %q, want %q", uint8(r), r.String(), want)
		}
	}
}

func TestHandle_GetIsTheTables(t *testing.T) {
	table, h := newTable(t, geometries[1])
	if _, err := h.Add(5, 50); err != nil {
		t.Fatal(err)
	}
	if v, ok := h.Get(5); !ok || v != 50 {
		t.Errorf("get of 5: %d, %v", v, ok)
	}
	if v, ok := h.Get(6); ok || v != 0 {
		t.Errorf("get of 6: %d, %v", v, ok)
	}
	if h.Table() != table {
		t.Error("the handle is of another table")
	}
}

// TestHandle_CloseOfALostDescriptor: a descriptor that somebody else has taken is not given back.
func TestHandle_CloseOfALostDescriptor(t *testing.T) {
	table, h := newTable(t, geometries[0])
	table.descriptors[0].owner.Store(77)
	if err := h.Close(); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "descriptor 0 ") {
		t.Errorf("close: %v", err)
	}
	if got := table.descriptors[0].owner.Load(); got != 77 {
		t.Errorf("the owner is %d now", got)
	}
}

// TestHandle_RewindForgets: after a rewind to a sound region a failure of before counts no more.
func TestHandle_RewindForgets(t *testing.T) {
	table, h := newTable(t, geometries[0])
	h.stuck = ErrBusy
	if _, err := h.Add(1, 1); !errors.Is(err, ErrBusy) {
		t.Fatal(err)
	}
	table.descriptors[0].head.Store(uint64(MakeHead(41, KindNew, 0, 0)))
	h.Rewind()
	if r, err := h.Add(1, 1); r != Added || err != nil {
		t.Errorf("add after the rewind: %v, %v", r, err)
	}
	if got := Head(table.descriptors[0].head.Load()).Generation(); got != 42 {
		t.Errorf("generation %d after the one that was rewound to, 41", got)
	}
}

func TestNew_RefusesAClosedRegion(t *testing.T) {
	r, err := region.Heap(geometries[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if table, err := New(r); err == nil || table != nil || !strings.HasPrefix(err.Error(), "table: ") {
		t.Errorf("table of a closed region: %v, %v", table, err)
	}
}

// addOf is an add in the form of the other calls.
func addOf(h *Handle, key uint32) (uint32, bool, error) {
	r, err := h.Add(key, 1)
	return uint32(r), false, err
}

// TestCalls_SayWhatFailed: each call on a damaged bucket has no result, and an error that names the
// call and the key.
func TestCalls_SayWhatFailed(t *testing.T) {
	for name, c := range map[string]struct {
		plant func(p planted, k Key)
		sound []string // calls that do not look at the damage
	}{
		"invalid form": {func(p planted, k Key) { p.put(0, 5, 1<<31, 0) }, nil},
		"window": {func(p planted, k Key) { p.put(0, 5, BaseWord(9, Map(0).With(4)), 0) },
			[]string{"restore"}},
		"no descriptor": {func(p planted, k Key) { p.put(0, 5, OperatingWord(9, MakeRef(7, 0)), 0) }, nil},
		"idle reference": {func(p planted, k Key) { p.put(0, 5, OperatingWord(9, MakeRef(1, 0)), 0) },
			nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlanted(t)
			h, err := p.NewHandle(5)
			if err != nil {
				t.Fatal(err)
			}
			k := p.key(0, 5, 0)
			c.plant(p, k)
			for what, call := range map[string]func(uint32) (uint32, bool, error){
				"get":     p.Lookup,
				"add":     func(k uint32) (uint32, bool, error) { return addOf(h, k) },
				"update":  func(k uint32) (uint32, bool, error) { return h.Update(k, 1) },
				"delete":  func(k uint32) (uint32, bool, error) { ok, err := h.Delete(k); return 0, ok, err },
				"crop":    func(k uint32) (uint32, bool, error) { return 0, false, h.Crop(k) },
				"restore": func(k uint32) (uint32, bool, error) { return 0, false, h.Restore(k) },
			} {
				v, ok, err := call(uint32(k))
				if slices.Contains(c.sound, what) {
					if err != nil {
						t.Errorf("%s: %v", what, err)
					}
					continue
				}
				want := fmt.Sprintf("%s of key %v: ", what, k)
				if v != 0 || ok || !errors.Is(err, ErrCorrupt) || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("%s: %d, %v, %v; want an error that begins with %q", what, v, ok, err, want)
				}
			}
			if err := h.CropAll(nil); !errors.Is(err, ErrCorrupt) ||
				!strings.HasPrefix(err.Error(), "crop of the bucket at cell 0.5: ") {
				t.Errorf("crop of all: %v", err)
			}
		})
	}
}

// TestCalls_OfAClosedHandle: no result, and the call by its name.
func TestCalls_OfAClosedHandle(t *testing.T) {
	_, h := newTable(t, geometries[0])
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	for want, call := range map[string]func() (uint32, bool, error){
		"add of key 00000003: ":    func() (uint32, bool, error) { return addOf(h, 3) },
		"update of key 00000003: ": func() (uint32, bool, error) { return h.Update(3, 1) },
		"delete of key 00000003: ": func() (v uint32, ok bool, err error) { ok, err = h.Delete(3); return },
		"crop of the table: ":      func() (uint32, bool, error) { return 0, false, h.CropAll(nil) },
		"restore of the table: ":   func() (uint32, bool, error) { return 0, false, h.RestoreAll() },
	} {
		if v, ok, err := call(); v != 0 || ok || !errors.Is(err, ErrClosed) ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%d, %v, %v; want an error that begins with %q", v, ok, err, want)
		}
	}
	for _, key := range []uint32{0, 0xFFFFFFFF} {
		if r, err := h.Add(key, 1); r != 0 || err == nil {
			t.Errorf("add of %#x: %v, %v", key, r, err)
		}
		if v, ok := h.Get(key); v != 0 || ok {
			t.Errorf("get of %#x: %d, %v", key, v, ok)
		}
		if v, ok, err := h.Update(key, 1); v != 0 || ok || err == nil {
			t.Errorf("update of %#x: %d, %v, %v", key, v, ok, err)
		}
		if ok, err := h.Delete(key); ok || err == nil {
			t.Errorf("delete of %#x: %v, %v", key, ok, err)
		}
	}
}

// TestCropAll_VisitsEveryBucket: what was deleted in any bucket of either half is handed over, once,
// and by the pass only: the list of the last call is empty afterwards.
func TestCropAll_VisitsEveryBucket(t *testing.T) {
	for half := range uint32(2) {
		for cell := range uint32(8) {
			table, h := newTable(t, region.Layout{CellsPerHalf: 8, Window: 4, Descriptors: 1})
			p := planted{table, t}
			p.put(half, cell, BaseWord(KeyLost, 0), MakeWord1(Value(40+cell), 1))
			p.put(half, (cell+2)%8, BaseWord(KeyLost, 0), MakeWord1(7, 1))
			var left []Leaving
			if err := h.CropAll(func(l Leaving) { left = append(left, l) }); err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(left, func(a, b Leaving) int { return int(a.Value) - int(b.Value) })
			if !slices.Equal(left, []Leaving{{0, 7}, {0, 40 + cell}}) || len(h.Left()) != 0 {
				t.Errorf("cell %d.%d: left %v and %v", half, cell, left, h.Left())
			}
			if n := Measure(table); n.Lost != 0 || n.Elements != 0 {
				t.Errorf("cell %d.%d: %+v", half, cell, n)
			}
			clean(t, table)
		}
	}
}

// TestRestoreAll_FinishesEveryOperation: in whichever bucket.
func TestRestoreAll_FinishesEveryOperation(t *testing.T) {
	p := newPlanted(t)
	p.operate(2)
	h, err := p.NewHandle(5)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.RestoreAll(); err != nil || len(h.Left()) != 0 {
		t.Fatal(err, h.Left())
	}
	if v, ok := p.Get(uint32(p.key(0, 2, 2))); !ok || v != 22 {
		t.Errorf("the element of the dead: %d, %v", v, ok)
	}
	clean(t, p.Table)
}
