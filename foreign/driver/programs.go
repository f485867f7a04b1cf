package driver

import (
	"math/rand/v2"
	"slices"
)

// pairs returns the programs of two actors with one call each, one program for each pair of methods, after
// the calls of the setup. The first argument is the same for both actors. If there are several arguments,
// the last one differs.
func (s *subject) pairs(setup []*Invocation) []objectProgram {
	methods := s.chosen()
	var all []objectProgram
	add := func(a, b *Invocation) {
		if p := (objectProgram{s.maker, setup, [][]*Invocation{{a}, {b}}}); s.keepsRoles(p) {
			all = append(all, p)
		}
	}
	for i, m := range methods {
		for _, n := range methods[i:] {
			add(m.call(m.own(1)...), n.call(n.own(2)...))
			if len(m.Values) == 1 && len(n.Values) == 1 {
				add(m.call(0), n.call(1))
			}
		}
	}
	return all
}

// own returns the arguments of an actor: if there are several, the last one is the actor's own value.
func (m *Method) own(actor int) []int {
	args := make([]int, len(m.Values))
	if len(args) > 1 {
		args[len(args)-1] = actor
	}
	return args
}

// keepsRoles reports whether each method that only one actor may call is called by only one.
func (s *subject) keepsRoles(p objectProgram) bool {
	caller := map[string]int{}
	for i, calls := range p.actors {
		for _, c := range calls {
			name := c.method()
			if before, called := caller[name]; called && before != i && slices.Contains(s.single, name) {
				return false
			}
			caller[name] = i
		}
	}
	return true
}

// chosen returns the methods that the programs call.
func (s *subject) chosen() []*Method {
	var all []*Method
	for i := range s.o.Methods {
		if m := &s.o.Methods[i]; len(s.only) == 0 || slices.Contains(s.only, m.Name) {
			all = append(all, m)
		}
	}
	return all
}

// draw makes a random program: some actors with one or two calls each, after the calls of one of the states
// and, in every second program, one more call.
func (s *subject) draw(r *rand.Rand, states [][]*Invocation) objectProgram {
	methods := s.chosen()
	one := func() *Invocation {
		calls := methods[r.IntN(len(methods))].Calls
		return &calls[r.IntN(len(calls))]
	}
	p := objectProgram{maker: s.maker, setup: slices.Clone(states[r.IntN(len(states))])}
	if r.IntN(2) == 1 {
		p.setup = append(p.setup, one())
	}
	for range 2 + r.IntN(s.actors-1) {
		var calls []*Invocation
		for range 1 + r.IntN(2) {
			calls = append(calls, one())
		}
		p.actors = append(p.actors, calls)
	}
	return p
}
