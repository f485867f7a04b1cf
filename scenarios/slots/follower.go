package slots

import (
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/slots"
	"github.com/samecycle/samecycle/internal/hook"
	model "github.com/samecycle/samecycle/model/slots"
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

// sleepEnds is the end of a sleep, by a wake-up or because its time is out.
const sleepEndsAction = "SleepEnds"

// names are those of the register, and of the steps of the system.
func names() *catalog.Engine {
	e := register.Engine()
	e.Actions = append(e.Actions, catalog.Action{Name: sleepEndsAction})
	e.Stutters = append(e.Stutters, "ServiceEnds")
	return e
}

// Enabled names the action that the actor takes next. A death between two calls is one as any: the locks of
// the process are free.
func (f *follower) Enabled(s *state, actor int) string {
	if f.Machine.Over(&s.State, actor) {
		return ""
	}
	return "the step of " + f.Machine.At(&s.State, actor).String()
}

// take appends the state after a step of the model, if it agrees with memory and keeps the properties. But is
// that of differs.
func (f *follower) take(list []state, s *state, actor int, a model.Action, but int) ([]state, string) {
	next, ok := f.Machine.Take(&s.State, actor, a)
	if !ok {
		return nil, fmt.Sprintf("the actor is at %v", f.Machine.At(&s.State, actor))
	}
	if why := f.w.differs(&next, but); why != "" {
		return nil, "afterwards memory differs: " + why
	}
	return f.Accept(list, s, next)
}

// Call appends the state after the actor called its next operation. Who has found the lock taken calls
// nothing any more.
func (f *follower) Call(list []state, s *state, actor int) ([]state, string) {
	if f.Machine.Over(&s.State, actor) {
		return append(list, *s), ""
	}
	return f.take(list, s, actor, model.ClientCall, 0)
}

// Returned is the state after the return of the actor's operation, if it is about to return.
func (f *follower) Returned(s *state, actor int) state {
	if next, ok := f.Machine.Take(&s.State, actor, model.ClientReturn); ok {
		return f.After(s, next)
	}
	return *s
}

// Finished reports whether the actor has returned from all its operations, or is a service that sleeps.
func (f *follower) Finished(s *state, actor int) bool { return f.Machine.Quiet(&s.State, actor) }

// Differs compares the last answer of the actor. A service that serves never answers.
func (f *follower) Differs(s *state, actor int, last answer) string {
	results := s.State.Results(actor)
	switch {
	case !last.gave:
		return ""
	case len(results) == 0:
		return fmt.Sprintf("the engine returned %v, the model has not returned", last)
	case results[len(results)-1] != last.result:
		return fmt.Sprintf("the model returned %v, the engine %v", results[len(results)-1], last)
	}
	return ""
}

// Crash appends the state after the death of the actor's process, which all its threads tell. Who has found
// the lock taken has nothing that anybody could miss.
func (f *follower) Crash(list []state, s *state, actor int) ([]state, string) {
	if f.Machine.Gone(&s.State, actor) || f.Machine.Over(&s.State, actor) {
		return append(list, *s), ""
	}
	back := *s
	for other, process := range f.w.Processes {
		if process == f.w.Processes[actor-1] && other+1 != actor {
			back = f.Returned(&back, other+1) // a return is no step, so it may have returned before
		}
	}
	return f.take(list, &back, actor, model.Die, 0)
}

// access is the kind of an action's access, and the part of the slot or the word that it is about.
type access struct {
	kind hook.Kind
	part part
	word string // where it is no part of a slot
}

var accesses = map[model.Action]access{
	model.PeerLock: {kind: hook.TryLock, word: "lock of the"}, model.PeerLook: {word: "whether a"},
	model.SlotScan: {part: statePart}, model.SlotReclaim: {hook.CompareAndSwap, statePart, ""},
	model.BellRing: {kind: hook.Add, word: "doorbell"}, model.BellCheck: {word: "whether the service sleeps"},
	model.BellWake:  {kind: hook.And, word: "sleepers"},
	model.BellSleep: {kind: hook.Store, word: "whether the service sleeps"},
	model.BellLook:  {word: "doorbell"}, model.BellWait: {word: "doorbell"},
	model.BellRise: {kind: hook.Store, word: "whether the service sleeps"},
	model.SlotLook: {part: statePart}, model.SlotClaim: {hook.CompareAndSwap, statePart, ""},
	model.SlotWrite: {hook.Store, requestPart, ""}, model.SlotPublish: {hook.CompareAndSwap, statePart, ""},
	model.SlotWait: {part: statePart}, model.SlotRead: {part: responsePart},
	model.SlotFree:     {hook.CompareAndSwap, statePart, ""},
	model.SlotWithdraw: {hook.CompareAndSwap, statePart, ""},
	model.SlotAbandon:  {hook.CompareAndSwap, statePart, ""},
	model.SlotFail:     {hook.CompareAndSwap, statePart, ""},
	model.SlotTake:     {hook.CompareAndSwap, statePart, ""}, model.SlotCopy: {part: requestPart},
	model.SlotPerform: {kind: hook.Add, word: "counter"}, model.SlotAnswer: {hook.Store, responsePart, ""},
	model.SlotDone: {hook.CompareAndSwap, statePart, ""},
	model.SlotDrop: {hook.CompareAndSwap, statePart, ""},
	model.SlotWake: {kind: hook.And, word: "sleepers"},
}

// Access appends the states after the actor's access.
func (f *follower) Access(list []state, s *state, actor int, action string, step explore.Step) ([]state,
	string) {
	if action == sleepEndsAction {
		if f.Machine.Asleep(&s.State, actor) {
			return f.take(list, s, actor, model.TimeOut, 0)
		}
		return append(list, *s), "" // somebody has woken it
	}
	at := f.Machine.At(&s.State, actor)
	if at.String() != action || f.Machine.Asleep(&s.State, actor) {
		return nil, fmt.Sprintf("the actor is at %v, asleep: %v", at, f.Machine.Asleep(&s.State, actor))
	}
	partial, why := f.wrong(s, actor, accesses[at], step)
	switch {
	case why != "":
		return nil, why
	case partial:
		return append(list, *s), ""
	case at == model.SlotPerform && f.w.performed != f.Machine.Copied(&s.State, actor):
		return nil, fmt.Sprintf("request %d is performed, in the model %d", f.w.performed,
			f.Machine.Copied(&s.State, actor))
	case at == model.SlotWait || at == model.BellWait:
		return f.take(list, s, actor, at, actor)
	}
	return f.take(list, s, actor, at, 0)
}

// wrong says how the access of a step differs from that of the action. Partial is the length of what a slot
// holds, which is written ahead of it: the specification has no lengths.
func (f *follower) wrong(s *state, actor int, want access, step explore.Step) (partial bool, why string) {
	kind := want.kind
	if kind == hook.Begin { // none is named: it is a load
		kind = hook.Load
	}
	if step.Kind != kind {
		return false, fmt.Sprintf("the access is a %v, that of the action a %v", step.Kind, kind)
	}
	name := f.w.ObjectName(step.Object)
	if want.part == noPart {
		if !strings.HasPrefix(name, want.word) {
			return false, fmt.Sprintf("the access is to the %s, that of the action to the %s", name,
				want.word)
		}
		return false, ""
	}
	slot, p := f.w.part(int(step.Object << 16 >> 16))
	here := step.Object>>48 == 0 && slot+1 == int(s.State.Loc[actor-1].Slot)
	switch {
	case here && p == want.part-1 && kind == hook.Store:
		return true, ""
	case !here || p != want.part:
		return false, fmt.Sprintf("the access is to the %s, that of the action to the %s of slot %d", name,
			partNames[want.part], s.State.Loc[actor-1].Slot)
	}
	return false, ""
}
