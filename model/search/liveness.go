package search

import "fmt"

// comesAbout looks for a run without end that stays in bad states from some point on, and in
// which each actor makes a fair step again and again or again and again cannot. Such a run stays in a set of
// states that all reach one another, and the larger the set the fairer it is: so the largest ones are
// looked at.
func (x *explorer[M, S, A]) comesAbout() {
	for _, bad := range x.o.Live.Bad {
		x.staysOut(bad)
	}
}

// staysOut finds a fair run that stays for ever in states of which bad is true.
func (x *explorer[M, S, A]) staysOut(bad func(s *S) bool) {
	if x.r.Violation != nil {
		return
	}
	c := &components[M, S, A]{x: x, bad: make([]bool, len(x.states)), number: make([]uint32, len(x.states)),
		low: make([]uint32, len(x.states)), of: make([]uint32, len(x.states))}
	for id := range x.states {
		c.bad[id] = bad(&x.states[id])
	}
	for id := range x.states {
		if c.bad[id] && c.number[id] == 0 {
			c.search(uint32(id))
		}
		if x.r.Violation != nil {
			return
		}
	}
}

// components are the strongly connected components of the bad states, by Tarjan's search.
type components[M Machine[S, A], S comparable, A fmt.Stringer] struct {
	x           *explorer[M, S, A]
	bad         []bool
	number, low []uint32 // order of discovery, from 1
	of          []uint32 // component, from 1; 0 while a state is on the stack
	next        uint32
	count       uint32
	stack       []uint32
}

// visiting is a state whose steps up to at have been followed.
type visiting struct {
	id uint32
	at int
}

// search goes through what is reached from a state; without recursion, since paths are long.
func (c *components[M, S, A]) search(root uint32) {
	work := []visiting{c.enter(root)}
	for len(work) > 0 && c.x.r.Violation == nil {
		v := &work[len(work)-1]
		if v.at < len(c.x.steps[v.id]) {
			to := c.x.steps[v.id][v.at].to
			v.at++
			switch {
			case !c.bad[to]:
			case c.number[to] == 0:
				work = append(work, c.enter(to))
			case c.of[to] == 0:
				c.low[v.id] = min(c.low[v.id], c.number[to])
			}
			continue
		}
		id := v.id
		work = work[:len(work)-1]
		if len(work) > 0 {
			up := work[len(work)-1].id
			c.low[up] = min(c.low[up], c.low[id])
		}
		if c.low[id] == c.number[id] {
			c.leave(id)
		}
	}
}

func (c *components[M, S, A]) enter(id uint32) visiting {
	c.next++
	c.number[id], c.low[id] = c.next, c.next
	c.stack = append(c.stack, id)
	return visiting{id: id}
}

// leave takes the component of a state, which is its first one, from the stack, and judges it.
func (c *components[M, S, A]) leave(first uint32) {
	c.count++
	at := len(c.stack) - 1
	for c.stack[at] != first {
		at--
	}
	members := c.stack[at:]
	c.stack = c.stack[:at]
	for _, id := range members {
		c.of[id] = c.count
	}
	if c.fair(members) {
		c.x.r.Violation = c.x.counterexample(first, c.x.o.Live.Name)
		c.x.r.Exhaustive = false
	}
}

// fair: each actor has a step inside, or a state in which it has none.
func (c *components[M, S, A]) fair(members []uint32) bool {
	for a := uint8(1); int(a) <= c.x.m.Actors(); a++ {
		moves := false
		for _, id := range members {
			can := false
			for _, e := range c.x.steps[id] {
				if e.actor != a || !c.x.o.Live.Fair(e.action) {
					continue
				}
				can = true
				moves = moves || c.bad[e.to] && c.of[e.to] == c.count
			}
			moves = moves || !can
		}
		if !moves {
			return false
		}
	}
	return true
}
