//go:build !explore

package cache

import (
	"testing"
	"time"
)

// With the explorer nobody sleeps, so nothing is handed over there.

// A handle is handed to somebody who sleeps, and stays taken; not if the pool has ended.
func TestPool_HandsOver(t *testing.T) {
	for _, ended := range []uint32{0, 1} {
		p, _ := testPool(1, 1)
		s, err := p.take()
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan *slot[*made])
		go func() { got <- p.sleep(time.Second) }()
		for p.wait.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(10 * time.Millisecond) // it waits by now
		p.ended.Store(ended)
		s.give(slotFirst)
		if x := <-got; (x == s) != (ended == 0) || (s.word.Load()&slotTaken != 0) != (ended == 0) {
			t.Errorf("ended %d: handed over %v, the word is %#x", ended, x == s, s.word.Load())
		}
		if first, _ := p.counts(); first != 1 || p.wait.Load() != 0 {
			t.Errorf("%d calls are counted, and %d wait", first, p.wait.Load())
		}
	}
}

// Who waits for a handle for long sleeps longer and longer.
func TestPool_PausesGrow(t *testing.T) { pausesGrow(t) }
