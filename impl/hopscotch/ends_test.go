package hopscotch

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// How calls end that cannot do what they were asked: with the error of the first thing that went wrong,
// after as many attempts as the patience of one call allows, not of one inside the other, and with
// nothing changed that was not theirs.

// soon fails the test when the call takes longer than a call with that patience can, by far.
func soon(t *testing.T, what string, call func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		call()
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s: no end; attempts within attempts?", what)
	}
}

// newRestless is a table in which the bucket of a key, in one half, never holds still: an idle base
// whose value is frozen reads as if its operation had just ended. The base is the key itself, or lost.
func newRestless(t *testing.T, half uint32, base func(k Key) Key) (planted, *Handle, Key) {
	t.Helper()
	table, h := newTableWith(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 3},
		Options{Patience: 1 << 16})
	p := planted{table, t}
	k := p.key(half, 5, 0)
	p.put(half, 5, BaseWord(base(k), 0), MakeWord1(7, 1).Freeze())
	return p, h, k
}

func TestCalls_GiveUpOnce(t *testing.T) {
	itself := func(k Key) Key { return k }
	lost := func(Key) Key { return KeyLost }
	eachHalf(t, func(t *testing.T, half uint32) {
		for what, c := range map[string]struct {
			base func(Key) Key
			call func(h *Handle, k uint32) (uint32, bool, error)
		}{
			"add of key ": {itself, addOf},
			"get of key ": {itself, func(h *Handle, k uint32) (uint32, bool, error) {
				return h.table.Lookup(k)
			}},
			"update of key ": {itself, func(h *Handle, k uint32) (uint32, bool, error) {
				return h.Update(k, 9)
			}},
			"crop of key ": {lost, func(h *Handle, k uint32) (uint32, bool, error) {
				return 0, false, h.Crop(k)
			}},
			"crop of the bucket at cell ": {lost, func(h *Handle, _ uint32) (uint32, bool, error) {
				return 0, false, h.CropAll(nil)
			}},
			"clear of the bucket at cell ": {itself, func(h *Handle, _ uint32) (uint32, bool, error) {
				n, err := h.Clear(nil)
				return uint32(n), false, err
			}},
			"walk, bucket at cell ": {itself, func(h *Handle, _ uint32) (uint32, bool, error) {
				return 0, false, h.table.Walk(func(uint32, uint32) bool { return true })
			}},
		} {
			p, h, k := newRestless(t, half, c.base)
			before := p.bytes()
			soon(t, what, func() {
				v, ok, err := c.call(h, uint32(k))
				if v != 0 || ok || !errors.Is(err, ErrBusy) || !strings.HasPrefix(err.Error(), what) {
					t.Errorf("%s: %d, %v, %v", what, v, ok, err)
				}
				if cells := []string{"0.5", "1.5"}; strings.HasSuffix(what, "cell ") &&
					!strings.HasPrefix(err.Error(), what+cells[half]+":") {
					t.Errorf("%v: want cell %s", err, cells[half])
				}
			})
			if !bytes.Equal(before, p.bytes()) || len(h.Left()) != 0 {
				t.Errorf("%s: it has changed something, left %v", what, h.Left())
			}
		}
	})
}

// TestHelp_GivesUpOnce: the other half, where the operation has to look for its key, never holds still.
func TestHelp_GivesUpOnce(t *testing.T) {
	eachHalf(t, func(t *testing.T, half uint32) {
		a := newApart(t, half, 0)
		a.patience = 1 << 16
		a.put(1-half, a.homes[1-half], BaseWord(a.key, 0), MakeWord1(99, 1).Freeze())
		h, err := a.NewHandle(5)
		if err != nil {
			t.Fatal(err)
		}
		soon(t, "help", func() {
			if err := h.help(a.refs.Make(1, 1)); !errors.Is(err, ErrBusy) {
				t.Errorf("help: %v", err)
			}
		})
		if got := Target(a.descriptors[1].target.Load()); got != MakeTarget(1) {
			t.Errorf("the operation that could not be decided is %v", got)
		}
	})
}

// TestHandle_TellsTheFailureOfItsOwnOperation: an add, and a crop, whose patience ends with the last
// step of their own operation do not know how it ended, and nobody hands over what left by it.
func TestHandle_TellsTheFailureOfItsOwnOperation(t *testing.T) {
	p := newPlanted(t)
	h, err := p.NewHandle(5)
	if err != nil {
		t.Fatal(err)
	}
	p.patience = 2 // decide, displace: the second ends it, and nobody looks
	generation := func() Generation { return Head(p.descriptors[h.index].head.Load()).Generation() }
	want := p.refs.Next(generation())
	if r, err := h.Add(uint32(p.key(0, 2, 2)), 99); r != 0 || !errors.Is(err, ErrBusy) ||
		generation() != want {
		t.Errorf("add: %v, %v; want ErrBusy, and no operation after the one that failed", r, err)
	}
	if err := h.Crop(1); !errors.Is(err, ErrBusy) || !strings.HasPrefix(err.Error(), "crop of key") {
		t.Errorf("crop after it: %v", err)
	}
	if h.Tally() != (Tally{}) {
		t.Errorf("tally %+v", h.Tally())
	}
	before := p.bytes() // the operation stays as it is, for those who meet it
	if err := h.Close(); !errors.Is(err, ErrBusy) || !bytes.Equal(before, p.bytes()) {
		t.Errorf("close: %v, and the descriptor is not what it was: %t", err,
			!bytes.Equal(before, p.bytes()))
	}

	p = newPlanted(t)
	if h, err = p.NewHandle(5); err != nil {
		t.Fatal(err)
	}
	p.put(0, 3, MemberWord(KeyLost, 1, 1), MakeWord1(21, 1))
	p.patience = 2
	var left []Leaving
	err = h.CropAll(func(l Leaving) { left = append(left, l) })
	if !errors.Is(err, ErrBusy) || !strings.HasPrefix(err.Error(), "crop of the bucket at cell 0.2: ") {
		t.Errorf("crop of all: %v", err)
	}
	if len(left) != 0 || h.Tally() != (Tally{}) {
		t.Errorf("left %v, tally %+v", left, h.Tally())
	}
}

// TestHandle_RefusesBeforeItActs: an update to no value, with and without preparation.
func TestHandle_RefusesBeforeItActs(t *testing.T) {
	table, h := newTable(t, geometries[1])
	p, err := table.PrepareAdd(5, 50)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := h.AddPrepared(p); r != Added || err != nil {
		t.Fatal(r, err)
	}
	_, _, err0 := h.Update(5, 0)
	_, _, err1 := h.UpdatePrepared(p.Prepared, 0)
	if v, ok := table.Get(5); !ok || v != 50 || !errors.Is(err0, ErrValue) || !errors.Is(err1, ErrValue) {
		t.Errorf("after updates to value 0 (%v, %v): %d, %v", err0, err1, v, ok)
	}
	if h.Tally() != (Tally{Added: 1}) {
		t.Errorf("tally %+v", h.Tally())
	}
}

// TestPrepared_TellsItself: key, value and homes of what was prepared, and errors with the key.
func TestPrepared_TellsItself(t *testing.T) {
	p := newPlanted(t)
	k := p.key(0, 5, 0)
	x, err := p.PrepareAdd(uint32(k), 50)
	h0, h1 := x.Homes()
	want0, want1 := Homes(uint32(k), p.Layout())
	if err != nil || x.Key() != uint32(k) || x.Value() != 50 || h0 != want0 || h1 != want1 || h0 != 5 {
		t.Errorf("%v, %v: key %d value %d homes %d, %d; want %d, %d", x, err, x.Key(), x.Value(), h0, h1,
			want0, want1)
	}
	nothing, err := p.PrepareAdd(7, 0)
	if err == nil || !strings.HasPrefix(err.Error(), "prepare key 00000007: ") || nothing != (PreparedAdd{}) {
		t.Errorf("no value: %v, %v", nothing, err)
	}
	nothing, err = p.PrepareAdd(0xFFFFFFFF, 1)
	if err == nil || !strings.HasPrefix(err.Error(), "prepare key LOST: ") || nothing != (PreparedAdd{}) {
		t.Errorf("reserved key: %v, %v", nothing, err)
	}
	p.put(0, 5, 1<<31, 0)
	v, ok, err := p.GetPrepared(x.Prepared)
	if want := "get of key " + k.String(); v != 0 || ok || !errors.Is(err, ErrCorrupt) ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("get from a damaged bucket: %d, %v, %v", v, ok, err)
	}
}

// TestClear_CountsItsOwn: what was deleted before is not counted again.
func TestClear_CountsItsOwn(t *testing.T) {
	table, h := newTable(t, geometries[3])
	for key := uint32(1); key <= 9; key++ {
		if r, err := h.Add(key, key); r != Added || err != nil {
			t.Fatal(r, err)
		}
	}
	if ok, err := h.Delete(3); !ok || err != nil {
		t.Fatal(ok, err)
	}
	var left []uint32
	n, err := h.Clear(func(l Leaving) { left = append(left, l.Value) })
	slices.Sort(left)
	if n != 8 || err != nil || !slices.Equal(left, []uint32{1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("clear: %d, %v, left %v", n, err, left)
	}
	h.stuck = ErrBusy
	n, err = h.Clear(nil)
	if n != 0 || !errors.Is(err, ErrBusy) || !strings.HasPrefix(err.Error(), "clear of the table: ") {
		t.Errorf("clear with a handle that is stuck: %d, %v", n, err)
	}
	h.stuck = nil
	clean(t, table)
}

// TestAssist_ComesEveryNthCall: after every third call two buckets are cropped, not before, and no more.
func TestAssist_ComesEveryNthCall(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 16, Window: 4, Descriptors: 1})
	h.Assist(3, 2)
	for call := range 12 {
		if ok, err := h.Delete(uint32(1 + call)); ok || err != nil {
			t.Fatal(ok, err)
		}
		if want := uint64((call + 1) / 3 * 2); h.share.next != want {
			t.Fatalf("after %d calls %d buckets are cropped, want %d", call+1, h.share.next, want)
		}
	}
	for _, none := range [][2]int{{0, 2}, {3, 0}} {
		before := h.share.next
		h.Assist(none[0], none[1])
		for key := range uint32(7) {
			if _, _, err := h.Update(1+key, 1); err != nil {
				t.Fatal(err)
			}
			if _, err := h.Add(1+key, 1); err != nil {
				t.Fatal(err)
			}
		}
		if h.share.next != before {
			t.Errorf("assist %v crops", none)
		}
	}
	clean(t, table)
}

// TestAssist_ComesOnceAnAdd: of elements that come to an empty home, of others, and of those that are there.
func TestAssist_ComesOnceAnAdd(t *testing.T) {
	_, h := newTable(t, Layout{CellsPerHalf: 16, Window: 4, Descriptors: 1})
	results := map[Result]int{}
	add := func(call int) {
		r, err := h.Add(uint32(1+call%20), 1)
		if err != nil {
			t.Fatal(err)
		}
		results[r]++
	}
	h.Assist(1, 1)
	for call := range 40 {
		if add(call); h.share.next != uint64(call+1) {
			t.Fatalf("after %d adds %d buckets are cropped", call+1, h.share.next)
		}
	}
	h.Assist(0, 1)
	for call := range 40 {
		if add(call); h.share.next != 40 {
			t.Fatalf("%d buckets are cropped without assist", h.share.next)
		}
	}
	if results[Added] < 20 || results[Exists] == 0 || h.Tally().Added != uint64(results[Added]) {
		t.Errorf("%v, tally %+v", results, h.Tally())
	}
}

// TestAssist_ComesOnceAnUpdate: by the straight way of a base, and by that of a member, where each call does
// a share, and where one of two does.
func TestAssist_ComesOnceAnUpdate(t *testing.T) {
	p := newPlanted(t)
	h, err := p.NewHandle(5)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []Key{p.key(0, 2, 0), p.key(0, 2, 1)} {
		for every := 1; every <= 2; every++ {
			h.Assist(every, 1)
			before := h.share.next
			for range 2 {
				if _, ok, err := h.Update(uint32(k), 1); !ok || err != nil {
					t.Fatalf("key %v: %t, %v", k, ok, err)
				}
			}
			if did := h.share.next - before; did != uint64(2/every) {
				t.Errorf("key %v: two calls, one in %d with a share, crop %d buckets", k, every, did)
			}
		}
	}
}

// TestAssist_ComesOnceAnUpdateOfNothing: whether the homes say at once that the key is not there, or a member
// has to be looked at.
func TestAssist_ComesOnceAnUpdateOfNothing(t *testing.T) {
	for _, members := range []Map{0, Map(0).With(1)} {
		p := newPlanted(t)
		h, err := p.NewHandle(5)
		if err != nil {
			t.Fatal(err)
		}
		p.put(0, 2, BaseWord(p.key(0, 2, 0), members), MakeWord1(7, 1))
		if members != 0 {
			p.put(0, 3, MemberWord(p.key(0, 2, 1), 1, 1), MakeWord1(8, 1))
		}
		k := p.key(0, 2, 5)
		for nth := 6; p.word0(1, second(p.homes(k))).Form() != FormEmpty; nth++ {
			k = p.key(0, 2, nth)
		}
		for _, every := range []int{1, 0} {
			h.Assist(every, 1)
			before := h.share.next
			if _, ok, err := h.Update(uint32(k), 1); ok || err != nil {
				t.Fatalf("members %v: %t, %v", members, ok, err)
			}
			if did := h.share.next - before; did != uint64(every) {
				t.Errorf("members %v: %d buckets are cropped by one call in %d", members, did, every)
			}
		}
	}
}

// second is the home in half 1.
func second(_, h1 uint32) uint32 { return h1 }

// TestAssist_ComesAfterCallsThatEnd: an add that fails does no share of the work, and has no result.
func TestAssist_ComesAfterCallsThatEnd(t *testing.T) {
	p := newPlanted(t)
	h, err := p.NewHandle(5)
	if err != nil {
		t.Fatal(err)
	}
	h.Assist(1, 2)
	p.put(0, 2, Word0(7)<<keyShift|cbitMark, 0)
	if r, err := h.Add(uint32(p.key(0, 2, 5)), 1); r != 0 || !errors.Is(err, ErrCorrupt) {
		t.Errorf("add at a damaged home: %v, %v", r, err)
	}
	if r, err := h.Add(uint32(p.key(0, 3, 5)), 0); r != 0 || !errors.Is(err, ErrValue) {
		t.Errorf("add of no value: %v, %v", r, err)
	}
	if h.share.next != 0 || h.share.calls != 0 {
		t.Errorf("%d buckets are cropped, %d calls counted", h.share.next, h.share.calls)
	}
}

// TestCropNext_BeginsAtItsShare: the handles of a table divide the buckets among them.
func TestCropNext_BeginsAtItsShare(t *testing.T) {
	l := Layout{CellsPerHalf: 10, Window: 4, Descriptors: 4}
	table, h := newTable(t, l)
	for index, at := range []place{{0, 0}, {0, 5}, {1, 0}, {1, 5}} {
		if index > 0 {
			var err error
			if h, err = table.NewHandle(2); err != nil {
				t.Fatal(err)
			}
		}
		p := planted{table, t}
		p.put(at.half, at.home, BaseWord(KeyLost, 0), MakeWord1(7, 1))
		if _, err := h.CropNext(1, nil); err != nil {
			t.Fatal(err)
		}
		if w := p.word0(at.half, at.home); w.Form() != FormEmpty {
			t.Errorf("handle %d: cell %d.%d is %v, want it to be cropped first", index, at.half, at.home, w)
		}
	}
}

// TestCropNext_StopsAtADamagedBucket: the buckets before it are cropped, and each call tells it again.
func TestCropNext_StopsAtADamagedBucket(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 10, Window: 4, Descriptors: 1})
	p := planted{table, t}
	p.put(0, 1, BaseWord(KeyLost, 0), MakeWord1(7, 1))
	p.put(0, 3, Word0(7)<<keyShift|cbitMark, 0)
	p.put(0, 5, BaseWord(KeyLost, 0), MakeWord1(8, 1))
	for range 2 {
		passed, err := h.CropNext(20, nil)
		if passed || !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "cell 0.3") {
			t.Errorf("%v, %v; want that it tells of cell 0.3", passed, err)
		}
		if p.word0(0, 1).Form() != FormEmpty || p.word0(0, 5).Form() != FormBase {
			t.Errorf("cells 0.1 and 0.5 are %v and %v, want the first one to be cropped", p.word0(0, 1),
				p.word0(0, 5))
		}
	}
}

// TestCropNext_TellsAPassBeforeADamagedBucket: an error does not hide that a pass had ended.
func TestCropNext_TellsAPassBeforeADamagedBucket(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 10, Window: 4, Descriptors: 1})
	if passed, err := h.CropNext(19, nil); passed || err != nil {
		t.Fatalf("19 of 20 buckets: %v, %v", passed, err)
	}
	planted{table, t}.put(0, 3, Word0(7)<<keyShift|cbitMark, 0)
	if passed, err := h.CropNext(20, nil); !passed || !errors.Is(err, ErrCorrupt) {
		t.Errorf("the last bucket and those up to the damaged one: %v, %v", passed, err)
	}
}

// TestWalk_NeedsPatienceWithOthersOnly: where nobody changes anything one attempt at each bucket will do.
func TestWalk_NeedsPatienceWithOthersOnly(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 1})
	if _, err := h.Add(7, 70); err != nil {
		t.Fatal(err)
	}
	table.patience = 1
	if got := collect(t, table); len(got) != 1 || got[7] != 70 {
		t.Errorf("the walk finds %v", got)
	}
}

// TestWalk_PassesOverTheLost: also in the bucket where the word for a deleted element would have its
// home, were it a key.
func TestWalk_PassesOverTheLost(t *testing.T) {
	table, _ := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 2})
	p := planted{table, t}
	h0, h1 := table.homes(KeyLost)
	for half, home := range [2]uint32{h0, h1} {
		k := p.key(uint32(half), home, half)
		p.put(uint32(half), home, BaseWord(k, Map(0).With(1)), MakeWord1(Value(10+half), 1))
		p.put(uint32(half), (home+1)%8, MemberWord(KeyLost, 1, 1), MakeWord1(66, 1))
	}
	clean(t, table)
	var values []uint32
	for k, v := range table.All() {
		if Key(k).Reserved() {
			t.Errorf("key %#x, value %d", k, v)
		}
		values = append(values, v)
	}
	if slices.Sort(values); !slices.Equal(values, []uint32{10, 11}) {
		t.Errorf("values %v", values)
	}
}

// TestStatus_HasAName: two bits count, whatever the others are.
func TestStatus_HasAName(t *testing.T) {
	for s, want := range []string{"undecided", "committed", "aborted", "full", "undecided"} {
		if got := Status(s).String(); got != want {
			t.Errorf("status %d is %q, want %q", s, got, want)
		}
	}
}

// TestNewWith_TakesThePatienceItIsGiven: one attempt is a number, too.
func TestNewWith_TakesThePatienceItIsGiven(t *testing.T) {
	for given, want := range map[int]int{1: 1, 2: 2, 3 * patience: 3 * patience, 0: patience,
		-1: patience} {
		table, _ := newTableWith(t, geometries[0], Options{Patience: given})
		if table.patience != want {
			t.Errorf("patience %d is %d, want %d", given, table.patience, want)
		}
	}
}

// A frozen value belongs to an operation, which takes it along: no update replaces it, not even one that
// has seen it frozen.
func TestUpdateSwap_RefusesAFrozenValue(t *testing.T) {
	thawed := MakeWord1(70, 5)
	for want, in := range map[bool]Word1{true: thawed, false: thawed.Freeze()} {
		var c cell
		c.word1.Store(uint64(in))
		if got := c.updateSwap(in.Thaw(), in.Next(71)); got != want {
			t.Errorf("update of %v: %t, want %t", in, got, want)
		}
		after := Word1(c.word1.Load())
		if want && (after.Value() != 71 || after.Version() == thawed.Version()) || !want && after != in {
			t.Errorf("update of %v left %v", in, after)
		}
	}
}
