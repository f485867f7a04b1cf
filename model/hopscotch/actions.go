package model

// ActionID is an atomic action. An actor's program counter is the action that it takes next.
type ActionID uint8

// The actions, in the order of the specification. ClientCrash is no program counter.
const (
	ClientCall ActionID = iota
	ClientReturn
	ClientCrash
	SearchVersion
	SearchBase
	SearchHead
	SearchPair
	SearchPlan
	SearchExpect
	SearchSource
	SearchTarget
	SearchHeadAgain
	SearchBaseAgain
	SearchVersionAgain
	SearchMember
	SearchMemberValue
	SearchMemberAgain
	SearchVersionLast
	UpdateSwap
	DeleteSwap
	TicketLook
	TicketValue
	TicketSwap
	AddFillHead
	AddFillPair
	AddFillPlan
	AddFillExpect
	AddFillSource
	AddFillTarget
	AddClaimEmpty
	AddStashBase
	FrontPeek
	UsurpVersion
	UsurpBase
	RoomBeyond
	RoomCell
	RoomPeek
	RoomBase
	RoomMember
	RoomSpare
	RoomValue
	EvictMember
	EvictValue
	CropVersion
	CropBase
	CropMember
	CropValue
	DiscardLook
	DiscardValue
	DiscardMember
	DiscardMemberValue
	DiscardVersion
	DiscardBase
	HelpHead
	HelpPair
	HelpPlan
	HelpExpect
	HelpSource
	HelpHeadAgain
	HelpTarget
	HelpFreeze
	HelpFreezeCheck
	HelpMark
	HelpMarkCheck
	HelpFreezeMember
	HelpFreezeMemberCheck
	HelpProbe
	HelpAbort
	HelpAbortOther
	HelpCommit
	HelpPropose
	HelpWriteValue
	HelpPublishNew
	HelpReserve
	HelpReserveCheck
	HelpStillHeld
	HelpStillFrozen
	HelpTargetAgain
	HelpWithdraw
	HelpCopyValue
	HelpPublishMember
	HelpFlip
	HelpUnfreeze
	HelpClearMember
	HelpEmptyMember
	HelpFinish
	HelpStillMarked
	HelpThawMember
	HelpUnmark
	HelpThaw
	HelpRelease
	HelpClearVersion
	HelpReopen
	actionCount

	pcDead = actionCount // the program counter of a dead actor; no action
)

var actionNames = [actionCount]string{
	"ClientCall", "ClientReturn", "ClientCrash",
	"SearchVersion", "SearchBase", "SearchHead", "SearchPair", "SearchPlan", "SearchExpect",
	"SearchSource", "SearchTarget", "SearchHeadAgain", "SearchBaseAgain", "SearchVersionAgain",
	"SearchMember", "SearchMemberValue", "SearchMemberAgain", "SearchVersionLast",
	"UpdateSwap", "DeleteSwap",
	"TicketLook", "TicketValue", "TicketSwap",
	"AddFillHead", "AddFillPair", "AddFillPlan", "AddFillExpect", "AddFillSource",
	"AddFillTarget", "AddClaimEmpty", "AddStashBase",
	"FrontPeek", "UsurpVersion", "UsurpBase", "RoomBeyond", "RoomCell", "RoomPeek", "RoomBase",
	"RoomMember", "RoomSpare", "RoomValue",
	"EvictMember", "EvictValue",
	"CropVersion", "CropBase", "CropMember", "CropValue",
	"DiscardLook", "DiscardValue", "DiscardMember", "DiscardMemberValue", "DiscardVersion", "DiscardBase",
	"HelpHead", "HelpPair", "HelpPlan", "HelpExpect", "HelpSource", "HelpHeadAgain", "HelpTarget",
	"HelpFreeze", "HelpFreezeCheck", "HelpMark", "HelpMarkCheck", "HelpFreezeMember",
	"HelpFreezeMemberCheck", "HelpProbe", "HelpAbort", "HelpAbortOther", "HelpCommit",
	"HelpPropose", "HelpWriteValue", "HelpPublishNew", "HelpReserve", "HelpReserveCheck",
	"HelpStillHeld", "HelpStillFrozen", "HelpTargetAgain", "HelpWithdraw", "HelpCopyValue",
	"HelpPublishMember", "HelpFlip", "HelpUnfreeze", "HelpClearMember", "HelpEmptyMember",
	"HelpFinish", "HelpStillMarked", "HelpThawMember", "HelpUnmark", "HelpThaw", "HelpRelease",
	"HelpClearVersion", "HelpReopen",
}

// String returns the action's name in the catalog.
func (a ActionID) String() string {
	if a == pcDead {
		return "Dead"
	}
	return actionNames[a]
}

// ActionByName returns the action of that name.
func ActionByName(name string) (ActionID, bool) {
	for i, n := range actionNames {
		if n == name {
			return ActionID(i), true
		}
	}
	return 0, false
}
