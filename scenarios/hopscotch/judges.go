package scenarios

import (
	"fmt"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// What the judges of the table complain of, besides harness.ErrRejected and the errors of linearizability.
const (
	ErrStructure = harness.Complaint("structural check failed")
	ErrContents  = harness.Complaint("contents differ from the atomic map")
	ErrLeftover  = harness.Complaint("a newcomer could not finish what a dead actor left")
	ErrEntry     = harness.Complaint("the process table is wrong about who is alive")
	ErrHanded    = harness.Complaint("values handed out are not those that left the table")
)

// judgeTimeout bounds the judging of one history; one that needs longer is unknown, a failure.
const judgeTimeout = 10 * time.Second

// judgeOf gives the verdict on the histories of a program.
func judgeOf(p model.Program) *mapmodel.Judge {
	initial := map[uint32]uint32{}
	for _, b := range p.Memory {
		initial[uint32(b.K)] = uint32(b.V)
	}
	j := mapmodel.NewJudge(judgeTimeout, initial)
	for i := range p.Ops {
		j.Clients = append(j.Clients, fmt.Sprintf("actor %d", i+1))
	}
	for i := range model.MaxKeys { // behind the actors, as handed.history numbers them
		j.Clients = append(j.Clients, fmt.Sprintf("eviction %d", i+1))
	}
	return j
}

// Step wants the structure of a table that is at work.
func (w *world) Step(explore.Step) error { return structure(w.table, true) }

// Finish judges the table, and what the clients were handed, at the end of an execution.
func (w *world) Finish(_ *explore.Execution, deaths int) error {
	end := &w.trace.Ends()[0]
	if err := w.contents(end); err != nil {
		return err
	}
	if err := w.handed.check(w, end, deaths); err != nil {
		return err
	}
	if w.apart != nil {
		if err := w.apart.check(w.region); err != nil {
			return err
		}
	}
	if deaths == 0 {
		return structure(w.table, false)
	}
	return w.recover()
}

// contents reads every key of the model through the table.
func (w *world) contents(s *model.State) error {
	for k, want := range s.Map() {
		if k == 0 {
			continue
		}
		got, found, err := w.get(w.table, w.keys[k])
		if err != nil || found != (want != 0) || found && got != uint32(want) {
			return fmt.Errorf("%w: key %d reads (%d, %t, %v), the map has %d",
				ErrContents, k, got, found, err, want)
		}
	}
	return nil
}

// recover lets a newcomer finish what the dead left, and reclaim what is lost.
func (w *world) recover() error {
	if err := w.newcomer.RestoreAll(); err != nil {
		return fmt.Errorf("%w: %w", ErrLeftover, err)
	}
	if err := structure(w.table, false); err != nil {
		return fmt.Errorf("%w: %w", ErrLeftover, err)
	}
	if err := w.newcomer.CropAll(nil); err != nil {
		return fmt.Errorf("%w: %w", ErrLeftover, err)
	}
	if n := hopscotch.Measure(w.table); n.Lost != 0 || n.Held != 0 {
		return fmt.Errorf("%w: after a crop %d cells are lost and %d held", ErrLeftover, n.Lost, n.Held)
	}
	return structure(w.table, false)
}
