package hopscotch

import "github.com/samecycle/samecycle/internal/catalog"

// Actions returns every atomic action in the order of the specification.
// The slice is a copy: a caller may change it.
func Actions() []catalog.Action { return Engine().Actions }

// Stutters are accesses of the engine that change no state of the specification and that no
// decision rests on: the model takes no step for them.
//
// SearchTouch loads a home or a nearest member before the search gets to it, so that cache misses overlap.
// What it reads may tell which half is looked into first; nothing else rests on it. SearchRequest asks for
// the line of a home and reads nothing; it is an access only where it is explored.
func Stutters() []string { return Engine().Stutters }

var stutters = []string{"SearchTouch", "SearchRequest"}

var actions = []catalog.Action{
	action("ClientCall", "Client", false, ""),
	action("ClientReturn", "Client", false, ""),
	action("ClientCrash", "Client", false, ""),

	action("SearchVersion", "Search", false, ""),
	action("SearchBase", "Search", false, "S05AddEmptyGet,S15GetMany"),
	action("SearchHead", "Search", false, ""),
	action("SearchPair", "Search", false, ""),
	action("SearchPlan", "Search", false, ""),
	action("SearchExpect", "Search", false, ""),
	action("SearchSource", "Search", false, ""),
	action("SearchTarget", "Search", false, ""),
	action("SearchHeadAgain", "Search", false, "S14UsurpDeleteBase,S16GetDeleteMember,S17GetDeleteBase"),
	action("SearchBaseAgain", "Search", false, ""),
	action("SearchVersionAgain", "Search", false, "S07AddCollisionUpdate,S18GetUpdate"),
	action("SearchMember", "Search", false, "S12UsurpUpdate"),
	action("SearchMemberValue", "Search", false, ""),
	action("SearchMemberAgain", "Search", false, "S06AddCollisionGet"),
	action("SearchVersionLast", "Search", false, "S11UsurpGet"),

	action("UpdateSwap", "Update", true, "S19UpdateSameKey"),
	action("DeleteSwap", "Update", true, "S08AddEmptyDelete,S20DeleteMembers,S23DeleteSameKey"),

	action("TicketLook", "Ticket", false, ""),
	action("TicketValue", "Ticket", false, "S26StillReuse"),
	action("TicketSwap", "Ticket", true, "S25SwapDelete"),

	action("AddFillHead", "Add", false, ""),
	action("AddFillPair", "Add", false, ""),
	action("AddFillPlan", "Add", false, ""),
	action("AddFillExpect", "Add", false, ""),
	action("AddFillSource", "Add", false, ""),
	action("AddFillTarget", "Add", false, ""),
	action("AddClaimEmpty", "Add", false, "S01AddEmpty,S04AddCollisionEmpty"),
	action("AddStashBase", "Add", false, "S02AddCollision,S10AddCollisionDeleteBase"),

	action("FrontPeek", "Room", false, ""),
	action("UsurpVersion", "Room", false, ""),
	action("UsurpBase", "Room", false, "S24UsurpDeleteInProgress"),
	action("RoomBeyond", "Room", false, ""),
	action("RoomCell", "Room", false, ""),
	action("RoomPeek", "Room", false, ""),
	action("RoomBase", "Room", false, ""),
	action("RoomMember", "Room", false, ""),
	action("RoomSpare", "Room", false, ""),
	action("RoomValue", "Room", false, ""),
	action("EvictMember", "Room", false, ""),
	action("EvictValue", "Room", false, ""),

	action("CropVersion", "Crop", false, ""),
	action("CropBase", "Crop", false, "S09AddCollisionDeleteMember"),
	action("CropMember", "Crop", false, ""),
	action("CropValue", "Crop", false, ""),

	action("DiscardLook", "Discard", false, ""),
	action("DiscardValue", "Discard", false, ""),
	action("DiscardMember", "Discard", false, ""),
	action("DiscardMemberValue", "Discard", false, ""),
	action("DiscardVersion", "Discard", false, ""),
	action("DiscardBase", "Discard", false, ""),

	action("HelpHead", "Help", false, ""),
	action("HelpPair", "Help", false, ""),
	action("HelpPlan", "Help", false, ""),
	action("HelpExpect", "Help", false, ""),
	action("HelpSource", "Help", false, ""),
	action("HelpHeadAgain", "Help", false, ""),
	action("HelpTarget", "Help", false, ""),
	action("HelpFreeze", "Help", false, ""),
	action("HelpFreezeCheck", "Help", false, "S27CompareDelete"),
	action("HelpMark", "Help", false, ""),
	action("HelpMarkCheck", "Help", false, "S13UsurpDelete,S22DeleteBaseMembers,S27CompareDelete"),
	action("HelpFreezeMember", "Help", false, ""),
	action("HelpFreezeMemberCheck", "Help", false, "S27CompareDelete"),
	action("HelpProbe", "Help", false, ""),
	action("HelpAbort", "Help", false, ""),
	action("HelpAbortOther", "Help", false, ""),
	action("HelpCommit", "Help", false, ""),
	action("HelpPropose", "Help", false, ""),
	action("HelpWriteValue", "Help", false, ""),
	action("HelpPublishNew", "Help", true, "S01AddEmpty"),
	action("HelpReserve", "Help", false, ""),
	action("HelpReserveCheck", "Help", false, ""),
	action("HelpStillHeld", "Help", false, ""),
	action("HelpStillFrozen", "Help", false, ""),
	action("HelpTargetAgain", "Help", false, ""),
	action("HelpWithdraw", "Help", false, ""),
	action("HelpCopyValue", "Help", false, ""),
	action("HelpPublishMember", "Help", false, ""),
	action("HelpFlip", "Help", true, "S02AddCollision,S03AddFull"),
	action("HelpUnfreeze", "Help", true, "S03AddFull"),
	action("HelpClearMember", "Help", false, ""),
	action("HelpEmptyMember", "Help", false, ""),
	action("HelpFinish", "Help", false, "S21DeleteBase"),
	action("HelpStillMarked", "Help", false, ""),
	action("HelpThawMember", "Help", false, ""),
	action("HelpUnmark", "Help", false, ""),
	action("HelpThaw", "Help", false, ""),
	action("HelpRelease", "Help", false, ""),
	action("HelpClearVersion", "Help", false, ""),
	action("HelpReopen", "Help", false, ""),
}

// action is one row of the register.
func action(name, module string, lp bool, states string) catalog.Action {
	return catalog.Action{Name: name, Module: module, LP: lp, States: states}
}
