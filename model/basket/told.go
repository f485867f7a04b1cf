package basket

import (
	"cmp"
	"slices"
)

// abstract is a state of Told.tla: what a client may observe.
type abstract struct {
	store [MaxKeys]int8  // by key: its value, 0 for none
	sus   [MaxKeys]uint8 // by key: 1 for a suspect
	call  [MaxActors]abstractCall
	owed  [MaxActors]debts
	pair  Pair // of the parameters
}

// abstractCall is the operation of an actor that is in progress.
type abstractCall struct {
	call   uint8
	stage  stage
	answer int8
	mark   uint8
	pair   Pair // that it ages by
}

// debts is a set of removals: those that an actor has yet to tell. They are sorted, and behind the end all is
// zero.
type debts struct {
	n    uint8
	item [2 * maxChain * MaxActors]Told
}

func debtsOf(items ...Told) (x debts) {
	slices.SortFunc(items, func(a, b Told) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value))
	})
	x.n = uint8(copy(x.item[:], slices.Compact(items)))
	return x
}

func (x *debts) all() []Told { return x.item[:x.n] }

func (x *debts) and(items ...Told) debts { return debtsOf(append(items, x.all()...)...) }

func (x *debts) without(item Told) debts {
	return debtsOf(slices.DeleteFunc(slices.Clone(x.all()), func(y Told) bool { return y == item })...)
}

// chainOf are the refs that a ref leads to, itself the first one. A chain is bounded: what is longer was
// torn.
func (m *Machine) chainOf(s *State, ref uint8) (refs []uint8) {
	for len(refs) <= len(m.p.Hashes) && ref != 0 {
		refs = append(refs, ref)
		ref = s.rec(ref).Next
	}
	return refs
}

// chain are the refs that the index leads to for a hash.
func (m *Machine) chain(s *State, hash uint8) []uint8 { return m.chainOf(s, s.Word[hash-1].Ref) }

// abstraction is the mapping of Refinement.tla.
func (m *Machine) abstraction(s *State) (x abstract) {
	x.pair = s.Pair
	for i, h := range m.p.Hashes {
		for _, ref := range m.chain(s, h) {
			if r := s.rec(ref); int(r.Key) == i+1 {
				x.store[i], x.sus[i] = valueOf(r.Low, r.High), r.Suspect
				break
			}
		}
	}
	for a := range m.clients() {
		l := &s.Loc[a]
		x.call[a] = abstractCall{l.Call, l.stage, l.answer, l.mark, Pair{}}
		if m.inTend(s, a) && l.Pair.High != 0 {
			x.call[a].pair = l.Pair
		}
		if m.helped(s, a) {
			x.call[a].stage = done
		}
		x.owed[a] = debtsOf(append(m.inHand(s, a), l.owed.all()...)...)
	}
	return x
}

// inHand is what is in the hand of an actor, from 0: it is owed as the memory has it.
func (m *Machine) inHand(s *State, a int) (owed []Told) {
	for _, ref := range m.chainOf(s, s.Hand[a]) {
		r := s.rec(ref)
		owed = append(owed, Told{r.Key, valueOf(r.Low, r.High)})
	}
	return owed
}

// inTend tells whether an actor, from 0, is within a call that ages by the parameters.
func (m *Machine) inTend(s *State, a int) bool {
	l := &s.Loc[a]
	return l.stage == opened && int(l.Call) <= len(m.p.Calls[a]) && m.op(s, a).Kind == Tend
}

// helped tells whether somebody else has flipped what the actor has installed.
func (m *Machine) helped(s *State, a int) bool {
	f := &s.Loc[a].frame
	return s.Loc[a].PC == IndexFlip && f.record == 1 && int(s.Pending[f.hash-1].Owner) != a+1
}

// toldRefined: what a client may observe changes by a step of Told.tla only.
func toldRefined(m *Machine, prev, next *State) bool {
	was, is := m.abstraction(prev), m.abstraction(next)
	if was == is {
		return true
	}
	for a := range m.clients() {
		if m.calls(was, is, a) || m.removes(was, is, a) || m.tells(was, is, a) {
			return true
		}
	}
	return false
}

// calls tells whether the step is one of an actor's operation: its beginning, its effect, its return.
func (m *Machine) calls(was, is abstract, a int) bool {
	c := &was.call[a]
	if int(c.call) > len(m.p.Calls[a]) {
		return false
	}
	o := m.p.Calls[a][c.call-1]
	x := was
	switch {
	case c.stage == idle:
		x.call[a] = abstractCall{call: c.call, stage: opened}
	case c.stage == opened && o.Kind == Tend && is.call[a].stage == opened:
		x.call[a].pair = x.pair // it goes by the pair that there is
	case c.stage == done, o.Kind.Service():
		x.call[a] = abstractCall{call: c.call + 1}
		return was.owed[a].n == 0 && x == is
	default:
		x.call[a] = abstractCall{call: c.call, stage: done}
		if o.Kind == Tune {
			x.pair = x.pair.Changed(o.Pair)
			break
		}
		effect := x.call[a]
		value, suspect := &x.store[o.Key-1], &x.sus[o.Key-1]
		switch {
		case o.Kind == Mark && is.call[a] == effect: // it was lost
		case o.Kind == Mark:
			effect.answer, *suspect = *value, o.Value
			if *value == 0 {
				return false
			}
		case o.Kind == Get:
			effect.answer, effect.mark = *value, *suspect
		case o.Kind == Set:
			*value, *suspect = int8(o.Value), 0
		case *value != 0:
			*value, *suspect, effect.answer = 0, 0, 1
		}
		x.call[a] = effect
	}
	return x == is
}

// removes tells whether entries go because somebody wants their room, who owes the telling.
func (m *Machine) removes(was, is abstract, a int) bool {
	x := was
	var gone []Told
	for i, value := range was.store {
		if is.store[i] != value {
			x.store[i], x.sus[i] = 0, 0
			gone = append(gone, Told{uint8(i + 1), value})
		}
	}
	x.owed[a] = x.owed[a].and(gone...)
	return len(gone) > 0 && int(was.call[a].call) <= len(m.p.Calls[a]) && m.mayRemove(&was.call[a], a) &&
		x == is
}

// mayRemove: who ages by a pair evicts only if that says so.
func (m *Machine) mayRemove(c *abstractCall, a int) bool {
	return m.p.Calls[a][c.call-1].Kind != Tend ||
		m.p.tiers() == 1 && c.pair != (Pair{}) && !c.pair.Compacts()
}

// tells tells whether an actor tells a removal, or takes over what another one owes.
func (m *Machine) tells(was, is abstract, a int) bool {
	for _, item := range was.owed[a].all() {
		x := was
		if x.owed[a] = x.owed[a].without(item); x == is {
			return true
		}
	}
	for b := range m.clients() {
		x := was
		if b == a || was.owed[b].n == 0 {
			continue
		}
		x.owed[a], x.owed[b] = x.owed[a].and(was.owed[b].all()...), debts{}
		if x == is {
			return true
		}
	}
	return false
}

// toldOnce: an actor owes what leaves in its own step, each removal once; it tells the first of what it owes,
// one in a step, and forgets none.
func toldOnce(m *Machine, prev, next *State) bool {
	for a := range m.clients() {
		was, is := prev.Loc[a], next.Loc[a]
		is.frame.basket ^= (was.frame.basket ^ is.frame.basket) & stepped
		switch {
		case was.PC == WalkTell:
			if was != is && (was.owed.len() == 0 || is.owed != was.owed.tail()) {
				return false
			}
		case was.owed != is.owed:
			leaves := m.leaves(prev, next)
			if was.owed.len() != 0 || is.owed.len() != int(leaves.n) ||
				debtsOf(slices.Clone(is.owed.all())...) != leaves {
				return false
			}
		}
	}
	return true
}

// leaves are the removals of a step: what the index does not lead to any more, and what was in a hand.
func (m *Machine) leaves(prev, next *State) debts {
	was, is := m.abstraction(prev), m.abstraction(next)
	var gone []Told
	for i, value := range was.store {
		if is.store[i] != value {
			gone = append(gone, Told{uint8(i + 1), value})
		}
	}
	for a := range m.clients() {
		if prev.Hand[a] != next.Hand[a] {
			gone = append(gone, m.inHand(prev, a)...)
		}
	}
	return debtsOf(gone...)
}
