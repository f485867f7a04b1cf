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

	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/evidence"
	model "github.com/samecycle/samecycle/model/hopscotch"
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
		shared := &reports{byState: map[string][]Report{state.ID: {rep}}}
		for _, link := range []evidence.Runner{engineLink{shared}, historiesLink{shared}} {
			var r evidence.Record
			env := evidence.Env{Root: root, Save: func(saved evidence.Record) error { r = saved; return nil }}
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

// TestLinks_WantTheRace: a state whose race never happened is red, in however many executions.
func TestLinks_WantTheRace(t *testing.T) {
	state, _ := register.StateByID("S18")
	p, _ := model.ProgramByName(state.ID)
	rep := mustRun(t, p, Options{Preemptions: 1})
	if r := engineRecord(state.ID, []Report{rep}); r.Status != evidence.Pass {
		t.Fatalf("with the race: %v %v", r.Status, r.Detail)
	}
	rep.Marks = map[string]uint64{"S19UpdateSameKey": 1}
	r := engineRecord(state.ID, []Report{rep})
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
	part, err := Explore(p, Options{Preemptions: 1, Executions: whole.Executions - 1})
	if err != nil || part.Failure != nil || part.Exhaustive || part.Marks[state.ID] == 0 {
		t.Fatalf("%v, %v, exhaustive %t, %v", err, part.Failure, part.Exhaustive, part.Marks)
	}
	cut := whole
	cut.Exhaustive, cut.StepBound = false, 1 // as Explore reports it
	for name, record := range map[string]func(string, []Report) evidence.Record{
		"engine": engineRecord, "histories": historiesRecord,
	} {
		for what, reports := range map[string][]Report{
			"ended early": {part}, "cut": {cut}, "the second ended early": {whole, part},
		} {
			if r := record(state.ID, reports); r.Status != evidence.Unknown {
				t.Errorf("%s, %s: %v %v", name, what, r.Status, r.Detail)
			}
		}
		if r := record(state.ID, []Report{whole}); r.Status != evidence.Pass {
			t.Errorf("%s: %v %v", name, r.Status, r.Detail)
		}
	}
}

// TestLinks_SearchWhatTheySay: the programs of a state are searched, those of three actors as well, each to
// the bound and with the deaths that the record names.
func TestLinks_SearchWhatTheySay(t *testing.T) {
	const state = "S15GetMany"
	all, err := (&reports{byState: map[string][]Report{}}).get(t.Context(), state, func(string) {})
	programs := slices.Concat(model.ProgramsOf(state), model.ThreeActorsOf(state))
	if err != nil || len(all) != len(programs) || len(model.ThreeActorsOf(state)) == 0 {
		t.Fatalf("%v: %d reports of %d programs", err, len(all), len(programs))
	}
	for i, p := range programs {
		b, r := Checked(p), all[i]
		if r.Program != p.Name || !r.Exhaustive || r.Preemptions != b.Preemptions ||
			(r.Killed > 0) != (b.Kills > 0) {
			t.Errorf("%s: %s with %d killed, want %+v: %s", p.Name, r.Program, r.Killed, b, r.Bound)
		}
	}
}

// TestLinks_WantTheProgramOfToday: a program of which nobody can tell that it is of the files that it is to
// judge judges nothing.
func TestLinks_WantTheProgramOfToday(t *testing.T) {
	for _, link := range Links() {
		env := evidence.Env{Root: t.TempDir(), Program: filepath.Join(t.TempDir(), "samecycle"),
			Save: func(r evidence.Record) error { t.Errorf("%s is judged", r.State); return nil }}
		_, err := link.Run(t.Context(), env, register.States()[:1], func(string, float64) {})
		if !errors.Is(err, evidence.ErrNotRun) || !strings.Contains(err.Error(), "make build") {
			t.Errorf("%s: %v", link.Link(), err)
		}
	}
}
