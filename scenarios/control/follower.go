package control

import (
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/hook"
	model "github.com/samecycle/samecycle/model/control"
)

// state is one of the model, with the races that have happened on the way to it.
type state struct {
	model.State
	marks uint32 // of harness.Races
}

// follower takes the accesses of a program in the model.
type follower struct {
	m     *model.Machine
	w     *world
	races *harness.Races[*model.Machine, model.State]
}

func newFollower(m *model.Machine, w *world) *follower {
	return &follower{m, w, harness.NewRaces(model.WitnessesOf(w.State))}
}

// Initial is the state before the first call.
func (f *follower) Initial() state { return f.marked(&state{}, f.m.Initial()) }

// marked is a state of the model behind another one.
func (f *follower) marked(before *state, s model.State) state {
	return state{s, f.races.Seen(before.marks, f.m, &s)}
}

// Marks are the states whose race has happened.
func (f *follower) Marks(s *state) []string { return f.races.Names(s.marks) }

// Enabled names the action that the actor takes next. A death between two calls is one as any, since others
// ask who lives.
func (f *follower) Enabled(s *state, actor int) string {
	if f.m.Over(&s.State, actor) {
		return ""
	}
	return "the step of " + f.m.At(&s.State, actor).String()
}

// take appends the state after a step of the model, if it agrees with memory and keeps the properties.
func (f *follower) take(list []state, s *state, actor int, a model.Action) ([]state, string) {
	next, ok := f.m.Take(&s.State, actor, a)
	if !ok {
		return nil, fmt.Sprintf("the actor is at %v", f.m.At(&s.State, actor))
	}
	if why := f.w.differs(&next); why != "" {
		return nil, "afterwards memory differs: " + why
	}
	if name := f.m.Broken(&s.State, &next); name != "" {
		return nil, name + ": it does not hold"
	}
	return append(list, f.marked(s, next)), ""
}

// Call appends the state after the actor called its next operation.
func (f *follower) Call(list []state, s *state, actor int) ([]state, string) {
	return f.take(list, s, actor, model.ClientCall)
}

// Returned is the state after the return of the actor's operation, if it is about to return.
func (f *follower) Returned(s *state, actor int) state {
	if next, ok := f.m.Take(&s.State, actor, model.ClientReturn); ok {
		return f.marked(s, next)
	}
	return *s
}

// Finished reports whether the actor has returned from all its operations.
func (f *follower) Finished(s *state, actor int) bool { return f.m.Over(&s.State, actor) }

// Differs compares the last answer of the actor.
func (f *follower) Differs(s *state, actor int, last answer) string {
	results := s.Results(actor)
	switch {
	case !last.gave:
		return ""
	case len(results) == 0:
		return fmt.Sprintf("the engine returned %v, the model has not returned", last)
	case results[len(results)-1] != last.Result:
		return fmt.Sprintf("the model returned %+v, the engine %+v", results[len(results)-1], last.Result)
	}
	return ""
}

// Crash appends the state after the death of the actor. One that has ended leaves nothing to be taken, but
// others find that it is dead.
func (f *follower) Crash(list []state, s *state, actor int) ([]state, string) {
	if f.m.Over(&s.State, actor) {
		return append(list, *s), ""
	}
	return f.take(list, s, actor, model.Die)
}

// access is the kind of an action's access, and the first word of the name of what it is about.
type access struct {
	kind hook.Kind
	word string
}

var accesses = map[model.Action]access{
	model.TimePass:    {hook.Add, "clock"},
	model.LeaseFind:   {hook.Load, "lease"},
	model.LeaseLook:   {hook.Load, "lease"},
	model.LeaseClock:  {hook.Load, "clock"},
	model.LeaseAsk:    {hook.Load, "who lives"},
	model.LeaseTake:   {hook.CompareAndSwap, "lease"},
	model.LeaseRenew:  {hook.CompareAndSwap, "lease"},
	model.LeaseGive:   {hook.CompareAndSwap, "lease"},
	model.ParamRead:   {hook.Load, "live parameters"},
	model.TuneLoad:    {hook.Load, "live parameters"},
	model.TuneSwap:    {hook.CompareAndSwap, "live parameters"},
	model.LevelLoad:   {hook.Load, "level"},
	model.LevelSwap:   {hook.CompareAndSwap, "level"},
	model.PenaltyLoad: {hook.Load, "penalty"},
	model.PenaltySwap: {hook.CompareAndSwap, "penalty"},
}

// Access appends the states after the actor's access.
func (f *follower) Access(list []state, s *state, actor int, action string, step explore.Step) ([]state,
	string) {
	at := f.m.At(&s.State, actor)
	want := accesses[at]
	name := want.word
	if want.word != "clock" && want.word != "who lives" {
		name = fmt.Sprintf("%s %d", want.word, f.m.Place(&s.State, actor))
	}
	switch is := f.w.ObjectName(step.Object); {
	case at.String() != action:
		return nil, fmt.Sprintf("the actor is at %v", at)
	case step.Kind != want.kind:
		return nil, fmt.Sprintf("the access is a %v, that of the action a %v", step.Kind, want.kind)
	case is != name:
		return nil, fmt.Sprintf("the access is to %s, that of the action to %s", is, name)
	}
	return f.take(list, s, actor, at)
}
