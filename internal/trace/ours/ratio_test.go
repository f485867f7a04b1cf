package ours

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/trace"
	"github.com/samecycle/samecycle/internal/trace/policy"
	"github.com/samecycle/samecycle/internal/trace/replay"
)

// traceOf is a trace of so many objects of the same size. The function gives the object of each request.
func traceOf(name string, objects, requests int, bytes uint32, object func(i int) int) *trace.Trace {
	t := &trace.Trace{Name: name, Sizes: slices.Repeat([]uint32{bytes}, objects),
		Bytes: uint64(objects) * uint64(bytes)}
	for i := range requests {
		t.Requests = append(t.Requests, uint32(object(i)))
	}
	return t
}

// policyTraces are of what caches are asked in one way or another. An object has 1000 bytes.
func policyTraces(t *testing.T) (all []*trace.Trace) {
	t.Helper()
	const objects, requests, bytes = 4000, 150_000, 1000
	draw := func(skew float64, scan int) *trace.Trace {
		x, err := trace.Make(&trace.Zipf{Objects: objects, Skew: skew, Seed: 7}, scan,
			trace.Options{Object: bytes, Requests: requests})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	popular := draw(0.9, 0)
	all = append(all, draw(0.7, 0), popular, draw(1.1, 0), draw(0.9, objects/20))

	// Popularity goes round: each object is the most popular one for a while.
	all = append(all, traceOf("shift", objects, requests, bytes, func(i int) int {
		return (int(popular.Requests[i]) + i/200) % objects
	}))
	// A loop that all caches can hold, and one object in 50 that never comes again.
	const alone, each = objects / 40, 50
	all = append(all, traceOf("loop with others", objects, each*(objects-alone), bytes, func(i int) int {
		if i%each == each-1 {
			return alone + i/each
		}
		return i * (each - 1) / each % alone
	}))
	all = append(all, traceOf("loop over all", objects, requests, bytes,
		func(i int) int { return i % objects }))
	all = append(all, traceOf("scan", objects, objects, bytes, func(i int) int { return i }))

	// Most requests are for what was asked for a moment ago, at any distance.
	rng := rand.New(rand.NewPCG(8, 9))
	next, past := 0, []int{0}
	return append(all, traceOf("lately", objects, requests, bytes, func(i int) int {
		object := past[max(0, len(past)-1-int(rng.ExpFloat64()*objects/10))]
		if rng.IntN(objects) < objects*objects/requests {
			next = (next + 1) % objects
			object = next
		}
		past = append(past, object)
		return object
	}))
}

// lessThanLRU replays a trace through the cache and through exact LRU, both in this run, and says where the
// cache has more than 0.3 points less. The ratio of the cache varies with the secret of the hash, so a size
// at which one run is short is judged by the median of nine others.
func lessThanLRU(t *testing.T, x *trace.Trace, basket uint32) (short []string) {
	t.Helper()
	const least = -0.3
	shares := []uint64{5, 10, 20, 50}
	for i, first := range besideLRU(t, x, basket, shares) {
		t.Log(first.text)
		if !first.ran || first.points >= least {
			continue
		}
		var again []beside
		for range 9 {
			again = append(again, besideLRU(t, x, basket, shares[i:i+1])...)
		}
		slices.SortFunc(again, func(a, b beside) int { return cmp.Compare(a.points, b.points) })
		median := again[len(again)/2]
		t.Logf("and of nine more runs from %+.2f to %+.2f points, the median %+.2f", again[0].points,
			again[len(again)-1].points, median.points)
		if median.points < least {
			short = append(short, median.text)
		}
	}
	return short
}

// beside is how many points the cache has more than exact LRU.
type beside struct {
	points float64
	ran    bool
	text   string
}

// besideLRU replays a trace through both, in caches of those shares of its bytes, in percent.
func besideLRU(t *testing.T, x *trace.Trace, basket uint32, shares []uint64) (all []beside) {
	t.Helper()
	var sizes []uint64
	for _, share := range shares {
		sizes = append(sizes, x.Bytes*share/100)
	}
	lru := replay.Cache{Name: "LRU", New: func(capacity uint64, _ *trace.Trace) (policy.Replayed, error) {
		return policy.NewLRU(capacity), nil
	}}
	results, err := replay.Run(t.Context(), x, sizes, []replay.Cache{Model(basket, nil), lru},
		func(float64) {})
	if err != nil {
		t.Fatalf("%s: %v", x.Name, err)
	}
	for i, share := range shares {
		own, peer := results[2*i], results[2*i+1]
		if own.NotRun != "" {
			text := fmt.Sprintf("%s, %d %%: NOT RUN: %s", x.Name, share, own.NotRun)
			all = append(all, beside{0, false, text})
			continue
		}
		points := 100 * (own.HitRatio() - peer.HitRatio())
		text := fmt.Sprintf("%s, %d %%: LRU has %.2f %%, the cache %+.2f points, %s", x.Name, share,
			100*peer.HitRatio(), points, own.Note)
		all = append(all, beside{points, true, text})
	}
	return all
}

// TestModel_NotBelowLRU: with its default options the cache has at most 0.3 points less than exact LRU. These
// are caches of 50 baskets or more, and no trace has its steepest ascent at one of the sizes: of so many
// objects some are in no basket, since one is free, and one half full. results/cache/policies.md has where
// that is seen.
func TestModel_NotBelowLRU(t *testing.T) {
	for _, x := range policyTraces(t) {
		for _, text := range lessThanLRU(t, x, 0) {
			t.Error(text)
		}
	}
}

// TestLessThanLRU_SeesFewBaskets: a cache of some ten baskets is found to be short.
func TestLessThanLRU_SeesFewBaskets(t *testing.T) {
	for _, x := range policyTraces(t) {
		if short := lessThanLRU(t, x, 32<<10); len(short) > 0 {
			return
		}
	}
	t.Error("a cache of few baskets is as good as LRU")
}
