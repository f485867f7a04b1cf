package control

// answers asks of each call that a step ends whether its answer is lawful. The call has begun in prev.
func (m *Machine) answers(prev, next *State, lawful func(c *Call, a int, r Result) bool) bool {
	for a := range m.p.Calls {
		if !goes(prev, next, a) || !is(next, a, ClientReturn) {
			continue
		}
		if c := &m.p.Calls[a][prev.Loc[a].Call-1]; !lawful(c, a, next.Loc[a].res) {
			return false
		}
	}
	return true
}

// heldTold: who is told that it has a lease has one at this step, and who is told that it has none has none.
func heldTold(m *Machine, prev, next *State) bool {
	return m.answers(prev, next, func(c *Call, a int, r Result) bool {
		if c.Op != OpHold && c.Op != OpTurn && c.Op != OpLeave {
			return true
		}
		has := false
		for i := range m.p.Leases {
			has = has || int(next.Lease[i].Owner) == a+1
		}
		return has == (r.Kind == Held)
	})
}

// readTold: who reads a word is told both parameters as they are at one step of the call, the last one.
func readTold(m *Machine, prev, next *State) bool {
	return m.answers(prev, next, func(c *Call, _ int, r Result) bool {
		return c.Op != OpRead || r == Result{Got, prev.Param[c.N-1].A, prev.Param[c.N-1].B}
	})
}

// waitTold: who is told to wait is told so exactly if a penalty holds.
func waitTold(m *Machine, prev, next *State) bool {
	return m.answers(prev, next, func(c *Call, a int, r Result) bool {
		switch {
		case c.Op != OpJudge:
			return true
		case r.Kind == Suspected:
			return mayWait(next, c, r)
		}
		return r.Kind == OK && mayGo(prev, c, &prev.Loc[a])
	})
}

// mayWait: all rows have a penalty until the instant that the caller is told.
func mayWait(next *State, c *Call, r Result) bool {
	for row := uint8(1); row <= Rows; row++ {
		if next.Penalty[CellOf(c.N, row)-1].End < r.A {
			return false
		}
	}
	return r.A > c.At
}

// mayGo: the caller has marked no offence, has found room in its bucket, and has seen a row in which no
// penalty holds.
func mayGo(prev *State, c *Call, l *Local) bool {
	return l.phase == seeing && l.low <= Burst &&
		min(l.q.End, prev.Penalty[CellOf(c.N, l.i)-1].End) <= c.At
}
