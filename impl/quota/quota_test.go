package quota_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/internal/seam"
)

// Nanoseconds, and an instant of the clock of the tests.
const (
	micro  = 1000
	second = 1_000_000_000
	start  = uint64(1_800_000_000 * second)
)

// limits are 100 units a second, 50 at once.
var limits = quota.Limits{Rate: 100, Burst: 50, Retry: second, Deny: 3}

func newSketch(t testing.TB, width uint32) (*quota.Sketch, []seam.Uint64) {
	t.Helper()
	l := quota.Layout{Width: width, Penalties: true}
	words := make([]seam.Uint64, l.Words())
	s, err := quota.New(words, l)
	if err != nil {
		t.Fatal(err)
	}
	return s, words
}

// in returns the instant so long after the start.
func in(d int64) uint64 { return start + uint64(d) }

// TestNew_NamesWhatIsOutOfBounds: layouts, sections and limits.
func TestNew_NamesWhatIsOutOfBounds(t *testing.T) {
	for _, width := range []uint32{0, 8, 24, quota.WidthMax * 2} {
		if _, err := quota.New(nil, quota.Layout{Width: width}); !errors.Is(err, quota.ErrLayout) {
			t.Errorf("width %d: %v", width, err)
		}
	}
	least := quota.Layout{Width: 16}
	if _, err := quota.New(make([]seam.Uint64, 65), least); !errors.Is(err, quota.ErrLayout) {
		t.Errorf("a section that is too large: %v", err)
	}
	if _, err := quota.New(make([]seam.Uint64, 64), least); err != nil {
		t.Errorf("the smallest layout: %v", err)
	}
	if err := limits.Check(); err != nil {
		t.Errorf("limits: %v", err)
	}
	for field, l := range map[string]quota.Limits{
		"Rate 0":    {Rate: 0, Burst: 1, Retry: second},
		"Rate big":  {Rate: quota.RateMax + 1, Burst: 1, Retry: second},
		"Burst 0":   {Rate: 1, Burst: 0, Retry: second},
		"Burst big": {Rate: 1, Burst: 1801, Retry: second},
		"Units big": {Rate: quota.RateMax, Burst: quota.UnitsMax + 1, Retry: second},
		"Retry 0":   {Rate: 1, Burst: 1, Retry: 0},
		"Retry big": {Rate: 1, Burst: 1, Retry: 7200 * second},
		"Deny big":  {Rate: 1, Burst: 1, Retry: second, Deny: 8},
		"Deny less": {Rate: 1, Burst: 1, Retry: second, Deny: -1},
	} {
		if err := l.Check(); !errors.Is(err, quota.ErrLimits) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// TestTake_AdmitsTheRate: each second admits as many as the rate, and the start admits a burst more.
func TestTake_AdmitsTheRate(t *testing.T) {
	s, _ := newSketch(t, 1024)
	for sec := range int64(20) {
		admitted := 0
		for n := range int64(10_000) { // 100 times the rate
			r := s.Take(7, in(sec*second+n*100*micro), 1, limits)
			if r.Verdict == quota.OK {
				admitted++
			} else if r.Retry == 0 || r.Retry > second/100 {
				t.Fatalf("retry after %d ns at 100 a second", r.Retry)
			}
		}
		if want := 100; sec > 0 && (admitted < want-1 || admitted > want+1) ||
			sec == 0 && admitted != want+50-1 && admitted != want+50 {
			t.Errorf("second %d: %d admitted", sec, admitted)
		}
	}
}

// TestTake_SamplesStandForCalls: one call of 16 asks, for 16 units, and the calls between are admitted
// unless the last sample was refused and its time is not over. The limits hold on average.
func TestTake_SamplesStandForCalls(t *testing.T) {
	s, _ := newSketch(t, 1024)
	l := quota.Limits{Rate: 10_000, Burst: 1024, Retry: second}
	admitted, asked, until := 0, 0, uint64(0)
	const seconds, calls = 10, 100_000 // a second
	for n := range int64(seconds * calls) {
		now := in(n * second / calls)
		if now < until {
			continue
		}
		if asked++; asked%16 == 0 {
			if r := s.Take(7, now, 16, l); r.Verdict != quota.OK {
				until = now + r.Retry
				continue
			}
		}
		admitted++
	}
	if most := int(l.Rate*seconds + l.Burst + 16); admitted > most || admitted < most*95/100 {
		t.Errorf("%d admitted, want at most %d, and nearly that", admitted, most)
	}
}

// TestJudge_RetryGrowsAndCalms: each offence doubles the wait up to the bound, an identity that waits as
// told is OK, and old offences are forgotten.
func TestJudge_RetryGrowsAndCalms(t *testing.T) {
	s, _ := newSketch(t, 1024)
	now, want := start, uint64(second)
	for offence := 1; offence <= 10; offence++ {
		var r quota.Ruling
		for range 200 {
			r = s.Judge(7, now, 1, limits)
		}
		counted := min(offence, quota.OffencesMax)
		if r.Offences != counted || r.Retry < want || r.Retry > want+micro {
			t.Fatalf("offence %d: %+v, want a wait of %d", offence, r, want)
		}
		if denied := r.Verdict == quota.Denied; denied != (offence >= limits.Deny) || r.Verdict == quota.OK {
			t.Errorf("offence %d: %v", offence, r.Verdict)
		}
		if r := s.Look(7, now, limits); r.Offences != counted {
			t.Errorf("offence %d: a look says %+v", offence, r)
		}
		now += r.Retry
		want = min(2*want, 64*second)
	}
	if r := s.Judge(7, now, 1, limits); r.Verdict != quota.OK || r.Retry != 0 {
		t.Errorf("after the last wait: %+v", r)
	}
	other := uint64(8 * 0x0001_0001_0001_0001)
	if s.Clear(7) || !s.Clear(other) {
		t.Errorf("clear: %v of the one with a penalty that is over, %v of another one", s.Clear(7),
			s.Clear(other))
	}
	now += 6 * 8 * second // six offences are forgotten
	for range 60 {
		s.Judge(7, now, 1, limits)
	}
	if r := s.Look(7, now, limits); r.Offences != 2 {
		t.Errorf("after a calm time: %+v, want the second offence", r)
	}
}

// TestJudge_WhoWaitsAsToldIsOK: this also holds if the wait is short and the bucket takes longer to drain.
func TestJudge_WhoWaitsAsToldIsOK(t *testing.T) {
	s, _ := newSketch(t, 1024)
	l := quota.Limits{Rate: 10, Burst: 100, Retry: second / 1000}
	var r quota.Ruling
	for range 150 {
		if r = s.Judge(7, start, 1, l); r.Verdict != quota.OK {
			break
		}
	}
	if r.Verdict != quota.Suspect || r.Retry < second/10 {
		t.Fatalf("101 at once: %+v, want a wait for one unit", r)
	}
	if r = s.Judge(7, start+r.Retry+second/10, 1, l); r.Verdict != quota.OK {
		t.Errorf("after the wait: %+v", r)
	}
}

// exact is a bucket of a single identity.
type exact struct{ empty uint64 }

func (x *exact) charge(now, cost, most uint64) uint64 {
	x.empty = min(max(x.empty, now)+cost, now+most)
	return x.empty - now
}

// TestAdd_NeverUnderestimates compares the sketch with a bucket for each identity. There are few cells, so
// nearly all are shared.
func TestAdd_NeverUnderestimates(t *testing.T) {
	s, _ := newSketch(t, 16)
	r := rand.New(rand.NewPCG(1, 2))
	buckets, ids := map[uint64]*exact{}, make([]uint64, 40)
	for i := range ids {
		ids[i] = r.Uint64()
		buckets[ids[i]] = &exact{}
	}
	cost, above := second/limits.Rate, 0
	for n := range int64(100_000) {
		id := ids[r.IntN(len(ids))]
		now, units := in(n*50*micro), 1+r.Uint64N(3)
		is := buckets[id].charge(now, units*cost, 2*limits.Burst*cost)
		got := uint64(s.Add(id, now, units, limits))
		if got < is {
			t.Fatalf("step %d: level %d, below that of its own bucket, %d", n, got, is)
		}
		if got > is {
			above++
		}
		if s.Level(id, now, limits) != got {
			t.Fatalf("step %d: level %d after a charge to %d", n, s.Level(id, now, limits), got)
		}
	}
	if above == 0 {
		t.Error("no level was above that of its own bucket: the test shares no cells")
	}
}

// TestK1_FloodDoesNotReset: a denied key stays denied while ten times as many new keys as there are cells
// are asked for. When its time and the flood are over, it is OK. The only effect of the flood is that new
// keys are judged too high.
func TestK1_FloodDoesNotReset(t *testing.T) {
	for _, width := range []uint32{16, 256, 4096} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			s, words := newSketch(t, width)
			r := rand.New(rand.NewPCG(3, uint64(width)))
			victim, now := r.Uint64(), start
			for range 3 {
				now += s.Look(victim, now, limits).Retry
				for range 100 {
					s.Judge(victim, now, 1, limits)
				}
			}
			before := s.Look(victim, now, limits)
			if before.Verdict != quota.Denied {
				t.Fatalf("after three offences: %+v", before)
			}
			for range 10 * len(words) {
				s.Judge(r.Uint64(), now, 1, limits)
			}
			after := s.Look(victim, now, limits)
			if after.Verdict != quota.Denied || after.Retry < before.Retry {
				t.Errorf("after the flood: %+v, before %+v", after, before)
			}
			end := now + before.Retry - second/1000
			if r := s.Judge(victim, end, 1, limits); r.Verdict != quota.Denied {
				t.Errorf("short of the end of its time: %+v", r)
			}
			end = now + limits.CalmAfter()
			if r := s.Judge(victim, end, 1, limits); r.Verdict != quota.OK {
				t.Errorf("after the longest time: %+v", r)
			}
		})
	}
}

// TestSketch_DamageDrains: whatever a word holds, everything is OK after the time by which a word may be
// ahead.
func TestSketch_DamageDrains(t *testing.T) {
	s, words := newSketch(t, 16)
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 500 {
		for i := range words {
			words[i].Store([]uint64{r.Uint64(), ^uint64(0), start + 1<<40, 0}[r.IntN(4)])
		}
		id := r.Uint64()
		if n%2 == 0 {
			if w := s.Judge(id, start, 1, limits); w.Retry > quota.AheadMost {
				t.Fatalf("a wait of %d ns", w.Retry)
			}
		}
		s.Take(id, start, 1, limits)
		s.Look(id, start, limits)
		later := start + quota.AheadMost + limits.CalmAfter()
		if w := s.Judge(id, later, 1, limits); w.Verdict != quota.OK {
			t.Fatalf("judged %+v after the longest wait", w)
		}
	}
}

// TestSketch_OtherLimits: charges and marks by other limits still count, and have drained after the time
// that any limits allow.
func TestSketch_OtherLimits(t *testing.T) {
	s, _ := newSketch(t, 64)
	high := quota.Limits{Rate: 1, Burst: 100, Retry: quota.RetryMax}
	for range 300 {
		s.Judge(7, start, 1, high)
	}
	told := s.Look(7, start, high).Retry
	if told < quota.RetryMax {
		t.Fatalf("by the old limits a wait of %d ns", told)
	}
	if r := s.Look(7, start, limits); r.Retry != told || r.Verdict == quota.OK {
		t.Errorf("by the new limits: %+v, told were %d ns", r, told)
	}
	if r := s.Judge(7, start+told, 1, limits); r.Verdict != quota.OK {
		t.Errorf("after the time that was told: %+v", r)
	}
}

// TestSketch_WhoStoodStillLowersNothing: a caller that has read the clock, and continues a minute later,
// lowers neither a level nor a penalty that others have raised in between.
func TestSketch_WhoStoodStillLowersNothing(t *testing.T) {
	s, words := newSketch(t, 16)
	now := start + 60*second
	for range 60 {
		s.Judge(7, now, 1, limits)
	}
	before := make([]uint64, len(words))
	for i := range words {
		before[i] = words[i].Load()
	}
	level, ruling := s.Level(7, now, limits), s.Look(7, now, limits)
	s.Take(7, start, 1, limits)
	s.Take(7, start, 16, limits)
	s.Judge(7, start, 16, limits)
	s.Look(7, start, limits)
	for i := range words {
		if v := words[i].Load(); v < before[i] {
			t.Errorf("word %d was %d, and is %d", i, before[i], v)
		}
	}
	if after := s.Level(7, now, limits); after < level {
		t.Errorf("the level was %d, and is %d", level, after)
	}
	if after := s.Look(7, now, limits); after != ruling {
		t.Errorf("the ruling was %+v, and is %+v", ruling, after)
	}
}

// TestNames: the printed forms of verdicts and penalties.
func TestNames(t *testing.T) {
	s, _ := newSketch(t, 16)
	text := fmt.Sprint(quota.OK, quota.Suspect, quota.Denied, quota.Verdict(9), quota.MakePenalty(1007, 9),
		s.Layout())
	if want := "ok suspect denied ? 7 offences until 1000 {16 true}"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
}
