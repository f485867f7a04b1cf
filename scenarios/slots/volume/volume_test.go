package volume

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	impl "github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/stress"
)

// workerVariable makes the test program a worker of a test's run; its value names a fault.
const workerVariable = "SAMECYCLE_SLOTS_VOLUME_WORKER"

func TestMain(m *testing.M) {
	name, isWorker := os.LookupEnv(workerVariable)
	if !isWorker {
		os.Exit(m.Run())
	}
	if err := stress.Worker(os.Args[len(os.Args)-1], faulty(name)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// campaign runs one state.
func campaign(t *testing.T, s *subject, o stress.Options) *stress.StateReport {
	t.Helper()
	o.Seed, o.Marks = 1, 1
	r, err := stress.Campaign(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r.States[0]
}

// needDeaths are the states whose race is a death, or comes behind one.
var needDeaths = []string{"B02SlotServiceDies", "B03SlotClientDies", "B05SlotReuse"}

// TestCampaign_Goroutines: each race is seen that needs no death, and nothing is wrong.
func TestCampaign_Goroutines(t *testing.T) {
	for _, state := range Subject().States() {
		if slices.Contains(needDeaths, state) {
			continue
		}
		r := campaign(t, &subject{}, stress.Options{States: []string{state}, Threads: 4})
		if text, _ := r.Verdict(); text != "" {
			t.Errorf("%s: %s", state, text)
		}
		t.Logf("%s: %d marks in %d operations", state, r.Marks, r.Operations)
	}
}

// TestCampaign_Processes: the same in processes that are stopped and killed.
func TestCampaign_Processes(t *testing.T) {
	states := Subject().States()
	if testing.Short() {
		states = needDeaths
	}
	for _, state := range states {
		t.Setenv(workerVariable, "")
		r := campaign(t, &subject{}, stress.Options{States: []string{state}, Processes: 4,
			Worker: []string{os.Args[0]}})
		if text, unknown := r.Verdict(); text != "" && !unknown { // it is unknown on a busy machine
			t.Errorf("%s: %s", state, text)
		}
		t.Logf("%s: %d marks, %d operations, %d kills, %d in flight", state, r.Marks, r.Operations, r.Kills,
			r.InFlight)
	}
}

// faulty is a subject with that fault.
func faulty(name string) *subject {
	switch name {
	case "deaf":
		return &subject{fault{deaf: true}}
	case "dead":
		return &subject{fault{dead: true}}
	case "stale":
		return &subject{fault{stale: true}}
	case "more":
		return &subject{fault{more: true}}
	case "denies":
		return &subject{fault{lie: func(_ stress.Words, res *stress.Words) {
			if res[0] == uint64(impl.Answered) && res[1]%64 == 1 {
				*res = stress.Words{uint64(impl.NotDone)}
			}
		}}}
	case "claims":
		return &subject{fault{lie: func(_ stress.Words, res *stress.Words) {
			if res[0] == uint64(impl.NotDone) {
				res[0] = uint64(impl.Answered)
			}
		}}}
	case "alien":
		return &subject{fault{lie: func(_ stress.Words, res *stress.Words) {
			if res[0] == uint64(impl.Answered) && res[1]%64 == 1 {
				res[1]++
			}
		}}}
	}
	return &subject{}
}

// found is what the judges say of each fault, and a state in which it happens.
var found = map[string]struct{ state, says string }{
	"deaf":   {"B04BellSleep", "and the service lives"},
	"dead":   {"B05SlotReuse", "damaged"},
	"stale":  {"B05SlotReuse", "has freed a slot that a client has|damaged"},
	"more":   {"B01SlotAbandoned", "performed: 2 times"},
	"denies": {"B01SlotAbandoned", "and would never be"},
	"claims": {"B01SlotAbandoned", "performed: not, and it was answered"},
	"alien":  {"B01SlotAbandoned", "and the answer is"},
}

// says tells whether the text has one of the parts, which are separated by bars.
func says(text, parts string) bool {
	return slices.ContainsFunc(strings.Split(parts, "|"), func(s string) bool {
		return strings.Contains(text, s)
	})
}

// TestCanary_Goroutines: each fault is found, by the judge that is named.
func TestCanary_Goroutines(t *testing.T) {
	for name, x := range found {
		if name == "deaf" && testing.Short() || name == "stale" {
			continue // the first takes as long as a client has patience, the second needs a death
		}
		r := campaign(t, faulty(name), stress.Options{States: []string{x.state}, Threads: 4})
		if text := strings.Join(r.Faults, "\n"); !says(text, x.says) {
			t.Errorf("%s: found %q", name, text)
		}
	}
}

// TestCanary_Processes: processes that are killed hide no fault of those who live.
func TestCanary_Processes(t *testing.T) {
	for name, x := range found {
		if name == "deaf" {
			continue
		}
		t.Setenv(workerVariable, name)
		r := campaign(t, &subject{}, stress.Options{States: []string{x.state}, Processes: 4,
			Worker: []string{os.Args[0]}})
		if text := strings.Join(r.Faults, "\n"); !says(text, x.says) {
			t.Errorf("%s: found %q", name, text)
		}
	}
}
