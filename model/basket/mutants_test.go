package basket

import (
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
)

func TestMutantsAreRed(t *testing.T) { spec.MutantsAreRed(t) }

// neverAlone are the properties that no run is about: whatever breaks them breaks another one before. That
// they say what the specification says is for TestSamePropertiesAsTLC.
var neverAlone = []string{"MCTypes", "B3KeyOnce"}

// Each property of a complete run, and what must come about, is violated by a mutant or by a run without a
// rule.
func TestEachStateAndPropertyHasAMutant(t *testing.T) {
	names, states := []string{LoneEnds, RoomEnds}, []string{}
	for _, p := range Properties() {
		if !slices.Contains(neverAlone, p.Name) {
			names = append(names, p.Name)
		}
	}
	for _, p := range Programs() {
		states = append(states, p.State)
	}
	spec.EachIsRed(t, states, names, true)
}

func TestOneWordMakesStatesDiffer(t *testing.T) { spec.OneWord(t, "WalkZeroNever") }

// A fault changes what an actor can do next: those of spec/tla/basket/mutants.json, by name.
type fault = samestates.Fault[*Machine, State, Move]

// changed is an actor and its step, as a fault sees them.
type changed struct {
	actor      uint8
	was, is    *Local
	prev, next *State
}

// at is the fault of one action.
func at(action Action, change func(x changed)) fault {
	return func(_ *Machine, s *State, actor int, steps []Step) []Step {
		for i := range steps {
			if steps[i].Action.Action == action {
				change(changed{actor: uint8(actor), was: &s.Loc[actor-1], is: &steps[i].Next.Loc[actor-1],
					prev: s, next: &steps[i].Next})
			}
		}
		return steps
	}
}

// seeing is the fault of an action that takes its step as if the state were another one.
func seeing(action Action, other func(s *State, l *Local)) fault {
	return func(m *Machine, s *State, actor int, steps []Step) []Step {
		for i := range steps {
			if steps[i].Action.Action == action {
				seen := *s
				other(&seen, &seen.Loc[actor-1])
				plain := *m
				plain.hook = nil
				steps[i].Next = plain.Steps(&seen, actor, nil)[0].Next
			}
		}
		return steps
	}
}

func after(first fault, change func(x changed), action Action) fault {
	return func(m *Machine, s *State, actor int, steps []Step) []Step {
		return at(action, change)(m, s, actor, first(m, s, actor, steps))
	}
}

// unplanned is the plan of a change that has nothing to copy and to append.
func unplanned(x changed) {
	f := &x.is.frame
	f.tell, f.todo, f.at, f.copy, x.is.PC = list[Copy]{}, list[Copy]{}, 0, Copy{}, IndexSwap
}

func sameHead(s *State, l *Local) { *s.head(l.frame.best.basket) = l.frame.best.head }

// twice is who owes the telling of each removal twice.
func twice(l *Local) { l.owed = listOf(append(l.owed.all(), l.owed.all()...)) }

// samePair is what an actor has loaded, though its step was that of another pair.
func samePair(x changed) { x.is.Pair = x.was.Pair }

var faults = map[string]fault{
	"AppendGetGivesBack": at(IndexStill, func(x changed) {
		if x.was.frame.errand == toGet && x.is.PC == IndexLookup && x.is.Open[0] != 0 {
			x.is.Position[0] -= int8(x.was.frame.count)
		}
	}),
	"AppendMoveNothing": at(CopyHead, func(x changed) {
		if x.was.frame.errand == toMove && x.is.frame.todo.len() > 0 {
			unplanned(x)
		}
	}),
	"AppendTailKept": at(CopyHead, func(x changed) {
		if x.was.frame.errand == toDelete && (x.is.PC == AppendZero || x.is.PC == IndexSwap) {
			x.is.frame.next = x.was.frame.at
		}
	}),
	"AppendZeroNever": at(AppendZero, func(x changed) {
		if x.was.frame.todo.len() > 0 {
			x.next.Record = x.prev.Record
		}
	}),
	"CopyCutUntold": at(CopyHead, func(x changed) {
		if f := &x.is.frame; x.was.frame.errand.ofRecord() && f.tell.len() > 1 {
			f.copy = f.tell.item[f.tell.len()-1]
			f.at, f.tell = f.copy.Ref, listOf([]Copy{f.copy})
		}
	}),
	"CopyEvictUntold": at(CopyHead, func(x changed) {
		if x.is.frame.tell.len() > 0 {
			unplanned(x)
		}
	}),
	"IndexDeleteBlind": seeing(IndexSwap, func(s *State, l *Local) {
		if l.frame.errand == toDelete { // its swap stamps the word that is there, so the version is kept
			l.frame.ticket = s.Word[l.frame.hash-1]
		}
	}),
	"AppendSetMarked": at(CopyHead, func(x changed) {
		old := x.prev.rec(x.was.frame.at)
		if f := &x.is.frame; f.errand == toSet && f.todo.len() > 0 && old.Key == f.key {
			f.todo.item[f.todo.n-1].Suspect = old.Suspect
			f.copy = f.todo.item[0]
		}
	}),
	"AppendMoveUnmarked": at(CopyHead, func(x changed) {
		if f := &x.is.frame; f.errand == toMove && f.todo.len() > 0 {
			f.todo.item[0].Suspect, f.copy.Suspect = 0, 0
		}
	}),
	"AppendCopyUnmarked": at(CopyHead, func(x changed) {
		f := &x.is.frame
		for i := range f.todo.len() {
			if c := &f.todo.item[i]; c.Ref != x.was.frame.at && c.Ref != 0 { // the neighbours
				c.Suspect = 0
			}
		}
		if f.todo.len() > 0 {
			f.copy = f.todo.item[0]
		}
	}),
	"IndexMarkUntrue": at(IndexSwap, func(x changed) {
		if x.is.PC == AppendZero && x.is.stage == done {
			x.is.answer = int8(x.was.frame.record)
		}
	}),
	"IndexDropBlind": seeing(IndexDrop, func(s *State, l *Local) {
		if l.frame.errand == toTake {
			s.Hand[l.frame.basket-1] = l.frame.ticket.Ref
		}
	}),
	"IndexDropTwice": at(IndexDrop, func(x changed) {
		if x.is.PC == WalkTell {
			twice(x.is)
		}
	}),
	"IndexSwapTwice": at(IndexSwap, func(x changed) {
		if x.is.PC == WalkTell {
			twice(x.is)
		}
	}),
	"WalkTellNever": after(at(IndexSwap, func(x changed) {
		if x.is.PC == WalkTell {
			x.is.Walked++
			x.is.PC = WalkSize
		}
	}), func(x changed) { x.is.owed = list[Told]{} }, WalkSize),
	"IndexInstallBlind": after(seeing(IndexInstall, func(s *State, l *Local) {
		s.Word[l.frame.hash-1] = l.frame.ticket
	}), func(x changed) { x.next.Word = x.prev.Word }, IndexInstall),
	"AppendPromoteLow": func(m *Machine, s *State, actor int, steps []Step) []Step {
		lower := *s // in which what is promoted is moved, and so keeps its tier
		l := &lower.Loc[actor-1]
		if l.frame.errand != toPromote || len(steps) == 0 {
			return steps
		}
		l.frame.errand = toMove
		plain := *m
		plain.hook = nil
		steps[0].Next = plain.Steps(&lower, actor, nil)[0].Next
		if is := &steps[0].Next.Loc[actor-1].frame; is.errand == toMove {
			is.errand = toPromote
		}
		return steps
	},
	"RoomAgeTwo": at(RoomAge, func(x changed) {
		if basket := x.was.frame.best.basket; x.is.PC == ClientReturn {
			x.next.head(basket).Tier++
		}
	}),
	"RoomLookAnyTier": after(seeing(RoomLook, func(s *State, l *Local) {
		if t := s.head(l.frame.basket).Tier; t == 0 {
			l.Pair.Low = 1
		} else {
			l.Pair.High = 1
		}
	}), samePair, RoomLook),
	"RoomOpenBlind": seeing(RoomOpen, sameHead),
	"RoomOpenLow": func(m *Machine, s *State, actor int, steps []Step) []Step {
		return at(RoomOpen, func(x changed) {
			if *x.next.head(x.was.frame.best.basket) != *x.prev.head(x.was.frame.best.basket) {
				x.next.head(x.was.frame.best.basket).Tier = uint8(m.p.tiers() - 1)
			}
		})(m, s, actor, steps)
	},
	"RoomTakeBlind": seeing(RoomTake, func(s *State, l *Local) {
		if s.head(l.frame.best.basket).Life != Free {
			sameHead(s, l)
		}
	}),
	"RoomTakeMidst": at(RoomTake, func(x changed) {
		if x.is.PC == WalkSize && x.was.frame.best.head.Life == Retiring {
			x.is.Walked = 2
		}
	}),
	"WalkFreeSameLife": at(WalkFree, func(x changed) {
		x.next.head(x.was.Retiring).Generation = x.prev.head(x.was.Retiring).Generation
	}),
	"WalkFreeTier": at(WalkFree, func(x changed) {
		x.next.head(x.was.Retiring).Tier = x.prev.head(x.was.Retiring).Tier
	}),
	"WalkHandNotAll": at(WalkSize, func(x changed) {
		if x.is.PC == WalkHand {
			x.is.frame.basket = 2
		}
	}),
	"WalkTendEvicts": after(seeing(WalkSize, func(_ *State, l *Local) { l.Pair = Pair{} }), samePair,
		WalkSize),
	"WalkTellOne":   seeing(WalkTell, func(_ *State, l *Local) { l.owed = listOf(l.owed.all()[:1]) }),
	"WalkZeroNever": at(WalkZero, func(x changed) { x.next.Record = x.prev.Record }),
}
