package main

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
)

// TestCheck_BesideOneAnother holds that a link of one core runs while another link does, its own
// successor after it, and the link that measures times alone.
func TestCheck_BesideOneAnother(t *testing.T) {
	const patience = 10 * time.Second
	var running atomic.Int32
	modelRuns, engineRuns := make(chan struct{}), make(chan struct{})
	engineEnded := false
	// meets closes own, and waits until the other link runs, too.
	meets := func(own, other chan struct{}) bool {
		close(own)
		select {
		case <-other:
			return true
		case <-time.After(patience):
			return false
		}
	}
	with := func(link string, check func() bool) evidence.Runner {
		first := true
		return testLink{link, func(_ evidence.Env, s catalog.State) evidence.Record {
			r := evidence.Record{State: s.ID, Status: evidence.Pass, Figure: 1, Unit: "runs", Bound: "one",
				Command: "c"}
			running.Add(1)
			defer running.Add(-1)
			if first && !check() {
				r.Status, r.Detail = evidence.Fail, []string{link + " runs at the wrong time"}
			}
			first = false
			return r
		}}
	}
	root := repositoryWith(t,
		with("model", func() bool { return meets(modelRuns, engineRuns) }),
		with("volume", func() bool { return running.Load() == 1 && engineEnded }),
		with("engine", func() bool {
			defer func() { engineEnded = true }()
			return meets(engineRuns, modelRuns)
		}),
		with("histories", func() bool { return engineEnded }))
	code, out, errOut := call("check", "--root", root)
	if code != exitOK || !strings.Contains(errOut, "4 of 4 links") || !strings.Contains(errOut, "CPU time") {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
}
