package volume

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/scenarios/shardmap/states"
	"github.com/samecycle/samecycle/stress"
	"github.com/samecycle/samecycle/stress/stresstest"
)

// campaign runs one state with a few goroutines.
func campaign(t *testing.T, s *subject, state string) *stress.StateReport {
	t.Helper()
	return stresstest.State(t, s, state, stress.Options{Threads: 4})
}

// TestCampaign_Passes: the map as it is built gives histories that have an order, and the race is seen.
func TestCampaign_Passes(t *testing.T) {
	for _, state := range []string{"M01ReaderWriter", "M08CleanupPut", "M11SizeChanging"} {
		if text, _ := campaign(t, &subject{}, state).Verdict(); text != "" {
			t.Errorf("%s: %s", state, text)
		}
	}
}

// TestCampaign_AsWritten: what the source does loses fresh values, which the judge sees. One short campaign
// may meet no such loss, since threads are scheduled as the machine likes; of twenty one has to.
func TestCampaign_AsWritten(t *testing.T) {
	for _, state := range []string{"M07DeferredInvalidation", "M08CleanupPut"} {
		text, unknown := "", false
		for range 20 {
			text, unknown = campaign(t, &subject{written: true}, state).Verdict()
			if text != "" || unknown {
				break
			}
		}
		if text == "" || unknown || !strings.Contains(text, "linearizable") {
			t.Errorf("%s: %q, unknown %v", state, text, unknown)
		}
	}
}

// TestCampaign_Lies: an answer that is changed now and then is seen, whatever the operation. A changed answer
// may be right as well where calls overlap, so one campaign of twenty has to see it.
func TestCampaign_Lies(t *testing.T) {
	for name, k := range map[string]states.Kind{"M06GetInvalidate": states.Invalidate,
		"M12ConditionalInvalidate": states.InvalidateIf} {
		n := 0
		s := &subject{lie: func(c stress.Words, r *stress.Words) {
			if kindOf(c) == k {
				if n++; n == 50 {
					r[0] = 1 - r[0]
				}
			}
		}}
		text, unknown := "", false
		for range 20 {
			n = 0
			text, unknown = campaign(t, s, name).Verdict()
			if text != "" || unknown {
				break
			}
		}
		if text == "" || unknown {
			t.Errorf("%s: %q, unknown %v", name, text, unknown)
		}
	}
}

// TestAudit_Leftovers: a lock or a flag that is taken at rest is a fault.
func TestAudit_Leftovers(t *testing.T) {
	opened, err := (&subject{}).Open(stress.Setup{State: "M01ReaderWriter"})
	if err != nil {
		t.Fatal(err)
	}
	w := opened.(*world)
	var f stress.Faults
	w.Audit(&stress.Window{}, &f)
	if len(f) != 0 {
		t.Errorf("a map at rest: %q", f)
	}
	w.locks[0].Store(1)
	if w.Audit(&stress.Window{}, &f); len(f) != 1 || !strings.Contains(f[0], "lock of shard 0") {
		t.Errorf("a lock that is taken: %q", f)
	}
	w.locks[0].Store(0)
	w.before = map[uint32]uint64{1: 1}
	f = nil
	if w.Drain(&f); len(f) != 1 {
		t.Errorf("an entry that is gone: %q", f)
	}
}
