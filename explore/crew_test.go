package explore_test

import (
	"errors"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
)

// adders is n actors that each add to one word k times.
func adders(n, k int) explore.Program {
	var w atomic.Uint64
	return explore.Program{Name: "adders", Start: func(*explore.Execution) []explore.Actor {
		w.Store(0)
		actors := make([]explore.Actor, n)
		for i := range actors {
			actors[i].Body = func() {
				for range k {
					w.Add(1)
				}
			}
		}
		return actors
	}}
}

// A search is the same whatever was explored before it with the same coroutines and tables: other
// numbers of actors, other options, failures, deaths, and actors that ended the goroutine.
func TestCrew_LeavesNothing(t *testing.T) {
	reduced, wide := unbounded(), unbounded()
	reduced.Reduce, wide.Reduce, wide.SpinLimit = true, true, 400
	mortal := reduced
	mortal.Kills = 2
	searches := []struct {
		actors, steps int
		o             explore.Options
		want          uint64
	}{
		{2, 3, unbounded(), 20}, {4, 2, reduced, 2520}, {2, 6, wide, 924}, {3, 2, mortal, 0},
		{1, 1, reduced, 1}, {3, 3, unbounded(), 1680}, {2, 3, reduced, 20},
	}
	disturb := []func(){
		func() {},
		func() {
			p := adders(3, 2)
			p.Finish = func(*explore.Execution) error { return errors.New("no") }
			if r, err := explore.Explore(p, reduced); err != nil || r.Failure == nil {
				t.Error("a failing program passed", err)
			}
		},
		func() {
			p := explore.Program{Start: func(*explore.Execution) []explore.Actor {
				return []explore.Actor{{Body: runtime.Goexit}}
			}}
			if r, err := explore.Explore(p, unbounded()); err != nil || r.Failure == nil {
				t.Error("a program that ends its goroutine passed", err)
			}
		},
	}
	var first []explore.Stats
	for _, d := range disturb {
		for i, s := range searches {
			d()
			r, err := explore.Explore(adders(s.actors, s.steps), s.o)
			if err != nil || r.Failure != nil || s.want > 0 && r.Executions != s.want {
				t.Fatalf("search %d: %d executions, want %d; %v %v", i, r.Executions, s.want, err, r.Failure)
			}
			r.Elapsed = 0
			if len(first) <= i {
				first = append(first, r.Stats)
			}
			if r.Stats != first[i] {
				t.Errorf("search %d: %+v, want as at first %+v", i, r.Stats, first[i])
			}
		}
	}
}

// What an exploration leaves to the next one keeps nothing of its program alive, however long its executions
// and its audited executions are.
func TestCrew_LetsGo(t *testing.T) {
	twice := func(_, made int, _ uint64) bool { return made < 2 }
	fails := func(x *explore.Execution) {
		if x.Again() {
			panic("not again")
		}
	}
	for name, c := range map[string]struct {
		words, reduce bool
		goesOn        func(i, made int, v uint64) bool // whether actor i makes a step more, whose last left v
		start         func(x *explore.Execution)
		most          uint64 // executions
	}{
		"in order": {goesOn: twice},
		"reduced":  {goesOn: twice, reduce: true},
		"the last is longest": {words: true, most: 3, goesOn: func(i, made int, v uint64) bool {
			return made < 2 || i == 0 && made < 9 && int(v) == made+1 // after A, B, A
		}},
		"the last is shorter": {words: true, goesOn: func(_, made int, v uint64) bool {
			return made == 1 && v != 2
		}},
		"the second run has no step": {words: true, goesOn: twice, start: fails},
	} {
		explore.EndCrew()
		gone := make(chan bool, 1)
		p := explore.Program{Words: c.words}
		o := unbounded()
		o.Reduce, o.MaxExecutions = c.reduce, c.most
		func() {
			p := p
			p.Start = heldBy(gone, c.goesOn, c.start)
			r, err := explore.Explore(p, o)
			if err != nil || (r.Failure != nil) != (c.start != nil) || r.Failure == nil && r.Executions < 3 {
				t.Fatal(name, err, r.Failure, r.Executions)
			}
		}()
		if n := explore.Repetitions(); n > 0 != (c.words && c.start == nil) {
			t.Errorf("%s: %d executions began out of order", name, n)
		}
		for tries := 0; ; tries++ {
			runtime.GC()
			select {
			case <-gone:
			case <-time.After(20 * time.Millisecond):
				if tries < 500 {
					continue
				}
				t.Errorf("%s: the program's word is still alive", name)
			}
			break
		}
	}
}

// heldBy is the Start of two actors that share a word, whose end is told.
func heldBy(gone chan bool, goesOn func(i, made int, v uint64) bool, start func(x *explore.Execution)) func(
	x *explore.Execution) []explore.Actor {
	w := new(struct {
		atomic.Uint64
		_ *int // what has no pointers may share its memory with others
	})
	runtime.AddCleanup(w, func(c chan bool) { c <- true }, gone)
	body := func(i int) {
		made := 1
		for v := w.Add(1); goesOn(i, made, v); made++ {
			v = w.Add(1)
		}
	}
	return func(x *explore.Execution) []explore.Actor {
		if start != nil {
			start(x)
		}
		x.Region(unsafe.Pointer(w), int(unsafe.Sizeof(*w)))
		w.Store(0)
		return []explore.Actor{{Body: func() { body(0) }}, {Body: func() { body(1) }}}
	}
}
