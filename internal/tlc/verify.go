package tlc

import (
	"context"
	"fmt"
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

// RunEntries runs manifest entries, those of a folder in the same JVM where that can be, and returns
// the verdicts in the order of the entries. When ctx ends, the running JVMs are killed and the rest is
// Unknown.
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
	tasks := make([]task, len(entries))
	for i, e := range entries {
		tasks[i] = e.task()
		tasks[i].job.Progress = func(s Stats) { observe(Event{Entry: e, Stats: &s}, false) }
	}
	begun := func(i int) { observe(Event{Entry: entries[i]}, false) }
	t.runTasks(ctx, tasks, o.Parallel, begun, func(i int, r Result, err error) {
		verdicts[i] = verdict(entries[i], r, err)
		observe(Event{Entry: entries[i], Verdict: &verdicts[i]}, true)
	})
	return verdicts
}

// verdict judges what came of an entry's run.
func verdict(e Entry, r Result, err error) Verdict {
	if err != nil {
		return Verdict{Entry: e, Err: err, Unknown: true}
	}
	v := Verdict{Entry: e, Result: r}
	v.Problems, v.Unknown = Compare(e, r)
	return v
}

// Job is the entry's run.
func (e Entry) Job() Job {
	return Job{Dir: e.dir, Module: e.Module, Config: e.Name + ".cfg", Text: e.text, Workers: e.Workers,
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
		if e.Distinct == 0 && e.Depth != 0 && e.Depth != r.Depth && !r.Scheduled {
			problems = append(problems, fmt.Sprintf("%s is violated in depth %d, the manifest says %d: by "+
				"something else", e.Property, r.Depth, e.Depth))
		}
		if e.Distinct == 0 || r.Scheduled { // a schedule's own depth has been looked at
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
