package written

// PC is a program counter: the action that the actor takes next. Two of them are rest: Idle, where
// a client calls and a service takes its next work, and Return, where a client returns.
type PC uint8

// The program counters, in the order of the modules.
const (
	Idle PC = iota
	Return

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

	pcCount
)

// rule is the action of a program counter.
type rule struct {
	name string
	run  func(x *step) bool // false: the action is not possible
}

var rules = [pcCount]rule{
	Return: {"Return", (*step).clientReturn},

	AddLoad: {"AddLoad", (*step).addLoad}, AddPop: {"AddPop", (*step).addPop},
	AddFill: {"AddFill", (*step).addFill}, AddStash: {"AddStash", (*step).addStash},
	AddPush: {"AddPush", (*step).addPush}, AddFollow: {"AddFollow", (*step).addFollow},
	AddReal: {"AddReal", (*step).addReal}, AddMaster: {"AddMaster", (*step).addMaster},
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

	SearchLoad: {"SearchLoad", (*step).searchLoad}, SearchJoin: {"SearchJoin", (*step).searchJoin},
	SearchPop: {"SearchPop", (*step).searchPop}, SearchFill: {"SearchFill", (*step).searchFill},
	SearchStash: {"SearchStash", (*step).searchStash},
	SearchPush:  {"SearchPush", (*step).searchPush},
	SearchWait:  {"SearchWait", (*step).searchWait}, SearchReal: {"SearchReal", (*step).searchReal},
	SearchBase:    {"SearchBase", (*step).searchBase},
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

	ServeWalk: {"ServeWalk", (*step).serveWalk}, ServeMerge: {"ServeMerge", (*step).serveMerge},
	ServeMergeStash: {"ServeMergeStash", (*step).serveMergeStash},
	ServeSweep:      {"ServeSweep", (*step).serveSweep},
	ServeSweepStash: {"ServeSweepStash", (*step).serveSweepStash},
	ServePair:       {"ServePair", (*step).servePair}, ServeMap: {"ServeMap", (*step).serveMap},
	ServeMapStash: {"ServeMapStash", (*step).serveMapStash},
	ServeClaim:    {"ServeClaim", (*step).serveClaim},
	ServeValue:    {"ServeValue", (*step).serveValue}, ServeKey: {"ServeKey", (*step).serveKey},
	ServeMember:  {"ServeMember", (*step).serveMember},
	ServeDrop:    {"ServeDrop", (*step).serveDrop},
	ServeRestore: {"ServeRestore", (*step).serveRestore},
	ServeFree:    {"ServeFree", (*step).serveFree},
}

// String returns the text of the program counter in the specification.
func (pc PC) String() string {
	if pc == Idle {
		return "Idle"
	}
	return rules[pc].name
}

// action is what the actor does at the program counter, with its name in the specification.
func (m *Machine) action(pc PC, t int) rule {
	switch {
	case pc == Return:
		return rule{"ClientReturn", rules[Return].run}
	case pc != Idle:
		return rules[pc]
	case t == m.service():
		return rule{"ServeTake", (*step).serveTake}
	case t <= m.clients:
		return rule{"ClientCall", (*step).clientCall}
	}
	return rule{}
}
