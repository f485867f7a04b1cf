package shardmap

import (
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
)

func TestMutantsAreRed(t *testing.T) { spec.MutantsAreRed(t) }

// Each property of a complete run, and what must come about, is violated by a mutant.
func TestEachStateAndPropertyHasAMutant(t *testing.T) {
	names, states := slices.Concat(spec.ComesAbout, spec.Fairness), []string{}
	for _, p := range Properties() {
		names = append(names, p.Name)
	}
	for _, p := range Programs() {
		states = append(states, p.State)
	}
	spec.EachIsRed(t, states, names, false)
}

func TestOneWordMakesStatesDiffer(t *testing.T) { spec.OneWord(t, "CleanupWrapsToOne") }

// A fault changes what an actor can do next: those of spec/tla/shardmap/mutants.json, by name.
type fault = samestates.Fault[*Machine, State, Action]

// changed is an actor and its step, as a fault sees them.
type changed struct {
	m          *Machine
	o          *Op // in progress before the step; nil between calls
	was, is    *Local
	prev, next *State
}

// at is the fault of one action.
func at(action Action, change func(x changed)) fault {
	return func(m *Machine, s *State, actor int, steps []Step) []Step {
		for i := range steps {
			if steps[i].Action != action {
				continue
			}
			x := changed{m: m, was: &s.Loc[actor-1], is: &steps[i].Next.Loc[actor-1], prev: s,
				next: &steps[i].Next}
			if x.was.Depth > 0 {
				x.o = m.op(actor-1, x.was)
			}
			change(x)
		}
		return steps
	}
}

// lockWord is the word of the shard of an actor, behind its step.
func (x changed) lockWord() *uint8 { return &x.next.Lock[x.was.top().Shard-1] }

// asIf takes the steps of a machine with another comparison ahead of an erase.
func asIf(check string) fault {
	return func(m *Machine, s *State, actor int, _ []Step) []Step {
		other := *m
		other.hook, other.c.Check = nil, check
		return other.Steps(s, actor, nil)
	}
}

// fullCleanupOn is the fault of a full cleanup that would go on to the second shard.
func fullCleanupOn(x changed) {
	if x.o.Kind == FullCleanup && x.is.Depth > 0 && x.is.top().Shard != x.was.top().Shard {
		*x.is = x.was.holding(Free).at(CleanupLeave)
	}
}

func flagStays(x changed) { x.next.Flag = true }

var lockFaults = map[string]fault{
	"LockReadWaitEnters": at(ReadWait, func(x changed) { *x.is = x.is.holding(Shared).at(ShardLook) }),
	"LockPlusWider": at(ReadEnter, func(x changed) {
		*x.lockWord() = (*x.lockWord() + 2*Radix) % (4 * Radix)
	}),
	"LockRetreatTriesAgain": at(ReadRetreat, func(x changed) { x.is.PC = ReadEnter }),
	"LockDrainsToOne": func(m *Machine, s *State, actor int, steps []Step) []Step {
		l := &s.Loc[actor-1]
		if l.PC != WriteDrain || m.readersOf(s.Lock[l.top().Shard-1]) != 1 {
			return steps
		}
		return []Step{{Actor: actor, Action: WriteDrain, Next: func() State {
			next := *s
			next.Loc[actor-1] = l.holding(Exclusive).at(ShardChange)
			return next
		}()}}
	},
	"LockLeavesTwice":     at(ReadLeave, func(x changed) { *x.lockWord() = x.m.plus(*x.lockWord(), -1) }),
	"LockBitStays":        at(WriteLeave, func(x changed) { *x.lockWord() += Radix }),
	"LockWaitsThenDrains": at(WriteWait, func(x changed) { x.is.PC = WriteDrain }),
	"LockRetreatKeeps":    at(ReadRetreat, func(x changed) { x.next.Lock = x.prev.Lock }),
}

var contentsFaults = map[string]fault{
	"ContentsInvalidateKeeps": at(ShardChange, func(x changed) {
		if x.o.Kind == Invalidate {
			x.next.Map = x.prev.Map
		}
	}),
	"ContentsGetMeta": at(ShardLook, func(x changed) {
		if x.o.Kind == Get {
			x.is.top().N = x.prev.Map[x.o.Key-1].Meta
		}
	}),
	"ContentsRejectErases": at(ShardLook, func(x changed) {
		if x.o.Verdict == Reject && x.m.stale(x.prev, x.o, x.o.Key) {
			x.is.top().Todo[x.o.Key-1], x.is.top().left = x.prev.Map[x.o.Key-1].Version, toChange
		}
	}),
	"ContentsInvalidAnswered": at(ShardLook, func(x changed) {
		if x.o.Verdict == Discard {
			x.is.top().N = x.prev.Map[x.o.Key-1].Value
		}
	}),
	"ContentsVersionKept": at(ShardChange, func(x changed) {
		if x.o.puts() {
			x.next.Map[x.o.Key-1].Version--
		}
	}),
	"ContentsNewerErased":    asIf(CheckNothing),
	"ContentsPredicateWider": asIf(CheckNothing),
	"ContentsNoRefill": at(ClientCall, func(x changed) {
		if f := x.is.top(); x.m.p.Calls[2][x.is.Call-1].Kind == Refill && x.is.PC == WriteClaim {
			x.is.PC, f.left = ClientReturn, toEnd
		}
	}),
	"ContentsCountsFirst": at(ShardLook, func(x changed) {
		if f := x.is.top(); x.o.Kind == Size {
			f.Counts[f.Counted-1] = x.m.count(x.prev, 1)
		}
	}),
	"ContentsCountsLast": at(ShardLook, func(x changed) {
		if f := x.is.top(); x.o.Kind == Size {
			f.N = x.m.count(x.prev, f.Shard)
		}
	}),
	"ContentsPredicateUnasked": at(ShardChange, func(x changed) {
		if x.o.Kind == InvalidateIf && x.prev.Map[x.o.Key-1] != (Entry{}) {
			x.next.Map[x.o.Key-1], x.is.top().N = Entry{}, 1
		}
	}),
}

var cleanupFaults = map[string]fault{
	"CleanupTryWaits": at(CleanupClaim, func(x changed) {
		if x.o.Kind == TryCleanup && x.prev.Flag {
			*x.is = x.was.at(CleanupWait)
		}
	}),
	"CleanupFlagStays":       at(CleanupLeave, flagStays),
	"CleanupFlagStaysAtRest": at(CleanupLeave, flagStays),
	"CleanupCursorStays":     at(CleanupNext, func(x changed) { x.next.Cursor = x.prev.Cursor }),
	"CleanupWrapsToOne": at(CleanupNext, func(x changed) {
		if x.next.Cursor == 0 {
			x.next.Cursor = 1
		}
	}),
	"CleanupFullEndsEarly": samestates.Both(at(ReadLeave, fullCleanupOn), at(WriteLeave, fullCleanupOn)),
	"CleanupFullSkipsFirst": at(CleanupClaim, func(x changed) {
		if x.o.Kind == FullCleanup && x.is.PC == ReadEnter {
			x.is.top().Shard = 2
		}
	}),
	"CallbackWrongLeave": at(ReadLeave, func(x changed) {
		if x.was.Depth > x.is.Depth && x.is.PC == ReadLeave {
			x.is.PC = WriteLeave
		}
	}),
	"CallbackForgetsOuter": at(ShardLook, func(x changed) {
		if x.is.Depth > x.was.Depth {
			x.is.Depth, x.is.Frames = 1, [2]Frame{x.is.Frames[1]}
		}
	}),
}

var faults = func() map[string]fault {
	all := map[string]fault{}
	for _, some := range []map[string]fault{lockFaults, contentsFaults, cleanupFaults} {
		for name, f := range some {
			all[name] = f
		}
	}
	return all
}()
