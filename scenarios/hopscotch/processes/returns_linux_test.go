//go:build explore

package processes

import (
	"errors"
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/hook"
)

// A process sleeps in the midst of its call from ahead of the other one's detachment until that one is
// another attachment, in the same entry, with another operation in the same descriptor. What it tries then
// with the values of before is refused, word by word; and it is at work after the other one has asked who
// lives.
func TestReturns_WhoWakesHarmsNobody(t *testing.T) {
	s, err := newStage(returns(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := s.p.layout()
	ends := map[string]uint64{region.OwnProcesses: l.Offset(region.Own, region.OwnBell),
		hopscotch.SectionCells:       l.Offset(hopscotch.Engine, hopscotch.SectionDescriptors),
		hopscotch.SectionDescriptors: l.Size()}
	in := func(at uint64, engine, section string) bool {
		return at >= l.Offset(engine, section) && at < ends[section]
	}
	p := s.Program()
	start, finish := p.Start, p.Finish
	var begun, returned, filled bool
	late, refused := 0, map[string]int{}
	p.Start = func(x *explore.Execution) []explore.Actor {
		begun, returned, filled = false, false, false
		return start(x)
	}
	p.Step = func(_ *explore.Execution, v explore.Step) error {
		swap := v.Kind == hook.CompareAndSwap
		switch {
		case v.Actor == 0 && swap && v.OK && in(v.Object, region.Own, region.OwnProcesses):
			returned = returned || region.ProcessState(v.New).Attached()
		case v.Actor == 0 && returned && in(v.Object, hopscotch.Engine, hopscotch.SectionDescriptors):
			filled = filled || v.OK && v.Old != v.New
		case v.Actor == 1 && !filled:
			begun = begun || v.Kind.Access()
		case v.Actor == 1 && begun && v.Kind.Access():
			late++
			for _, section := range []string{hopscotch.SectionCells, hopscotch.SectionDescriptors} {
				if swap && !v.OK && in(v.Object, hopscotch.Engine, section) {
					refused[section]++
				}
			}
		}
		return nil
	}
	p.Finish = func(x *explore.Execution) error {
		a, b := s.clients[0], s.clients[1]
		if a.handle.Descriptor() != 0 || a.Process != region.MakeProcess(0, 3) || b.Process.Epoch() != 1 {
			return fmt.Errorf("%v has descriptor %d, beside %v: neither is used again", a.Process,
				a.handle.Descriptor(), b.Process)
		}
		return finish(x)
	}
	rep, err := explore.Explore(p, explore.Options{Preemptions: explore.Unbounded, Reduce: true, Audit: -1})
	if err != nil || rep.Failure != nil || !rep.Exhaustive {
		t.Fatal(err, rep.Failure)
	}
	t.Logf("%d executions; %d steps of one who has slept, refused %v", rep.Executions, late, refused)
	if late < 1000 || refused[hopscotch.SectionCells] < 100 || refused[hopscotch.SectionDescriptors] < 100 {
		t.Errorf("%d steps of one who has slept, %v of them refused: too few", late, refused)
	}
}

// asked counts how often a process is found alive by its lock while it sleeps in the midst of an add.
type asked struct {
	processes.System
	s *stage
	n *int
}

func (a asked) Locked(index uint32) (bool, error) {
	held, err := a.System.Locked(index)
	for _, c := range a.s.clients {
		*a.n += int(one(held && c.pending != 0 && c.Process.Index() == index))
	}
	return held, err
}

// Without any death the newcomers of ProcessRivals ask for the first process while it sleeps in its add. By
// its lock it lives, so they get nothing of it, and it goes on whenever it wakes.
func TestRivals_WhoSleepsIsFoundAlive(t *testing.T) {
	s, err := newStage(rivals(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	s.Replace(func(y processes.System) region.System { return asked{y, s, &n} })
	p := s.Program()
	finish := p.Finish
	p.Finish = func(x *explore.Execution) error {
		if c := s.clients[0]; len(c.came) != 1 || !s.clients[1].refused || !s.clients[2].refused {
			return errors.New("a newcomer has got something of a process that lives")
		}
		return finish(x)
	}
	// Not reduced: to ask is independent of what the sleeper does, so reduced it is asked when it is awake.
	rep, err := explore.Explore(p, explore.Options{Preemptions: 1, Stateful: true, Audit: -1})
	if err != nil || rep.Failure != nil || !rep.Exhaustive {
		t.Fatal(err, rep.Failure)
	}
	t.Logf("%d executions, %d times", rep.Executions, n)
	if n < 100 {
		t.Errorf("found alive while it sleeps %d times: too few", n)
	}
}

// The canary: a system to which a process that sleeps is dead, where nobody dies.
func TestCanary_ASleeperCalledDeadIsFound(t *testing.T) {
	system := func(s processes.System) region.System { return wrong{s, false} }
	canary(t, "ProcessRivals", Options{Options: explore.Options{Preemptions: 1},
		Stage: processes.Options{System: system}},
		ErrTaken, ErrBooks, processes.ErrFailed, processes.ErrEntries, ErrMistaken)
}
