package driver

import (
	"errors"
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/scenarios/explore"
	"github.com/samecycle/samecycle/scenarios/explore/shim/flow"
)

// alone is the run of one actor who makes the calls of an order, and what the probe saw. It ends unless the
// call that has no result waits before the others have made theirs.
func alone(order []int, results, after []string) (r sequentialRun, ends bool) {
	for i, result := range results {
		r.turns = append(r.turns, turn{actor: order[i], result: result})
	}
	if r.after = after; len(results) == len(order) {
		return r, true
	}
	waits := order[len(results)]
	r.turns = append(r.turns, turn{actor: waits, waits: true})
	return r, !slices.ContainsFunc(order[len(results):], func(a int) bool { return a != waits })
}

// overtaking makes the sequential runs of a program in which calls wait while others are made. They are its
// executions without preemptions, in which an actor goes on until its call returns or has to wait, so no
// two calls are ever at work at the same time; and of these those in which a call is made only where all
// that came before is such a run, to its end, of the calls that were made before. So a call is overtaken only
// if it would wait for ever there, and whom others let go has returned before the next call.
func (s *subject) overtaking(p objectProgram, probe []*Invocation) ([]sequentialRun, error) {
	ended := map[string]bool{} // the runs of the beginnings of the program
	sizes := sizesOf(p.actors)
	part := make([]int, len(sizes))
	var all []sequentialRun
	var each func(actor int) error
	each = func(actor int) error {
		if actor < len(sizes) {
			for part[actor] = 0; part[actor] <= sizes[actor]; part[actor]++ {
				if err := each(actor + 1); err != nil {
					return err
				}
			}
			return nil
		}
		q, after := p, []*Invocation(nil)
		q.actors = nil
		for a, n := range part {
			q.actors = append(q.actors, p.actors[a][:n])
		}
		if slices.Equal(part, sizes) {
			after = probe
		}
		var err error
		all, err = s.unpreempted(q, after, ended)
		for _, r := range all {
			ended[fmt.Sprint(r.turns)] = true
		}
		return err
	}
	err := each(0)
	return all, err // those of the last part, which is the whole
}

// unpreempted makes the executions of a program without preemptions in which a call is made where one of the
// runs has ended that are known. Each call is made by an actor of its own, so that leaving the one that has
// returned is no preemption.
func (s *subject) unpreempted(p objectProgram, probe []*Invocation, ended map[string]bool) ([]sequentialRun,
	error) {
	var now sequentialRun
	var all []sequentialRun
	var made error
	held := 0 // calls that were not to be made yet
	collect := func(*explore.Execution) error {
		if held == 0 && !slices.ContainsFunc(all, now.equal) {
			all = append(all, now)
		}
		return made
	}
	program := explore.Program{Name: "overtaking",
		Start: func(x *explore.Execution) []explore.Actor {
			now, made, held = sequentialRun{}, errNoReturn, 0
			var o any
			left := 0
			var next func(actor, n int)
			next = func(actor, n int) {
				calls := p.actors[actor]
				if n < len(calls) {
					flow.Go(func() {
						held++
						for len(now.turns) > 0 && !ended[fmt.Sprint(now.turns)] {
							flow.Gosched()
						}
						held--
						now.begin(actor)
						x.Mark(0)
						now.end(actor, invoke(x, calls[n], o))
						x.Mark(0)
						next(actor, n+1)
					})
				} else if left--; left == 0 {
					for _, c := range probe {
						x.Begin()
						now.after = append(now.after, invoke(x, c, o))
						x.Mark(0)
					}
				}
			}
			return []explore.Actor{{Name: "alone", Body: func() {
				if o, made = p.maker.make(x); made != nil {
					return
				}
				for _, c := range p.setup {
					invoke(x, c, o)
				}
				left = len(p.actors)
				for a := range p.actors {
					next(a, 0)
				}
			}}}
		},
		Finish: collect, Stuck: collect,
	}
	r, err := explore.Explore(program, explore.Options{Strays: true, MaxExecutions: sequentialExecutions,
		MaxSteps: sequentialSteps, SpinLimit: longestCall, Audit: -1, Context: s.ctx})
	if err := errors.Join(s.ended(), notRun(r, err)); err != nil {
		return nil, err
	}
	s.partial = s.partial || !r.Exhaustive
	return all, nil
}
