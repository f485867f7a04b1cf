package driver

import (
	"slices"
	"strings"
)

// An outcome is what the calls of one sequential run returned. If a call of an actor does not return, this
// call and all later calls of the actor are missing.
type outcome struct {
	results []string
	after   []string // results of the probe
}

func (o outcome) equal(p outcome) bool {
	return slices.Equal(o.results, p.results) && slices.Equal(o.after, p.after)
}

// A turn of a sequential run is either the next call of the actor, which returns or begins to wait, or the
// return of the call that waits.
type turn struct {
	actor  int
	waits  bool
	result string // result of a return
}

// A sequentialRun is a sequential run of a program's calls. A call that waits is overtaken by calls of other
// actors when nothing else can continue. Calls that stop waiting return before the next call is made. The
// run ends when all calls have been made, or when all remaining actors wait.
type sequentialRun struct {
	turns []turn
	after []string // results of the probe, if no call waits
}

// begin notes that the actor makes a call, which waits until it returns.
func (r *sequentialRun) begin(actor int) { r.turns = append(r.turns, turn{actor: actor, waits: true}) }

// end notes that the call of the actor returns. If nothing has happened since the call was made, it returns
// at once.
func (r *sequentialRun) end(actor int, result string) {
	if n := len(r.turns) - 1; r.turns[n].actor == actor {
		r.turns = r.turns[:n]
	}
	r.turns = append(r.turns, turn{actor: actor, result: result})
}

func (r sequentialRun) equal(o sequentialRun) bool {
	return slices.Equal(r.turns, o.turns) && slices.Equal(r.after, o.after)
}

// each calls f with each turn, and with whether the turn is that of a call, and not only of a return.
func (r sequentialRun) each(f func(m turn, calls bool)) {
	stands := map[int]bool{}
	for _, m := range r.turns {
		f(m, !stands[m.actor])
		stands[m.actor] = m.waits
	}
}

// calls returns the actors that make the calls, in order.
func (r sequentialRun) calls() []int {
	var all []int
	r.each(func(m turn, calls bool) {
		if calls {
			all = append(all, m.actor)
		}
	})
	return all
}

// text lists the turns, by the text of the n-th call of an actor.
func (r sequentialRun) text(call func(actor, n int) string) string {
	var all []string
	returned := map[int]int{} // by actor, the number of its calls that have returned
	for i, m := range r.turns {
		c := call(m.actor, returned[m.actor])
		switch {
		case !m.waits:
			returned[m.actor]++
			c += " -> " + m.result
		case slices.ContainsFunc(r.turns[i+1:], func(o turn) bool { return o.actor == m.actor }):
			c += " waits"
		default:
			c += " never returns"
		}
		all = append(all, c)
	}
	return strings.Join(all, ", ")
}

// stand returns the actors that wait at the end.
func (r sequentialRun) stand() []int {
	var all []int
	for i, m := range r.turns {
		if m.waits && !slices.ContainsFunc(r.turns[i+1:], func(o turn) bool { return o.actor == m.actor }) {
			all = append(all, m.actor)
		}
	}
	return all
}

// stuck reports whether an actor waits at the end.
func (r sequentialRun) stuck() bool { return len(r.stand()) > 0 }

// orders calls f with each order of the calls of actors that make so many calls each.
func orders(sizes []int, f func(order []int) error) error {
	left, total := slices.Clone(sizes), 0
	for _, n := range sizes {
		total += n
	}
	order := make([]int, 0, total)
	var next func() error
	next = func() error {
		if len(order) == total {
			return f(order)
		}
		for a := range left {
			if left[a] == 0 {
				continue
			}
			left[a]--
			order = append(order, a)
			err := next()
			order = order[:len(order)-1]
			left[a]++
			if err != nil {
				return err
			}
		}
		return nil
	}
	return next()
}

// refusal says why no sequential run of the program, whose actors make so many calls, explains what its
// clients saw and what the probe saw after them. It is empty if a run does. Calls that have not returned are
// right to wait under two conditions. The same calls wait for ever in a run that explains the others. And
// each of them also waits if it is made after all others, when no other call can have forgotten to wake it;
// or then another call waits in its place, for example if the first of two calls serves, and the second
// finds that somebody serves already.
func refusal[C any](runs []sequentialRun, sizes []int, calls []performed[C, string], after []string) string {
	byActor := make([][]performed[C, string], len(sizes))
	for _, c := range calls {
		byActor[c.actor] = append(byActor[c.actor], c)
	}
	var waiting []int
	for a, n := range sizes {
		if len(byActor[a]) < n || n > 0 && byActor[a][n-1].returned == 0 {
			waiting = append(waiting, a)
		}
	}
	why := "no order of the calls, one after the other, has these results"
	if len(waiting) > 0 {
		why = "no order of the calls that returned explains their results, and that the others wait"
	}
	for _, r := range runs {
		switch {
		case !explains(r, sizes, byActor):
		case len(waiting) == 0 && slices.Equal(r.after, after):
			return ""
		case len(waiting) == 0:
			why = "the calls have the results of an order, but afterwards there is what no such order leaves"
		case !slices.ContainsFunc(waiting, func(a int) bool { return !waitsLast(runs, r, a, waiting) }):
			return ""
		default:
			why = "the calls have the results of an order in which the others wait, too, but one of these " +
				"returns if it is made after the rest"
		}
	}
	return why
}

// explains reports whether a sequential run has the calls that were made, with the same results, in an order
// that agrees with real time: a call has its turn neither before it is made nor after its return.
func explains[C any](r sequentialRun, sizes []int, byActor [][]performed[C, string]) bool {
	at, stands := make([]int, len(byActor)), make([]bool, len(byActor))
	latest := 0 // the last call of those that have had their turn
	for _, m := range r.turns {
		if at[m.actor] == len(byActor[m.actor]) {
			return false
		}
		c := byActor[m.actor][at[m.actor]]
		if returned := c.returned > 0; !m.waits && (!returned || c.answer != m.result) ||
			returned && c.returned < latest {
			return false
		}
		latest = max(latest, c.called)
		if stands[m.actor] = m.waits; !m.waits {
			at[m.actor]++
		}
	}
	for a, n := range sizes {
		if stands[a] != (at[a] < n) || stands[a] && byActor[a][at[a]].returned > 0 {
			return false
		}
	}
	return true
}

// waitsLast reports whether the call in which the actor waits at the end of a run also waits if it is made
// after all the others of the run, whatever these then return. It also returns true if another call then
// waits whose actor is not among those that wait.
func waitsLast(runs []sequentialRun, r sequentialRun, actor int, waiting []int) bool {
	order := r.calls()
	for i := len(order) - 1; ; i-- {
		if order[i] == actor {
			order = append(slices.Delete(order, i, i+1), actor)
			break
		}
	}
	return slices.ContainsFunc(runs, func(r sequentialRun) bool {
		made, same, waits := 0, true, false
		r.each(func(m turn, calls bool) {
			if calls {
				same = same && (made >= len(order) || order[made] == m.actor)
				made++
			}
			if made == len(order) && m.actor == actor {
				waits = m.waits
			}
		})
		instead := slices.ContainsFunc(r.stand(), func(a int) bool { return !slices.Contains(waiting, a) })
		return same && made >= len(order) && (waits || instead)
	})
}
