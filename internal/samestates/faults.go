package samestates

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
	"github.com/samecycle/samecycle/model/search/tla"
)

// MutantsAreRed wants each mutant of the specification to violate the same property in the model, when the
// model has its fault. Those of the words of fairness are none of the model.
func (x *Model[C, M, S, A, F]) MutantsAreRed(t testing.TB) {
	t.Helper()
	mutants := slices.DeleteFunc(x.Mutants(t), func(m tlc.Mutant) bool {
		return slices.Contains(x.Fairness, m.Property)
	})
	MutantsAreRed(t, mutants, x.Faults,
		func(t testing.TB, mutant tlc.Mutant, f F) search.Report[S, A] {
			r := x.Named(t, mutant.Run)
			if mutant.Alone {
				r.Properties = nil
				if p, ok := search.PropertyByName(mutant.Property, x.Properties); ok {
					r.Properties, r.Live = []search.Property[M, S]{p}, ""
				}
			}
			m := x.Machine(t, r)
			x.Spoil(m, f)
			return search.Explore(t.Context(), m, search.Options[M, S, A]{Properties: r.Properties,
				Live: x.live(t, m, r.Live)})
		})
}

// EachIsRed wants each of the states to have a mutant of its own, and each of the properties to be violated
// by a mutant; where runs is set, a run that must fail will do.
func (x *Model[C, M, S, A, F]) EachIsRed(t testing.TB, states, properties []string, runs bool) {
	t.Helper()
	of, violated := map[string]bool{}, map[string]bool{}
	for _, m := range x.Mutants(t) {
		of[m.State], violated[m.Property] = true, true
	}
	if runs {
		for _, r := range x.Manifest(t) {
			violated[r.Property] = true
		}
	}
	for _, state := range states {
		if !of[state] {
			t.Errorf("no mutant is of %s", state)
		}
	}
	for _, name := range properties {
		if !violated[name] {
			t.Errorf("no mutant violates %s", name)
		}
	}
}

// EachRuleHasARun wants each rule that the machine can be without to be one that a run is without.
func (x *Model[C, M, S, A, F]) EachRuleHasARun(t testing.TB, rules []string) {
	t.Helper()
	var lacking []string
	for _, r := range x.Manifest(t) {
		lacking = append(lacking, reflect.ValueOf(r.Config).FieldByName("Without").Interface().([]string)...)
	}
	for _, name := range rules {
		if !slices.Contains(lacking, name) {
			t.Errorf("no run is without the rule %s", name)
		}
	}
}

// OneWord shows by a mutant that SameStates can fail: a fault on one side makes the sets differ, the same
// fault on the other side makes them equal again.
func (x *Model[C, M, S, A, F]) OneWord(t testing.TB, mutant string) {
	t.Helper()
	x.Part.OneWord(t, mutant, tla.ReadStates, func(run string, faulty bool) Set {
		m := x.Machine(t, x.Named(t, run))
		if faulty {
			x.Spoil(m, x.Faults[mutant])
		}
		set, _ := x.states(t, m)
		return set
	})
}

// Visited are all states of a machine, in the order of a search.
func (x *Model[C, M, S, A, F]) Visited(t testing.TB, m M) (states []S) {
	t.Helper()
	search.Explore(t.Context(), m, search.Options[M, S, A]{Visit: func(s *S) { states = append(states, *s) }})
	return states
}

// asked are the properties that the specification is asked of.
func (x *Model[C, M, S, A, F]) asked() []search.Property[M, S] {
	return slices.DeleteFunc(slices.Clone(x.Properties), func(p search.Property[M, S]) bool {
		return slices.Contains(x.Unasked, p.Name)
	})
}

// Judge has the model say of a state and of a step, which no action need make, what properties they violate.
func (x *Model[C, M, S, A, F]) Judge(m M, name string, prev, next S) Judged {
	y := Judged{Name: name, Prev: x.Variables(m, &prev), Next: x.Variables(m, &next)}
	for _, p := range x.asked() {
		switch {
		case p.State != nil:
			if y.Asked = append(y.Asked, p.Name); !p.State(m, &prev) {
				y.Broken = append(y.Broken, p.Name)
			}
		default:
			if y.AskedOfStep = append(y.AskedOfStep, p.Name); !p.Step(m, &prev, &next) {
				y.BrokenByStep = append(y.BrokenByStep, p.Name)
			}
		}
	}
	return y
}

// disagreement tells what the specification, edited, says of the list in a run that the model does not.
func (x *Model[C, M, S, A, F]) disagreement(t testing.TB, jvms *tlc.Machines, r ModelRun[C, M, S],
	list []Judged, edits ...tlc.Edit) string {
	t.Helper()
	return x.Disagreement(t, jvms, r.Entry, ClaimsOf(x.Module, x.asked()), list, edits...)
}

// SameProperties wants the properties of the specification to say what those of the model say of states and
// steps that no action makes, which spoiled returns for each of the runs. A state that keeps the protocol
// violates none of them, whatever they have forgotten to ask. Each property is violated by so many at least.
func (x *Model[C, M, S, A, F]) SameProperties(t testing.TB, runs []string, least int,
	spoiled func(m M) []Judged) {
	t.Helper()
	jvms := Machines(t)
	broken := map[string]int{}
	for _, name := range runs {
		r := x.Named(t, name)
		list := spoiled(x.Machine(t, r))
		for _, y := range list {
			for _, p := range slices.Concat(y.Broken, y.BrokenByStep) {
				broken[p]++
			}
		}
		part(t, name, func(t testing.TB) {
			beside(t)
			if d := x.disagreement(t, jvms, r, list); d != "" {
				t.Error(d)
			}
		})
	}
	for _, p := range x.asked() {
		if broken[p.Name] < least {
			t.Errorf("%s is broken by %d states or steps, want %d", p.Name, broken[p.Name], least)
		}
	}
	t.Log(broken)
}

// ForgetfulDiffer shows that SameProperties can fail: where an edit takes a part of a property of the
// specification out, that one is told to differ.
func (x *Model[C, M, S, A, F]) ForgetfulDiffer(t testing.TB, run string, spoiled func(m M) []Judged,
	edits map[string]tlc.Edit) {
	t.Helper()
	jvms := Machines(t)
	r := x.Named(t, run)
	list := spoiled(x.Machine(t, r))
	for _, property := range slices.Sorted(maps.Keys(edits)) {
		edit := edits[property]
		edit.Module = x.Module
		part(t, property, func(t testing.TB) {
			beside(t)
			if d := x.disagreement(t, jvms, r, list, edit); !strings.Contains(d, property) {
				t.Errorf("%q, want that %s differs", d, property)
			}
		})
	}
}
