package tlc

import (
	"context"
	"sync"
)

// worthOptimising is how many distinct states the runs of a family must have before TLC's
// translation by the optimising compiler is paid back.
const worthOptimising = 20_000

// task is a job of a list, and what is known of it ahead.
type task struct {
	job    Job
	family string // folder of the modules
	// weight orders the tasks: a larger one runs longer.
	weight int64
	// alone says that the run gets a JVM of its own.
	alone bool
	// schedule is how the run is known to end so, with that property, in that depth unless it is 0; without
	// moves the run searches everything.
	schedule schedule
	outcome  Outcome
	property string
	depth    int
}

// task is that of the entry's run, which gets a JVM of its own if it is to violate liveness: that would be
// the end of a machine.
func (e Entry) task() task {
	w := task{job: e.Job(), family: e.dir, weight: e.Distinct}
	w.alone = e.Expect == Liveness || e.Workers > 1 || e.MemoryMB > DefaultMemoryMB
	if e.Expect == Liveness || e.Distinct == 0 && e.Expect == OK {
		w.weight = 1 << 40 // not known, or the whole graph, whatever was counted up to the violation
	}
	switch e.Expect {
	case Invariant:
		w.follow(e.schedule, Invariant, e.Property, e.Depth)
	case Liveness:
		w.follow(e.schedule, Liveness, e.Property, 0) // the depth is that of the whole graph
	}
	return w
}

// follow has the run search along a schedule first, if there is one, for the violation of a property.
func (w *task) follow(s schedule, outcome Outcome, property string, depth int) {
	if s.moves != "" {
		w.schedule, w.outcome, w.property, w.depth = s, outcome, property, depth
		w.weight = int64(len(s.moves))
	}
}

// runTasks runs tasks, so many at a time, and hands each result to ended, with the task's place in
// the list; begun is told before a run. The calls come from several goroutines.
func (t *Tool) runTasks(ctx context.Context, tasks []task, parallel int, begun func(int),
	ended func(int, Result, error)) {
	machines := t.Machines(ctx)
	defer machines.Close()
	q := newQueue(tasks)
	whole := func(w task) (Result, error) {
		if w.alone && ctx.Err() == nil {
			return t.Run(ctx, w.job)
		}
		return machines.Run(ctx, w.job, Family{Folder: w.family, Optimised: q.optimised(w.family)})
	}
	run := func(w task) (Result, error) {
		if w.schedule.moves == "" {
			return whole(w)
		}
		if r, ok, err := scheduled(ctx, w, whole); ok || err != nil {
			return r, err
		}
		r, err := whole(w)
		r.Outdated = true
		return r, err
	}
	var wait sync.WaitGroup
	for range min(parallel, len(tasks)) {
		wait.Go(func() {
			family := ""
			for i, ok := q.next(family); ok; i, ok = q.next(family) {
				begun(i)
				result, err := run(tasks[i])
				ended(i, result, err)
				if family = tasks[i].family; tasks[i].alone {
					family = ""
				}
			}
		})
	}
	wait.Wait()
}
