package written

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search/tla"
)

const specDir = "../../../spec/tla/hopscotch/written"

// run is one entry of the manifest with what its configuration says.
type run struct {
	tlc.Entry

	program    Program
	properties []Property
	liveness   bool
	hangs      bool
}

var (
	reScenario = regexp.MustCompile(`Scenario = "(\w+)"`)
	reChecks   = regexp.MustCompile(`(?:INVARIANTS?|PROPERTY|PROPERTIES)((?:\s+[A-Z][a-z]\w*)+)`)
)

// module is that of the machine: nothing else in the folder has a twin to be compared with.
const module = "MCWritten"

// manifest reads the runs of the machine. A configuration that names what the model does not know is
// an error.
func manifest(t testing.TB) []run {
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
	return runs
}

// result is what must come of the run.
func (r run) result() string {
	if r.Kind == tlc.MustFail {
		return "violates"
	}
	return "holds"
}

func readConfig(t testing.TB, e tlc.Entry) run {
	t.Helper()
	r := run{Entry: e}
	text := e.Configuration()
	name := reScenario.FindStringSubmatch(text)
	if name == nil {
		t.Fatalf("%s names no program", r.Name)
	}
	p, ok := ProgramByName(name[1])
	if !ok {
		t.Fatalf("%s: the model has no program %s", r.Name, name[1])
	}
	if p.State != r.State {
		t.Errorf("%s is a run of %s, the program is one of %s", r.Name, r.State, p.State)
	}
	for constant, ours := range map[string]int{"N": p.N, "W": p.W, "P": p.Records} {
		m := regexp.MustCompile(`\b` + constant + ` = (\d+)`).FindStringSubmatch(text)
		if m == nil || m[1] != strconv.Itoa(ours) {
			t.Errorf("%s: %s is %v, the model's program has %d", r.Name, constant, m, ours)
		}
	}
	p.Tied = strings.Contains(text, "Tied = TRUE")
	readChanges(t, r.Name, text, &p)
	r.program = p
	r.hangs = strings.Contains(text, "CHECK_DEADLOCK FALSE")
	for _, section := range reChecks.FindAllStringSubmatch(text, -1) {
		for _, word := range strings.Fields(section[1]) {
			if word == Terminates {
				r.liveness = true
				continue
			}
			property, ok := PropertyByName(word)
			if !ok {
				t.Fatalf("%s: the model has no property %s", r.Name, word)
			}
			r.properties = append(r.properties, property)
		}
	}
	if len(r.properties) == 0 && !r.liveness {
		t.Fatalf("%s checks nothing", r.Name)
	}
	return r
}

var (
	reReadings = regexp.MustCompile(`\bReadings = {([^}]*)}`)
	reDeaths   = regexp.MustCompile(`\bMaxDeaths = (\d+)`)
	reHalves   = regexp.MustCompile(`\bHalves = (\d+)`)
	reDraws    = regexp.MustCompile(`\bDraws = {([\d, ]*)}`)
)

// readChanges reads the constants that change the protocol.
func readChanges(t testing.TB, name, text string, p *Program) {
	t.Helper()
	set, deaths := reReadings.FindStringSubmatch(text), reDeaths.FindStringSubmatch(text)
	halves, draws := reHalves.FindStringSubmatch(text), reDraws.FindStringSubmatch(text)
	if set == nil || deaths == nil || halves == nil || draws == nil {
		t.Fatalf("%s: Readings, MaxDeaths, Halves or Draws has no value", name)
	}
	if p.Halves, _ = strconv.Atoi(halves[1]); p.Halves == 1 {
		p.Halves = 0
	}
	for _, client := range strings.FieldsFunc(draws[1], func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(client)
		if err != nil {
			t.Fatalf("%s: Draws = {%s}: %v", name, draws[1], err)
		}
		p.Draws = append(p.Draws, n)
	}
	p.Deaths, _ = strconv.Atoi(deaths[1])
	for _, reading := range strings.Split(set[1], ",") {
		if reading = strings.Trim(reading, ` "`); reading != "" {
			p.Readings = append(p.Readings, Reading(reading))
		}
	}
}

func machineOf(t testing.TB, p Program) *Machine {
	t.Helper()
	m, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The model's verdict on each run is the one that TLC has recorded, after as many states.
func TestSameVerdictAsManifest(t *testing.T) {
	checked := map[string]bool{}
	for _, r := range manifest(t) {
		for _, p := range r.properties {
			checked[p.Name] = true
		}
		t.Run(r.Name, func(t *testing.T) {
			x := Explore(t.Context(), machineOf(t, r.program),
				Options{Properties: r.properties, Safety: !r.liveness, Hangs: r.hangs})
			got, property := "holds", ""
			if x.Violation != nil {
				got, property = "violates", x.Violation.Property
				t.Logf("\n%s", x.Violation)
			}
			want := r.Property
			if r.Expect == tlc.Deadlock {
				want = Deadlock
			}
			if got != r.result() || property != want {
				t.Errorf("the model %s %s, TLC %s %s", got, property, r.result(), want)
			}
			if x.Distinct != r.Distinct || x.Depth != r.Depth {
				t.Errorf("the model has %d states, depth %d; TLC %d, %d",
					x.Distinct, x.Depth, r.Distinct, r.Depth)
			}
		})
	}
	for _, p := range Properties() {
		if !checked[p.Name] {
			t.Errorf("no run of the manifest checks %s", p.Name)
		}
	}
}

// job searches everything that the run's program reaches, in the modules, edited: its configuration is cut
// down to its constants, since only the set of states counts.
func job(t *testing.T, r run, edits ...tlc.Edit) tlc.Job {
	t.Helper()
	job := r.Job()
	job.Dir, job.Timeout = samestates.Copy(t, specDir, edits...), 10*time.Minute
	text := reChecks.ReplaceAllString(job.Text, "")
	job.Text = strings.NewReplacer("FairSpec", "Spec", "CHECK_DEADLOCK FALSE", "").Replace(text) +
		"\nCHECK_DEADLOCK FALSE\n"
	return job
}

// everyState is the model's set of states, without any property in the way.
func everyState(t *testing.T, m *Machine) samestates.Set {
	t.Helper()
	set, err := samestates.NewSet(func(f func(string)) error {
		x := Explore(t.Context(), m, Options{Unchecked: true, Visit: func(s *State) { f(m.TLA(s)) }})
		if !x.Exhaustive {
			return fmt.Errorf("%s: %s\n%v", x.Program, x.Bound, x.Violation)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// everything makes TestSameStatesAsTLC compare every program one state after another: minutes.
var everything = flag.Bool("everything", false, "compare the states of the largest programs, too")

// The limits in states of the others. Up to setLimit states are compared one by one, because
// TLC's dump takes its time; up to countLimit their numbers are.
const (
	setLimit   = 2500
	countLimit = 10000
	// A program of a suspicion, and a change of the protocol beside Tied, is compared up to there.
	suspicionLimit = 1000
)

// whole tells that the states of a run are compared one by one, however many there are: with that flag,
// and in two halves, where no program has more than a minute's.
func (r run) whole() bool { return *everything || r.program.Halves == 2 }

// compared says how much of a run's states TLC is asked for again.
func (r run) compared(states int64) (sets, counts bool) {
	suspicion := len(r.program.Readings) > 0 || r.program.Deaths > 0 ||
		slices.ContainsFunc(ofSuspicions(), func(p Program) bool { return p.Name == r.program.Name })
	switch {
	case r.whole():
		return true, true
	case suspicion:
		return states <= suspicionLimit, states <= suspicionLimit
	}
	return states <= setLimit, states <= setLimit || r.result() != "holds" && states <= countLimit
}

// TLC and the model reach the same set of states: all variables, nothing left out. Where a run ends
// at a violation the comparison goes beyond it. Larger programs have the same number of states, of
// steps, and the same depth. Of those that hold, and of the largest ones, the manifest has TLC's
// numbers up to the end or up to the violation, and nothing more is compared.
func TestSameStatesAsTLC(t *testing.T) {
	if _, set := samestates.Asked(nil); set {
		return // which asks for runs of the protocol as it is built
	}
	jvms := samestates.Machines(t)
	seen := map[string]bool{}
	for _, r := range manifest(t) {
		name := fmt.Sprintf("%s/tied=%v,readings=%q,deaths=%d,halves=%d%v", r.program.Name, r.program.Tied,
			r.program.Readings, r.program.Deaths, r.program.Halves, r.program.Draws)
		if seen[name] {
			continue
		}
		seen[name], seen[r.program.Name] = true, true
		t.Run(name, func(t *testing.T) {
			m := machineOf(t, r.program)
			limit := countLimit + 1
			if r.whole() {
				limit = 0
			}
			x := Explore(t.Context(), m, Options{Unchecked: true, Limit: limit})
			sets, counts := r.compared(x.Distinct)
			if !counts {
				t.Logf("%d states or more", x.Distinct)
				t.Skip("NOT RUN: large, only as the manifest's numbers; state by state with -everything")
			}
			t.Parallel()
			var res tlc.Result
			if sets {
				res = sameSets(t, jvms, r, m)
			} else {
				res = samestates.Run(t, jvms, job(t, r))
			}
			if res.Distinct != x.Distinct || res.Generated != x.Generated || res.Depth != x.Depth {
				t.Errorf("TLC %d distinct, %d generated, depth %d; model %d, %d, %d", res.Distinct,
					res.Generated, res.Depth, x.Distinct, x.Generated, x.Depth)
			}
			t.Logf("%d states, depth %d, the same", x.Distinct, x.Depth)
		})
	}
	for _, p := range Programs() {
		if !seen[p.Name] {
			t.Errorf("program %s has no run in the manifest", p.Name)
		}
	}
}

func sameSets(t *testing.T, jvms *tlc.Machines, r run, m *Machine) tlc.Result {
	t.Helper()
	spec, res := samestates.TLC(t, jvms, job(t, r), tla.ReadStates)
	if d := samestates.Difference(spec, everyState(t, m)); d != "" {
		t.Error(d)
	}
	return res
}

// The comparison can fail: a one-word change on one side makes the sets differ, the same change on
// the other side makes them equal again.
func TestOneWordMakesStatesDiffer(t *testing.T) {
	jvms := samestates.Machines(t)
	r := readConfig(t, samestates.RunOf(t, specDir, "Written_S05AddEmptyGet"))
	change := tlc.Edit{Module: "Adder", Old: "![l[t].s].real = {0}]", New: "![l[t].s].real = {1}]"}
	plain := everyState(t, machineOf(t, r.program))
	m := machineOf(t, r.program)
	m.hook = func(action string, next *State) {
		if action == "AddSetReal" {
			next.st[next.l[0].s].Real = upTo(1, 1)
		}
	}
	changed := everyState(t, m)
	for _, y := range []struct {
		what  string
		ours  samestates.Set
		edits []tlc.Edit
		same  bool
	}{
		{"unchanged", plain, nil, true},
		{"spec changed", plain, []tlc.Edit{change}, false},
		{"model changed", changed, nil, false},
		{"both changed", changed, []tlc.Edit{change}, true},
	} {
		spec, _ := samestates.TLC(t, jvms, job(t, r, y.edits...), tla.ReadStates)
		if d := samestates.Difference(spec, y.ours); (d == "") != y.same {
			t.Errorf("%s: same set: %v, want %v\n%s", y.what, d == "", y.same, d)
		}
	}
}
