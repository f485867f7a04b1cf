package catalog

// Action is one atomic step of the protocol: one access of shared memory, or an event of the
// client. Its name is the same in spec/tla, in the model, and in the engine, where the function
// that makes the access bears it in lower camel case (AddClaimEmpty: addClaimEmpty).
type Action struct {
	Name   string // <Actor><Step>
	Actor  string // Client, Search, Add, Help: TLA+ module, file stem of model and engine
	LP     bool   // a linearization point, for some outcome
	States string // operation states that it decides, comma separated; may be empty
}

// Actions returns every atomic action in the order of the specification.
// The slice is a copy: a caller may change it.
func Actions() []Action { return append([]Action(nil), actions...) }

// Stutters are accesses of the engine that change no state of the specification and that no
// decision rests on: the model takes no step for them.
//
// SearchTouch loads the second home cell before the first one is compared, so that the two cache
// misses overlap; the value is not used.
func Stutters() []string { return []string{"SearchTouch"} }

var actions = []Action{
	{"ClientCall", "Client", false, ""},
	{"ClientReturn", "Client", false, ""},
	{"ClientCrash", "Client", false, ""},

	{"SearchVersion", "Search", false, ""},
	{"SearchBase", "Search", false, "S05AddEmptyGet"},
	{"SearchHead", "Search", false, ""},
	{"SearchPair", "Search", false, ""},
	{"SearchPlan", "Search", false, ""},
	{"SearchTarget", "Search", false, ""},
	{"SearchHeadAgain", "Search", false, ""},
	{"SearchVersionAgain", "Search", false, ""},
	{"SearchMember", "Search", false, ""},
	{"SearchMemberValue", "Search", false, ""},
	{"SearchMemberAgain", "Search", false, "S06AddCollisionGet"},
	{"SearchBaseAgain", "Search", false, ""},
	{"SearchVersionLast", "Search", false, ""},

	{"AddFillHead", "Add", false, ""},
	{"AddFillPair", "Add", false, ""},
	{"AddFillPlan", "Add", false, ""},
	{"AddFillExpect", "Add", false, ""},
	{"AddFillTarget", "Add", false, ""},
	{"AddClaimEmpty", "Add", false, "S01AddEmpty,S04AddCollisionEmpty"},
	{"AddStashBase", "Add", false, "S02AddCollision"},

	{"HelpHead", "Help", false, ""},
	{"HelpPair", "Help", false, ""},
	{"HelpPlan", "Help", false, ""},
	{"HelpExpect", "Help", false, ""},
	{"HelpHeadAgain", "Help", false, ""},
	{"HelpTarget", "Help", false, ""},
	{"HelpFreeze", "Help", false, ""},
	{"HelpFreezeCheck", "Help", false, ""},
	{"HelpProbe", "Help", false, ""},
	{"HelpAbort", "Help", false, ""},
	{"HelpAbortOther", "Help", false, ""},
	{"HelpCommit", "Help", false, ""},
	{"HelpPropose", "Help", false, ""},
	{"HelpWriteValue", "Help", false, ""},
	{"HelpPublishNew", "Help", true, "S01AddEmpty"},
	{"HelpReserve", "Help", false, ""},
	{"HelpReserveCheck", "Help", false, ""},
	{"HelpStillHeld", "Help", false, ""},
	{"HelpTargetAgain", "Help", false, ""},
	{"HelpWithdraw", "Help", false, ""},
	{"HelpCopyValue", "Help", false, ""},
	{"HelpPublishMember", "Help", false, ""},
	{"HelpFlip", "Help", true, "S02AddCollision"},
	{"HelpUnfreeze", "Help", false, ""},
	{"HelpFinish", "Help", false, ""},
	{"HelpThaw", "Help", false, ""},
	{"HelpRelease", "Help", false, ""},
	{"HelpClearVersion", "Help", false, ""},
	{"HelpReopen", "Help", false, ""},
}
