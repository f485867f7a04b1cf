package tlc

import (
	"context"
	"path/filepath"
	"sort"
	"sync"
)

// worthOptimising is how many distinct states the runs of a family must have before TLC's
// translation by the optimising compiler is paid back.
const worthOptimising = 20_000

// task is a job of a list, and what is known of it ahead.
type task struct {
	job    Job
	family string // folder and root module
	// weight orders the tasks: a larger one runs longer.
	weight int64
	// alone says that the run gets a JVM of its own.
	alone bool
}

// task is that of the entry's run; temporal says that it checks a property that something happens.
func (e Entry) task(temporal bool) task {
	w := task{job: e.job(), family: filepath.Join(e.dir, e.Module), weight: e.Distinct}
	w.alone = e.Expect == Liveness || e.Workers > 1 || e.MemoryMB > DefaultMemoryMB || temporal
	if e.Expect == Liveness || e.Distinct == 0 && e.Expect == OK {
		w.weight = 1 << 40 // not known, or the whole graph, whatever was counted up to the violation
	}
	return w
}

// runTasks runs tasks, so many at a time, and hands each result to ended, with the task's place in
// the list; begun is told before a run. The calls come from several goroutines.
func (t *Tool) runTasks(ctx context.Context, tasks []task, parallel int, begun func(int),
	ended func(int, Result, error)) {
	machines := t.Machines(ctx)
	defer machines.Close()
	total := map[string]int64{}
	for _, w := range tasks {
		if !w.alone {
			total[w.family] += w.weight
		}
	}
	run := func(w task) (Result, error) {
		if w.alone && ctx.Err() == nil {
			return t.Run(ctx, w.job)
		}
		return machines.Run(ctx, w.job, Family{w.family, total[w.family] >= worthOptimising})
	}
	queue := make(chan int)
	var wait sync.WaitGroup
	for range min(parallel, len(tasks)) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range queue {
				begun(i)
				result, err := run(tasks[i])
				ended(i, result, err)
			}
		}()
	}
	for _, i := range inOrder(tasks, total) {
		queue <- i
	}
	close(queue)
	wait.Wait()
}

// inOrder puts what runs alone first, then the families, the largest first, so that long runs do
// not end alone and a machine is kept as long as it is of use.
func inOrder(tasks []task, total map[string]int64) []int {
	order := make([]int, len(tasks))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool {
		a, b := &tasks[order[i]], &tasks[order[j]]
		switch {
		case a.alone != b.alone:
			return a.alone
		case a.alone || a.family == b.family:
			return a.weight > b.weight
		case total[a.family] != total[b.family]:
			return total[a.family] > total[b.family]
		}
		return a.family < b.family
	})
	return order
}
