package bell

import "testing"

func TestMutantsAreRed(t *testing.T) { spec.MutantsAreRed(t) }

// A fault changes what a step leads to: those of spec/tla/hopscotch/mutants.json, by name.
type fault = func(m *Machine, x *Step, prev *State)

// at is the fault of one action, told by the local states before and after.
func at(action Action, change func(was, is *Local, prev, next *State)) fault {
	return func(_ *Machine, x *Step, prev *State) {
		if x.Action == action {
			change(&prev.Loc[x.Actor-1], &x.Next.Loc[x.Actor-1], prev, &x.Next)
		}
	}
}

// ringing is a fault of the ring that is counted.
func ringing(change func(is *Local, next *State)) fault {
	return at(BellRing, func(_, is *Local, prev, next *State) {
		if prev.Bell != next.Bell {
			change(is, next)
		}
	})
}

var faults = map[string]fault{
	"BellSayLate": func(_ *Machine, x *Step, prev *State) {
		was, is := prev.Loc[x.Actor-1], &x.Next.Loc[x.Actor-1]
		switch {
		case x.Action == BellListen && is.PC == BellSay:
			is.Word = prev.Bell
		case x.Action == BellSay:
			if is.Word.N = was.Word.N; prev.Bell != was.Word {
				x.Next.Bell = prev.Bell
			}
		}
	},
	"BellOwedAnyway": at(ServiceCrop, func(_, _ *Local, prev, next *State) { next.Owed = prev.Owed }),
	"BellForgets": ringing(func(is *Local, next *State) {
		is.Word.Waking, next.Bell.Waking = false, false
	}),
	"BellQuietAnyway": at(BellQuiet, func(_, _ *Local, _, next *State) { next.Bell.Waking = false }),
	"BellRingsOn": ringing(func(is *Local, next *State) {
		is.Word.Asleep, next.Bell.Asleep = true, true
	}),
	"BellRungByTheBound": func(m *Machine, x *Step, prev *State) {
		if was := prev.Loc[x.Actor-1]; x.Action == BellLook && was.Over {
			x.Next.Loc[x.Actor-1] = (&stepper{m: m, a: uint8(x.Actor)}).listen(was)
		}
	},
	"BellQuietFirst": ringing(func(is *Local, _ *State) { is.PC = BellQuiet }),
	"BellBitOfWork": at(BellLook, func(_, is *Local, _, _ *State) {
		if is.PC == BellListen {
			is.Rest = 0
		}
	}),
	"BellHeirUnasked": func(m *Machine, x *Step, prev *State) {
		if x.Action == BellRead && !prev.Bell.Asleep {
			y := &stepper{m: m, a: uint8(x.Actor), s: prev}
			next := y.take(BellRead, y.rung(prev.Loc[x.Actor-1]))
			next.Owed |= prev.Work
			x.Next = *next
		}
	},
	"BellBoundIdle": at(BellLook, func(was, is *Local, _, _ *State) {
		if was.Over && is.PC != BellListen {
			is.PC = BellSleep
		}
	}),
}
