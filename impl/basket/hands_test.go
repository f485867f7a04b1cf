package basket_test

import (
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// handing is a store in which the index has handed key 1 over to actor 1, which is stopped before it copies
// the record.
func handing(t *testing.T, tell func(basket.Leaving)) (c checked, w *basket.Writer, ref uint32) {
	c = checked{newStore(t, basket.Layout{Baskets: 6, BasketBytes: 256, Writers: 2}, 0), newWords(64, 2)}
	w = newWriter(t, c.Store, c.actor(0), basket.WriterOptions{Tell: tell})
	set(t, w, 1, number(1, 8), []byte("in somebody's hands"), basket.RecordOptions{})
	ref = uint32(c.all[1].Load() >> 32)
	c.hands[1].Store(ref)
	c.all[1].Store(1)
	return c, w, ref
}

// churn sets other keys, for so many baskets and more.
func churn(t *testing.T, w *basket.Writer, from int) {
	for n := range 200 {
		key := number(uint64(from+n), 8)
		set(t, w, uint32(2+n%60), key, number(uint64(n), 64), basket.RecordOptions{})
	}
}

// recordAt is what lies at a ref.
func recordAt(c checked, ref uint32) (text string) {
	c.Records(func(r basket.Record) bool {
		if r.Ref == basket.Ref(ref) {
			text = fmt.Sprintf("%x: %s", r.Key, r.Value)
		}
		return true
	})
	return text
}

// TestWalk_LeavesWhatIsInHands: a basket into which the hand of an actor leads is neither freed nor written
// to while the actor is stopped, and no call waits for the actor. When the actor continues, the basket is
// freed like any other (C13).
func TestWalk_LeavesWhatIsInHands(t *testing.T) {
	c, w, ref := handing(t, nil)
	before := recordAt(c, ref)
	churn(t, w, 1000)
	if now := recordAt(c, ref); before == "" || now != before {
		t.Errorf("what was handed over is %q, it was %q", now, before)
	}
	c.hands[1].Store(0)
	churn(t, w, 2000)
	if now := recordAt(c, ref); now == before {
		t.Errorf("what nobody has any more is there still: %q", now)
	}
	c.check(t)
}

// TestWalk_TakesWhatTheDeadHadInHands: the walk also tells it.
func TestWalk_TakesWhatTheDeadHadInHands(t *testing.T) {
	told := 0
	c, w, ref := handing(t, func(l basket.Leaving) {
		if l.Reason != basket.ReasonDead {
			return
		}
		if told++; string(l.Value) != "in somebody's hands" || string(l.Key) != string(number(1, 8)) {
			t.Errorf("told %q %q", l.Key, l.Value)
		}
	})
	c.words.dead = []int{1}
	before := recordAt(c, ref)
	churn(t, w, 1000)
	if now := recordAt(c, ref); told != 1 || now == before {
		t.Errorf("told %d times, and there is %q", told, now)
	}
	c.check(t)
}
