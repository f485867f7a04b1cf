package catalog

// PartAction is an atomic step of a part of the protocol that has a specification and a model of its own:
// spec/tla/hopscotch/Owner.tla and model/hopscotch/owner, who owns a descriptor, and what becomes of those of the dead;
// spec/tla/hopscotch/Bell.tla and model/hopscotch/bell, how services are woken.
type PartAction struct {
	Name      string   // operator, and program counter
	Folder    string   // where the functions are; empty of an event that nobody makes
	Functions []string // of that folder: one makes the access, others stand for the same step
	Access    bool     // the function of its name makes the one access
}

// OwnerActions returns those of Owner.tla in the order of the specification. The slice is a copy.
func OwnerActions() []PartAction { return append([]PartAction(nil), ownerActions...) }

// BellActions returns those of Bell.tla in the order of the specification. The slice is a copy.
func BellActions() []PartAction { return append([]PartAction(nil), bellActions...) }

const (
	inTable   = "impl/hopscotch"
	inRegion  = "impl/region"
	inService = "service"
)

// owned is a step whose access is made by the function of its name.
func owned(name, function string) PartAction {
	return PartAction{name, inTable, []string{function}, true}
}

var ownerActions = []PartAction{
	{"ProcessLock", inRegion, []string{"lock"}, false},
	{"ProcessPublish", inRegion, []string{"enter"}, false},
	{"ProcessWithdraw", inRegion, []string{"detach"}, false},
	{"ProcessUnlock", inRegion, []string{"closeFile", "unlock"}, false},
	{"ProcessState", inRegion, []string{"Alive"}, false},
	{"ProcessLocked", inRegion, []string{"locked"}, false},
	{"ProcessClearLock", inRegion, []string{"Clear"}, false},
	{"ProcessClearRead", inRegion, []string{"Clear"}, false},
	{"ProcessClearState", inRegion, []string{"Clear"}, false},
	{"ProcessClearUnlock", inRegion, []string{"Clear"}, false},

	owned("OwnerTake", "ownerTake"),
	owned("OwnerRead", "ownerRead"),
	owned("OwnerTakeOver", "ownerTakeOver"),
	owned("OwnerHead", "ownerHead"),
	owned("OwnerHome", "ownerHome"),
	owned("OwnerTarget", "ownerTarget"),
	owned("OwnerRetire", "ownerRetire"),
	owned("OwnerFree", "ownerFree"),
	owned("OwnerBack", "ownerBack"),
	{"OwnerGiveUp", inTable, []string{"takeOver"}, false}, // ErrBusy, ErrCorrupt

	// The life of an operation, which the other modules take apart.
	{"TableFill", inTable, []string{"addFillHead"}, false},
	{"TableTarget", inTable, []string{"addFillTarget"}, false},
	{"TableInstall", inTable, []string{"addClaimEmpty", "addStashBase"}, false},
	{"TableHelp", inTable, []string{"helpCommit", "helpAbort", "helpFinish", "helpRelease",
		"helpPublishNew", "helpReopen"}, false},
	{"TableMeet", inTable, []string{"help", "helpAbortOther"}, false},
	{"TableTakeBack", inTable, []string{"helpPropose"}, false},
	{"TableOver", inTable, []string{"drive", "settle"}, false},

	{"CallReclaim", inTable, []string{"Reclaim"}, false},
	{"CallClose", inTable, []string{"Close"}, false},
	{"CallClear", inRegion, []string{"Clear"}, false},
	{"CallReturn", inTable, []string{"NewHandle", "Reclaim", "Left"}, false},
	{"CallCrash", "", nil, false},
}

var bellActions = []PartAction{
	{"BellListen", inRegion, []string{"Listen"}, false},
	{"BellSay", inRegion, []string{"Listen"}, false},
	{"BellAwake", inRegion, []string{"SleepUntilRung"}, false},
	{"BellLook", inRegion, []string{"SleepUntilRung", "Await"}, false},
	{"BellSleep", inRegion, []string{"futexSleep"}, false},
	{"BellTimeOut", "", nil, false},
	{"ServiceStopped", inService, []string{"run"}, false},
	{"ServiceCrop", inService, []string{"work"}, false},

	{"WorkMake", inTable, []string{"deletePrepared", "ring"}, false},
	{"WorkAfter", "", nil, false}, // only in a run that must fail
	{"BellRead", inRegion, []string{"Ring"}, false},
	{"BellRing", inRegion, []string{"Ring"}, false},
	{"BellWake", inRegion, []string{"wakeSleepers", "Wake", "futexWake"}, false},
	{"BellQuiet", inRegion, []string{"Ring"}, false},

	{"CallCrash", "", nil, false},
}
