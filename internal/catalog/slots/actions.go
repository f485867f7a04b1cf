package slots

import "github.com/samecycle/samecycle/internal/catalog"

// Actions returns every atomic action of an actor in the order of the specification. The slice is a copy: a
// caller may change it.
func Actions() []catalog.Action { return Engine().Actions }

// missing are the names of the actions for which the engine has no function of its own. SlotPerform
// is the call of what is served.
var missing = []string{"SlotPerform"}

// elsewhere are the names of the actions whose access is not made by the engine's function of that name
// itself: copies of data areas are those of internal/seam, and the system has the locks.
var elsewhere = []string{"SlotWrite", "SlotRead", "SlotCopy", "SlotAnswer", "PeerLock", "PeerLook"}

// stutters are accesses of the engine that change no state of the specification, which has data areas of one
// word.
var stutters = []string{"RequestSize", "AnswerSize"}

var actions = []catalog.Action{
	action("ClientCall", "Client", false, ""),
	action("ClientReturn", "Client", false, ""),

	action("PeerLock", "Peers", false, ""),
	action("PeerLook", "Peers", false, "B02SlotServiceDies,B05SlotReuse"),
	action("SlotScan", "Peers", false, ""),
	action("SlotReclaim", "Peers", false, "B02SlotServiceDies,B03SlotClientDies,B05SlotReuse"),

	action("BellRing", "Doorbell", false, "B04BellSleep"),
	action("BellCheck", "Doorbell", false, "B04BellSleep"),
	action("BellWake", "Doorbell", false, ""),
	action("BellSleep", "Doorbell", false, "B04BellSleep"),
	action("BellLook", "Doorbell", false, ""),
	action("BellWait", "Doorbell", false, "B04BellSleep"),
	action("BellRise", "Doorbell", false, ""),

	action("SlotLook", "Requests", false, ""),
	action("SlotClaim", "Requests", false, "B05SlotReuse"),
	action("SlotWrite", "Requests", false, ""),
	action("SlotPublish", "Requests", false, "B04BellSleep"),
	action("SlotWait", "Requests", false, ""),
	action("SlotRead", "Requests", false, ""),
	action("SlotFree", "Requests", false, ""),
	action("SlotWithdraw", "Requests", true, ""),
	action("SlotAbandon", "Requests", false, "B01SlotAbandoned"),
	action("SlotFail", "Requests", false, "B02SlotServiceDies"),

	action("SlotTake", "Serving", false, ""),
	action("SlotCopy", "Serving", false, ""),
	action("SlotPerform", "Serving", true, ""),
	action("SlotAnswer", "Serving", false, ""),
	action("SlotDone", "Serving", false, "B01SlotAbandoned,B03SlotClientDies"),
	action("SlotDrop", "Serving", false, "B01SlotAbandoned"),
	action("SlotWake", "Serving", false, ""),
}

func action(name, module string, lp bool, states string) catalog.Action {
	return catalog.Action{Name: name, Module: module, LP: lp, States: states}
}
