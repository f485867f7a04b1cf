package basket

import (
	"flag"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/hopscotch"
	"github.com/samecycle/samecycle/model/search"
)

var part = samestates.Part{Dir: "../../spec/tla/basket", Module: "MCBasket"}

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

func runOf(t *testing.T, name string) run { return readConfig(t, part.Run(t, name)) }

func readConfig(t *testing.T, e tlc.Entry) run {
	t.Helper()
	r := run{Entry: e, config: Config{Name: e.Name}}
	words := func(field reflect.Value, name, value string, _ []int) bool {
		for _, word := range reQuoted.FindAllStringSubmatch(value, -1) {
			if name == "Without" {
				r.config.Without = append(r.config.Without, word[1])
			} else {
				field.SetString(word[1])
			}
		}
		return name == "Without" || strings.HasPrefix(value, `"`)
	}
	for _, name := range part.Constants(t, e, &r.config, words) {
		switch p, ok := PropertyByName(name); {
		case name == LoneEnds, name == RoomEnds:
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

func liveOf(t *testing.T, m *Machine, name string) *search.Live[State, Move] {
	t.Helper()
	live, ok := LiveByName(m, name)
	if ok != (name != "") {
		t.Fatalf("the model does not know what must come about: %s", name)
	}
	return live
}

// Each program is that of a run, and no complete run has other constants than As.
func TestProgramsAreThoseOfTheRuns(t *testing.T) {
	ran := map[string]bool{}
	for _, r := range manifest(t) {
		p, ok := ProgramByName(r.config.Program)
		if !ok || p.State != r.State {
			t.Errorf("%s is of %s, its program %s of %q", r.Name, r.State, r.config.Program, p.State)
		}
		ran[p.Name] = true
		m, err := As(p.Name)
		if err != nil {
			t.Fatal(err)
		}
		if r.Name == p.Name && !reflect.DeepEqual(m.c, r.config) {
			t.Errorf("%s: As gives %+v, the configuration %+v", r.Name, m.c, r.config)
		}
		if r.Name == p.Name && m.Live().Name != r.live {
			t.Errorf("%s: %s must come about, the configuration has %s", r.Name, m.Live().Name, r.live)
		}
	}
	for _, p := range Programs() {
		if !ran[p.Name] {
			t.Errorf("no run has the program %s", p.Name)
		}
	}
}

// The model's verdict on each run is the one that TLC has recorded, after as many states, and a violation as
// deep.
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
			if r.Expect == tlc.Invariant && x.Violation != nil {
				if depth := len(x.Violation.Steps) + 1; depth != r.Depth {
					t.Errorf("the model's counterexample has %d states, TLC's %d", depth, r.Depth)
				}
			}
			for name := range x.Fired {
				fired[name] = true
			}
		})
	}
	samestates.Covered(t, slices.Concat(Properties(), Witnesses()), checked,
		append(Actions(), otherNames[:]...), fired)
}

// everyState is the model's set of states.
func everyState(t *testing.T, m *Machine) (samestates.Set, Report) {
	t.Helper()
	return samestates.EveryState(t, func(o Options) Report { return Explore(t.Context(), m, o) }, m.TLA)
}

var every = flag.Bool("every", false, "compare the states of all runs with TLC's")

// everyDay are the runs whose states are compared each time: one of each form of the memory, with deaths,
// moves, installed adds, hands, chains, tiers and lanes, and one that lacks a rule.
var everyDay = []string{c02 + "_Last", c04, c05 + "_Lanes", c06 + "_Three", c07 + "_New", c07 + "_Get",
	c09 + "_Cut", c10 + "_New", c11 + "_Scarce", c13, "Bug_C01Version"}

// TLC and the model reach the same set of states in each run but the witnesses, those that lack a rule among
// them: all variables, no symmetry.
func TestSameStatesAsTLC(t *testing.T) {
	jvms := samestates.Machines(t)
	for _, r := range manifest(t) {
		if r.Kind == tlc.Witness { // one of the complete runs, again
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			if !*every && !slices.Contains(everyDay, r.Name) {
				t.Skip("NOT RUN: all runs take minutes of TLC, choose -every; its number of states and its " +
					"depth are those of the manifest")
			}
			t.Parallel()
			set, ours := everyState(t, machineOf(t, r.config))
			samestates.SameStates(t, jvms, part.Job(t, r.Entry), model.ReadStates, set, ours)
		})
	}
}
