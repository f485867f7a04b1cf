//go:build explore

package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign"
	"github.com/samecycle/samecycle/foreign/driver"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	model "github.com/samecycle/samecycle/model/hopscotch"
	"github.com/samecycle/samecycle/scenarios/engines"
	table "github.com/samecycle/samecycle/scenarios/hopscotch/processes"
)

// TestExplore_InterruptedBetweenPrograms: an interrupt that comes when the first program has been searched to
// its end leaves the others unsearched, so the result is red although nothing that was searched has failed.
func TestExplore_InterruptedBetweenPrograms(t *testing.T) {
	s, _ := register.StateByID("S05")
	engine, ok := engines.ByName("hopscotch")
	if !ok {
		t.Fatal("no engine hopscotch")
	}
	for name, c := range map[string]struct {
		request exploreRequest
		all     int
	}{
		"state":     {exploreRequest{Engine: engine, State: s}, len(model.ProgramsOf(s.ID))},
		"processes": {exploreRequest{Cast: allCasts}, len(table.Searches())},
	} {
		ctx, interrupt := context.WithCancel(t.Context())
		c.request.Fixed, c.request.Strategy = true, strategyDFS
		c.request.Progress = func(string, float64) {}
		said := 0
		c.request.Say = func(format string, _ ...any) {
			if strings.HasPrefix(format, "%s: %s, %s") { // a program has been searched to its end
				said++
				interrupt()
			}
		}
		found, err := exploreState(ctx, c.request)
		if said != 1 || c.all < 2 || err == nil && !found.Red {
			t.Errorf("%s: %d of %d programs were searched: red %t, %v", name, said, c.all, found.Red, err)
		}
	}
}

// TestForeignReport_Interrupted: what was clean until then is not.
func TestForeignReport_Interrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	rep := foreign.Report{Report: driver.Report{Results: []driver.Result{{Status: driver.Clean}}}}
	for _, cut := range []bool{false, true} {
		if cut {
			interrupt()
		}
		var text bytes.Buffer
		got := foreignReport(ctx, rep)
		err := got.Text(&text)
		if err != nil || got.Red != cut || strings.Contains(text.String(), "NOT FINISHED") != cut {
			t.Errorf("interrupted: %t, red: %t, %v\n%s", cut, got.Red, err, text.String())
		}
	}
}

// TestMerge: shards together are finished only if each of them has searched each program to its end.
func TestMerge(t *testing.T) {
	const name = "S05AddEmptyGet"
	done, part := exploration{Program: name, Exhaustive: true}, exploration{Program: name}
	for what, c := range map[string]struct {
		shards [][]exploration
		done   bool
	}{
		"all are done":          {[][]exploration{{done}, {done}}, true},
		"the second ends early": {[][]exploration{{done}, {part}}, false},
		"the first ends early":  {[][]exploration{{part}, {done}}, false},
		"one has not begun":     {[][]exploration{{done}, nil}, false},
	} {
		all, err := merge(c.shards, 1)
		if err != nil || len(all) != 1 || all[0].Exhaustive != c.done || all[0].unfinished() == c.done {
			t.Errorf("%s: %v, %+v", what, err, all)
		}
		if covered := all[0].Covered != aPart; covered != c.done {
			t.Errorf("%s: covered %s", what, all[0].Covered)
		}
	}
}
