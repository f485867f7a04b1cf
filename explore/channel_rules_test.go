package explore_test

import (
	"fmt"
	"slices"
)

// A room is the same state for the enumeration, by the observable rules of the runtime. It uses neither the
// explorer nor the shim.
type room struct {
	p     talk
	at    []int // by actor, the next move
	saw   []string
	queue [3][]int // elements of the channels
	shut  [3]bool
	word  int
	wait  []visit // in the order in which they came
}

// A visit is an actor that waits at one or two channels.
type visit struct {
	actor int
	asks  []ask
}

// An ask is a case: to send, or to receive, at a channel; none at a nil channel.
type ask struct {
	n     int
	sends bool
	none  bool
}

func (r *room) copy() *room {
	c := *r
	c.at, c.saw, c.wait = slices.Clone(r.at), slices.Clone(r.saw), slices.Clone(r.wait)
	for i := range c.queue {
		c.queue[i] = slices.Clone(r.queue[i])
	}
	return &c
}

// partner finds the first visit that waits for the other side of an ask, and with which of its cases. It may
// be any of these cases, because the runtime takes the cases of a select in no particular order.
func (r *room) partner(a ask) (at int, which []int) {
	for i, v := range r.wait {
		if which = v.about(a.n, !a.sends); len(which) > 0 {
			return i, which
		}
	}
	return -1, nil
}

// about are the cases of a visit that send to a channel, or that receive from it.
func (v visit) about(n int, sends bool) (which []int) {
	for i, a := range v.asks {
		if !a.none && a.n == n && a.sends == sends {
			which = append(which, i)
		}
	}
	return which
}

func (r *room) possible(a ask) bool {
	_, partners := r.partner(a)
	switch {
	case a.none:
		return false
	case r.shut[a.n] || len(partners) > 0:
		return true
	case a.sends:
		return len(r.queue[a.n]) < capacities[a.n]
	}
	return len(r.queue[a.n]) > 0
}

// done ends the move of an actor.
func (r *room) done(actor int, saw string) {
	r.saw[actor] += saw + ";"
	if r.at[actor] += 2; r.at[actor] >= len(r.p[actor]) {
		r.saw[actor] += "."
	}
}

// tells is what the actor sees of a case that was executed.
func tells(do byte, which, v int, ok, sends bool) string {
	switch {
	case do == 's':
		return ""
	case do == 'r':
		return fmt.Sprint(v, ok)
	case sends:
		return fmt.Sprint("case", which)
	}
	return fmt.Sprint("case", which, " ", v, ok)
}

func (r *room) do(actor int) byte { return r.p[actor][r.at[actor]] }

// end ends the wait of a visit.
func (r *room) end(i, which, v int, ok bool) {
	w := r.wait[i]
	r.wait = slices.Delete(slices.Clone(r.wait), i, i+1)
	if a := w.asks[which]; a.sends && !ok {
		r.done(w.actor, "send on closed channel")
	} else {
		r.done(w.actor, tells(r.do(w.actor), which, v, ok, a.sends))
	}
}

// make executes a possible case, with each case of each actor that waits for it.
func (r *room) make(actor, which int, a ask) (all []*room) {
	i, partners := r.partner(a)
	if len(partners) == 0 {
		partners = []int{-1}
	}
	for _, j := range partners {
		c := r.copy()
		c.meet(actor, which, a, i, j)
		all = append(all, c)
	}
	return all
}

// meet makes a case with case j of visit i, if there is one.
func (r *room) meet(actor, which int, a ask, i, j int) {
	mine := message(actor, r.at[actor])
	do := r.do(actor)
	switch {
	case a.sends && r.shut[a.n]:
		r.done(actor, "send on closed channel")
	case a.sends && i >= 0:
		r.end(i, j, mine, true)
		r.done(actor, tells(do, which, 0, true, true))
	case a.sends:
		r.queue[a.n] = append(r.queue[a.n], mine)
		r.done(actor, tells(do, which, 0, true, true))
	case len(r.queue[a.n]) > 0:
		v := r.queue[a.n][0]
		r.queue[a.n] = r.queue[a.n][1:]
		if i >= 0 {
			w := r.wait[i].actor
			r.queue[a.n] = append(r.queue[a.n], message(w, r.at[w]))
			r.end(i, j, 0, true)
		}
		r.done(actor, tells(do, which, v, true, false))
	case i >= 0:
		w := r.wait[i].actor
		v := message(w, r.at[w])
		r.end(i, j, 0, true)
		r.done(actor, tells(do, which, v, true, false))
	default:
		r.done(actor, tells(do, which, 0, false, false))
	}
}

// asks are the cases of a move, and whether it has a default case.
func asksOf(do byte, n int) (asks []ask, fallback bool) {
	d := (n + 1) % 3
	switch do {
	case 's', 't':
		return []ask{{n: n, sends: true}}, do == 't'
	case 'r', 'u':
		return []ask{{n: n}}, do == 'u'
	case 'x', 'd':
		return []ask{{n: n}, {n: d}}, do == 'd'
	case 'y', 'z':
		return []ask{{n: n, sends: true}, {n: d}}, do == 'z'
	case 'p':
		return []ask{{n: n, sends: true}, {n: n}}, false
	case 'q', 'o':
		return []ask{{n: n, sends: do == 'o'}, {n: n, sends: do == 'o'}}, false
	}
	return []ask{{none: true}, {n: n}}, false
}

// release ends all waits at a channel that was closed, those to receive first.
func (r *room) release(n int) (all []*room) {
	for _, sends := range []bool{false, true} {
		for i, v := range r.wait {
			for _, j := range v.about(n, sends) {
				c := r.copy()
				c.end(i, j, 0, false)
				all = append(all, c.release(n)...)
			}
			if len(all) > 0 {
				return all
			}
		}
	}
	return []*room{r}
}

// next are the states after the next move of an actor.
func (r *room) next(actor int) (all []*room) {
	do, n := r.do(actor), int(r.p[actor][r.at[actor]+1]-'0')
	c := r.copy()
	switch do {
	case 'l':
		c.done(actor, fmt.Sprint(len(c.queue[n])))
		return []*room{c}
	case 'a':
		c.word++
		c.done(actor, fmt.Sprint(c.word))
		return []*room{c}
	case 'c':
		if c.shut[n] {
			c.done(actor, "close of closed channel")
			return []*room{c}
		}
		c.shut[n] = true
		c.done(actor, "")
		return c.release(n)
	}
	asks, fallback := asksOf(do, n)
	for i, a := range asks {
		if r.possible(a) {
			all = append(all, r.make(actor, i, a)...)
		}
	}
	switch {
	case len(all) > 0:
	case fallback:
		c.done(actor, "case-1")
		all = append(all, c)
	default:
		c.wait = append(c.wait, visit{actor, asks})
		all = append(all, c)
	}
	return all
}

func (r *room) enumerate(met map[string]bool, out map[string]int) {
	key := fmt.Sprint(r.at, r.saw, r.queue, r.shut, r.word, r.wait)
	if met[key] {
		return
	}
	met[key] = true
	over := true
	for actor := range r.p {
		waits := slices.ContainsFunc(r.wait, func(v visit) bool { return v.actor == actor })
		if !waits && r.at[actor] < len(r.p[actor]) {
			over = false
			for _, c := range r.next(actor) {
				c.enumerate(met, out)
			}
		}
	}
	if over {
		var left []int
		for i := range r.queue {
			left = append(left, len(r.queue[i]))
		}
		out[fmt.Sprint(r.saw, left, r.word)]++
	}
}

// outcomes are those that the enumeration finds.
func (p talk) outcomes() map[string]int {
	r := &room{p: p, at: make([]int, len(p)), saw: make([]string, len(p))}
	out := map[string]int{}
	r.enumerate(map[string]bool{}, out)
	return out
}
