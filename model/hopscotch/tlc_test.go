package model

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/search/tla"
)

const specDir = "../../spec/tla/hopscotch"

// specCopy copies the modules to a new folder, edited, with a configuration for the program that
// checks nothing: only the set of states counts.
func specCopy(t *testing.T, program string, crashes int, edits ...tlc.Edit) (dir, cfg string) {
	t.Helper()
	return wrappedSpecCopy(t, wrapped{program: program}, crashes, edits...)
}

// wrappedSpecCopy is the same with generations and versions that wrap.
func wrappedSpecCopy(t *testing.T, x wrapped, crashes int, edits ...tlc.Edit) (dir, cfg string) {
	t.Helper()
	dir = samestates.Copy(t, specDir, edits...)
	cfg = "Set.cfg"
	samestates.Write(t, filepath.Join(dir, cfg), setConfig(t, x, crashes))
	return dir, cfg
}

var reConstant = regexp.MustCompile(`(?m)^MC(\w+) ==`)

// setConfig is a configuration without properties: every constant that MCHopscotch derives, and all
// repairs.
func setConfig(t *testing.T, x wrapped, crashes int) string {
	t.Helper()
	p, _ := ProgramByName(x.program)
	cells, window := p.Geometry()
	text := fmt.Sprintf("SPECIFICATION Spec\nCONSTANTS\n  Scenario = \"%s\"\n  MaxCrashes = %d\n"+
		"  WrapRef = %d\n  WrapVersion = %d\n  WrapMember = %d\n  N = %d\n  W = %d\n",
		x.program, crashes, x.wrap.Ref, x.wrap.Version, x.wrap.Member, cells, window)
	for _, fix := range fixNames {
		text += "  " + fix + " = TRUE\n"
	}
	root := samestates.Read(t, filepath.Join(specDir, "MCHopscotch.tla"))
	derived := reConstant.FindAllStringSubmatch(root, -1)
	if len(derived) == 0 {
		t.Fatal("MCHopscotch derives no constant")
	}
	for _, x := range derived {
		text += fmt.Sprintf("  %s <- MC%s\n", x[1], x[1])
	}
	return text
}

// tlcStates returns all states that TLC reaches.
func tlcStates(t *testing.T, jvms *tlc.Machines, dir, cfg string) (samestates.Set, tlc.Result) {
	t.Helper()
	return samestates.TLC(t, jvms, tlc.Job{Dir: dir, Module: "MCHopscotch", Config: cfg,
		Timeout: 20 * time.Minute}, tla.ReadStates)
}

func modelStates(m *Machine) (samestates.Set, Report) {
	var r Report
	set, _ := samestates.NewSet(func(f func(string)) error {
		r = Explore(context.Background(), m, Options{Exact: true,
			Visit: func(s *State) { f(m.TLA(s)) }})
		return nil
	})
	return set, r
}

// compared are the programs whose states are compared, one of each operation state at least
// (TestProgramsOfEachState), with as many deaths.
var compared = []struct {
	program string
	crashes int
}{
	{"S01AddEmpty", 1}, {"S02AddCollision", 1}, {"S02AddCollision_SharedHole", 0},
	{"S03AddFull_OnlyMember", 0}, {"S04AddCollisionEmpty", 0}, {"S05AddEmptyGet", 1},
	{"S06AddCollisionGet", 1}, {"S06AddCollisionGet_Near", 1}, {"S15GetMany_Near", 1},
	{"S07AddCollisionUpdate", 1}, {"S08AddEmptyDelete", 1},
	{"S09AddCollisionDeleteMember", 0}, {"S10AddCollisionDeleteBase", 0}, {"S11UsurpGet", 0},
	{"S12UsurpUpdate", 0}, {"S13UsurpDelete", 0}, {"S14UsurpDeleteBase", 0}, {"S15GetMany", 1},
	{"S16GetDeleteMember", 0}, {"S17GetDeleteBase", 1}, {"S18GetUpdate", 1},
	{"S19UpdateSameKey", 1}, {"S20DeleteMembers", 0}, {"S21DeleteBase", 0},
	{"S22DeleteBaseMembers", 0}, {"S23DeleteSameKey", 0}, {"S24UsurpDeleteInProgress", 0},
	{"S25SwapDelete", 0}, {"S25SwapDelete_Swap", 1}, {"S25SwapDelete_Usurp", 0},
	{"S25SwapDelete_Near", 1}, {"S26StillReuse", 0}, {"S26StillReuse_Evict", 0}, {"S26StillReuse_Near", 0},
	{"S27CompareDelete", 1}, {"S27CompareDelete_Member", 1}, {"S27CompareDelete_Get", 0},
	{"S27CompareDelete_LostMember", 0},
	{"S01AddEmpty_Near", 1}, {"S02AddCollision_Near", 1}, {"S08AddEmptyDelete_Near", 1},
	{"S14UsurpDeleteBase_Near", 0}, {"S19UpdateSameKey_Near", 1}, {"S20DeleteMembers_Near", 0},
	{"S22DeleteBaseMembers_Near", 0}, {"S23DeleteSameKey_Near", 1},
}

// TLC and the model reach the same set of states: all variables, no symmetry, no view. Where the states with
// a death are too many, those without are compared.
func TestSameStatesAsTLC(t *testing.T) {
	if sameStatesAsked(t) {
		return
	}
	jvms := samestates.Machines(t)
	for _, x := range compared {
		t.Run(fmt.Sprintf("%s/%d", x.program, x.crashes), func(t *testing.T) {
			t.Parallel()
			dir, cfg := specCopy(t, x.program, x.crashes)
			sameStates(t, jvms, dir, cfg, machineOf(t, x.program, x.crashes))
		})
	}
}

// sameStatesAsked does so with the runs that the flag -runs names, each with the deaths of its configuration.
// It reports whether the flag is set.
func sameStatesAsked(t *testing.T) bool {
	t.Helper()
	m, err := tlc.LoadManifest(specDir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range m.Entries {
		if e.Module == "MCHopscotch" {
			names = append(names, e.Name)
		}
	}
	asked, set := samestates.Asked(names)
	if len(asked) == 0 {
		return set
	}
	jvms := samestates.Machines(t)
	for _, name := range asked {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := m.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			deaths := reDeaths.FindStringSubmatch(e.Configuration())
			if deaths == nil {
				t.Fatalf("the configuration does not say how many may die:\n%s", e.Configuration())
			}
			crashes, err := strconv.Atoi(deaths[1])
			if err != nil {
				t.Fatal(err)
			}
			dir, cfg := specCopy(t, name, crashes)
			sameStates(t, jvms, dir, cfg, machineOf(t, name, crashes))
			samestates.Equal(t, name)
		})
	}
	return true
}

var reDeaths = regexp.MustCompile(`MaxCrashes = (\d+)`)

// The same where generations and versions wrap: too early, and a sleeper does harm, or not.
func TestSameWrappedStatesAsTLC(t *testing.T) {
	jvms := samestates.Machines(t)
	for _, x := range []wrapped{
		{"S21DeleteBase_Turn", Wrap{Ref: 2}}, {"S17GetDeleteBase_Turn", Wrap{Version: 2}},
		{"S17GetDeleteBase_Turn", Wrap{Version: 6, Member: 2}},
	} {
		t.Run(fmt.Sprintf("%s/%v", x.program, x.wrap), func(t *testing.T) {
			t.Parallel()
			dir, cfg := wrappedSpecCopy(t, x, 0)
			c := machineOf(t, x.program, 0).Config()
			c.Wrap, c.Properties = x.wrap, []string{}
			m, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			sameStates(t, jvms, dir, cfg, m)
		})
	}
}

func sameStates(t *testing.T, jvms *tlc.Machines, dir, cfg string, m *Machine) {
	t.Helper()
	spec, r := tlcStates(t, jvms, dir, cfg)
	model, ours := modelStates(m)
	if d := samestates.Difference(spec, model); d != "" {
		t.Error(d)
	}
	if r.Distinct != ours.Distinct || r.Depth != ours.Depth || r.Generated != ours.Generated {
		t.Errorf("TLC %d distinct, %d generated, depth %d; model %d, %d, %d",
			r.Distinct, r.Generated, r.Depth, ours.Distinct, ours.Generated, ours.Depth)
	}
	t.Logf("%d states, the same", r.Distinct)
}

// The comparison can fail: a one-word change on one side makes the sets differ, the same change
// on the other side makes them equal again.
func TestOneWordMakesStatesDiffer(t *testing.T) {
	jvms := samestates.Machines(t)
	for _, x := range []struct {
		name, program string
		edit          tlc.Edit
		hook          func(a ActionID, prev, next *State)
	}{
		{"HelpUnfreeze keeps the old value", "S02AddCollision",
			tlc.Edit{Module: "Progress",
				Old: "{\"add\", \"replace\", \"lift\"} -> Bumped(p.expect, p.pair.v)",
				New: "{\"add\", \"replace\", \"lift\"} -> Bumped(p.expect, p.expect.v)"},
			func(a ActionID, prev, next *State) {
				if a == HelpUnfreeze {
					keepValues(prev, next)
				}
			}},
		{"ClientReturn leaves done", "S05AddEmptyGet",
			tlc.Edit{Module: "Hopscotch", Old: "done' = [done EXCEPT ![t] = FALSE]",
				New: "done' = [done EXCEPT ![t] = TRUE]"},
			func(a ActionID, prev, next *State) {
				for t := range prev.busy {
					if a == ClientReturn && prev.busy[t] != next.busy[t] {
						next.done |= bit(t + 1)
					}
				}
			}},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			dir, cfg := specCopy(t, x.program, 0)
			spec, _ := tlcStates(t, jvms, dir, cfg)
			dir, cfg = specCopy(t, x.program, 0, x.edit)
			changedSpec, _ := tlcStates(t, jvms, dir, cfg)
			model, _ := modelStates(machineOf(t, x.program, 0))
			changed := unchecked(t, machineOf(t, x.program, 0))
			changed.hook = x.hook
			changedModel, _ := modelStates(changed)
			for _, y := range []struct {
				what        string
				spec, model samestates.Set
				same        bool
			}{
				{"unchanged", spec, model, true},
				{"spec changed", changedSpec, model, false},
				{"model changed", spec, changedModel, false},
				{"both changed", changedSpec, changedModel, true},
			} {
				d := samestates.Difference(y.spec, y.model)
				if (d == "") != y.same {
					t.Errorf("%s: same set: %v, want %v\n%s", y.what, d == "", y.same, d)
				}
			}
		})
	}
}

// unchecked is the machine without properties.
func unchecked(t *testing.T, m *Machine) *Machine {
	t.Helper()
	c := m.Config()
	c.Properties = []string{}
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
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
	tool := samestates.Tool(b)
	const program = "S04AddCollisionEmpty_SameKeyBases"
	m := machineOf(b, program, 1)
	var theirs, ours float64
	for b.Loop() {
		r, err := tool.Run(b.Context(), samestates.RunOf(b, specDir, program).Job())
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
