// Package replay sends a trace through caches of several sizes, and counts hits.
package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/samecycle/samecycle/internal/trace"
	"github.com/samecycle/samecycle/internal/trace/policy"
)

// Cache is what can be replayed.
type Cache struct {
	Name string
	// New makes an empty cache for so many bytes of objects. If it is an io.Closer, it is closed in the end;
	// an error of that makes its result void.
	New func(capacity uint64, t *trace.Trace) (policy.Replayed, error)
}

// ErrCapacity says that a cache cannot be so small, and ErrLarge that it cannot be so large: its result is
// one that was not run.
var (
	ErrCapacity = errors.New("the size is too small for this cache")
	ErrLarge    = errors.New("the size is too large for this cache")
)

// Models are the caches of package policy, the last one the optimum.
func Models() []Cache {
	var all []Cache
	for _, k := range policy.Kinds() {
		all = append(all, Cache{Name: k.Name,
			New: func(capacity uint64, t *trace.Trace) (policy.Replayed, error) {
				var future policy.Future
				if k.Offline {
					future = t.Future()
				}
				return k.New(whole(capacity, t), future), nil
			}})
	}
	return all
}

// whole is a capacity without the bytes at its end that have no room for one more object, if all objects have
// the same size. The papers count objects: ARC would remember more of them for such bytes, and aim at more.
func whole(capacity uint64, t *trace.Trace) uint64 {
	if len(t.Sizes) == 0 {
		return capacity
	}
	least := slices.Min(t.Sizes)
	if least != slices.Max(t.Sizes) {
		return capacity
	}
	return capacity - capacity%uint64(least)
}

// Result is what became of a trace in one cache.
type Result struct {
	Cache    string
	Capacity uint64
	Requests uint64 // how many there were; fewer than the trace has if it was interrupted
	Hits     uint64
	Bytes    uint64 // of the objects of all these requests
	HitBytes uint64 // of those that were hits
	Complete bool
	NotRun   string // why there are no figures
	Note     string // what the cache says of itself in the end
}

// Noted is a cache that has something to say of itself when all is done.
type Noted interface{ Note() string }

// HitRatio is the share of requests that were hits, from 0 to 1; 0 if there were none.
func (r Result) HitRatio() float64 { return ratio(r.Hits, r.Requests) }

// ByteHitRatio is the share of bytes, from 0 to 1; 0 if there were none.
func (r Result) ByteHitRatio() float64 { return ratio(r.HitBytes, r.Bytes) }

func ratio(part, whole uint64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// batch is for how many requests nobody looks at the context, or hears of progress.
const batch = 8192

// Run replays the trace once for each cache and each size, some at the same time, and returns results in the
// order of sizes, and of caches in each. When the context ends, results are those so far. The error is one of
// a cache; one that wraps ErrCapacity or ErrLarge is in the result instead. progress is told how much is
// done, from 0 to 1, by any goroutine.
func Run(ctx context.Context, t *trace.Trace, sizes []uint64, caches []Cache,
	progress func(share float64)) ([]Result, error) {
	results := make([]Result, len(sizes)*len(caches))
	errs := make([]error, len(results))
	whole := float64(len(results)) * float64(len(t.Requests))
	done, told := 0.0, sync.Mutex{}
	run := runner{ctx, t, func(requests int) {
		told.Lock()
		defer told.Unlock()
		done += float64(requests)
		progress(done / whole)
	}}
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(results)) {
		workers.Go(func() {
			for i := range next {
				errs[i] = run.one(caches[i%len(caches)], &results[i])
			}
		})
	}
	for i := range results {
		results[i].Cache, results[i].Capacity = caches[i%len(caches)].Name, sizes[i/len(caches)]
		next <- i
	}
	close(next)
	workers.Wait()
	return results, errors.Join(errs...)
}

type runner struct {
	ctx      context.Context
	t        *trace.Trace
	progress func(requests int)
}

// one replays the trace in one cache.
func (x runner) one(c Cache, r *Result) (err error) {
	if x.ctx.Err() != nil {
		return nil
	}
	cache, err := c.New(r.Capacity, x.t)
	switch {
	case errors.Is(err, ErrCapacity), errors.Is(err, ErrLarge):
		r.NotRun = err.Error()
		x.progress(len(x.t.Requests))
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	defer func() {
		if closer, ok := cache.(io.Closer); ok {
			if e := closer.Close(); e != nil {
				err = fmt.Errorf("%s: %w", c.Name, e)
			}
		}
	}()
	for from := 0; from < len(x.t.Requests); from += batch {
		if x.ctx.Err() != nil {
			return nil
		}
		part := x.t.Requests[from:min(from+batch, len(x.t.Requests))]
		for _, object := range part {
			size := x.t.Sizes[object]
			r.Bytes += uint64(size)
			if cache.Access(uint64(object), size) {
				r.Hits++
				r.HitBytes += uint64(size)
			}
		}
		r.Requests += uint64(len(part))
		x.progress(len(part))
	}
	r.Complete = true
	if noted, ok := cache.(Noted); ok {
		r.Note = noted.Note()
	}
	return nil
}
