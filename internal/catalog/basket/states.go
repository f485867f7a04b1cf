// Package basket is the only register of the names of the baskets: their operation states, and the atomic
// actions of the index, the records and the baskets' heads.
package basket

import "github.com/samecycle/samecycle/internal/catalog"

// Engine returns the names of the baskets. A caller may change what it is given.
func Engine() *catalog.Engine { return engine.Clone() }

var engine = catalog.Engine{
	Name:   "basket",
	Title:  "the records of a cache in baskets that processes share",
	States: states[:], Actions: actions, Stutters: stutters,
	Missing: missing, Elsewhere: elsewhere,
}

// States returns the operation states in their order. The slice is a copy: a caller may change it.
func States() []catalog.State { return Engine().States }

// StateByID returns the state with the given identifier, or with the given short form (C04, c4, 4).
func StateByID(id string) (catalog.State, bool) { return engine.StateByID(id) }

var states = [15]catalog.State{
	state("C01GetReuse", 1, "Get while the record's basket is used again",
		"a get answers with a whole value that was there, though its basket is freed and filled meanwhile"),
	state("C02SetEvict", 2, "Set against eviction",
		"a key that is set while its old record is evicted has the new value, and what went is told once"),
	state("C03SetCompact", 3, "Set while the record is moved",
		"a key that is set while its old record is moved has the new value: nothing old comes back"),
	state("C04DeleteEvict", 4, "Delete against eviction",
		"the record goes once: by the delete, which says so, or by the eviction, which tells it"),
	state("C05PromoteSet", 5, "Set while the record is promoted",
		"a key that is set while its old record goes to the top tier has the new value, and no old one"),
	state("C06PromoteAge", 6, "Two age and promote the same basket",
		"a basket goes down by one tier at a time, and one of those who want it claims it, as it is then"),
	state("C07SetSetColliding", 7, "Two sets of keys with one hash",
		"both keys have their new values"),
	state("C08DeleteSetColliding", 8, "Delete and set of keys with one hash",
		"the deleted key is gone, the other one has its new value"),
	state("C09EvictColliding", 9, "Eviction from within a chain",
		"the neighbours of an evicted record stay, or each of them is told"),
	state("C10OpenOwnerDies", 10, "The owner of an open basket dies in an append",
		"what was published stays, what was not is never seen, and the basket is used again"),
	state("C11RetireOwnerDies", 11, "Who retires a basket dies",
		"one of those who come after it takes the basket over and frees it"),
	state("C12RoomForTwo", 12, "Two want the last free basket",
		"one of them opens it, the other one makes room elsewhere"),
	state("C13IndexFull", 13, "The index is full and hands an entry over",
		"what was handed over is told once with its value, though its basket retires and its taker dies"),
	// C14 to C18 are free: those of the index, of a loader and of the slots have names of their own.
	state("C19SuspectSet", 19, "Set while the key is marked as a suspect",
		"a mark goes to the value that was seen, or nowhere; a value that is set has none; nothing is lost"),
	state("C20ParameterChange", 20, "Parameters change while baskets age by them",
		"who ages goes by a pair that was there at one instant of the call; no change of a half is lost"),
}

func state(id string, number int, title, claim string) catalog.State {
	return catalog.State{ID: id, Number: number, Title: title, Claim: claim}
}
