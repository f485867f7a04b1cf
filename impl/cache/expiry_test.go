package cache

import (
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/seam"
)

// testClock is a clock that a test sets, in milliseconds.
type testClock struct{ ms atomic.Int64 }

func (k *testClock) now() time.Time { return time.UnixMilli(k.ms.Load()) }

// timed is a small cache with a clock at that time.
func timed(t *testing.T, at int64, o Options) (*Cache, *testClock) {
	k := new(testClock)
	k.ms.Store(at)
	o.Bytes, o.NoJanitor, o.Clock = 1<<20, true, k.now
	return open(t, "", o), k
}

func setTTL(t *testing.T, c *Cache, key string, ttl time.Duration) {
	t.Helper()
	if err := c.SetTTL([]byte(key), []byte("v"), ttl); err != nil {
		t.Fatalf("%v: %v", ttl, err)
	}
}

// An entry is there until its time is over, for each call alike, and a key without an end for ever.
func TestExpiry_EachCall(t *testing.T) {
	var events []Event
	c, k := timed(t, 1000, Options{TTL: time.Second, OnEvent: func(e Event) { events = append(events, e) }})
	set(t, c, "default", "v")
	setTTL(t, c, "own", 100*time.Millisecond)
	setTTL(t, c, "none", 0)
	all := func(own, byDefault bool) { t.Helper(); holds(t, c, own, byDefault) }
	k.ms.Store(1099)
	all(true, true)
	k.ms.Store(1100)
	all(false, true)
	k.ms.Store(1999)
	all(false, true)
	k.ms.Store(2000)
	all(false, false)
	// An expired key is absent for those who change it, and told as such. A sweep that a call makes would
	// come before them by chance, so there is none.
	c.sweeper.busy.Store(1)
	if ok, err := c.CompareAndSwap([]byte("own"), []byte("v"), []byte("w")); ok || err != nil {
		t.Errorf("swap: %v, %v", ok, err)
	}
	if ok, err := c.Delete([]byte("own")); ok || err != nil {
		t.Errorf("delete: %v, %v", ok, err)
	}
	if ok, err := c.SetIfAbsent([]byte("default"), []byte("w")); !ok || err != nil {
		t.Errorf("set if absent: %v, %v", ok, err)
	}
	want(t, c, "default", "w")
	if len(events) != 2 || events[0].Reason != Expired || string(events[0].Key) != "own" ||
		events[1].Reason != Expired || string(events[1].Key) != "default" || string(events[1].Value) != "v" {
		t.Errorf("%+v", events)
	}
	// A counter keeps its end.
	if _, err := c.Add([]byte("n"), 1); err != nil {
		t.Fatal(err)
	}
	k.ms.Store(2999)
	if n, err := c.Add([]byte("n"), 1); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	k.ms.Store(3000)
	if n, err := c.Add([]byte("n"), 1); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// holds looks for the keys of TestExpiry_EachCall by each call that looks.
func holds(t *testing.T, c *Cache, own, byDefault bool) {
	t.Helper()
	for key, there := range map[string]bool{"own": own, "default": byDefault, "none": true} {
		value := ""
		if there {
			value = "v"
		}
		want(t, c, key, value)
		if ok, err := c.Contains([]byte(key)); ok != there || err != nil {
			t.Errorf("contains %s: %v, %v", key, ok, err)
		}
		if _, ok, err := c.Peek([]byte(key), nil); ok != there || err != nil {
			t.Errorf("peek %s: %v, %v", key, ok, err)
		}
		_, found, err := c.GetBatch([][]byte{[]byte(key)}, make([][]byte, 1), nil)
		if (found == 1) != there || err != nil {
			t.Errorf("batch of %s: %v, %v", key, found, err)
		}
	}
	n := 1
	for _, there := range []bool{own, byDefault} {
		if there {
			n++
		}
	}
	if c.Len() != n {
		t.Errorf("%d entries, want %d", c.Len(), n)
	}
}

// H1: no time to live is so long that it is over at once.
func TestReportH1_LongTimes(t *testing.T) {
	for _, given := range []bool{true, false} {
		o := small()
		if given {
			o.Clock = func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
		}
		c := open(t, "", o)
		for _, ttl := range []time.Duration{0, math.MaxInt64, math.MaxInt64 - 1, math.MaxInt64 / 2,
			1 << 31 * time.Second, 1 << 32 * time.Second, time.Hour} {
			setTTL(t, c, "k", ttl)
			want(t, c, "k", "v")
		}
		for _, ttl := range []time.Duration{-1, math.MinInt64} {
			if err := c.SetTTL([]byte("k"), []byte("w"), ttl); !errors.Is(err, ErrTTL) {
				t.Errorf("%v: %v", ttl, err)
			}
			want(t, c, "k", "v")
		}
		if given {
			setTTL(t, c, "k", 1) // it lives for a millisecond, and that clock stands still
			want(t, c, "k", "v")
		}
	}
}

// H1: a given time before 1970 counts as the begin of 1970: what was set then is there until that is over.
func TestReportH1_Before1970(t *testing.T) {
	c, k := timed(t, -3600_000, Options{})
	setTTL(t, c, "k", time.Second)
	for _, at := range []int64{-3600_000, -3598_000, 0, 999} {
		k.ms.Store(at)
		want(t, c, "k", "v")
		lives := time.Second - time.Duration(max(at, 0))*time.Millisecond
		if left, ok, err := c.TTL([]byte("k")); left != lives || !ok || err != nil {
			t.Errorf("at %d: %v left, %v, %v", at, left, ok, err)
		}
	}
	k.ms.Store(1000)
	want(t, c, "k", "")
}

// H2: a clock that passes the end of any number of bits changes nothing.
func TestReportH2_WrapsOfClocks(t *testing.T) {
	for _, wrap := range []int64{1 << 16, 1 << 24, 1 << 31, 1 << 32, 1 << 40, 1 << 42} {
		c, k := timed(t, wrap-3, Options{})
		setTTL(t, c, "short", 2*time.Millisecond)
		setTTL(t, c, "over", 5*time.Millisecond)
		for step := range int64(8) {
			k.ms.Store(wrap - 3 + step)
			for key, lives := range map[string]int64{"short": 2, "over": 5} {
				value := ""
				if step < lives {
					value = "v"
				}
				want(t, c, key, value)
			}
		}
	}
}

// H4: the host's clock of a cache does not follow the calendar clock, once one process has begun it.
func TestReportH4_CalendarClockJumps(t *testing.T) {
	var word seam.Uint64
	var first, second clock
	first.start(nil, &word)
	if word.Load() == 0 {
		t.Skip("NOT RUN: the system has no clock that tells the time since it was started")
	}
	before := first.now()
	if calendar := uint64(time.Now().UnixMilli()); before > calendar+1000 || before+1000 < calendar {
		t.Errorf("the clock begins at %d, the calendar says %d", before, calendar)
	}
	const years = 10 * 365 * 24 * 3600 * 1000
	for _, jump := range []int64{years, -years} { // as if the calendar was wrong when the first one began
		moved := seam.Uint64{}
		moved.Store(uint64(int64(word.Load()) + jump))
		second.start(nil, &moved)
		third := clock{}
		third.start(nil, &moved)
		end, err := second.end(time.Minute)
		if err != nil || third.over(end) || end < third.now()+59000 || end > third.now()+61000 {
			t.Errorf("an entry for a minute ends in %d ms, %v", int64(end-third.now()), err)
		}
	}
	// Another start of the host: the word is set anew.
	word.Store(word.Load() ^ 1<<startBits ^ 12345)
	second.start(nil, &word)
	if now := second.now(); now > before+60000 || now+1000 < before {
		t.Errorf("after a restart the clock says %d, want about %d", now, before)
	}
}

// On a system without a clock of the host a cache, which is on the heap there, goes by the calendar of its
// open, and leaves the word of the region alone.
func TestClock_WithoutOneOfTheHost(t *testing.T) {
	var word seam.Uint64
	none := clock{host: func() (time.Duration, bool) { return 0, false }}
	before := uint64(time.Now().UnixMilli())
	none.start(nil, &word)
	now := none.now()
	if after := uint64(time.Now().UnixMilli()); now < before || now > after || word.Load() != 0 {
		t.Errorf("the clock says %d, the calendar %d to %d; the word is %d", now, before, after, word.Load())
	}
	end, err := none.end(time.Minute)
	if err != nil || end < now+60_000 || end > now+61_000 || none.over(end) || !none.over(now) {
		t.Errorf("at %d an entry for a minute ends at %d, %v", now, end, err)
	}
}

// H5: an entry with a time to live t is there for t, and not much longer, whether the janitor moves the tick
// or not.
func TestReportH5_LivesAsLongAsItShould(t *testing.T) {
	for _, janitor := range []bool{true, false} {
		c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: !janitor})
		for _, ttl := range []time.Duration{time.Millisecond, 20 * time.Millisecond, 150 * time.Millisecond} {
			begin := time.Now()
			setTTL(t, c, "k", ttl)
			behind := time.Now()
			for {
				before := time.Now()
				_, ok, err := c.Get([]byte("k"), nil)
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					if d := time.Since(begin); d < ttl {
						t.Errorf("an entry for %v was gone after %v", ttl, d)
					}
					break
				}
				if d := before.Sub(behind); d > ttl+2*time.Millisecond {
					t.Errorf("an entry for %v is there after %v", ttl, d)
					break
				}
			}
		}
	}
}

// Far from its end an entry costs no look at the clock.
func TestClock_TickSavesTheClock(t *testing.T) {
	var k clock
	k.base, k.begun = 100_000_000, time.Now().Add(-time.Hour) // far behind the tick
	k.tick.Store(5_000_000)
	for end, over := range map[uint64]bool{0: false, 1: true, 5_000_000: true, 5_000_000 + tickBehind: true,
		5_000_001 + tickBehind: false, math.MaxUint64: false} {
		if k.over(end) != over {
			t.Errorf("end %d at tick 5000000: %v, want %v", end, !over, over)
		}
	}
}

// C3: a process that stood still, and whose janitor has had no turn since, finds no entry whose time is over.
func TestReportC3_StoodStill(t *testing.T) {
	var word seam.Uint64
	var k clock
	k.start(nil, &word)
	for _, still := range []uint64{1, 900, 1100, 5000, 600_000, 3_500_000} { // milliseconds
		now := k.now()
		k.tick.Store(now - still)
		for _, ago := range []uint64{0, 1, still / 2, still - 1} {
			if !k.over(now - ago) {
				t.Errorf("after %d ms an entry is there that was over %d ms ago", still, ago)
			}
		}
		if end := now + 60_000; k.over(end) {
			t.Errorf("after %d ms an entry is over 60 s too early", still)
		}
	}
}

// H5: an entry lives no shorter than it was set for, by the clock of whichever process, wherever within a
// millisecond each of them has opened the cache, and at whichever end of the time between two readings of its
// own count each of them has read the clock of the host.
func TestReportH5_ClocksOfProcesses(t *testing.T) {
	var word seam.Uint64
	const lives, slow = 3 * time.Millisecond, 300 * time.Microsecond
	wait := func() {
		for begin := time.Now(); time.Since(begin) < slow; {
		}
	}
	early := func() (time.Duration, bool) { defer wait(); return sinceStart() }
	late := func() (time.Duration, bool) { wait(); return sinceStart() }
	for i := range 60 {
		var setter, reader clock
		switch i % 3 {
		case 0:
			setter.host, reader.host = early, late
		case 1:
			reader.host = late
		}
		setter.start(nil, &word)
		for begin, pause := time.Now(), time.Duration(rand.IntN(1500))*time.Microsecond; time.Since(begin) <
			pause; {
		}
		reader.start(nil, &word)
		before := time.Now()
		end, err := setter.end(lives)
		if err != nil {
			t.Fatal(err)
		}
		for !reader.over(end) {
		}
		if lived := time.Since(before); lived < lives {
			t.Errorf("an entry for %v lived for %v", lives, lived)
		}
	}
}

// H5: it does no harm if a process is stopped while it reads the two clocks of which its own is made.
func TestReportH5_StoppedBetweenClocks(t *testing.T) {
	var word seam.Uint64
	var good, late clock
	good.start(nil, &word)
	for _, ahead := range []bool{true, false} {
		reads := 0
		late.host = func() (time.Duration, bool) {
			if reads++; reads == 1 && ahead {
				time.Sleep(30 * time.Millisecond)
			}
			since, ok := sinceStart()
			if reads == 1 && !ahead {
				time.Sleep(30 * time.Millisecond)
			}
			return since, ok
		}
		late.start(nil, &word)
		before, at, behind := good.now(), late.now(), good.now()
		if before > at+2 || at > behind+2 {
			t.Errorf("stopped ahead of the second clock %v: the clock is at %d, that of others at %d to %d",
				ahead, at, before, behind)
		}
	}
}

// An entry that somebody sets again before its time is over is never absent, also if that is so when the
// clock is asked; one that is deleted meanwhile is.
func TestExpiry_SetAgainInTime(t *testing.T) {
	for name, call := range map[string]func(c *Cache, k []byte) (bool, error){
		"Get": func(c *Cache, k []byte) (bool, error) { _, ok, err := c.Get(k, nil); return ok, err },
		"handle": func(c *Cache, k []byte) (bool, error) {
			_, ok, err := c.getByHandle(k, nil)
			return ok, err
		},
		"Peek":     func(c *Cache, k []byte) (bool, error) { _, ok, err := c.Peek(k, nil); return ok, err },
		"Contains": (*Cache).Contains,
		"TTL":      func(c *Cache, k []byte) (bool, error) { _, ok, err := c.TTL(k); return ok, err },
		"Ask": func(c *Cache, k []byte) (bool, error) {
			_, a, err := c.Ask(1, k, nil)
			return a.Found, err
		},
		"GetBatch": func(c *Cache, k []byte) (bool, error) {
			_, n, err := c.GetBatch([][]byte{k}, make([][]byte, 1), nil)
			return n == 1, err
		},
	} {
		for _, change := range []string{"set", "set with an end", "delete"} {
			var c *Cache
			now, armed := int64(askStart), false
			c = open(t, "", Options{Bytes: 1 << 20, NoJanitor: true, Clock: func() time.Time {
				if armed {
					armed = false
					done := make(chan error)
					go func() {
						var err error
						switch change {
						case "set":
							err = c.Set([]byte("k"), []byte("new"))
						case "set with an end":
							err = c.SetTTL([]byte("k"), []byte("new"), time.Hour)
						default:
							_, err = c.Delete([]byte("k"))
						}
						done <- err
					}()
					if err := <-done; err != nil {
						t.Error(err)
					}
					now += 10_000
				}
				return time.UnixMilli(now)
			}})
			c.sweeper.busy.Store(1)
			setTTL(t, c, "k", time.Second)
			armed = true
			if ok, err := call(c, []byte("k")); ok != (change != "delete") || err != nil {
				t.Errorf("%s, with a %s meanwhile: %v, %v", name, change, ok, err)
			}
			if armed {
				t.Errorf("%s asks no clock: the test needs that", name)
			}
		}
	}
}
