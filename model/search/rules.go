package search

import (
	"fmt"
	"slices"
	"strings"
)

// Rules are the names of the rules that a run of a machine can be without: 32 at most.
type Rules []string

// Lacking is the set of the rules of those names: bit i is that of the i-th rule. The error names the one
// that is no rule, for the machine and its run.
func (r Rules) Lacking(machine, run string, names []string) (set uint32, err error) {
	for _, name := range names {
		i := slices.Index(r, name)
		if i < 0 {
			return 0, fmt.Errorf("%s: %s: no rule is called %s: choose some of %v", machine, run, name,
				[]string(r))
		}
		set |= 1 << i
	}
	return set, nil
}

// Config are the constants of a run of a machine that has programs and rules.
type Config struct {
	Name    string
	Program string   // the name of what the actors do
	Fair    []int    // the actors that go on; any other may stop anywhere
	Without []string // rules that the run is without
}

// NoProgram is the error that the machine has no program of that name.
func (c Config) NoProgram(machine string) error {
	return fmt.Errorf("%s: %s: no program is called %q: choose one of Programs", machine, c.Name, c.Program)
}

// Check is the set of the rules that the run is without, see Rules.Lacking. The error names the constant that
// is wrong, for a program of so many actors.
func (c Config) Check(machine string, actors int, r Rules) (without uint32, err error) {
	for _, a := range c.Fair {
		if a < 1 || a > actors {
			return 0, fmt.Errorf("%s: %s: Fair has %d: choose 1 to %d", machine, c.Name, a, actors)
		}
	}
	return r.Lacking(machine, c.Name, c.Without)
}

// PropertyByName finds a property in one of the lists.
func PropertyByName[M any, S comparable](name string, lists ...[]Property[M, S]) (Property[M, S], bool) {
	for _, list := range lists {
		for _, p := range list {
			if p.Name == name {
				return p, true
			}
		}
	}
	return Property[M, S]{}, false
}

// WitnessesOf are those of the list whose names are No, the name of the state, and maybe more.
func WitnessesOf[M any, S comparable](state string, list []Property[M, S]) (of []Property[M, S]) {
	for _, w := range list {
		if strings.HasPrefix(w.Name, "No"+state) {
			of = append(of, w)
		}
	}
	return of
}

// Broken is the name of the first property of the list that does not hold of a step, or of the state behind
// it; "" if all hold.
func Broken[M any, S comparable](list []Property[M, S], m M, prev, next *S) string {
	for _, p := range list {
		if p.State != nil && !p.State(m, next) || p.Step != nil && !p.Step(m, prev, next) {
			return p.Name
		}
	}
	return ""
}

// Take is the state after the first step of an actor whose action f reports true for; false if it has none.
func Take[M Machine[S, A], S comparable, A fmt.Stringer](m M, s *S, actor int, f func(a A) bool) (next S,
	ok bool) {
	for _, x := range m.Steps(s, actor, nil) {
		if f(x.Action) {
			return x.Next, true
		}
	}
	return next, false
}
