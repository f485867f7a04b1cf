package control

// callEnds tells whether a step of an actor, from 0, ends its call, or returns.
func callEnds(prev, next *State, a int) bool {
	return goes(prev, next, a) && (is(next, a, ClientCall) || is(next, a, ClientReturn))
}

// heardOnce: a wish is heard once: no more calls hear one than were said.
func heardOnce(_ *Machine, s *State) bool { return s.owed >= 0 }

// lately: a wish is heard, or is seen by somebody who says nothing then, only while one holds that somebody
// has said. One whose time is over is forgotten, and so is a word that is damaged.
func lately(m *Machine, prev, next *State) bool {
	for a := range m.p.Calls {
		l := &prev.Loc[a]
		sees := l.phase == wanting && l.PC != WishSay
		if callEnds(prev, next, a) && (sees || next.Loc[a].heard()) &&
			prev.Clock >= prev.till {
			return false
		}
	}
	return true
}

// wishKept: while a wish holds, it stays as it is until somebody hears it.
func wishKept(_ *Machine, prev, next *State) bool {
	return prev.Wish == next.Wish || !prev.Wish.holds(prev.Clock) || next.Wish == Wish{}
}

// wishHeard: who hears of none, though a wish holds, had seen another one, which somebody else has heard, or
// said anew.
func wishHeard(m *Machine, prev, next *State) bool {
	for a := range m.p.Calls {
		if callEnds(prev, next, a) && (is(prev, a, WishLook) && prev.Wish.holds(prev.Clock) ||
			is(prev, a, WishTake) && prev.Wish == prev.Loc[a].wish) {
			return false
		}
	}
	return true
}
