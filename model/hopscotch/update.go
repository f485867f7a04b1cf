package model

// Update and delete: one compare-and-swap each on what a search found (Update.tla).

// matched is the cell that the search matched, the base or a member, and what it saw there.
func (m *Machine) matched(l *local) (addr, Word0, Word1) {
	if l.s.mw == (Word0{}) {
		return m.searchHome(l), l.s.b, l.s.v
	}
	return m.searchMemberCell(l), l.s.mw, l.s.mv
}

// updateSwap is the linearization point of an update. The old value belongs to whoever wins. If the
// key was deleted meanwhile, the update counts as just before the delete.
func (m *Machine) updateSwap(s, next *State, t int) moves {
	l, x := s.loc[t-1], m.op(s, t)
	a, _, old := m.matched(&l)
	live := s.holdsLive(a, x.K)
	if *s.at1(a) != old || old.Z == 1 {
		next.mark(m.busyWith(s, t, OpUpdate) && live && s.at1(a).Z == 0, markS19UpdateSameKey)
		return restart(l)
	}
	*next.at1(a) = m.bumped(old, x.V)
	m.free(next, old.V)
	if live {
		m.effect(next, t)
	} else {
		next.done |= bit(t) // it counts as just before the delete that it has met
	}
	return finish(l, Updated, old.V)
}

// deleteSwap is the linearization point of a delete: the key is lost. A crop reclaims the cell.
func (m *Machine) deleteSwap(s, next *State, t int) moves {
	l, x := s.loc[t-1], m.op(s, t)
	a, old, _ := m.matched(&l)
	w := s.at0(a)
	var addOfKey, deleteOfKey, deleteOfOther bool
	for u := 0; u < m.actors; u++ {
		if other := s.busy[u]; u != t-1 {
			addOfKey = addOfKey || other.Op == OpAdd && other.K == x.K
			deleteOfKey = deleteOfKey || other.Op == OpDelete && other.K == x.K
			deleteOfOther = deleteOfOther || other.Op == OpDelete && other.K != x.K
		}
	}
	if *w != old {
		next.mark(deleteOfKey && w.is(Base, Member) && w.K == Lost, markS23DeleteSameKey)
		return restart(l)
	}
	next.mark(addOfKey, markS08AddEmptyDelete)
	next.mark(deleteOfOther, markS20DeleteMembers)
	next.at0(a).K = Lost
	m.effect(next, t)
	return finish(l, Deleted, 0)
}
