// Package slots is the only register of the names of the slots: their operation states, and the atomic
// actions of their clients and services.
package slots

import "github.com/samecycle/samecycle/internal/catalog"

// Engine returns the names of the slots. A caller may change what it is given.
func Engine() *catalog.Engine { return engine.Clone() }

var engine = catalog.Engine{
	Name:   "slots",
	Title:  "slots by which clients ask a service process for what they may not map",
	States: states[:], Actions: actions, Stutters: stutters,
	Missing: missing, Elsewhere: elsewhere,
}

// States returns the operation states in their order. The slice is a copy: a caller may change it.
func States() []catalog.State { return Engine().States }

// StateByID returns the state with the given identifier, or with the given short form (B04, b4, 4).
func StateByID(id string) (catalog.State, bool) { return engine.StateByID(id) }

var states = [5]catalog.State{
	state("B01SlotAbandoned", 1, "Client gives up while the service answers",
		"the client is told that its request may take effect, and the slot is free again"),
	state("B02SlotServiceDies", 2, "Service dies at any step",
		"the client learns it, no request is performed twice, and the next service goes on"),
	state("B03SlotClientDies", 3, "Client dies at any step",
		"the next client or the service frees what it held"),
	state("B04BellSleep", 4, "Service falls asleep while a client publishes",
		"no wake-up is lost: the request is performed"),
	state("B05SlotReuse", 5, "Compare-and-swap of an earlier life of the slot",
		"it fails, and the slot stays with the client that holds it now"),
}

func state(id string, number int, title, claim string) catalog.State {
	return catalog.State{ID: id, Number: number, Title: title, Claim: claim}
}
