package quota

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/samecycle/samecycle/internal/seam"
)

// atThe are limits of 100 units a second, 50 at once.
var atThe = Limits{Rate: 100, Burst: 50, Retry: second, Deny: 3}

// TestLimits_Burst: as many calls as a burst has units come at once, and no more, whatever the rate.
func TestLimits_Burst(t *testing.T) {
	for _, rate := range []uint64{1, 2, 3, 6, 7, 11, 127, 999, 12_345, 3_000_007} {
		l := Limits{Rate: rate, Burst: min(rate, 1000), Retry: second}
		s, _ := cells(t)
		served := uint64(0)
		for s.Take(1, 10*second, 1, l).Verdict == OK {
			served++
		}
		if served != l.Burst {
			t.Errorf("%d a second: %d calls at once, want %d", rate, served, l.Burst)
		}
	}
}

// TestLimits_Numbers: the times that follow from limits, in nanoseconds.
func TestLimits_Numbers(t *testing.T) {
	odd := Limits{Rate: 7, Burst: 3, Retry: 3 * second}
	text := fmt.Sprint(atThe.cost(0), atThe.cost(1), atThe.cost(3), atThe.tolerance(), atThe.most(),
		atThe.forget(), atThe.longest(), atThe.CalmAfter())
	if want := "0 10000000 30000000 500000000 1000000000 8000000000 64000000007 64000000007"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
	text = fmt.Sprint(odd.cost(1), odd.cost(7), odd.tolerance(), odd.most())
	if want := "142857143 1000000001 428571429 857142858"; text != want { // each unit rounded up
		t.Errorf("%s, want %s", text, want)
	}
	if fast := (Limits{Rate: RateMax, Burst: 1}); fast.cost(UnitsMax) != 42_949_672_960 ||
		fast.cost(UnitsMax+1) != fast.cost(UnitsMax) || fast.cost(UnitsMax-1) != 42_949_672_950 {
		t.Errorf("%d, %d and %d", fast.cost(UnitsMax-1), fast.cost(UnitsMax), fast.cost(UnitsMax+1))
	}
	text = ""
	for n := range 10 {
		text += fmt.Sprint(atThe.wait(n-1)/second, " ")
	}
	if want := "1 1 1 2 4 8 16 32 64 64 "; text != want {
		t.Errorf("waits of %sseconds, want %s", text, want)
	}
	hour := Limits{Rate: 1, Burst: 1800, Retry: RetryMax}
	if hour.wait(1) != WaitMax || hour.wait(7) != WaitMax || hour.longest() != WaitMax+7 {
		t.Errorf("an hour: %d, %d, %d", hour.wait(1), hour.wait(7), hour.longest())
	}
	if AheadMost != 2*WaitMax {
		t.Error("a word may be as far ahead as a penalty is long and as a caller may have stood still")
	}
	// A bucket may need longer to drain than the longest wait.
	if slow := (Limits{Rate: 1, Burst: 1800, Retry: second}); slow.longest() != 1800*second+7 {
		t.Errorf("the longest time is %d", slow.longest())
	}
}

// TestLimits_Bounds: the bounds themselves are accepted, and an error names the field that is out of bounds.
func TestLimits_Bounds(t *testing.T) {
	for _, l := range []Limits{{1, 1, RetryMin, 0}, {RateMax, UnitsMax, RetryMax, OffencesMax},
		{1, 1800, second, 1}, {2_386_093, UnitsMax, second, 0}, {2_386_092, 2_386_092 * 1800, second, 0}} {
		if err := l.Check(); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
	}
	const begin, end = "limits of a quota unusable: ", ": choose a value within the bounds"
	for want, l := range map[string]Limits{
		"Rate is 0, want 1..100000000":                                    {0, 1, second, 0},
		"Rate is 100000001, want 1..100000000":                            {RateMax + 1, 1, second, 0},
		"Burst is 0, want 1..1800":                                        {1, 0, second, 0},
		"Burst is 1801, want 1..1800":                                     {1, 1801, second, 0},
		"Burst is 4294967297, want 1..4294967296":                         {RateMax, UnitsMax + 1, second, 0},
		"Retry is 999999, want 1000000..3600000000000 nanoseconds":        {1, 1, RetryMin - 1, 0},
		"Retry is 3600000000001, want 1000000..3600000000000 nanoseconds": {1, 1, RetryMax + 1, 0},
		"Deny is -1, want 0..7":                                           {1, 1, second, -1},
		"Deny is 8, want 0..7":                                            {1, 1, second, 8},
	} {
		if err := l.Check(); !errors.Is(err, ErrLimits) || err.Error() != begin+want+end {
			t.Errorf("%+v: %v, want %s", l, err, want)
		}
	}
	const layout = "layout of a quota unusable: "
	for _, width := range []uint32{0, 8, 15, 17, 24, WidthMax - 1, WidthMax * 2} {
		_, err := New(nil, Layout{Width: width})
		want := fmt.Sprintf(layout+"width is %d, want a power of two of 16..65536: choose one", width)
		if !errors.Is(err, ErrLayout) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, l := range []Layout{{16, false}, {16, true}, {WidthMax, true}} {
		for _, n := range []int{0, 1, 63} {
			_, err := New(make([]seam.Uint64, n), l)
			want := fmt.Sprintf(layout+"%d words, want %d: give the section of this layout", n, l.Words())
			if !errors.Is(err, ErrLayout) || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
	text := fmt.Sprint(Layout{16, false}.Words(), Layout{16, true}.Words(), Layout{WidthMax, true}.Words())
	if want := "64 128 524288"; text != want {
		t.Errorf("%s words, want %s", text, want)
	}
}

// TestLevel_Numbers: how full a bucket is, and how a charge changes its word.
func TestLevel_Numbers(t *testing.T) {
	const now, most = uint64(5 * AheadMost), uint64(1000)
	for word, want := range map[Level]uint64{0: 0, Level(now): 0, Level(now + 1): 1, Level(now + 999): 999,
		Level(now + 1001): 1000, ^Level(0): 1000} {
		if got := word.at(now, most); got != want {
			t.Errorf("%d: the level is %d, want %d", word, got, want)
		}
	}
	if got := Level(5).at(0, most); got != 5 {
		t.Errorf("at the begin of the clock the level is %d, want 5", got)
	}
	// Relative to the instant: the word before and after a charge of 10.
	for before, want := range map[int64]int64{-7: 10, 0: 10, 1: 11, 989: 999, 990: 1000, 991: 1000,
		1000: 1000,
		1001: 1001, AheadMost: AheadMost, AheadMost + 1: 1000} {
		if got := Level(int64(now)+before).charged(now, 10, most); int64(got)-int64(now) != want {
			t.Errorf("%d ahead, and behind the charge %d, want %d", before, int64(got)-int64(now), want)
		}
	}
}

// TestPenalty_Numbers: the fields of a penalty, and how long it counts.
func TestPenalty_Numbers(t *testing.T) {
	const now, longest = uint64(8 * AheadMost), uint64(800)
	for _, x := range []struct {
		end       uint64
		offences  int
		wantEnd   uint64
		wantCount int
	}{{1000, 0, 1000, 0}, {1007, 1, 1000, 1}, {1008, 7, 1008, 7}, {1008, 8, 1008, 7}, {1008, -1, 1008, 0}} {
		p := MakePenalty(x.end, x.offences)
		if p.End() != x.wantEnd || p.Offences() != x.wantCount {
			t.Errorf("%v: %v", x, p)
		}
	}
	edge, beyond := MakePenalty(now+AheadMost, 3), MakePenalty(now+AheadMost+8, 3)
	if edge.bounded(now, longest) != edge || beyond.bounded(now, longest) != MakePenalty(now+800, 3) {
		t.Errorf("bounded to %v and %v", edge.bounded(now, longest), beyond.bounded(now, longest))
	}
	p := MakePenalty(now, 3)
	for after, want := range map[uint64]int{0: 3, 99: 3, 100: 2, 199: 2, 200: 1, 300: 0, 400: 0, 1 << 40: 0} {
		if got := p.remembered(now+after, 100); got != want {
			t.Errorf("after %d there are %d offences, want %d", after, got, want)
		}
	}
	if got := p.remembered(now-8, 100); got != 3 {
		t.Errorf("ahead of the end there are %d offences", got)
	}
}

// TestRuling_Numbers: the meaning of a penalty at an instant.
func TestRuling_Numbers(t *testing.T) {
	const now = uint64(8000)
	never, first := atThe, atThe
	never.Deny, first.Deny = 0, 1
	for _, x := range []struct {
		l    Limits
		p    Penalty
		want Ruling
	}{
		{atThe, 0, Ruling{}}, {atThe, MakePenalty(now, 7), Ruling{}},
		{atThe, MakePenalty(now+8, 1), Ruling{Suspect, 8, 1}},
		{atThe, MakePenalty(now+80, 2), Ruling{Suspect, 80, 2}},
		{atThe, MakePenalty(now+80, 3), Ruling{Denied, 80, 3}},
		{atThe, MakePenalty(now+80, 7), Ruling{Denied, 80, 7}},
		{never, MakePenalty(now+80, 7), Ruling{Suspect, 80, 7}},
		{first, MakePenalty(now+80, 1), Ruling{Denied, 80, 1}}, {first, MakePenalty(now+80, 0),
			Ruling{Suspect, 80, 0}},
	} {
		if got := x.l.ruling(x.p, now); got != x.want {
			t.Errorf("%v: %+v, want %+v", x.p, got, x.want)
		}
	}
}

// TestReach_Numbers: the two bounds, computed by hand.
func TestReach_Numbers(t *testing.T) {
	for _, x := range []struct{ got, want float64 }{
		{Overestimate(16, 0, 8, 1), 0.0625}, {Overestimate(16, 50, 400, 100), 0.0625},
		{Overestimate(16, 0, 16, 1), 1}, {Overestimate(16, 0, 17, 1), 1}, {Overestimate(16, 0, 0, 1), 0},
		{Overestimate(16, 99, 1, 100), 1. / (16 * 16 * 16 * 16)}, {Overestimate(16, 101, 1, 100), 1},
		{Overestimate(16, 100, 0, 100), 1},
		{Covered(2, 1), 0.0625}, {Covered(4, 1), 1. / 256}, {Covered(2, 2), 0.31640625},
	} {
		if d := x.got - x.want; math.IsNaN(d) || math.Abs(d) > 1e-12 {
			t.Errorf("%v, want %v", x.got, x.want)
		}
	}
}
