package samestates

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search"
)

// What the tests of Model are made of, for models whose tests have another form.

// Run is the run of the manifest of that name.
func (p Part) Run(t testing.TB, name string) tlc.Entry {
	t.Helper()
	runs := p.Runs(t)
	i := slices.IndexFunc(runs, func(e tlc.Entry) bool { return e.Name == name })
	if i < 0 {
		t.Fatalf("the manifest has no run %s", name)
	}
	return runs[i]
}

// EveryState is the set of states that a search of the model visits, and its report.
func EveryState[M any, S comparable, A fmt.Stringer](t testing.TB,
	explore func(search.Options[M, S, A]) search.Report[S, A],
	text func(*S) string) (Set, search.Report[S, A]) {
	t.Helper()
	var r search.Report[S, A]
	set, err := NewSet(func(f func(string)) error {
		r = explore(search.Options[M, S, A]{Visit: func(s *S) { f(text(s)) }})
		return nil
	})
	if err != nil || !r.Exhaustive {
		t.Fatalf("not every state: %v %v", err, r.Violation)
	}
	return set, r
}

// SameStates holds the states of the model in a run, and how they were counted, against TLC's.
func SameStates[S comparable, A fmt.Stringer](t testing.TB, jvms *tlc.Machines, job tlc.Job, read Reader,
	set Set, ours search.Report[S, A]) {
	t.Helper()
	spec, theirs := TLC(t, jvms, job, read)
	if d := Difference(spec, set); d != "" {
		t.Error(d)
	} else {
		t.Logf("%d states, the same", ours.Distinct)
	}
	if theirs.Distinct != ours.Distinct || theirs.Depth != ours.Depth || theirs.Generated != ours.Generated {
		t.Errorf("TLC %d distinct, %d generated, depth %d; model %d, %d, %d", theirs.Distinct,
			theirs.Generated, theirs.Depth, ours.Distinct, ours.Generated, ours.Depth)
	}
}

// SameVerdict holds the verdict of the model on a run against the one that TLC has recorded: the property
// that is violated, and of a complete run the number of states and their depth.
func SameVerdict[S comparable, A fmt.Stringer](t testing.TB, e tlc.Entry, x search.Report[S, A]) {
	t.Helper()
	got, want := "", e.Property
	if x.Violation != nil {
		got = x.Violation.Property
		t.Logf("\n%s", x.Violation)
	}
	if e.Expect == tlc.Deadlock {
		want = search.Deadlock
	}
	if got != want {
		t.Errorf("the model violates %q, TLC %q", got, want)
	}
	if e.Expect == tlc.OK && (x.Distinct != e.Distinct || x.Depth != e.Depth || !x.Exhaustive) {
		t.Errorf("the model has %d states, depth %d; TLC %d, %d", x.Distinct, x.Depth, e.Distinct, e.Depth)
	}
}

// Covered wants the runs of the manifest to check all properties, and to take all actions.
func Covered[M any, S comparable](t testing.TB, properties []search.Property[M, S], checked map[string]bool,
	actions []string, fired map[string]bool) {
	t.Helper()
	for _, p := range properties {
		if !checked[p.Name] {
			t.Errorf("no run of the manifest checks %s", p.Name)
		}
	}
	for _, name := range actions {
		if !fired[name] {
			t.Errorf("no run takes %s", name)
		}
	}
}

// MutantsAreRed wants a fault of the model for each mutant of the specification, which violates the same
// property; search searches the model with it. There is no other fault.
func MutantsAreRed[F any, S comparable, A fmt.Stringer](t testing.TB, mutants []tlc.Mutant,
	faults map[string]F, search func(t testing.TB, x tlc.Mutant, f F) search.Report[S, A]) {
	t.Helper()
	known := map[string]bool{}
	for _, x := range mutants {
		known[x.Name] = true
		part(t, x.Name, func(t testing.TB) {
			f, ok := faults[x.Name]
			if !ok {
				t.Fatalf("the model has no such fault: %s", x.Note)
			}
			if r := search(t, x, f); r.Violation == nil || r.Violation.Property != x.Property {
				t.Errorf("want a violation of %s, got %v", x.Property, r.Violation)
			}
		})
	}
	for name := range faults {
		if !known[name] {
			t.Errorf("fault %s is no mutant of the specification", name)
		}
	}
}

// OneWord shows by a mutant that the comparison of states can fail; see CanDiffer. States are those of the
// model in the run, with the fault of the mutant or without.
func (p Part) OneWord(t testing.TB, mutant string, read Reader, states func(run string, faulty bool) Set) {
	t.Helper()
	jvms := Machines(t)
	mutants := p.Mutants(t)
	i := slices.IndexFunc(mutants, func(x tlc.Mutant) bool { return x.Name == mutant })
	if i < 0 {
		t.Fatalf("there is no mutant %s", mutant)
	}
	x := mutants[i]
	e := p.Run(t, x.Run)
	spec, _ := TLC(t, jvms, p.Job(t, e), read)
	specWith, _ := TLC(t, jvms, p.Job(t, e, x.Edits...), read)
	CanDiffer(t, spec, specWith, states(x.Run, false), states(x.Run, true))
}

var reSpecification = regexp.MustCompile(`(?m)^SPECIFICATION \w+$`)

// ClaimsOf are the claims of a module that are these properties of its model.
func ClaimsOf[M any, S comparable](module string, properties []search.Property[M, S]) Claims {
	c := Claims{Module: module}
	for _, x := range properties {
		if x.State != nil {
			c.States = append(c.States, x.Name)
		} else {
			c.Steps = append(c.Steps, x.Name)
		}
	}
	return c
}

// Disagreement tells what the specification, edited, says of the list in a run that the model does not.
func (p Part) Disagreement(t testing.TB, jvms *tlc.Machines, e tlc.Entry, c Claims, list []Judged,
	edits ...tlc.Edit) string {
	t.Helper()
	dir := Copy(t, p.Dir, edits...)
	path := filepath.Join(dir, p.Module+".tla")
	Write(t, path, OfOneStep(Read(t, path)))
	constants := Unchecked(e.Configuration())
	return Disagreement(t, jvms, dir, reSpecification.ReplaceAllString(constants, ""), c, list)
}
