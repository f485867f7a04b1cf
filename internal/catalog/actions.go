package catalog

// Action is one atomic step of the protocol: one access of shared memory, or an event of the
// client. Its name is the same in spec/tla/hopscotch, in the model, and in the engine, where the function
// that makes the access bears it in lower camel case (AddClaimEmpty: addClaimEmpty).
type Action struct {
	Name   string // <Actor><Step>
	Module string // Search, Update, Add, ...: TLA+ module, file stem; Client is in Hopscotch.tla
	LP     bool   // a linearization point, for some outcome
	States string // operation states that it decides, comma separated; may be empty
}

// Actions returns every atomic action in the order of the specification.
// The slice is a copy: a caller may change it.
func Actions() []Action { return append([]Action(nil), actions...) }

// Stutters are accesses of the engine that change no state of the specification and that no
// decision rests on: the model takes no step for them.
//
// SearchTouch loads a home or a nearest member before the search gets to it, so that cache misses overlap.
// What it reads may tell which half is looked into first; nothing else rests on it. SearchRequest asks for
// the line of a home and reads nothing; it is an access only where it is explored.
func Stutters() []string { return []string{"SearchTouch", "SearchRequest"} }

// NotInEngine returns the names of the actions that specification and model have and the engine
// does not have yet; none at present. An action that the engine gets is taken out of the list in the
// same change.
func NotInEngine() []string { return append([]string(nil), notInEngine...) }

var notInEngine []string

var actions = []Action{
	{"ClientCall", "Client", false, ""},
	{"ClientReturn", "Client", false, ""},
	{"ClientCrash", "Client", false, ""},

	{"SearchVersion", "Search", false, ""},
	{"SearchBase", "Search", false, "S05AddEmptyGet,S15GetMany"},
	{"SearchHead", "Search", false, ""},
	{"SearchPair", "Search", false, ""},
	{"SearchPlan", "Search", false, ""},
	{"SearchExpect", "Search", false, ""},
	{"SearchSource", "Search", false, ""},
	{"SearchTarget", "Search", false, ""},
	{"SearchHeadAgain", "Search", false, "S14UsurpDeleteBase,S16GetDeleteMember,S17GetDeleteBase"},
	{"SearchBaseAgain", "Search", false, ""},
	{"SearchVersionAgain", "Search", false, "S07AddCollisionUpdate,S18GetUpdate"},
	{"SearchMember", "Search", false, "S12UsurpUpdate"},
	{"SearchMemberValue", "Search", false, ""},
	{"SearchMemberAgain", "Search", false, "S06AddCollisionGet"},
	{"SearchVersionLast", "Search", false, "S11UsurpGet"},

	{"UpdateSwap", "Update", true, "S19UpdateSameKey"},
	{"DeleteSwap", "Update", true, "S08AddEmptyDelete,S20DeleteMembers,S23DeleteSameKey"},

	{"AddFillHead", "Add", false, ""},
	{"AddFillPair", "Add", false, ""},
	{"AddFillPlan", "Add", false, ""},
	{"AddFillExpect", "Add", false, ""},
	{"AddFillSource", "Add", false, ""},
	{"AddFillTarget", "Add", false, ""},
	{"AddClaimEmpty", "Add", false, "S01AddEmpty,S04AddCollisionEmpty"},
	{"AddStashBase", "Add", false, "S02AddCollision,S10AddCollisionDeleteBase"},

	{"FrontPeek", "Room", false, ""},
	{"UsurpVersion", "Room", false, ""},
	{"UsurpBase", "Room", false, "S24UsurpDeleteInProgress"},
	{"RoomBeyond", "Room", false, ""},
	{"RoomCell", "Room", false, ""},
	{"RoomPeek", "Room", false, ""},
	{"RoomValue", "Room", false, ""},
	{"EvictMember", "Room", false, ""},
	{"EvictValue", "Room", false, ""},

	{"CropVersion", "Crop", false, ""},
	{"CropBase", "Crop", false, "S09AddCollisionDeleteMember"},
	{"CropMember", "Crop", false, ""},
	{"CropValue", "Crop", false, ""},

	{"HelpHead", "Help", false, ""},
	{"HelpPair", "Help", false, ""},
	{"HelpPlan", "Help", false, ""},
	{"HelpExpect", "Help", false, ""},
	{"HelpSource", "Help", false, ""},
	{"HelpHeadAgain", "Help", false, ""},
	{"HelpTarget", "Help", false, ""},
	{"HelpFreeze", "Help", false, ""},
	{"HelpFreezeCheck", "Help", false, ""},
	{"HelpMark", "Help", false, ""},
	{"HelpMarkCheck", "Help", false, "S13UsurpDelete,S22DeleteBaseMembers"},
	{"HelpFreezeMember", "Help", false, ""},
	{"HelpFreezeMemberCheck", "Help", false, ""},
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
	{"HelpStillFrozen", "Help", false, ""},
	{"HelpTargetAgain", "Help", false, ""},
	{"HelpWithdraw", "Help", false, ""},
	{"HelpCopyValue", "Help", false, ""},
	{"HelpPublishMember", "Help", false, ""},
	{"HelpFlip", "Help", true, "S02AddCollision,S03AddFull"},
	{"HelpUnfreeze", "Help", true, "S03AddFull"},
	{"HelpClearMember", "Help", false, ""},
	{"HelpEmptyMember", "Help", false, ""},
	{"HelpFinish", "Help", false, "S21DeleteBase"},
	{"HelpStillMarked", "Help", false, ""},
	{"HelpThawMember", "Help", false, ""},
	{"HelpUnmark", "Help", false, ""},
	{"HelpThaw", "Help", false, ""},
	{"HelpRelease", "Help", false, ""},
	{"HelpClearVersion", "Help", false, ""},
	{"HelpReopen", "Help", false, ""},
}
