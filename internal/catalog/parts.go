package catalog

// OwnerAction is an atomic step of spec/tla/Owner.tla: who owns a descriptor, and what becomes of
// those of the dead. Its model is model/owner.
type OwnerAction struct {
	Name      string   // operator, and program counter
	Folder    string   // where the functions are; empty of an event that nobody makes
	Functions []string // of the engine: one makes the access, others stand for the same step
	Access    bool     // the function of its name makes the one access
}

// OwnerActions returns them in the order of the specification. The slice is a copy.
func OwnerActions() []OwnerAction { return append([]OwnerAction(nil), ownerActions...) }

const (
	inTable  = "impl/hopscotch"
	inRegion = "impl/region"
)

// owned is a step whose access is made by the function of its name.
func owned(name, function string) OwnerAction {
	return OwnerAction{name, inTable, []string{function}, true}
}

var ownerActions = []OwnerAction{
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
