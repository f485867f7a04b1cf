package explore

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// pctWalk is the strategy PCT.
type pctWalk struct {
	depth    int
	priority []int // by number of the actor; the actor with the largest runs first
	changes  []int // changes[i]: the access after which the actor that made it gets priority i
}

// begin draws priorities above those of the changes, and the changes.
func (p *pctWalk) begin(w *walk, e *engine) {
	p.priority = p.priority[:0]
	for _, x := range w.Perm(len(e.actors)) {
		p.priority = append(p.priority, p.depth+x)
	}
	p.changes = p.changes[:0]
	for range p.depth - 1 {
		p.changes = append(p.changes, 1+w.IntN(w.bound))
	}
}

func (p *pctWalk) step(e *engine, a *actor) {
	for i, at := range p.changes {
		if at == e.steps && a.number < len(p.priority) {
			p.priority[a.number] = i
		}
	}
}

// promote gives the actor the highest priority. It has waited because its priority is low, and would have to
// wait as long before each step that it makes.
func (p *pctWalk) promote(i int) {
	if i < len(p.priority) {
		p.priority[i] = slices.Max(p.priority) + 1
	}
}

func (p *pctWalk) pick(w *walk, e *engine, opts uint64) int {
	for n := len(p.priority); n < len(e.born); n++ { // actors that were made since the start
		p.priority = append(p.priority, p.depth+w.IntN(n+1))
	}
	best, highest := 0, -1
	for m := opts; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if h := p.priority[e.actors[i].number]; h > highest {
			best, highest = i, h
		}
	}
	return best
}

func (p *pctWalk) end(*walk, *engine) {}

// chance is the least probability with which one execution finds a given bug of depth d that needs the given
// number of deaths. The deaths are drawn independently of the schedule, so the probabilities multiply: the
// number of deaths is right with 1/(kills+1), each place with 1/k, and with AnyKill each victim with 1/n.
func (p *pctWalk) chance(w *walk, e *engine, deaths int) float64 {
	n, k := float64(len(p.priority)), float64(w.bound)
	c := 1 / (n * math.Pow(k, float64(p.depth-1)))
	if e.o.Kills == 0 {
		return c
	}
	if e.o.AnyKill {
		k *= n
	}
	return c / (float64(e.o.Kills+1) * math.Pow(k, float64(deaths)))
}

func (p *pctWalk) clause(w *walk, e *engine) string {
	if w.counted == 0 {
		return fmt.Sprintf("drawn by PCT with depth %d; no guarantee: too few executions", p.depth)
	}
	s := fmt.Sprintf("drawn by PCT with depth d=%d, n=%d actors, k=%d accesses at most (a quarter "+
		"more than the longest seen, so not proven): a given bug of that depth is found with "+
		"probability of at least 1/(n k^(d-1))", p.depth, len(p.priority), w.bound)
	for deaths := range e.o.Kills + 1 {
		c := p.chance(w, e, deaths)
		all := -math.Expm1(float64(w.counted) * math.Log1p(-c))
		if c < 1 {
			all = min(all, almostCertain)
		}
		switch {
		case e.o.Kills == 0:
			s += " ="
		case deaths == 0:
			s += ", times that of its deaths: without any"
		default:
			s += fmt.Sprintf(", with %d", deaths)
		}
		s += fmt.Sprintf(" %s per execution and %s in the %d that count", percent(c), percent(all), w.counted)
	}
	return s + "; data choices are drawn evenly and not in the figure"
}

// almostCertain is the largest probability below certainty that a report claims.
const almostCertain = 0.9999

// percent renders a probability.
func percent(p float64) string { return fmt.Sprintf("%.4g%%", 100*p) }
