package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/samecycle/samecycle/internal/trace"
	"github.com/samecycle/samecycle/internal/trace/policy"
)

func made(t *testing.T, requests int) *trace.Trace {
	t.Helper()
	tr, err := trace.Make(&trace.Zipf{Objects: 500, Skew: 1, Seed: 1}, 0,
		trace.Options{Object: 10, Requests: requests})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// TestRun_Counts: requests, hits and their bytes are those of the trace, and in the order that was asked for.
func TestRun_Counts(t *testing.T) {
	tr := &trace.Trace{Requests: []uint32{0, 1, 0, 2, 1, 2}, Sizes: []uint32{5, 7, 100}, Bytes: 112}
	got, err := Run(t.Context(), tr, []uint64{1, 12, 112}, Models(), func(float64) {})
	if err != nil || len(got) != 3*len(Models()) {
		t.Fatalf("%v, %v", got, err)
	}
	for i, r := range got {
		size := []uint64{1, 12, 112}[i/len(Models())]
		want := Result{Cache: Models()[i%len(Models())].Name, Capacity: size, Requests: 6, Complete: true,
			Bytes: 224, Hits: map[uint64]uint64{12: 2, 112: 3}[size],
			HitBytes: map[uint64]uint64{12: 12, 112: 112}[size]}
		if r != want {
			t.Errorf("%+v, want %+v", r, want)
		}
	}
	if r := got[len(got)-1]; r.HitRatio() != 0.5 || r.ByteHitRatio() != 0.5 {
		t.Errorf("%v, %v", r.HitRatio(), r.ByteHitRatio())
	}
}

// TestModels_CountObjects: of objects of one size a model has as many hits as one of the papers, which count
// objects, also if the capacity has some bytes more.
func TestModels_CountObjects(t *testing.T) {
	tr := made(t, 20_000)
	for i := range tr.Sizes {
		tr.Sizes[i] = 1000
	}
	ones := *tr
	ones.Sizes = slices.Repeat([]uint32{1}, tr.Objects())
	for _, objects := range []uint64{0, 3, 36, 150} {
		for _, more := range []uint64{0, 1, 690, 999} {
			got, err := Run(t.Context(), tr, []uint64{1000*objects + more}, Models(), func(float64) {})
			if err != nil {
				t.Fatal(err)
			}
			want, err := Run(t.Context(), &ones, []uint64{objects}, Models(), func(float64) {})
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range got {
				if r.Hits != want[i].Hits {
					t.Errorf("%s, %d objects and %d bytes: %d hits, want %d", r.Cache, objects, more, r.Hits,
						want[i].Hits)
				}
			}
		}
	}
}

// TestRun_Interrupted: what is done so far is told, and marked as such; what was not begun has no requests.
func TestRun_Interrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tr := made(t, 30*batch)
	var once sync.Once
	got, err := Run(ctx, tr, []uint64{500, 900}, Models(), func(share float64) {
		if share > 0.15 {
			once.Do(cancel)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	complete, some, none := 0, 0, 0
	for _, r := range got {
		switch {
		case r.Complete && r.Requests == uint64(len(tr.Requests)):
			complete++
		case !r.Complete && r.Requests > 0 && r.Hits > 0 && r.Requests < uint64(len(tr.Requests)):
			some++
		case !r.Complete && r.Requests == 0 && r.Hits == 0 && r.HitRatio() == 0:
			none++
		}
	}
	if complete+some+none != len(got) || some == 0 || none == 0 {
		t.Errorf("complete %d, some %d, none %d: %+v", complete, some, none, got)
	}
}

// cache has faults of its own.
type cache struct{ closing error }

func (*cache) Access(uint64, uint32) bool { return false }
func (c *cache) Close() error             { return c.closing }

// TestRun_Faults: a cache that is too small or too large for its own kind was not run, and all other errors
// end the run.
func TestRun_Faults(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		making, closing error
		notRun, err     string
	}{
		{nil, nil, "", ""},
		{fmt.Errorf("%w: use more", ErrCapacity), nil, "too small for this cache: use more", ""},
		{fmt.Errorf("%w: use less", ErrLarge), nil, "too large for this cache: use less", ""},
		{broken, nil, "", "own: broken"},
		{nil, broken, "", "own: broken"},
	} {
		got, err := Run(t.Context(), made(t, 100), []uint64{50}, []Cache{{Name: "own",
			New: func(uint64, *trace.Trace) (policy.Replayed, error) {
				return &cache{c.closing}, c.making
			}}}, func(float64) {})
		if (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%v, want %q", err, c.err)
		}
		if !strings.Contains(got[0].NotRun, c.notRun) || (c.notRun == "") != (got[0].NotRun == "") {
			t.Errorf("%+v, want %q", got[0], c.notRun)
		}
	}
}

// TestRun_Progress ends with all.
func TestRun_Progress(t *testing.T) {
	var most float64
	_, err := Run(t.Context(), made(t, 3*batch), []uint64{50, 60}, Models(), func(share float64) {
		most = max(most, share)
	})
	if err != nil || most != 1 {
		t.Errorf("%v, %v", most, err)
	}
}
