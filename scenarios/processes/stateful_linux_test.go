//go:build explore

package processes

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/scenarios/explore"
)

// ends are what the executions of a program come to: who died, what each client was told and took, and
// every word at the end.
func ends(t *testing.T, p Program, o explore.Options) (map[string]bool, uint64) {
	t.Helper()
	s, err := newStage(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	program := s.program()
	program.Finish = func(x *explore.Execution) error {
		text := ""
		for n, c := range s.clients {
			text += fmt.Sprint(s.dead(n), c.told, c.came, c.got, c.refused, c.gone, c.process, ";")
		}
		all[text+fmt.Sprint(s.memory.Words())] = true
		return s.finish(x)
	}
	o.Audit = -1
	rep, err := explore.Explore(program, o)
	if err != nil || rep.Failure != nil || !rep.Exhaustive {
		t.Fatalf("%v, %v, %s", err, rep.Failure, rep.Bound)
	}
	return all, rep.Executions
}

// Cutting at states seen before loses no end of the program with a process of two threads: who is dead,
// and who holds which lock, are parts of a state.
func TestPrograms_StatefulLosesNothing(t *testing.T) {
	p, o := threads(), explore.Options{Kills: 1, Preemptions: 1}
	want, executions := ends(t, p, o)
	o.Stateful = true
	got, fewer := ends(t, p, o)
	if !slices.Equal(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))) || len(got) < 20 ||
		fewer >= executions {
		t.Errorf("%d ends of %d executions, %d of %d when states are joined", len(want), executions,
			len(got), fewer)
	}
	t.Logf("%d ends; %d executions, %d when states are joined", len(got), executions, fewer)
}
