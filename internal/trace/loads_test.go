package trace

import (
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/trace/policy"
)

// TestLoads_FollowFromTheSeed: the same seed makes the same requests, another one makes others, and no name
// comes twice.
func TestLoads_FollowFromTheSeed(t *testing.T) {
	names := map[string]bool{}
	for _, l := range Loads() {
		a, b, c := l.Make(1, 1000), l.Make(1, 1000), l.Make(2, 1000)
		if err := sound(a); err != nil || len(a.Requests) != loadRequests || a.Cut {
			t.Errorf("%s: %v, %d requests", l.Name, err, len(a.Requests))
		}
		if a.Objects() < 9000 || a.Objects() > loadRequests/2 {
			t.Errorf("%s has %d objects: too few or too many for a cache of one percent", l.Name, a.Objects())
		}
		if !slices.Equal(a.Requests, b.Requests) || !slices.Equal(a.Sizes, b.Sizes) {
			t.Errorf("%s: the same seed makes others", l.Name)
		}
		if slices.Equal(a.Requests, c.Requests) {
			t.Errorf("%s: another seed makes the same", l.Name)
		}
		if a.Sized == slices.Equal(a.Sizes, slices.Repeat([]uint32{1000}, a.Objects())) {
			t.Errorf("%s: sized %v, and that is not so", l.Name, a.Sized)
		}
		if names[l.Name] || l.What == "" {
			t.Errorf("%s: its name comes twice, or nothing says how it is made", l.Name)
		}
		names[l.Name] = true
	}
}

// TestLoads_AreOfManyKinds: of exact LRU, S3-FIFO and ARC each one is better by a point or more than each
// other one, on some load in a cache of a twentieth; but for LRU, which ARC is seldom below.
func TestLoads_AreOfManyKinds(t *testing.T) {
	names := []string{"LRU", "S3-FIFO", "ARC"}
	better := map[string]string{}
	for _, l := range Loads() {
		x, ratio := l.Make(1, 1000), map[string]float64{}
		for _, k := range policy.Kinds() {
			if !slices.Contains(names, k.Name) {
				continue
			}
			cache, hits := k.New(x.Bytes/20, nil), 0
			for _, o := range x.Requests {
				if cache.Access(uint64(o), x.Sizes[o]) {
					hits++
				}
			}
			ratio[k.Name] = 100 * float64(hits) / float64(len(x.Requests))
		}
		for _, a := range names {
			for _, b := range names {
				if ratio[a] >= ratio[b]+1 {
					better[a+" than "+b] = l.Name
				}
			}
		}
	}
	for _, a := range names {
		for _, b := range names {
			if _, ok := better[a+" than "+b]; !ok && a != b && a+b != "LRUARC" {
				t.Errorf("%s is nowhere better than %s: %v", a, b, better)
			}
		}
	}
}
