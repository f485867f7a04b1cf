package hopscotch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// observer books what calls and the hand-over say.
type observer struct {
	t        *testing.T
	in       map[uint32]uint32 // value: key, of elements in the table
	dead     map[uint32]bool   // values of deleted elements that were not handed over
	at       map[uint32]uint32 // key: value
	updating [2]uint32         // key and old value that an update is about to return
	n        map[Reason]uint64
}

// handed holds a reason against what an observer of the calls alone knows.
func (o *observer) handed(l Leaving) {
	o.n[l.Reason]++
	ok := false
	switch l.Reason {
	case ReasonDeleted:
		ok = l.Key == 0 && o.dead[l.Value]
		delete(o.dead, l.Value)
	case ReasonEvicted, ReasonReplaced, ReasonDiscarded:
		ok = l.Key != 0 && o.in[l.Value] == l.Key
		delete(o.in, l.Value)
		delete(o.at, l.Key)
	case ReasonUpdated:
		ok = o.updating == [2]uint32{l.Key, l.Value}
		delete(o.in, l.Value)
	}
	if !ok {
		o.t.Errorf("%v is handed over, in the table %v, deleted %v", l, o.in, o.dead)
	}
}

// call makes one random call with a value of its own.
func (o *observer) call(h *Handle, random *rand.Rand, value uint32, n *Tally) {
	key := 1 + random.Uint32N(60)
	switch random.Uint32N(6) {
	case 0, 1, 2:
		r, err := h.Add(key, value)
		if err != nil {
			o.t.Fatal(err)
		}
		if r == Added {
			n.Added++
			o.in[value], o.at[key] = key, value
		}
	case 3:
		o.updating = [2]uint32{key, o.at[key]}
		if _, ok, err := h.Update(key, value); err != nil {
			o.t.Fatal(err)
		} else if ok {
			o.in[value], o.at[key] = key, value
		}
	case 4:
		if ok, err := h.Delete(key); err != nil {
			o.t.Fatal(err)
		} else if ok {
			n.Deleted++
			o.dead[o.at[key]] = true
			delete(o.in, o.at[key])
			delete(o.at, key)
		}
	case 5:
		k, ok, err := h.Ticket(key)
		if err != nil {
			o.t.Fatal(err)
		}
		if taken, err := h.CompareAndDelete(k); err != nil || taken != ok {
			o.t.Fatal(taken, ok, err)
		} else if taken {
			n.Deleted++
		}
	}
}

// Every value that was put in is handed over once, with its reason, or is in the table still; and the
// tally counts the same.
func TestHandOver_EachValueOnceWithItsReason(t *testing.T) {
	reasons := map[Reason]uint64{}
	for seed := range uint64(40) {
		table, h := newTable(t, Layout{CellsPerHalf: 16, Window: 4, Descriptors: 1})
		random := rand.New(rand.NewPCG(seed, 3))
		o := &observer{t: t, in: map[uint32]uint32{}, dead: map[uint32]bool{},
			at: map[uint32]uint32{}, n: map[Reason]uint64{}}
		h.HandOver(o.handed)
		var want Tally
		for value := uint32(1); value <= 400; value++ {
			o.call(h, random, value, &want)
		}
		rest := collect(t, table)
		for value, key := range o.in {
			if rest[key] != value {
				t.Errorf("seed %d: value %d of key %d is nowhere", seed, value, key)
			}
		}
		want.Updated, want.Reclaimed = o.n[ReasonUpdated], o.n[ReasonDeleted]
		want.Evicted, want.Replaced = o.n[ReasonEvicted], o.n[ReasonReplaced]
		if h.Tally() != want {
			t.Errorf("seed %d: %+v, want %+v", seed, h.Tally(), want)
		}
		for r, n := range o.n {
			reasons[r] += n
		}
		clean(t, table)
	}
	for r := ReasonDeleted; r <= ReasonUpdated; r++ {
		if reasons[r] == 0 {
			t.Errorf("nothing was %v: the test is too tame", r)
		}
	}
}

func TestClear_LeavesNothing(t *testing.T) {
	for _, l := range geometries[:5] {
		table, h := newTable(t, l)
		values := map[uint32]bool{}
		h.HandOver(func(l Leaving) { delete(values, l.Value) })
		for value := uint32(1); value <= 2*l.CellsPerHalf; value++ {
			values[value] = true
			if r, err := h.Add(value*7, value); r != Added || err != nil {
				t.Fatal(r, err)
			}
			if value%5 == 0 {
				if _, err := h.Delete(value * 7); err != nil {
					t.Fatal(err)
				}
			}
		}
		h.HandOver(nil)
		elements := uint64(Measure(table).Elements)
		told := 0
		n, err := h.Clear(func(l Leaving) {
			if told++; !values[l.Value] || l.Reason != ReasonDeleted {
				t.Errorf("%v is handed over, which is not there", l)
			}
			delete(values, l.Value)
		})
		if err != nil || n != elements || len(values) != 0 || len(h.Left()) != 0 {
			t.Errorf("%d deleted of %d, %v; not handed over: %v", n, elements, err, values)
		}
		if n := Measure(table); n.Empty != int(2*l.CellsPerHalf) || n.Longest != 0 {
			t.Errorf("%+v", n)
		}
		if n, err := h.Clear(nil); n != 0 || err != nil {
			t.Errorf("second clear: %d, %v", n, err)
		}
		clean(t, table)
	}
}

func TestClear_TellsDamageAndAClosedHandle(t *testing.T) {
	table, h := newTable(t, geometries[1])
	table.halves[1].cell(3).word0.Store(uint64(Word0(7)<<keyShift | cbitMark))
	if _, err := h.Clear(nil); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Clear(nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := h.CropNext(1, nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// TestClear_TellsHowFarItCame: what was deleted before the damage counts, and nothing else does.
func TestClear_TellsHowFarItCame(t *testing.T) {
	table, h := newTable(t, geometries[1])
	p := planted{table, t}
	for half := range uint32(2) {
		p.put(half, 2, BaseWord(p.key(half, 2, int(half)), 0), MakeWord1(7, 1))
	}
	p.put(1, 3, Word0(7)<<keyShift|cbitMark, 0)
	if n, err := h.Clear(nil); n != 2 || !errors.Is(err, ErrCorrupt) ||
		!strings.HasPrefix(err.Error(), "clear of the bucket at cell 1.3: ") {
		t.Errorf("%d deleted, %v", n, err)
	}
}

// TestClear_TellsWhenItCannotDelete: what comes to be damaged behind it stands in the way of a delete ahead.
func TestClear_TellsWhenItCannotDelete(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 1,
		Homes: HomesApart})
	p := planted{table, t}
	k := p.key(1, 3, 0)
	home, _ := table.homes(k)
	p.put(1, 3, BaseWord(k, 0), MakeWord1(7, 1))
	p.put(1, 2, BaseWord(KeyLost, 0), MakeWord1(8, 1))
	n, err := h.Clear(func(l Leaving) {
		if l.Value == 8 {
			p.put(0, home, Word0(7)<<keyShift|cbitMark, 0)
		}
	})
	if n != 0 || !errors.Is(err, ErrCorrupt) ||
		!strings.HasPrefix(err.Error(), fmt.Sprintf("clear of key %v: ", k)) {
		t.Errorf("%d deleted, %v", n, err)
	}
}

// The handles of a table begin at different places; each passes all buckets.
func TestCropNext_PassesEveryBucket(t *testing.T) {
	l := Layout{CellsPerHalf: 10, Window: 4, Descriptors: 3}
	for index := range l.Descriptors {
		table, h := newTable(t, l)
		for range index {
			var err error
			if h, err = table.NewHandle(2); err != nil {
				t.Fatal(err)
			}
		}
		for pass := range 3 {
			p := planted{table, t}
			for half := range uint32(2) {
				for cell := range l.CellsPerHalf {
					value := MakeWord1(Value(1+cell+half*100), Version(4*pass))
					p.put(half, cell, BaseWord(KeyLost, 0), value)
				}
			}
			var left []uint32
			for n := range 7 {
				passed, err := h.CropNext(3, func(l Leaving) { left = append(left, l.Value) })
				if err != nil || passed != (3*(n+1)+pass >= 20 && 3*n+pass < 20) {
					t.Fatalf("call %d: %v, %v", n, passed, err)
				}
			}
			slices.Sort(left)
			if len(slices.Compact(left)) != 20 || Measure(table).Empty != 20 {
				t.Errorf("handle %d: left %v", index, left)
			}
		}
	}
	_, h := newTable(t, l)
	if passed, err := h.CropNext(0, nil); passed || err != nil {
		t.Error(passed, err)
	}
}

// With a share of the work in each call what is deleted is reclaimed soon, without any crop.
func TestAssist_BoundsWhatIsLost(t *testing.T) {
	for name, assist := range map[string]bool{"assisted": true, "alone": false} {
		table, h := newTable(t, Layout{CellsPerHalf: 256, Window: 8, Descriptors: 1})
		if assist {
			h.Assist(2, 8)
		}
		random := rand.New(rand.NewPCG(4, 4))
		worst, dead := 0, map[uint32]bool{}
		for value := uint32(1); value <= 4000; value++ {
			key := 1 + random.Uint32N(300)
			if v, ok := table.Get(key); ok {
				if _, err := h.Delete(key); err != nil {
					t.Fatal(err)
				}
				dead[v] = true
			} else if r, err := h.Add(key, value); r != Added || err != nil {
				t.Fatal(r, err)
			}
			for _, l := range h.Left() {
				if l.Key == 0 && !dead[l.Value] {
					t.Fatalf("%v left, which nobody deleted", l)
				}
				delete(dead, l.Value)
			}
			worst = max(worst, Measure(table).Lost)
		}
		// A pass takes 512/8*2 = 128 calls, and at most that many deletes.
		if lost := Measure(table).Lost; lost != len(dead) || assist != (worst <= 128) {
			t.Errorf("%s: %d lost, at worst %d, %d not handed over", name, lost, worst, len(dead))
		}
		clean(t, table)
	}
}

func TestAssist_TellsDamageByTheNextCall(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 64, Window: 4, Descriptors: 1})
	table.halves[1].cell(60).word0.Store(uint64(Word0(7)<<keyShift | cbitMark))
	h.Assist(1, 128)
	if r, err := h.Add(5, 50); r != Added || err != nil {
		t.Fatal(r, err)
	}
	if _, err := h.Delete(5); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
}

func TestOptions_TieChoosesTheHalf(t *testing.T) {
	for bit := range uint32(2) {
		table, h := newTableWith(t, geometries[4], Options{Tie: func() uint32 { return bit + 6 }})
		for key := uint32(1); key <= 5; key++ {
			if r, err := h.Add(key, 1); r != Added || err != nil {
				t.Fatal(r, err)
			}
		}
		if halfOf(t, table, 1) != bit {
			t.Errorf("the first element is not in half %d", bit)
		}
	}
}

func TestReason_HasAName(t *testing.T) {
	for r, want := range map[Reason]string{0: "reason0", ReasonDeleted: "deleted", ReasonEvicted: "evicted",
		ReasonReplaced: "replaced", ReasonDiscarded: "discarded", ReasonUpdated: "updated", 6: "reason6"} {
		if got := r.String(); got != want {
			t.Errorf("reason %d is %q, want %q", uint8(r), got, want)
		}
	}
}

// TestHandOver_OfAnUpdate: the old value is handed over once and counted once, of a base as of a member;
// where there is nothing to update nothing is.
func TestHandOver_OfAnUpdate(t *testing.T) {
	p := newPlanted(t)
	h, err := p.NewHandle(5)
	if err != nil {
		t.Fatal(err)
	}
	var over []Leaving
	h.HandOver(func(l Leaving) { over = append(over, l) })
	counted := uint64(0)
	for _, c := range []struct {
		half, home uint32
		nth        int
		old        uint32 // 0: the key is not there
	}{{0, 2, 0, 20}, {0, 2, 1, 21}, {1, 7, 0, 70}, {1, 7, 1, 71}, {0, 2, 5, 0}, {0, 5, 0, 0}} {
		over = over[:0]
		k := uint32(p.key(c.half, c.home, c.nth))
		old, ok, err := h.Update(k, 99)
		if old != c.old || ok != (c.old != 0) || err != nil {
			t.Fatalf("update %+v: %d, %v, %v", c, old, ok, err)
		}
		var want []Leaving
		if ok {
			want, counted = []Leaving{{k, c.old, ReasonUpdated}}, counted+1
		}
		if !slices.Equal(over, want) || h.Tally().Updated != counted {
			t.Errorf("update %+v: %v handed over, %d counted; want %v and %d", c, over, h.Tally().Updated,
				want, counted)
		}
	}
}

// What Left tells is of the last call, also if that is refused: who reuses what it names would do so twice.
func TestLeft_IsEmptyAfterACall(t *testing.T) {
	other, _ := newTable(t, Layout{CellsPerHalf: 64, Window: 8, Descriptors: 2})
	foreign, err := other.Prepare(7)
	if err != nil {
		t.Fatal(err)
	}
	base := uint32(keyOf(0, 0, 1))
	done := map[string]bool{"update": true, "delete": true}
	sound := map[string]bool{"update": true, "update of no key": true, "delete": true}
	add := func(h *Handle, key, value uint32) (bool, error) {
		r, err := h.Add(key, value)
		return r != 0, err
	}
	update := func(h *Handle, key, value uint32) (bool, error) {
		_, ok, err := h.Update(key, value)
		return ok, err
	}
	for name, call := range map[string]func(h *Handle) (ok bool, err error){
		"update":                   func(h *Handle) (bool, error) { return update(h, base, 12) },
		"update of no key":         func(h *Handle) (bool, error) { return update(h, base+1, 12) },
		"delete":                   func(h *Handle) (bool, error) { return h.Delete(base) },
		"add of a reserved key":    func(h *Handle) (bool, error) { return add(h, 0, 1) },
		"add of no value":          func(h *Handle) (bool, error) { return add(h, 1, 0) },
		"update of a reserved key": func(h *Handle) (bool, error) { return update(h, 0, 1) },
		"update to no value":       func(h *Handle) (bool, error) { return update(h, 1, 0) },
		"delete of a reserved key": func(h *Handle) (bool, error) { return h.Delete(0) },
		"crop of a reserved key":   func(h *Handle) (bool, error) { return false, h.Crop(0) },
		"delete for another table": func(h *Handle) (bool, error) { return h.DeletePrepared(foreign) },
	} {
		_, h := newFull(t, Options{Tie: func() uint32 { return 0 }})
		if r, err := h.Add(uint32(keyOf(0, 0, 0)), 50); r != Added || err != nil || len(h.Left()) != 1 {
			t.Fatal(r, err, h.Left())
		}
		if ok, err := call(h); ok != done[name] || (err == nil) != sound[name] || len(h.Left()) != 0 {
			t.Errorf("%s: %t, %v, left %v", name, ok, err, h.Left())
		}
	}
}

// TestTell_TheHandleMayBeUsed: what a bucket left is told once each, also when the function that is told adds
// a batch with the same handle, by which several leave. The list of the call is empty afterwards.
func TestTell_TheHandleMayBeUsed(t *testing.T) {
	for name, run := range map[string]func(h *Handle, left func(Leaving)) error{
		"crop all":  func(h *Handle, left func(Leaving)) error { return h.CropAll(left) },
		"crop next": func(h *Handle, left func(Leaving)) error { _, err := h.CropNext(8, left); return err },
		"clear":     func(h *Handle, left func(Leaving)) error { _, err := h.Clear(left); return err },
	} {
		table, h := newTable(t, Layout{CellsPerHalf: 4, Window: 4, Descriptors: 2})
		given, next := map[uint32]int{}, uint32(1)
		add := func(key uint32) {
			if _, err := h.Add(key, next); err != nil {
				t.Fatal(err)
			}
			next++
			for _, l := range h.Left() {
				given[l.Value]++
			}
		}
		var ofHome []uint32
		for nth := range 6 {
			ofHome = append(ofHome, uint32(planted{table, t}.key(0, 0, nth)))
		}
		for _, k := range ofHome {
			add(k)
		}
		for _, k := range ofHome {
			if _, err := h.Delete(k); err != nil {
				t.Fatal(err)
			}
		}
		key := uint32(1000)
		err := run(h, func(l Leaving) {
			given[l.Value]++
			if key == 1064 {
				return
			}
			var keys, values [16]uint32
			for i := range keys {
				keys[i], values[i] = key, next
				key, next = key+1, next+1
			}
			if _, err := h.AddBatch(keys[:], values[:], make([]Result, 16)); err != nil {
				t.Fatal(err)
			}
			for _, l := range h.Left() {
				given[l.Value]++
			}
		})
		if err != nil || len(h.Left()) != 0 {
			t.Errorf("%s: %v, and then %d have left", name, err, len(h.Left()))
		}
		for _, v := range table.All() {
			given[v]++
		}
		for v := uint32(1); v < next; v++ {
			if given[v] != 1 {
				t.Errorf("%s: value %d of %d is handed out or in the table %d times", name, v, next-1,
					given[v])
			}
		}
	}
}

// TestClear_NamesItself: also where the bucket can be read, and not be cropped.
func TestClear_NamesItself(t *testing.T) {
	table, h := newTableWith(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 1},
		Options{Patience: 3})
	p := planted{table, t}
	p.put(1, 3, BaseWord(KeyLost, 0), MakeWord1(7, 1).Freeze())
	n, err := h.Clear(nil)
	const says = "clear of the bucket at cell 1.3: "
	if n != 0 || !errors.Is(err, ErrBusy) || !strings.HasPrefix(err.Error(), says) {
		t.Errorf("%d deleted: %v", n, err)
	}
}
