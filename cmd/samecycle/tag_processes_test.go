//go:build explore

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// asMain in the environment makes the test program the command itself, for --processes.
const asMain = "SAMECYCLE_TEST_AS_MAIN"

func init() { childJobs[asMain] = func(string) { main() } }

// TestProcesses_AddUp: three processes count what one counts, outcome by outcome.
func TestProcesses_AddUp(t *testing.T) {
	root := repositoryWith(t)
	search := func(more ...string) []exploration {
		code, out, errOut := call(append([]string{"explore", "S05", "--bound", "2", "--kills", "1",
			"--stateless", "--json", "--root", root}, more...)...)
		var all []exploration
		if err := json.Unmarshal([]byte(out), &all); err != nil || code != exitOK {
			t.Fatalf("%v: status %d, %v\n%s%s", more, code, err, out, errOut)
		}
		return all
	}
	t.Setenv(asMain, "yes")
	whole, split := search(), search("--processes", "3")
	if len(split) != len(whole) || len(whole) == 0 {
		t.Fatalf("%d programs, want %d", len(split), len(whole))
	}
	for i, w := range whole {
		s := split[i]
		if s.Executions != w.Executions || s.Complete != w.Complete || s.Killed != w.Killed ||
			s.Steps != w.Steps || s.MaxSteps != w.MaxSteps || !s.Exhaustive ||
			!reflect.DeepEqual(s.Outcomes, w.Outcomes) || !reflect.DeepEqual(s.Marks, w.Marks) {
			t.Errorf("%s: three processes\n%+v\none\n%+v", w.Program, s, w)
		}
		if s.Covered != w.Covered {
			t.Errorf("covered %q, want %q", s.Covered, w.Covered)
		}
		// The seeds differ, so do the samples: by more than this they do not.
		if s.Estimate == nil || math.Abs(s.Estimate.Executions-w.Estimate.Executions) >
			5*(s.Estimate.StdErr+w.Estimate.StdErr) {
			t.Errorf("%s: three processes expect %+v, one %+v", w.Program, s.Estimate, w.Estimate)
		}
	}
	one := search("--shard", "1/3")
	if one[0].Executions == 0 || one[0].Executions >= whole[0].Executions ||
		one[0].Covered != "a shard only" {
		t.Errorf("one shard: %+v", one[0])
	}
}

// TestProcesses_Interrupted: processes that are interrupted report what they did, and the sum is
// not green. Who was not there yet has done nothing.
func TestProcesses_Interrupted(t *testing.T) {
	t.Setenv(asMain, "yes")
	line := []string{"explore", "S04", "--bound", "-1", "--stateless", "--processes", "2",
		"--root", repositoryWith(t)}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var found bytes.Buffer
	told := &until{text: "process 1 of 2 searches"}
	told.then = func() {
		told.text, told.then = "process 2 of 2 searches", cancel
		if strings.Contains(told.String(), told.text) {
			cancel()
		}
	}
	code := run(ctx, &app{out: &found, err: told}, line)
	if out := found.String(); code != exitInterrupted || !strings.Contains(out, "NOT FINISHED") ||
		!strings.Contains(out, "2 shards together: part of the schedules") ||
		!errors.Is(ctx.Err(), context.Canceled) {
		t.Errorf("status %d, %v\n%s%s", code, ctx.Err(), out, told.String())
	}
	early, stop := context.WithCancelCause(t.Context())
	stop(errInterrupted)
	if code, out, errOut := callWith(early, line...); code != exitInterrupted || out != "" ||
		!strings.HasSuffix(errOut, "samecycle: interrupted\n") {
		t.Errorf("before there were any: status %d\n%s%s", code, out, errOut)
	}
}
