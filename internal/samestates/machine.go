package samestates

import (
	"flag"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
	"github.com/samecycle/samecycle/model/search/tla"
)

var every = flag.Bool("every", false, "compare the states of all runs with TLC's")

// Fault changes what an actor can do next.
type Fault[M any, S comparable, A fmt.Stringer] = func(m M, s *S, actor int,
	steps []search.Step[S, A]) []search.Step[S, A]

// Both is the fault that has each of these, one after the other.
func Both[M any, S comparable, A fmt.Stringer](list ...Fault[M, S, A]) Fault[M, S, A] {
	return func(m M, s *S, actor int, steps []search.Step[S, A]) []search.Step[S, A] {
		for _, f := range list {
			steps = f(m, s, actor, steps)
		}
		return steps
	}
}

// Model is a model of a part of the specification. Its methods are the tests that hold it against TLC. C is
// the configuration that New makes a machine of: a struct with a field for each constant, and Name for the
// name of the run. A constant that is a string, or for Without a set of strings, is read as well as those of
// Part.Constants. F is the faults that Spoil gives a machine: mostly Fault.
type Model[C any, M search.Machine[S, A], S comparable, A fmt.Stringer, F any] struct {
	Part

	New       func(c C) (M, error)
	Variables func(m M, s *S) []tla.Pair // of the specification, sorted by name
	Spoil     func(m M, f F)

	// Special, if not nil, reads constants in a way of its own, and reports whether it has read one.
	Special func(field reflect.Value, name, value string, numbers []int) bool

	Properties []search.Property[M, S] // each is checked by a run; witnesses are among them
	Unasked    []string                // those that are no formula of one state or step in the specification

	ComesAbout []string // names of what must come about; Live makes it
	Live       func(m M, name string) (*search.Live[S, A], bool)

	// Fairness are the properties of the words in which the specification has its fairness. The model has
	// none of them: it knows whose step is whose.
	Fairness []string

	Actions []string     // each is taken by a run
	Faults  map[string]F // by the name of the mutant of the specification
}

// ModelRun is an entry of the manifest with what its configuration says.
type ModelRun[C, M any, S comparable] struct {
	tlc.Entry
	Config     C
	Properties []search.Property[M, S]
	Live       string // what must come about, "" if nothing
}

// field is a field of a configuration, which is a string.
func field[C any](c C, name string) string { return reflect.ValueOf(c).FieldByName(name).String() }

var reQuoted = regexp.MustCompile(`"(\w+)"`)

// words reads a string, or for Without a set of strings.
func words(field reflect.Value, name, value string, _ []int) bool {
	for _, word := range reQuoted.FindAllStringSubmatch(value, -1) {
		if name == "Without" {
			field.Set(reflect.Append(field, reflect.ValueOf(word[1])))
		} else {
			field.SetString(word[1])
		}
	}
	return name == "Without" || strings.HasPrefix(value, `"`)
}

// read reads the configuration of an entry. One that names what the model does not know is an error.
func (x *Model[C, M, S, A, F]) read(t testing.TB, e tlc.Entry) ModelRun[C, M, S] {
	t.Helper()
	r := ModelRun[C, M, S]{Entry: e}
	reflect.ValueOf(&r.Config).Elem().FieldByName("Name").SetString(e.Name)
	special := words
	if x.Special != nil {
		special = x.Special
	}
	for _, name := range x.Constants(t, e, &r.Config, special) {
		switch p, ok := search.PropertyByName(name, x.Properties); {
		case slices.Contains(x.ComesAbout, name):
			r.Live = name
		case slices.Contains(x.Fairness, name):
		case !ok:
			t.Fatalf("%s: the model has no property %s", e.Name, name)
		default:
			r.Properties = append(r.Properties, p)
		}
	}
	return r
}

// Manifest reads the runs of the part.
func (x *Model[C, M, S, A, F]) Manifest(t testing.TB) (runs []ModelRun[C, M, S]) {
	t.Helper()
	for _, e := range x.Runs(t) {
		runs = append(runs, x.read(t, e))
	}
	return runs
}

// Named is the run of that name.
func (x *Model[C, M, S, A, F]) Named(t testing.TB, name string) ModelRun[C, M, S] {
	t.Helper()
	return x.read(t, x.Run(t, name))
}

// Machine is that of a run.
func (x *Model[C, M, S, A, F]) Machine(t testing.TB, r ModelRun[C, M, S]) M {
	t.Helper()
	m, err := x.New(r.Config)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// live is what must come about in a run, nil if nothing.
func (x *Model[C, M, S, A, F]) live(t testing.TB, m M, name string) *search.Live[S, A] {
	t.Helper()
	if name == "" {
		return nil
	}
	live, ok := x.Live(m, name)
	if !ok {
		t.Fatalf("the model does not know what must come about: %s", name)
	}
	return live
}

// part runs f as a subtest; where a canary counts errors, f counts to the whole.
func part(t testing.TB, name string, f func(t testing.TB)) {
	if t, ok := t.(*testing.T); ok {
		t.Run(name, func(t *testing.T) { f(t) })
		return
	}
	f(t)
}

// beside lets a subtest run beside the others.
func beside(t testing.TB) {
	if t, ok := t.(*testing.T); ok {
		t.Parallel()
	}
}

// Program is a program of the model. Config is that of its complete run, Live what must come about in it.
// Where no program says the latter, it is not compared.
type Program[C any] struct {
	Name, State string
	Config      C
	Live        string
}

// ProgramsOfRuns wants each run to have one of these programs, of the state of the run, and each program to
// have a run. The complete run of a program has its name, its configuration, and what must come about in it.
func (x *Model[C, M, S, A, F]) ProgramsOfRuns(t testing.TB, programs []Program[C]) {
	t.Helper()
	ran := map[string]bool{}
	lives := slices.ContainsFunc(programs, func(p Program[C]) bool { return p.Live != "" })
	for _, r := range x.Manifest(t) {
		name := field(r.Config, "Program")
		i := slices.IndexFunc(programs, func(p Program[C]) bool { return p.Name == name })
		if i < 0 {
			t.Errorf("%s has the program %q, which the model lacks", r.Name, name)
			continue
		}
		p := programs[i]
		ran[p.Name] = true
		switch {
		case p.State != r.State:
			t.Errorf("%s is of %s, its program %s of %q", r.Name, r.State, p.Name, p.State)
		case r.Name != p.Name:
		case !reflect.DeepEqual(p.Config, r.Config) || lives && p.Live != r.Live:
			t.Errorf("%s: the model has %+v and %q, the configuration %+v and %q", r.Name, p.Config, p.Live,
				r.Config, r.Live)
		}
	}
	for _, p := range programs {
		if !ran[p.Name] {
			t.Errorf("no run has the program %s", p.Name)
		}
	}
}

// SameVerdicts wants the model's verdict on each run to be the one that TLC has recorded, after as many
// states, and a violation to be as deep. The runs check all properties and take all actions.
func (x *Model[C, M, S, A, F]) SameVerdicts(t testing.TB) {
	t.Helper()
	checked, fired := map[string]bool{}, map[string]bool{}
	for _, r := range x.Manifest(t) {
		for _, p := range r.Properties {
			checked[p.Name] = true
		}
		part(t, r.Name, func(t testing.TB) {
			m := x.Machine(t, r)
			rep := search.Explore(t.Context(), m, search.Options[M, S, A]{Properties: r.Properties,
				Live: x.live(t, m, r.Live)})
			SameVerdict(t, r.Entry, rep)
			if r.Expect == tlc.Invariant && rep.Violation != nil {
				if depth := len(rep.Violation.Steps) + 1; depth != r.Depth {
					t.Errorf("the model's counterexample has %d states, TLC's %d", depth, r.Depth)
				}
			}
			for name := range rep.Fired {
				fired[name] = true
			}
		})
	}
	Covered(t, x.Properties, checked, x.Actions, fired)
}

// states is the set of states of a machine.
func (x *Model[C, M, S, A, F]) states(t testing.TB, m M) (Set, search.Report[S, A]) {
	t.Helper()
	return EveryState(t, func(o search.Options[M, S, A]) search.Report[S, A] {
		return search.Explore(t.Context(), m, o)
	}, func(s *S) string { return tla.Record(x.Variables(m, s)...) })
}

// SameStates wants TLC and the model to reach the same set of states in each run but the witnesses, and those
// that left names: all variables, no symmetry. If everyDay is not empty, other runs are left to the flag
// -every. The flag -runs names the runs in place of both.
func (x *Model[C, M, S, A, F]) SameStates(t testing.TB, everyDay []string,
	left func(r ModelRun[C, M, S]) bool) {
	t.Helper()
	var names []string
	for _, e := range x.Runs(t) {
		names = append(names, e.Name)
	}
	asked, set := Asked(names)
	if set && len(asked) == 0 {
		return
	}
	jvms := Machines(t)
	for _, r := range x.Manifest(t) {
		if r.Kind == tlc.Witness || set && !slices.Contains(asked, r.Name) || left != nil && left(r) {
			continue // of a witness it is one of the complete runs, again
		}
		part(t, r.Name, func(t testing.TB) {
			if !set && len(everyDay) > 0 && !*every && !slices.Contains(everyDay, r.Name) {
				t.Skip("NOT RUN: all runs take minutes of TLC, choose -every; its number of states and its " +
					"depth are those of the manifest")
			}
			beside(t)
			states, ours := x.states(t, x.Machine(t, r))
			job := x.Job(t, r.Entry)
			if set {
				job.Timeout = askedTime
			}
			SameStates(t, jvms, job, tla.ReadStates, states, ours)
			Equal(t, r.Name)
		})
	}
}
