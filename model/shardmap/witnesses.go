package shardmap

// Witnesses are claims that must be violated: that the race of a state does not happen.
func Witnesses() []Property { return append([]Property(nil), witnesses...) }

// at counts the actors that stand before an action.
func (m *Machine) at(s *State, pc Action) (n int) {
	for a := range m.Actors() {
		if s.Loc[a].PC == pc {
			n++
		}
	}
	return n
}

// doing tells whether an actor has an operation of the kind in progress.
func (m *Machine) doing(s *State, a int, kind Kind) bool {
	l := &s.Loc[a]
	return l.Depth > 0 && m.op(a, l).Kind == kind
}

// overtaken tells whether somebody is about to erase a key that has been put since it was collected, in an
// operation of the kind.
func (m *Machine) overtaken(s *State, kind Kind) bool {
	for a := range m.Actors() {
		if l := &s.Loc[a]; l.PC == ShardChange && m.doing(s, a, kind) {
			for i, version := range l.top().Todo {
				if version != 0 && s.Map[i].Version > version {
					return true
				}
			}
		}
	}
	return false
}

// gaveUp tells whether a cleanup that only tries has given up.
func (m *Machine) gaveUp(s *State) bool {
	for a := range m.Actors() {
		if s.Loc[a].PC == ClientReturn && m.doing(s, a, TryCleanup) && s.Loc[a].top().Next == 0 {
			return true
		}
	}
	return false
}

// any tells whether an actor stands before an action, and something holds of it.
func (m *Machine) any(s *State, pc Action, is func(a int, l *Local) bool) bool {
	for a := range m.Actors() {
		if l := &s.Loc[a]; l.PC == pc && is(a, l) {
			return true
		}
	}
	return false
}

func never(name string, seen func(m *Machine, s *State) bool) Property {
	return Property{Name: "No" + name, State: func(m *Machine, s *State) bool { return !seen(m, s) }}
}

var witnesses = []Property{
	never(m01, func(m *Machine, s *State) bool {
		return m.at(s, ReadRetreat) > 0 && m.at(s, ShardChange) > 0
	}),
	never(m02, func(m *Machine, s *State) bool {
		return m.at(s, ReadWait) > 0 && m.at(s, ShardLook) > 0 && m.at(s, WriteDrain) > 0
	}),
	never(m03, func(m *Machine, s *State) bool { return m.at(s, ReadLeave) > 1 && m.at(s, WriteDrain) > 0 }),
	never(m04, func(m *Machine, s *State) bool { return m.at(s, ShardChange) > 0 && m.at(s, WriteWait) > 0 }),
	never(m05, func(m *Machine, s *State) bool {
		return m.any(s, ReadRetreat, func(_ int, l *Local) bool {
			return !m.writerIn(s.Lock[l.top().Shard-1])
		})
	}),
	never(m06, func(m *Machine, s *State) bool {
		return m.any(s, ReadLeave, func(_ int, l *Local) bool { return l.top().N != 0 }) &&
			m.any(s, WriteDrain, func(a int, _ *Local) bool { return m.doing(s, a, Invalidate) })
	}),
	never(m07, func(m *Machine, s *State) bool { return m.overtaken(s, GetFunc) }),
	never(m08, func(m *Machine, s *State) bool { return m.overtaken(s, Cleanup) }),
	never(m09, func(m *Machine, s *State) bool {
		return len(m.cleaners(s)) > 0 && m.at(s, CleanupWait) > 0 && m.gaveUp(s)
	}),
	never(m10, func(m *Machine, s *State) bool { return s.Cursor < m.p.Cursor && m.at(s, CleanupWait) > 0 }),
	never(m11, func(m *Machine, s *State) bool {
		for a := range m.Actors() {
			if m.doing(s, a, Size) {
				if f := s.Loc[a].top(); f.Counted == 1 && f.Counts[0] != m.count(s, 1) {
					return true
				}
			}
		}
		return false
	}),
	never(m12, func(m *Machine, s *State) bool {
		return m.any(s, WriteWait, func(a int, _ *Local) bool { return m.doing(s, a, InvalidateIf) }) &&
			m.any(s, WriteLeave, func(a int, _ *Local) bool { return m.doing(s, a, Put) })
	}),
	never(m13, func(m *Machine, s *State) bool { return m.overtaken(s, FullCleanup) && m.gaveUp(s) }),
	never(m14, func(m *Machine, s *State) bool {
		return m.at(s, ShardLook) > 1 &&
			m.any(s, ShardLook, func(_ int, l *Local) bool { return l.Depth == 2 })
	}),
}
