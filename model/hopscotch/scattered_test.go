package model

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search/tla"
)

const (
	scatteredModule = "MCScattered"
	linesModule     = "MCLines"
)

// onLongRings are the actions that are taken only where the front of a window, or the table of windows,
// ends: TestLinesAreClean sees them.
var onLongRings = []string{"FrontPeek", "RoomBeyond", "RoomSpare"}

// scatteredMachine is that of a run of MCScattered or MCLines.
func scatteredMachine(t *testing.T, e tlc.Entry) *Machine {
	t.Helper()
	for _, p := range slices.Concat(Scattered(), OnLines()) {
		if p.Name == e.Name {
			x, err := New(p.Config(configOf(t, e).MaxCrashes))
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
	}
	t.Fatalf("the model has no program of %s", e.Name)
	return nil
}

// scatteredEntries are the runs of MCScattered, and the four of MCLines.
func scatteredEntries(t *testing.T) (all []tlc.Entry) {
	t.Helper()
	m, err := tlc.LoadManifest(specDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Entries {
		if e.Module == scatteredModule || e.Module == linesModule {
			all = append(all, e)
		}
	}
	if want := len(Scattered()) + 4; len(all) != want {
		t.Fatalf("%d runs, want %d", len(all), want)
	}
	return all
}

// The model has as many states of the programs on scattered windows as TLC, and they keep every property.
func TestSameCountsOfScattered(t *testing.T) {
	for _, e := range scatteredEntries(t) {
		r := Explore(t.Context(), scatteredMachine(t, e), Options{})
		if !r.OK() || r.Distinct != e.Distinct || r.Depth != e.Depth {
			t.Errorf("%s: the model has %d states, depth %d; TLC %d, %d\n%v", e.Name, r.Distinct, r.Depth,
				e.Distinct, e.Depth, r.Violation)
		}
	}
}

// And they are the same states, all variables of them.
func TestSameScatteredStatesAsTLC(t *testing.T) {
	jvms := samestates.Machines(t)
	for _, e := range scatteredEntries(t) {
		if e.Distinct > 50_000 {
			continue // their number is compared above
		}
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			dir := samestates.Copy(t, specDir)
			constants, _, _ := strings.Cut(e.Configuration(), "INVARIANTS")
			spec, r := samestates.TLC(t, jvms, tlc.Job{Dir: dir, Module: e.Module, Config: "Set.cfg",
				Text: constants, Timeout: 3 * time.Minute}, tla.ReadStates)
			ours, _ := modelStates(scatteredMachine(t, e))
			if d := samestates.Difference(spec, ours); d != "" || r.Distinct != e.Distinct {
				t.Errorf("TLC has %d states, the manifest says %d\n%s", r.Distinct, e.Distinct, d)
			}
		})
	}
}

// leavesOnLines searches a program on the windows of a long ring, with a death at any step, and reports
// whether an element of the memory leaves that nobody deletes.
func leavesOnLines(t *testing.T, p Program, c Config) (r Report, leaves bool) {
	t.Helper()
	x, err := New(c)
	if err != nil {
		t.Fatal(p.Name, err)
	}
	deleted := map[uint8]bool{}
	for _, op := range slices.Concat(p.Ops...) {
		deleted[op.K] = deleted[op.K] || op.Op == OpDelete
	}
	r = Explore(t.Context(), x, Options{Visit: func(s *State) {
		for _, e := range p.Memory {
			leaves = leaves || s.contents[e.K] == 0 && !deleted[e.K]
		}
	}})
	if !r.OK() {
		t.Errorf("%s, %s: %s %s\n%v", p.Name, r.Bound, r.SoloFails, r.Endless, r.Violation)
	}
	return r, leaves
}

// The programs on windows of a long ring keep every property, and take the steps that others have not. What
// stands beyond a window moves so that nothing leaves; an add that looks at places within its window alone
// lets something leave.
func TestLinesAreClean(t *testing.T) {
	fired, beyond := map[string]int64{}, 0
	for _, p := range OnLines() {
		c := p.Config(ProgramCrashes)
		r, leaves := leavesOnLines(t, p, c)
		for a, n := range r.Fired {
			fired[a] += n
		}
		if r.Fired["RoomBeyond"] == 0 {
			continue
		}
		beyond++
		if c.Reach = c.W; leaves {
			t.Errorf("%s: an element leaves, and there is room beyond the window", p.Name)
		}
		moves := p.Name == "Lines_Alone" || p.Name == "Lines_Beyond"
		if _, leaves = leavesOnLines(t, p, c); moves && !leaves {
			t.Errorf("%s: nothing leaves without a look beyond the window", p.Name)
		}
	}
	for _, a := range onLongRings {
		if fired[a] == 0 {
			t.Errorf("%s fires in no program", a)
		}
	}
	if beyond != 5 {
		t.Errorf("%d programs look beyond a window, want 5", beyond)
	}
}

// A table that leads back to two homes, or to one cell twice, is none: neither TLC nor the model takes it.
func TestWindowsRefused(t *testing.T) {
	good := func() Config { return Scattered()[1].Config(0) }
	for name, spoil := range map[string]func(w Windows){
		"no such cell":       func(w Windows) { w[0][1][2] = 8 },
		"a cell twice":       func(w Windows) { w[1][2][2] = w[1][2][1] },
		"two homes":          func(w Windows) { w[0][1][1] = w[0][2][1] },
		"begins elsewhere":   func(w Windows) { w[0][1][0], w[0][1][1] = w[0][1][1], w[0][1][0] },
		"home has no window": func(w Windows) { w[1][1] = nil },
		"too narrow":         func(w Windows) { w[0][3] = w[0][3][:2] },
	} {
		c := good()
		spoil(c.Windows)
		if _, err := New(c); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v, want %v", name, err, ErrConfig)
		}
	}
	c := good()
	c.Windows = c.Windows[:1]
	if _, err := New(c); !errors.Is(err, ErrConfig) {
		t.Errorf("one half: %v, want %v", err, ErrConfig)
	}
	jvms := samestates.Machines(t)
	dir := samestates.Copy(t, specDir,
		tlc.Edit{Module: scatteredModule, Old: "[] o = 1 -> 7", New: "[] o = 1 -> 5"})
	job := samestates.RunOf(t, specDir, "Scattered_Lift").Job()
	job.Dir = dir
	r, err := jvms.Run(t.Context(), job, tlc.Family{})
	if err != nil || r.Outcome != tlc.Assumption {
		t.Errorf("a cell twice in TLC: %s %s %v, want %s", r.Outcome, r.Message, err, tlc.Assumption)
	}
}
