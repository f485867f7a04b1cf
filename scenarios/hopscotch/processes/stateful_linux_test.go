//go:build explore

package processes

import (
	"fmt"
	"maps"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/explore/processes/processtest"
)

// ends are what the executions of a program come to: who died, what each client was told and took, and
// every word at the end.
func ends(t *testing.T, p Program, o explore.Options) (map[string]bool, uint64) {
	t.Helper()
	return endsOf(t, p, Options{Options: o})
}

// endsOf is ends with the options of the package.
func endsOf(t *testing.T, p Program, o Options) (map[string]bool, uint64) {
	t.Helper()
	s, err := newStage(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return processtest.EndsIn(t, s.Program(), o.Options, func(*explore.Execution) (text string) {
		for n, c := range s.clients {
			text += fmt.Sprint(s.Gone(s.of[n]), c.told, c.came, c.got, c.refused, c.gone, c.Process, ";")
		}
		return text + fmt.Sprint(s.Words())
	})
}

// Cutting at states seen before loses no end of the program with a process of two threads: who is dead,
// and who holds which lock, are parts of a state. Nor does searching one execution of each class, which has
// all preemptions.
func TestPrograms_StatefulLosesNothing(t *testing.T) {
	p, o := threads(), explore.Options{Kills: 1, Preemptions: 1}
	want, executions := ends(t, p, o)
	o.Stateful = true
	got, fewer := ends(t, p, o)
	if !maps.Equal(want, got) || len(got) < 20 || fewer >= executions {
		t.Errorf("%d ends of %d executions, %d of %d when states are joined", len(want), executions,
			len(got), fewer)
	}
	all, classes := ends(t, p, explore.Options{Kills: 1, Preemptions: explore.Unbounded, Reduce: true})
	for end := range want {
		if !all[end] {
			t.Fatalf("the reduced search loses %s", end)
		}
	}
	t.Logf("%d ends; %d executions, %d when states are joined; %d ends of %d with all preemptions", len(got),
		executions, fewer, len(all), classes)
}

// pairOf is a program of two processes, small enough for the search of all its executions.
func pairOf() Program {
	return Program{Name: "pair", Descriptors: 1, Standing: map[int]uint32{1: 10},
		Cast: []Member{
			{Name: "first", Stands: true, Number: 1, Bodies: alone(func(c *Client) { c.Add(2, 20) })},
			{Name: "newcomer", Number: 1, Bodies: alone(func(c *Client) {
				c.Arrive()
				c.Delete(1)
			})},
		}}
}

// The reduced search has the ends of the search of all executions, with the deaths of one process or both,
// also when every execution is run twice.
func TestPrograms_ReducedLosesNothing(t *testing.T) {
	for kills := range 3 {
		o := explore.Options{Kills: kills, Preemptions: explore.Unbounded, Stateful: true}
		want, executions := ends(t, pairOf(), o)
		o.Stateful, o.Reduce, o.Audit = false, true, 1
		got, fewer := ends(t, pairOf(), o)
		if !maps.Equal(want, got) || fewer >= executions {
			t.Errorf("%d deaths: %d ends of %d executions, reduced %d of %d", kills, len(want), executions,
				len(got), fewer)
		}
		t.Logf("%d deaths: %d ends; %d executions, reduced %d", kills, len(got), executions, fewer)
	}
}

// Deaths that are the same for everybody who lives are left out, and no end is lost by that, in either
// search: of a program whose processes ask one another whether they live.
func TestPrograms_DeathsLeftOutLoseNothing(t *testing.T) {
	for _, o := range []explore.Options{{Preemptions: explore.Unbounded, Stateful: true},
		{Preemptions: explore.Unbounded, Reduce: true}, {Preemptions: 1, Stateful: true}} {
		for kills := 1; kills <= 2; kills++ {
			o.Kills = kills
			want, executions := endsOf(t, pairOf(), Options{Options: o,
				Stage: processes.Options{EveryDeath: true}})
			got, fewer := endsOf(t, pairOf(), Options{Options: o})
			if !maps.Equal(want, got) || 4*fewer > 3*executions || len(got) < 15 {
				t.Errorf("%d ends of %d executions, %d of %d without deaths that are the same", len(want),
					executions, len(got), fewer)
			}
			t.Logf("%d deaths: %d ends; %d executions, %d of them left", kills, len(got), executions, fewer)
		}
	}
}
