package volume

import (
	"testing"

	impl "github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/stress"
	"github.com/samecycle/samecycle/stress/stresstest"
)

func TestMain(m *testing.M) {
	stresstest.Main(m, func(name string) stress.Subject { return &subject{fault: faults[name].fault} })
}

// needDeaths are the states whose race is a death, or comes behind one.
var needDeaths = []string{"B02SlotServiceDies", "B03SlotClientDies", "B05SlotReuse"}

func TestCampaign_Goroutines(t *testing.T) { stresstest.Goroutines(t, Subject(), 4, needDeaths...) }

func TestCampaign_Processes(t *testing.T) { stresstest.Processes(t, Subject(), needDeaths...) }

// faults are by name, with a state in which each happens, and what the judges say of it: one of these.
var faults = map[string]struct {
	state string
	says  []string
	fault fault
}{
	"deaf":  {"B04BellSleep", []string{"and the service lives"}, fault{deaf: true}},
	"dead":  {"B05SlotReuse", []string{"damaged"}, fault{dead: true}},
	"stale": {"B05SlotReuse", []string{"has freed a slot that a client has", "damaged"}, fault{stale: true}},
	"more":  {"B01SlotAbandoned", []string{"performed: 2 times"}, fault{more: true}},
	"denies": {"B01SlotAbandoned", []string{"and would never be"},
		fault{lie: func(_ stress.Words, res *stress.Words) {
			if res[0] == uint64(impl.Answered) && res[1]%64 == 1 {
				*res = stress.Words{uint64(impl.NotDone)}
			}
		}}},
	"claims": {"B01SlotAbandoned", []string{"performed: not, and it was answered"},
		fault{lie: func(_ stress.Words, res *stress.Words) {
			if res[0] == uint64(impl.NotDone) {
				res[0] = uint64(impl.Answered)
			}
		}}},
	"alien": {"B01SlotAbandoned", []string{"and the answer is"},
		fault{lie: func(_ stress.Words, res *stress.Words) {
			if res[0] == uint64(impl.Answered) && res[1]%64 == 1 {
				res[1]++
			}
		}}},
}

// TestCanary_Goroutines: each fault is found, by the judge that is named.
func TestCanary_Goroutines(t *testing.T) {
	for name, x := range faults {
		if name == "deaf" && testing.Short() || name == "stale" {
			continue // the first takes as long as a client has patience, the second needs a death
		}
		r := stresstest.State(t, &subject{fault: x.fault}, x.state, stress.Options{Threads: 4})
		stresstest.Found(t, name, r, x.says...)
	}
}

// TestCanary_Processes: processes that are killed hide no fault of those who live.
func TestCanary_Processes(t *testing.T) {
	for name, x := range faults {
		if name == "deaf" {
			continue
		}
		r := stresstest.State(t, Subject(), x.state, stress.Options{Processes: 4,
			Worker: stresstest.Worker(t, name)})
		stresstest.Found(t, name, r, x.says...)
	}
}
