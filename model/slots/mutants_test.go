package slots

import (
	"slices"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/model/hopscotch"
)

// Each mutant of the specification violates the same property in the model when the model has its fault.
func TestMutantsAreRed(t *testing.T) {
	samestates.MutantsAreRed(t, part.Mutants(t), faults, func(t *testing.T, x tlc.Mutant, f fault) Report {
		r := runOf(t, x.Run)
		m := machineOf(t, r.config)
		m.hook = f
		live := liveOf(m, r)
		if x.Alone {
			p, _ := PropertyByName(x.Property)
			r.properties, live = []Property{p}, nil
		}
		return Explore(t.Context(), m, Options{Properties: r.properties, Live: live})
	})
}

// Each state has a mutant of its own; each property of a complete run, and what must come about, is violated
// by one or by a run without a rule. The types are what the model's own types say.
func TestEachStateAndPropertyHasAMutant(t *testing.T) {
	states, violated := map[string]bool{}, map[string]bool{}
	for _, x := range part.Mutants(t) {
		states[x.State], violated[x.Property] = true, true
	}
	for _, r := range manifest(t) {
		violated[r.Property] = true
	}
	for _, p := range Programs() {
		if !states[p.State] {
			t.Errorf("no mutant is of %s", p.State)
		}
	}
	names := []string{LoneEnds}
	for _, p := range Properties() {
		names = append(names, p.Name)
	}
	for _, name := range names {
		if !violated[name] && name != "MCTypes" {
			t.Errorf("no mutant violates %s", name)
		}
	}
}

// The comparison can fail: a fault on one side makes the sets differ, the same fault on the other side makes
// them equal again.
func TestOneWordMakesStatesDiffer(t *testing.T) {
	const mutant = "ServingAnswerNever"
	part.OneWord(t, mutant, model.ReadStates, func(run string, faulty bool) samestates.Set {
		m := machineOf(t, runOf(t, run).config)
		if faulty {
			m.hook = faults[mutant]
		}
		set, _ := everyState(t, m)
		return set
	})
}

// A fault changes what an actor can do next: those of spec/tla/slots/mutants.json, by name.
type fault = func(m *Machine, s *State, actor int, steps []Step) []Step

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

func both(one, other fault) fault {
	return func(m *Machine, s *State, actor int, steps []Step) []Step {
		return other(m, s, actor, one(m, s, actor, steps))
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
	"PeerTakenFree": both(at(PeerLook, func(x changed) {
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

// The rules of the runs that must fail are those that the machine can be without.
func TestEachRuleHasARun(t *testing.T) {
	var lacking []string
	for _, r := range manifest(t) {
		lacking = append(lacking, r.config.Without...)
	}
	for _, name := range ruleNames {
		if !slices.Contains(lacking, name) {
			t.Errorf("no run is without the rule %s", name)
		}
	}
}
