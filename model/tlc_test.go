package model

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/tlc"
)

const specDir = "../spec/tla"

func findTLC(t testing.TB) *tlc.Tool {
	t.Helper()
	if testing.Short() {
		t.Skip("short: TLC is not run")
	}
	tool, err := tlc.Find(t.Context(), func(s string) { t.Log(s) })
	if err != nil {
		t.Skipf("TLC: %v", err)
	}
	return tool
}

// edit is a change of one module's text; both texts are non-empty, and old occurs once.
type edit struct{ module, old, new string }

// specCopy copies the modules to a new folder, edited, with a configuration for the program that
// checks nothing: only the set of states counts.
func specCopy(t *testing.T, program string, crashes int, edits ...edit) (dir, cfg string) {
	t.Helper()
	dir = t.TempDir()
	modules, err := filepath.Glob(filepath.Join(specDir, "*.tla"))
	if err != nil || len(modules) == 0 {
		t.Fatalf("no modules in %s: %v", specDir, err)
	}
	for _, path := range modules {
		text := readText(t, path)
		for _, e := range edits {
			if e.module+".tla" != filepath.Base(path) {
				continue
			}
			if strings.Count(text, e.old) != 1 {
				t.Fatalf("%s has %q %d times, want once", path, e.old, strings.Count(text, e.old))
			}
			text = strings.Replace(text, e.old, e.new, 1)
		}
		writeText(t, filepath.Join(dir, filepath.Base(path)), text)
	}
	text := readText(t, filepath.Join(specDir, "MCHopscotch_"+program+".cfg"))
	text, _, _ = strings.Cut(text, "INVARIANTS")
	text = regexp.MustCompile(`MaxCrashes = \d`).ReplaceAllString(text,
		fmt.Sprintf("MaxCrashes = %d", crashes))
	cfg = "Set.cfg"
	writeText(t, filepath.Join(dir, cfg), text)
	return dir, cfg
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tlcStates returns the canonical texts of all states that TLC reaches.
func tlcStates(t *testing.T, tool *tlc.Tool, dir, cfg string) (map[string]bool, tlc.Result) {
	t.Helper()
	dump := filepath.Join(dir, "states")
	r, err := tool.Run(t.Context(), tlc.Job{Dir: dir, Module: "MCHopscotch", Config: cfg,
		Args: []string{"-dump", dump}, Timeout: 3 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != tlc.OK {
		t.Fatalf("TLC: %s %s %s", r.Outcome, r.Property, r.Message)
	}
	set, err := readDump(dump + ".dump")
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(set)) != r.Distinct {
		t.Fatalf("TLC reports %d distinct states, its dump has %d", r.Distinct, len(set))
	}
	return set, r
}

func readDump(path string) (map[string]bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	set := map[string]bool{}
	var one strings.Builder
	flush := func() error {
		if one.Len() == 0 {
			return nil
		}
		text, err := CanonicalState(one.String())
		set[text] = true
		one.Reset()
		return err
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "State ") {
			if err := flush(); err != nil {
				return nil, err
			}
			continue
		}
		one.WriteString(lines.Text() + "\n")
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return set, lines.Err()
}

func modelStates(m *Machine) (map[string]bool, Report) {
	set := map[string]bool{}
	r := Explore(context.Background(), m, Options{Exact: true,
		Visit: func(s *State) { set[m.TLA(s)] = true }})
	return set, r
}

// onlyIn returns up to three elements of a that b has not, and how many there are.
func onlyIn(a, b map[string]bool) (some []string, n int) {
	for s := range a {
		if !b[s] {
			some = append(some, s)
		}
	}
	sort.Strings(some)
	return some[:min(3, len(some))], len(some)
}

// difference is "" if the sets are equal.
func difference(spec, model map[string]bool) string {
	a, n := onlyIn(spec, model)
	b, m := onlyIn(model, spec)
	if n+m == 0 {
		return ""
	}
	return fmt.Sprintf("%d states in TLC only, such as\n%s\n%d states in the model only, such as\n%s",
		n, strings.Join(a, "\n"), m, strings.Join(b, "\n"))
}

// TLC and the model reach the same set of states: all variables, no symmetry, no view.
func TestSameStatesAsTLC(t *testing.T) {
	tool := findTLC(t)
	for _, x := range []struct {
		program string
		crashes int
	}{
		{"S01AddEmpty", 0}, {"S02AddCollision", 0}, {"S05AddEmptyGet", 0},
		{"S06AddCollisionGet", 0}, {"S04AddCollisionEmpty", 0},
		{"S05AddEmptyGet", 1}, {"S06AddCollisionGet", 1}, {"S04AddCollisionEmpty", 1},
		{"S02AddCollision_SharedHole", 0},
	} {
		t.Run(fmt.Sprintf("%s/%d", x.program, x.crashes), func(t *testing.T) {
			dir, cfg := specCopy(t, x.program, x.crashes)
			spec, r := tlcStates(t, tool, dir, cfg)
			model, ours := modelStates(machineOf(t, x.program, x.crashes))
			if d := difference(spec, model); d != "" {
				t.Error(d)
			}
			if r.Distinct != ours.Distinct || r.Depth != ours.Depth ||
				r.Generated != ours.Generated {
				t.Errorf("TLC %d distinct, %d generated, depth %d; model %d, %d, %d",
					r.Distinct, r.Generated, r.Depth, ours.Distinct, ours.Generated, ours.Depth)
			}
			t.Logf("%d states, the same", len(spec))
		})
	}
}

// The comparison can fail: a one-word change on one side makes the sets differ, the same change
// on the other side makes them equal again.
func TestOneWordMakesStatesDiffer(t *testing.T) {
	tool := findTLC(t)
	for _, x := range []struct {
		name, program string
		edit          edit
		hook          func(a ActionID, prev, next *State)
	}{
		{"HelpUnfreeze keeps the old value", "S02AddCollision",
			edit{"Help", "Frozen(e), Bumped(e, l.p.pair.v)", "Frozen(e), Bumped(e, e.v)"},
			func(a ActionID, prev, next *State) {
				if a == HelpUnfreeze {
					keepValues(prev, next)
				}
			}},
		{"ClientReturn leaves done", "S05AddEmptyGet",
			edit{"Hopscotch", "done' = [done EXCEPT ![t] = FALSE]",
				"done' = [done EXCEPT ![t] = TRUE]"},
			func(a ActionID, prev, next *State) {
				for t := range prev.busy {
					if a == ClientReturn && prev.busy[t] != next.busy[t] {
						next.done |= bit(t + 1)
					}
				}
			}},
	} {
		t.Run(x.name, func(t *testing.T) {
			dir, cfg := specCopy(t, x.program, 0)
			spec, _ := tlcStates(t, tool, dir, cfg)
			dir, cfg = specCopy(t, x.program, 0, x.edit)
			changedSpec, _ := tlcStates(t, tool, dir, cfg)
			model, _ := modelStates(machineOf(t, x.program, 0))
			changed := machineOf(t, x.program, 0)
			changed.hook = x.hook
			changed.unchecked = true
			changedModel, _ := modelStates(changed)
			for _, y := range []struct {
				what        string
				spec, model map[string]bool
				same        bool
			}{
				{"unchanged", spec, model, true},
				{"spec changed", changedSpec, model, false},
				{"model changed", spec, changedModel, false},
				{"both changed", changedSpec, changedModel, true},
			} {
				d := difference(y.spec, y.model)
				if (d == "") != y.same {
					t.Errorf("%s: same set: %v, want %v\n%s", y.what, d == "", y.same, d)
				}
			}
		})
	}
}

func keepValues(prev, next *State) {
	for h := range next.w1 {
		for c := range next.w1[h] {
			next.w1[h][c].V = prev.w1[h][c].V
		}
	}
}

// TLC against the model on one program with every property, in one run; the start of Java counts.
func BenchmarkAgainstTLC(b *testing.B) {
	tool := findTLC(b)
	const program = "S04AddCollisionEmpty_SameKeyBases"
	m := machineOf(b, program, 1)
	var theirs, ours float64
	for b.Loop() {
		r, err := tool.Run(b.Context(), tlc.Job{Dir: specDir, Module: "MCHopscotch",
			Config: "MCHopscotch_" + program + ".cfg", Timeout: 5 * time.Minute})
		if err != nil || r.Outcome != tlc.OK {
			b.Fatal(err, r.Outcome, r.Message)
		}
		x := Explore(b.Context(), m, Options{Workers: 1})
		if x.Distinct != r.Distinct {
			b.Fatalf("TLC %d states, model %d", r.Distinct, x.Distinct)
		}
		theirs += float64(r.Distinct) / r.Wall.Seconds()
		ours += float64(x.Distinct) / x.Elapsed.Seconds()
	}
	b.ReportMetric(theirs/float64(b.N), "tlc-states/s")
	b.ReportMetric(ours/float64(b.N), "model-states/s")
	b.ReportMetric(ours/theirs, "times-tlc")
}

var (
	reScenario = regexp.MustCompile(`Scenario = "(\w+)"`)
	reCrashes  = regexp.MustCompile(`MaxCrashes = (\d)`)
	reFixOff   = regexp.MustCompile(`(Fix\w+) = FALSE`)
)

// configOf reads the machine of a TLC configuration.
func configOf(t *testing.T, cfg string) Config {
	t.Helper()
	text := readText(t, filepath.Join(specDir, cfg))
	name := reScenario.FindStringSubmatch(text)
	crashes := reCrashes.FindStringSubmatch(text)
	if name == nil || crashes == nil {
		t.Fatalf("%s names no program or no crashes", cfg)
	}
	p, ok := ProgramByName(name[1])
	if !ok {
		t.Fatalf("%s: the model has no program %s", cfg, name[1])
	}
	c := p.Config(int(crashes[1][0] - '0'))
	for _, off := range reFixOff.FindAllStringSubmatch(text, -1) {
		f, ok := FixByName(off[1])
		if !ok {
			t.Fatalf("%s: the model has no repair %s", cfg, off[1])
		}
		c.Fixes &^= f
	}
	return c
}

// The counts of the manifest's complete runs, which TLC has confirmed, are the model's.
func TestSameCountsAsManifest(t *testing.T) {
	manifest, err := tlc.LoadManifest(specDir)
	if err != nil {
		t.Skipf("the manifest of the specification: %v", err)
	}
	seen := map[string]bool{}
	for _, e := range manifest.Entries {
		if e.Kind != tlc.Safety && e.Kind != tlc.LiveRun {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			m, err := New(configOf(t, e.Cfg))
			if err != nil {
				t.Fatal(err)
			}
			r := Explore(t.Context(), m, Options{})
			if !r.OK() {
				t.Errorf("%s %s %s\n%v", r.Bound, r.SoloFails, r.Endless, r.Violation)
			}
			if r.Distinct != e.Distinct || e.Depth != 0 && r.Depth != e.Depth {
				t.Errorf("the model has %d states, depth %d; TLC %d, %d",
					r.Distinct, r.Depth, e.Distinct, e.Depth)
			}
			seen[m.cfg.Name] = true
		})
	}
	for _, p := range Programs() {
		if !seen[p.Name] {
			t.Run(p.Name, func(t *testing.T) {
				t.Skip("the manifest has no complete run of this program")
			})
		}
	}
}

// Each repair is needed: without it the model, too, violates what the manifest names.
func TestWithoutRepair(t *testing.T) {
	manifest, err := tlc.LoadManifest(specDir)
	if err != nil {
		t.Skipf("the manifest of the specification: %v", err)
	}
	off := Fix(0)
	for _, e := range manifest.Entries {
		if e.Kind != tlc.MustFail {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			c := configOf(t, e.Cfg)
			off |= AllFixes &^ c.Fixes
			m, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			r := Explore(t.Context(), m, Options{})
			if e.Expect == tlc.Liveness {
				if r.Violation != nil || r.SoloFails == "" || r.Endless == "" {
					t.Errorf("want an actor that never ends, got %+v", r)
				}
				t.Log(r.SoloFails)
				return
			}
			if r.Violation == nil {
				t.Fatalf("nothing is violated, want %s", e.Property)
			}
			if names := r.Violation.Names(); !strings.Contains(strings.Join(names, " "), e.Property) {
				t.Errorf("%v is violated, want %s", names, e.Property)
			}
			t.Logf("\n%s", r.Violation)
		})
	}
	if off != AllFixes {
		t.Errorf("the must-fail runs switch off %08b, not every repair", off)
	}
}
