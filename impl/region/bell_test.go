package region

import (
	"sync"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/seam"
)

// bellWords are what the bell can hold, sound or not, and what is in it after a ring, as the format has it.
var bellWords = map[uint64]uint64{
	0: 0, 2: 2, 0x80000000: 0x80000000, 0xFFFFFFFE: 0xFFFFFFFE, // nobody sleeps
	1 << 33: 1 << 33, 1<<63 | 2: 1<<63 | 2,
	1: 2, 3: 4, 0x7FFFFFFF: 0x80000000, 0x80000001: 0x80000002, 0xFFFFFFFD: 0xFFFFFFFE,
	0xFFFFFFFF: 0, // the count begins anew
	1<<33 | 1:  2, 1<<33 | 3: 4, 1<<63 | 3: 4, 1<<64 - 1: 0,
	1 << 32: 0, 1<<32 | 6: 6, 1<<33 | 1<<32: 0, // somebody has rung, and has not been seen to wake
	1<<32 | 1: 2, 1<<32 | 7: 8,
}

// TestBell_RingIsCounted: whatever it finds, it wakes once if somebody sleeps or may sleep still, when the
// word says so, and does nothing otherwise. Behind the wake the word says that it is over.
func TestBell_RingIsCounted(t *testing.T) {
	s := &watched{clerk: clerk{desk: &desk{}, self: 1}}
	r, err := Make(memory(small), small, s)
	if err != nil {
		t.Fatal(err)
	}
	for found, left := range bellWords {
		wakes, during := 0, left|bellWaking
		if found&bellAsleep == 0 {
			during = found // rung before
		}
		s.wake = func(half *uint32) {
			wakes++
			if is := r.bell().Load(); half != seam.LowHalf(r.bell()) || is != during {
				t.Errorf("%#x: a wake when the bell is %#x, want %#x", found, is, during)
			}
		}
		want := int(found&1 | found>>32&1)
		r.bell().Store(found)
		if r.Ring(); r.bell().Load() != left || wakes != want {
			t.Errorf("%#x: after the ring %#x and %d wakes, want %#x and %d", found, r.bell().Load(), wakes,
				left, want)
		}
		r.readOnly = true
		r.bell().Store(found)
		if r.Ring(); r.bell().Load() != found || wakes != want {
			t.Errorf("%#x: after the ring of an observer %#x, and %d wakes more", found, r.bell().Load(),
				wakes-want)
		}
		r.readOnly = false
	}
}

// TestBell_AWakeIsNotForgotten: a process that dies while it wakes others leaves a word by which the next
// ring wakes, also of one who has listened since; who listens or rings while somebody wakes is not overlooked
// by the end of that.
func TestBell_AWakeIsNotForgotten(t *testing.T) {
	s := &watched{clerk: clerk{desk: &desk{}, self: 1}}
	r, err := Make(memory(small), small, s)
	if err != nil {
		t.Fatal(err)
	}
	type died struct{}
	wakes := 0
	dies := func() {
		s.wake = func(*uint32) { panic(died{}) }
		defer func() {
			if x := recover(); x != (died{}) {
				t.Fatalf("it did not die in its wake: %v", x)
			}
			s.wake = func(*uint32) { wakes++ }
		}()
		r.Ring()
	}
	for _, listens := range []bool{false, true} {
		wakes = 0
		r.bell().Store(bellAsleep)
		dies()
		if listens {
			r.Listen()
		}
		for range 3 {
			r.Ring()
		}
		if n := 1 + uint64(oneIf(listens)); wakes != 1 || r.bell().Load() != n*bellRing {
			t.Errorf("listens %v: %d wakes in place of the dead, the bell is %#x", listens, wakes,
				r.bell().Load())
		}
	}
	for _, between := range []func(){func() { r.Listen() }, func() { r.Listen(); dies() }} {
		r.bell().Store(bellAsleep)
		s.wake = func(*uint32) { between() }
		r.Ring()
		wakes, s.wake = 0, func(*uint32) { wakes++ }
		if r.Ring(); wakes != 1 {
			t.Errorf("%d wakes for who has listened while somebody woke", wakes)
		}
	}
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestBell_ASleepSaysSo: whatever it finds, the word says that somebody sleeps when awake is asked, once, and
// is left like that; what is slept on is that word, and not at all by who is awake. An observer sleeps on the
// word as it is.
func TestBell_ASleepSaysSo(t *testing.T) {
	s := &watched{clerk: clerk{desk: &desk{}, self: 1}}
	r, err := Make(memory(small), small, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, observes := range []bool{false, true} {
		for found := range bellWords {
			says := found | 1
			if observes {
				says = found
			}
			sleeps, asked := 0, 0
			s.sleep = func(half *uint32, seen uint32, _ seam.Duration) {
				if sleeps++; half != seam.LowHalf(r.bell()) || seen != uint32(says) ||
					r.bell().Load() != says || asked != 1 {
					t.Fatalf("%#x: a sleep on %#x while the bell is %#x, asked %d times", found, seen,
						r.bell().Load(), asked)
				}
				r.bell().Store(says + bellRing) // somebody rings
			}
			for _, awake := range []bool{true, false} {
				r.readOnly, asked = observes, 0
				r.bell().Store(found)
				rung := r.SleepUntilRung(r.Listen(), long, func() bool {
					if asked++; r.bell().Load() != says {
						t.Errorf("%#x: asked when the bell is %#x, want %#x", found, r.bell().Load(), says)
					}
					return awake
				})
				if rung == awake || asked != 1 || sleeps != 0 && awake || sleeps != 1 && !awake {
					t.Errorf("%#x, awake %v: rung %v, asked %d times, %d sleeps", found, awake, rung, asked,
						sleeps)
				}
			}
			r.readOnly = false
		}
	}
}

// TestBell_OfAClosedRegion: nobody is rung, and nobody sleeps.
func TestBell_OfAClosedRegion(t *testing.T) {
	r := mustHeap(t, small)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r.Ring()
	if r.SleepUntilRung(r.Listen(), time.Hour, nil) {
		t.Error("somebody rings")
	}
}

func TestBell_RingEndsEachSleep(t *testing.T) {
	r := mustHeap(t, small)
	r.Ring()
	if got := r.bell().Load(); got != 0 {
		t.Errorf("a ring that nobody needs leaves %#x", got)
	}
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if !r.SleepUntilRung(r.Listen(), long, nil) {
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
	if r.SleepUntilRung(r.Listen(), long, awake) || !asked {
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
	rung := r.SleepUntilRung(r.Listen(), long, func() bool { r.Ring(); return false })
	if d := time.Since(begun); !rung || d > long/2 {
		t.Errorf("rung %v after %v", rung, d)
	}
	words, err := r.Section(Own, OwnBell)
	if err != nil || words[0].Load() != bellRing {
		t.Errorf("the first word of the bell is %#x, %v", words[0].Load(), err)
	}
}

// TestBell_CountsItsRings: a word that comes back is one that has not changed, for who was about to look.
func TestBell_CountsItsRings(t *testing.T) {
	r := mustHeap(t, small)
	for rings := uint64(1); rings <= 4; rings++ {
		if r.SleepUntilRung(r.Listen(), long, func() bool { return true }) {
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
		if r.SleepUntilRung(r.Listen(), short, nil) {
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
