package harness

import (
	"context"
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/model/search"
)

// Machines are programs of one machine of model/search, which are searched together: every property holds in all of
// them, and each witness is violated by one at least.
type Machines[M search.Machine[S, A], S comparable, A fmt.Stringer] struct {
	Name       string // what it is, for a reader
	State      string // the state that it is about; "" is all of them
	Properties []search.Property[M, S]
	Witnesses  []search.Property[M, S] // each must be violated: the race of the state happens
	Programs   []Machine[M, S, A]

	// Explore searches one machine; nil is search.Explore.
	Explore func(ctx context.Context, m M, o search.Options[M, S, A]) search.Report[S, A]
}

// Machine is one of the programs.
type Machine[M search.Machine[S, A], S comparable, A fmt.Stringer] struct {
	Name     string // of the run of TLC that its count is held against
	Complete bool   // which may be one of liveness
	Make     func() (M, error)
	Live     func(m M) *search.Live[S, A] // what must come about; nil is nothing
}

// Search is the search of all the programs.
func (x Machines[M, S, A]) Search() Search {
	actors := 0
	for _, p := range x.Programs {
		if m, err := p.Make(); err == nil {
			actors = max(actors, m.Actors())
		}
	}
	return Search{Name: x.Name, State: x.State, Actors: actors, Run: x.run}
}

func (x Machines[M, S, A]) run(ctx context.Context) Searched {
	out := Searched{Exhaustive: true}
	unseen := slices.Clone(x.Witnesses)
	for _, p := range x.Programs {
		m, err := p.Make()
		if err != nil {
			out.Violation = fmt.Sprintf("%s: %v", p.Name, err)
			return out
		}
		rep := x.explore(ctx, m, p, &unseen)
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

func (x Machines[M, S, A]) explore(ctx context.Context, m M, p Machine[M, S, A],
	unseen *[]search.Property[M, S]) search.Report[S, A] {
	o := search.Options[M, S, A]{Program: p.Name, Properties: x.Properties,
		Visit: func(s *S) {
			*unseen = slices.DeleteFunc(*unseen, func(w search.Property[M, S]) bool {
				return w.State != nil && !w.State(m, s)
			})
		},
		VisitStep: func(prev, next *S) {
			*unseen = slices.DeleteFunc(*unseen, func(w search.Property[M, S]) bool {
				return w.Step != nil && !w.Step(m, prev, next)
			})
		}}
	if p.Live != nil {
		o.Live = p.Live(m)
	}
	if x.Explore != nil {
		return x.Explore(ctx, m, o)
	}
	return search.Explore(ctx, m, o)
}
