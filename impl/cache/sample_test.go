package cache

import (
	"testing"
	"time"

	"github.com/samecycle/samecycle/impl/quota"
)

// Gaps between samples are drawn by the generator xorshift64 of G. Marsaglia (Xorshift RNGs, 2003), here with
// the state that he begins with and the number that follows it; and one number is drawn for each call up to
// the next sample, which at a low rate is the next call.
func TestSample_DrawsByXorshift(t *testing.T) {
	c, _ := timed(t, askStart, Options{Quota: Quota{Object: 1}})
	d := drawnFrom(88172645463325252)
	if q := d.sample(c); !q.sampled || d.random != 8748534153485358512 {
		t.Errorf("the first draw is %d, %v", d.random, q.sampled)
	}
	for range 5 {
		q := d.sample(c)
		if left := d.left.Load(); !q.sampled || left != 1 || q.units != 1 || q.now != askStart*1_000_000 {
			t.Errorf("%+v, and the next sample is %d calls away", q, left)
		}
	}
}

// drawnFrom draws samples from a state of the generator on; the first call is one.
func drawnFrom(random uint64) *draws {
	d := &draws{random: random}
	d.left.Store(1)
	return d
}

// A sample that others overtake, by more calls than are drawn until the next one, does not lose that: what
// has been missed is made up for by further draws.
func TestSample_Overtaken(t *testing.T) {
	c, _ := timed(t, askStart, Options{Quota: Quota{Object: 1}})
	d := drawnFrom(1)
	clock := c.clock.given
	c.clock.given = func() time.Time { // it is asked by the sample, ahead of the draw
		for range 5 {
			if d.left.Add(^uint64(0)) == 0 {
				t.Error("a second sample begins")
			}
		}
		return clock()
	}
	if q := d.sample(c); !q.sampled || d.left.Load() != 1 {
		t.Errorf("%v, and the next sample is %d calls away", q.sampled, int64(d.left.Load()))
	}
}

// One call of as many as a sample stands for is one, on average, and no two are further apart than the bound.
func TestSample_GapsOfItsUnits(t *testing.T) {
	for rate, units := range map[uint64]uint64{640: 10, 1024: 16, 1 << 20: 16, 128: 2, 64: 1} {
		c, _ := timed(t, askStart, Options{Quota: Quota{Object: rate}})
		d := drawnFrom(1)
		var q inquiry
		const calls = 200_000
		samples, gap, longest, short := uint64(0), uint64(0), uint64(0), uint64(0)
		for range calls {
			gap++
			if x := d.sample(c); x.sampled {
				q = x
				if samples++; gap == 1 {
					short++
				}
				longest, gap = max(longest, gap), 0
			}
		}
		if q.units != units || longest > 16*units || units > 1 && longest < 8*units {
			t.Errorf("%d a second: a sample stands for %d calls, want %d; the longest gap is %d", rate,
				q.units, units, longest)
		}
		// 12500 samples or more are off by a percent one time in three, so by 5 percent one time in a million
		if want := calls / units; samples < want*95/100 || samples > want*105/100 ||
			short < want/units*85/100 || short > want/units*115/100 {
			t.Errorf("%d a second: %d of %d calls are samples, %d of them behind another one; want one of %d",
				rate, samples, calls, short, units)
		}
	}
}

// Calls between two samples read nothing, and each sample reads all anew.
func TestSample_ReadsTheThresholds(t *testing.T) {
	c, k := timed(t, askStart, Options{})
	tuned(t, c, "quota.object", 1<<20)
	d := drawnFrom(8945644784509053323) // of the longest gap
	first := d.sample(c)
	if !first.sampled || first.thresholds != c.thresholds() || first.now != askStart*nanos {
		t.Fatalf("the first call goes by %+v", first)
	}
	tuned(t, c, "quota.object", 50)
	tuned(t, c, "quota.client", 60)
	k.ms.Add(7)
	for d.left.Load() > 1 {
		if q := d.sample(c); q != (inquiry{}) {
			t.Fatalf("%d calls ahead of a sample: %+v", d.left.Load(), q)
		}
	}
	q := d.sample(c)
	if !q.sampled || q.thresholds != c.thresholds() || q.thresholds == first.thresholds ||
		q.now != (askStart+7)*nanos {
		t.Errorf("at a sample %+v, was %+v", q, first)
	}
}

// A call that looks a key up between two samples goes by the thresholds of now.
func TestJudge_ReadsTheThresholds(t *testing.T) {
	c, k := timed(t, askStart, Options{})
	const id = 0x123456789abcdef
	tuned(t, c, "quota.object", 50)
	l := c.thresholds()
	if r := c.objects.Judge(id, c.instant(), 51, l.object); r.Verdict != quota.Suspect {
		t.Fatalf("%+v", r)
	}
	for _, there := range []bool{false, true} { // a record that has the mark
		tuned(t, c, "quota.object", 50)
		k.ms.Add(1)
		q := inquiry{}
		if r := q.judge(c, id, there, there); r.Verdict != quota.Suspect || q.thresholds != l ||
			q.now != c.instant() {
			t.Errorf("with a limit: %+v, by %+v", r, q)
		}
		tuned(t, c, "quota.object", 0)
		q = inquiry{}
		if r := q.judge(c, id, there, there); r != (quota.Ruling{}) || q.thresholds != c.thresholds() {
			t.Errorf("without: %+v, by %+v", r, q)
		}
	}
}
