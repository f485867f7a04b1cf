package control

import "github.com/samecycle/samecycle/internal/catalog"

// Actions returns every atomic action of an actor in the order of the specification. The slice is a copy: a
// caller may change it.
func Actions() []catalog.Action { return Engine().Actions }

// Also returns the folders that have functions of the engine besides its own: rates are counted there, and
// writers are handed over.
func Also() []string { return []string{"impl/quota", "impl/handover"} }

// missing are the names of the actions for which the engine has no function. TimePass is what the clock of
// the host does.
var missing = []string{"TimePass"}

// elsewhere are the names of the actions whose access is not made by the engine's function of that name
// itself: the system has the clock, and knows who lives.
var elsewhere = []string{"LeaseClock", "LeaseAsk", "WishClock"}

var actions = []catalog.Action{
	action("ClientCall", "Client", false, ""),
	action("ClientReturn", "Client", false, ""),

	action("TimePass", "Control", false, ""),

	action("LeaseFind", "Leases", false, ""),
	action("LeaseLook", "Leases", false, ""),
	action("LeaseClock", "Leases", false, "P03LeaseOwnerLate"),
	action("LeaseAsk", "Leases", false, "P02LeaseOwnerDies"),
	action("LeaseTake", "Leases", true, "P01LeaseTwo,P02LeaseOwnerDies"),
	action("LeaseRenew", "Leases", true, "P03LeaseOwnerLate,P04LeaseRunLowered"),
	action("LeaseGive", "Leases", true, "P04LeaseRunLowered"),

	action("ParamRead", "Params", true, ""),
	action("TuneLoad", "Params", false, ""),
	action("TuneSwap", "Params", true, "P05TunePair"),

	action("LevelLoad", "Rates", false, "P08TakeTwo"),
	action("LevelSwap", "Rates", true, "P06ChargeTwo"),
	action("PenaltyLoad", "Rates", false, ""),
	action("PenaltySwap", "Rates", true, "P07MarkTwo"),

	action("WishSee", "Handovers", false, ""),
	action("WishClock", "Handovers", false, "P09HandoverTwo"),
	action("WishSay", "Handovers", true, ""),
	action("WishLook", "Handovers", false, ""),
	action("WishTake", "Handovers", true, "P09HandoverTwo"),
}

func action(name, module string, lp bool, states string) catalog.Action {
	return catalog.Action{Name: name, Module: module, LP: lp, States: states}
}
