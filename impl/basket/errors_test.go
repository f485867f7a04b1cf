package basket

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// failing is an index of a few hashes whose calls fail as a test says.
type failing struct {
	refs   map[uint32]uint32
	fails  error  // of lookups, swaps, adds, deletes
	settle error  // of Settle
	stolen bool   // swaps find that somebody else was there before
	hands  uint32 // that an add hands over, if not 0
	still  func() // called by Still, which is true
	handed func() uint32

	settled int // so many calls of Settle
}

func (x *failing) Ticket(hash uint32) (hopscotch.Ticket, bool, error) {
	ref, ok := x.refs[hash]
	return hopscotch.MakeTicket(hash, 0, hopscotch.Word1(uint64(ref)<<32|1)), ok, x.fails
}
func (x *failing) Still(hopscotch.Ticket) bool {
	if x.still != nil {
		x.still()
	}
	return true
}
func (x *failing) CompareAndSwap(t hopscotch.Ticket, ref uint32) (bool, error) {
	if x.stolen || x.fails != nil {
		return false, x.fails
	}
	x.refs[t.Key()] = ref
	return true, nil
}
func (x *failing) CompareAndDelete(t hopscotch.Ticket) (bool, error) {
	if x.stolen || x.fails != nil {
		return false, x.fails
	}
	delete(x.refs, t.Key())
	return true, nil
}
func (x *failing) Add(hash, ref uint32, left func(ref uint32)) (bool, error) {
	if x.hands != 0 {
		left(x.hands)
	}
	if x.stolen || x.fails != nil {
		return false, x.fails
	}
	x.refs[hash] = ref
	return true, nil
}
func (x *failing) Forget() error { return nil }
func (x *failing) Handed(yield func(ref uint32) bool) {
	if x.handed != nil {
		yield(x.handed())
	}
}
func (x *failing) Settle(func(ref uint32)) error { x.settled++; return x.settle }

var errIndex = errors.New("this index fails")

// failed is a writer of 4 baskets of 32 units over a failing index in which nothing is.
func failed(t *testing.T, o WriterOptions) (*Writer, *failing) {
	t.Helper()
	x := &failing{refs: map[uint32]uint32{}}
	w, err := onHeap(t, Layout{Baskets: 4, BasketBytes: 256, Writers: 3}).NewWriter(x, o)
	if err != nil {
		t.Fatal(err)
	}
	return w, x
}

// put sets a key, which cannot fail.
func put(t *testing.T, w *Writer, hash uint32, key, value string) {
	t.Helper()
	f, _, err := w.Find(hash, []byte(key), nil)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := w.Replace(f, []byte(value), RecordOptions{}); !ok || err != nil {
		t.Fatalf("%s: %v %v", key, ok, err)
	}
}

// lookFor finds a key.
func lookFor(t *testing.T, w *Writer, hash uint32, key string) Found {
	t.Helper()
	f, _, err := w.Find(hash, []byte(key), nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestClosed_EachCall: after a close no call does anything.
func TestClosed_EachCall(t *testing.T) {
	w, x := failed(t, WriterOptions{})
	put(t, w, 5, "key", "value")
	f := lookFor(t, w, 5, "key")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	before := x.refs[5]
	x.settle = errIndex
	for name, call := range map[string]func() (bool, error){
		"Prepare": func() (bool, error) { return false, w.Prepare(5, 9) },
		"Replace": func() (bool, error) { return w.Replace(f, []byte("new"), RecordOptions{}) },
		"Remove":  func() (bool, error) { return w.Remove(f, ReasonDeleted) },
		"Mark":    func() (bool, error) { return w.Mark(f, true) },
		"Tend":    func() (bool, error) { n, err := w.Tend(5); return n != 0, err },
		"Settle":  func() (bool, error) { return false, w.Settle() },
		"Age":     w.Age,
		"Close":   func() (bool, error) { return false, w.Close() },
		"Find": func() (bool, error) {
			f, value, err := w.Find(5, []byte("key"), []byte("<"))
			return f.OK() || string(value) != "<", err
		},
	} {
		if ok, err := call(); ok || !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v %v", name, ok, err)
		}
	}
	if x.refs[5] != before || w.open != none {
		t.Error("a closed writer has written")
	}
}

// TestDamaged_EachCall: a call that comes by a record that none can be says in which basket, and what it was
// about.
func TestDamaged_EachCall(t *testing.T) {
	w, _ := failed(t, WriterOptions{})
	put(t, w, 0xAB, "key", "value")
	f := lookFor(t, w, 0xAB, "key")
	spoil := func() {
		w.retiring, w.at, w.short = 2, 4, true
		w.store.records[2*32+4].bits.Store(uint64(MakeSizeWord(5, 1)))
		w.pos = 30
	}
	const text = "record at unit 4 of basket 2: "
	spoil()
	says(t, w.Prepare(0xAB, 9), ErrCorrupt, "set of hash 0xab: "+text+ErrCorrupt.Error())
	w.prepared = 0
	ok, err := w.Replace(f, []byte("new"), RecordOptions{})
	says(t, err, ErrCorrupt, "set of hash 0xab: "+text+ErrCorrupt.Error())
	ok2, err := w.Mark(f, true)
	says(t, err, ErrCorrupt, "mark of hash 0xab: "+text+ErrCorrupt.Error())
	n, err := w.Tend(3)
	says(t, err, ErrCorrupt, "tend: "+text+ErrCorrupt.Error())
	if ok || ok2 || n != 0 {
		t.Errorf("%v %v %d", ok, ok2, n)
	}
}

// TestNoRoom_EachCall: a call that needs a basket, and cannot have the one that a dead writer has left, says
// what it was about.
func TestNoRoom_EachCall(t *testing.T) {
	w, x := failed(t, WriterOptions{Alive: func(Owner) bool { return false }})
	put(t, w, 0xAB, "first", "value")
	put(t, w, 0xAB, "second", "value")
	w.store.entries[1].owner.Store(uint64(ownerOf(9, 0)))
	for b := range w.store.baskets {
		if uint32(b) != w.open {
			w.store.baskets[b].head.Store(uint64(MakeHead(StateOpen, 2, 0, uint64(50+b))))
		}
	}
	w.pos = 32
	x.settle = errIndex
	f := lookFor(t, w, 0xAB, "first")
	w.prepared = w.serial
	ok, err := w.Replace(f, []byte("new"), RecordOptions{})
	says(t, err, errIndex, "set of hash 0xab: "+errIndex.Error())
	ok2, err := w.Mark(f, true)
	says(t, err, errIndex, "mark of hash 0xab: "+errIndex.Error())
	ok3, err := w.Remove(f, ReasonDeleted) // the second one is in front of it, and must be copied
	says(t, err, errIndex, "delete of hash 0xab: "+errIndex.Error())
	if ok || ok2 || ok3 {
		t.Errorf("%v %v %v", ok, ok2, ok3)
	}
	says(t, w.Settle(), errIndex, "settle: "+errIndex.Error())
}

// TestIndexFails_EachCall: what the index fails with comes back. A record that it may have stays where it is;
// the room of one that it has not is used again.
func TestIndexFails_EachCall(t *testing.T) {
	for _, fails := range []error{nil, errIndex} {
		text := ""
		w, x := failed(t, WriterOptions{Tell: func(l Leaving) { text += fmt.Sprint(l.Reason, " ") }})
		put(t, w, 5, "key", "value")
		put(t, w, 6, "other", "value")
		x.stolen, x.hands = true, x.refs[6]
		for name, call := range map[string]func(f Found) (bool, error){
			"Replace": func(f Found) (bool, error) { return w.Replace(f, []byte("new"), RecordOptions{}) },
			"Mark":    func(f Found) (bool, error) { return w.Mark(f, true) },
			"Remove":  func(f Found) (bool, error) { return w.Remove(f, ReasonDeleted) },
			"Add": func(f Found) (bool, error) {
				w.key, f.state = []byte("new"), nothing
				return w.Replace(f, []byte("value"), RecordOptions{})
			},
		} {
			x.fails = nil
			f, pos, hint := lookFor(t, w, 5, "key"), w.pos, w.store.baskets[w.open].hintRead()
			x.fails = fails
			ok, err := call(f)
			kept := w.pos > pos
			if ok || !errors.Is(err, fails) || kept != (fails != nil && name != "Remove") ||
				!kept && w.store.walkSize(w.open*32+pos) != 0 {
				t.Errorf("%s of an index that fails with %v: %v %v, position %d, then %d", name, fails, ok,
					err,
					pos, w.pos)
			}
			if now := w.store.baskets[w.open].hintRead(); name != "Add" && now != hint {
				t.Errorf("%s: the hint was %#x, and is %#x", name, hint, now)
			}
			w.pos = pos
			w.store.appendZero(w.open*32 + pos)
		}
		if text != "index full " {
			t.Errorf("told: %s", text)
		}
		x.fails = errIndex
		if f, value, err := w.Find(5, []byte("key"), []byte("<")); f.OK() || string(value) != "<" ||
			!errors.Is(err, errIndex) {
			t.Errorf("a find: %v %q %v", f.OK(), value, err)
		}
		if value, _, ok, err := w.Get(5, []byte("key"), []byte("<")); ok || string(value) != "<" ||
			!errors.Is(err, errIndex) {
			t.Errorf("a get: %v %q %v", ok, value, err)
		}
		if m, ok, err := w.Has(5, []byte("key")); ok || m != (Meta{}) || !errors.Is(err, errIndex) {
			t.Errorf("a look: %v %v", ok, err)
		}
		says(t, w.evict(1, 5), errIndex, errIndex.Error())
	}
}

// TestChain_Fails: whatever happens, the buffers come back as they were.
func TestChain_Fails(t *testing.T) {
	w, x := failed(t, WriterOptions{})
	put(t, w, 5, "key", "value")
	before, links := []byte("<"), []Link{{1, 2, 3, Meta{}}}
	check := func(r *Reader, hash uint32, want error, text string) {
		t.Helper()
		all, chain, err := r.Chain(hash, before, links)
		says(t, err, want, text)
		if string(all) != "<" || len(chain) != 1 {
			t.Errorf("%q and %v come back", all, chain)
		}
	}
	check(&Reader{}, 5, ErrZero, ErrZero.Error())
	if _, chain, err := w.Chain(6, before, links); len(chain) != 1 || err != nil {
		t.Errorf("of a hash without records: %v %v", chain, err)
	}
	x.refs[6] = x.refs[5]
	check(&w.Reader, 6, ErrCorrupt, "chain of hash 0x6: "+ErrCorrupt.Error())
	next := w.store.copyHead(1)
	w.store.appendHead(1, next.before(1)) // the record follows itself
	check(&w.Reader, 5, ErrCorrupt, "chain of hash 0x5: "+ErrCorrupt.Error())
	x.fails = errIndex
	check(&w.Reader, 5, errIndex, errIndex.Error())
}

// TestFound_OfAnotherFind: a change is made by what the last find has found, and by nothing else.
func TestFound_OfAnotherFind(t *testing.T) {
	w, x := failed(t, WriterOptions{})
	put(t, w, 5, "key", "value")
	f := lookFor(t, w, 5, "key")
	before, pos := x.refs[5], w.pos
	for _, other := range []Found{{}, {serial: f.serial - 1, state: there}, {serial: f.serial + 1<<32,
		state: there},
		{serial: f.serial | 1<<63, state: there}} {
		ok, err := w.Replace(other, []byte("new"), RecordOptions{})
		ok2, err2 := w.Remove(other, ReasonDeleted)
		ok3, err3 := w.Mark(other, true)
		if ok || ok2 || ok3 || err != nil || err2 != nil || err3 != nil || x.refs[5] != before ||
			w.pos != pos {
			t.Errorf("%+v: %v %v %v %v %v %v", other, ok, ok2, ok3, err, err2, err3)
		}
	}
	w.serial = 0
	if ok, err := w.Replace(Found{state: there}, nil, RecordOptions{}); ok || err != nil {
		t.Errorf("of no find at all: %v %v", ok, err)
	}
	if ok, err := w.Remove(Found{state: there}, ReasonDeleted); ok || err != nil {
		t.Errorf("of no find at all: %v %v", ok, err)
	}
	if ok, err := w.Mark(Found{state: there}, true); ok || err != nil {
		t.Errorf("of no find at all: %v %v", ok, err)
	}
	first, err := w.store.NewWriter(x, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := first.Mark(lookFor(t, first, 5, "key"), true); !ok || err != nil {
		t.Errorf("of the first find of a writer: %v %v", ok, err)
	}
}

// TestPrepare_IsForOneFind: it walks over some records, and the change behind the next find does not;
// any other
// one does.
func TestPrepare_IsForOneFind(t *testing.T) {
	for name, change := range map[string]func(w *Writer, f Found) (bool, error){
		"Replace": func(w *Writer, f Found) (bool, error) {
			return w.Replace(f, []byte("value"),
				RecordOptions{})
		},
		"Mark": func(w *Writer, f Found) (bool, error) { return w.Mark(f, !f.Meta().Suspect) },
	} {
		w, _ := failed(t, WriterOptions{Reserve: 1, Portion: 2})
		put(t, w, 5, "key", "value")
		w.store.baskets[2].head.Store(uint64(MakeHead(StateRetiring, 1, 0, 0)))
		for at := uint32(0); at < 32; at += 2 {
			w.store.records[2*32+at].bits.Store(uint64(MakeSizeWord(100+at, 2)))
		}
		w.retiring, w.retired, w.pos = 2, MakeHead(StateRetiring, 1, 0, 0), 20
		walked := func(ok bool, err error) uint32 {
			t.Helper()
			at := w.at
			if w.at, w.pos = 0, 20; !ok || err != nil {
				t.Fatal(name, ok, err)
			}
			return at
		}
		if n := walked(true, w.Prepare(5, 8)); n != 16 {
			t.Errorf("a Prepare walks over %d units, want those of 8 records", n)
		}
		if n := walked(change(w, lookFor(t, w, 5, "key"))); n != 0 {
			t.Errorf("the %s behind it walks over %d units", name, n)
		}
		w.prepared = w.serial + 1 + 1<<32
		if n := walked(change(w, lookFor(t, w, 5, "key"))); n != 16 {
			t.Errorf("a %s without a Prepare walks over %d units", name, n)
		}
	}
}

// TestReplace_TheNinthOfAChain: the oldest one leaves, and the others stay.
func TestReplace_TheNinthOfAChain(t *testing.T) {
	text := ""
	x := &failing{refs: map[uint32]uint32{}}
	w, err := onHeap(t, Layout{Baskets: 8, BasketBytes: 1024, Writers: 1}).NewWriter(x,
		WriterOptions{Tell: func(l Leaving) { text += fmt.Sprintf("%v %s=%s; ", l.Reason, l.Key, l.Value) }})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 9 {
		put(t, w, 5, fmt.Sprint("key", i), fmt.Sprint("value", i))
	}
	put(t, w, 5, "key4", "again")
	all, links, err := w.Chain(5, nil, nil)
	if err != nil || text != "evicted key0=value0; replaced key4=value4; " {
		t.Errorf("told: %s, %v", text, err)
	}
	text = ""
	for _, l := range links {
		text += fmt.Sprintf("%s=%s ", all[l.From:l.Key], all[l.Key:l.End])
	}
	if text != "key4=again key8=value8 key7=value7 key6=value6 key5=value5 key3=value3 key2=value2 "+
		"key1=value1 " {
		t.Error(text)
	}
}

// TestReplace_WhatDoesNotFitLeaves: a chain lies in one basket. The ones behind that do not fit beside a new
// record leave, and what is behind them stays.
func TestReplace_WhatDoesNotFitLeaves(t *testing.T) {
	text := ""
	w, _ := failed(t, WriterOptions{Tell: func(l Leaving) {
		text += fmt.Sprintf("%v %s; ", l.Reason,
			l.Key)
	}})
	large := fmt.Sprintf("%0*d", 100, 0)
	for _, key := range []string{"a", "b", "c"} { // of 15 units each
		put(t, w, 5, key, large)
	}
	put(t, w, 5, "a", large) // c fits beside it, and not b
	if text != "evicted b; replaced a; " {
		t.Errorf("told: %s", text)
	}
	if f := lookFor(t, w, 5, "c"); !f.OK() {
		t.Error("what fits has left")
	}
}

// TestNoteChain_OfAnyRef: each record of a chain is noted, and of a number that is no ref none.
func TestNoteChain_OfAnyRef(t *testing.T) {
	text := ""
	w, x := failed(t, WriterOptions{Tell: func(l Leaving) { text += fmt.Sprintf("%v %s ", l.Reason, l.Key) }})
	put(t, w, 5, "a", "value")
	put(t, w, 5, "b", "value")
	live := w.store.baskets[0].hintRead().Live()
	for _, ref := range []uint32{0, 4*32 + 1, 1 << 31, 3, x.refs[5]} {
		w.noteChain(Ref(ref), ReasonDead)
	}
	w.walkTell()
	if text != "taken back from the dead b taken back from the dead a " {
		t.Error(text)
	}
	if now := w.store.baskets[0].hintRead().Live(); now != live-6 {
		t.Errorf("%d units live, and then %d", live, now)
	}
}

// fourOfAChain is a writer of a store with the keys a to d, all of one hash, which are too many for a basket
// that they would have to share: 12 units each, in baskets of 32. What leaves is added to the text.
func fourOfAChain(t *testing.T, text *string) *Writer {
	t.Helper()
	w, _ := failed(t, WriterOptions{Tell: func(l Leaving) {
		*text += fmt.Sprintf("%v %s; ", l.Reason, l.Key)
	}})
	for _, key := range []string{"a", "b", "c", "d"} {
		put(t, w, 5, key, fmt.Sprintf("%0*d", 79, 0))
	}
	return w
}

// TestRemove_WhatDoesNotFitLeaves: of the records in front of one that is removed those leave that do not fit
// into one basket.
func TestRemove_WhatDoesNotFitLeaves(t *testing.T) {
	text := ""
	w := fourOfAChain(t, &text)
	if ok, err := w.Remove(lookFor(t, w, 5, "a"), ReasonDeleted); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if text != "evicted b; deleted a; " {
		t.Errorf("told: %s", text)
	}
	for key, want := range map[string]bool{"a": false, "b": false, "c": true, "d": true} {
		if f := lookFor(t, w, 5, key); f.OK() != want {
			t.Errorf("%s is there: %v", key, f.OK())
		}
	}
}

// TestErrTooLarge_NamesTheOption that makes room for a larger record.
func TestErrTooLarge_NamesTheOption(t *testing.T) {
	if text := ErrTooLarge.Error(); !strings.HasSuffix(text, "create the region with larger BasketBytes") {
		t.Error(text)
	}
}
