package control

// all calls f with each call of the program, as long as f holds, and with its result if it has returned.
func (m *Machine) all(s *State, f func(c *Call, r *Result) bool) bool {
	for a, calls := range m.p.Calls {
		for n := range calls {
			var r *Result
			if n < int(s.out[a].n) {
				r = &s.out[a].item[n]
			}
			if !f(&calls[n], r) {
				return false
			}
		}
	}
	return true
}

// lastAt is the latest instant of a call, and units are those of all.
func (m *Machine) lastAt() (last, units uint8) {
	for _, calls := range m.p.Calls {
		for _, c := range calls {
			last = max(last, c.At)
			units += c.Units
		}
	}
	return last, units
}

// neverBelow: a cell is never below the bucket that is fed with all charges of it.
func neverBelow(m *Machine, s *State) bool {
	for i := range m.p.Cells {
		if s.Level[i] < s.fed[i] {
			return false
		}
	}
	return true
}

// bounded: a cell is never above all that was asked for, and drains within the time of levelMost.
func bounded(m *Machine, s *State) bool {
	last, units := m.lastAt()
	for i := range m.p.Cells {
		if x := s.Level[i]; x > last+levelMost || x > max(m.p.Full, last)+units {
			return false
		}
	}
	return true
}

// cellOf tells whether an identity has a cell, from 0.
func cellOf(id, cell uint8) bool {
	for row := uint8(1); row <= Rows; row++ {
		if CellOf(id, row) == cell+1 {
			return true
		}
	}
	return false
}

// chargesMade: what was charged by calls that have returned is in each row. From any instant on a cell has
// the charges of this instant and later ones.
func chargesMade(m *Machine, s *State) bool {
	for i := range m.p.Cells {
		lawful := m.all(s, func(from *Call, _ *Result) bool {
			var units uint8
			m.all(s, func(c *Call, r *Result) bool {
				if r != nil && r.Kind != Denied && c.At >= from.At && cellOf(c.N, i) {
					units += c.Units
				}
				return true
			})
			return units == 0 || s.Level[i] >= from.At+min(units, levelMost)
		})
		if !lawful {
			return false
		}
	}
	return true
}

// rises: no charge lowers a cell.
func rises(m *Machine, prev, next *State) bool {
	for i := range m.p.Cells {
		if next.Level[i] < prev.Level[i] {
			return false
		}
	}
	return true
}

// once: an offence counts once, whoever sees it.
func once(m *Machine, s *State) bool {
	for i := range m.p.Cells {
		if s.Penalty[i].N > m.p.Crimes {
			return false
		}
	}
	return true
}

// longer: no mark shortens a penalty.
func longer(m *Machine, prev, next *State) bool {
	for i := range m.p.Cells {
		if next.Penalty[i].End < prev.Penalty[i].End {
			return false
		}
	}
	return true
}

// kept: who was told to wait until some instant finds this penalty in all rows.
func kept(m *Machine, s *State) bool {
	return m.all(s, func(c *Call, r *Result) bool {
		if r == nil || r.Kind != Suspected {
			return true
		}
		for row := uint8(1); row <= Rows; row++ {
			if s.Penalty[CellOf(c.N, row)-1].End < r.A {
				return false
			}
		}
		return true
	})
}

// penaltyBounded: a penalty ends as soon as the offences say, or as the bucket has drained.
func penaltyBounded(m *Machine, s *State) bool {
	last, _ := m.lastAt()
	for i := range m.p.Cells {
		if s.Penalty[i].End > last+max(wait(max(m.p.Crimes, 1)), levelMost-Burst) {
			return false
		}
	}
	return true
}

// admitted: what is admitted of one identity is what the bucket has room for, and one unit for each other
// actor that takes at the same time.
func admitted(m *Machine, s *State) bool {
	taken, takes := 0, true
	m.all(s, func(c *Call, r *Result) bool {
		takes = takes && c.Op == OpTake
		if r != nil && r.Kind == Taken {
			taken += int(r.A)
		}
		return true
	})
	last, _ := m.lastAt()
	return !takes || taken <= Burst-int(m.p.Full)+int(last)+len(m.p.Calls)-1
}
