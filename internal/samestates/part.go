package samestates

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/tlc"
)

// Part is a machine of the specification beside the table: a module with runs and mutants of its own. Its
// model has a configuration with a field for each constant, and one for the name of the run.
type Part struct {
	Dir    string // of the specification
	Module string // MCOwner, say
	Prefix string // of the names of its runs: Owner_
}

var (
	reChecks   = regexp.MustCompile(`(?s)\n(INVARIANT|PROPERT).*`)
	reConstant = regexp.MustCompile(`(?m)^  (\w+) = (.*)$`)
	reDigits   = regexp.MustCompile(`\d+`)
	reWord     = regexp.MustCompile(`(?m)^  (\w+)$`)
	reFair     = regexp.MustCompile(`SPECIFICATION \w+`)
)

// Unchecked is the text of a configuration of TLC without what it checks.
func Unchecked(text string) string { return reChecks.ReplaceAllString(text, "\n") }

// Runs are the runs of the manifest; none is an error.
func (p Part) Runs(t testing.TB) (list []tlc.Entry) {
	t.Helper()
	m, err := tlc.LoadManifest(p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Entries {
		if e.Module == p.Module {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		t.Fatalf("the manifest has no run of %s", p.Module)
	}
	return list
}

// Mutants are those of the specification that a run of the part kills.
func (p Part) Mutants(t testing.TB) (list []tlc.Mutant) {
	t.Helper()
	all, err := tlc.LoadMutants(p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range all {
		if strings.HasPrefix(x.Run, p.Prefix) {
			list = append(list, x)
		}
	}
	return list
}

// Constants sets the fields of the model's configuration, which config points to, as a configuration of TLC
// gives them, and returns the names of what that one checks. special is called first, and reports whether
// it has taken the value. Otherwise a number, or a set of numbers, goes into the field of the same name. A
// constant that the model lacks, or one that is not given, is an error.
func (p Part) Constants(t testing.TB, e tlc.Entry, config any,
	special func(field reflect.Value, name, value string, numbers []int) bool) (checks []string) {
	t.Helper()
	text := e.Configuration()
	c := reflect.ValueOf(config).Elem()
	given := 1 // the name is
	for _, x := range reConstant.FindAllStringSubmatch(Unchecked(text), -1) {
		field := c.FieldByName(x[1])
		if !field.IsValid() {
			t.Fatalf("%s: the model has no constant %s", e.Name, x[1])
		}
		given++
		var numbers []int
		for _, n := range reDigits.FindAllString(x[2], -1) {
			i, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, i)
		}
		switch isSet := strings.HasPrefix(x[2], "{"); {
		case special(field, x[1], x[2], numbers):
		case isSet && field.Type() == reflect.TypeFor[[]int]():
			field.Set(reflect.ValueOf(numbers))
		case !isSet && len(numbers) == 1 && field.CanInt():
			field.SetInt(int64(numbers[0]))
		default:
			t.Fatalf("%s: %s = %s cannot be read", e.Name, x[1], x[2])
		}
	}
	if given != c.NumField() {
		t.Fatalf("%s gives %d constants, the model has %d", e.Name, given-1, c.NumField()-1)
	}
	for _, x := range reWord.FindAllStringSubmatch(reChecks.FindString(text), -1) {
		checks = append(checks, x[1])
	}
	return checks
}

// Job is the run without properties and without fairness: only the set of states counts.
func (p Part) Job(t testing.TB, e tlc.Entry, edits ...tlc.Edit) tlc.Job {
	t.Helper()
	job := e.Job()
	job.Dir, job.Timeout = Copy(t, p.Dir, edits...), 3*time.Minute
	job.Text = reFair.ReplaceAllString(Unchecked(job.Text), "SPECIFICATION Spec")
	return job
}

// CanDiffer is the canary of Difference for a part: a fault on one side makes the sets differ, the same
// fault on the other side makes them equal again.
func CanDiffer(t testing.TB, spec, specWith, model, modelWith Set) {
	t.Helper()
	for _, x := range []struct {
		what        string
		spec, model Set
		same        bool
	}{
		{"unchanged", spec, model, true}, {"spec changed", specWith, model, false},
		{"model changed", spec, modelWith, false}, {"both changed", specWith, modelWith, true},
	} {
		if d := Difference(x.spec, x.model); (d == "") != x.same {
			t.Errorf("%s: same set: %v, want %v\n%s", x.what, d == "", x.same, d)
		}
	}
}
