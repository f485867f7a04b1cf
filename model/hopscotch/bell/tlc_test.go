package bell

import (
	"reflect"
	"regexp"
	"slices"
	"testing"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
	model "github.com/samecycle/samecycle/model/hopscotch"
	"github.com/samecycle/samecycle/model/search"
)

var part = samestates.Part{Dir: "../../../spec/tla/hopscotch", Module: "MCBell", Prefix: "Bell_"}

// run is an entry of the manifest with what its configuration says.
type run struct {
	tlc.Entry
	config     Config
	properties []Property
	live       string // what must come about, "" if nothing
}

var reQuoted = regexp.MustCompile(`"(\w+)"`)

// ofFairness are the properties of the words in which the specification has its fairness. The model knows
// whose step is whose.
var ofFairness = []string{"CanStep", "StepsAreSeen"}

// manifest reads the runs of the machine. A configuration that names what the model does not know is an
// error.
func manifest(t *testing.T) (runs []run) {
	t.Helper()
	for _, e := range part.Runs(t) {
		runs = append(runs, readConfig(t, e))
	}
	return runs
}

func readConfig(t *testing.T, e tlc.Entry) run {
	t.Helper()
	r := run{Entry: e, config: Config{Name: e.Name}}
	rules := func(_ reflect.Value, name, value string, _ []int) bool {
		for _, rule := range reQuoted.FindAllStringSubmatch(value, -1) {
			r.config.Without = append(r.config.Without, rule[1])
		}
		return name == "Without"
	}
	for _, name := range part.Constants(t, e, &r.config, rules) {
		switch p, ok := PropertyByName(name); {
		case name == OwedIsDone, name == AllIsDone:
			r.live = name
		case slices.Contains(ofFairness, name):
		case !ok:
			t.Fatalf("%s: the model has no property %s", e.Name, name)
		default:
			r.properties = append(r.properties, p)
		}
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

func liveOf(t *testing.T, m *Machine, name string) *search.Live[State, Action] {
	t.Helper()
	live, ok := LiveByName(m, name)
	if ok != (name != "") {
		t.Fatalf("the model does not know what must come about: %s", name)
	}
	return live
}

// The actions are those of the catalog.
func TestActionsAreThoseOfTheCatalog(t *testing.T) {
	var names []string
	for _, a := range register.BellActions() {
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
		if r.Expect != tlc.OK {
			continue
		}
		if r.live != LiveOf(r.Name) {
			t.Errorf("%s: %s must come about, the model says %s", r.Name, r.live, LiveOf(r.Name))
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
		t.Run(r.Name, func(t *testing.T) {
			m := machineOf(t, r.config)
			x := Explore(t.Context(), m, Options{Properties: r.properties, Live: liveOf(t, m, r.live)})
			samestates.SameVerdict(t, r.Entry, x)
			for name := range x.Fired {
				fired[name] = true
			}
		})
	}
	samestates.Covered(t, append(Properties(), Witnesses()...), checked, Actions(), fired)
}

// everyState is the model's set of states.
func everyState(t *testing.T, m *Machine) (samestates.Set, Report) {
	t.Helper()
	return samestates.EveryState(t, func(o Options) Report { return Explore(t.Context(), m, o) }, m.TLA)
}

// TLC and the model reach the same set of states in each run but the witnesses, those among
// them that lack a rule: all variables, no symmetry.
func TestSameStatesAsTLC(t *testing.T) {
	jvms := samestates.Machines(t)
	for _, r := range manifest(t) {
		if r.Kind == tlc.Witness {
			continue // one of the complete ones, again
		}
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			set, ours := everyState(t, machineOf(t, r.config))
			samestates.SameStates(t, jvms, part.Job(t, r.Entry), model.ReadStates, set, ours)
		})
	}
}

// The comparison can fail: a fault on one side makes the sets differ, the same fault on the other side
// makes them equal again.
func TestOneWordMakesStatesDiffer(t *testing.T) {
	part.OneWord(t, "BellRungByTheBound", model.ReadStates, func(run string, faulty bool) samestates.Set {
		m := machineOf(t, runOf(t, run).config)
		if faulty {
			m.hook = faults["BellRungByTheBound"]
		}
		set, _ := everyState(t, m)
		return set
	})
}
