package tlc

import (
	"cmp"
	"slices"
	"sync"
)

// A queue hands tasks to those who run them, each task once. What runs alone comes first, so that long
// runs do not end alone, then the families, the largest first.
//
// A machine is started for a family and gets fast in its first runs, which is lost with it. So a worker
// that has begun with a family goes on with it, and no other joins as long as there is a family that no
// worker has begun with. Then workers without a family join the one with the most tasks left, if that is
// worth another machine. What is not joined is run by whoever has begun with it. For concurrent use.
type queue struct {
	tasks []task

	mu       sync.Mutex
	alone    []int           // to come, in their order
	families map[string]*kin // by name
	order    []*kin          // the largest first
}

// kin are the tasks of a family that share machines.
type kin struct {
	name  string
	tasks []int // to come, the largest first
	total int64 // work of all tasks
	left  int64 // work of those to come
	begun bool
}

// leastWork is what a run takes at least, as so many states: TLC reads the modules for each anew, and of a
// witness nobody knows how many states it needs.
const leastWork = 1500

func (w task) work() int64 { return max(w.weight, leastWork) }

func newQueue(tasks []task) *queue {
	q := &queue{tasks: tasks, families: map[string]*kin{}}
	for i, w := range tasks {
		if w.alone {
			q.alone = append(q.alone, i)
			continue
		}
		k := q.families[w.family]
		if k == nil {
			k = &kin{name: w.family}
			q.families[w.family], q.order = k, append(q.order, k)
		}
		k.tasks = append(k.tasks, i)
		k.total += w.work()
		k.left = k.total
	}
	larger := func(i, j int) int { return cmp.Compare(tasks[j].weight, tasks[i].weight) }
	slices.SortStableFunc(q.alone, larger)
	for _, k := range q.order {
		slices.SortStableFunc(k.tasks, larger)
	}
	slices.SortFunc(q.order, func(a, b *kin) int {
		return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.name, b.name))
	})
	return q
}

// optimised reports whether the machines of a family are worth the optimising compiler.
func (q *queue) optimised(family string) bool {
	k := q.families[family]
	return k != nil && k.total >= worthOptimising
}

// next is the place of a task for a worker whose last task was of that family, "" if it ran alone or there
// was none. It is false if there is no task for this worker any more.
func (q *queue) next(family string) (task int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.alone) > 0 {
		task, q.alone = q.alone[0], q.alone[1:]
		return task, true
	}
	k := q.families[family]
	if k == nil || len(k.tasks) == 0 {
		k = q.another()
	}
	if k == nil {
		return 0, false
	}
	task, k.tasks, k.begun = k.tasks[0], k.tasks[1:], true
	k.left -= q.tasks[task].work()
	return task, true
}

// another is the family to begin with or to join, nil if there is none.
func (q *queue) another() *kin {
	var most *kin
	for _, k := range q.order {
		if !k.begun {
			return k
		}
		if k.left >= worthOptimising && (most == nil || k.left > most.left) {
			most = k
		}
	}
	return most
}
