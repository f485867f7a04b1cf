package hopscotch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestHomes_ArePinned: all processes of one region agree, whatever version they are of. The words
// were computed apart from this code, in whole numbers modulo 2^64, by the definition of mix.
func TestHomes_ArePinned(t *testing.T) {
	for _, c := range []struct {
		key    uint32
		mixed  uint64
		h0, h1 uint32 // of 1000 cells, apart
		near   uint32 // the second one, near
	}{
		{1, 0xEC23C8C7C3C1D06B, 922, 764, 923},
		{2, 0x6E79FB8DD472E2DA, 431, 829, 430},
		{3, 0x1B52CCBCB2C2CBD9, 106, 698, 107},
		{7, 0x051EA7F121809155, 19, 130, 19},
		{0x12345678, 0xF5310DB34199B62E, 957, 256, 957},
		{0xFFFFFFFE, 0x99C54106725F7A3A, 600, 446, 600},
	} {
		if got := mix(c.key); got != c.mixed {
			t.Errorf("mix of %#x is %#x, want %#x", c.key, got, c.mixed)
		}
		if h0, h1 := homesApart(c.key, 1000); h0 != c.h0 || h1 != c.h1 {
			t.Errorf("homes of %#x are %d, %d, want %d, %d", c.key, h0, h1, c.h0, c.h1)
		}
		if h0, h1 := homesNear(c.key, 1000); h0 != c.h0 || h1 != c.near {
			t.Errorf("near homes of %#x are %d, %d, want %d, %d", c.key, h0, h1, c.h0, c.near)
		}
	}
}

func TestResult_String(t *testing.T) {
	for r, want := range []string{"result0", "added", "exists", "full", "result4"} {
		if got := Result(r).String(); got != want {
			t.Errorf("%d is %q, want %q", r, got, want)
		}
	}
	if Added != 1 || Exists != 2 || Full != 3 {
		t.Errorf("added, exists, full are %d, %d, %d", Added, Exists, Full)
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
	h.unrung = ringEvery - 1
	h.Rewind()
	if h.unrung != 0 {
		t.Errorf("after the rewind the services have %d deletes to be told of", h.unrung)
	}
	if r, err := h.Add(1, 1); r != Added || err != nil {
		t.Errorf("add after the rewind: %v, %v", r, err)
	}
	if got := Head(table.descriptors[0].head.Load()).Generation(); got != 42 {
		t.Errorf("generation %d after the one that was rewound to, 41", got)
	}
}

func TestNew_RefusesAClosedRegion(t *testing.T) {
	r, err := Heap(geometries[0])
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
		"no descriptor": {func(p planted, k Key) { p.put(0, 5, OperatingWord(9, p.refs.Make(3, 0)), 0) },
			nil},
		"idle reference": {func(p planted, k Key) { p.put(0, 5, OperatingWord(9, p.refs.Make(1, 0)), 0) },
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
			table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 1})
			p := planted{table, t}
			p.put(half, cell, BaseWord(KeyLost, 0), MakeWord1(Value(40+cell), 1))
			p.put(half, (cell+2)%8, BaseWord(KeyLost, 0), MakeWord1(7, 1))
			var left []Leaving
			if err := h.CropAll(func(l Leaving) { left = append(left, l) }); err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(left, func(a, b Leaving) int { return int(a.Value) - int(b.Value) })
			want := []Leaving{{0, 7, ReasonDeleted}, {0, 40 + cell, ReasonDeleted}}
			if !slices.Equal(left, want) || len(h.Left()) != 0 {
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

// TestGet_HasNoValueWithoutTheKey: however a search ends that does not find the key, the value is 0,
// and what was deleted is no key.
func TestGet_HasNoValueWithoutTheKey(t *testing.T) {
	at := func(word func(k Key) Word0, value Word1) func(p planted) Key {
		return func(p planted) Key {
			k := p.key(0, 5, 0)
			p.put(0, 5, word(k), value)
			return k
		}
	}
	own := func(k Key) Word0 { return BaseWord(k, 0) }
	for name, c := range map[string]struct {
		plant func(p planted) Key
	}{
		"empty":        {func(p planted) Key { return p.key(0, 5, 0) }},
		"other base":   {at(func(Key) Word0 { return BaseWord(9, 0) }, MakeWord1(1, 1))},
		"members":      {func(p planted) Key { return p.key(0, 2, 5) }},
		"operating":    {func(p planted) Key { p.operate(2); return p.key(0, 2, 5) }},
		"claimed":      {at(func(Key) Word0 { return ClaimedWord(narrow.Make(1, 1)) }, 0)},
		"invalid":      {at(func(Key) Word0 { return 1 << 31 }, 0)},
		"beyond":       {at(func(Key) Word0 { return BaseWord(9, 1<<5) }, 0)},
		"spare bits":   {at(own, 1<<30|9<<32)},
		"never thawed": {at(own, MakeWord1(9, 1).Freeze())},
		"lost": {func(p planted) Key {
			h0, h1 := p.homes(KeyLost)
			p.put(0, h0, BaseWord(KeyLost, 0), MakeWord1(7, 1))
			p.put(1, h1, BaseWord(KeyLost, 0), MakeWord1(7, 1))
			return KeyLost
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlanted(t)
			p.patience = 4
			k := c.plant(p)
			if v, ok := p.Get(uint32(k)); v != 0 || ok {
				t.Errorf("get of %v: %d, %v", k, v, ok)
			}
			if v, ok, _ := p.Lookup(uint32(k)); v != 0 || ok {
				t.Errorf("lookup of %v: %d, %v", k, v, ok)
			}
		})
	}
}

// TestCalls_OutOfPatience: a call that may not begin anything again says so, and so does a handle
// that could not finish what it met.
func TestCalls_OutOfPatience(t *testing.T) {
	p := newPlanted(t)
	h, err := p.NewHandle(5)
	if err != nil {
		t.Fatal(err)
	}
	p.operate(2)
	p.patience = 0
	if err := h.help(p.refs.Make(1, 1)); !errors.Is(err, ErrBusy) {
		t.Errorf("help: %v", err)
	}
	for what, err := range callAll(p.Table, h, uint32(p.key(0, 2, 3))) {
		if !errors.Is(err, ErrBusy) {
			t.Errorf("call %d: %v", what, err)
		}
	}
}

// TestWords_MaskWhatTheyRead: accessors take their own bits out of any word, and offsets count modulo
// the largest window.
func TestWords_MaskWhatTheyRead(t *testing.T) {
	all := ^uint64(0)
	for what, c := range map[string][2]uint64{
		"ref of a member":        {uint64(EngagedWord(KeyLost, 7<<17|9).Ref()), 7<<17 | 9},
		"ref":                    {uint64(Word0(all).Ref()), 1<<29 - 1},
		"version":                {uint64(Word0(all).Version()), 1<<29 - 1},
		"member version":         {uint64(Word0(all).MemberVersion()), 1<<24 - 1},
		"distance":               {uint64(Word0(all).Distance()), 31},
		"generation of a target": {uint64(Target(all).Generation()), 1<<27 - 1},
		"generation of a head":   {uint64(Head(all).Generation()), 1<<27 - 1},
		"generation of a ref":    {uint64(wide.Generation(1<<32 - 1)), 1<<17 - 1},
		"index of a ref":         {uint64(wide.Index(1<<32 - 1)), 1<<12 - 1},
		"version of a target":    {uint64(Target(all).Version()), 1<<29 - 1},
		"offset of a source":     {uint64(Source(all).Offset()), 31},
		"without":                {uint64(Map(6).Without(33)), 4},
		"with":                   {uint64(Map(4).With(33)), 6},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %#x, want %#x", what, c[0], c[1])
		}
	}
	if !Map(2).Has(33) || Map(2).Has(34) {
		t.Error("an offset is not taken modulo 32")
	}
	if got := formCount.String(); got != "?" {
		t.Errorf("a form that there is not is %q", got)
	}
}

// TestRestore_ReclaimsNothing: what is lost stays in its cell, since nobody would be handed its value.
func TestRestore_ReclaimsNothing(t *testing.T) {
	eachHalf(t, func(t *testing.T, half uint32) {
		p := newPlanted(t)
		h := newHandle(t, p.Table, 4)
		p.put(half, 1, BaseWord(KeyLost, 0), MakeWord1(7, 1))                // to clear
		p.put(half, 4, BaseWord(p.key(half, 4, 0), Map(2)), MakeWord1(8, 1)) // to drop the member
		p.put(half, 5, MemberWord(KeyLost, 1, 1), MakeWord1(9, 1))
		words := p.region.Words().Plain()
		before := slices.Clone(words)
		h.HandOver(func(l Leaving) { t.Errorf("%+v leaves", l) })
		for name, err := range map[string]error{"all": h.RestoreAll(),
			"empty": h.Restore(uint32(p.key(half, 1, 0))), "base": h.Restore(uint32(p.key(half, 4, 0)))} {
			if err != nil || !slices.Equal(words, before) {
				t.Errorf("%s: something is stored, %v", name, err)
			}
		}
	})
}
