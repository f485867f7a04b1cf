package written

import (
	"context"
	"fmt"
	"hash/maphash"
	"time"
)

// Options say how to explore. The zero value checks every property.
type Options struct {
	Properties []Property     // the invariants, in the order in which they are reported; nil: all
	Unchecked  bool           // no property at all, deadlocks included: only the set of states counts
	Safety     bool           // leave Terminates out
	Hangs      bool           // a deadlock is no violation
	Limit      int            // distinct states, 0: no limit; more are not searched
	Visit      func(s *State) // called for each distinct state, in order
}

// Report is the result of a search.
type Report struct {
	Program   string
	Distinct  int64 // distinct states
	Generated int64 // generated states as TLC counts: with duplicates, the initial state, and rest
	Depth     int   // as TLC counts: the initial state alone is 1
	Elapsed   time.Duration

	Fired      map[string]int64 // how often each action was taken
	Exhaustive bool             // every reachable state was searched
	Bound      string           // what was searched, in words
	Violation  *Counterexample  // nil: nothing is violated
}

// noState stands where an actor has no step.
const noState = ^uint32(0)

type explorer struct {
	m      *Machine
	o      Options
	seed   maphash.Seed
	index  map[uint64]uint32 // by hash, or the next free number above it: states are compared
	states []State
	parent []uint32
	next   [][MaxActors]uint32 // by state, then actor
	level  int                 // the first state of the next level
	r      Report
}

// Explore searches all interleavings breadth first. It ends at the first violation: of an
// invariant, or a deadlock, after a shortest path; of Terminates only when all states are known.
func Explore(ctx context.Context, m *Machine, o Options) Report {
	if o.Properties == nil && !o.Unchecked {
		o.Properties = Properties()
	}
	start := time.Now()
	x := &explorer{m: m, o: o, seed: maphash.MakeSeed(), index: map[uint64]uint32{}}
	x.r = Report{Program: m.p.Name, Fired: map[string]int64{}, Generated: 1, Depth: 1}
	s := m.Initial()
	x.visit(&s, 0)
	x.level = 1
	for id := 0; id < len(x.states) && x.r.Violation == nil; id++ {
		if id == x.level {
			x.r.Depth++
			x.level = len(x.states)
		}
		if ctx.Err() != nil || o.Limit > 0 && len(x.states) >= o.Limit {
			x.r.Bound = "not exhaustive: stopped at the limit"
			break
		}
		x.expand(uint32(id))
	}
	x.finish()
	x.r.Elapsed = time.Since(start)
	return x.r
}

func (x *explorer) finish() {
	x.r.Distinct = int64(len(x.states))
	if x.r.Violation != nil {
		x.r.Bound = "ended at the first violation"
		if len(x.states) > x.level {
			x.r.Depth++ // a deadlock is found when states of the next level are known already
		}
		return
	}
	if x.r.Bound != "" {
		return
	}
	x.r.Exhaustive, x.r.Bound = true, "all interleavings, nobody dies"
	if n := x.m.p.Deaths; n > 0 {
		x.r.Bound = fmt.Sprintf("all interleavings, up to %d may die at any step", n)
	}
	if !x.o.Unchecked && !x.o.Safety {
		x.terminates()
	}
}

// find returns the number of the state; if it is new, the free place of the index.
func (x *explorer) find(s *State) (id uint32, place uint64, known bool) {
	for place = maphash.Comparable(x.seed, *s); ; place++ {
		id, known = x.index[place]
		if !known || x.states[id] == *s {
			return id, place, known
		}
	}
}

// visit numbers the state if it is new, and checks it then.
func (x *explorer) visit(s *State, from uint32) uint32 {
	id, place, known := x.find(s)
	if known {
		return id
	}
	id = uint32(len(x.states))
	x.index[place] = id
	x.states = append(x.states, *s)
	x.parent = append(x.parent, from)
	if x.o.Visit != nil {
		x.o.Visit(s)
	}
	for _, p := range x.o.Properties {
		if bad := p.Bad(x.m, s); bad != "" {
			x.r.Violation = x.counterexample(id, p.Name, bad)
			break
		}
	}
	return id
}

// expand takes every possible step from a state, in the order of TLC.
func (x *explorer) expand(id uint32) {
	s := x.states[id]
	var to [MaxActors]uint32
	moved := false
	for t := 1; t <= MaxActors; t++ {
		to[t-1] = noState
		if t > x.m.actors() {
			continue
		}
		next, action, ok, err := x.m.Next(&s, t)
		if err != nil {
			x.r.Violation = x.counterexample(id, Evaluation, err.Error())
			return
		}
		if !ok {
			continue
		}
		moved = true
		x.r.Generated++
		x.r.Fired[action]++
		to[t-1] = x.visit(&next, id)
		if x.r.Violation != nil {
			return
		}
	}
	x.next = append(x.next, to)
	for t := 1; t <= x.m.actors(); t++ {
		next, ok := x.m.Die(&s, t)
		if !ok {
			continue
		}
		moved = true
		x.r.Generated++
		if x.visit(&next, id); x.r.Violation != nil {
			return
		}
	}
	switch {
	case x.m.atRest(&s):
		x.r.Generated++ // the step Done
	case !moved && !x.o.Unchecked && !x.o.Hangs:
		x.r.Violation = x.counterexample(id, Deadlock, "nobody can move, and not all is done")
	}
}
