package region

import (
	"sync"
	"testing"
	"time"
)

func TestBell_RingEndsEachSleep(t *testing.T) {
	r := mustHeap(t, small)
	r.Ring()
	if got := r.bell().Load(); got != 0 {
		t.Errorf("a ring that nobody needs leaves %#x", got)
	}
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if !r.SleepUntilRung(long, nil) {
				t.Error("nobody has rung")
			}
		})
	}
	for r.bell().Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	woken := make(chan struct{})
	go func() { all.Wait(); close(woken) }()
	for {
		r.Ring()
		select {
		case <-woken:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// TestBell_WhoIsAwakeDoesNotSleep: what was stored before the ring is asked for when the ring can be heard.
func TestBell_WhoIsAwakeDoesNotSleep(t *testing.T) {
	r := mustHeap(t, small)
	begun := time.Now()
	asked := false
	awake := func() bool {
		asked = r.bell().Load()&bellAsleep != 0
		return true
	}
	if r.SleepUntilRung(long, awake) || !asked {
		t.Errorf("asked when a ring can be heard: %v", asked)
	}
	if d := time.Since(begun); d > long/2 {
		t.Errorf("it slept for %v", d)
	}
	if r.Ring(); r.bell().Load() != bellRing {
		t.Errorf("after the ring %#x", r.bell().Load())
	}
}

// TestBell_ARingWhileAskedIsHeard: between the word that says who sleeps and the sleep itself.
func TestBell_ARingWhileAskedIsHeard(t *testing.T) {
	r := mustHeap(t, small)
	begun := time.Now()
	rung := r.SleepUntilRung(long, func() bool { r.Ring(); return false })
	if d := time.Since(begun); !rung || d > long/2 {
		t.Errorf("rung %v after %v", rung, d)
	}
	words, err := r.Section(SectionBell)
	if err != nil || words[0].Load() != bellRing {
		t.Errorf("the first word of the bell is %#x, %v", words[0].Load(), err)
	}
}

// TestBell_CountsItsRings: a word that comes back is one that has not changed, for who was about to look.
func TestBell_CountsItsRings(t *testing.T) {
	r := mustHeap(t, small)
	for rings := uint64(1); rings <= 4; rings++ {
		if r.SleepUntilRung(long, func() bool { return true }) {
			t.Error("nobody has rung")
		}
		if r.Ring(); r.bell().Load() != rings*bellRing {
			t.Errorf("after %d rings the bell is %#x", rings, r.bell().Load())
		}
	}
}

// TestBell_HostileWordsCostTheBound: whatever is in the word a sleep ends, and a ring makes it sound.
func TestBell_HostileWordsCostTheBound(t *testing.T) {
	r := mustHeap(t, small)
	for _, w := range []uint64{bellAsleep, 1<<64 - 1, 1<<64 - 2, 1<<32 - 1, 1 << 32, 1<<63 | bellAsleep} {
		r.bell().Store(w)
		begun := time.Now()
		if r.SleepUntilRung(short, nil) {
			t.Errorf("%#x: nobody has rung", w)
		}
		if d := time.Since(begun); d < short || d > long/2 {
			t.Errorf("%#x: slept for %v, bound %v", w, d, short)
		}
		r.Ring()
		if got := r.bell().Load(); got&bellAsleep != 0 || got>>32 != 0 {
			t.Errorf("%#x: after the ring %#x", w, got)
		}
	}
}
