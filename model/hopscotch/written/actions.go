package written

// PC is a program counter: the action that the actor takes next. Two of them are rest: Idle, where
// a client calls and a service takes its next work, and Return, where a client returns.
type PC uint8

// The program counters, in the order of the modules.
const (
	Idle PC = iota
	Return

	ChooseLoad
	ChooseReal

	AddLoad
	AddPop
	AddFill
	AddStash
	AddPush
	AddFollow
	AddReal
	AddMaster
	AddStoreKey
	AddStoreValue
	AddSetReal
	AddQueueBase
	AddOldValue
	AddStashPair
	AddReplaceKey
	AddReplaceValue
	AddQueueOld
	AddQueueNew

	SearchLoad
	SearchJoin
	SearchPop
	SearchFill
	SearchStash
	SearchPush
	SearchWait
	SearchReal
	SearchBase
	SearchHold
	SearchRelease
	SearchRebase
	SearchMember
	SearchPin
	SearchValue
	SearchUnpin
	SearchEditor
	SearchStashed
	SearchLeave
	SearchTaken
	SearchRestore
	SearchFree

	DeleteMark
	DeleteSubmit
	DeleteLoad
	DeleteFlag
	DeletePop
	DeleteFill
	DeleteStash
	DeletePush
	DeleteFollow
	DeleteMaster
	DeleteWait
	DeleteReal
	DeleteScan
	DeleteStashed
	DeleteCopy
	DeleteBaseValue
	DeleteBaseKey
	DeleteMoved
	DeleteQueue
	DeleteWithdraw
	DeleteSweep
	DeleteSweepStash
	DeleteZero1
	DeleteZero0
	DeleteClear
	DeleteDrop
	DeleteRestore
	DeleteFree

	UsurpPop
	UsurpFill
	UsurpStash
	UsurpBaseLoad
	UsurpBasePop
	UsurpBaseFill
	UsurpBaseStash
	UsurpBasePush
	UsurpBaseFollow
	UsurpMaster
	UsurpWait
	UsurpValue
	UsurpStashPair
	UsurpEditor
	UsurpRemove
	UsurpStoreKey
	UsurpStoreValue
	UsurpSetReal
	UsurpQueueNew
	UsurpQueueOld

	CropLoad
	CropPop
	CropFill
	CropStash
	CropPush
	CropFollow
	CropMaster
	CropWait
	CropReal
	CropLow
	CropHigh
	CropCopy
	CropMoveValue
	CropMoveKey
	CropMoveLost
	CropCheck
	CropRemove
	CropSweep
	CropSweepStash
	CropZero1
	CropZero0
	CropDrop
	CropRestore
	CropFree

	ServeWalk
	ServeMerge
	ServeMergeStash
	ServeSweep
	ServeSweepStash
	ServePair
	ServeMap
	ServeMapStash
	ServeClaim
	ServeValue
	ServeKey
	ServeMember
	ServeDrop
	ServeRestore
	ServeFree

	ServeOldest
	ServeShunt
	ServeOldValue
	ServeSteal
	ServeStealValue
	ServeStealKey
	ServeGain
	ServeYieldLoad
	ServeYieldPop
	ServeYieldFill
	ServeYieldStash
	ServeYieldPush
	ServeYieldFollow
	ServeYieldBit
	ServeYieldQueue

	pcCount
)

// Dead is the program counter of an actor that has died: there is no next action.
const Dead PC = 255

// rule is the action of a program counter.
type rule struct {
	name string
	run  func(x *step) bool // false: the action is not possible
}

var rules = [pcCount]rule{
	Return: {"Return", (*step).clientReturn},

	ChooseLoad: {"ChooseLoad", (*step).chooseLoad},
	ChooseReal: {"ChooseReal", (*step).chooseReal},

	AddLoad:         {"AddLoad", (*step).addLoad},
	AddPop:          {"AddPop", (*step).addPop},
	AddFill:         {"AddFill", (*step).addFill},
	AddStash:        {"AddStash", (*step).addStash},
	AddPush:         {"AddPush", (*step).addPush},
	AddFollow:       {"AddFollow", (*step).addFollow},
	AddReal:         {"AddReal", (*step).addReal},
	AddMaster:       {"AddMaster", (*step).addMaster},
	AddStoreKey:     {"AddStoreKey", (*step).addStoreKey},
	AddStoreValue:   {"AddStoreValue", (*step).addStoreValue},
	AddSetReal:      {"AddSetReal", (*step).addSetReal},
	AddQueueBase:    {"AddQueueBase", (*step).addQueueBase},
	AddOldValue:     {"AddOldValue", (*step).addOldValue},
	AddStashPair:    {"AddStashPair", (*step).addStashPair},
	AddReplaceKey:   {"AddReplaceKey", (*step).addReplaceKey},
	AddReplaceValue: {"AddReplaceValue", (*step).addReplaceValue},
	AddQueueOld:     {"AddQueueOld", (*step).addQueueOld},
	AddQueueNew:     {"AddQueueNew", (*step).addQueueNew},

	SearchLoad:    {"SearchLoad", (*step).searchLoad},
	SearchJoin:    {"SearchJoin", (*step).searchJoin},
	SearchPop:     {"SearchPop", (*step).searchPop},
	SearchFill:    {"SearchFill", (*step).searchFill},
	SearchStash:   {"SearchStash", (*step).searchStash},
	SearchPush:    {"SearchPush", (*step).searchPush},
	SearchWait:    {"SearchWait", (*step).searchWait},
	SearchReal:    {"SearchReal", (*step).searchReal},
	SearchBase:    {"SearchBase", (*step).searchBase},
	SearchHold:    {"SearchHold", (*step).searchHold},
	SearchRelease: {"SearchRelease", (*step).searchRelease},
	SearchRebase:  {"SearchRebase", (*step).searchRebase},
	SearchMember:  {"SearchMember", (*step).searchMember},
	SearchPin:     {"SearchPin", (*step).searchPin},
	SearchValue:   {"SearchValue", (*step).searchValue},
	SearchUnpin:   {"SearchUnpin", (*step).searchUnpin},
	SearchEditor:  {"SearchEditor", (*step).searchEditor},
	SearchStashed: {"SearchStashed", (*step).searchStashed},
	SearchLeave:   {"SearchLeave", (*step).searchLeave},
	SearchTaken:   {"SearchTaken", (*step).searchTaken},
	SearchRestore: {"SearchRestore", (*step).searchRestore},
	SearchFree:    {"SearchFree", (*step).searchFree},

	DeleteMark:       {"DeleteMark", (*step).deleteMark},
	DeleteSubmit:     {"DeleteSubmit", (*step).deleteSubmit},
	DeleteLoad:       {"DeleteLoad", (*step).deleteLoad},
	DeleteFlag:       {"DeleteFlag", (*step).deleteFlag},
	DeletePop:        {"DeletePop", (*step).deletePop},
	DeleteFill:       {"DeleteFill", (*step).deleteFill},
	DeleteStash:      {"DeleteStash", (*step).deleteStash},
	DeletePush:       {"DeletePush", (*step).deletePush},
	DeleteFollow:     {"DeleteFollow", (*step).deleteFollow},
	DeleteMaster:     {"DeleteMaster", (*step).deleteMaster},
	DeleteWait:       {"DeleteWait", (*step).deleteWait},
	DeleteReal:       {"DeleteReal", (*step).deleteReal},
	DeleteScan:       {"DeleteScan", (*step).deleteScan},
	DeleteStashed:    {"DeleteStashed", (*step).deleteStashed},
	DeleteCopy:       {"DeleteCopy", (*step).deleteCopy},
	DeleteBaseValue:  {"DeleteBaseValue", (*step).deleteBaseValue},
	DeleteBaseKey:    {"DeleteBaseKey", (*step).deleteBaseKey},
	DeleteMoved:      {"DeleteMoved", (*step).deleteMoved},
	DeleteQueue:      {"DeleteQueue", (*step).deleteQueue},
	DeleteWithdraw:   {"DeleteWithdraw", (*step).deleteWithdraw},
	DeleteSweep:      {"DeleteSweep", (*step).deleteSweep},
	DeleteSweepStash: {"DeleteSweepStash", (*step).deleteSweepStash},
	DeleteZero1:      {"DeleteZero1", (*step).deleteZero1},
	DeleteZero0:      {"DeleteZero0", (*step).deleteZero0},
	DeleteClear:      {"DeleteClear", (*step).deleteClear},
	DeleteDrop:       {"DeleteDrop", (*step).deleteDrop},
	DeleteRestore:    {"DeleteRestore", (*step).deleteRestore},
	DeleteFree:       {"DeleteFree", (*step).deleteFree},

	UsurpPop:        {"UsurpPop", (*step).usurpPop},
	UsurpFill:       {"UsurpFill", (*step).usurpFill},
	UsurpStash:      {"UsurpStash", (*step).usurpStash},
	UsurpBaseLoad:   {"UsurpBaseLoad", (*step).usurpBaseLoad},
	UsurpBasePop:    {"UsurpBasePop", (*step).usurpBasePop},
	UsurpBaseFill:   {"UsurpBaseFill", (*step).usurpBaseFill},
	UsurpBaseStash:  {"UsurpBaseStash", (*step).usurpBaseStash},
	UsurpBasePush:   {"UsurpBasePush", (*step).usurpBasePush},
	UsurpBaseFollow: {"UsurpBaseFollow", (*step).usurpBaseFollow},
	UsurpMaster:     {"UsurpMaster", (*step).usurpMaster},
	UsurpWait:       {"UsurpWait", (*step).usurpWait},
	UsurpValue:      {"UsurpValue", (*step).usurpValue},
	UsurpStashPair:  {"UsurpStashPair", (*step).usurpStashPair},
	UsurpEditor:     {"UsurpEditor", (*step).usurpEditor},
	UsurpRemove:     {"UsurpRemove", (*step).usurpRemove},
	UsurpStoreKey:   {"UsurpStoreKey", (*step).usurpStoreKey},
	UsurpStoreValue: {"UsurpStoreValue", (*step).usurpStoreValue},
	UsurpSetReal:    {"UsurpSetReal", (*step).usurpSetReal},
	UsurpQueueNew:   {"UsurpQueueNew", (*step).usurpQueueNew},
	UsurpQueueOld:   {"UsurpQueueOld", (*step).usurpQueueOld},

	CropLoad:       {"CropLoad", (*step).cropLoad},
	CropPop:        {"CropPop", (*step).cropPop},
	CropFill:       {"CropFill", (*step).cropFill},
	CropStash:      {"CropStash", (*step).cropStash},
	CropPush:       {"CropPush", (*step).cropPush},
	CropFollow:     {"CropFollow", (*step).cropFollow},
	CropMaster:     {"CropMaster", (*step).cropMaster},
	CropWait:       {"CropWait", (*step).cropWait},
	CropReal:       {"CropReal", (*step).cropReal},
	CropLow:        {"CropLow", (*step).cropLow},
	CropHigh:       {"CropHigh", (*step).cropHigh},
	CropCopy:       {"CropCopy", (*step).cropCopy},
	CropMoveValue:  {"CropMoveValue", (*step).cropMoveValue},
	CropMoveKey:    {"CropMoveKey", (*step).cropMoveKey},
	CropMoveLost:   {"CropMoveLost", (*step).cropMoveLost},
	CropCheck:      {"CropCheck", (*step).cropCheck},
	CropRemove:     {"CropRemove", (*step).cropRemove},
	CropSweep:      {"CropSweep", (*step).cropSweep},
	CropSweepStash: {"CropSweepStash", (*step).cropSweepStash},
	CropZero1:      {"CropZero1", (*step).cropZero1},
	CropZero0:      {"CropZero0", (*step).cropZero0},
	CropDrop:       {"CropDrop", (*step).cropDrop},
	CropRestore:    {"CropRestore", (*step).cropRestore},
	CropFree:       {"CropFree", (*step).cropFree},

	ServeWalk:       {"ServeWalk", (*step).serveWalk},
	ServeMerge:      {"ServeMerge", (*step).serveMerge},
	ServeMergeStash: {"ServeMergeStash", (*step).serveMergeStash},
	ServeSweep:      {"ServeSweep", (*step).serveSweep},
	ServeSweepStash: {"ServeSweepStash", (*step).serveSweepStash},
	ServePair:       {"ServePair", (*step).servePair},
	ServeMap:        {"ServeMap", (*step).serveMap},
	ServeMapStash:   {"ServeMapStash", (*step).serveMapStash},
	ServeClaim:      {"ServeClaim", (*step).serveClaim},
	ServeValue:      {"ServeValue", (*step).serveValue},
	ServeKey:        {"ServeKey", (*step).serveKey},
	ServeMember:     {"ServeMember", (*step).serveMember},
	ServeDrop:       {"ServeDrop", (*step).serveDrop},
	ServeRestore:    {"ServeRestore", (*step).serveRestore},
	ServeFree:       {"ServeFree", (*step).serveFree},

	ServeOldest:      {"ServeOldest", (*step).serveOldest},
	ServeShunt:       {"ServeShunt", (*step).serveShunt},
	ServeOldValue:    {"ServeOldValue", (*step).serveOldValue},
	ServeSteal:       {"ServeSteal", (*step).serveSteal},
	ServeStealValue:  {"ServeStealValue", (*step).serveStealValue},
	ServeStealKey:    {"ServeStealKey", (*step).serveStealKey},
	ServeGain:        {"ServeGain", (*step).serveGain},
	ServeYieldLoad:   {"ServeYieldLoad", (*step).serveYieldLoad},
	ServeYieldPop:    {"ServeYieldPop", (*step).serveYieldPop},
	ServeYieldFill:   {"ServeYieldFill", (*step).serveYieldFill},
	ServeYieldStash:  {"ServeYieldStash", (*step).serveYieldStash},
	ServeYieldPush:   {"ServeYieldPush", (*step).serveYieldPush},
	ServeYieldFollow: {"ServeYieldFollow", (*step).serveYieldFollow},
	ServeYieldBit:    {"ServeYieldBit", (*step).serveYieldBit},
	ServeYieldQueue:  {"ServeYieldQueue", (*step).serveYieldQueue},
}

// String returns the text of the program counter in the specification.
func (pc PC) String() string {
	switch pc {
	case Idle:
		return "Idle"
	case Dead:
		return "Dead"
	}
	return rules[pc].name
}

// action is what the actor does at the program counter, with its name in the specification.
func (m *Machine) action(pc PC, t int) rule {
	switch {
	case pc == Dead:
		return rule{"Dead", func(*step) bool { return false }}
	case pc == Return:
		return rule{"ClientReturn", rules[Return].run}
	case pc != Idle:
		return rules[pc]
	case m.serves(t):
		return rule{"ServeTake", (*step).serveTake}
	case t <= m.clients:
		return rule{"ClientCall", (*step).clientCall}
	}
	return rule{"CropTake", (*step).cropTake}
}
