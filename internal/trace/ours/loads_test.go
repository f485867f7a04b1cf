package ours

import (
	"testing"

	"github.com/samecycle/samecycle/internal/trace"
)

// loadRatios are hit ratios in percent on a load that is made, in a cache of such a share of its objects.
func loadRatios(t *testing.T, name string, percent uint64) (tiny, aged, lru float64) {
	t.Helper()
	for _, l := range trace.Loads() {
		if l.Name == name {
			x := l.Make(1, 1000)
			tiny, aged, lru = ratiosAt(t, x.Requests, x.Objects(), x.Bytes*percent/100)
			t.Logf("%s, %d %%: TinyLFU %.2f, ageing %.2f, LRU %.2f", name, percent, 100*tiny, 100*aged,
				100*lru)
			return 100 * tiny, 100 * aged, 100 * lru
		}
	}
	t.Fatalf("there is no load %s", name)
	return 0, 0, 0
}

// TestLoads_TinyLFUAdapts: where what was used last is used next, TinyLFU comes near to exact LRU; with a
// small tier of 7 percent it had 23, 5.6 and 2.9 points less. Where what was used often is used next, it is
// far above, and keeps part of a loop: a small tier that always grows would have 3 points more than LRU.
//
// The ratios vary with the secret of the hash: in 16 runs those of bursts, recent-near, recent-far and
// zipf-0.8 by 0.3 points, and that of scan-again from 14.8 to 19.6 points above LRU.
func TestLoads_TinyLFUAdapts(t *testing.T) {
	for _, x := range []struct {
		name    string
		percent uint64
		least   float64 // points above LRU
	}{{"bursts", 1, -5}, {"recent-near", 5, -3}, {"recent-far", 1, -1.5}, {"zipf-0.8", 5, 9},
		{"scan-again", 20, 10}} {
		if tiny, _, lru := loadRatios(t, x.name, x.percent); tiny < lru+x.least {
			t.Errorf("%s, %d %%: %+.2f points, want %+.2f or more", x.name, x.percent, tiny-lru, x.least)
		}
	}
}

// TestLoads_AgeingLearns: where objects have their time, and what was used often is used no more, ageing is
// near exact LRU; when what was used often always stayed for more rounds it had 3.1 points less in bursts.
// Where what is popular stays so, it is above LRU; when that never counted it had 0.6 points less than now.
func TestLoads_AgeingLearns(t *testing.T) {
	for _, x := range []struct {
		name    string
		percent uint64
		least   float64 // points above LRU
	}{{"bursts", 1, -2}, {"zipf-0.8", 5, 2}} {
		if _, aged, lru := loadRatios(t, x.name, x.percent); aged < lru+x.least {
			t.Errorf("%s, %d %%: %+.2f points, want %+.2f or more", x.name, x.percent, aged-lru, x.least)
		}
	}
}
