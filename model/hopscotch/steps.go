package model

import "fmt"

// The properties of a step.
const (
	P1VersionsGrow    = "P1VersionsGrow"
	P2GenerationsGrow = "P2GenerationsGrow"
	P3LostStaysOut    = "P3LostStaysOut"
	P4OldestLeaves    = "P4OldestLeaves"
	P5MovesAway       = "P5MovesAway"
	P8RoomFirst       = "P8RoomFirst"
	P9RestoreFinishes = "P9RestoreFinishes"
	RefinesMap        = "RefinesMap"
)

const (
	stepP1 = iota
	stepP2
	stepP3
	stepP4
	stepP5
	stepP8
	stepP9
	stepMap
	stepPropertyCount
)

var stepProperties = [stepPropertyCount]string{
	P1VersionsGrow, P2GenerationsGrow, P3LostStaysOut, P4OldestLeaves, P5MovesAway,
	P8RoomFirst, P9RestoreFinishes, RefinesMap,
}

// CheckStep returns every property of a step that the step from prev to next violates, as
// "name: detail". Action and actor are only named.
func (m *Machine) CheckStep(prev, next *State, action string, actor int) []string {
	var bad []string
	check := func(property int, detail string) {
		if detail != "" && m.checkedBy[property] {
			bad = append(bad, fmt.Sprintf("%s: %s of actor %d: %s", stepProperties[property],
				action, actor, detail))
		}
	}
	if prev.w1 != next.w1 {
		check(stepP1, m.each(func(a addr) string { return m.versionGrows(prev, next, a) }))
		if m.oneWriter {
			check(stepP4, m.each(func(a addr) string { return m.oldestLeaves(prev, next, a) }))
			check(stepP8, m.each(func(a addr) string { return m.roomFirst(prev, next, a) }))
		}
	}
	if prev.w0 != next.w0 {
		check(stepP2, m.each(func(a addr) string { return generationGrows(prev, next, a) }))
		check(stepP3, m.each(func(a addr) string { return lostStaysOut(prev, next, a) }))
	}
	if prev.desc != next.desc {
		check(stepP5, m.movesAway(prev, next))
	}
	for t := 1; t <= m.actors; t++ {
		if prev.busy[t-1].Op == OpRestore {
			check(stepP9, m.restoreFinishes(prev, next, t))
		}
	}
	check(stepMap, m.refines(prev, next))
	return bad
}

// versionGrows: every change of word 1 but a freeze takes the next version.
func (m *Machine) versionGrows(prev, next *State, a addr) string {
	old, now := prev.at1(a), next.at1(a)
	if *old == *now || now.N == m.nextVersion(old.N) ||
		now.N == old.N && old.Z == 0 && now.Z == 1 {
		return ""
	}
	return fmt.Sprintf("cell %v: %v -> %v", a, old, now)
}

// generationGrows: the generation of a cell that is emptied is its version.
func generationGrows(prev, next *State, a addr) string {
	old, now := prev.at0(a), next.at0(a)
	if *old == *now || now.F != Empty ||
		(old.held() || old.F == Member) && prev.at1(a).N == now.G {
		return ""
	}
	return fmt.Sprintf("cell %v: %v -> %v over %v", a, old, now, prev.at1(a))
}

// lostStaysOut: what is lost is not put into a new place.
func lostStaysOut(prev, next *State, a addr) string {
	old, now := prev.at0(a), next.at0(a)
	if old.F != Claimed || !now.is(Member, Base) || now.K != Lost {
		return ""
	}
	return fmt.Sprintf("cell %v: %v -> %v", a, old, now)
}

// oldestLeaves: an add that evicts takes the live member of its own bucket with the least value, or the
// base if it has no members. "Oldest" is defined only if no other actor changes the members between the
// adder's look and the eviction, so it is checked where only one actor writes. A home cell that is another
// bucket's member is not the own bucket's, and leaves whatever its age.
func (m *Machine) oldestLeaves(prev, next *State, a addr) string {
	w, now := prev.at0(a), next.at1(a)
	d := m.descOf(w, prev)
	if now.N == prev.at1(a).N || w.F != InWork || d.Target.St != Committed {
		return ""
	}
	switch owner := prev.busy[w.R.D-1]; {
	case d.Head.Kind == KindReplace && d.Plan.K != Lost:
		if d.Plan.M != 0 {
			return fmt.Sprintf("cell %v: base %v leaves, and has members", a, d.Plan)
		}
	case d.Head.Kind == KindDrop && d.Pair.K != Lost && owner.Op == OpAdd &&
		m.home(a.h, owner.K) == a:
		for left := d.Plan.M; left != 0; left = left.Without(left.least()) {
			c := m.at(a.h, a.c, left.least())
			if prev.at0(c).K != Lost && prev.at1(c).V < d.Pair.V {
				return fmt.Sprintf("cell %v: member %v leaves, and %v is older with %v",
					a, d.Pair, prev.at0(c), prev.at1(c))
			}
		}
	}
	return ""
}

// roomFirst: an element leaves only for want of room. In neither half does the new key have an empty home
// cell or one that can become empty. Nor does its bucket have a lost base, or a cell in its window that is
// empty or can become empty. Checked where only one actor's program writes: what others empty between the
// look and the eviction nobody can know of.
func (m *Machine) roomFirst(prev, next *State, a addr) string {
	w := prev.at0(a)
	d := m.descOf(w, prev)
	if next.at1(a).N == prev.at1(a).N || w.F != InWork || d.Target.St != Committed ||
		(d.Head.Kind != KindDrop || d.Pair.K == Lost || prev.busy[w.R.D-1].Op != OpAdd) &&
			(d.Head.Kind != KindReplace || d.Plan.K == Lost) {
		return ""
	}
	for h := range uint8(Halves) {
		if k := prev.busy[w.R.D-1].K; m.hasRoom(prev, h, k) {
			return fmt.Sprintf("cell %v: an element leaves by a %v, and half %d has room for key %d", a,
				d.Head.Kind, h, k)
		}
	}
	return ""
}

// hasRoom reports whether key k has a place in half h, or can get one by something lost, or by a member of
// another bucket that can move.
func (m *Machine) hasRoom(s *State, h, k uint8) bool {
	home := m.home(h, k)
	switch x := s.at0(home); {
	case x.F == Empty:
		return true
	case !x.is(Base, InWork):
		return m.yields(s, home, home)
	case x.K == Lost || m.vacant(s, home, 1):
		return true
	}
	for o := uint8(1); o < m.w; o++ {
		if m.yields(s, m.at(h, home.c, o), home) {
			return true
		}
	}
	return false
}

// vacant reports whether the window of a base has an empty cell, from an offset on.
func (m *Machine) vacant(s *State, base addr, from uint8) bool {
	for o := from; o < m.w; o++ {
		if s.at0(m.at(base.h, base.c, o)).F == Empty {
			return true
		}
	}
	return false
}

// vacantOrLost reports whether the window has a cell that is empty, or whose element is lost, from an offset
// on.
func (m *Machine) vacantOrLost(s *State, base addr, from uint8) bool {
	for o := from; o < m.w; o++ {
		if x := s.at0(m.at(base.h, base.c, o)); x.F == Empty || reclaims(*x) {
			return true
		}
	}
	return false
}

// yields reports whether what stands in the cell a can leave it for the bucket at home: a member that is
// lost; one of another bucket that has an empty cell above it in its window, or whose base is lost, so that
// it can take the base's place; or a base that is lost: its cell, or that of a member, is reclaimed.
func (m *Machine) yields(s *State, a, home addr) bool {
	x := s.at0(a)
	if x.F != Member {
		return x.F == Base && x.K == Lost
	}
	base := m.below(a, x.P)
	b := s.at0(base)
	return x.K == Lost || base != home && (m.vacantOrLost(s, base, x.P+1) || b.F == Base && b.K == Lost)
}

// movesAway: a member moves only away from its base. Then only an add that takes effect brings an
// element nearer to its base, and adders that make room cannot keep one another from it for ever.
func (m *Machine) movesAway(prev, next *State) string {
	for t := range m.actors {
		d := &next.desc[t]
		if d.Target != prev.desc[t].Target && d.Target.C != 0 && d.Head.Kind == KindMove &&
			d.Target.C <= d.Source.C {
			return fmt.Sprintf("desc[%d]: %v goes to %v", t+1, d.Source, d.Target)
		}
	}
	return ""
}

// restoreFinishes: a restore leaves the bucket of its key when the base is in no operation, at that instant,
// and does so in both halves.
func (m *Machine) restoreFinishes(prev, next *State, t int) string {
	old, now := &prev.loc[t-1], &next.loc[t-1]
	ends := old.pc != ClientReturn && now.pc == ClientReturn
	a := m.home(old.u.h, prev.busy[t-1].K)
	switch {
	case ends && old.u.h == 0:
		return "it ends without a look at half 1"
	case (ends || old.u.h == 0 && now.u.h == 1) && prev.at0(a).held():
		return fmt.Sprintf("it leaves %v at %v", prev.at0(a), a)
	}
	return ""
}
