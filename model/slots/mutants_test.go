package slots

import (
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
)

func TestMutantsAreRed(t *testing.T) { spec.MutantsAreRed(t) }

// Each property of a complete run, and what must come about, is violated by a mutant or by a run without a
// rule. The types are what the model's own types say.
func TestEachStateAndPropertyHasAMutant(t *testing.T) {
	names, states := []string{LoneEnds}, []string{}
	for _, p := range Properties() {
		if p.Name != "MCTypes" {
			names = append(names, p.Name)
		}
	}
	for _, p := range Programs() {
		states = append(states, p.State)
	}
	spec.EachIsRed(t, states, names, true)
}

func TestOneWordMakesStatesDiffer(t *testing.T) { spec.OneWord(t, "ServingAnswerNever") }

func TestEachRuleHasARun(t *testing.T) { spec.EachRuleHasARun(t, rules) }

// A fault changes what an actor can do next: those of spec/tla/slots/mutants.json, by name.
type fault = samestates.Fault[*Machine, State, Move]

// changed is an actor and its step, as a fault sees them.
type changed struct {
	*stepper
	was, is    *Local
	prev, next *State
}

// swapped tells whether the step has changed the state word of the actor's slot.
func (x changed) swapped() bool { return x.prev.Word != x.next.Word }

// slot is the state word behind the step.
func (x changed) slot() *Word { return x.next.word(x.was.Slot) }

// at is the fault of one action.
func at(action Action, change func(x changed)) fault {
	return func(m *Machine, s *State, actor int, steps []Step) []Step {
		for i := range steps {
			if steps[i].Action.Action == action {
				change(changed{stepper: &stepper{m: m, a: actor - 1, s: s}, was: &s.Loc[actor-1],
					is: &steps[i].Next.Loc[actor-1], prev: s, next: &steps[i].Next})
			}
		}
		return steps
	}
}

// blind is the fault of a compare-and-swap that does not compare.
func blind(action Action) fault {
	return func(m *Machine, s *State, actor int, steps []Step) []Step {
		for i := range steps {
			if steps[i].Action.Action == action {
				seen := *s
				*seen.word(s.Loc[actor-1].Slot) = s.Loc[actor-1].word
				plain := *m
				plain.hook = nil
				steps[i].Next = plain.Steps(&seen, actor, nil)[0].Next
			}
		}
		return steps
	}
}

var faults = map[string]fault{
	"PeerAttachSkips": at(SlotLook, func(x changed) {
		if x.was.phase == attaching && x.is.word.Life == Published {
			*x.is = x.nextSlot(*x.was)
		}
	}),
	"PeerReclaimDone": at(SlotReclaim, func(x changed) {
		if x.swapped() && x.slot().Life == Failed {
			x.slot().Life = Published
			*x.is = x.nextSlot(*x.was)
		}
	}),
	"PeerReclaimTaken": at(SlotReclaim, func(x changed) {
		if x.swapped() && x.slot().Life == Abandoned {
			*x.slot() = x.was.word.to(Free)
		}
	}),
	"PeerTakenFree": samestates.Both(at(PeerLook, func(x changed) {
		if x.is.PC == SlotFail {
			x.is.PC, x.is.phase = SlotLook, leaving
		}
	}), at(SlotLook, func(x changed) {
		if x.is.PC == SlotAbandon {
			x.is.PC = SlotWithdraw
		}
	})),
	"RequestAbandonFrees": at(SlotAbandon, func(x changed) {
		if x.swapped() {
			*x.slot() = x.was.word.to(Free)
		}
	}),
	"RequestClaimBlind":    blind(SlotClaim),
	"RequestWithdrawBlind": blind(SlotWithdraw),
	"ServingAnswerNever":   at(SlotAnswer, func(x changed) { x.next.Response = x.prev.Response }),
	"ServingDoneFails": at(SlotDone, func(x changed) {
		if x.swapped() {
			x.slot().Life = Failed
		}
	}),
	"ServingDropNever": at(SlotDone, func(x changed) {
		if x.is.PC == SlotDrop {
			*x.is = x.nextSlot(*x.was)
		}
	}),
	"ServingTwice": at(SlotPerform, func(x changed) {
		if x.prev.did[x.was.copied/10-1][x.was.copied%10-1] == 0 {
			*x.is = *x.was
		}
	}),
}
