package basket

import (
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	register "github.com/samecycle/samecycle/internal/catalog/basket"
	"github.com/samecycle/samecycle/internal/hook"
	model "github.com/samecycle/samecycle/model/basket"
)

// state is one of the model, with the races that have happened on the way to it, and how many removals were
// told.
type state struct {
	model.Sight
	marks uint32 // of harness.Races
	told  [model.MaxActors]uint8
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

// names are those of the register, and the functions that make a part of an action, or none.
func names() *catalog.Engine {
	e := register.Engine()
	for _, name := range []string{"CopyValue", "Note", "AppendCopy", "AppendBytes", "IndexAdd",
		"IndexClaim", "IndexMove"} {
		e.Actions = append(e.Actions, catalog.Action{Name: name})
	}
	e.Stutters = append(e.Stutters, "Has", "IndexFull", "IndexSettle", "IndexMoves")
	return e
}

// Initial is the state before the first call.
func (f *follower) Initial() state { return f.marked(&state{}, f.m.First()) }

// marked is a state of the model behind another one.
func (f *follower) marked(before *state, s model.Sight) state {
	seen := f.races.Seen(before.marks, f.m, &s.State)
	seen = f.races.Also(seen, func(witness string) bool { return f.m.Both(&s, witness) })
	return state{s, seen, before.told}
}

// Marks are the states whose race has happened.
func (f *follower) Marks(s *state) []string { return f.races.Names(s.marks) }

// Enabled names the action that the actor takes next. A death between two calls is one as any: what the dead
// had is left.
func (f *follower) Enabled(s *state, actor int) string {
	if f.isIndex(actor) {
		return "IndexMove"
	}
	if f.m.Over(&s.Sight, actor) {
		return ""
	}
	return "the step of " + f.m.At(&s.Sight, actor)
}

// Call appends the state after the actor called its next operation.
func (f *follower) Call(list []state, s *state, actor int) ([]state, string) {
	if f.isIndex(actor) {
		return append(list, *s), ""
	}
	next, why := f.m.Call(&s.Sight, actor)
	if why != "" {
		return nil, why
	}
	return f.accept(list, s, actor, next)
}

// Returned is the state after the return of the actor's operation, if it is about to return.
func (f *follower) Returned(s *state, actor int) state {
	if f.isIndex(actor) {
		return *s
	}
	told, _ := f.tells(s, actor)
	return f.marked(&told, f.m.Return(&told.Sight, actor))
}

// Finished reports whether the actor has returned from all its operations.
func (f *follower) Finished(s *state, actor int) bool {
	return f.isIndex(actor) || f.m.Over(&s.Sight, actor)
}

// isIndex reports whether it is the actor behind the clients, by which an entry moves.
func (f *follower) isIndex(actor int) bool { return actor > len(f.w.Calls) }

// Differs compares the last answer of the actor.
func (f *follower) Differs(s *state, actor int, last answer) string {
	if f.isIndex(actor) {
		return ""
	}
	want := answer{s.Returns[actor-1] > 0, s.Answer[actor-1], s.Mark[actor-1], s.Aged[actor-1]}
	if last != want {
		return fmt.Sprintf("the model returned %v, the engine %v", want, last)
	}
	return ""
}

// Crash appends the state after the death of the actor.
func (f *follower) Crash(list []state, s *state, actor int) ([]state, string) {
	if f.isIndex(actor) {
		return append(list, *s), ""
	}
	told, why := f.tells(s, actor)
	if why != "" {
		return nil, why
	}
	next, why := f.m.Dies(&told.Sight, actor)
	if why != "" {
		return nil, why
	}
	return f.accept(list, &told, actor, next)
}

// tells takes what the actor has told since its last access.
func (f *follower) tells(s *state, actor int) (state, string) {
	is := *s
	for _, what := range f.w.told[actor-1][is.told[actor-1]:] {
		next, why := f.m.Told(&is.Sight, actor, what)
		if why == "" {
			why = f.m.Keeps(&is.Sight, &next, actor)
		}
		if why != "" {
			return is, why
		}
		is = f.marked(&is, next)
		is.told[actor-1]++
	}
	return is, ""
}

// accept appends a state if it agrees with memory, and keeps the properties.
func (f *follower) accept(list []state, s *state, actor int, next model.Sight) ([]state, string) {
	if next.State != s.State {
		if why := f.w.differs(&next.State); why != "" {
			return list, "afterwards memory differs: " + why
		}
		if why := f.m.Keeps(&s.Sight, &next, actor); why != "" {
			return list, why
		}
	}
	return append(list, f.marked(s, next)), ""
}

// kinds are the accesses that are no loads.
var kinds = map[string]hook.Kind{
	"IndexSwap": hook.CompareAndSwap, "IndexPush": hook.CompareAndSwap, "IndexClaim": hook.CompareAndSwap,
	"TuneSwap": hook.CompareAndSwap, "IndexDrop": hook.Store, "IndexMove": hook.CompareAndSwap,
	"AppendZero": hook.Store, "AppendHead": hook.Store, "AppendBytes": hook.Store, "AppendSize": hook.Store,
	"RoomSeal": hook.CompareAndSwap, "RoomNumber": hook.Add, "RoomOpen": hook.CompareAndSwap,
	"RoomAge": hook.CompareAndSwap, "RoomTake": hook.CompareAndSwap, "WalkNumber": hook.Add,
	"WalkBack": hook.CompareAndSwap, "WalkZero": hook.Store, "WalkFree": hook.CompareAndSwap,
}

// kindOf is the access of an action.
func kindOf(action string) hook.Kind {
	if k, ok := kinds[action]; ok {
		return k
	}
	return hook.Load
}

// Access appends the states after the actor's access.
func (f *follower) Access(list []state, s *state, actor int, action string, step explore.Step) ([]state,
	string) {
	told, why := *s, ""
	if !f.isIndex(actor) {
		told, why = f.tells(s, actor)
	}
	if why != "" {
		return nil, why
	}
	if f.isIndex(actor) != (action == "IndexMove") {
		return nil, "another one makes this step"
	}
	if want := kindOf(action); step.Kind != want {
		return nil, fmt.Sprintf("the access is a %v, that of the action a %v", step.Kind, want)
	}
	x, ok := f.w.access(step)
	if !ok {
		return nil, fmt.Sprintf("the access is to the %s, which is no word of this action",
			f.w.ObjectName(step.Object))
	}
	all, why := f.m.Follow(nil, &told.Sight, actor, action, x)
	for _, next := range all {
		list, why = f.accept(list, &told, actor, next)
	}
	if len(list) == 0 {
		return nil, why
	}
	return list, ""
}

// access says which word of the specification a step is about.
func (w *world) access(s explore.Step) (x model.Access, ok bool) {
	at := int(s.Object<<16>>16) / 8
	x.OK = s.OK
	switch unit := at - w.records; {
	case s.Object>>48 == 1 && at == w.pairAt():
		x.Pair = true
		return x, true
	case s.Object>>48 == 1 && at >= firstHand:
		x.Index = uint8(at - firstHand + 1)
		return x, at < firstHand+len(w.Calls)
	case s.Object>>48 == 1:
		x.Index = uint8(at)
		return x, at >= 1 && at <= len(w.Words)
	case s.Object>>48 != 0:
		return x, false
	case unit >= 0:
		x.Basket, x.Slot = uint8(unit/unitsOfBasket)+1, uint8(unit%unitsOfBasket/unitsOfRecord)+1
		switch unit % unitsOfBasket % unitsOfRecord {
		case lowUnit:
			x.Part = model.Low
		case highUnit:
			x.Part = model.High
		}
		return x, unit < unitsOfBasket*len(w.Heads)
	case at >= w.heads && at < w.heads+2*len(w.Heads):
		x.Basket = uint8(at-w.heads)/2 + 1
		return x, (at-w.heads)%2 == 0
	}
	return x, at == w.common
}

// differs compares memory with a state of the model, and says where they first differ.
func (w *world) differs(s *model.State) string {
	for h := range w.Words {
		word := w.memory.index[h+1]
		if is := (model.Word{Ref: modelRef(word >> 32), Version: uint8(word)}); is != s.Word[h] {
			return fmt.Sprintf("the index has %v for hash %d, the model %v", is, h+1, s.Word[h])
		}
	}
	for i := range w.Heads {
		if is := w.head(i); is != s.Head[i] {
			return fmt.Sprintf("the head of basket %d is %v, the model has %v", i+1, is, s.Head[i])
		}
	}
	for i := range w.Records {
		if is := w.record(uint8(i + 1)); is != s.Record[i] {
			return fmt.Sprintf("record %d is %v, the model has %v", i+1, is, s.Record[i])
		}
	}
	for a := range w.Calls {
		if is := modelRef(w.memory.index[firstHand+a] << 32 >> 32); is != s.Hand[a] {
			return fmt.Sprintf("actor %d has %d in its hand, the model has %d", a+1, is, s.Hand[a])
		}
	}
	if is := pairOf(w.memory.index[w.pairAt()]); is != s.Pair {
		return fmt.Sprintf("the parameters are %v, the model has %v", is, s.Pair)
	}
	if is := uint8(w.words[w.common]) + 1; is != s.Number {
		return fmt.Sprintf("the next number is %d, the model has %d", is, s.Number)
	}
	return ""
}
