// Package owner is the model of spec/tla/hopscotch/Owner.tla, action for action and under the same names.
// It models a descriptor between operations: which actor owns it, what happens to it when its owner dies,
// and where a value that has left the table is at each moment.
//
//	state.go       all variables as one flat value, sets as bits
//	machine.go     the constants of a run, the next steps of an actor
//	process.go     an entry of the process table: Process...
//	word.go        the owner word, and what a dead owner leaves: Owner...
//	table.go       the life of an operation, the events of a client: Table..., Call...
//	properties.go  what must hold, and the witnesses         MCOwner.tla
//	explore.go     what must come about                      MCOwner.tla
//	programs.go    the runs                                  runs Owner_...
//
// Explore searches a program breadth first. Tests prove that TLC reaches the same set of states in each
// run, and that both come to the same verdict.
package owner
