package basket

import (
	"errors"
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// TestReader_LooksBeforeItAsks: a call that has room for the value asks the index once, behind all that
// it has looked at. Somebody who changes the record right then changes no answer.
func TestReader_LooksBeforeItAsks(t *testing.T) {
	w, x := failed(t, WriterOptions{})
	for name, call := range map[string]func() (string, error){
		"Get": func() (string, error) {
			value, m, ok, err := w.Get(5, []byte("key"), make([]byte, 0, 8))
			return fmt.Sprint(string(value), m.Bytes, ok), err
		},
		"Has": func() (string, error) {
			m, ok, err := w.Has(5, []byte("key"))
			return fmt.Sprint("value", m.Bytes, ok), err
		},
		"Find": func() (string, error) {
			f, value, err := w.Find(5, []byte("key"), make([]byte, 0, 8))
			return fmt.Sprint(string(value), f.Meta().Bytes, f.OK()), err
		},
		"Chain": func() (string, error) {
			all, links, err := w.Chain(5, make([]byte, 0, 8), nil)
			return fmt.Sprint(string(all[3:]), links[0].Meta.Bytes, string(all[:3]) == "key"), err
		},
	} {
		x.still = nil
		put(t, w, 5, "key", "value")
		unit := Ref(x.refs[5]).unit()
		x.still = func() {
			for i := range uint32(4) {
				w.store.records[unit+i].bits.Store(^uint64(0))
			}
		}
		w.noTouch = true
		text, err := call()
		x.still = nil
		w.store.appendSize(unit, MakeSizeWord(5, 3))
		w.store.appendHead(unit+1, MakeKeyWord(0, 3, 0, 0))
		w.store.appendBytes(int(unit+2)*UnitBytes, []byte("keyvalue"))
		if text != "value5 true" || err != nil {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}

// TestReader_Torn: of a chain that makes no sense, while the index holds still, each call says so.
func TestReader_Torn(t *testing.T) {
	w, x := failed(t, WriterOptions{})
	put(t, w, 5, "key", "value")
	x.refs[6] = x.refs[5]
	const text = "chain of hash 0x6: "
	value, m, ok, err := w.Get(6, []byte("key"), []byte("<"))
	says(t, err, ErrCorrupt, text+ErrCorrupt.Error())
	m2, ok2, err := w.Has(6, []byte("key"))
	says(t, err, ErrCorrupt, text+ErrCorrupt.Error())
	f, value2, err := w.Find(6, []byte("key"), []byte("<"))
	says(t, err, ErrCorrupt, text+ErrCorrupt.Error())
	says(t, w.evict(Ref(x.refs[5]), 6), ErrCorrupt, text+ErrCorrupt.Error())
	x.refs[7] = 4*32 + 1 // behind the last unit
	_, _, _, err = w.Get(7, []byte("key"), nil)
	says(t, err, ErrCorrupt, "chain of hash 0x7: "+ErrCorrupt.Error())
	if string(value) != "<" || string(value2) != "<" || ok || ok2 || f.OK() || m != m2 || m != (Meta{}) {
		t.Errorf("%q %q %v %v %+v", value, value2, ok, ok2, f)
	}
}

// TestReader_Tiers: a Get says in which tier it has found a record, if it is to.
func TestReader_Tiers(t *testing.T) {
	x := &failing{refs: map[uint32]uint32{}}
	s := onHeap(t, Layout{Baskets: 4, BasketBytes: 256, Writers: 1, Tiers: 3})
	w, err := s.NewWriter(x, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.NewReader(x, ReaderOptions{Tiers: true})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := s.NewReader(x, ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	put(t, w, 5, "key", "value")
	for _, tier := range []uint32{0, 2, 1} {
		w.store.baskets[w.open].head.Store(uint64(w.head.In(tier)))
		if _, m, ok, err := r.Get(5, []byte("key"), nil); !ok || err != nil || m.Tier != tier {
			t.Errorf("tier %d: %+v, %v, %v", tier, m, ok, err)
		}
		if _, m, ok, err := plain.Get(5, []byte("key"), nil); !ok || err != nil || m.Tier != 0 {
			t.Errorf("tier %d, which nobody asks for: %+v, %v, %v", tier, m, ok, err)
		}
	}
}

// TestTierCounts_Hit: each hit counts in its tier; a number that is none is no fault.
func TestTierCounts_Hit(t *testing.T) {
	var c TierCounts
	for _, tier := range []uint32{0, 2, 2, 7, 8} {
		c.Hit(tier)
	}
	if text := fmt.Sprint(c[0].Load(), c[1].Load(), c[2].Load(), c[7].Load()); text != "2 0 2 1" {
		t.Errorf("counted %s", text)
	}
}

// unsure is an index that says once that a ticket does not hold, and has nothing then.
type unsure struct {
	failing
	asked bool
}

func (x *unsure) Ticket(hash uint32) (hopscotch.Ticket, bool, error) {
	t, ok, err := x.failing.Ticket(hash)
	return t, ok && !x.asked, err
}
func (x *unsure) Still(hopscotch.Ticket) bool { x.asked = true; return false }

// TestReader_AllocatesForNoRumour: nothing is allocated for a length that the index does not vouch for.
func TestReader_AllocatesForNoRumour(t *testing.T) {
	w, x := failed(t, WriterOptions{})
	put(t, w, 5, "key", fmt.Sprintf("%0*d", 150, 0))
	y := &unsure{failing: *x}
	other, err := w.store.NewWriter(y, WriterOptions{Number: 2})
	if err != nil {
		t.Fatal(err)
	}
	key := []byte("key")
	for _, dst := range [][]byte{make([]byte, 0, 8), make([]byte, 100, 160)} {
		if n := testing.AllocsPerRun(100, func() {
			y.asked = false
			if _, _, ok, err := other.Get(5, key, dst); ok || err != nil {
				t.Error(ok, err)
			}
			y.asked = false
			if f, _, err := other.Find(5, key, dst); f.OK() || err != nil {
				t.Error(f, err)
			}
			y.asked = false
			all, links, err := other.Chain(5, dst, nil)
			if len(all) != len(dst) || links != nil || err != nil {
				t.Error(len(all), links, err)
			}
		}); n != 0 {
			t.Errorf("a buffer of %d bytes of %d: %v allocations", len(dst), cap(dst), n)
		}
	}
}

// TestRecords_OfEachBasket: what lies in all baskets, in order.
func TestRecords_OfEachBasket(t *testing.T) {
	w, _ := failed(t, WriterOptions{Reserve: -1})
	for i := range uint32(5) { // of 15 units: two fit into a basket of 32
		put(t, w, 10+i, fmt.Sprint("key", i), fmt.Sprintf("%0*d", 100, i))
	}
	text := ""
	w.store.Records(func(r Record) bool {
		text += fmt.Sprintf("%d %d %s %d %d; ", r.Hash, r.Ref, r.Key, r.Basket, len(r.Value))
		return r.Hash != 13
	})
	if want := "10 1 key0 0 100; 11 16 key1 0 100; 12 33 key2 1 100; 13 48 key3 1 100; "; text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
}

// TestRival_OneAfterTheOther: the records of the oldest basket of a tier, which begin anew behind the last.
func TestRival_OneAfterTheOther(t *testing.T) {
	w, _ := failed(t, WriterOptions{})
	if hash, uses, ok := w.rival(0); ok || hash != 0 || uses != 0 {
		t.Errorf("without a basket: %d %d", hash, uses)
	}
	w.rivals[1] = rivals{basket: 2}
	if hash, uses, ok := w.rival(1); ok || hash != 0 || uses != 0 {
		t.Errorf("of a basket without records: %d %d", hash, uses)
	}
	for at, units := range map[uint32]uint32{0: 10, 10: 20, 30: 2} {
		w.store.records[2*32+at].bits.Store(uint64(MakeSizeWord(100+at, units)))
	}
	w.store.records[3*32].bits.Store(uint64(MakeSizeWord(999, 5))) // of another basket
	w.store.touchAs(2*32, 0b011)
	text := ""
	for range 5 {
		hash, uses, ok := w.rival(1)
		text += fmt.Sprint(hash, " ", uses, " ", ok, "; ")
	}
	if want := "100 2 true; 110 0 true; 130 0 true; 100 2 true; 110 0 true; "; text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	w.store.records[2*32+30].bits.Store(uint64(MakeSizeWord(130, 3))) // longer than the basket
	if hash, _, ok := w.rival(1); !ok || hash != 100 {
		t.Errorf("behind what can be no record: %d %v", hash, ok)
	}
	w.store.records[2*32].bits.Store(uint64(MakeSizeWord(100, 1)))
	w.rivals[1].at = 0
	if hash, uses, ok := w.rival(1); ok || hash != 0 || uses != 0 {
		t.Errorf("what can be no record: %d %d %v", hash, uses, ok)
	}
	for _, tier := range []uint32{TiersMax, TiersMax + 1} {
		if _, _, ok := w.rival(tier); ok {
			t.Errorf("tier %d has a rival", tier)
		}
	}
	if hash, uses, ok := (&Candidate{}).Rival(1); ok || hash != 0 || uses != 0 {
		t.Errorf("of a candidate of nobody: %d %d %v", hash, uses, ok)
	}
}

// TestRoom_ToTheLastUnit: a change that fits into the open basket needs no other one.
func TestRoom_ToTheLastUnit(t *testing.T) {
	for name, x := range map[string]struct {
		units uint32
		call  func(w *Writer, f Found) (bool, error)
	}{
		"Replace": {7, func(w *Writer, f Found) (bool, error) { // with a copy of the neighbour
			return w.Replace(f, []byte("new"), RecordOptions{})
		}},
		"Remove": {4, func(w *Writer, f Found) (bool, error) { return w.Remove(f, ReasonDeleted) }},
		"Mark":   {7, func(w *Writer, f Found) (bool, error) { return w.Mark(f, true) }},
	} {
		for missing := range uint32(2) {
			w, _ := failed(t, WriterOptions{Reserve: -1})
			put(t, w, 5, "key", "value")
			put(t, w, 5, "neighbour", "val") // of 4 units, in front of the 3 of the key
			f := lookFor(t, w, 5, "key")
			w.pos = 32 - x.units + missing
			open := w.open
			ok, err := x.call(w, f)
			if !ok || err != nil || (w.open == open) != (missing == 0) {
				t.Errorf("%s with %d units too few: %v %v, basket %d, then %d", name, missing, ok, err, open,
					w.open)
			}
		}
	}
}

// fickle is an index that vouches for the first ticket once, and for nothing afterwards.
type fickle struct{ changing }

func (x *fickle) Still(hopscotch.Ticket) bool { x.asks++; return x.asks == 1 }

// TestReader_KeepsItsRoom: a call that starts again, as often as it may, makes room once: what it has made is
// there for its next round, and for the caller's next call.
func TestReader_KeepsItsRoom(t *testing.T) {
	s := onHeap(t, Layout{Baskets: 3, BasketBytes: 1024, Writers: 1})
	s.appendSize(0, MakeSizeWord(0xAB, 40))
	s.appendHead(1, MakeKeyWord(0, 3, 0, 0))
	s.appendBytes(16, []byte("key"))
	x := &fickle{changing{ref: 1}}
	w, err := s.NewWriter(x, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func(dst []byte, links []Link) ([]byte, []Link, error){
		"get": func(dst []byte, links []Link) ([]byte, []Link, error) {
			value, _, _, err := w.Get(0xAB, []byte("key"), dst)
			return value, links, err
		},
		"find": func(dst []byte, links []Link) ([]byte, []Link, error) {
			_, value, err := w.Find(0xAB, []byte("key"), dst)
			return value, links, err
		},
		"chain": func(dst []byte, links []Link) ([]byte, []Link, error) { return w.Chain(0xAB, dst, links) },
	} {
		var dst []byte
		var links []Link
		allocs := testing.AllocsPerRun(1, func() {
			x.asks = 0
			if dst, links, err = call([]byte{}, nil); !errors.Is(err, ErrBusy) || x.asks < patience {
				t.Errorf("%s: %v, asked %d times", name, err, x.asks)
			}
		})
		if allocs > 9 { // the buffers, and the error with its text
			t.Errorf("%s: %v allocations", name, allocs)
		}
		if cap(dst) < 300 || len(dst) != 0 || len(links) != 0 || (name == "chain") != (cap(links) > 0) {
			t.Errorf("%s: room for %d bytes comes back, with %d bytes in it; and for %d links, with %d",
				name, cap(dst), len(dst), cap(links), len(links))
		}
	}
}

// TestReader_KeepsRoomOfDamage: the room that was made for a chain that turns out to be damaged comes back.
func TestReader_KeepsRoomOfDamage(t *testing.T) {
	w, x := failed(t, WriterOptions{})
	put(t, w, 5, "key", fmt.Sprintf("%0*d", 150, 0))
	next := w.store.copyHead(1)
	w.store.appendHead(1, next.before(Ref(x.refs[5]))) // the record follows itself
	dst, links, err := w.Chain(5, []byte("<"), nil)
	says(t, err, ErrCorrupt, "chain of hash 0x5: "+ErrCorrupt.Error())
	if string(dst) != "<" || len(links) != 0 || cap(dst) < 150 || cap(links) == 0 {
		t.Errorf("%q with room for %d bytes, %d links of %d", dst, cap(dst), len(links), cap(links))
	}
	if n := testing.AllocsPerRun(100, func() {
		if dst, links, err = w.Chain(5, dst, links); !errors.Is(err, ErrCorrupt) {
			t.Error(err)
		}
	}); n > 3 { // the error with its text
		t.Errorf("%v allocations of the next call", n)
	}
}
