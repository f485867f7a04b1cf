package model

// The clients: they run a program of adds and gets, and any of them may die (Hopscotch.tla).

func (m *Machine) clientCall(s, next *State, t int) moves {
	x := m.op(s, t)
	next.busy[t-1] = x
	next.seen[t-1] = m.bits[s.contents[x.K]]
	next.out[t-1] = Out{R: NoResult}
	md := modeGet
	if x.Op == OpAdd {
		md = modeAdd
	}
	return one(startSearch(s.loc[t-1], md, x.K, 0))
}

func (m *Machine) clientReturn(s, next *State, t int) moves {
	l := s.loc[t-1]
	next.busy[t-1] = Op{}
	next.seen[t-1] = 0
	next.done &^= bit(t)
	next.out[t-1] = Out{l.p.t.St, l.p.t.C}
	i := l.i + 1
	l = noLocal
	l.i = i
	return one(l)
}

// Crash returns the state in which the actor has died, and whether it may die in s. What the
// dead one knew is forgotten: it is of no consequence to anybody.
func (m *Machine) Crash(s *State, actor int) (State, bool) {
	if m.crashGuard(s, actor) != "" {
		return State{}, false
	}
	next := *s
	next.dead |= bit(actor)
	next.loc[actor-1] = noLocal
	next.loc[actor-1].pc = pcDead
	return next, true
}

// effect is the instant at which the operation of actor u takes effect.
func (m *Machine) effect(next *State, u int) {
	x := next.busy[u-1]
	if x.K != 0 {
		next.contents[x.K] = x.V
	}
	next.done |= bit(u)
	for t := 0; t < m.actors; t++ {
		if next.busy[t].K == x.K {
			next.seen[t] |= m.bits[x.V]
		}
	}
}
