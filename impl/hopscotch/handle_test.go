package hopscotch

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestLeft_IsOfTheLastCall: a call that may not begin has left nothing either, whatever is the reason.
func TestLeft_IsOfTheLastCall(t *testing.T) {
	for name, spoil := range map[string]func(h *Handle){
		"closed": func(h *Handle) {
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"stuck": func(h *Handle) { h.stuck = ErrBusy },
	} {
		table, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 1})
		if r, err := h.Add(1, 10); r != Added || err != nil {
			t.Fatal(r, err)
		}
		if ok, err := h.Delete(1); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if err := h.Crop(1); err != nil || len(h.Left()) != 1 || h.Left()[0].Value != 10 {
			t.Fatalf("%s: left %v, %v", name, h.Left(), err)
		}
		spoil(h)
		if _, err := h.Add(2, 20); err == nil || len(h.Left()) != 0 {
			t.Errorf("%s: a call that was refused, %v, has left %v", name, err, h.Left())
		}
		clean(t, table)
	}
}

// TestClose_Again: the second one says that and nothing else, whatever the first one has said.
func TestClose_Again(t *testing.T) {
	for name, stuck := range map[string]error{"sound": nil, "stuck": ErrBusy} {
		_, h := newTable(t, Layout{CellsPerHalf: 8, Window: 4, Descriptors: 1})
		h.stuck = stuck
		if err := h.Close(); !errors.Is(err, stuck) {
			t.Errorf("%s: %v, want %v", name, err, stuck)
		}
		if err := h.Close(); err != ErrClosed { // not one that wraps it
			t.Errorf("%s: the second close: %v, want %v", name, err, ErrClosed)
		}
	}
}

// TestHandle_HelpIsNobodysWork: what leaves by the operation of another owner belongs to that one. A helper
// counts it nowhere, and hands nothing over: else the value would have two owners, who both release it.
func TestHandle_HelpIsNobodysWork(t *testing.T) {
	for _, kind := range []Kind{KindDrop, KindReplace, KindLift, KindClear} {
		p := newPlanted(t)
		d := &p.descriptors[1]
		switch kind {
		case KindReplace:
			p.operate(2)
		case KindLift:
			p.lift(false)
		case KindDrop:
			p.move()
		case KindClear:
			p.move()
			d.plan.Store(uint64(MakePlan(KeyLost, 0)))
			p.put(0, 2, OperatingWord(KeyLost, p.refs.Make(1, 1)), MakeWord1(20, 5).Freeze())
			p.put(0, 3, 0, 0)
		}
		p.kinds(kind, 0, 2)
		d.target.Store(uint64(MakeTarget(1).Decide(StatusCommitted)))
		h, err := p.NewHandle(5)
		if err != nil {
			t.Fatal(err)
		}
		h.HandOver(func(l Leaving) { t.Errorf("%v: the helper is handed %v", kind, l) })
		if err := h.Restore(uint32(p.key(0, 2, 0))); err != nil {
			t.Fatalf("%v: %v", kind, err)
		}
		if h.Tally() != (Tally{}) || len(h.Left()) != 0 {
			t.Errorf("%v: the helper counts %+v, and has %v", kind, h.Tally(), h.Left())
		}
		o := operation{table: p.Table, d: d, ref: p.refs.Make(1, 1)}
		if e := o.load(); e != underway || o.take(o.d.helpTarget()) != underway {
			t.Fatalf("%v: %v", kind, e)
		}
		if l, ok := o.leaving(); !ok || l.Value == 0 { // the canary: there is something to be had
			t.Errorf("%v: nothing has left", kind)
		}
		clean(t, p.Table)
	}
}

// TestPrepared_IsForOneSize: also among sizes that have as many homes, so that a program which works does
// not depend on which sizes these are.
func TestPrepared_IsForOneSize(t *testing.T) {
	for _, sizes := range [][2]uint32{{8, 9}, {longRing, longRing + 1}, {longRing + 2, longRing + 3}} {
		a, _ := newTable(t, Layout{CellsPerHalf: sizes[0], Window: 4, Descriptors: 1})
		b, h := newTable(t, Layout{CellsPerHalf: sizes[1], Window: 4, Descriptors: 1})
		if a.span != b.span {
			t.Fatalf("%v have %d and %d homes", sizes, a.span, b.span)
		}
		p, err := a.PrepareAdd(5, 50)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := b.GetPrepared(p.Prepared); !errors.Is(err, ErrHomes) {
			t.Errorf("%v: get: %v", sizes, err)
		}
		if r, err := h.AddPrepared(p); r != 0 || !errors.Is(err, ErrHomes) {
			t.Errorf("%v: add: %v", sizes, err)
		}
	}
}

// TestPrepareAt_KnowsTheBucket: a key kept with its bucket is prepared as by itself, near homes and apart,
// and with any other bucket it is refused.
func TestPrepareAt_KnowsTheBucket(t *testing.T) {
	for _, homes := range []Placement{HomesNear, HomesApart} {
		table, h := newTable(t, Layout{CellsPerHalf: 16, Window: 4, Descriptors: 1, Homes: homes})
		for key := uint32(1); key <= 20; key++ {
			bucket, _ := Homes(key, table.Layout())
			p, err := table.PrepareAt(key, bucket)
			if want, _ := table.Prepare(key); p != want || err != nil {
				t.Fatalf("key %d at bucket %d: %+v, %v, want %+v", key, bucket, p, err, want)
			}
			for other := range uint32(20) {
				if other == bucket {
					continue
				}
				p, err := table.PrepareAt(key, other)
				says := fmt.Sprintf("prepare key %v at bucket %d: %v (its bucket here is %d, of 16 cells a "+
					"half, homes %v)", Key(key), other, ErrHomes, bucket, homes)
				if p != (Prepared{}) || !errors.Is(err, ErrHomes) || err.Error() != says {
					t.Errorf("%+v, %v; want that it says %q", p, err, says)
				}
			}
		}
		bucket, _ := Homes(7, table.Layout())
		if _, err := h.Add(7, 70); err != nil {
			t.Fatal(err)
		}
		p, _ := table.PrepareAt(7, bucket)
		if v, ok, err := table.GetPrepared(p); v != 70 || !ok || err != nil {
			t.Errorf("get: %d %v %v", v, ok, err)
		}
		for _, reserved := range []Key{KeyNone, KeyLost} {
			for bucket := range uint32(2) {
				p, err := table.PrepareAt(uint32(reserved), bucket)
				if p != (Prepared{}) || !errors.Is(err, ErrKey) {
					t.Errorf("%v: %+v, %v", reserved, p, err)
				}
			}
		}
	}
}

// TestAssist_CountsEachCall: also one that finds nothing, of whatever kind; and from the start when it
// is told anew.
func TestAssist_CountsEachCall(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 16, Window: 4, Descriptors: 1})
	if r, err := h.Add(1, 1); r != Added || err != nil {
		t.Fatal(r, err)
	}
	for name, call := range map[string]func() error{
		"add":               func() error { _, err := h.Add(uint32(2+h.tally.Added), 1); return err },
		"add that exists":   func() error { _, err := h.Add(1, 1); return err },
		"update":            func() error { _, _, err := h.Update(1, 2); return err },
		"update of nothing": func() error { _, _, err := h.Update(1000, 2); return err },
		"delete of nothing": func() error { _, err := h.Delete(1000); return err },
	} {
		for told := range 2 {
			before := h.share.next
			h.Assist(2, 3)
			for n := range 1 + told {
				if err := call(); err != nil {
					t.Fatal(name, err)
				}
				if want := before + uint64(3*n); h.share.next != want {
					t.Errorf("%s: %d buckets are cropped after %d calls, want %d", name, h.share.next-before,
						n+1, want-before)
				}
			}
		}
	}
	clean(t, table)
}

// TestHandle_AfterAShareThatFailed: damage that a share of the services' work meets is told by the next call,
// and by Close, which gives the descriptor back: no cell refers to it. A closed handle stays so.
func TestHandle_AfterAShareThatFailed(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 16, Window: 4, Descriptors: 1})
	table.halves[0].cell(5).word0.Store(1<<63 | 7<<1 | 1)
	h.Assist(1, 32)
	if ok, err := h.Delete(1000); ok || err != nil {
		t.Fatal(ok, err)
	}
	const says = "assist: crop of the bucket at cell 0.5"
	if _, err := h.Add(8, 70); err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("the next call: %v, want %s", err, says)
	}
	if err := h.Close(); err == nil || !strings.Contains(err.Error(), says) ||
		strings.Contains(err.Error(), "is lost") {
		t.Errorf("close: %v, want %s", err, says)
	}
	h.Rewind()
	if _, err := h.Add(8, 70); !errors.Is(err, ErrClosed) {
		t.Errorf("a handle that was closed, and rewound: %v", err)
	}
	if _, err := table.NewHandle(2); err != nil {
		t.Errorf("the descriptor was not given back: %v", err)
	}
}

// TestCalls_NameTheKey: a key or a value that no element may have is refused by name.
func TestCalls_NameTheKey(t *testing.T) {
	_, h := newTable(t, Layout{CellsPerHalf: 16, Window: 4, Descriptors: 1})
	for want, call := range map[string]func() (any, error){
		"add of key 00000007: " + ErrValue.Error(): func() (any, error) { return h.Add(7, 0) },
		"update of key 00000007: " + ErrValue.Error(): func() (any, error) {
			_, ok, err := h.Update(7, 0)
			return ok, err
		},
		"add of key NONE: " + ErrKey.Error(): func() (any, error) { return h.Add(0, 1) },
		"update of key LOST: " + ErrKey.Error(): func() (any, error) {
			_, ok, err := h.Update(1<<32-1, 1)
			return ok, err
		},
		"delete of key NONE: " + ErrKey.Error(): func() (any, error) { return h.Delete(0) },
		"get of key LOST: " + ErrKey.Error(): func() (any, error) {
			_, ok, err := h.table.Lookup(1<<32 - 1)
			return ok, err
		},
	} {
		if _, err := call(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestHandle_RewindKeepsWhatItWasTold: to whom values are handed over, and what share of the services' work
// it does.
func TestHandle_RewindKeepsWhatItWasTold(t *testing.T) {
	_, h := newTable(t, geometries[1])
	told := 0
	h.HandOver(func(Leaving) { told++ })
	h.Assist(2, 8)
	h.Rewind()
	for range 2 {
		if r, err := h.Add(1, 1); r == 0 || err != nil {
			t.Fatal(r, err)
		}
		if _, ok, err := h.Update(1, 2); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if told != 2 || h.share.next != 16 {
		t.Errorf("%d values are handed over, want 2, and %d buckets cropped, want 16", told, h.share.next)
	}
}
