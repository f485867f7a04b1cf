package owner

// NoneStaysWithTheDead is the claim of MCOwner.tla that must come about: again and again no descriptor
// is a dead owner's, and each actor is at rest, if each of them goes on as long as it can.
const NoneStaysWithTheDead = "NoneStaysWithTheDead"

// comesAbout looks for a run without end that keeps out of such states from some point on, and in
// which each actor makes a step again and again or again and again cannot. Such a run stays in a set of
// states that all reach one another, and the larger the set the fairer it is: so the largest ones are
// looked at. Deaths have an end; none is in such a set.
func (x *explorer) comesAbout() {
	for d := 1; d <= int(x.m.descriptors); d++ {
		x.staysOut(func(s *State) bool { return x.m.Orphan(s, d) })
	}
	for a := range int(x.m.actors) {
		x.staysOut(func(s *State) bool { return !resting(s.Loc[a].PC) })
	}
}

// staysOut finds a fair run that stays for ever in states of which bad is true.
func (x *explorer) staysOut(bad func(s *State) bool) {
	if x.r.Violation != nil {
		return
	}
	c := &components{x: x, bad: make([]bool, len(x.states)), number: make([]uint32, len(x.states)),
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
type components struct {
	x           *explorer
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
func (c *components) search(root uint32) {
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

func (c *components) enter(id uint32) visiting {
	c.next++
	c.number[id], c.low[id] = c.next, c.next
	c.stack = append(c.stack, id)
	return visiting{id: id}
}

// leave takes the component of a state, which is its first one, from the stack, and judges it.
func (c *components) leave(first uint32) {
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
		c.x.r.Violation = c.x.counterexample(first, NoneStaysWithTheDead)
		c.x.r.Exhaustive = false
	}
}

// fair: each actor has a step inside, or a state in which it has none.
func (c *components) fair(members []uint32) bool {
	for a := uint8(1); a <= c.x.m.actors; a++ {
		moves := false
		for _, id := range members {
			can := false
			for _, e := range c.x.steps[id] {
				if e.actor != a || e.action == CallCrash {
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
