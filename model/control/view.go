package control

import "github.com/samecycle/samecycle/model/search"

// What the code of the engine is compared with. Actors are numbered from 1.

// At is the action that an actor takes next.
func (m *Machine) At(s *State, actor int) Action { return s.Loc[actor-1].PC }

// Over tells whether an actor takes no step any more.
func (m *Machine) Over(s *State, actor int) bool { return ended(s, actor-1) }

// Place is the number of the word, of the row, or of nothing (0), that the actor's next step is about.
func (m *Machine) Place(s *State, actor int) uint8 {
	l := &s.Loc[actor-1]
	switch l.PC {
	case ParamRead:
		return max(m.calls(actor)[l.Call-1].N, 1)
	case LevelLoad, LevelSwap, PenaltyLoad, PenaltySwap:
		return CellOf(m.calls(actor)[l.Call-1].N, l.i)
	}
	return l.i
}

func (m *Machine) calls(actor int) []Call { return m.p.Calls[actor-1] }

// Take is the state after an actor's step of that action, or its death; false if it cannot take it.
func (m *Machine) Take(s *State, actor int, a Action) (State, bool) {
	return search.Take(m, s, actor, func(x Move) bool { return x.Action == a })
}

// Lacking is the machine without a rule, for canaries. Errors: those of New.
func (m *Machine) Lacking(rule string) (*Machine, error) {
	return newMachine(Config{Name: m.c.Name, Program: m.p.Name, Without: []string{rule}}, m.p)
}
