package explore

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A Strategy says how random executions are drawn.
type Strategy uint8

// The strategies of Options.Walks.
const (
	// Plain gives each actor that can continue the same chance at each decision. Its executions are far from
	// equally likely: long unbroken runs of one actor are rare.
	Plain Strategy = iota

	// Uniform gives each actor a chance in proportion to the accesses that it has left, by the mean of what
	// it made so far. If these numbers do not depend on the schedule, and no actor waits, every interleaving
	// is equally likely. After the uniform random walk of Zhao et al., Selectively Uniform Concurrency
	// Testing, ASPLOS 2025.
	Uniform

	// PCT runs the actor with the highest of random priorities and lowers the priority of the
	// running one at Options.Depth-1 random accesses. With n actors and at most k accesses it
	// finds a bug that needs d ordering constraints with probability of at least 1/(n k^(d-1))
	// per execution. Burckhardt et al., A Randomized Scheduler with Probabilistic Guarantees of
	// Finding Bugs, ASPLOS 2010.
	PCT

	// Reversing prefers decisions that bring two conflicting accesses into an order in which they were not
	// seen yet; see Coverage. Every interleaving remains possible.
	Reversing

	strategies
)

var strategyNames = [strategies]string{"plain", "uniform", "pct", "reversing"}

// String returns the name of the strategy: plain, uniform, pct or reversing.
func (s Strategy) String() string {
	if s < strategies {
		return strategyNames[s]
	}
	return fmt.Sprintf("Strategy(%d)", uint8(s))
}

// measured is the number of executions that a walk draws plainly, to learn how long executions are.
const measured = 20

// A drawer draws the decisions of random executions. The engine asks it only for new decisions with
// alternatives. An execution that is run again follows its trail, without calls of the drawer.
type drawer interface {
	begin(e *engine)                           // an execution starts, and its actors exist
	step(e *engine, a *actor)                  // a has made an access
	pick(e *engine, a *actor, opts uint64) int // a decision at a's scheduling point
	data(opts uint64) int                      // a data choice
	end(e *engine)                             // the execution is over
	clause(e *engine) string                   // says in words what its executions are worth
}

// A walk is the drawer of Options.Walks.
type walk struct {
	*rand.Rand
	s       strategy
	deaths  []int // accesses, ascending, after which an actor dies
	longest int   // most accesses of an execution so far
	bound   int   // assumed largest number of accesses of an execution
	drawn   uint64
	counted uint64 // executions drawn since the bound grew
	waited  bool   // some actor had to wait or was set aside
}

// A strategy has the decisions that a walk leaves open.
type strategy interface {
	begin(w *walk, e *engine)                 // an execution starts, and its actors exist
	step(e *engine, a *actor)                 // a has made an access
	pick(w *walk, e *engine, opts uint64) int // which actor continues
	end(w *walk, e *engine)                   // the execution is over
	clause(w *walk, e *engine) string         // says in words what its executions are worth
}

func newWalk(o Options) *walk {
	w := &walk{Rand: rand.New(rand.NewPCG(o.Seed, k1))}
	switch o.Strategy {
	case Uniform:
		w.s = &uniformWalk{}
	case PCT:
		w.s = &pctWalk{depth: o.Depth}
	case Reversing:
		w.s = &reversingWalk{o.Coverage}
	default:
		w.s = plainWalk{}
	}
	return w
}

// begin draws the deaths: their number, evenly from none to Options.Kills, and for each the access after
// which it comes, evenly up to the bound. If deaths were drawn at each decision, nearly all would come
// early. If an execution was longer than the bound, the bound grows, by a quarter more than needed, so that
// this happens rarely. Executions that were drawn before then do not count, because no change could be drawn
// beyond the old bound.
func (w *walk) begin(e *engine) {
	w.deaths = w.deaths[:0]
	if w.drawn++; w.learning() {
		return
	}
	if w.longest > w.bound {
		w.bound, w.counted = w.longest+w.longest/4, 0
	}
	w.counted++
	if e.o.Kills > 0 {
		for range w.IntN(e.o.Kills + 1) {
			w.deaths = append(w.deaths, 1+w.IntN(w.bound))
		}
		slices.Sort(w.deaths)
	}
	w.s.begin(w, e)
}

// learning reports whether the execution is one of those that are drawn plainly.
func (w *walk) learning() bool { return w.drawn <= measured }

func (w *walk) step(e *engine, a *actor) {
	w.waited = w.waited || e.waiting|e.spinning != 0
	if !w.learning() {
		w.s.step(e, a)
	}
}

func (w *walk) end(e *engine) {
	if w.longest = max(w.longest, e.steps, 1); w.longest > w.bound {
		w.counted = 0
	}
	w.s.end(w, e)
}

// pick takes a decision. A death that is due comes with the next step after which a death is possible.
func (w *walk) pick(e *engine, _ *actor, opts uint64) int {
	if kills := opts &^ (1<<killBit - 1); kills != 0 {
		if len(w.deaths) > 0 && e.steps >= w.deaths[0] {
			w.deaths = w.deaths[1:]
			return w.choose(kills)
		}
		opts &^= kills
	}
	if w.learning() || opts&(opts-1) == 0 {
		return w.choose(opts)
	}
	return w.s.pick(w, e, opts)
}

// choose draws one option, each with the same chance.
func (w *walk) choose(opts uint64) int { return nth(opts, w.IntN(bits.OnesCount64(opts))) }

func (w *walk) data(opts uint64) int { return w.choose(opts) }

// clause says from what the executions were drawn.
func (w *walk) clause(e *engine) string {
	s := w.s.clause(w, e)
	if e.o.Kills > 0 {
		s += fmt.Sprintf("; 0 to %d deaths each, after random accesses", e.o.Kills)
	}
	if _, plain := w.s.(plainWalk); !plain || e.o.Kills > 0 {
		s += fmt.Sprintf("; the first %d plainly and without a death, to learn the length", measured)
	}
	return s
}

// plainWalk is the strategy Plain.
type plainWalk struct{}

func (plainWalk) begin(*walk, *engine) {}
func (plainWalk) step(*engine, *actor) {}
func (plainWalk) end(*walk, *engine)   {}

func (plainWalk) pick(w *walk, _ *engine, opts uint64) int { return w.choose(opts) }

func (plainWalk) clause(*walk, *engine) string {
	return "drawn plainly: at each decision every actor has the same chance"
}
