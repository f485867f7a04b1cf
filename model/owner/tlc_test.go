package owner

import (
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model"
	"github.com/samecycle/samecycle/model/search"
)

const (
	specDir = "../../spec/tla"
	module  = "MCOwner"
)

// run is an entry of the manifest with what its configuration says.
type run struct {
	tlc.Entry
	config     Config
	properties []Property
	live       bool
}

var (
	reChecks   = regexp.MustCompile(`(?s)\n(INVARIANT|PROPERT).*`)
	reConstant = regexp.MustCompile(`(?m)^  (\w+) = (.*)$`)
	reNumber   = regexp.MustCompile(`\d+`)
	reWord     = regexp.MustCompile(`(?m)^  (\w+)$`)
)

// manifest reads the runs of the machine. A configuration that names what the model does not know is an
// error.
func manifest(t *testing.T) []run {
	t.Helper()
	m, err := tlc.LoadManifest(specDir)
	if err != nil {
		t.Fatal(err)
	}
	var runs []run
	for _, e := range m.Entries {
		if e.Module == module {
			runs = append(runs, readConfig(t, e))
		}
	}
	if len(runs) == 0 {
		t.Fatalf("the manifest has no run of %s", module)
	}
	return runs
}

func readConfig(t *testing.T, e tlc.Entry) run {
	t.Helper()
	r := run{Entry: e, config: Config{Name: e.Name}}
	text := samestates.Read(t, filepath.Join(specDir, e.Cfg))
	c := reflect.ValueOf(&r.config).Elem()
	given := 1 // the name is
	for _, x := range reConstant.FindAllStringSubmatch(reChecks.ReplaceAllString(text, ""), -1) {
		field := c.FieldByName(x[1])
		if !field.IsValid() {
			t.Fatalf("%s: the model has no constant %s", e.Cfg, x[1])
		}
		given++
		var numbers []int
		for _, n := range reNumber.FindAllString(x[2], -1) {
			i, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, i)
		}
		switch isSet := strings.HasPrefix(x[2], "{"); {
		case field.Kind() == reflect.Slice && isSet:
			field.Set(reflect.ValueOf(numbers))
		case x[1] == "Actors" && isSet && slices.Max(numbers) == len(numbers):
			field.SetInt(int64(len(numbers)))
		case !isSet && len(numbers) == 1:
			field.SetInt(int64(numbers[0]))
		default:
			t.Fatalf("%s: %s = %s cannot be read", e.Cfg, x[1], x[2])
		}
	}
	if given != c.NumField() {
		t.Fatalf("%s gives %d constants, the model has %d", e.Cfg, given-1, c.NumField()-1)
	}
	for _, x := range reWord.FindAllStringSubmatch(reChecks.FindString(text), -1) {
		if x[1] == NoneStaysWithTheDead {
			r.live = true
			continue
		}
		p, ok := PropertyByName(x[1])
		if !ok {
			t.Fatalf("%s: the model has no property %s", e.Cfg, x[1])
		}
		r.properties = append(r.properties, p)
	}
	return r
}

func machineOf(t *testing.T, c Config) *Machine {
	t.Helper()
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// liveOf is what must come about, if anything.
func liveOf(m *Machine, live bool) *search.Live[State, Action] {
	if !live {
		return nil
	}
	return LiveOf(m)
}

// The actions are those of the catalog.
func TestActionsAreThoseOfTheCatalog(t *testing.T) {
	var names []string
	for _, a := range catalog.OwnerActions() {
		names = append(names, a.Name)
	}
	ours := Actions()
	slices.Sort(names)
	slices.Sort(ours)
	if !slices.Equal(names, ours) {
		t.Errorf("the catalog has %v, the model %v", names, ours)
	}
}

// The programs are the complete runs of the manifest, with the same constants.
func TestProgramsAreTheRuns(t *testing.T) {
	var names []string
	for _, r := range manifest(t) {
		if r.Kind == tlc.Witness {
			continue
		}
		names = append(names, r.Name)
		if p, ok := ProgramByName(r.Name); !ok || !reflect.DeepEqual(p, r.config) {
			t.Errorf("%s: the model has %+v, the configuration says %+v", r.Name, p, r.config)
		}
	}
	var ours []string
	for _, p := range Programs() {
		ours = append(ours, p.Name)
	}
	if !slices.Equal(names, ours) {
		t.Errorf("the manifest has complete runs %v, the model has programs %v", names, ours)
	}
}

// The model's verdict on each run is the one that TLC has recorded, after as many states.
func TestSameVerdictAsManifest(t *testing.T) {
	checked, fired := map[string]bool{}, map[string]bool{}
	for _, r := range manifest(t) {
		for _, p := range r.properties {
			checked[p.Name] = true
		}
		if list := lacking(r); len(list) > 0 {
			t.Errorf("%s does not check %v", r.Name, list)
		}
		t.Run(r.Name, func(t *testing.T) {
			m := machineOf(t, r.config)
			x := Explore(t.Context(), m, Options{Properties: r.properties, Live: liveOf(m, r.live)})
			property := ""
			if x.Violation != nil {
				property = x.Violation.Property
				t.Logf("\n%s", x.Violation)
			}
			if property != r.Property {
				t.Errorf("the model violates %q, TLC %q", property, r.Property)
			}
			if r.Expect == tlc.OK && (x.Distinct != r.Distinct || x.Depth != r.Depth || !x.Exhaustive) {
				t.Errorf("the model has %d states, depth %d; TLC %d, %d", x.Distinct, x.Depth, r.Distinct,
					r.Depth)
			}
			for name := range x.Fired {
				fired[name] = true
			}
		})
	}
	for _, p := range append(Properties(), Witnesses()...) {
		if !checked[p.Name] {
			t.Errorf("no run of the manifest checks %s", p.Name)
		}
	}
	for _, name := range Actions() {
		if !fired[name] {
			t.Errorf("no run takes %s", name)
		}
	}
}

// lacking are the properties that a run does not check, and should: of a complete one all, but in one run
// another one is to break first.
func lacking(r run) (list []string) {
	for _, p := range Properties() {
		has := slices.ContainsFunc(r.properties, func(x Property) bool { return x.Name == p.Name })
		if !has && r.Kind == tlc.Safety && (r.Name != "Owner_Again" || p.Name != "J3FreeIsEmpty") {
			list = append(list, p.Name)
		}
	}
	return list
}

// job is the run without properties: only the set of states counts.
func job(t *testing.T, r run, edits ...tlc.Edit) tlc.Job {
	t.Helper()
	dir := samestates.Copy(t, specDir, edits...)
	path := filepath.Join(dir, r.Cfg)
	text := reChecks.ReplaceAllString(samestates.Read(t, path), "\n")
	samestates.Write(t, path, strings.Replace(text, "FairSpec", "Spec", 1))
	return tlc.Job{Dir: dir, Module: module, Config: r.Cfg, Timeout: 3 * time.Minute}
}

// everyState is the model's set of states.
func everyState(t *testing.T, m *Machine) (samestates.Set, Report) {
	t.Helper()
	var r Report
	set, err := samestates.NewSet(func(f func(string)) error {
		r = Explore(t.Context(), m, Options{Visit: func(s *State) { f(m.TLA(s)) }})
		return nil
	})
	if err != nil || !r.Exhaustive {
		t.Fatalf("%s: not every state: %v %v", m.c.Name, err, r.Violation)
	}
	return set, r
}

// TLC and the model reach the same set of states in each complete run: all variables, no symmetry.
func TestSameStatesAsTLC(t *testing.T) {
	jvms := samestates.Machines(t)
	for _, r := range manifest(t) {
		if r.Kind == tlc.Witness {
			continue // one of these, again
		}
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			spec, theirs := samestates.TLC(t, jvms, job(t, r), model.ReadStates)
			set, ours := everyState(t, machineOf(t, r.config))
			if d := samestates.Difference(spec, set); d != "" {
				t.Error(d)
			} else {
				t.Logf("%d states, the same", ours.Distinct)
			}
			if theirs.Distinct != ours.Distinct || theirs.Depth != ours.Depth ||
				theirs.Generated != ours.Generated {
				t.Errorf("TLC %d distinct, %d generated, depth %d; model %d, %d, %d", theirs.Distinct,
					theirs.Generated, theirs.Depth, ours.Distinct, ours.Generated, ours.Depth)
			}
		})
	}
}

// The comparison can fail: a fault on one side makes the sets differ, the same fault on the other side
// makes them equal again.
func TestOneWordMakesStatesDiffer(t *testing.T) {
	jvms := samestates.Machines(t)
	for _, x := range mutants(t) {
		if x.Name != "OwnerAlwaysCertain" {
			continue
		}
		r := runOf(t, x.Run)
		plain, _ := everyState(t, machineOf(t, r.config))
		m := machineOf(t, r.config)
		m.hook = faults[x.Name]
		changed, _ := everyState(t, m)
		spec, _ := samestates.TLC(t, jvms, job(t, r), model.ReadStates)
		changedSpec, _ := samestates.TLC(t, jvms, job(t, r, x.Edits...), model.ReadStates)
		for _, y := range []struct {
			what       string
			spec, ours samestates.Set
			same       bool
		}{
			{"unchanged", spec, plain, true}, {"spec changed", changedSpec, plain, false},
			{"model changed", spec, changed, false}, {"both changed", changedSpec, changed, true},
		} {
			if d := samestates.Difference(y.spec, y.ours); (d == "") != y.same {
				t.Errorf("%s: same set: %v, want %v\n%s", y.what, d == "", y.same, d)
			}
		}
		return
	}
	t.Fatal("no such mutant")
}
