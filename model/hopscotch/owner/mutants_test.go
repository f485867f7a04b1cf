package owner

import (
	"testing"

	"github.com/samecycle/samecycle/model/search"
)

func TestMutantsAreRed(t *testing.T) { spec.MutantsAreRed(t) }

// Q1 and Q2 fail where J1 or J2 fails at the same step, or before: alone they are red, too.
func TestPropertiesAreRedAlone(t *testing.T) {
	for property, x := range map[string]struct{ fault, run string }{
		"Q1FromTheDead": {"OwnerLockUnasked", "Owner_Race"},
		"Q2DeadForGood": {"OwnerNoIncarnation", "Owner_Again"},
	} {
		p, ok := PropertyByName(property)
		if !ok {
			t.Fatalf("no property %s", property)
		}
		m := spec.Machine(t, spec.Named(t, x.run))
		for _, hook := range []fault{nil, faults[x.fault]} {
			m.hook = hook
			rep := search.Explore(t.Context(), m,
				search.Options[*Machine, State, Action]{Properties: []Property{p}})
			if (rep.Violation != nil) != (hook != nil) {
				t.Errorf("%s, with the fault %s %t: %v", property, x.fault, hook != nil, rep.Violation)
			}
		}
	}
}

// A fault changes what a step leads to: those of spec/tla/hopscotch/mutants.json, by name.
type fault = func(m *Machine, x *Step, prev *State)

// at is the fault of one action, told by the local states before and after.
func at(action Action, change func(was *Local, is *Local, prev, next *State)) fault {
	return func(_ *Machine, x *Step, prev *State) {
		if x.Action == action {
			change(&prev.Loc[x.Actor-1], &x.Next.Loc[x.Actor-1], prev, &x.Next)
		}
	}
}

func both(list ...fault) fault {
	return func(m *Machine, x *Step, prev *State) {
		for _, f := range list {
			f(m, x, prev)
		}
	}
}

// turn sends an actor to another step than the one that follows an action.
func turn(action, from, to Action) fault {
	return at(action, func(_, is *Local, _, _ *State) {
		if is.PC == from {
			is.PC = to
		}
	})
}

// helped is a fault of the steps of helpers, told by what they do to the operation of a descriptor.
func helped(change func(prev, next *State, d int)) fault {
	return func(m *Machine, x *Step, prev *State) {
		if x.Action != TableHelp && x.Action != TableMeet {
			return
		}
		for d := range int(m.descriptors) {
			change(prev, &x.Next, d)
		}
	}
}

// onward lets the actor of a step go on with the next descriptor.
func onward(m *Machine, l *Local) { *l = (&stepper{m: m}).further(*l, l.I) }

var noIncarnation = at(ProcessPublish, func(was, is *Local, prev, next *State) {
	e := was.I - 1
	is.W.Ep = prev.Entries[e].Ep
	next.Entries[e].Ep = is.W.Ep
})

func lockUnasked(m *Machine, x *Step, prev *State) {
	if x.Action != ProcessLocked {
		return
	}
	was, is := prev.Loc[x.Actor-1], &x.Next.Loc[x.Actor-1]
	if *is = was.at(OwnerTakeOver); prev.Lock[was.Seen.E-1] == 0 {
		*is = was
		onward(m, is)
	}
}

// clearsOwn takes its own entry for one that it may make idle.
func clearsOwn(_ *Machine, x *Step, prev *State) {
	if was := prev.Loc[x.Actor-1]; x.Action == CallClear {
		x.Next.Loc[x.Actor-1].Seen = Word{E: was.W.E, Ep: prev.Entries[was.W.E-1].Ep}
	}
}

var faults = map[string]fault{
	"ProcessClearOwn": clearsOwn,
	"ProcessClearHeld": func(_ *Machine, x *Step, prev *State) {
		if was := prev.Loc[x.Actor-1]; x.Action == ProcessClearLock {
			x.Next.Loc[x.Actor-1] = was.at(ProcessClearRead)
			x.Next.Lock[was.Seen.E-1] = uint8(x.Actor)
		}
	},
	"OwnerNoIncarnation": noIncarnation, "OwnerComesBack": noIncarnation,
	"OwnerTakeOverStores": at(OwnerTakeOver, func(was, is *Local, _, next *State) {
		next.Owner[was.I-1] = was.W
		*is = was.at(OwnerHead)
	}),
	"OwnerTakeStores": at(OwnerTake, func(was, is *Local, prev, next *State) {
		const loaded = ForAttach // a reason that nobody has here
		switch {
		case was.Why == loaded:
			*is = was.at(OwnerHead)
			is.D, is.Why = was.I, ForTake
			next.Owner[was.I-1] = was.W
		case prev.Owner[was.I-1] == Word{}:
			*next = *prev
			is.Why = loaded
		}
	}),
	"OwnerCloseUnretired": turn(CallClose, OwnerRetire, OwnerFree),
	"OwnerHeadStays": at(OwnerRetire, func(was, _ *Local, prev, next *State) {
		if was.Why != ForClose {
			next.Head = prev.Head
		}
	}),
	"OwnerUnfinished": turn(OwnerHome, TableHelp, OwnerTarget),
	"OwnerLivingAfterwards": func(m *Machine, x *Step, prev *State) {
		switch is := &x.Next.Loc[x.Actor-1]; x.Action {
		case OwnerRead:
			turn(OwnerRead, ProcessState, OwnerTakeOver)(m, x, prev)
		case OwnerTakeOver:
			turn(OwnerTakeOver, OwnerHead, ProcessState)(m, x, prev)
		case ProcessState:
			turn(ProcessState, OwnerTakeOver, OwnerHead)(m, x, prev)
		case ProcessLocked:
			was := prev.Loc[x.Actor-1]
			if *is = was.at(OwnerHead); prev.Lock[was.Seen.E-1] != 0 {
				is.PC = OwnerBack
			}
		}
	},
	"OwnerLockUnasked": lockUnasked, "OwnerTakenFromTheLiving": lockUnasked,
	"OwnerHeadAnew": at(OwnerRetire, func(was, _ *Local, _, next *State) { next.Head[was.I-1].Gen = 0 }),
	"OwnerEpochUnasked": at(ProcessState, func(was, is *Local, prev, _ *State) {
		if is.PC = OwnerTakeOver; prev.Entries[was.Seen.E-1].At {
			is.PC = ProcessLocked
		}
	}),
	"ProcessLockUntaken": at(ProcessLock, func(_, _ *Local, prev, next *State) { next.Lock = prev.Lock }),
	"OwnerFreeFirst": both(turn(CallClose, OwnerRetire, OwnerFree),
		at(OwnerFree, func(was, is *Local, _, _ *State) {
			if was.Why == ForClose {
				*is = was.at(OwnerRetire)
			}
		}),
		at(OwnerRetire, func(was, is *Local, _, _ *State) {
			if was.Why == ForClose {
				is.D, is.PC = 0, ProcessWithdraw
			}
		})),
	"OwnerAlwaysCertain": at(OwnerRetire, func(was, _ *Local, prev, next *State) {
		next.Certain, next.Doubtful = prev.Certain|was.Win, prev.Doubtful
	}),
	"OwnerNotBack": at(OwnerBack, func(_, _ *Local, prev, next *State) { next.Owner = prev.Owner }),
	"OwnerHomeUnasked": at(OwnerHome, func(_, is *Local, _, _ *State) {
		is.Fin, is.PC = true, TableHelp
	}),
	"OwnerTargetUnasked": at(OwnerTarget, func(was, is *Local, prev, _ *State) {
		if t := prev.Target[was.I-1]; t.St == Committed {
			is.Win = prev.Left & value(was.I, t.Gen)
		}
	}),
	"OwnerGenerationEarly": at(OwnerTake, func(_, is *Local, _, _ *State) {
		if is.PC == OwnerHead {
			*is = rest(*is)
		}
	}),
	"OwnerValueForgotten": at(OwnerRetire, func(was, is *Local, _, _ *State) { is.Pocket = was.Pocket }),
	"OwnerUnretired": at(OwnerTarget, func(was, is *Local, _, _ *State) {
		is.Win, is.PC = was.Win, OwnerFree
	}),
	"OwnerLostAnyway": at(CallCrash, func(was, _ *Local, _, next *State) { next.Lost |= was.Pocket }),
	"OwnerTakenBack": helped(func(prev, next *State, d int) {
		if t := prev.Target[d]; t.St == Committed && prev.Cell[d] != 0 && next.Cell[d] == 0 {
			next.Cell[d], next.Target[d].St = prev.Cell[d], Full
		}
	}),
	"OwnerFullLeaves": helped(func(prev, next *State, d int) {
		if prev.Head[d].Kind == Leaves && prev.Target[d].St == Undecided && next.Target[d].St == Aborted {
			next.Target[d].St = Full
		}
	}),
	"OwnerDecidedAnew": helped(func(prev, next *State, d int) {
		if t := prev.Target[d]; t.St == Aborted && prev.Cell[d] != 0 && next.Cell[d] == 0 {
			next.Cell[d], next.Target[d].St = prev.Cell[d], Committed
		}
	}),
	"OwnerKeptAfterwards": func(m *Machine, x *Step, _ *State) {
		is := &x.Next.Loc[x.Actor-1]
		if (x.Action == OwnerHead || x.Action == OwnerRetire) && is.Why == ForReclaim && is.PC == OwnerFree {
			onward(m, is)
		}
	},
}
