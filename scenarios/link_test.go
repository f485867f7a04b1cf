//go:build explore

package scenarios

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/model"
)

// TestLinks_Page: the record of a program that fails names a page that shows the failure and how to run it
// again, in the folder that git ignores; one of a program that passes names none.
func TestLinks_Page(t *testing.T) {
	state, _ := catalog.StateByID("S01")
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
	state, _ := catalog.StateByID("S18")
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
