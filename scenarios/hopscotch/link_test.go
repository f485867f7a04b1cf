//go:build explore

package scenarios

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/evidence"
	model "github.com/samecycle/samecycle/model/hopscotch"
	"github.com/samecycle/samecycle/scenarios/hopscotch/states"
)

// TestLinks_Page: the record of a program that fails names a page that shows the failure and how to run it
// again, in the folder that git ignores; one of a program that passes names none.
func TestLinks_Page(t *testing.T) {
	state, _ := register.StateByID("S01")
	p, _ := model.ProgramByName(state.ID)
	for _, planted := range []bool{false, true} {
		o := Options{Preemptions: 1}
		if planted {
			o.Misplaced = misplacedClaim(func() bool { return true })
		}
		rep, err := Explore(p, o)
		if err != nil || (rep.Failure != nil) != planted {
			t.Fatalf("planted %t: %v %v", planted, err, rep.Failure)
		}
		root := t.TempDir()
		e := engineOf(state, p.Name, func(o *Options) { o.Misplaced = misplaced(planted) })
		for _, link := range harness.Links(e) {
			var r evidence.Record
			env := evidence.Env{Root: root, Engine: e.Engine,
				Save: func(saved evidence.Record) error { r = saved; return nil }}
			_, err := link.Run(context.Background(), env, []catalog.State{state}, func(string, float64) {})
			if err != nil {
				t.Fatal(err)
			}
			if !planted {
				if r.Page != "" || r.Replay != "" {
					t.Errorf("%s: a pass has the page %q", link.Link(), r.Page)
				}
				continue
			}
			if !strings.HasPrefix(r.Page, "results/failures/") || r.Replay == "" {
				t.Errorf("%s: page %q, token %q", link.Link(), r.Page, r.Replay)
			}
			text, err := os.ReadFile(filepath.Join(root, r.Page))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"samecycle replay", r.Replay, "<html"} {
				if !strings.Contains(string(text), want) {
					t.Errorf("%s: the page lacks %q", link.Link(), want)
				}
			}
		}
	}
}

// misplaced plants a fault, or none.
func misplaced(planted bool) func(*explore.Step) {
	if !planted {
		return nil
	}
	return misplacedClaim(func() bool { return true })
}

// engineOf is the table with one program of the state, which is opened with other options.
func engineOf(state catalog.State, program string, alter func(*Options)) *harness.Engine {
	e := Engine()
	p, _ := e.ProgramByName(program)
	plain := p.Open
	p.Budget = harness.Budget{Preemptions: 1}
	p.Open = func(o Options) (*harness.Prepared, error) {
		alter(&o)
		return plain(o)
	}
	e.Programs, e.Shared = []harness.Program{p}, nil
	e.States = []catalog.State{state}
	return e
}

// recordsOf are the records of the engine's two links, by link.
func recordsOf(t *testing.T, e *harness.Engine) map[string]evidence.Record {
	t.Helper()
	records := map[string]evidence.Record{}
	for _, link := range harness.Links(e) {
		env := evidence.Env{Root: t.TempDir(), Engine: e.Engine, Save: func(r evidence.Record) error {
			records[link.Link()] = r
			return nil
		}}
		if _, err := link.Run(t.Context(), env, e.States, func(string, float64) {}); err != nil {
			t.Fatal(err)
		}
	}
	return records
}

// TestLinks_WantTheRace: a state whose race never happened is red, in however many executions.
func TestLinks_WantTheRace(t *testing.T) {
	state, _ := register.StateByID("S18")
	e := engineOf(state, state.ID, func(*Options) {})
	if r := recordsOf(t, e)["engine"]; r.Status != evidence.Pass {
		t.Fatalf("with the race: %v %v", r.Status, r.Detail)
	}
	open := e.Programs[0].Open
	e.Programs[0].Open = func(o Options) (*harness.Prepared, error) {
		p, err := open(o)
		report := p.Report
		p.Report = func(r explore.Report) Report {
			out := report(r)
			out.Marks = map[string]uint64{"S19UpdateSameKey": 1}
			return out
		}
		return p, err
	}
	r := recordsOf(t, e)["engine"]
	why := strings.Join(r.Detail, "\n")
	if r.Status != evidence.Fail || !strings.Contains(why, "the race never happened") {
		t.Errorf("without it: %v %v", r.Status, r.Detail)
	}
}

// TestLinks_NotFinished: a search that ended early, or cut an execution at the step bound, is no pass of
// either link, though nothing has failed.
func TestLinks_NotFinished(t *testing.T) {
	state, _ := register.StateByID("S18")
	p, _ := model.ProgramByName(state.ID)
	whole := mustRun(t, p, Options{Preemptions: 1})
	early := engineOf(state, p.Name, func(o *Options) { o.Executions = whole.Executions - 1 })
	cut := engineOf(state, p.Name, func(*Options) {})
	open := cut.Programs[0].Open
	cut.Programs[0].Open = func(o Options) (*harness.Prepared, error) {
		p, err := open(o)
		report := p.Report
		p.Report = func(r explore.Report) Report {
			out := report(r)
			out.Exhaustive, out.StepBound = false, 1 // as the explorer reports it
			return out
		}
		return p, err
	}
	second := engineOf(state, p.Name, func(*Options) {})
	second.Programs = append(second.Programs, early.Programs...)
	for what, e := range map[string]*harness.Engine{"ended early": early, "cut": cut,
		"the second ended early": second} {
		for link, r := range recordsOf(t, e) {
			if r.Status != evidence.Unknown {
				t.Errorf("%s, %s: %v %v", link, what, r.Status, r.Detail)
			}
		}
	}
}

// TestLinks_SharedFaults: what belongs to no state turns each state red when it fails, and unknown when it
// has no verdict; when it passes the record says so.
func TestLinks_SharedFaults(t *testing.T) {
	state, _ := register.StateByID("S18")
	for want, result := range map[evidence.Status]harness.SharedResult{
		evidence.Pass:    {Executions: 7, Bound: "all of a little"},
		evidence.Fail:    {Err: errors.New("it broke"), Token: "token"},
		evidence.Unknown: {Err: errors.New("no time"), Unknown: true},
	} {
		e := engineOf(state, state.ID, func(*Options) {})
		e.Shared = []harness.Shared{{Name: "others", Run: func(context.Context,
			func(string)) harness.SharedResult {
			return result
		}}}
		r := recordsOf(t, e)["engine"]
		text := strings.Join(r.Detail, "\n")
		if r.Status != want || !strings.Contains(text, "others") {
			t.Errorf("%s, want %s: %s", r.Status, want, text)
		}
	}
}

// TestLinks_SearchWhatTheySay: the programs of a state are searched, those of three actors as well, each to
// the bound and with the deaths that the record names.
func TestLinks_SearchWhatTheySay(t *testing.T) {
	const state = "S15GetMany"
	programs := slices.Concat(model.ProgramsOf(state), model.ThreeActorsOf(state))
	all := Engine().ProgramsOf(state)
	if len(all) != len(programs) || len(model.ThreeActorsOf(state)) == 0 {
		t.Fatalf("%d programs are registered of %d", len(all), len(programs))
	}
	for i, p := range programs {
		b := Checked(p)
		r, err := all[i].Check(t.Context(), nil)
		if err != nil || r.Program != p.Name || !r.Exhaustive || r.Preemptions != b.Preemptions ||
			(r.Killed > 0) != (b.Kills > 0) {
			t.Errorf("%s: %s with %d killed, want %+v: %s (%v)", p.Name, r.Program, r.Killed, b, r.Bound, err)
		}
	}
}

// TestLinks_WantTheProgramOfToday: a program of which nobody can tell that it is of the files that it is to
// judge judges nothing.
func TestLinks_WantTheProgramOfToday(t *testing.T) {
	for _, link := range harness.Links(Engine()) {
		env := evidence.Env{Root: t.TempDir(), Program: filepath.Join(t.TempDir(), "samecycle"),
			Save: func(r evidence.Record) error { t.Errorf("%s is judged", r.State); return nil }}
		_, err := link.Run(t.Context(), env, register.States()[:1], func(string, float64) {})
		if !errors.Is(err, evidence.ErrNotRun) || !strings.Contains(err.Error(), "make build") {
			t.Errorf("%s: %v", link.Link(), err)
		}
	}
}

// TestRows_AreTheModels: each state has a row with the programs of the model, those of two actors first.
func TestRows_AreTheModels(t *testing.T) {
	var want, got []string
	for _, s := range register.States() {
		for _, p := range slices.Concat(model.ProgramsOf(s.ID), model.ThreeActorsOf(s.ID)) {
			want = append(want, s.ID+" "+p.Name)
		}
	}
	for _, row := range states.Rows() {
		for _, p := range row.Programs {
			got = append(got, row.State+" "+p.Name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the rows have\n%q\nthe model has\n%q", got, want)
	}
	if states.All != explore.Unbounded {
		t.Errorf("no bound is %d in a row, %d in the explorer", states.All, explore.Unbounded)
	}
}
