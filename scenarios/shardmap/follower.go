package shardmap

import (
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/hook"
	model "github.com/samecycle/samecycle/model/shardmap"
)

// state is one of the model, with the races that have happened on the way to it.
type state = harness.Raced[model.State]

// follower takes the steps of a program in the model.
type follower struct {
	harness.Course[*model.Machine, model.State]
	w *world
}

func newFollower(m *model.Machine, w *world) *follower {
	return &follower{harness.NewCourse(m, model.PropertiesOf(w.program.State), model.Witnesses()), w}
}

// Enabled names the action that the actor takes next.
func (f *follower) Enabled(s *state, actor int) string {
	if next := f.Machine.Next(&s.State, actor); next != model.Over {
		return next.String()
	}
	return ""
}

// Call appends the state after the actor called its next operation.
func (f *follower) Call(list []state, s *state, actor int) ([]state, string) {
	if next := f.Machine.Next(&s.State, actor); next != model.ClientCall {
		return nil, fmt.Sprintf("the actor is at %v", next)
	}
	return f.follow(list, s, actor, nil)
}

// Returned is the state after the return of the actor's operation, if it is about to return.
func (f *follower) Returned(s *state, actor int) state {
	if f.Machine.Next(&s.State, actor) != model.ClientReturn {
		return *s
	}
	return f.After(s, f.Machine.Steps(&s.State, actor, nil)[0].Next)
}

// Finished reports whether the actor has returned from all its operations.
func (f *follower) Finished(s *state, actor int) bool {
	return f.Machine.Next(&s.State, actor) == model.Over
}

// Differs compares the last answer of the actor. Of an operation whose predicate throws a client has no
// answer.
func (f *follower) Differs(s *state, actor int, last answer) string {
	answers := f.Machine.Answers(&s.State, actor)
	if len(answers) == 0 {
		if last.gave {
			return fmt.Sprintf("the engine returned %v, the model has not returned", last)
		}
		return ""
	}
	a := answers[len(answers)-1]
	want := answer{gave: true, n: a.N, shard: a.Shard}
	if f.w.program.Calls[actor-1][len(answers)-1].Form == model.Throws {
		want.shard = last.shard
	}
	if last != want {
		return fmt.Sprintf("the model returned %v, the engine %v", want, last)
	}
	return ""
}

// Crash: no actor dies.
func (*follower) Crash([]state, *state, int) ([]state, string) {
	return nil, "no actor of the sharded map dies: a death ends the process"
}

// Access appends the states after the actor's action.
func (f *follower) Access(list []state, s *state, actor int, action string, step explore.Step) ([]state,
	string) {
	next := f.Machine.Next(&s.State, actor)
	if next.String() != action {
		return nil, fmt.Sprintf("the actor is at %v", next)
	}
	_, shard, _ := f.Machine.Running(&s.State, actor)
	if why := f.w.wrongWord(next, shard, step); why != "" {
		return nil, why
	}
	if f.Machine.Spins(&s.State, actor) { // the load found its condition false, and comes again
		if step.Kind != hook.Load {
			return nil, "what waits does more than look"
		}
		return append(list, *s), ""
	}
	return f.follow(list, s, actor, f.w.differs)
}

// follow appends the successors that agree with what is compared, and keep the properties.
func (f *follower) follow(list []state, s *state, actor int,
	differs func(*model.Machine, *model.State) string) ([]state, string) {
	why := "the model has no step"
	for _, next := range f.Machine.Steps(&s.State, actor, nil) {
		if differs != nil {
			if why = differs(f.Machine, &next.Next); why != "" {
				continue
			}
		}
		if list, why = f.Accept(list, s, next.Next); why != "" {
			return nil, why
		}
	}
	if len(list) == 0 {
		return nil, "afterwards memory differs: " + why
	}
	return list, ""
}

// kinds are the accesses of the actions.
var kinds = map[model.Action]hook.Kind{
	model.ReadEnter: hook.Add, model.ReadRetreat: hook.Add, model.ReadWait: hook.Load,
	model.ReadLeave:  hook.Add,
	model.WriteClaim: hook.Or, model.WriteWait: hook.Load, model.WriteDrain: hook.Load,
	model.WriteLeave: hook.And,
	model.ShardLook:  hook.Load, model.ShardChange: hook.Or,
	model.CleanupClaim: hook.Swap, model.CleanupWait: hook.Load, model.CleanupNext: hook.Add,
	model.CleanupLeave: hook.Store,
}

// wrongWord says how the access of a step differs from that of the action on the shard.
func (w *world) wrongWord(a model.Action, shard uint8, step explore.Step) string {
	want := ""
	switch a {
	case model.CleanupClaim, model.CleanupWait, model.CleanupLeave:
		want = "cleanup flag"
	case model.CleanupNext:
		want = "cursor"
	case model.ShardLook, model.ShardChange:
		want = fmt.Sprintf("contents of shard %d", shard-1)
	default:
		want = fmt.Sprintf("lock of shard %d", shard-1)
	}
	if got := w.ObjectName(step.Object); got != want {
		return fmt.Sprintf("the access is to the %s, that of the action to the %s", got, want)
	}
	if step.Kind != kinds[a] {
		return fmt.Sprintf("the access is a %v, that of the action a %v", step.Kind, kinds[a])
	}
	return ""
}

// differs compares the map with a state of the model, and says where they first differ.
func (w *world) differs(m *model.Machine, s *model.State) string {
	v := w.m.Inspect()
	for i, word := range v.Locks {
		writer, readers := m.Word(s, uint8(i+1))
		want := uint32(readers)
		if writer {
			want |= 1 << 31
		}
		if word != want {
			return fmt.Sprintf("the lock of shard %d is %#x, the model has %#x", i, word, want)
		}
		got, has := w.contents(uint8(i+1)), m.Contents(s, uint8(i+1))
		if fmt.Sprint(got) != fmt.Sprint(has) {
			return fmt.Sprintf("shard %d has %v, the model %v", i, got, has)
		}
	}
	if v.Cleaning != s.Flag {
		return fmt.Sprintf("the cleanup flag is %v, the model has %v", v.Cleaning, s.Flag)
	}
	if shards := uint32(w.program.Shards); v.Cursor%shards != uint32(s.Cursor)%shards {
		return fmt.Sprintf("the cursor is %d, the model has %d", v.Cursor, s.Cursor)
	}
	return ""
}
