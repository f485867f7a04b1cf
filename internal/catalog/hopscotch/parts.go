package hopscotch

import "github.com/samecycle/samecycle/internal/catalog"

// Three parts of the protocol have a specification of their own, and two of them a model, too.
// spec/tla/hopscotch/Owner.tla and model/hopscotch/owner are about the owners of descriptors, and what
// becomes of the descriptors of the dead. spec/tla/hopscotch/Bell.tla and model/hopscotch/bell are about how
// services are woken. spec/tla/hopscotch/Handed.tla is about who looks for what has left the table and is in
// somebody's hands.

// OwnerActions returns those of Owner.tla in the order of the specification. The slice is a copy.
func OwnerActions() []catalog.PartAction { return append([]catalog.PartAction(nil), ownerActions...) }

// BellActions returns those of Bell.tla in the order of the specification. The slice is a copy.
func BellActions() []catalog.PartAction { return append([]catalog.PartAction(nil), bellActions...) }

// HandedActions returns those of Handed.tla in the order of the specification. The slice is a copy.
func HandedActions() []catalog.PartAction {
	return append([]catalog.PartAction(nil), handedActions...)
}

const (
	inTable   = "impl/hopscotch"
	inRegion  = "impl/region"
	inService = "service"
)

// owned is a step whose access is made by the function of its name.
func owned(name, function string) catalog.PartAction {
	return part(name, inTable, []string{function}, true)
}

var ownerActions = []catalog.PartAction{
	part("ProcessLock", inRegion, []string{"lock"}, false),
	part("ProcessPublish", inRegion, []string{"enter"}, false),
	part("ProcessWithdraw", inRegion, []string{"detach"}, false),
	part("ProcessUnlock", inRegion, []string{"closeFile", "unlock"}, false),
	part("ProcessState", inRegion, []string{"Alive"}, false),
	part("ProcessLocked", inRegion, []string{"locked"}, false),
	part("ProcessClearLock", inRegion, []string{"Clear"}, false),
	part("ProcessClearRead", inRegion, []string{"Clear"}, false),
	part("ProcessClearState", inRegion, []string{"Clear"}, false),
	part("ProcessClearUnlock", inRegion, []string{"Clear"}, false),

	owned("OwnerTake", "ownerTake"),
	owned("OwnerRead", "ownerRead"),
	owned("OwnerTakeOver", "ownerTakeOver"),
	owned("OwnerHead", "ownerHead"),
	owned("OwnerHome", "ownerHome"),
	owned("OwnerTarget", "ownerTarget"),
	owned("OwnerRetire", "ownerRetire"),
	owned("OwnerFree", "ownerFree"),
	owned("OwnerBack", "ownerBack"),
	part("OwnerGiveUp", inTable, []string{"takeOver"}, false), // ErrBusy, ErrCorrupt

	// The life of an operation, which the other modules take apart.
	part("TableFill", inTable, []string{"addFillHead"}, false),
	part("TableTarget", inTable, []string{"addFillTarget"}, false),
	part("TableInstall", inTable, []string{"addClaimEmpty", "addStashBase"}, false),
	part("TableHelp", inTable, []string{"helpCommit", "helpAbort", "helpFinish", "helpRelease",
		"helpPublishNew", "helpReopen"}, false),
	part("TableMeet", inTable, []string{"help", "helpAbortOther"}, false),
	part("TableTakeBack", inTable, []string{"helpPropose"}, false),
	part("TableOver", inTable, []string{"drive", "settle"}, false),

	part("CallReclaim", inTable, []string{"Reclaim"}, false),
	part("CallClose", inTable, []string{"Close"}, false),
	part("CallClear", inRegion, []string{"Clear"}, false),
	part("CallReturn", inTable, []string{"NewHandle", "Reclaim", "Left"}, false),
	part("CallCrash", "", nil, false),
}

var bellActions = []catalog.PartAction{
	part("BellListen", inRegion, []string{"Listen"}, false),
	part("BellSay", inRegion, []string{"Listen"}, false),
	part("BellAwake", inRegion, []string{"SleepUntilRung"}, false),
	part("BellLook", inRegion, []string{"SleepUntilRung", "Await"}, false),
	part("BellSleep", inRegion, []string{"futexSleep"}, false),
	part("BellTimeOut", "", nil, false),
	part("ServiceStopped", inService, []string{"run"}, false),
	part("ServiceCrop", inService, []string{"work"}, false),

	part("WorkMake", inTable, []string{"deletePrepared", "ring"}, false),
	part("WorkAfter", "", nil, false), // only in a run that must fail
	part("BellRead", inRegion, []string{"Ring"}, false),
	part("BellRing", inRegion, []string{"Ring"}, false),
	part("BellWake", inRegion, []string{"wakeSleepers", "Wake", "futexWake"}, false),
	part("BellQuiet", inRegion, []string{"Ring"}, false),

	part("CallCrash", "", nil, false),
}

var handedActions = []catalog.PartAction{
	part("HandedFill", inTable, []string{"addFillHead"}, false),
	part("HandedValue", inTable, []string{"addFillPair", "addFillExpect"}, false),
	part("HandedUndecided", inTable, []string{"addFillTarget"}, false),
	part("HandedDecide", inTable, []string{"helpCommit", "helpAbort"}, false),
	part("CallDeal", inTable, []string{"give"}, false),
	owned("OwnerForget", "ownerForget"),
	part("CallLook", inTable, []string{"Handed"}, false),
	owned("HandedHead", "handedHead"),
	owned("HandedTarget", "handedTarget"),
	part("HandedWord", inTable, []string{"helpPair", "helpExpect"}, false),
	part("HandedHeadAgain", inTable, []string{"helpHeadAgain"}, false),
	part("CallLooked", inTable, []string{"Handed"}, false),
}

func part(name, folder string, functions []string, access bool) catalog.PartAction {
	return catalog.PartAction{Name: name, Folder: folder, Functions: functions, Access: access}
}
