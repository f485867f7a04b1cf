package stress

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// toyCampaign runs the toy.
func toyCampaign(t *testing.T, s *toy, o Options) *Report {
	t.Helper()
	t.Setenv(workerVariable, "")
	if o.Processes > 0 {
		o.Worker = []string{os.Args[0]}
	}
	if o.States == nil {
		o.States = []string{"T01Swap"}
	}
	o.Seed = 1
	r, err := Campaign(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCampaign_Toy(t *testing.T) {
	r := toyCampaign(t, &toy{}, Options{Threads: 4, Processes: 3, Kills: 6})
	s := r.States[0]
	if text, _ := s.Verdict(); text != "" || len(r.Faults) > 0 {
		t.Errorf("verdict %q, faults %v", text, r.Faults)
	}
	if r.Engine != "toy" || !r.Deaths || r.Counts != "swap" || r.Ways < 2 || r.Near.Operations == 0 ||
		r.Away.Installs != 1 {
		t.Errorf("report %+v", r)
	}
	if s.Marks == 0 || s.Kills < 6 || s.Stops == 0 || s.Operations < 1000*s.Windows || s.Windows == 0 {
		t.Errorf("state %+v", s)
	}
	if s.Returned != s.Kills || s.Lost == 0 { // the toy returns one for each dead, loses one for each living
		t.Errorf("%d returned, %d kills, %d lost", s.Returned, s.Kills, s.Lost)
	}
	if !lastToyWorld.closed || lastToyWorld.setup.Clients != 3 || lastToyWorld.setup.Deaths != killsARound {
		t.Errorf("the last world: %+v", lastToyWorld.setup)
	}
}

// TestCampaign_Heap: an engine on the heap has goroutines only. Its report says so, and nobody's death is
// missed.
func TestCampaign_Heap(t *testing.T) {
	r := toyCampaign(t, &toy{heap: true}, Options{Threads: 4})
	s := r.States[0]
	text, unknown := s.Verdict()
	if text != "" || unknown || r.Deaths || s.Kills != 0 || r.Near.Operations != 0 || r.Away.Operations == 0 {
		t.Errorf("verdict %q, report %+v, state %+v", text, r, s)
	}
	_, err := Campaign(t.Context(), &toy{heap: true}, Options{Processes: 1, Worker: []string{"x"}})
	if err == nil || !strings.Contains(err.Error(), "toy lives on the heap") {
		t.Errorf("processes of an engine on the heap: error %v", err)
	}
}

// TestCampaign_Canaries seeds faults: each must be found, and be told as what it is. What stalls does so on a
// machine from which nothing is taken away: for as long as that it would be excused.
func TestCampaign_Canaries(t *testing.T) {
	for _, c := range []struct {
		fault, says string
		processes   int
	}{
		{"stale", "not linearizable", 0},
		{"stale", "not linearizable", 3},
		{"break", "the toy is broken", 0},
		{"break", "the toy is broken", 3},
		{"notes", "63 notes, 62 are the most", 0},
		{"audit", "the audit of round 1 finds a fault", 0},
		{"drain", "at the end: something is left", 0},
		{"stall", "its thread ran for", 3},
	} {
		o := Options{Threads: 4, Histories: t.TempDir()}
		if c.processes > 0 {
			o.Threads, o.Processes, o.Stolen = 0, c.processes, func() int64 { return 0 }
		}
		r := toyCampaign(t, &toy{fault: c.fault}, o)
		s := r.States[0]
		text, unknown := s.Verdict()
		all := strings.Join(s.Faults, "\n")
		if unknown || text == "" || !strings.Contains(all, c.says) {
			t.Errorf("%s: verdict %q, unknown %v, want %q; all: %s", c.fault, text, unknown, c.says, all)
		}
		if r.Ended != "something is wrong" {
			t.Errorf("%s: ended: %s", c.fault, r.Ended)
		}
		kept, err := filepath.Glob(filepath.Join(o.Histories, "T01Swap-*.ndjson"))
		if want := c.fault == "stale"; err != nil || (len(kept) == 1) != want ||
			want && !strings.Contains(all, "--history "+kept[0]) {
			t.Errorf("%s: histories %v, %v", c.fault, kept, err)
		}
	}
}

// TestCampaign_NotSeen: a race that was not seen is no pass.
func TestCampaign_NotSeen(t *testing.T) {
	s := toyCampaign(t, &toy{}, Options{Threads: 2, States: []string{"T02Never"}}).States[0]
	if text, unknown := s.Verdict(); text != "mark not seen" || unknown {
		t.Errorf("verdict %q, unknown %v", text, unknown)
	}
}

// TestCampaign_Differs: what differs from one way to another makes a campaign red, though no state is.
func TestCampaign_Differs(t *testing.T) {
	r := toyCampaign(t, &toy{fault: "differs"}, Options{Threads: 2})
	if len(r.Faults) != 1 || !strings.Contains(r.Faults[0], "in a way") || r.Ended != "something is wrong" ||
		r.States[0].Red() {
		t.Errorf("faults %v, ended: %s", r.Faults, r.Ended)
	}
	if c := (&campaign{report: &Report{States: []*StateReport{{}}}}); c.red() {
		t.Error("no fault is one")
	}
}

// TestCampaign_CannotRun: what keeps a run from being made is an error, not a verdict.
func TestCampaign_CannotRun(t *testing.T) {
	for _, fault := range []string{"open", "metamorphic"} {
		_, err := Campaign(t.Context(), &toy{fault: fault}, Options{Threads: 1})
		if !errors.Is(err, errToy) {
			t.Errorf("%s: error %v", fault, err)
		}
	}
}

// TestCampaign_Undecided lets the judge refuse windows: that is unknown, never a pass.
func TestCampaign_Undecided(t *testing.T) {
	s := toyCampaign(t, &toy{}, Options{Threads: 4, OpsPerKey: 1}).States[0]
	if text, unknown := s.Verdict(); !unknown || !strings.Contains(text, "not judged") {
		t.Errorf("verdict %q, unknown %v", text, unknown)
	}
	if text, unknown := (&StateReport{}).Verdict(); !unknown {
		t.Errorf("a state that was not run has the verdict %q", text)
	}
}

// TestCampaign_ShortLimit: a limit that is reached at once ends the campaign when each state has run once,
// and until then it is not said that all is done.
func TestCampaign_ShortLimit(t *testing.T) {
	var told []float64
	r := toyCampaign(t, &toy{}, Options{Threads: 2, Duration: time.Nanosecond,
		States:   []string{"T01Swap", "T02Never", "T02Never", "T01Swap"},
		Progress: func(_ string, share float64) { told = append(told, share) }})
	if want := []float64{0, 0.25, 0.5, 0.75}; !slices.Equal(told, want) {
		t.Errorf("done were %v, want %v", told, want)
	}
	for _, s := range r.States {
		if s.Windows == 0 {
			t.Errorf("%s has not run", s.State)
		}
	}
	if r.Done != 1 || r.Ended != "limit reached" {
		t.Errorf("%d batches, ended: %s", r.Done, r.Ended)
	}
}

// TestCampaign_GoesOn goes on from the report of the batches before, if it is of the same campaign.
func TestCampaign_GoesOn(t *testing.T) {
	o := Options{Threads: 2, Operations: 1}
	o.Before = toyCampaign(t, &toy{}, o)
	before := o.Before.States[0].Operations
	if r := toyCampaign(t, &toy{}, o); r.Done != 2 || r.States[0].Operations <= before {
		t.Errorf("%d batches, %d operations after %d", r.Done, r.States[0].Operations, before)
	}
	for name, change := range map[string]func(r *Report){
		"engine": func(r *Report) { r.Engine = "another" },
		"seed":   func(r *Report) { r.Seed++ },
		"states": func(r *Report) { r.States[0].State = "T02Never" },
	} {
		r := toyCampaign(t, &toy{}, Options{Threads: 2})
		change(r)
		o := Options{Seed: 1, Threads: 2, States: []string{"T01Swap"}, Before: r}
		_, err := Campaign(t.Context(), &toy{}, o)
		if err == nil || !strings.Contains(err.Error(), "begin anew") {
			t.Errorf("another %s: error %v", name, err)
		}
	}
}

func TestCampaign_Interrupted(t *testing.T) {
	t.Setenv(workerVariable, "")
	dir := t.TempDir()
	ctx, stop := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer stop()
	r, err := Campaign(ctx, &toy{}, Options{Processes: 2, Duration: time.Hour, Worker: []string{os.Args[0]},
		Folder: dir})
	if !errors.Is(err, context.DeadlineExceeded) || r == nil {
		t.Fatalf("error %v", err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("files are left: %v %v", left, err)
	}
	for _, s := range r.States {
		if s.Red() {
			t.Errorf("%s: %v", s.State, s.Faults)
		}
	}
}

func TestOptions_Refused(t *testing.T) {
	for says, o := range map[string]Options{
		"processes: 17":       {Processes: 17, Worker: []string{"x"}},
		"threads: -1":         {Threads: -1},
		"deaths: 17":          {Threads: 1, Deaths: 17},
		"not negative":        {Threads: 1, Kills: -1},
		"nobody is to work":   {},
		"cannot be killed":    {Threads: 1, Kills: 1},
		"without the program": {Processes: 1},
		"is none of toy":      {Threads: 1, States: []string{"S01AddEmpty"}},
	} {
		_, err := Campaign(context.Background(), &toy{}, o)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
}

func TestWorker_Refused(t *testing.T) {
	for _, text := range []string{"", "{}", `{"slot":1}`, `{"nonsense":1}`,
		`{"engine":"toy","slots":2,"slot":2,"owner":2}`, `{"engine":"toy","slots":2,"slot":1,"owner":1}`,
		`{"engine":"another","slots":2,"slot":1,"owner":2}`,
		`{"engine":"toy","slots":17,"slot":1,"owner":2}`} {
		if err := Worker(text, &toy{}); !errors.Is(err, ErrAssignment) {
			t.Errorf("%q: error %v", text, err)
		}
	}
	good := `{"engine":"toy","arena":"nowhere","slots":2,"slot":1,"owner":2}`
	if err := Worker(good, &toy{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no files: error %v", err)
	}
	if err := Worker(good, &toy{heap: true}); !errors.Is(err, ErrAssignment) {
		t.Errorf("an engine without deaths: error %v", err)
	}
}

func TestStateNamed(t *testing.T) {
	for text, want := range map[string]string{"T01Swap": "T01Swap", "T01": "T01Swap", "t2": "T02Never",
		"2": "T02Never", "02": "T02Never", "S02": "", "T03": "", "": "", "T": "", "T01Sw": "", "T012": ""} {
		got, err := StateNamed(&toy{}, text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
		if err != nil && !strings.Contains(err.Error(), "T01Swap to T02Never") {
			t.Errorf("the error does not name the states: %v", err)
		}
	}
}
