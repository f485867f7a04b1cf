package tlc

import (
	"context"
	"fmt"
	"sort"
	"sync"
	"time"
)

// Verdict is what one manifest entry came to. The run agrees with the manifest when Problems is
// empty and Err is nil.
type Verdict struct {
	Entry    Entry
	Result   Result
	Problems []string // how the run differs from the manifest
	Unknown  bool     // there is no verdict: time or memory ran out, or the run was stopped
	Err      error    // why there is no Result
}

// Pass reports whether the run agrees with the manifest in every point.
func (v Verdict) Pass() bool { return v.Err == nil && !v.Unknown && len(v.Problems) == 0 }

// Event tells of the progress of RunEntries. Exactly one of the pointers is set, or neither when
// the entry has just started.
type Event struct {
	Entry   Entry
	Stats   *Stats   // the entry is running
	Verdict *Verdict // the entry has ended
	Done    int      // entries ended so far
	Total   int
}

// RunOptions bound RunEntries.
type RunOptions struct {
	Parallel int         // runs at a time; 0 means 2
	Observe  func(Event) // optional; calls do not overlap
}

// RunEntries runs manifest entries, each in its own folder, the largest first, and returns the
// verdicts in the order of the entries. When ctx ends, the running JVMs are killed and the rest is Unknown.
func (t *Tool) RunEntries(ctx context.Context, entries []Entry, o RunOptions) []Verdict {
	if o.Parallel <= 0 {
		o.Parallel = 2
	}
	var mu sync.Mutex
	done := 0
	observe := func(e Event, ended bool) {
		mu.Lock()
		defer mu.Unlock()
		if ended {
			done++
		}
		if o.Observe != nil {
			e.Done, e.Total = done, len(entries)
			o.Observe(e)
		}
	}
	verdicts := make([]Verdict, len(entries))
	queue := make(chan int)
	var wait sync.WaitGroup
	for range min(o.Parallel, len(entries)) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range queue {
				observe(Event{Entry: entries[i]}, false)
				tick := func(s Stats) { observe(Event{Entry: entries[i], Stats: &s}, false) }
				verdicts[i] = t.runEntry(ctx, entries[i], tick)
				observe(Event{Entry: entries[i], Verdict: &verdicts[i]}, true)
			}
		}()
	}
	for _, i := range largestFirst(entries) {
		queue <- i
	}
	close(queue)
	wait.Wait()
	return verdicts
}

// largestFirst orders the runs so that the long ones do not end alone. A run without a recorded
// count may be long; so may the search for a liveness counterexample, which needs all states.
func largestFirst(entries []Entry) []int {
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	weight := func(e Entry) int64 {
		if e.Expect == Liveness || e.Distinct == 0 && e.Expect == OK {
			return 1 << 62
		}
		return e.Distinct
	}
	sort.SliceStable(order, func(a, b int) bool {
		return weight(entries[order[a]]) > weight(entries[order[b]])
	})
	return order
}

func (t *Tool) runEntry(ctx context.Context, e Entry, tick func(Stats)) Verdict {
	v := Verdict{Entry: e}
	if ctx.Err() != nil {
		v.Err, v.Unknown = fmt.Errorf("tlc: %s: stopped before it ran: %w", e.Name, ctx.Err()), true
		return v
	}
	job := e.job()
	job.Progress = tick
	v.Result, v.Err = t.Run(ctx, job)
	if v.Err != nil {
		v.Unknown = true
		return v
	}
	if r := &v.Result; r.Outcome == Liveness && r.Property == "" {
		r.Property = e.Temporal // the only one, so that TLC need not name it
	}
	v.Problems, v.Unknown = Compare(e, v.Result)
	return v
}

func (e Entry) job() Job {
	return Job{Dir: e.dir, Module: e.Module, Config: e.Cfg, Workers: e.Workers,
		MemoryMB: e.MemoryMB, Timeout: time.Duration(e.TimeoutSeconds) * time.Second}
}

// Compare returns how a result differs from what its manifest entry expects, and whether the run
// gave no verdict at all.
func Compare(e Entry, r Result) (problems []string, unknown bool) {
	switch {
	case r.Outcome == TimedOut, r.Outcome == Failed && r.Resources:
		return []string{r.Message}, true
	case r.Outcome == Failed:
		return []string{"TLC could not judge: " + r.Message}, false
	case r.Outcome != e.Expect:
		return []string{outcomeProblem(e, r)}, false
	}
	if e.Expect != OK {
		if e.Property != "" && e.Property != r.Property {
			problems = append(problems, fmt.Sprintf("property %s must be violated, but %s was first",
				e.Property, named(r.Property)))
		}
		if e.Distinct == 0 {
			return problems, false
		}
	}
	if e.Distinct == 0 {
		return []string{fmt.Sprintf("no count is recorded (the run found %d distinct states); "+
			"record it: samecycle spec --update %s", r.Distinct, e.Name)}, false
	}
	if e.Distinct != r.Distinct {
		problems = append(problems,
			fmt.Sprintf("distinct states: manifest %d, run %d", e.Distinct, r.Distinct))
	}
	if e.Workers <= 1 && e.Depth != r.Depth {
		problems = append(problems, fmt.Sprintf("depth: manifest %d, run %d", e.Depth, r.Depth))
	}
	return problems, false
}

func outcomeProblem(e Entry, r Result) string {
	switch {
	case e.Kind == Witness && r.Outcome == OK:
		return fmt.Sprintf("the witness is never reached: %s holds in all %d states",
			e.Property, r.Distinct)
	case e.Kind == MustFail && r.Outcome == OK:
		return fmt.Sprintf("the run must fail, but all %d states pass: "+
			"what it switches off is not needed, or not checked", r.Distinct)
	case e.Expect == OK && r.Property != "":
		return fmt.Sprintf("%s is violated (%s)", r.Property, r.Message)
	case r.Message != "":
		return fmt.Sprintf("expected %s, got %s: %s", e.Expect, r.Outcome, r.Message)
	}
	return fmt.Sprintf("expected %s, got %s", e.Expect, r.Outcome)
}

func named(property string) string {
	if property == "" {
		return "one that TLC does not name"
	}
	return property
}
