// Package hopscotch is the only register of the names of the hopscotch table: the 24 operation states of the
// source text, and the atomic actions of the protocol and of its parts.
package hopscotch

import "github.com/samecycle/samecycle/internal/catalog"

// Engine returns the names of the table. A caller may change what it is given.
func Engine() *catalog.Engine { return engine.Clone() }

var engine = catalog.Engine{
	Name:   "hopscotch",
	Title:  "a hopscotch hash table in memory that processes share",
	States: states[:], Actions: actions, Stutters: stutters,
}

// States returns the 24 operation states in the order of the source text.
// The slice is a copy: a caller may change it.
func States() []catalog.State { return Engine().States }

// StateByID returns the state with the given identifier, or with the given short form (S04, s4, 4).
func StateByID(id string) (catalog.State, bool) { return engine.StateByID(id) }

var states = [27]catalog.State{
	state("S01AddEmpty", 1, "Add Element to Empty",
		"the element becomes the base of a new bucket"),
	state("S02AddCollision", 2, "Add Collision with Space",
		"the new element takes the base, the displaced one a hole of the window"),
	state("S03AddFull", 3, "Add Collision to Full",
		"room is made one base at a time, or exactly one caller is handed what had to leave"),
	state("S04AddCollisionEmpty", 4, "Add Collision and Empty in the Same Cycle",
		"one adder claims the empty cell, the other one collides with the new base; both elements stay"),
	state("S05AddEmptyGet", 5, "Add to Empty and Get in the Same Cycle",
		"the get sees nothing or the whole element, never a part of it"),
	state("S06AddCollisionGet", 6, "Add to Collision and Get in the Same Cycle",
		"the displaced element is found at every moment, with its own value"),
	state("S07AddCollisionUpdate", 7, "Add to Collision and Update in the Same Cycle",
		"an update of the displaced element is never lost"),
	state("S08AddEmptyDelete", 8, "Add to Empty and Delete in the Same Cycle (special case)",
		"the delete finds the whole element or nothing"),
	state("S09AddCollisionDeleteMember", 9,
		"Add to Collision and Delete Member in the Same Cycle (crop in the same cycle)",
		"the deleted member's cell is reclaimed and no live element moves out of sight"),
	state("S10AddCollisionDeleteBase", 10, "Add to Collision and Delete Base in the Same Cycle",
		"a deleted base element is not reinserted"),
	state("S11UsurpGet", 11, "Add by Usurp and Get in the Same Cycle",
		"the usurped member is found at every moment"),
	state("S12UsurpUpdate", 12, "Add by Usurp and Update in the Same Cycle",
		"an update of the usurped member is never lost"),
	state("S13UsurpDelete", 13, "Add by Usurp and Delete in the Same Cycle (special case)",
		"a usurped member that is deleted is not reinserted"),
	state("S14UsurpDeleteBase", 14,
		"Add by Usurp and Delete Base in the Same Cycle (delete immediately destroys add)",
		"the old base is deleted and the usurped member stays reachable"),
	state("S15GetMany", 15, "Get Multiple without other Operations",
		"readers neither wait for nor disturb one another"),
	state("S16GetDeleteMember", 16,
		"Get One or More with Delete Member in the Same Cycle (crop in the same cycle)",
		"a get finds every element that stays"),
	state("S17GetDeleteBase", 17, "Get One or More with Delete Base in the Same Cycle",
		"a get finds the member that moves up to the base"),
	state("S18GetUpdate", 18, "Get One or More with Update in the Same Cycle",
		"a get returns a value that the key had during the call"),
	state("S19UpdateSameKey", 19, "Collision Update Multiple",
		"the last update stays, each old value is handed to exactly one updater"),
	state("S20DeleteMembers", 20, "Delete Multiple Members",
		"all marked members leave, and only they"),
	state("S21DeleteBase", 21, "Delete Base Only",
		"the cell is empty again and may be claimed by anybody"),
	state("S22DeleteBaseMembers", 22, "Delete Base and Members in the Same Cycle",
		"no deleted element is moved up to the base"),
	state("S23DeleteSameKey", 23, "Delete Collision (special case check)",
		"exactly one delete succeeds"),
	state("S24UsurpDeleteInProgress", 24, "Usurp Delete in Progress",
		"the deleted member is not reinserted, the usurper becomes a base"),
	state("S25SwapDelete", 25, "Swap by Ticket and Delete in the Same Cycle",
		"a swap replaces the value of its ticket or nothing, and the old value is handed out once"),
	state("S26StillReuse", 26, "Still by Ticket and Reuse of the Cell in the Same Cycle",
		"a ticket that holds is of an element that was in the table during the call"),
	state("S27CompareDelete", 27, "Conditional Delete by Ticket and Change in the Same Cycle",
		"an element leaves with the value of its ticket or not at all, and its cell is free at once"),
}

// state is one row of the register.
func state(id string, number int, title, claim string) catalog.State {
	return catalog.State{ID: id, Number: number, Title: title, Claim: claim}
}
