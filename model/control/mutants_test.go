package control

import (
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
)

func TestMutantsAreRed(t *testing.T) { spec.MutantsAreRed(t) }

// Each property of a complete run, and what must come about, is violated by a mutant or by a run without a
// rule. The types are what the model's own types say.
func TestEachStateAndPropertyHasAMutant(t *testing.T) {
	names, states := []string{ComesAbout}, []string{}
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

func TestOneWordMakesStatesDiffer(t *testing.T) { spec.OneWord(t, "TuneSwapOnce") }

func TestEachRuleHasARun(t *testing.T) { spec.EachRuleHasARun(t, rules) }

// A fault changes what an actor can do next: those of spec/tla/control/mutants.json, by name.
type fault = samestates.Fault[*Machine, State, Move]

// changed is an actor and its step, as a fault sees them.
type changed struct {
	*stepper
	was, is    *Local
	prev, next *State
}

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

// cell is the index of the cell that the step is about.
func (x changed) cell() uint8 { return CellOf(x.call().N, x.was.i) - 1 }

var faults = map[string]fault{
	"LeaseFindFirst": at(LeaseFind, func(x changed) {
		if x.is.PC == LeaseFind && x.was.phase == owning {
			*x.is = x.looks(*x.was, 1)
		} else if x.is.PC == LeaseFind {
			*x.is = x.was.returns(Result{Kind: Left})
		}
	}),
	"LeaseAskAgain": at(LeaseAsk, func(x changed) {
		if x.is.PC != LeaseTake {
			*x.is = x.looks(*x.was, x.was.i)
		}
	}),
	"LeaseRenewStamp": at(LeaseRenew, func(x changed) {
		if x.next.kept != x.prev.kept || x.next.Lease != x.prev.Lease {
			x.next.Lease[x.was.i-1].At = x.was.lease.At
		}
	}),
	"LeaseTakeLost":    loses(LeaseTake),
	"LeaseRenewLost":   loses(LeaseRenew),
	"LeaseRenewUntold": at(LeaseRenew, func(x changed) { *x.is = x.turned(*x.was, NoResult) }),
	"ParamReadSwapped": at(ParamRead, func(x changed) { x.is.res.A, x.is.res.B = x.is.res.B, x.is.res.A }),
	"ParamReadTorn": at(ParamRead, func(x changed) {
		switch {
		case x.call().Op != OpRead:
		case x.was.phase == noPhase:
			a := x.is.res.A
			*x.is = *x.was
			x.is.phase, x.is.x = second, a
		default:
			x.is.res.A = x.was.x
		}
	}),
	"LeaseGiveNever":  at(LeaseGive, func(x changed) { x.next.Lease = x.prev.Lease }),
	"LeaseLookBeyond": samestates.Both(beyond(LeaseFind), beyond(LeaseAsk), beyond(LeaseTake)),
	"TuneSwapOnce": at(TuneSwap, func(x changed) {
		if x.is.PC == TuneLoad && x.next.did == x.prev.did {
			*x.is = x.nextTune(*x.was)
		}
	}),
	"TuneLastFirst": samestates.Both(at(ClientCall, func(x changed) {
		if x.is.PC == TuneLoad {
			x.is.i = uint8(len(x.call().Set))
		}
	}), at(TuneSwap, func(x changed) {
		switch {
		case x.next.did == x.prev.did:
		case x.was.i > 1:
			*x.is = tunes(*x.was, x.was.i-1)
		default:
			*x.is = x.was.returns(Result{Kind: Tuned})
		}
	})),
	"LevelSwapOnce": at(LevelSwap, func(x changed) {
		if x.prev.Level[x.cell()] != x.was.x {
			*x.is = x.nextLevel(*x.was)
		}
	}),
	"LevelLowers": lowers,
	"LevelTwice":  twice,
	"PenaltySwapOnce": at(PenaltySwap, func(x changed) {
		if x.prev.Penalty[x.cell()] != x.was.p {
			*x.is = x.nextPenalty(*x.was)
		}
	}),
	"PenaltyHighest": at(PenaltyLoad, func(x changed) {
		if x.was.phase != seeing {
			return
		}
		l := *x.was
		if p := x.prev.Penalty[x.cell()]; l.i == 1 || l.q.less(p) {
			l.q = p
		}
		*x.is = x.nextPenalty(l)
	}),
	"PenaltyAdds": at(PenaltyLoad, func(x changed) {
		if x.was.phase == seeing && x.is.phase == marking {
			x.is.q.End = x.call().At + wait(x.is.q.N) + x.was.low - Burst
		}
	}),
	"PenaltyUntold": samestates.Both(untold(PenaltyLoad), untold(PenaltySwap)),
	"PenaltyToldAll": at(PenaltyLoad, func(x changed) {
		if q := x.lowest(); x.is.PC == ClientReturn && x.is.res.Kind == OK {
			x.is.res = Result{Suspected, q.End, q.N}
		}
	}),
	"PenaltyNever": at(PenaltyLoad, func(x changed) {
		if x.was.phase == seeing && x.is.phase == marking {
			*x.is = x.was.returns(Result{Kind: OK})
		}
	}),
	"WishTakeLost": at(WishTake, func(x changed) {
		if x.prev.Wish != x.was.wish && x.m.counts(x.was.wish, x.prev.Clock) {
			*x.is = x.wished(*x.was, Heard)
		}
	}),
	"WishLookNever": at(WishLook, func(x changed) {
		if x.is.PC == WishTake && x.prev.Wish.On == 1 {
			*x.is = x.wished(*x.was, Quiet)
		}
	}),
	"WishTakeLeaves": at(WishTake, func(x changed) { x.next.Wish = x.prev.Wish }),
	"WishJustNow": at(WishClock, func(x changed) {
		just := x.m.counts(x.was.wish, x.prev.Clock) && x.was.wish.End == x.prev.Clock+Lasts
		switch {
		case !just:
		case x.was.phase == asking:
			*x.is = x.wished(*x.was, Quiet)
		default:
			l := *x.was
			l.clock = x.prev.Clock
			*x.is = l.at(WishSay)
		}
	}),
	"TakeAbove": at(LevelLoad, func(x changed) {
		if x.was.phase == looking && x.is.phase == denying {
			low := min(x.was.low, levelAt(x.prev.Level[x.cell()], x.call().At))
			if low+min(x.call().Units, Burst) <= levelMost {
				*x.is = rates(*x.was, admitting)
			}
		}
	}),
}

// lowest is the lowest penalty of the rows that the call has seen, with this one.
func (x changed) lowest() Penalty {
	if p := x.prev.Penalty[x.cell()]; x.was.i == 1 || p.less(x.was.q) {
		return p
	}
	return x.was.q
}

// loses is the fault of a janitor that says that it has a lease though its compare-and-swap fails.
func loses(action Action) fault {
	return at(action, func(x changed) {
		if x.prev.Lease[x.was.i-1] != x.was.lease {
			*x.is = x.turned(*x.was, Held)
		}
	})
}

// untold is the fault of a step that tells nobody to wait.
func untold(action Action) fault {
	return at(action, func(x changed) {
		if x.is.PC == ClientReturn {
			x.is.res = Result{Kind: OK}
		}
	})
}

// beyond is the fault of a janitor that looks at all words for a vacant lease, also at those that there may
// not be: where it goes on behind one of its steps.
func beyond(action Action) fault {
	return at(action, func(x changed) {
		next := x.was.i + 1
		if x.was.phase == owning {
			next = 1
		}
		ends := x.is.PC == ClientReturn && x.is.res.Kind == NoResult
		if ends && x.was.phase != leaving && int(next) <= len(x.m.p.Leases) {
			l := *x.was
			l.PC, l.phase, l.i, l.lease, l.clock = LeaseLook, taking, next, Lease{}, 0
			*x.is = l
		}
	})
}

// leveled is the fault of a charge that makes another level of a cell.
func leveled(level func(x, now, cost uint8) uint8, factor uint8) fault {
	return ofCharges(func(x changed) {
		c := x.call()
		wanted := level(x.was.x, c.At, factor*c.Units)
		switch x.was.PC {
		case LevelLoad:
			l := *x.was
			l.x = x.prev.Level[x.cell()]
			if level(l.x, c.At, factor*c.Units) != l.x {
				*x.is = l.at(LevelSwap)
				return
			}
			l.low = min(l.low, levelAt(l.x, c.At))
			*x.is = x.nextLevel(l)
		case LevelSwap:
			if x.prev.Level[x.cell()] != x.was.x {
				return
			}
			l := *x.was
			l.low = min(l.low, levelAt(wanted, c.At))
			*x.is = x.nextLevel(l)
			x.next.Level[x.cell()] = wanted
			x.next.fed[x.cell()] = level(x.prev.fed[x.cell()], c.At, factor*c.Units)
		}
	})
}

// ofCharges is the fault of both steps of a charge.
func ofCharges(change func(x changed)) fault {
	return samestates.Both(at(LevelLoad, change), at(LevelSwap, change))
}

var lowers = leveled(func(x, now, cost uint8) uint8 { return min(max(x, now)+cost, now+levelMost) }, 1)

var twice = leveled(charged, 2)
