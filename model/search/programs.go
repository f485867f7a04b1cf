package search

import (
	"context"
	"fmt"
	"slices"
)

// Programs are programs of one kind of machine, which are searched together: every property holds in all of
// them, and each witness is violated by one at least.
type Programs[M Machine[S, A], S comparable, A fmt.Stringer] struct {
	Name       string // what it is, for a reader
	State      string // the state that it is about; "" is all of them
	Properties []Property[M, S]
	Witnesses  []Property[M, S] // each must be violated: the race of the state happens
	Programs   []Program[M, S, A]
}

// Program is one of them.
type Program[M Machine[S, A], S comparable, A fmt.Stringer] struct {
	Name     string // of the run of TLC that its count is held against
	State    string // that it is about, for ByState
	Complete bool   // which may be one of liveness
	Make     func() (M, error)
	Live     func(m M) *Live[S, A] // what must come about; nil is nothing
}

// ByState makes one task of all programs of a state. Of gives what those of a state have besides their names.
// The tasks have the order of the first program of each.
func ByState[M Machine[S, A], S comparable, A fmt.Stringer](programs []Program[M, S, A],
	of func(state string) Programs[M, S, A]) (tasks []Task) {
	var states []string
	all := map[string][]Program[M, S, A]{}
	for _, p := range programs {
		if all[p.State] == nil {
			states = append(states, p.State)
		}
		all[p.State] = append(all[p.State], p)
	}
	for _, state := range states {
		x := of(state)
		x.Name, x.State, x.Programs = state, state, all[state]
		tasks = append(tasks, x.Task())
	}
	return tasks
}

// Task is the search of all the programs.
func (x Programs[M, S, A]) Task() Task {
	actors := 0
	for _, p := range x.Programs {
		if m, err := p.Make(); err == nil {
			actors = max(actors, m.Actors())
		}
	}
	return Task{Name: x.Name, State: x.State, Actors: actors, Run: x.run}
}

func (x Programs[M, S, A]) run(ctx context.Context) Found {
	out := Found{Exhaustive: true}
	unseen := slices.Clone(x.Witnesses)
	for _, p := range x.Programs {
		m, err := p.Make()
		if err != nil {
			out.Violation = fmt.Sprintf("%s: %v", p.Name, err)
			return out
		}
		rep := x.search(ctx, m, p, &unseen)
		out.Counts = append(out.Counts, Count{p.Name, rep.Distinct, rep.Depth, p.Complete})
		if rep.Violation != nil {
			out.Violation = rep.Violation.String()
			return out
		}
		if !rep.Exhaustive {
			out.Exhaustive, out.Bound = false, p.Name+" was not searched to its end"
			return out
		}
	}
	if len(unseen) > 0 {
		out.Violation = "nothing violates the witness " + unseen[0].Name
		return out
	}
	if x.State != "" && len(x.Witnesses) > 0 {
		out.Marks = []string{x.State}
	}
	return out
}

func (x Programs[M, S, A]) search(ctx context.Context, m M, p Program[M, S, A],
	unseen *[]Property[M, S]) Report[S, A] {
	o := Options[M, S, A]{Program: p.Name, Properties: x.Properties,
		Visit: func(s *S) {
			*unseen = slices.DeleteFunc(*unseen, func(w Property[M, S]) bool {
				return w.State != nil && !w.State(m, s)
			})
		},
		VisitStep: func(prev, next *S) {
			*unseen = slices.DeleteFunc(*unseen, func(w Property[M, S]) bool {
				return w.Step != nil && !w.Step(m, prev, next)
			})
		}}
	if p.Live != nil {
		o.Live = p.Live(m)
	}
	return Explore(ctx, m, o)
}
