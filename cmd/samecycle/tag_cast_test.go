//go:build explore

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/scenarios/hopscotch/hostile"
	table "github.com/samecycle/samecycle/scenarios/hopscotch/processes"
)

// TestExploreCasts: programs of processes are searched by name, to a bound that the report names; what does
// not go with them is refused.
func TestExploreCasts(t *testing.T) {
	root := repositoryWith(t)
	for _, c := range []struct {
		line string
		code int
		says []string
	}{
		{"ProcessThreads --bound 0 --kills 1", exitOK, []string{"covered: all schedules with at most 0 preem",
			"in 2 processes, each with its actors: pair (2), newcomer (1)", "up to 1 death", "no failure",
			"of their operations finished"}},
		{"ProcessCreation --kills 1", exitOK, []string{"covered: all schedules with at most 1 preemption\n",
			"creators died"}},
		{"ProcessNamingOpen --reduce --kills 3", exitOK, []string{
			"covered: all schedules but for the order of independent steps\n", "up to 3 deaths",
			"an opener found no name"}},
		{"ProcessRivals --executions 500", exitRed, []string{"NOT FINISHED",
			"covered: all schedules with at most 0 preemptions and part of the others\n",
			"all executions with fewer than 1 preemption were searched, and none of them fails"}},
		{"ProcessFoo", exitUsage, []string{"the programs are: ProcessInherit ProcessThreads"}},
		{"ProcessRivals --reduce --kills 1", exitOK, []string{
			"covered: all schedules but for the order of independent steps\n", "up to 1 death"}},
		{"HostileUpdate --bound 0", exitOK, []string{"words overwritten", "found the table damaged",
			"no failure"}},
		{"HostileReclaim --reduce", exitOK, []string{"all schedules but for the order of independent steps"}},
		{"HostileUpdate --kills 1", exitUsage, []string{"who dies there has died before it begins"}},
		{"HostileFoo", exitUsage, []string{"the programs are: HostileGet HostileGetHelped"}},
		{"hostile --coverage", exitUsage, []string{"leave it out with hostile"}},
		{"ProcessRivals --apart", exitUsage, []string{"leave it out with ProcessRivals"}},
	} {
		code, out, errOut := call(append([]string{"explore", "--root", root}, strings.Fields(c.line)...)...)
		for _, want := range c.says {
			if code != c.code || !strings.Contains(out+errOut, want) {
				t.Errorf("%s: status %d, want %d and %q\n%s%s", c.line, code, c.code, want, out, errOut)
			}
		}
	}
	code, out, errOut := call("explore", "processes", "--bound", "0", "--json", "--root", root)
	var all []struct {
		Program    string
		Exhaustive bool
		Executions uint64
		Happened   map[string]int
	}
	if err := json.Unmarshal([]byte(out), &all); err != nil || code != exitOK ||
		len(all) != len(table.Searches()) {
		t.Fatalf("status %d, %v\n%s%s", code, err, out, errOut)
	}
	for i, s := range table.Searches() {
		if a := all[i]; a.Program != s.Name || !a.Exhaustive || a.Executions == 0 || len(a.Happened) == 0 {
			t.Errorf("%+v, want %s", a, s.Name)
		}
	}
}

// TestExploreCasts_Ends: what ends a search in its preparation leaves the report. The time is that of one
// program, so those behind it have theirs; an interrupt is for all.
func TestExploreCasts_Ends(t *testing.T) {
	root := repositoryWith(t)
	line := []string{"explore", "hostile", "--json", "--root", root}
	type result struct {
		Program, Bound string
		Exhaustive     bool
	}
	var all []result
	code, out, errOut := call(append(line, "--time", "1ns")...)
	if err := json.Unmarshal([]byte(out), &all); err != nil || code != exitRed ||
		len(all) != len(hostile.Searches()) {
		t.Fatalf("status %d, %v\n%s%s", code, err, out, errOut)
	}
	for i, s := range hostile.Searches() {
		if a := all[i]; a.Program != s.Name || a.Exhaustive ||
			!strings.Contains(a.Bound, "nothing was overwritten") {
			t.Errorf("%+v, want %s, not finished", a, s.Name)
		}
	}
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	var printed strings.Builder
	said := &stopAt{stop: stop, text: hostile.Searches()[0].Name + ": "}
	if code := run(ctx, &app{out: &printed, err: said}, append(line, "--executions", "10")); code !=
		exitInterrupted || json.Unmarshal([]byte(printed.String()), &all) != nil || len(all) == 0 {
		t.Errorf("an interrupt: status %d\n%s%s", code, printed.String(), said.all)
	}
}

// stopAt is an output that interrupts when it gets the text.
type stopAt struct {
	stop context.CancelCauseFunc
	text string
	all  []byte
}

func (s *stopAt) Write(text []byte) (int, error) {
	s.all = append(s.all, text...)
	if strings.Contains(string(s.all), s.text) {
		s.stop(errInterrupted)
	}
	return len(text), nil
}

// TestExploreCasts_Failure: a failure has its table, a token and a page, and is covered by nothing.
func TestExploreCasts_Failure(t *testing.T) {
	broken := processes.Search{Name: "ProcessBroken",
		Explore: func(o explore.Options) (explore.Report, fmt.Stringer, error) {
			r, err := explore.Explore(explore.Program{Name: "ProcessBroken",
				Start: func(*explore.Execution) []explore.Actor {
					return []explore.Actor{{Body: func() {}}}
				},
				Finish: func(*explore.Execution) error { return errors.New("it is broken") },
			}, o)
			return r, table.Tally{}, err
		}}
	r := exploreRequest{Failures: t.TempDir()}
	c, err := r.cast(t.Context(), broken)
	if err != nil || c.Failure == nil || c.Exhaustive || c.Covered != aPart {
		t.Fatalf("%+v, %v", c, err)
	}
	var b strings.Builder
	if err := c.write(&b); err != nil || !strings.Contains(b.String(), "it is broken") ||
		!strings.Contains(b.String(), "samecycle replay '"+c.Failure.Token+"'") {
		t.Errorf("%v: %s", err, b.String())
	}
	page, err := os.ReadFile(c.Failure.Page)
	if err != nil || !strings.Contains(string(page), "it is broken") {
		t.Errorf("%v: no page of the failure at %s", err, c.Failure.Page)
	}
}

// TestReplayProcesses runs the executions without a switch of programs whose processes come and go.
func TestReplayProcesses(t *testing.T) {
	for _, name := range []string{"ProcessDetach", "ProcessCreation", "ProcessNaming", "HostileUpdate"} {
		body := "sx1~" + name + "~k1a0b0p-1m10000s50~/"
		token := fmt.Sprintf("%s~%08x", body, crc32.ChecksumIEEE([]byte(body)))
		code, out, errOut := call("replay", token)
		if code != exitOK || !strings.Contains(out, "no failure") || !strings.Contains(out, name) {
			t.Errorf("status %d, %q, %q", code, out, errOut)
		}
		if code, _, errOut := call("replay", token, "--minimise"); code != exitUsage ||
			!strings.Contains(errOut, "leave them out") {
			t.Errorf("--minimise: status %d, %q", code, errOut)
		}
		if name != "HostileUpdate" {
			continue
		}
		if code, _, errOut := call("replay", token, "--real"); code != exitUsage ||
			!strings.Contains(errOut, "replay it without --real") {
			t.Errorf("--real: status %d, %q", code, errOut)
		}
	}
}
