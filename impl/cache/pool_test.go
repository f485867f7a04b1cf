package cache

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// made is a handle of a test.
type made struct{ inUse atomic.Int32 }

// testPool counts handles that are made and ended.
func testPool(n, most int) (p *pool[*made], alive *atomic.Int32) {
	alive = new(atomic.Int32)
	p = newPool(n, func(int) (*made, error) {
		if int(alive.Load()) >= most {
			return nil, ErrBusy
		}
		alive.Add(1)
		return &made{}, nil
	}, func(*made) error { alive.Add(-1); return nil })
	return p, alive
}

// At no moment two goroutines have one handle; there are no more than the pool may have; counts add up.
func TestPool_OneGoroutineAHandle(t *testing.T) {
	const goroutines, calls = 8, 20000
	p, alive := testPool(3, 100)
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range calls {
				s, err := p.take()
				if err != nil {
					t.Error(err)
					return
				}
				if s.handle.inUse.Add(1) != 1 {
					t.Error("two goroutines have one handle")
				}
				s.handle.inUse.Add(-1)
				s.give(slotFirst)
			}
		})
	}
	wg.Wait()
	if n := alive.Load(); n < 1 || n > 3 {
		t.Errorf("%d handles, want 1 to 3", n)
	}
	if first, second := p.counts(); first != goroutines*calls || second != 0 {
		t.Errorf("counted %d and %d", first, second)
	}
	if first, err := p.close(); !first || err != nil || alive.Load() != 0 {
		t.Errorf("close: %v, %v, %d handles left", first, err, alive.Load())
	}
	if _, err := p.take(); !errors.Is(err, ErrClosed) {
		t.Errorf("take after close: %v", err)
	}
	if first, _ := p.close(); first {
		t.Error("a second close was the first")
	}
}

// While there is a handle, one that cannot be made is no failure: whoever wants one waits.
func TestPool_WaitsForTheOnlyOne(t *testing.T) {
	p, _ := testPool(4, 1)
	s, err := p.take()
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan error)
	go func() {
		s, err := p.take()
		if err == nil {
			s.give(0)
		}
		got <- err
	}()
	select {
	case err := <-got:
		t.Fatalf("took one that is in use: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	s.give(0)
	if err := <-got; err != nil {
		t.Error(err)
	}
	none, _ := testPool(4, 0)
	if _, err := none.take(); !errors.Is(err, ErrBusy) {
		t.Errorf("take where none can be made: %v", err)
	}
	if first, err := none.close(); !first || err != nil {
		t.Errorf("close: %v, %v", first, err)
	}
}

// Close waits for a handle that is in use, and ends who waits for one.
func TestPool_CloseWaits(t *testing.T) {
	p, alive := testPool(1, 1)
	s, err := p.take()
	if err != nil {
		t.Fatal(err)
	}
	closed, waiter := make(chan struct{}), make(chan error)
	go func() { p.close(); close(closed) }()
	go func() { _, err := p.take(); waiter <- err }()
	if err := <-waiter; !errors.Is(err, ErrClosed) {
		t.Errorf("who waits is told %v", err)
	}
	select {
	case <-closed:
		t.Fatal("closed while a handle is in use")
	default:
	}
	s.give(0)
	<-closed
	if alive.Load() != 0 {
		t.Error("the handle is there still")
	}
}

// A handle that is idle is given up, and made again when it is needed.
func TestPool_Shrinks(t *testing.T) {
	p, alive := testPool(3, 3)
	a, _ := p.take()
	b, _ := p.take()
	c, _ := p.take()
	if a == b || b == c || alive.Load() != 3 {
		t.Fatal("three at a time, but not three handles")
	}
	if p.shrink(1); alive.Load() != 3 {
		t.Error("a handle in use was given up")
	}
	for _, s := range []*slot[*made]{a, b, c} {
		s.give(slotFirst)
	}
	for range 5 {
		p.shrink(1)
	}
	if alive.Load() != 1 || p.made.Load() != 1 {
		t.Errorf("%d handles are left, want 1", alive.Load())
	}
	if first, _ := p.counts(); first != 3 {
		t.Errorf("counts of what was given up: %d, want 3", first)
	}
	a, _ = p.take()
	if b, err := p.take(); err != nil || a == b || alive.Load() != 2 {
		t.Errorf("a handle is not made again: %v, %d", err, alive.Load())
	}
}

// An idle handle is given up also while somebody waits for one, who finds the others. In a pool that is to be
// used no more it is left to the close, which tells what goes wrong at its end.
func TestPool_ShrinksNotBesideAClose(t *testing.T) {
	for _, ended := range []uint32{0, 1} {
		p, alive := testPool(2, 2)
		a, bad := p.take()
		b, err := p.take()
		if err = errors.Join(bad, err); err != nil {
			t.Fatal(err)
		}
		a.give(0)
		b.give(0)
		p.wait.Store(1 - ended)
		p.ended.Store(ended)
		if err := p.shrink(1); err != nil || p.made.Load() != 1+ended || alive.Load() != int32(1+ended) ||
			p.making.Load() != 0 {
			t.Errorf("ended %d: %v, %d handles of %d are left", ended, err, alive.Load(), p.made.Load())
		}
	}
}

// Counts that fill their bits go to the totals, and the two do not mix. Until then a call writes to its word
// alone.
func TestSlot_CountsAreCarried(t *testing.T) {
	p, _ := testPool(1, 1)
	s, err := p.take()
	if err != nil {
		t.Fatal(err)
	}
	s.give(slotFirst)
	if n := s.totals[0].Load(); n != 0 {
		t.Errorf("%d calls are in the totals, and there is room in the word", n)
	}
	s.word.Store(0)
	for range 5 {
		s, err := p.take()
		if err != nil {
			t.Fatal(err)
		}
		s.word.Store(s.word.Load() + 1<<30 - 2)
		s.give(slotFirst)
		if s, err = p.take(); err != nil {
			t.Fatal(err)
		}
		s.give(slotSecond)
		if s, err = p.take(); err != nil {
			t.Fatal(err)
		}
		s.give(slotFirst)
	}
	if first, second := p.counts(); first != 5<<30 || second != 5 {
		t.Errorf("%d and %d, want %d and 5", first, second, uint64(5<<30))
	}
}

// Each of the two counts of a word is carried when it is half full, and then the word begins anew; one that
// is smaller stays in the word.
func TestSlot_EachCountIsCarried(t *testing.T) {
	const half = 1 << 30
	for _, x := range []struct{ first, second, call, carriedFirst, carriedSecond, word uint64 }{
		{half - 1, 5, slotFirst, half, 5, 0},
		{5, half - 1, slotSecond, 5, half, 0},
		{half - 2, half - 1, slotFirst, 0, 0, half - 1 | (half-1)<<32},
		{half - 1, half - 2, slotSecond, 0, 0, half - 1 | (half-1)<<32},
		{half - 1, half - 1, 0, 0, 0, half - 1 | (half-1)<<32},
		{7, half, 0, 7, half, 0},
	} {
		p, _ := testPool(1, 1)
		s, err := p.take()
		if err != nil {
			t.Fatal(err)
		}
		s.word.Store(slotTaken | x.first | x.second<<32)
		s.give(x.call)
		a, b, word := s.totals[0].Load(), s.totals[1].Load(), s.word.Load()
		if a != x.carriedFirst || b != x.carriedSecond || word != x.word {
			t.Errorf("%+v: %d and %d are carried, and the word is %#x", x, a, b, word)
		}
		first, second := p.counts()
		if first != x.first+x.call&1 || second != x.second+x.call>>32 {
			t.Errorf("%+v: counted as %d and %d", x, first, second)
		}
	}
}

// A handle that is given back twice is taken for ever, whatever it has counted.
func TestSlot_GivenBackTwice(t *testing.T) {
	for _, word := range []uint64{0, 3, 5 << 32, 1<<30 - 5, (1<<30 - 5) << 32} {
		for _, call := range []uint64{0, slotFirst, slotSecond} {
			p, _ := testPool(1, 1)
			s, err := p.take()
			if err != nil {
				t.Fatal(err)
			}
			s.word.Store(slotTaken | word)
			s.give(0)
			s.give(call)
			if s.word.Load()&slotTaken == 0 {
				t.Errorf("with a word of %#x, given back with %#x: it is free again", word, call)
			}
		}
	}
}

// A handle that is being made when somebody closes the pool is ended with it, once it has been given back.
func TestPool_CloseBesideTheFirst(t *testing.T) {
	var p *pool[*made]
	closed, ends := make(chan error), 0
	p = newPool(2, func(int) (*made, error) {
		go func() {
			first, err := p.close()
			if !first {
				t.Error("nobody else has closed the pool")
			}
			closed <- err
		}()
		for p.ended.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(5 * time.Millisecond) // it has begun, and waits by now
		return &made{}, nil
	}, func(*made) error { ends++; return nil })
	s, err := p.take()
	if err != nil {
		t.Fatal(err)
	}
	s.give(0)
	if err := <-closed; err != nil || ends != 1 || s.handle != nil || s.word.Load()&slotTaken == 0 {
		t.Errorf("behind the close %d handles are ended, %v, and the slot has %v", ends, err, s.handle)
	}
	if _, err := p.take(); !errors.Is(err, ErrClosed) {
		t.Errorf("a handle of a closed pool: %v", err)
	}
}

// A handle is made for whoever finds none free, also while somebody else waits for one. Where the pool is to
// be used no more none is made, also if nobody has come so far as to close it.
func TestPool_MakesBesideWhoWaits(t *testing.T) {
	for _, ended := range []uint32{0, 1} {
		p, alive := testPool(2, 2)
		first, err := p.take()
		if err != nil {
			t.Fatal(err)
		}
		p.wait.Store(1 - ended)
		p.ended.Store(ended)
		next, err := p.more()
		if err != nil || (next != nil) != (ended == 0) || next == first || alive.Load() != int32(2-ended) {
			t.Errorf("ended %d: one more: %v, %v; %d handles", ended, next != nil, err, alive.Load())
		}
		if p.making.Load() != 0 {
			t.Errorf("ended %d: nobody can make a handle any more", ended)
		}
	}
}

// pausesFor is how long somebody pauses ahead of each of so many looks for a handle; then one is given back.
// The processor's own count stands still while anybody works.
func pausesFor(t *testing.T, looks int) (pauses []time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var held *slot[*made]
		var err error
		last := time.Now()
		p := newPool(2, func(n int) (*made, error) {
			if n == 0 {
				return &made{}, nil
			}
			now := time.Now()
			pauses = append(pauses, now.Sub(last))
			if last = now; len(pauses) == looks {
				held.give(0)
			}
			return nil, ErrBusy // while there is another one, that is no failure
		}, func(*made) error { return nil })
		if held, err = p.take(); err != nil {
			t.Fatal(err)
		}
		if s, err := p.take(); s != held || err != nil {
			t.Errorf("behind %d looks: the handle that was given back: %v, %v", len(pauses), s == held, err)
		}
	})
	return pauses
}

// pausesGrow holds that whoever waits for a handle leaves the processor to others for some rounds, and then
// sleeps: each time twice as long, up to the longest pause. So a long wait takes next to no processor, and a
// handle that is given back is found soon.
func pausesGrow(t *testing.T) {
	t.Helper()
	const sleeps = 20
	pauses := pausesFor(t, waitYields+1+sleeps)
	for i, pause := range pauses {
		want := time.Duration(0)
		if n := i - waitYields - 1; n >= 0 {
			want = min(waitFirst<<n, waitMost)
		}
		if pause != want {
			t.Fatalf("ahead of look %d there is a pause of %v, want %v; all: %v", i, pause, want, pauses)
		}
	}
}

// No handle is given up while somebody makes one: how many there are is theirs alone to change. Behind that
// one is, when it is idle.
func TestPool_ShrinksNotBesideAMaker(t *testing.T) {
	var p *pool[*made]
	var first *slot[*made]
	ends := 0
	p = newPool(3, func(n int) (*made, error) {
		if n == 1 { // the only other one is idle by now
			first.give(0)
			if err := p.shrink(0); err != nil || ends != 0 || p.made.Load() != 1 || p.making.Load() != 1 {
				t.Errorf("beside a maker %d handles are given up, %d are left: %v", ends, p.made.Load(), err)
			}
		}
		return &made{}, nil
	}, func(*made) error { ends++; return nil })
	var err error
	if first, err = p.take(); err != nil {
		t.Fatal(err)
	}
	next, err := p.take()
	if err != nil || next == first || p.made.Load() != 2 {
		t.Fatalf("%v, one handle twice: %v; %d are made", err, next == first, p.made.Load())
	}
	next.give(0)
	if err := p.shrink(1); err != nil || ends != 1 || p.made.Load() != 1 {
		t.Errorf("of two idle handles %d are given up, %d are left: %v", ends, p.made.Load(), err)
	}
}

// A pool that may have no handles has none for anybody, and whoever wants one does not wait for it.
func TestPool_OfNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		for name, p := range map[string]*pool[*made]{"nil": nil, "zero": {},
			"empty": newPool(0, func(int) (*made, error) { return &made{}, nil }, nil)} {
			if p != nil { // somebody ends it in a second, for who waits
				defer time.AfterFunc(time.Second, func() { p.ended.Store(1) }).Stop()
			}
			if s, err := p.take(); s != nil || !errors.Is(err, ErrClosed) || !time.Now().Equal(begin) {
				t.Errorf("%s: %v, %v behind %v", name, s, err, time.Since(begin))
			}
		}
	})
}
