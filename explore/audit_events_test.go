package explore_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/atomic"
)

// TestAudit_SeesEvents: two runs with the same steps, in which clients see something else, or more, differ
// only in their events.
func TestAudit_SeesEvents(t *testing.T) {
	for says, mark := range map[string]func(x *explore.Execution, run uint64){
		"client event 0 is": func(x *explore.Execution, run uint64) { x.Mark(run) },
		"client events, then": func(x *explore.Execution, run uint64) {
			for range run {
				x.Mark(7)
			}
		},
	} {
		run := uint64(0)
		p := explore.Program{Name: "events", Start: func(x *explore.Execution) []explore.Actor {
			w := new(atomic.Uint64)
			run++
			return []explore.Actor{{Name: "A", Body: func() { w.Store(1); mark(x, run) }}}
		}}
		r := mustExplore(t, p, unbounded())
		if f := r.Failure; f == nil || f.Kind != explore.Nondeterminism ||
			!strings.Contains(f.Message, says) {
			t.Errorf("%v, want %q", r.Err(), says)
		}
	}
}

// TestCheckpoint_StoppedAgain: a search that is continued and stopped at once has covered as much as before.
func TestCheckpoint_StoppedAgain(t *testing.T) {
	o := withoutAudit(unbounded())
	o.Checkpoint = &explore.Checkpoint{File: filepath.Join(t.TempDir(), "search")}
	o.MaxExecutions = 1
	if r := mustExplore(t, smallProgram(t, "race2x2").program(nil, false), o); r.Exhaustive {
		t.Fatal(r.Bound)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	o.MaxExecutions, o.Context = 0, ctx
	if r := mustExplore(t, smallProgram(t, "race2x2").program(nil, false), o); r.Exhaustive ||
		r.Failure != nil {
		t.Errorf("exhaustive %t, %v: %s", r.Exhaustive, r.Failure, r.Bound)
	}
}
