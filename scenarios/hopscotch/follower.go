package scenarios

import (
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/hook"
	"github.com/samecycle/samecycle/linearizability/mapmodel"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// trace follows an execution of the table in the model.
type trace = harness.Tracer[model.State, mapmodel.Result]

// follower takes the steps of a program in the model, and compares each with what the engine did.
type follower struct {
	m        *model.Machine
	w        *world
	outcomes []model.Successor // memory of follow and Returned
}

// follow makes the world's executions ones that the model follows.
func (w *world) follow(m *model.Machine) {
	w.machine = m
	w.trace = harness.NewTrace[model.State, mapmodel.Result](&follower{m: m, w: w}, register.Engine(),
		w.program.Name, w.ObjectName)
	w.trace.AtEnds = true
}

// Initial is the state before the first call.
func (f *follower) Initial() model.State { return f.m.Initial() }

// Enabled names the action that the actor takes next.
func (f *follower) Enabled(s *model.State, t int) string { return f.m.Enabled(s, t) }

// Call appends the states after the actor called its next operation.
func (f *follower) Call(list []model.State, s *model.State, t int) ([]model.State, string) {
	if why := f.m.Explain(s, t, "ClientCall"); why != "" {
		return nil, why
	}
	return f.follow(list, s, t, "ClientCall")
}

// Returned is the state after the return of the actor's operation, if it is about to return.
func (f *follower) Returned(s *model.State, t int) model.State {
	if f.m.Enabled(s, t) == "ClientReturn" {
		f.outcomes = f.m.Step(s, t, f.outcomes[:0])
		return f.outcomes[0].Next
	}
	return *s
}

// Finished reports whether the actor has returned from all its operations.
func (f *follower) Finished(s *model.State, t int) bool { return s.Finished(t) }

// Differs compares what the model returned last with what the engine's client saw.
func (f *follower) Differs(s *model.State, t int, last mapmodel.Result) string {
	out := s.Out(t)
	want := mapmodel.Result{Outcome: outcomes[out.R]}
	if want.Outcome.HasValue() {
		want.Value = uint32(out.V)
	}
	if want != last {
		return fmt.Sprintf("the model returned %v, the engine %v", out, last)
	}
	return ""
}

// Crash appends the state after the death of the actor.
func (f *follower) Crash(list []model.State, s *model.State, t int) ([]model.State, string) {
	next, ok := f.m.Crash(s, t)
	if !ok {
		return nil, f.m.Explain(s, t, "ClientCrash")
	}
	return append(list, next), ""
}

// Marks are the states whose race has happened.
func (f *follower) Marks(s *model.State) []string { return s.Marks() }

// Access appends the states after the actor's action.
func (f *follower) Access(list []model.State, st *model.State, t int, action string,
	s explore.Step) ([]model.State, string) {
	if why := f.m.Explain(st, t, action); why != "" {
		return nil, why
	}
	word, how := f.m.Touches(st, t)
	if want := f.w.offset(word); s.Object != want {
		return nil, fmt.Sprintf("the access is to offset %#x, that of the action to %#x (%+v)",
			s.Object, want, word)
	}
	if kind := kindOf(s.Kind); kind != how {
		return nil, fmt.Sprintf("the access is a %v, that of the action a %v", kind, how)
	}
	next, why := f.follow(list, st, t, action)
	if why != "" {
		return nil, why
	}
	if diff := f.w.differs(f.m, &next[0]); diff != "" {
		return nil, "afterwards memory differs: " + diff
	}
	return next, ""
}

func kindOf(k hook.Kind) model.Access {
	switch k {
	case hook.Load:
		return model.Loads
	case hook.Store:
		return model.Stores
	case hook.CompareAndSwap:
		return model.Swaps
	}
	return model.NoAccess
}

// follow appends the successors by an action that is enabled, which keep the invariants.
func (f *follower) follow(list []model.State, st *model.State, t int, action string) ([]model.State, string) {
	f.outcomes = f.m.Step(st, t, f.outcomes[:0])
	for i := range f.outcomes {
		x := &f.outcomes[i]
		if bad := f.m.CheckStep(st, &x.Next, action, t); len(bad) > 0 {
			return nil, strings.Join(bad, "; ")
		}
		if bad := f.m.Check(&x.Next); len(bad) > 0 {
			return nil, strings.Join(bad, "; ")
		}
		list = append(list, x.Next)
	}
	return list, ""
}

var outcomes = map[model.Status]mapmodel.Outcome{
	model.NoResult: mapmodel.NoOutcome, model.Added: mapmodel.Added, model.Exists: mapmodel.Exists,
	model.Full: mapmodel.Full, model.Absent: mapmodel.Absent, model.Found: mapmodel.Found,
	model.Updated: mapmodel.Updated, model.Deleted: mapmodel.Deleted, model.Tended: mapmodel.Tended,
	model.Same: mapmodel.Same, model.Void: mapmodel.Void, model.Discarded: mapmodel.Discarded,
}
