package owner

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Options say how to explore.
type Options struct {
	Properties []Property     // in the order in which they are reported
	Live       bool           // what must come about is checked, too
	Visit      func(s *State) // called for each distinct state, in order
	VisitStep  func(prev, next *State)
}

// Report is the result of a search.
type Report struct {
	Distinct  int64 // distinct states
	Generated int64 // generated states as TLC counts: with duplicates, the initial state, and rest
	Depth     int   // as TLC counts: the initial state alone is 1
	Elapsed   time.Duration

	Fired      map[string]int64 // how often each action was taken
	Exhaustive bool             // every reachable state was searched
	Violation  *Counterexample  // nil: nothing is violated
}

// Deadlock is the violation that somebody is not at rest and nobody can move.
const Deadlock = "Deadlock"

// edge is a step of the graph of states.
type edge struct {
	to     uint32
	actor  uint8
	action Action
}

type explorer struct {
	m      *Machine
	o      Options
	index  map[State]uint32
	states []State
	parent []edge   // to is where it came from
	steps  [][]edge // by state, kept for what must come about
	list   []Step
	r      Report
}

// Explore searches all interleavings breadth first. It ends at the first violation: of a property of
// states or steps after a shortest path; what must come about is looked for when all states are known.
func Explore(ctx context.Context, m *Machine, o Options) Report {
	start := time.Now()
	x := &explorer{m: m, o: o, index: map[State]uint32{}}
	x.r = Report{Fired: map[string]int64{}, Generated: 1, Depth: 1}
	s := m.Initial()
	x.visit(&s, edge{})
	level := 1
	for id := 0; id < len(x.states) && x.r.Violation == nil && ctx.Err() == nil; id++ {
		if id == level {
			x.r.Depth++
			level = len(x.states)
		}
		x.expand(uint32(id))
	}
	x.r.Distinct = int64(len(x.states))
	x.r.Exhaustive = x.r.Violation == nil && ctx.Err() == nil
	if x.r.Exhaustive && o.Live {
		x.comesAbout()
	}
	x.r.Elapsed = time.Since(start)
	return x.r
}

// visit numbers the state if it is new, and checks it then.
func (x *explorer) visit(s *State, from edge) uint32 {
	id, known := x.index[*s]
	if known {
		return id
	}
	id = uint32(len(x.states))
	x.index[*s] = id
	x.states = append(x.states, *s)
	x.parent = append(x.parent, from)
	if x.o.Visit != nil {
		x.o.Visit(s)
	}
	for _, p := range x.o.Properties {
		if p.State != nil && !p.State(x.m, s) {
			x.r.Violation = x.counterexample(id, p.Name)
			break
		}
	}
	return id
}

// expand takes every possible step from a state.
func (x *explorer) expand(id uint32) {
	s := x.states[id]
	var out []edge
	for a := 1; a <= int(x.m.actors); a++ {
		x.list = x.m.Steps(&s, a, x.list[:0])
		for i := range x.list {
			y := &x.list[i]
			x.r.Generated++
			x.r.Fired[y.Action.String()]++
			to := x.visit(&y.Next, edge{id, uint8(a), y.Action})
			if x.r.Violation == nil {
				x.judge(id, to, y, &s)
			}
			if x.r.Violation != nil {
				return
			}
			out = append(out, edge{to, uint8(a), y.Action})
		}
	}
	if x.o.Live {
		x.steps = append(x.steps, out)
	}
	switch {
	case x.m.AtRest(&s):
		x.r.Generated++ // the step Done
	case len(out) == 0:
		x.r.Violation = x.counterexample(id, Deadlock)
	}
}

// judge looks at a step. The path to its violation ends with the step, not with a shortest path to the
// state that it leads to.
func (x *explorer) judge(from, to uint32, y *Step, prev *State) {
	if x.o.VisitStep != nil {
		x.o.VisitStep(prev, &y.Next)
	}
	for _, p := range x.o.Properties {
		if p.Step != nil && !p.Step(x.m, prev, &y.Next) {
			x.r.Violation = x.counterexample(from, p.Name)
			v := x.r.Violation
			v.Steps = append(v.Steps, CounterStep{y.Actor, y.Action, x.states[to]})
			return
		}
	}
}

// CounterStep is one step of a counterexample.
type CounterStep struct {
	Actor  int
	Action Action
	Next   State
}

// Counterexample is a path to a violation.
type Counterexample struct {
	Program, Property string
	Steps             []CounterStep
}

// counterexample is the path to a numbered state.
func (x *explorer) counterexample(id uint32, property string) *Counterexample {
	out := &Counterexample{Program: x.m.c.Name, Property: property}
	for ; id != 0; id = x.parent[id].to {
		p := x.parent[id]
		out.Steps = append(out.Steps, CounterStep{int(p.actor), p.action, x.states[id]})
	}
	for i, j := 0, len(out.Steps)-1; i < j; i, j = i+1, j-1 {
		out.Steps[i], out.Steps[j] = out.Steps[j], out.Steps[i]
	}
	return out
}

// String prints one line for each step: who did what, and the owner words afterwards.
func (x *Counterexample) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s is violated after %d steps\n", x.Program, x.Property, len(x.Steps))
	for i, y := range x.Steps {
		fmt.Fprintf(&out, "%4d  %*s%d %v\towners", i+1, 2*y.Actor, "", y.Actor, y.Action)
		for _, w := range y.Next.Owner {
			fmt.Fprintf(&out, " %d@%d.%d", w.N, w.E, w.Ep)
		}
		out.WriteString("\n")
	}
	return out.String()
}
