// Package search goes through all interleavings of a machine breadth first, as TLC does, and looks in the
// graph of its states for fair runs that never come out of states that they should leave. It is for the
// models of parts of the protocol (model/hopscotch/owner, model/hopscotch/bell): machines with one flat value
// for a state.
package search

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
)

// A Step is one step of an actor.
type Step[S comparable, A fmt.Stringer] struct {
	Actor  int
	Action A
	Next   S
}

// A Machine takes the steps of one run. Its actors are numbered from 1.
type Machine[S comparable, A fmt.Stringer] interface {
	Initial() S
	Actors() int
	Steps(s *S, actor int, list []Step[S, A]) []Step[S, A] // appends what the actor can do next
	AtRest(s *S) bool                                      // nobody has to do anything more
}

// Shown is a machine that says what a counterexample prints: the name of the run, and what there is to see of
// a state. Explore asks it for what the options leave open.
type Shown[S comparable] interface {
	Run() string
	Show(s *S) string
}

// A Property is a claim about each state (State) or each step (Step), of the name that it has in the
// specification. A witness is a claim that must be violated.
type Property[M any, S comparable] struct {
	Name  string
	State func(m M, s *S) bool
	Step  func(m M, prev, next *S) bool
}

// Live is a claim that must come about.
type Live[S comparable, A fmt.Stringer] struct {
	Name string
	Bad  []func(s *S) bool // in none of these sets of states a fair run stays for ever
	Fair func(a A) bool    // an actor that can go on and on by such steps makes one again and again
}

// Options say how to explore.
type Options[M any, S comparable, A fmt.Stringer] struct {
	Program    string
	Properties []Property[M, S] // in the order in which they are reported
	Live       *Live[S, A]
	Visit      func(s *S) // called for each distinct state, in order
	VisitStep  func(prev, next *S)
	Show       func(s *S) string // what a counterexample prints of a state
}

// Report is the result of a search.
type Report[S comparable, A fmt.Stringer] struct {
	Distinct  int64 // distinct states
	Generated int64 // generated states as TLC counts: with duplicates, the initial state, and rest
	Depth     int   // as TLC counts: the initial state alone is 1
	Elapsed   time.Duration

	Fired      map[string]int64 // how often each action was taken
	Exhaustive bool             // every reachable state was searched
	Violation  *Counterexample[S, A]
}

// Deadlock is the violation that somebody is not at rest and nobody can move.
const Deadlock = "Deadlock"

// edge is a step of the graph of states.
type edge[A fmt.Stringer] struct {
	to     uint32
	actor  uint8
	action A
}

type explorer[M Machine[S, A], S comparable, A fmt.Stringer] struct {
	m      M
	o      Options[M, S, A]
	index  map[S]uint32
	states []S
	parent []edge[A]   // to is where it came from
	steps  [][]edge[A] // by state, kept for what must come about
	list   []Step[S, A]
	r      Report[S, A]
}

// Explore searches all interleavings breadth first. It ends at the first violation: of a property of
// states or steps after a shortest path; what must come about is looked for when all states are known.
func Explore[M Machine[S, A], S comparable, A fmt.Stringer](ctx context.Context, m M,
	o Options[M, S, A]) Report[S, A] {
	start := time.Now()
	if shown, ok := any(m).(Shown[S]); ok {
		o.Program = cmp.Or(o.Program, shown.Run())
		if o.Show == nil {
			o.Show = shown.Show
		}
	}
	x := &explorer[M, S, A]{m: m, o: o, index: map[S]uint32{}}
	x.r = Report[S, A]{Fired: map[string]int64{}, Generated: 1, Depth: 1}
	s := m.Initial()
	x.visit(&s, edge[A]{})
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
	if x.r.Exhaustive && o.Live != nil {
		x.comesAbout()
	}
	x.r.Elapsed = time.Since(start)
	return x.r
}

// visit numbers the state if it is new, and checks it then.
func (x *explorer[M, S, A]) visit(s *S, from edge[A]) uint32 {
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
func (x *explorer[M, S, A]) expand(id uint32) {
	s := x.states[id]
	var out []edge[A]
	for a := 1; a <= x.m.Actors(); a++ {
		x.list = x.m.Steps(&s, a, x.list[:0])
		for i := range x.list {
			y := &x.list[i]
			x.r.Generated++
			x.r.Fired[y.Action.String()]++
			to := x.visit(&y.Next, edge[A]{id, uint8(a), y.Action})
			if x.r.Violation == nil {
				x.judge(id, to, y, &s)
			}
			if x.r.Violation != nil {
				return
			}
			out = append(out, edge[A]{to, uint8(a), y.Action})
		}
	}
	if x.o.Live != nil {
		x.steps = append(x.steps, out)
	}
	switch {
	case x.m.AtRest(&s):
		x.r.Generated++ // the step of those at rest
	case len(out) == 0:
		x.r.Violation = x.counterexample(id, Deadlock)
	}
}

// judge looks at a step. The path to its violation ends with the step, not with a shortest path to the
// state that it leads to.
func (x *explorer[M, S, A]) judge(from, to uint32, y *Step[S, A], prev *S) {
	if x.o.VisitStep != nil {
		x.o.VisitStep(prev, &y.Next)
	}
	for _, p := range x.o.Properties {
		if p.Step != nil && !p.Step(x.m, prev, &y.Next) {
			x.r.Violation = x.counterexample(from, p.Name)
			v := x.r.Violation
			v.Steps = append(v.Steps, Step[S, A]{y.Actor, y.Action, x.states[to]})
			return
		}
	}
}

// Counterexample is a path to a violation.
type Counterexample[S comparable, A fmt.Stringer] struct {
	Program, Property string
	Steps             []Step[S, A]
	show              func(s *S) string
}

// counterexample is the path to a numbered state.
func (x *explorer[M, S, A]) counterexample(id uint32, property string) *Counterexample[S, A] {
	out := &Counterexample[S, A]{Program: x.o.Program, Property: property, show: x.o.Show}
	for ; id != 0; id = x.parent[id].to {
		p := x.parent[id]
		out.Steps = append(out.Steps, Step[S, A]{int(p.actor), p.action, x.states[id]})
	}
	for i, j := 0, len(out.Steps)-1; i < j; i, j = i+1, j-1 {
		out.Steps[i], out.Steps[j] = out.Steps[j], out.Steps[i]
	}
	return out
}

// String prints one line for each step: the actor, its action, and what there is to see afterwards.
func (x *Counterexample[S, A]) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s is violated after %d steps\n", x.Program, x.Property, len(x.Steps))
	for i := range x.Steps {
		y := &x.Steps[i]
		fmt.Fprintf(&out, "%4d  %*s%d %v", i+1, 2*y.Actor, "", y.Actor, y.Action)
		if x.show != nil {
			out.WriteString("\t" + x.show(&y.Next))
		}
		out.WriteString("\n")
	}
	return out.String()
}
