//go:build !explore

package cache

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// With the explorer nobody sleeps, so nothing is handed over there.

// A handle is handed to somebody who sleeps, and stays taken; not if the pool has ended. Its counts are
// carried as those of one that is given back.
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
		s.word.Store(slotTaken | 1<<30 - 1)
		s.give(slotFirst)
		if x := <-got; (x == s) != (ended == 0) || (s.word.Load()&slotTaken != 0) != (ended == 0) {
			t.Errorf("ended %d: handed over %v, the word is %#x", ended, x == s, s.word.Load())
		}
		if n := s.totals[0].Load(); n != 1<<30 || s.word.Load()&slotCounts != 0 || p.wait.Load() != 0 {
			t.Errorf("%d calls are carried, the word is %#x, and %d wait", n, s.word.Load(), p.wait.Load())
		}
	}
}

// Nobody waits for ever while others call again and again: of six goroutines that contend for two handles
// each one has made its calls before all together have made twenty times as many, however busy the machine
// is. Without a hand-over some make one or two meanwhile.
func TestPool_NobodyStarves(t *testing.T) {
	const handles, hold, each, most = 2, 40_000, 1000, 20
	p, _ := testPool(handles, handles)
	var calls [6]atomic.Uint64
	var all, enough atomic.Uint64
	var wg sync.WaitGroup
	for g := range calls {
		wg.Go(func() {
			for x := 0; enough.Load() < uint64(len(calls)) && all.Load() < most*each*uint64(len(calls)); {
				s, err := p.take()
				if err != nil {
					t.Error(err)
					return
				}
				for i := range hold {
					x += i * x
				}
				s.give(slotFirst)
				all.Add(1)
				if calls[g].Add(1) == each {
					enough.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if enough.Load() < uint64(len(calls)) {
		for g := range calls {
			t.Errorf("goroutine %d made %d of %d calls", g, calls[g].Load(), all.Load())
		}
	}
	if first, second := p.counts(); first != all.Load() || second != 0 {
		t.Errorf("counted %d and %d of %d calls", first, second, all.Load())
	}
}

// Who waits for a handle for long sleeps longer and longer.
func TestPool_PausesGrow(t *testing.T) { pausesGrow(t) }

// Who waits for a handle leaves the processor to others ahead of each look, and before it sleeps at all: so
// one who has the handle can give it back also where there is one processor.
func TestPool_YieldsFirst(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	synctest.Test(t, func(t *testing.T) { // where no time passes while anybody works
		var held *slot[*made]
		var others atomic.Int32
		looks := 0
		p := newPool(2, func(n int) (*made, error) {
			if n == 0 {
				return &made{}, nil
			}
			if looks++; looks == waitYields {
				held.give(0)
			}
			return nil, ErrBusy // while there is another one, that is no failure
		}, func(*made) error { return nil })
		var err error
		if held, err = p.take(); err != nil {
			t.Fatal(err)
		}
		go func() {
			for range waitYields / 4 {
				others.Add(1)
				runtime.Gosched()
			}
		}()
		if s, err := p.take(); s != held || err != nil || p.wait.Load() != 0 {
			t.Errorf("behind %d looks: %v, %v", looks, s == held, err)
		}
		if n := others.Load(); n < waitYields/4 || looks != waitYields {
			t.Errorf("in %d looks another goroutine came %d times", looks, n)
		}
	})
}
