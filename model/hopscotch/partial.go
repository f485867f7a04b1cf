package model

import "slices"

// maxTrail bounds the local steps that are taken in a row. A longer row comes back to itself: its end
// is then searched like any other state.
const maxTrail = 500

// move is one step of a trail.
type move struct {
	actor  uint8
	action ActionID
}

// trail is a row of local steps and the state where it ends.
type trail struct {
	end    State
	moves  []move
	marks  uint32  // of the states on the way
	passed []State // the state after each move; only if they are wanted
}

// follower takes local steps. Each goroutine has its own.
type follower struct {
	m     *Machine
	ahead *foresight
	blind bool // takes whatever changes no other actor's memory for local; for canaries only
	open  []trail
	ends  []trail
	buf   []Successor
}

func newFollower(m *Machine, blind bool) *follower {
	return &follower{m: m, ahead: newForesight(m), blind: blind}
}

// follow takes local steps from s until there is none, and returns where that ends: once, or more often
// if a local step has several outcomes. The trails are valid until the next call, their moves longer.
func (f *follower) follow(s *State, passed bool) []trail {
	f.open, f.ends = append(f.open[:0], trail{end: *s, marks: s.marks}), f.ends[:0]
	for len(f.open) > 0 {
		at := &f.open[len(f.open)-1]
		at.end.marks = 0
		t := f.local(&at.end, len(at.moves))
		if t == 0 {
			f.ends = append(f.ends, *at)
			f.open = f.open[:len(f.open)-1]
			continue
		}
		before := *at
		at.take(t, &f.buf[0], passed)
		for i := 1; i < len(f.buf); i++ {
			other := before
			other.moves, other.passed = slices.Clone(before.moves), slices.Clone(before.passed)
			other.take(t, &f.buf[i], passed)
			f.open = append(f.open, other)
		}
	}
	return f.ends
}

// take adds an outcome of the step of actor t.
func (x *trail) take(t int, y *Successor, passed bool) {
	if x.moves == nil {
		x.moves = make([]move, 0, 16)
	}
	x.moves = append(x.moves, move{uint8(t), y.Action})
	x.end = y.Next
	x.marks |= y.Next.marks
	if passed {
		x.passed = append(x.passed, y.Next)
	}
}

// local returns an actor whose next step is local, and leaves its outcomes in f.buf; 0 if there is none.
func (f *follower) local(s *State, taken int) int {
	if taken >= maxTrail {
		return 0
	}
	for t := 1; t <= f.m.actors; t++ {
		word, access := f.m.Touches(s, t)
		if access == NoAccess {
			continue
		}
		others := f.ahead.of(s, ^bit(t))
		used := others.changed
		if access == Stores {
			used = others.touched
		}
		if used&wordOf(word) != 0 && !f.blind {
			continue
		}
		f.buf = f.m.Step(s, t, f.buf[:0])
		if f.onlyRemembered(s, t) {
			return t
		}
		if access == Stores && !referred(s, t) && f.onlyOwn(s, t) {
			if dead, ok := f.m.Crash(s, t); ok {
				f.buf = append(f.buf, Successor{ClientCrash, dead})
			}
			return t
		}
	}
	return 0
}

// onlyRemembered: the outcomes in f.buf differ from s in what actor t remembers, and nowhere else. The
// actor may die after the step if it may die before.
func (f *follower) onlyRemembered(s *State, t int) bool {
	for i := range f.buf {
		y := &f.buf[i].Next
		l, marks := y.loc[t-1], y.marks
		if l.pc == ClientCall || l.pc == pcDead || l.i != s.loc[t-1].i {
			return false
		}
		y.loc[t-1], y.marks = s.loc[t-1], s.marks
		same := *y == *s
		y.loc[t-1], y.marks = l, marks
		if !same {
			return false
		}
	}
	return true
}

// onlyOwn is the same, but for the actor's own descriptor.
func (f *follower) onlyOwn(s *State, t int) bool {
	for i := range f.buf {
		was := f.buf[i].Next.desc[t-1]
		f.buf[i].Next.desc[t-1] = s.desc[t-1]
		ok := f.onlyRemembered(s, t)
		f.buf[i].Next.desc[t-1] = was
		if !ok {
			return false
		}
	}
	return true
}

// referred: a cell, or what another actor remembers, names the descriptor of actor t. A reference can
// only be copied from one of these.
func referred(s *State, t int) bool {
	other := identity()
	other.actor[t] = 0
	for h := range s.w0 {
		for c := range s.w0[h] {
			if s.w0[h][c] != other.word0(s.w0[h][c]) {
				return true
			}
		}
	}
	for u := range s.loc {
		if u != t-1 && s.loc[u] != other.local(&s.loc[u]) {
			return true
		}
	}
	return false
}
