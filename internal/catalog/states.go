// Package catalog is the only register of the names that all layers share: the 24 operation
// states of the source text, the atomic actions of the protocol, and the six links of evidence.
//
// An identifier listed here is, letter for letter, a TLA+ operator, a model action, an engine
// step, a scenario, a subtest and a JSON value. internal/lint fails when a layer misses one.
package catalog

// State is one operation state: a race "in the same cycle" that the source text names.
type State struct {
	ID     string // S01AddEmpty: S, two digits, CamelCase
	Number int    // 1..24, as in the source text
	Title  string // the source text's title, verbatim
	Claim  string // what must come of the race, in one sentence
}

// States returns the 24 operation states in the order of the source text.
// The slice is a copy: a caller may change it.
func States() []State { return append([]State(nil), states[:]...) }

// StateByID returns the state with the given identifier, or with the given short form (S04, s4, 4).
func StateByID(id string) (State, bool) {
	for _, s := range states {
		if s.ID == id || matchesShort(s, id) {
			return s, true
		}
	}
	return State{}, false
}

func matchesShort(s State, id string) bool {
	if len(id) > 1 && (id[0] == 'S' || id[0] == 's') {
		id = id[1:]
	}
	if len(id) == 0 || len(id) > 2 {
		return false
	}
	n := 0
	for _, c := range []byte(id) {
		if c < '0' || c > '9' {
			return false
		}
		n = n*10 + int(c-'0')
	}
	return n == s.Number
}

var states = [24]State{
	{"S01AddEmpty", 1, "Add Element to Empty",
		"the element becomes the base of a new bucket"},
	{"S02AddCollision", 2, "Add Collision with Space",
		"the new element takes the base, the displaced one a hole of the window"},
	{"S03AddFull", 3, "Add Collision to Full",
		"room is made one base at a time, or exactly one caller is handed what had to leave"},
	{"S04AddCollisionEmpty", 4, "Add Collision and Empty in the Same Cycle",
		"one adder claims the empty cell, the other one collides with the new base; both elements stay"},
	{"S05AddEmptyGet", 5, "Add to Empty and Get in the Same Cycle",
		"the get sees nothing or the whole element, never a part of it"},
	{"S06AddCollisionGet", 6, "Add to Collision and Get in the Same Cycle",
		"the displaced element is found at every moment, with its own value"},
	{"S07AddCollisionUpdate", 7, "Add to Collision and Update in the Same Cycle",
		"an update of the displaced element is never lost"},
	{"S08AddEmptyDelete", 8, "Add to Empty and Delete in the Same Cycle (special case)",
		"the delete finds the whole element or nothing"},
	{"S09AddCollisionDeleteMember", 9,
		"Add to Collision and Delete Member in the Same Cycle (crop in the same cycle)",
		"the deleted member's cell is reclaimed and no live element moves out of sight"},
	{"S10AddCollisionDeleteBase", 10, "Add to Collision and Delete Base in the Same Cycle",
		"a deleted base element is not reinserted"},
	{"S11UsurpGet", 11, "Add by Usurp and Get in the Same Cycle",
		"the usurped member is found at every moment"},
	{"S12UsurpUpdate", 12, "Add by Usurp and Update in the Same Cycle",
		"an update of the usurped member is never lost"},
	{"S13UsurpDelete", 13, "Add by Usurp and Delete in the Same Cycle (special case)",
		"a usurped member that is deleted is not reinserted"},
	{"S14UsurpDeleteBase", 14,
		"Add by Usurp and Delete Base in the Same Cycle (delete immediately destroys add)",
		"the old base is deleted and the usurped member stays reachable"},
	{"S15GetMany", 15, "Get Multiple without other Operations",
		"readers neither wait for nor disturb one another"},
	{"S16GetDeleteMember", 16,
		"Get One or More with Delete Member in the Same Cycle (crop in the same cycle)",
		"a get finds every element that stays"},
	{"S17GetDeleteBase", 17, "Get One or More with Delete Base in the Same Cycle",
		"a get finds the member that moves up to the base"},
	{"S18GetUpdate", 18, "Get One or More with Update in the Same Cycle",
		"a get returns a value that the key had during the call"},
	{"S19UpdateSameKey", 19, "Collision Update Multiple",
		"the last update stays, each old value is handed to exactly one updater"},
	{"S20DeleteMembers", 20, "Delete Multiple Members",
		"all marked members leave, and only they"},
	{"S21DeleteBase", 21, "Delete Base Only",
		"the cell is empty again and may be claimed by anybody"},
	{"S22DeleteBaseMembers", 22, "Delete Base and Members in the Same Cycle",
		"no deleted element is moved up to the base"},
	{"S23DeleteSameKey", 23, "Delete Collision (special case check)",
		"exactly one delete succeeds"},
	{"S24UsurpDeleteInProgress", 24, "Usurp Delete in Progress",
		"the deleted member is not reinserted, the usurper becomes a base"},
}
