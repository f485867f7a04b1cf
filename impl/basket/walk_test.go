package basket

import (
	"fmt"
	"testing"
)

// TestWalk_EvictsOrExpires: at the instant of its end a record has expired, and not before.
func TestWalk_EvictsOrExpires(t *testing.T) {
	for now, want := range map[uint64]string{99: "evicted key", 100: "expired key", 101: "expired key"} {
		text := ""
		w, _ := failed(t, WriterOptions{Reserve: -1, Now: func() uint64 { return now },
			Tell: func(l Leaving) { text += fmt.Sprintf("%v %s", l.Reason, l.Key) }})
		f := lookFor(t, w, 5, "key")
		if ok, err := w.Replace(f, []byte("value"), RecordOptions{Expires: 100}); !ok || err != nil {
			t.Fatal(ok, err)
		}
		b := w.open
		if err := w.seal(); err != nil {
			t.Fatal(err)
		}
		if err := w.take(choice{b, w.store.baskets[b].roomLook(), rankSealed}, false); err != nil {
			t.Fatal(err)
		}
		if did, err := w.walk(1); did != 1 || err != nil || text != want {
			t.Errorf("at %d: %d %v, told %s, want %s", now, did, err, text, want)
		}
	}
}

// asked is an order that notes its questions, and lets each record stay.
type asked struct {
	script
	last Candidate
	says Verdict
}

func (o *asked) Judge(c *Candidate) Verdict { o.last = *c; return o.says }

// TestJudge_AsksThePolicy: what the policy is told of a record, and the effect of its answer. The policy is
// not asked about a basket that is compacted, or about an expired record.
func TestJudge_AsksThePolicy(t *testing.T) {
	w := chooser(t, WriterOptions{Now: func() uint64 { return 100 }})
	o := &asked{says: Verdict{Stays: true, Tier: 1, Uses: 2}}
	w.order, w.retired, w.tooLong = o, MakeHead(StateRetiring, 1, 0, 0).In(2), true
	w.store.touchAs(7, 0b101) // given once, and used once
	x := record{unit: 7, size: MakeSizeWord(0xAB, 9)}
	v, m := w.judge(x, 0xAB)
	want := Candidate{Hash: 0xAB, Tier: 2, Uses: 2, Given: 1, Units: 9, Old: true, writer: w}
	if v != o.says || m != given(2) || o.last != want {
		t.Errorf("%+v, %03b by %+v", v, m, o.last)
	}
	for uses, want := range map[int]marks{-1: 0, 0: 0, 1: 0b100, 3: 0b111, 9: 0b111} {
		o.says.Uses = uses
		if _, m := w.judge(x, 0xAB); m != want {
			t.Errorf("%d uses are the marks %03b", uses, m)
		}
	}
	w.noTouch = true
	if w.judge(x, 0xAB); o.last.Uses != 0 || o.last.Given != 0 {
		t.Errorf("without marks: %+v", o.last)
	}
	w.noTouch, w.moves, o.last = false, true, Candidate{}
	if v, m := w.judge(x, 0xAB); v != (Verdict{Stays: true, Tier: 2}) || m != 0b101 ||
		o.last != (Candidate{}) {
		t.Errorf("a basket that is compacted: %+v, %03b", v, m)
	}
	x.expires = 100
	if v, m := w.judge(x, 0xAB); v != (Verdict{}) || m != 0 || o.last != (Candidate{}) {
		t.Errorf("what has expired: %+v, %03b", v, m)
	}
}

// TestEnded_WaitsForHands: a basket into which a hand leads stays for 63 calls, and the next call gives it
// back. A basket without a hand is freed.
func TestEnded_WaitsForHands(t *testing.T) {
	for _, held := range []bool{true, false} {
		w, x := failed(t, WriterOptions{})
		head := MakeHead(StateRetiring, 1, 3, 9)
		w.store.baskets[2].head.Store(uint64(head))
		w.store.appendSize(2*32, MakeSizeWord(7, 3))
		w.store.appendHead(2*32+1, MakeKeyWord(0, 3, 0, 0))
		w.retiring, w.retired, w.at, w.full = 2, head, 3, true
		w.store.common.sequence.Store(40)
		if held {
			x.handed = func() uint32 { return 2*32 + 1 }
		}
		calls := 0
		for ; w.retiring != none && calls < 1000; calls++ {
			if did, err := w.walk(1); did != 0 || err != nil {
				t.Fatal(did, err)
			}
		}
		text := fmt.Sprint(calls, " ", w.store.baskets[2].roomLook(), " ", w.passed, " ", w.full, " ",
			w.store.walkSize(2*32))
		want := map[bool]string{true: "64 sealed generation 3 sequence 41 2 true 30064771075",
			false: "1 free generation 4 4294967295 false 0"}[held]
		if text != want {
			t.Errorf("in hands %v: %s, want %s", held, text, want)
		}
	}
}

// TestRetiring_OfAnotherOne: a basket that another writer retires by now is neither freed nor given back.
func TestRetiring_OfAnotherOne(t *testing.T) {
	head := MakeHead(StateRetiring, 1, 3, 9)
	other := MakeHead(StateRetiring, 2, 3, 10)
	w, _ := failed(t, WriterOptions{})
	w.store.baskets[2].head.Store(uint64(other))
	w.retiring, w.retired, w.at = 2, head, 32
	_, err := w.walk(1)
	says(t, err, ErrCorrupt, "basket 2, which writer 0 retires, has another owner: "+ErrCorrupt.Error())
	w.retiring = 2
	says(t, w.giveBack(), ErrCorrupt,
		"basket, which writer 0 retires, has another owner: "+ErrCorrupt.Error())
	if w.store.baskets[2].roomLook() != other || w.retiring != none {
		t.Errorf("the basket is %v", w.store.baskets[2].roomLook())
	}
}

// TestLeads_IntoTheBasket: whether a chain that is in hands leads into the basket that retires.
func TestLeads_IntoTheBasket(t *testing.T) {
	w, _ := failed(t, WriterOptions{})
	record := func(unit, hash, units uint32, next Ref) {
		w.store.appendSize(unit, MakeSizeWord(hash, units))
		w.store.appendHead(unit+1, MakeKeyWord(next, 1, 0, 0))
	}
	// A chain of baskets 1, 2 and 3; one that goes on with another hash; one that is too short.
	record(32, 7, 3, refOf(64))
	record(64, 7, 3, refOf(96))
	record(96, 7, 3, 0)
	record(40, 8, 3, refOf(64))
	record(50, 9, 1, 0)
	// Seven of basket 3, an eighth of basket 1, and a ninth of basket 2.
	for i, unit := range []uint32{100, 104, 108, 112, 116, 120, 124, 36} {
		next := refOf(70)
		if i < 7 {
			next = refOf([]uint32{104, 108, 112, 116, 120, 124, 36}[i])
		}
		record(unit, 6, 3, next)
	}
	record(70, 6, 3, 0)
	for _, x := range []struct {
		unit, retiring uint32
		want           bool
	}{{32, 1, true}, {32, 2, true}, {32, 3, true}, {32, 0, false}, {64, 1, false}, {64, 3, true}, {40, 1,
		true},
		{40, 2, false}, {40, 0, false}, {50, 1, false}, {50, 0, false}, {100, 1, true}, {100, 2, false},
		{128, 0, false}, {1<<32 - 1, 0, false}} {
		w.retiring = x.retiring
		if got := w.leads(refOf(x.unit)); got != x.want {
			t.Errorf("from unit %d into basket %d: %v", x.unit, x.retiring, got)
		}
	}
}
