//go:build explore

package control

import (
	"errors"
	"fmt"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/region"
)

// searched runs a program in every order, with up to one kill, and returns its failure. With three actors it
// bounds the preemptions.
func searched(t *testing.T, p explore.Program, preemptions int) error {
	t.Helper()
	r, err := explore.Explore(p, explore.Options{Preemptions: preemptions, Kills: 1, Stateful: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d executions, %d states", r.Stats.Executions, r.Stats.States)
	if r.Failure != nil {
		return fmt.Errorf("%v", r.Failure)
	}
	return nil
}

// leaseWorld is what the janitors of an execution share, and says which of them are working.
type leaseWorld struct {
	x       *explore.Execution
	words   region.Words
	working []bool
	had     []bool
	broken  error
}

// janitorOf returns the process of actor i. One more process has died before.
func janitorOf(i int) region.Process { return region.MakeProcess(uint32(i), 7) }

// member is what actor i knows of the leases.
func (w *leaseWorld) member(i int) *Leases {
	return &Leases{w.words, janitorOf(i), func(p region.Process) (bool, error) {
		return int(p.Index()) < len(w.had) && !w.x.Killed(int(p.Index())), nil
	}, func() uint32 { return 1 }}
}

// holding is a program of so many janitors that want one lease, which a dead process has. hold is the
// function by which they take it.
func holding(actors int, hold func(l *Leases) bool) explore.Program {
	w := &leaseWorld{}
	return explore.Program{Name: "lease", Start: func(x *explore.Execution) (all []explore.Actor) {
		*w = leaseWorld{x: x, words: make(region.Words, 2), working: make([]bool, actors),
			had: make([]bool, actors)}
		x.Region(unsafe.Pointer(&w.words[0]), len(w.words)*region.WordBytes)
		w.words[0].Store(uint64(MakeLease(janitorOf(actors), 1)))
		for i := range actors {
			all = append(all, explore.Actor{Body: func() { w.work(i, hold) }})
		}
		return all
	}, Finish: func(x *explore.Execution) error { return w.finish(actors) }}
}

// work is the body of an actor: a turn and, if it gets the lease, one more turn with the lease.
func (w *leaseWorld) work(i int, hold func(l *Leases) bool) {
	l := w.member(i)
	for range 2 {
		has := hold(l)
		for j, works := range w.working {
			if has && works && j != i && !w.x.Killed(j) {
				w.broken = fmt.Errorf("actors %d and %d have the lease at the same time", i, j)
			}
		}
		w.had[i], w.working[i] = w.had[i] || has, has
		w.x.Mark(uint64(i)<<1 | uint64(len(l.Owners())))
	}
	w.working[i] = false
	w.x.Mark(uint64(i)<<1 + 64)
	l.Leave()
}

// finish checks the result: one janitor had the lease, no living one has it now, and the next one gets it.
func (w *leaseWorld) finish(actors int) error {
	if w.broken != nil {
		return w.broken
	}
	killed, had := false, false
	for i := range actors {
		killed, had = killed || w.x.Killed(i), had || w.had[i]
	}
	if !killed && !had {
		return errors.New("nobody had the lease")
	}
	for i := range actors {
		if leaseFind(&w.words[0]).Owner() == janitorOf(i) && !w.x.Killed(i) {
			return fmt.Errorf("actor %d has ended and has the lease", i)
		}
	}
	if next := w.member(actors + 1); !next.Hold(1, still) {
		return fmt.Errorf("the next one has no lease, %v", leaseFind(&w.words[0]))
	}
	return nil
}

// TestExplored_OneLease: janitors that find the lease of a dead process take it over, renew it and give it
// up, in every order and with a kill at each step. Two living janitors never have it at the same time, and
// it is never lost.
func TestExplored_OneLease(t *testing.T) {
	hold := func(l *Leases) bool { return l.Hold(1, still) }
	if err := searched(t, holding(2, hold), explore.Unbounded); err != nil {
		t.Error(err)
	}
	if err := searched(t, holding(3, hold), 2); err != nil {
		t.Error(err)
	}
}

// TestExplored_LeaseCanary: a lease that is taken by a store is found to have two owners.
func TestExplored_LeaseCanary(t *testing.T) {
	err := searched(t, holding(2, func(l *Leases) bool {
		x := leaseFind(&l.Words[0])
		if x.Owner() != l.Me && !l.vacant(x, 1, still) {
			return false
		}
		l.Words[0].Store(uint64(MakeLease(l.Me, 1)))
		return true
	}), explore.Unbounded)
	if err == nil {
		t.Error("the search does not see that two have the lease")
	}
}
