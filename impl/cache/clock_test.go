package cache

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/samecycle/samecycle/internal/seam"
)

// hostClock is a clock of the host that goes with the time of a bubble, and goes on while the host is
// suspended.
type hostClock struct {
	begun        time.Time
	since, slept time.Duration
}

func (h *hostClock) read() (time.Duration, bool) {
	return h.since + time.Since(h.begun) + h.slept, true
}

// The clock begins with the calendar, which was read at some part of a millisecond, and then goes by the
// millisecond. An entry ends with the first whole millisecond at which its time is over.
func TestClock_ToTheMillisecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calendar := time.Date(2031, 2, 3, 4, 5, 6, 789_000_000, time.UTC)
		at := uint64(calendar.UnixMilli())
		h := &hostClock{begun: time.Now(), since: 5*time.Hour + 300*time.Microsecond}
		var word seam.Uint64
		k := clock{wall: func() time.Time { return calendar }, host: h.read}
		k.start(nil, &word)
		is := func(k *clock, ms uint64) {
			t.Helper()
			if now := k.now(); now != at+ms {
				t.Errorf("it is %d ms after the begin, want %d", int64(now-at), ms)
			}
		}
		ends := func(ttl time.Duration, ms uint64) {
			t.Helper()
			if end, err := k.end(ttl); end != at+ms || err != nil {
				t.Errorf("an entry for %v ends %d ms after the begin, %v; want %d", ttl, int64(end-at), err,
					ms)
			}
		}
		is(&k, 0)
		ends(1, 1)
		ends(700*time.Microsecond, 1)
		ends(700*time.Microsecond+1, 2)
		ends(time.Millisecond, 2)
		ends(time.Hour, 3600_001)
		time.Sleep(700*time.Microsecond - 1)
		is(&k, 0)
		time.Sleep(time.Nanosecond)
		is(&k, 1)
		ends(1, 2)
		ends(time.Millisecond, 2)
		ends(time.Millisecond+1, 3)
		time.Sleep(10*time.Millisecond - 1)
		is(&k, 10)
		time.Sleep(time.Nanosecond)
		is(&k, 11)
		other := clock{wall: func() time.Time { return calendar.Add(time.Hour) }, host: h.read}
		other.start(nil, &word)
		is(&other, 11)
		time.Sleep(999_999)
		is(&other, 11)
		time.Sleep(time.Nanosecond)
		is(&other, 12)
		is(&k, 12)
		for i := range uint64(10) { // no entry is over before its time, and each is at its end
			if over := k.over(at + 8 + i); over != (8+i <= 12) {
				t.Errorf("it is 12, and an entry that ends at %d is over: %v", 8+i, over)
			}
		}
	})
}

// The janitor moves the tick to the time, and adds the time for which the host was suspended, whole
// milliseconds of it, if it is more than a second. The difference of two clocks that go alike is no such
// time.
func TestClock_AddsTheTimeSuspended(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hostClock{begun: time.Now(), since: time.Hour}
		var word seam.Uint64
		k := clock{host: h.read}
		k.start(nil, &word)
		begin, passed := k.now(), time.Duration(0)
		for _, x := range []struct{ slept, counts time.Duration }{{0, 0}, {999 * time.Millisecond, 0},
			{time.Second - 1, 0}, {1001 * time.Millisecond, 1001 * time.Millisecond},
			{1002*time.Millisecond - 1, 1001 * time.Millisecond}, {2 * time.Hour, 2 * time.Hour},
			{2*time.Hour + 1, 2 * time.Hour}, {5 * time.Hour, 5 * time.Hour}} {
			time.Sleep(100 * time.Millisecond)
			passed += 100 * time.Millisecond
			h.slept = x.slept
			k.advance()
			want := begin + uint64((passed + x.counts).Milliseconds())
			if now, tick := k.now(), k.tick.Load(); now != want || tick != want {
				t.Errorf("suspended for %v: the clock is at %d, the tick at %d, want %d", x.slept, now, tick,
					want)
			}
			end, err := k.end(time.Second)
			if err != nil || end != want+1000 || k.over(end) || !k.over(want) {
				t.Errorf("suspended for %v: at %d an entry for a second ends at %d, %v", x.slept, want, end,
					err)
			}
		}
	})
}

// H4: without a janitor a call that asks for the time finds out that the host was suspended, as often as a
// janitor would: so each process has the same time, and what one sets is not over at once for others.
func TestReportH4_SuspendedWithoutAJanitor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hostClock{begun: time.Now(), since: time.Hour}
		reads := 0
		read := func() (time.Duration, bool) { reads++; return h.read() }
		var word seam.Uint64
		k := clock{host: read, alone: true}
		k.start(nil, &word)
		begin := k.now()
		reads, h.slept = 0, 2*time.Hour
		const slept = 2 * 3600 * 1000
		for range 9 {
			time.Sleep(11 * time.Millisecond)
			k.now()
		}
		if now := k.now(); now != begin+99 || reads != 0 {
			t.Errorf("after 99 ms the clock is at %d, and was read %d times", now-begin, reads)
		}
		time.Sleep(time.Millisecond)
		if end, err := k.end(time.Second); end != begin+slept+1100 || err != nil || reads != 1 {
			t.Errorf("after 100 ms an entry for a second ends at %d, %v; the clock was read %d times",
				end-begin, err, reads)
		}
		if end := begin + slept; !k.over(end) || k.over(end+101) {
			t.Error("an entry is over too early, or too late")
		}
		time.Sleep(99 * time.Millisecond)
		if now := k.now(); now != begin+slept+199 || reads != 1 || k.tick.Load() != 0 {
			t.Errorf("the clock is at %d, the tick at %d, and it was read %d times", now-begin, k.tick.Load(),
				reads)
		}
	})
	if c := open(t, "", small()); !c.clock.alone {
		t.Error("a cache without a janitor relies on one")
	}
	if c := open(t, "", Options{Bytes: 1 << 20}); c.clock.alone {
		t.Error("a cache with a janitor looks by itself")
	}
}

// H5: the clock never goes back, also if a process is stopped between the two clocks that tell for how long
// the host was suspended.
func TestReportH5_StoppedWhileItLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hostClock{begun: time.Now(), since: time.Hour}
		pause := time.Duration(0)
		var word seam.Uint64
		k := clock{host: func() (time.Duration, bool) {
			since, ok := h.read()
			time.Sleep(pause)
			return since, ok
		}}
		k.start(nil, &word)
		begin := k.now()
		h.slept = 2 * time.Hour
		k.advance()
		pause = 30 * time.Minute
		k.advance()
		want := begin + uint64((2*time.Hour + pause).Milliseconds())
		if k.now() != want || k.tick.Load() != want {
			t.Errorf("the clock is at %d, the tick at %d, want %d", k.now()-begin, k.tick.Load()-begin,
				want-begin)
		}
	})
}

// A clock that a user has given has no tick, and is asked for each end, which is rounded up. A time before
// 1970 is the begin of 1970.
func TestClock_Given(t *testing.T) {
	var now time.Time
	slept := time.Duration(0)
	k := clock{host: func() (time.Duration, bool) { since, ok := sinceStart(); return since + slept, ok }}
	k.start(func() time.Time { return now }, &seam.Uint64{})
	slept = time.Hour
	const us = time.Microsecond
	for _, x := range []struct {
		at, ttl  time.Duration // since 1970
		now, end uint64
	}{
		{5000 * us, 1000 * us, 5, 6}, {5000 * us, 1, 5, 6}, {5001 * us, 999 * us, 5, 6},
		{5001 * us, 1000 * us, 5, 7},
		{5999 * us, 1, 5, 6}, {5999 * us, 2 * us, 5, 7}, {0, 1, 0, 1}, {-time.Hour, time.Second, 0, 1000},
		{-time.Second, 1500 * time.Millisecond, 0, 1500}, {-1, 1, 0, 1}, {5000 * us, 0, 5, 0},
	} {
		now = time.Unix(0, 0).Add(x.at)
		end, err := k.end(x.ttl)
		if got := k.now(); got != x.now || end != x.end || err != nil {
			t.Errorf("at %v it is %d, want %d; an entry for %v ends at %d, %v, want %d", x.at, got, x.now,
				x.ttl, end, err, x.end)
		}
		if end, err := k.end(-x.ttl - 1); end != 0 || err != ErrTTL {
			t.Errorf("an entry for %v ends at %d, %v", -x.ttl-1, end, err)
		}
		if k.advance(); k.tick.Load() != 0 || k.slept.Load() != 0 {
			t.Errorf("the tick is %d, %d ms were slept", k.tick.Load(), k.slept.Load())
		}
	}
}

// A cache with a janitor has its tick from the open on, and with or without one its clock is the calendar's,
// by its own start of the host.
func TestClock_OfACache(t *testing.T) {
	for _, janitor := range []bool{true, false} {
		before := time.Now().UnixMilli()
		c := open(t, "", Options{Bytes: 1 << 20, NoJanitor: !janitor})
		tick, now := int64(c.clock.tick.Load()), int64(c.clock.now())
		after := time.Now().UnixMilli()
		if now < before-1 || now > after+1 || janitor && (tick < before-1 || tick > after+1) ||
			!janitor && tick != 0 {
			t.Errorf("janitor %v: between %d and %d the clock was at %d, and the tick at %d", janitor, before,
				after, now, tick)
		}
	}
}

// The janitor takes the time between its turns from the live parameter as it is, and does so at each look.
func TestJanitor_LooksAtItsPause(t *testing.T) {
	c := open(t, "", small())
	j := byHand(c)
	for _, ms := range []uint64{5, 6, 100, 12_345, everyMost} {
		tuned(t, c, "janitor.every", ms)
		if j.look(); j.every != time.Duration(ms)*time.Millisecond {
			t.Errorf("a turn each %v, want each %d ms", j.every, ms)
		}
	}
}

// The first process to come after a restart of the host chooses the offset anew, by the calendar; one that
// comes later goes by it, whatever its calendar says.
func TestClock_AfterARestart(t *testing.T) {
	const since, at, off = 5_000_000, 1_900_000_000_000, 3_600_000 // milliseconds
	const started = since*time.Millisecond + 700*time.Microsecond
	h := func() (time.Duration, bool) { return started, true }
	number := startNumber() << startBits
	for what, before := range map[string]uint64{"a new cache": 0,
		"another start": (number ^ 2<<startBits) | 12345, "an older one": (number ^ 1<<63) | startMask} {
		word := new(seam.Uint64)
		word.Store(before)
		first, later := &clock{host: h}, &clock{host: h}
		first.wall = func() time.Time { return time.UnixMilli(at) }
		later.wall = func() time.Time { return time.UnixMilli(at + off) }
		first.start(nil, word)
		if got := word.Load(); got != number|(at-since) {
			t.Errorf("behind %s the word is %#x, want %#x", what, got, number|(at-since))
		}
		later.start(nil, word)
		for which, k := range map[string]*clock{"first": first, "later": later} {
			if k.base != at || k.part != 700_000 || k.started != started || word.Load() != number|(at-since) {
				t.Errorf("behind %s the %s clock begins at %d and %d ns, want %d", what, which, k.base,
					k.part, uint64(at))
			}
		}
	}
}

// The clock word has room for a host that was started at any time from 1970 to 2109, and the number of the
// start is in the bits above. One that was started later, or before, by its calendar, is wrong by whole turns
// of that, but leaves the number alone.
func TestClock_RoomOfTheWord(t *testing.T) {
	const bits, since = 42, 5_000_000 // milliseconds
	const last = 1<<bits - 1
	if year := time.UnixMilli(last).UTC().Year(); year != 2109 {
		t.Fatalf("the last start is in %d", year)
	}
	h := func() (time.Duration, bool) { return since * time.Millisecond, true }
	others := ^startNumber() & (1<<21 - 1) // bits that the number does not have
	for _, x := range []struct{ calendar, start uint64 }{{since + 1, 1}, {since + 1<<40, 1 << 40},
		{since + 1<<41, 1 << 41}, {since + last, last}, {since + last + 8, 7}, {since - 1, 1},
		{since + others<<bits + 9, 9}} {
		word := new(seam.Uint64)
		k := &clock{host: h, wall: func() time.Time { return time.UnixMilli(int64(x.calendar)) }}
		k.start(nil, word)
		if got := word.Load(); got != startNumber()<<bits|x.start || k.base != x.start+since {
			t.Errorf("with a calendar at %d the word is %#x, and the clock begins at %d, want %d", x.calendar,
				got, k.base, x.start+since)
		}
	}
}
