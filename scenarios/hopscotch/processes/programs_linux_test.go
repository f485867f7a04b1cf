//go:build explore

package processes

import (
	"errors"
	"slices"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// explored searches a program to its end, with every thousandth execution run twice.
func explored(t *testing.T, p Program, o explore.Options) Report {
	t.Helper()
	rep, err := Explore(p, Options{Options: o})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Failure != nil {
		t.Fatalf("%v\n%s", rep.Failure, rep.Failure.Table())
	}
	t.Logf("%s; %+v", rep.Bound, rep.Tally)
	if !rep.Exhaustive || rep.StepBound != 0 || rep.Killed == 0 || rep.Audited <= rep.Executions/1001 {
		t.Errorf("not exhaustive within its bound, or not run twice: %+v", rep.Stats)
	}
	return rep
}

// Every program, with the death of a process at each point. What each is about has happened in it. The two
// large programs are searched with one preemption here: with two they take minutes, which is what the checks
// of the link engine are for (Checks).
func TestPrograms_HoldWithADeathAtAnyTime(t *testing.T) {
	for _, p := range Programs() {
		t.Run(p.Name, func(t *testing.T) {
			o := bounds[p.Name]
			if !o.Reduce {
				if o.Preemptions <= 1 {
					t.Errorf("the check of the link engine has %d preemptions, no more than this test",
						o.Preemptions)
				}
				o.Preemptions = 1
			}
			rep := explored(t, p, o)
			if text := missing(p.Name)(rep.Tally); text != "" || len(about[p.Name]) == 0 {
				t.Errorf("%+v: what the program is about has not happened: %s", rep.Tally, text)
			}
		})
	}
}

// Each two of the three processes of ProcessDetach, with all preemptions and a death at each point.
func TestPrograms_PairsHoldWithADeathAtAnyTime(t *testing.T) {
	for i := range detach().Cast {
		p := detach()
		p.Cast = slices.Delete(p.Cast, i, i+1)
		explored(t, p, explore.Options{Preemptions: explore.Unbounded, Kills: 1, Reduce: true})
	}
}

// canary explores a program with something wrong and wants it found.
func canary(t *testing.T, name string, o Options, want ...error) {
	t.Helper()
	p, ok := ProgramByName(name)
	if !ok {
		t.Fatalf("no program %s", name)
	}
	o.Stateful = true
	rep, err := Explore(p, o)
	if err != nil || rep.Failure == nil {
		t.Fatalf("%v; %d executions of %s went well", err, rep.Executions, name)
	}
	for _, w := range want {
		if errors.Is(rep.Failure.Err, w) {
			return
		}
	}
	t.Errorf("%v; want one of %v", rep.Failure, want)
}

// One who compares entries of the process table without their epochs takes the dead owner of its own
// entry for alive, since it is alive itself.
func TestCanary_BareEntriesAreFound(t *testing.T) {
	alive := func(r *region.Region, o hopscotch.Owner) bool {
		if o.Process().Index() == r.Process().Index() {
			return true // it is me: I am alive
		}
		alive, err := r.Alive(o.Process())
		return alive || err != nil
	}
	canary(t, "ProcessInherit", Options{Options: explore.Options{Kills: 1}, Alive: alive}, ErrMistaken)
	canary(t, "ProcessRivals", Options{Options: explore.Options{Kills: 1}, Alive: alive}, ErrMistaken)
}

// wrong is a system that errs about who holds a lock.
type wrong struct {
	processes.System
	always bool // what it says
}

func (w wrong) Locked(uint32) (bool, error) { return w.always, nil }

// A lock that outlives its holder, and one that does not last as long. It takes two deaths to see the
// first: the entry of the only one that died goes to the next that comes, whose epoch says enough.
func TestCanary_WrongLocksAreFound(t *testing.T) {
	for _, always := range []bool{false, true} {
		system := func(s processes.System) region.System { return wrong{s, always} }
		canary(t, "ProcessInherit", Options{Options: explore.Options{Kills: 2},
			Stage: processes.Options{System: system}},
			ErrMistaken, ErrTaken, processes.ErrEntries)
	}
}

// Two that both take the descriptor of a dead one: the one who is told that everybody is dead takes
// it from the other newcomer.
func TestCanary_ALivingRivalCalledDeadIsFound(t *testing.T) {
	nobody := func(*region.Region, hopscotch.Owner) bool { return false }
	canary(t, "ProcessRivals", Options{Options: explore.Options{Kills: 1, Preemptions: 1}, Alive: nobody},
		ErrTaken, ErrBooks, processes.ErrFailed)
}
