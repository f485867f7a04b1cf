package control

import (
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/hook"
	model "github.com/samecycle/samecycle/model/control"
)

// state is one of the model, with the races that have happened on the way to it.
type state = harness.Raced[model.State]

// follower takes the accesses of a program in the model.
type follower struct {
	harness.Course[*model.Machine, model.State]
	w *world
}

func newFollower(m *model.Machine, w *world) *follower {
	return &follower{harness.NewCourse(m, model.Properties(), model.WitnessesOf(w.State)), w}
}

// Enabled names the action that the actor takes next. A death between two calls is one as any, since others
// ask who lives.
func (f *follower) Enabled(s *state, actor int) string {
	if f.Machine.Over(&s.State, actor) {
		return ""
	}
	return "the step of " + f.Machine.At(&s.State, actor).String()
}

// take appends the state after a step of the model, if it agrees with memory and keeps the properties.
func (f *follower) take(list []state, s *state, actor int, a model.Action) ([]state, string) {
	next, ok := f.Machine.Take(&s.State, actor, a)
	if !ok {
		return nil, fmt.Sprintf("the actor is at %v", f.Machine.At(&s.State, actor))
	}
	if why := f.w.differs(&next); why != "" {
		return nil, "afterwards memory differs: " + why
	}
	return f.Accept(list, s, next)
}

// Call appends the state after the actor called its next operation.
func (f *follower) Call(list []state, s *state, actor int) ([]state, string) {
	return f.take(list, s, actor, model.ClientCall)
}

// Returned is the state after the return of the actor's operation, if it is about to return.
func (f *follower) Returned(s *state, actor int) state {
	if next, ok := f.Machine.Take(&s.State, actor, model.ClientReturn); ok {
		return f.After(s, next)
	}
	return *s
}

// Finished reports whether the actor has returned from all its operations.
func (f *follower) Finished(s *state, actor int) bool { return f.Machine.Over(&s.State, actor) }

// Differs compares the last answer of the actor.
func (f *follower) Differs(s *state, actor int, last answer) string {
	results := s.State.Results(actor)
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
	if f.Machine.Over(&s.State, actor) {
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
	model.WishSee:     {hook.Load, "wish"},
	model.WishClock:   {hook.Load, "clock"},
	model.WishSay:     {hook.CompareAndSwap, "wish"},
	model.WishLook:    {hook.Load, "wish"},
	model.WishTake:    {hook.CompareAndSwap, "wish"},
}

// Access appends the states after the actor's access.
func (f *follower) Access(list []state, s *state, actor int, action string, step explore.Step) ([]state,
	string) {
	at := f.Machine.At(&s.State, actor)
	want := accesses[at]
	name := want.word
	place := f.Machine.Place(&s.State, actor)
	if place > 0 && want.word != "clock" && want.word != "who lives" {
		name = fmt.Sprintf("%s %d", want.word, place)
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
