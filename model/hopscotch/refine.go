package model

import (
	"fmt"
	"slices"
)

// The atomic map (Map.tla): an operation is called, takes effect at one instant, and returns.
// The history variables of a state are its variables; a step of the table must be a step of it,
// or leave them alone.

// atomic is the state of the atomic map.
type atomic struct {
	contents [MaxKeys + 1]uint8
	busy     [MaxActors]Op
	seen     [MaxActors]uint16
	out      [MaxActors]Out
	done     uint8
	over     uint8
}

func (s *State) atomic() atomic {
	return atomic{s.contents, s.busy, s.seen, s.out, s.done, s.over}
}

// refines returns "" if the step is one of the atomic map, or none; else what it did.
func (m *Machine) refines(prev, next *State) string {
	if prev.done == next.done && prev.over == next.over && prev.seen == next.seen &&
		prev.busy == next.busy && prev.out == next.out && prev.contents == next.contents {
		return ""
	}
	from, to := prev.atomic(), next.atomic()
	for t := 1; t <= m.actors; t++ {
		if m.mayCall(from, to, t) || m.mayDo(from, to, t) || m.maySupersede(from, to, t) ||
			m.mayReturn(prev, to, t) {
			return ""
		}
		for _, k := range m.keys {
			if m.mayDoFor(from, to, t, k) || m.mayEvict(from, to, t, k) {
				return ""
			}
		}
	}
	return "no step of the atomic map: " + m.changes(from, to)
}

func (m *Machine) mayCall(from, to atomic, t int) bool {
	x := to.busy[t-1]
	if from.busy[t-1] != (Op{}) || !m.isOperation(x) {
		return false
	}
	from.busy[t-1] = x
	from.seen[t-1] = m.bits[from.contents[x.K]]
	if !x.Op.ofTicket() {
		from.out[t-1] = Out{R: NoResult}
	}
	return from == to
}

// isOperation: an add, an update and a swap have a value, others have none, all have a key of this
// machine.
func (m *Machine) isOperation(x Op) bool {
	if x.Op == OpIdle || x.Op >= opCount || !slices.Contains(m.keys, x.K) {
		return false
	}
	if x.Op.stores() {
		return x.V != 0 && m.bits[x.V] != 0
	}
	return x.V == 0
}

// put gives the key k the value v in the atomic map; whoever is busy with k sees it.
func (m *Machine) put(a *atomic, k, v uint8) {
	was := a.contents[k]
	a.contents[k] = v
	for u := 0; u < m.actors; u++ {
		if a.busy[u].K != k {
			continue
		}
		a.seen[u] |= m.bits[v]
		if x := a.busy[u].Op; v == 0 && was != 0 && a.done>>u&1 == 0 &&
			(x == OpUpdate || x == OpSwap && a.out[u].ticket() == was) {
			a.over |= 1 << u
		}
	}
}

// ready: the operation of t could take effect now.
func (m *Machine) ready(a *atomic, t int) bool {
	x := a.busy[t-1]
	switch x.Op {
	case OpAdd:
		return a.contents[x.K] == 0
	case OpUpdate, OpDelete:
		return a.contents[x.K] != 0
	case OpSwap, OpDiscard:
		return a.contents[x.K] != 0 && a.contents[x.K] == a.out[t-1].ticket()
	}
	return false
}

func (m *Machine) mayDo(from, to atomic, t int) bool {
	x := from.busy[t-1]
	if from.done&bit(t) != 0 || !m.ready(&from, t) {
		return false
	}
	m.put(&from, x.K, x.V)
	from.done |= bit(t)
	return from == to
}

// mayDoFor: the add of t takes effect, and the key k leaves in the same instant.
func (m *Machine) mayDoFor(from, to atomic, t int, k uint8) bool {
	x := from.busy[t-1]
	if x.Op != OpAdd || from.done&bit(t) != 0 || !m.ready(&from, t) || k == x.K ||
		from.contents[k] == 0 {
		return false
	}
	m.put(&from, k, 0)
	m.put(&from, x.K, x.V)
	from.done |= bit(t)
	return from == to
}

// mayEvict: the add of t has no room for its key, and makes k leave.
func (m *Machine) mayEvict(from, to atomic, t int, k uint8) bool {
	x := from.busy[t-1]
	if x.Op != OpAdd || from.done&bit(t) != 0 || k == x.K || from.contents[k] == 0 {
		return false
	}
	m.put(&from, k, 0)
	return from == to
}

// maySupersede: the update or the swap of t was overtaken by a delete of its key, and counts as just before.
// Its value was there for no time at all, and nobody may have met it.
func (m *Machine) maySupersede(from, to atomic, t int) bool {
	if from.done&bit(t) != 0 || from.over&bit(t) == 0 {
		return false
	}
	from.done |= bit(t)
	return from == to
}

func (m *Machine) mayReturn(prev *State, to atomic, t int) bool {
	r := to.out[t-1]
	if !m.allowed(prev, t, r) {
		return false
	}
	from := prev.atomic()
	from.busy[t-1] = Op{}
	from.seen[t-1] = 0
	from.done &^= bit(t)
	from.over &^= bit(t)
	from.out[t-1] = r
	return from == to
}

// allowed reports whether actor t may be told r now.
func (m *Machine) allowed(s *State, t int, r Out) bool {
	x, seen, done := s.busy[t-1].Op, s.seen[t-1], s.done&bit(t) != 0
	if !r.hasValue() && r.V != 0 {
		return false
	}
	switch r.R {
	case Added:
		return x == OpAdd && done
	case Exists:
		return x == OpAdd && !done && seen != m.bits[0]
	case Full:
		return x == OpAdd && !done
	case Absent:
		return !done && seen&m.bits[0] != 0 &&
			(x == OpGet || x == OpLookup || x == OpUpdate || x == OpDelete)
	case Found:
		return (x == OpGet || x == OpLookup) && r.V != 0 && seen&m.bits[r.V] != 0
	case Same:
		return x == OpStill && r.V != 0 && r.V == s.out[t-1].ticket() && seen&m.bits[r.V] != 0
	case Void:
		return x.ofTicket() && !done
	case Updated:
		if x == OpSwap {
			return done && r.V == s.out[t-1].ticket()
		}
		return x == OpUpdate && done && r.V != 0 && seen&m.bits[r.V] != 0
	case Deleted:
		return x == OpDelete && done
	case Discarded:
		return x == OpDiscard && done && r.V == s.out[t-1].ticket()
	case Tended:
		return x == OpCrop || x == OpRestore
	}
	return false
}

// valueSet returns the values of a set, 0 for no value.
func (m *Machine) valueSet(set uint16) []int {
	list := []int{}
	if set&1 != 0 {
		list = append(list, 0)
	}
	for i, x := range m.values {
		if set>>(i+1)&1 == 1 {
			list = append(list, int(x))
		}
	}
	return list
}

// changes says in words what differs between two states of the atomic map.
func (m *Machine) changes(from, to atomic) string {
	text := ""
	no := func(format string, args ...any) { text += fmt.Sprintf(format, args...) + "; " }
	for _, k := range m.keys {
		if a, b := from.contents[k], to.contents[k]; a != b {
			no("map[%d]: %d -> %d", k, a, b)
		}
	}
	for t := 0; t < m.actors; t++ {
		if a, b := from.busy[t], to.busy[t]; a != b {
			no("busy[%d]: %v -> %v", t+1, a, b)
		}
		if a, b := from.seen[t], to.seen[t]; a != b {
			no("seen[%d]: %v -> %v", t+1, m.valueSet(a), m.valueSet(b))
		}
		if a, b := from.out[t], to.out[t]; a != b {
			no("out[%d]: %v -> %v", t+1, a, b)
		}
		if a, b := from.over>>t&1, to.over>>t&1; a != b {
			no("over[%d]: %d -> %d", t+1, a, b)
		}
		if a, b := from.done>>t&1, to.done>>t&1; a != b {
			no("done[%d]: %d -> %d", t+1, a, b)
		}
	}
	if text == "" {
		return "nothing"
	}
	return text[:len(text)-2]
}
