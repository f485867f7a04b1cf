package model

// The clients: they run a program, and any of them may die (Hopscotch.tla).

func (m *Machine) clientCall(s, next *State, t int) moves {
	x := m.op(s, t)
	next.busy[t-1] = x
	next.seen[t-1] = m.bits[s.contents[x.K]]
	if x.Op.ofTicket() {
		return ticketBegins(s.loc[t-1], x.Op)
	}
	next.out[t-1] = Out{R: NoResult}
	l := s.loc[t-1]
	l.tk = ticket{}
	begins := m.again(s, t, l)
	if eitherFirst(modeOf[x.Op]) {
		l := begins.at[0]
		l.half = 1
		begins.at[1], begins.n = startSearch(l, modeOf[x.Op], x.K, 1), 2
	}
	return begins
}

// eitherFirst: a get, a lookup or an update looks into either half first; half 1 is kept in half, which is
// an add's otherwise. Who has helped begins with half 0.
func eitherFirst(x mode) bool { return x == modeGet || x == modeUpdate || x == modeLookup }

func firstHalf(l local) uint8 {
	if eitherFirst(l.s.mode) && l.half == 1 {
		return 1
	}
	return 0
}

func halfAfterHelp(l local) uint8 {
	if eitherFirst(l.s.mode) {
		return noHalf
	}
	return l.half
}

func (m *Machine) clientReturn(s, next *State, t int) moves {
	l := s.loc[t-1]
	next.busy[t-1] = Op{}
	next.seen[t-1] = 0
	next.done &^= bit(t)
	next.over &^= bit(t)
	next.out[t-1] = Out{l.p.t.St, l.p.t.C}
	ended := noLocal
	ended.i = l.i + 1
	if next.out[t-1].ticket() != 0 {
		ended.tk = l.tk
	}
	return one(ended)
}

// Crash returns the state in which the actor has died, and whether it may die in s. What the
// dead one knew is forgotten: it is of no consequence to anybody.
func (m *Machine) Crash(s *State, actor int) (State, bool) {
	if pc := s.loc[actor-1].pc; pc == ClientCall || pc == pcDead ||
		deadCount(s) >= m.cfg.MaxCrashes {
		return State{}, false // crashGuard says it in words
	}
	next := *s
	next.dead |= bit(actor)
	next.loc[actor-1] = noLocal
	next.loc[actor-1].pc = pcDead
	return next, true
}

// becomes: the key k has the value v from now on, and whoever is busy with k sees it. When k leaves
// the table, an update of k that is in progress may still have taken effect just before.
func (m *Machine) becomes(next *State, k, v uint8) {
	was := next.contents[k]
	leaves := v == 0 && was != 0
	if k != 0 {
		next.contents[k] = v
	}
	for t := 0; t < m.actors; t++ {
		if x := next.busy[t]; x.K == k {
			next.seen[t] |= m.bits[v]
			if leaves && next.overtaken(t, was) {
				next.over |= bit(t + 1)
			}
		}
	}
}

// overtaken: the operation of the actor after t would change its key, and may count as just before the key
// leaves with this value: an update, or a swap that expects the value.
func (s *State) overtaken(t int, value uint8) bool {
	x := s.busy[t].Op
	return (x == OpUpdate || x == OpSwap && s.out[t].ticket() == value) && s.done&bit(t+1) == 0
}

// effect is the instant at which the operation of actor u takes effect.
func (m *Machine) effect(next *State, u int) {
	x := next.busy[u-1]
	m.becomes(next, x.K, x.V)
	next.done |= bit(u)
}

// effectFor is the same, and the key k, another one, leaves in the same instant.
func (m *Machine) effectFor(next *State, u int, k uint8) {
	x, was := next.busy[u-1], next.contents[k]
	next.contents[x.K], next.contents[k] = x.V, 0
	for t := 0; t < m.actors; t++ {
		switch y := next.busy[t]; {
		case y.K == x.K:
			next.seen[t] |= m.bits[x.V]
		case y.K == k:
			next.seen[t] |= m.bits[0]
			if next.overtaken(t, was) {
				next.over |= bit(t + 1)
			}
		}
	}
	next.done |= bit(u)
}

// free: the value has left the table, and belongs to the owner of the operation.
func (m *Machine) free(next *State, value uint8) {
	if at := 2 * m.index[value]; value != 0 && next.freed>>at&3 < 2 {
		next.freed += 1 << at
	}
}
