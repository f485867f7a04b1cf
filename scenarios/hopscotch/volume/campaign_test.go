package volume

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	"github.com/samecycle/samecycle/scenarios/hopscotch/states"
	"github.com/samecycle/samecycle/stress"
	"github.com/samecycle/samecycle/stress/stresstest"
)

// errEnough ends a campaign that has shown what a test wants to see.
var errEnough = errors.New("enough was seen")

// campaign of the named states, with goroutines or processes.
func testCampaign(t *testing.T, s *subject, o stress.Options, states ...string) *stress.Report {
	t.Helper()
	for _, id := range states {
		state, err := stress.StateNamed(s, id)
		if err != nil {
			t.Fatal(err)
		}
		o.States = append(o.States, state)
	}
	o.Seed = 1
	r, err := stress.Campaign(context.Background(), s, o)
	if err != nil && !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
	return r
}

// sound fails the test if anything is wrong, a mark that was not seen apart: on a machine that is
// busy with other things a race may not occur in the short time of a test.
func sound(t *testing.T, r *stress.Report) {
	t.Helper()
	marks := uint64(0)
	t.Logf("near %v; control %v", &r.Near, &r.Away)
	for _, s := range r.States {
		marks += s.Marks
		t.Logf("%s: %d marks, %d operations, %d windows, %d kills, %d in flight, %d installed",
			s.State, s.Marks, s.Operations, s.Windows, s.Kills, s.InFlight, s.Installed)
		for _, text := range append(s.Faults, s.Undecided...) {
			t.Error(text)
		}
		if s.Windows == 0 || s.Operations < 1000*s.Windows {
			t.Errorf("%s: %d operations in %d windows are too few", s.State, s.Operations, s.Windows)
		}
	}
	if marks == 0 || len(r.Faults) > 0 || r.Ways == 0 {
		t.Errorf("%d marks, %d ways, faults %v", marks, r.Ways, r.Faults)
	}
}

func TestCampaign_Goroutines(t *testing.T) {
	sound(t, testCampaign(t, &subject{}, stress.Options{Threads: 6}, "S03", "S06", "S17", "S19", "S24"))
}

// TestCampaign_Deaths goes on until twenty workers were killed, one of them within an operation: where a
// worker is when it is killed is for the machine to say, and on a busy one it is seldom at work.
func TestCampaign_Deaths(t *testing.T) {
	seen := func(r *stress.Report) (kills, inFlight uint64) {
		for _, s := range r.States {
			kills += s.Kills
			inFlight += s.InFlight
		}
		return kills, inFlight
	}
	enough := func(r *stress.Report) error {
		if kills, inFlight := seen(r); kills >= 20 && inFlight > 0 {
			return errEnough
		}
		return nil
	}
	r := testCampaign(t, &subject{}, stress.Options{Processes: 4, Worker: stresstest.Worker(t, ""),
		Kills: 1000, Batch: enough}, "S02", "S13")
	sound(t, r)
	if kills, inFlight := seen(r); kills < 20 || inFlight == 0 {
		t.Errorf("%d kills, %d within an operation", kills, inFlight)
	}
	returned := uint64(0)
	for _, s := range r.States {
		returned += s.Returned
	}
	if kills, _ := seen(r); returned < kills/2 { // who dies before it has a descriptor leaves none
		t.Errorf("%d descriptors were given back after %d kills", returned, kills)
	}
}

// TestCampaign_NobodyReclaims: descriptors that stay with the dead are found at the end of the round.
func TestCampaign_NobodyReclaims(t *testing.T) {
	nothing := func(*hopscotch.Handle) ([]hopscotch.Reclaimed, error) { return nil, nil }
	o := stress.Options{Processes: 3, Worker: stresstest.Worker(t, "idle"), Kills: 100}
	s := testCampaign(t, &subject{reclaim: nothing}, o, "S02").States[0]
	if all := strings.Join(s.Faults, "\n"); !strings.Contains(all, "of its own have not been given back") {
		t.Errorf("after %d kills: %s", s.Kills, all)
	}
}

// TestCampaign_Canaries seeds faults: each must be found, and be told as what it is. What stalls does so on a
// machine from which nothing is taken away: for as long as that it would be excused.
func TestCampaign_Canaries(t *testing.T) {
	for _, c := range []struct {
		fault, state, says string
		processes          int
	}{
		{"drop", "S02", "not linearizable", 0},
		{"stale", "S18", "not linearizable", 0},
		{"hide", "S03", "was handed to nobody", 0},
		{"twice", "S19", "handed over twice", 0},
		{"full", "S06", "mark not seen", 0},
		{"drop", "S02", "not linearizable", 3},
		{"break", "S02", "table is damaged", 0},
		{"break", "S02", "table is damaged", 3},
		{"stall", "S15", "its thread ran for", 3},
	} {
		t.Run(c.fault+"_"+c.state, func(t *testing.T) {
			o := stress.Options{Threads: 4}
			if c.processes > 0 {
				o = stress.Options{Processes: c.processes, Worker: stresstest.Worker(t, c.fault)}
			}
			o.Histories = t.TempDir()
			if c.fault == "stall" {
				o.Stolen = func() int64 { return 0 }
			}
			s := testCampaign(t, &subject{wrap: faulty[c.fault]}, o, c.state).States[0]
			text, unknown := s.Verdict()
			all := strings.Join(append(s.Faults, text), "\n")
			if unknown || !strings.Contains(all, c.says) {
				t.Errorf("verdict %q, unknown %v, want %q; all: %s", text, unknown, c.says, all)
			}
			if c.says == "not linearizable" {
				kept(t, o.Histories, all)
			}
		})
	}
}

// kept wants the one refused history in the folder, which the faults name.
func kept(t *testing.T, folder, faults string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.ndjson"))
	if err != nil || len(paths) != 1 || !strings.Contains(faults, "--history "+paths[0]) {
		t.Fatalf("files %v, %v; faults %s", paths, err, faults)
	}
	in, err := os.Open(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	f, err := mapmodel.Decode(in)
	if err != nil || !strings.Contains(f.Note, "not linearizable") {
		t.Fatalf("note %q, %v", f.Note, err)
	}
	limits := linearizability.DefaultLimits()
	limits.OpsPerKey = len(f.Ops)
	if v := mapmodel.CheckWithin(f.Ops, limits, f.Initial); v.Outcome != linearizability.Illegal {
		t.Errorf("the file is %s", v.Outcome)
	}
}

// TestCampaign_DamagedTable damages one word of a table at rest.
func TestCampaign_DamagedTable(t *testing.T) {
	damage := func(r *region.Region, round uint64) {
		if round != 2 {
			return
		}
		words, err := r.Section(hopscotch.Engine, hopscotch.SectionCells)
		if err != nil {
			t.Error(err)
			return
		}
		words[3].Store(words[3].Load() ^ 1<<31) // a spare bit of a cell's second word, or its frozen bit
	}
	s := testCampaign(t, &subject{meddle: damage}, stress.Options{Threads: 4}, "S02").States[0]
	if text, unknown := s.Verdict(); unknown ||
		!strings.Contains(strings.Join(s.Faults, "\n"), "structure: ") {
		t.Errorf("verdict %q, unknown %v: %v", text, unknown, s.Faults)
	}
}

func TestJoin_Refused(t *testing.T) {
	for _, text := range []string{"", "{}", `{"nonsense":1}`, `{"workload":{"state":"S25","keys":[1]}}`,
		`{"workload":{"state":"S01AddEmpty"}}`} {
		if _, err := Subject().Join([]byte(text), 2); !errors.Is(err, stress.ErrAssignment) {
			t.Errorf("%q: error %v", text, err)
		}
	}
	good := `{"region":"nowhere","workload":{"state":"S01AddEmpty","keys":[1]}}`
	if _, err := Subject().Join([]byte(good), 2); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no files: error %v", err)
	}
}

func TestRecipes_AllStates(t *testing.T) {
	if n := len(states.Rows()); n != len(register.States()) {
		t.Errorf("%d rows", n)
	}
	for _, s := range register.States() {
		row, _ := states.Of(s.ID)
		w, err := newWorkload(s, 3)
		if err != nil || len(w.Keys) != row.Volume.Keys || w.layout(3).Check() != nil {
			t.Errorf("%s: %+v %v", s.ID, w, err)
		}
	}
	for id := range pairings {
		if _, ok := states.Of(id); !ok {
			t.Errorf("%s is hunted and has no recipe", id)
		}
	}
}
