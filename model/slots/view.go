package slots

import "github.com/samecycle/samecycle/model/search"

// What the code of the engine is compared with. Actors are numbered from 1.

// At is the action that an actor takes next, when it is awake.
func (m *Machine) At(s *State, actor int) Action { return s.Loc[actor-1].PC }

// Over tells whether an actor takes no step any more.
func (m *Machine) Over(s *State, actor int) bool { return ended(s, actor-1) }

// Asleep tells whether an actor sleeps in the system's wait.
func (m *Machine) Asleep(s *State, actor int) bool { return asleep(s, actor-1) }

// Quiet tells whether an actor has nothing to do: it has ended, or is a service that sleeps.
func (m *Machine) Quiet(s *State, actor int) bool { return m.quiet(s, actor-1) }

// Gone tells whether the process of an actor has died.
func (m *Machine) Gone(s *State, actor int) bool { return m.gone(s, actor-1) }

// Copied is the number of the request that a service has copied.
func (m *Machine) Copied(s *State, actor int) uint8 { return s.Loc[actor-1].copied }

// Number is that of the request of a client's call, from 1.
func Number(actor, call int) uint8 { return number(actor, uint8(call)) }

// Take is the state after an actor's step of that action, or its death, or the end of its sleep; false if it
// cannot take it.
func (m *Machine) Take(s *State, actor int, a Action) (State, bool) {
	return search.Take(m, s, actor, func(x Move) bool { return x.Action == a })
}

// Lacking is the machine without a rule, for canaries. Errors: those of New.
func (m *Machine) Lacking(rule string) (*Machine, error) {
	c := Config{Name: m.c.Name, Program: m.p.Name, Without: []string{rule}}
	lacking, err := New(c)
	if err != nil {
		return nil, err
	}
	lacking.p = m.p
	return lacking, nil
}
