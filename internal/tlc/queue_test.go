package tlc

import (
	"reflect"
	"slices"
	"sync"
	"testing"
)

// TestQueue has two workers that take turns: lone runs come first, then each worker goes on with the family
// that it has begun, the larger tasks first. A worker that has none left joins a family that is worth another
// machine, and no other.
func TestQueue(t *testing.T) {
	much := int64(worthOptimising)
	q := newQueue([]task{
		{family: "small", weight: leastWork}, {family: "large", weight: much}, {family: "small"},
		{family: "large", weight: 3 * much, alone: true}, {family: "large", weight: 3 * much},
		{family: "large", weight: 2 * much}, {family: "small", weight: 4 * much, alone: true},
		{family: "large", weight: leastWork},
	})
	if !q.optimised("large") || q.optimised("small") {
		t.Error("the large family is worth the optimising compiler, the small one is not")
	}
	if !newQueue(make([]task, worthOptimising/leastWork+1)).optimised("") {
		t.Error("many runs of which nobody knows the states are worth the optimising compiler")
	}
	var got [2][]int
	families := [2]string{}
	for turn := range 10 {
		who := turn % 2
		i, ok := q.next(families[who])
		if !ok {
			i = -1
		} else if !q.tasks[i].alone {
			families[who] = q.tasks[i].family
		}
		got[who] = append(got[who], i)
	}
	// The second one comes to the end of the small family when only the last run of the large one is to come.
	if want := [2][]int{{6, 4, 5, 1, 7}, {3, 0, 2, -1, -1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("tasks %v, want %v", got, want)
	}
}

// TestQueue_Joined: who has no family left joins the one that has most left.
func TestQueue_Joined(t *testing.T) {
	much := int64(worthOptimising)
	q := newQueue([]task{
		{family: "a", weight: 2 * much}, {family: "a", weight: much}, {family: "b", weight: 2 * much},
		{family: "b", weight: 2 * much}, {family: "c"},
	})
	for n, want := range []int{2, 0, 4, 3, 1, -1} {
		got, ok := q.next([]string{"", "", "", "c", "a", "b"}[n])
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("call %d: task %d, %v; want %d", n, got, ok, want)
		}
	}
}

// TestQueue_EachTaskOnce: whoever runs tasks, and however many do so at a time, each task is run once.
func TestQueue_EachTaskOnce(t *testing.T) {
	var tasks []task
	for i := range 60 {
		tasks = append(tasks, task{family: string(rune('a' + i%5)), weight: int64(10 * i * i),
			alone: i%7 == 0})
	}
	for parallel := 1; parallel <= 4; parallel++ {
		q := newQueue(tasks)
		var mu sync.Mutex
		var all []int
		var wait sync.WaitGroup
		for range parallel {
			wait.Go(func() {
				family := ""
				for i, ok := q.next(family); ok; i, ok = q.next(family) {
					mu.Lock()
					all = append(all, i)
					mu.Unlock()
					if !tasks[i].alone {
						family = tasks[i].family
					}
				}
			})
		}
		wait.Wait()
		slices.Sort(all)
		if len(all) != len(tasks) || len(slices.Compact(all)) != len(tasks) {
			t.Errorf("%d at a time ran %v", parallel, all)
		}
	}
}
