package ours

import (
	"testing"

	"github.com/samecycle/samecycle/internal/trace"
)

// loadRatios are hit ratios in percent on a load that is made, in a cache of such a share of its objects. The
// ratios vary with the secret of the hash, so they are the means of so many runs.
func loadRatios(t *testing.T, name string, percent uint64, runs int) (tiny, aged, lru float64) {
	t.Helper()
	for _, l := range trace.Loads() {
		if l.Name != name {
			continue
		}
		x := l.Make(1, 1000)
		for range runs {
			a, b, c := ratiosAt(t, x.Requests, x.Objects(), x.Bytes*percent/100)
			tiny, aged, lru = tiny+100*a/float64(runs), aged+100*b/float64(runs), 100*c
		}
		t.Logf("%s, %d %%: TinyLFU %.2f, ageing %.2f, LRU %.2f", name, percent, tiny, aged, lru)
		return tiny, aged, lru
	}
	t.Fatalf("there is no load %s", name)
	return 0, 0, 0
}

// TestLoads_TinyLFUAdapts: where what was used last is used next, TinyLFU comes near to exact LRU; with a
// small tier of 7 percent it had 23, 5.6 and 2.9 points less. Where what was used often is used next, it is
// far above; a small tier that always grows has some 3 points more than LRU on zipf-0.8. And it keeps part of
// a scan that comes again.
//
// In 16 runs the ratios of bursts, recent-near, recent-far and zipf-0.8 varied by 0.3 points. In 30 runs that
// of scan-again was from 15.8 to 20.1 points above LRU, 17.7 in the mean, with a standard deviation of 1.0.
// The mean of six runs has one of 0.4, so the bound is 6 of these away. With a small tier that always grows
// it is 11.7 points.
func TestLoads_TinyLFUAdapts(t *testing.T) {
	for _, x := range []struct {
		name    string
		percent uint64
		least   float64 // points above LRU
		runs    int
	}{{"bursts", 1, -5, 2}, {"recent-near", 5, -3, 2}, {"recent-far", 1, -1.5, 2}, {"zipf-0.8", 5, 9, 2},
		{"scan-again", 20, 15, 6}} {
		if tiny, _, lru := loadRatios(t, x.name, x.percent, x.runs); tiny < lru+x.least {
			t.Errorf("%s, %d %%: %+.2f points, want %+.2f or more", x.name, x.percent, tiny-lru, x.least)
		}
	}
}

// TestLoads_AgeingLearns: where objects have their time, and what was used often is used no more, ageing is
// near exact LRU; when what was used often always stayed for more rounds it had 3.1 points less in bursts.
// It had 0.8 to 1.9 points less in 150 runs; where one in eight sufficed for often to count (samples.go), 9
// of 40 runs had 2.1 to 3.0 less. Where what is popular stays so, ageing is above LRU; when that never
// counted it had 0.6 points less than now.
func TestLoads_AgeingLearns(t *testing.T) {
	for _, x := range []struct {
		name    string
		percent uint64
		least   float64 // points above LRU
	}{{"bursts", 1, -2}, {"zipf-0.8", 5, 2}} {
		if _, aged, lru := loadRatios(t, x.name, x.percent, 3); aged < lru+x.least {
			t.Errorf("%s, %d %%: %+.2f points, want %+.2f or more", x.name, x.percent, aged-lru, x.least)
		}
	}
}
