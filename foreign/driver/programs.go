package driver

import (
	"errors"
	"fmt"
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

// Limits of programs that are drawn.
const (
	mostDrawn = 200 // programs, without a time given by the user

	// The calls that an actor may have more than two, when hardly any new program with two can be drawn. More
	// actors have far more orders of their calls.
	mostLonger, mostLongerOfMany = 2, 1

	longerBefore = 2 // calls before, for each call that an actor has more
)

// drawnPrograms explores programs that are drawn, and, if the user has given a time and it is not over when
// hardly any new one can be drawn, longer ones.
func (s *subject) drawnPrograms(states [][]*Invocation, out *Report) error {
	fmt.Fprintf(s.notice, "exploring programs that are drawn from the seed %d\n", s.seed)
	r := rand.New(rand.NewPCG(s.seed, 0))
	most, known := 0, map[string]bool{}
	if s.timeGiven {
		if most = mostLonger; s.actors > DefaultActors {
			most = mostLongerOfMany
		}
	}
	for longer := range most + 1 {
		t := &tour{subject: s, name: "drawn", longer: longer > 0}
		if longer > 0 {
			t.name = fmt.Sprintf("drawn, up to %d calls each", 2+longer)
			fmt.Fprintf(s.notice, "exploring %s\n", t.name)
		}
		before := len(known)
		rare := func(tries int) bool { return tries >= 20+4*(len(known)-before) }
		tries := 0
		for ; t.goesOn() && !rare(tries) && (s.timeGiven || len(known) < mostDrawn); tries++ {
			p := s.draw(r, states, longer)
			if name := p.name(s.o); !known[name] && s.keepsRoles(p) {
				known[name] = true
				err := t.explore(p, out)
				if h, hung := errors.AsType[hangs](err); hung && t.longer {
					s.leftOut = append(s.leftOut, "longer programs: "+h.Error())
					t.end(out)
					return nil // nothing can be explored beside it, but what was is worth a report
				}
				if err != nil {
					return err
				}
			}
		}
		t.left = 0 // there is no end to the programs that can be drawn
		if t.end(out); !t.goesOn() || !rare(tries) || t.row.Programs == 0 {
			return nil
		}
	}
	s.allDrawn = len(failing(*out)) == 0 // else programs with methods that fail were not explored
	return nil
}

// draw makes a random program: some actors with one or two calls each, after the calls of one of the states
// and, in every second program, one more call. A longer one may have so many calls more of each actor, and
// some before.
func (s *subject) draw(r *rand.Rand, states [][]*Invocation, longer int) objectProgram {
	methods := s.chosen()
	one := func() *Invocation {
		calls := methods[r.IntN(len(methods))].Calls
		return &calls[r.IntN(len(calls))]
	}
	p := objectProgram{maker: s.maker, setup: slices.Clone(states[r.IntN(len(states))])}
	for range r.IntN(2 + longerBefore*longer) {
		p.setup = append(p.setup, one())
	}
	for range 2 + r.IntN(s.actors-1) {
		var calls []*Invocation
		for range 1 + r.IntN(2+longer) {
			calls = append(calls, one())
		}
		p.actors = append(p.actors, calls)
	}
	return p
}
