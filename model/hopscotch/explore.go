package model

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/zeebo/xxh3"
)

// Options say how to explore. The zero value searches everything, with the properties and the
// solo bound, on all processors.
type Options struct {
	Limit    int              // distinct states, 0: no limit; more are not searched
	Workers  int              // goroutines that generate steps, 0: one a processor; the result is the same
	Exact    bool             // compare whole states, not only their hashes
	Visit    func(s *State)   // called for each distinct state, in order, from one goroutine
	Progress func(p Progress) // called a few times a second
	NoGraph  bool             // do not keep the steps: no Solo, no Longest
	Reduce   Reduction        // search fewer states for the same answers
	blind    bool             // an unsound reduction; for canaries only
}

// Progress says how far a search is.
type Progress struct {
	Distinct, Generated int64
	Depth               int
	Elapsed             time.Duration
}

// Report is the result of a search.
type Report struct {
	Program    string
	MaxCrashes int
	Reduce     Reduction
	Refused    error // why nothing was searched: wraps ErrReduction; nil if it was

	Distinct  int64 // distinct states
	Generated int64 // generated states as TLC counts: with duplicates and the initial state
	Depth     int   // as TLC counts: the initial state alone is 1
	Elapsed   time.Duration

	Fired map[string]int64 // how often each action was taken
	Marks []string         // operation states whose race has happened

	Exhaustive bool   // every reachable state was searched
	Bound      string // what was searched, in words

	Solo      int             // most steps that one live actor alone needs; 0: see PartialOrder
	SoloFails string          // an actor that never ends alone; "" if there is none
	Longest   int             // steps of the longest schedule from any state
	Endless   string          // a schedule that never ends; "" if there is none
	Violation *Counterexample // nil: nothing is violated
}

// OK reports whether everything was searched and nothing is wrong.
func (r *Report) OK() bool {
	return r.Exhaustive && r.Violation == nil && r.SoloFails == "" && r.Endless == ""
}

// Deadlock is the name of the property that a state has a successor or all are done.
const Deadlock = "Deadlock"

// chunkStates is how many states each worker expands between two merges: enough to keep it busy, few
// enough to keep their successors in the cache of a small machine.
const chunkStates = 1024

// edge is one generated step.
type edge struct {
	hash   xxh3.Uint128
	to     uint32 // its number, if known
	known  bool
	fresh  uint32 // else its index among the batch's fresh states
	actor  uint8
	action ActionID
	turn   uint8  // the renaming that leads to what stands for the state
	moves  []move // the local steps after it
	marks  uint32 // of all states on the way
	bad    []string
}

// batch is what one worker made of its part of a chunk.
type batch struct {
	edges []edge
	ends  []uint32 // where each source's edges end
	idle  []bool   // the source has no successor and is not done
	fresh []State
	loops int64 // the specification's Done steps
	buf   []Successor
	names names
	local *follower // nil: every step is searched
	whole [1]trail  // a step that nothing follows
	room  State
}

type explorer struct {
	m         *Machine
	o         Options
	names     names
	turns     []uint8 // of each state, with symmetry only
	room      State
	seen      *visited
	cur, next []State
	first     uint32 // number of the first state of cur
	parent    []uint32
	graph     *stepGraph
	fired     [actionCount]int64
	marks     uint32
	generated int64
	depth     int
	start     time.Time
	told      time.Time
	violation *Counterexample
	limited   bool
}

// Explore searches all interleavings breadth first, with as many crashes as the machine allows,
// and checks every state and every step. It ends at the first violation, which is a shortest one.
func Explore(ctx context.Context, m *Machine, o Options) Report {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	x := &explorer{m: m, o: o, seen: newVisited(o.Exact), start: time.Now(), depth: 1}
	var err error
	if x.names, err = m.namesFor(o.Reduce); err != nil {
		return Report{Program: m.cfg.Name, MaxCrashes: m.cfg.MaxCrashes, Reduce: o.Reduce,
			Refused: err, Bound: fmt.Sprintf("not searched: %v", err)}
	}
	if !o.NoGraph {
		x.graph = &stepGraph{actors: m.actors, turns: x.names.group != nil,
			rows: o.Reduce&PartialOrder != 0}
	}
	s := m.Initial()
	x.generated = 1
	name, turn := x.names.of(&s, &State{})
	x.add(&s, name, hashOf(name), turn, 0)
	if bad := m.Check(&s); bad != nil {
		x.violation = x.counterexample(0, nil, bad)
	}
	batches := x.batches()
	chunk := chunkStates * o.Workers
	for len(x.next) > 0 && x.violation == nil && !x.limited && ctx.Err() == nil {
		x.first = uint32(len(x.seen.hashes) - len(x.next))
		x.cur, x.next = x.next, x.cur[:0]
		for lo := 0; lo < len(x.cur) && x.violation == nil && ctx.Err() == nil; lo += chunk {
			hi := min(lo+chunk, len(x.cur))
			x.expand(batches, lo, hi)
			x.merge(batches, lo)
			x.tell()
		}
		if len(x.next) > 0 {
			x.depth++
		}
	}
	return x.report(ctx)
}

func (x *explorer) batches() []batch {
	list := make([]batch, x.o.Workers)
	for i := range list {
		list[i].names = x.names
		if x.o.Reduce&PartialOrder != 0 {
			list[i].local = newFollower(x.m, x.o.blind)
		}
	}
	return list
}

// add numbers a new state, known by its name, and puts it on the next level.
func (x *explorer) add(s, name *State, h xxh3.Uint128, turn uint8, from uint32) uint32 {
	id := x.seen.insert(h, name)
	if x.names.group != nil {
		x.turns = append(x.turns, turn)
	}
	x.parent = append(x.parent, from)
	x.next = append(x.next, *s)
	if x.o.Visit != nil {
		x.o.Visit(s)
	}
	return id
}

// expand lets the workers generate the successors of cur[lo:hi], in equal parts.
func (x *explorer) expand(batches []batch, lo, hi int) {
	part := (hi - lo + len(batches) - 1) / len(batches)
	var wait sync.WaitGroup
	for i := range batches {
		from, to := min(lo+i*part, hi), min(lo+(i+1)*part, hi)
		wait.Add(1)
		go func() {
			defer wait.Done()
			batches[i].run(x.m, x.seen, x.cur[from:to])
		}()
	}
	wait.Wait()
}

func (w *batch) run(m *Machine, seen *visited, sources []State) {
	w.edges, w.ends, w.idle = w.edges[:0], w.ends[:0], w.idle[:0]
	w.fresh, w.loops = w.fresh[:0], 0
	for i := range sources {
		s := &sources[i]
		before := len(w.edges)
		for t := 1; t <= m.actors; t++ {
			w.buf = m.Step(s, t, w.buf[:0])
			for j := range w.buf {
				w.edge(m, seen, s, t, &w.buf[j])
			}
			if next, ok := m.Crash(s, t); ok {
				w.edge(m, seen, s, t, &Successor{ClientCrash, next})
			}
		}
		done := m.AllDone(s)
		if done {
			w.loops++
		}
		w.idle = append(w.idle, len(w.edges) == before && !done)
		w.ends = append(w.ends, uint32(len(w.edges)))
	}
}

// edge adds the step of actor t from s to y, with the local steps after it.
func (w *batch) edge(m *Machine, seen *visited, s *State, t int, y *Successor) {
	bad := m.CheckStep(s, &y.Next, y.Action.String(), t)
	w.whole[0] = trail{end: y.Next, marks: y.Next.marks}
	ends := w.whole[:]
	if w.local != nil && bad != nil {
		w.whole[0].end.marks = 0
	} else if w.local != nil {
		ends = w.local.follow(&y.Next, false)
	}
	for i := range ends {
		s := &ends[i].end
		name, turn := w.names.of(s, &w.room)
		e := edge{hash: hashOf(name), actor: uint8(t), action: y.Action, turn: turn,
			moves: ends[i].moves, marks: ends[i].marks, bad: bad}
		if e.to, e.known = seen.find(e.hash, name); !e.known {
			e.fresh = uint32(len(w.fresh))
			w.fresh = append(w.fresh, *s)
			e.bad = append(e.bad, m.Check(s)...)
		}
		w.edges = append(w.edges, e)
	}
}

// merge numbers what the workers found, in the order of the sources: the numbers do not depend
// on the number of workers.
func (x *explorer) merge(batches []batch, lo int) {
	from := x.first + uint32(lo)
	for i := range batches {
		w := &batches[i]
		x.generated += w.loops
		at := uint32(0)
		for j, end := range w.ends {
			for ; at < end; at++ {
				if x.edge(w, from, &w.edges[at]); x.violation != nil {
					return
				}
			}
			if w.idle[j] {
				x.violation = x.counterexample(from, nil,
					[]string{Deadlock + ": nobody can move, and not all is done"})
				return
			}
			if x.graph != nil {
				x.graph.endState()
			}
			from++
		}
	}
}

func (x *explorer) edge(w *batch, from uint32, e *edge) {
	x.generated += int64(1 + len(e.moves))
	x.marks |= e.marks
	x.fired[e.action]++
	for _, y := range e.moves {
		x.fired[y.action]++
	}
	if e.bad != nil {
		x.violation = x.counterexample(from, e, e.bad)
		return
	}
	if !e.known {
		s := &w.fresh[e.fresh]
		name, _ := x.names.of(s, &x.room)
		if e.to, e.known = x.seen.find(e.hash, name); !e.known {
			if x.o.Limit > 0 && len(x.seen.hashes) >= x.o.Limit {
				x.limited = true
				return
			}
			e.to = x.add(s, name, e.hash, e.turn, from)
		}
	}
	if x.graph != nil && e.action != ClientCrash {
		x.keep(e)
	}
}

// keep puts an edge into the graph, unless somebody dies on it.
func (x *explorer) keep(e *edge) {
	all, own := 1, 1
	for _, y := range e.moves {
		if y.action == ClientCrash {
			return
		}
		all++
		if y.actor == e.actor {
			own++
		}
	}
	heir := e.actor
	if x.turns != nil {
		heir = x.names.heir(e.actor, e.turn, x.turns[e.to])
	}
	x.graph.add(e.to, e.actor, heir, all, own)
}

func (x *explorer) tell() {
	if x.o.Progress == nil || time.Since(x.told) < 250*time.Millisecond {
		return
	}
	x.told = time.Now()
	x.o.Progress(Progress{int64(len(x.seen.hashes)), x.generated, x.depth, time.Since(x.start)})
}

func (x *explorer) report(ctx context.Context) Report {
	r := Report{
		Program: x.m.cfg.Name, MaxCrashes: x.m.cfg.MaxCrashes, Reduce: x.o.Reduce,
		Distinct: int64(len(x.seen.hashes)), Generated: x.generated, Depth: x.depth,
		Fired: map[string]int64{}, Marks: markNames(x.marks), Violation: x.violation,
	}
	for id, n := range x.fired {
		if n > 0 {
			r.Fired[ActionID(id).String()] = n
		}
	}
	crashes := fmt.Sprintf("up to %d crashes", x.m.cfg.MaxCrashes)
	if x.o.Reduce != 0 {
		crashes += ", reduced by " + x.o.Reduce.String()
	}
	switch {
	case x.violation != nil:
		r.Bound = "ended at the first violation, " + crashes
	case ctx.Err() != nil:
		r.Bound = fmt.Sprintf("not exhaustive: stopped (%v), %s", context.Cause(ctx), crashes)
	case x.limited:
		r.Bound = fmt.Sprintf("not exhaustive: the limit of %d states was reached, %s",
			x.o.Limit, crashes)
	default:
		r.Exhaustive = true
		r.Bound = "all interleavings, " + crashes
		if x.graph != nil {
			r.Solo, r.SoloFails = x.graph.solo()
			r.Longest, r.Endless = x.graph.schedule()
			if x.graph.rows {
				r.Solo = 0
			}
		}
	}
	r.Elapsed = time.Since(x.start)
	return r
}
