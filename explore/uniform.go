package explore

import (
	"fmt"
	"math/bits"
	"strings"
)

// uniformWalk is the strategy Uniform.
type uniformWalk struct{ lengths }

// lengths is what is known about the number of accesses that each actor makes.
type lengths struct{ of []length }

// length has the accesses of one actor, summed over the executions in which it ended.
type length struct {
	sum, n   int
	min, max int
}

// learn notes the accesses of the actors that ended.
func (l *lengths) learn(e *engine) {
	for len(l.of) < len(e.actors) {
		l.of = append(l.of, length{})
	}
	for i, a := range e.actors {
		if e.live>>uint(i)&1 == 1 || e.dead>>uint(i)&1 == 1 {
			continue
		}
		x := &l.of[i]
		if x.n == 0 {
			x.min = a.accesses
		}
		x.sum, x.n = x.sum+a.accesses, x.n+1
		x.min, x.max = min(x.min, a.accesses), max(x.max, a.accesses)
	}
}

// left returns the number of accesses that actor i is expected to make yet. An actor that can continue has
// at least one turn left, which may have no access.
func (l *lengths) left(e *engine, i int) float64 {
	if i >= len(l.of) || l.of[i].n == 0 {
		return 1
	}
	mean := float64(l.of[i].sum) / float64(l.of[i].n)
	return max(1, mean-float64(e.actors[i].accesses))
}

func (u *uniformWalk) begin(*walk, *engine)   {}
func (u *uniformWalk) step(*engine, *actor)   {}
func (u *uniformWalk) end(_ *walk, e *engine) { u.learn(e) }
func (u *uniformWalk) pick(w *walk, e *engine, opts uint64) int {
	sum := 0.0
	for m := opts; m != 0; m &= m - 1 {
		sum += u.left(e, bits.TrailingZeros64(m))
	}
	at := w.Float64() * sum
	last := 0
	for m := opts; m != 0; m &= m - 1 {
		last = bits.TrailingZeros64(m)
		if at -= u.left(e, last); at < 0 {
			break
		}
	}
	return last
}

// clause says whether the conditions for an even draw held in the executions so far.
func (u *uniformWalk) clause(w *walk, e *engine) string {
	var all []string
	even := !w.waited && e.o.Kills == 0
	for _, x := range u.of {
		s := fmt.Sprint(x.min)
		if x.min != x.max {
			s, even = fmt.Sprintf("%d-%d", x.min, x.max), false
		}
		all = append(all, s)
	}
	s := "drawn by the accesses that each actor has left, so that "
	switch {
	case even:
		s += "all interleavings are equally likely"
	case w.waited:
		s += "interleavings are about equally likely (not exactly: actors wait for one another)"
	case e.o.Kills > 0:
		s += "interleavings are about equally likely (not exactly: deaths are drawn apart)"
	default:
		s += "interleavings are about equally likely (not exactly: the numbers vary)"
	}
	return s + "; accesses per actor: " + strings.Join(all, ", ")
}
