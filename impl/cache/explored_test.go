//go:build explore

package cache

import (
	"errors"
	"fmt"
	"testing"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// searched runs a program in every order, with up to one kill, and returns its failure. Of three actors it
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

// leaseWorld is what the janitors of an execution share, and which of them are at work.
type leaseWorld struct {
	x       *explore.Execution
	words   region.Words
	working []bool
	had     []bool
	broken  error
}

// janitorOf is the process of actor i. One more has died before.
func janitorOf(i int) region.Process { return region.MakeProcess(uint32(i), 7) }

// member is what actor i knows of the leases.
func (w *leaseWorld) member(i int) *leases {
	return &leases{w.words, janitorOf(i), func(p region.Process) (bool, error) {
		return int(p.Index()) < len(w.had) && !w.x.Killed(int(p.Index())), nil
	}}
}

// holding is a program of so many janitors that want one lease, which one of the dead has. hold is how they
// take it.
func holding(actors int, hold func(l *leases) bool) explore.Program {
	w := &leaseWorld{}
	return explore.Program{Name: "lease", Start: func(x *explore.Execution) (all []explore.Actor) {
		*w = leaseWorld{x: x, words: make(region.Words, 2), working: make([]bool, actors),
			had: make([]bool, actors)}
		x.Region(unsafe.Pointer(&w.words[0]), len(w.words)*region.WordBytes)
		w.words[0].Store(uint64(makeLease(janitorOf(actors), 1)))
		for i := range actors {
			all = append(all, explore.Actor{Body: func() { w.work(i, hold) }})
		}
		return all
	}, Finish: func(x *explore.Execution) error { return w.finish(actors) }}
}

// work is what an actor does: a turn, if it gets the lease, and one more while it has it.
func (w *leaseWorld) work(i int, hold func(l *leases) bool) {
	l := w.member(i)
	for range 2 {
		has := hold(l)
		for j, works := range w.working {
			if has && works && j != i && !w.x.Killed(j) {
				w.broken = fmt.Errorf("actors %d and %d have the lease at the same time", i, j)
			}
		}
		w.had[i], w.working[i] = w.had[i] || has, has
		w.x.Mark(uint64(i)<<1 | uint64(len(l.owners())))
	}
	w.working[i] = false
	w.x.Mark(uint64(i)<<1 + 64)
	l.leave()
}

// finish holds what has come of it: one had the lease, nobody living has it now, and the next one gets it.
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
		if leaseRead(&w.words[0]).owner() == janitorOf(i) && !w.x.Killed(i) {
			return fmt.Errorf("actor %d has ended and has the lease", i)
		}
	}
	if next := w.member(actors + 1); !next.hold(1, 1, still) {
		return fmt.Errorf("the next one has no lease, %v", leaseRead(&w.words[0]))
	}
	return nil
}

// TestExplored_OneLease: janitors that find the lease of a dead one take it over, renew it and give it up, in
// every order and with a kill at each step. Never do two that live have it, and it is never lost.
func TestExplored_OneLease(t *testing.T) {
	hold := func(l *leases) bool { return l.hold(1, 1, still) }
	if err := searched(t, holding(2, hold), explore.Unbounded); err != nil {
		t.Error(err)
	}
	if err := searched(t, holding(3, hold), 2); err != nil {
		t.Error(err)
	}
}

// TestExplored_LeaseCanary: a lease that is taken by a store is found to have two owners.
func TestExplored_LeaseCanary(t *testing.T) {
	err := searched(t, holding(2, func(l *leases) bool {
		x := leaseRead(&l.words[0])
		if x.owner() != l.me && !l.vacant(x, 1, still) {
			return false
		}
		l.words[0].Store(uint64(makeLease(l.me, 1)))
		return true
	}), explore.Unbounded)
	if err == nil {
		t.Error("the search does not see that two have the lease")
	}
}

// tunesOf is a program of two processes that change both numbers of compaction, each to a number of its own,
// and of one that reads them.
func tunesOf(t *testing.T, tune func(p *params, value uint64) error) explore.Program {
	var words region.Words
	var broken error
	l := basket.Layout{Baskets: 16, BasketBytes: 4096, Writers: 1}
	view := func() *params { p := new(params); p.init(words, l); return p }
	judge := func(where string) {
		x := view().tuning()
		if x.Living != x.Gain && (x.Living != basket.DefaultLiving || x.Gain != basket.DefaultGain) {
			broken = fmt.Errorf("%s: half a change: %+v", where, x)
		}
	}
	return explore.Program{Name: "tune", Start: func(x *explore.Execution) (all []explore.Actor) {
		words, broken = make([]seam.Uint64, paramsMost), nil
		x.Region(unsafe.Pointer(&words[0]), len(words)*region.WordBytes)
		for i := range 2 {
			all = append(all, explore.Actor{Body: func() {
				if err := tune(view(), uint64(40+i)); err != nil {
					broken = err
				}
			}})
		}
		return append(all, explore.Actor{Body: func() { judge("beside") }})
	}, Finish: func(x *explore.Execution) error {
		judge("at the end")
		p := view()
		gain := p.in(liveGain, p.word(liveGain))
		if broken == nil && !x.Killed(0) && !x.Killed(1) && !gain.Tuned {
			broken = errors.New("both changes are lost")
		}
		return broken
	}}
}

// TestExplored_TuneIsOneStep: nobody sees half of a change of two parameters that must be consistent, in
// every order and with a kill at each step.
func TestExplored_TuneIsOneStep(t *testing.T) {
	err := searched(t, tunesOf(t, func(p *params, value uint64) error {
		settings := []Setting{{"compact.living", value}, {"compact.gain", value}}
		rows, err := p.check(settings)
		if err != nil {
			return err
		}
		return p.tune(settings, rows)
	}), explore.Unbounded)
	if err != nil {
		t.Error(err)
	}
}

// TestExplored_TuneCanary: two changes of one parameter each are found to be two steps.
func TestExplored_TuneCanary(t *testing.T) {
	err := searched(t, tunesOf(t, func(p *params, value uint64) error {
		err := p.tune([]Setting{{"compact.living", value}}, []int{liveLiving})
		return errors.Join(err, p.tune([]Setting{{"compact.gain", value}}, []int{liveGain}))
	}), explore.Unbounded)
	if err == nil {
		t.Error("the search does not see half a change")
	}
}
