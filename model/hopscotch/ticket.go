package model

// What a client does with the ticket of its last lookup (Ticket.tla): it asks whether the ticket still
// holds, or swaps the value if it does. Each reads word 0 of the cell, in which the key must stand, and then
// has one access of word 1.

// void says that the ticket does not hold. The value may be the same: the element has moved, or is about to.
func void(l local) moves { return finish(l, Void, 0) }

func ticketBegins(l local, op OpKind) moves {
	if l.tk == (ticket{}) {
		return void(l)
	}
	return goTo(l, ticketPC(op))
}

// ticketPC is where an operation by a ticket begins.
func ticketPC(op OpKind) ActionID {
	if op == OpDiscard {
		return DiscardLook
	}
	return TicketLook
}

// holdsLive reports whether the key is that of the element in the cell.
func (s *State) holdsLive(a addr, k uint8) bool {
	w := s.at0(a)
	return w.hasKey() && w.K == k
}

func (m *Machine) ticketLook(s, _ *State, t int) moves {
	l, x := s.loc[t-1], m.op(s, t)
	switch {
	case !s.holdsLive(l.tk.at, x.K):
		return void(l)
	case x.Op == OpStill:
		return goTo(l, TicketValue)
	}
	return goTo(l, TicketSwap)
}

// ticketValue: the cell has the key, and may be another one's by now: it was emptied and filled again, or the
// element has another value.
func (m *Machine) ticketValue(s, next *State, t int) moves {
	l, x := s.loc[t-1], m.op(s, t)
	now := *s.at1(l.tk.at)
	if now == l.tk.w {
		return finish(l, Same, now.V)
	}
	next.mark(s.holdsLive(l.tk.at, x.K) && now.Z == 0, markS26StillReuse)
	return void(l)
}

// ticketSwap is the linearization point of a swap that succeeds. If the key was deleted meanwhile, it counts
// as just before the delete, as an update does.
func (m *Machine) ticketSwap(s, next *State, t int) moves {
	l, x := s.loc[t-1], m.op(s, t)
	a, old := l.tk.at, l.tk.w
	if *s.at1(a) != old {
		return void(l)
	}
	*next.at1(a) = m.bumped(old, x.V)
	m.free(next, old.V)
	if s.holdsLive(a, x.K) {
		m.effect(next, t)
	} else {
		next.mark(true, markS25SwapDelete)
		next.done |= bit(t)
	}
	return finish(l, Updated, old.V)
}
