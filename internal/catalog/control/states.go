// Package control is the only register of the names of the words by which the processes of a cache steer one
// another: their operation states, and the atomic actions.
package control

import "github.com/samecycle/samecycle/internal/catalog"

// Engine returns the names. A caller may change what it is given.
func Engine() *catalog.Engine { return engine.Clone() }

var engine = catalog.Engine{
	Name: "control",
	Title: "words by which the processes of a cache steer one another: leases, live parameters, handovers, " +
		"rates",
	States: states[:], Actions: actions, Missing: missing, Elsewhere: elsewhere,
}

// States returns the operation states in their order. The slice is a copy: a caller may change it.
func States() []catalog.State { return Engine().States }

// StateByID returns the state with the given identifier, or with the given short form (P04, p4, 4).
func StateByID(id string) (catalog.State, bool) { return engine.StateByID(id) }

var states = [9]catalog.State{
	state("P01LeaseTwo", 1, "Two janitors want one vacant lease",
		"one of them has it, and the other one learns that it has none"),
	state("P02LeaseOwnerDies", 2, "Owner of a lease dies at any step",
		"another one takes the lease over, and it is not lost for ever"),
	state("P03LeaseOwnerLate", 3, "Owner of a lease goes on after it was taken over",
		"it learns that it has none, and the new owner keeps it; who renews in time keeps its lease"),
	state("P04LeaseRunLowered", 4, "Fewer leases are allowed while they are renewed",
		"behind its next turn no process has one that there may not be"),
	state("P05TunePair", 5, "Two processes change live parameters of one word",
		"no change is lost, and who reads both sees what was set together"),
	state("P06ChargeTwo", 6, "Two processes charge one identity",
		"no charge is lost, whoever dies between two rows"),
	state("P07MarkTwo", 7, "Two processes see one offence",
		"it counts once, and no penalty becomes shorter"),
	state("P08TakeTwo", 8, "Two processes find room for one",
		"both take it, and it is taken from what comes later"),
	state("P09HandoverTwo", 9, "Two who have a writer hear of one wish",
		"one of them gives its writer up, and nobody does for a wish whose time is over"),
}

func state(id string, number int, title, claim string) catalog.State {
	return catalog.State{ID: id, Number: number, Title: title, Claim: claim}
}
