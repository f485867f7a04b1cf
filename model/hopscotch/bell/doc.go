// Package bell is how services are woken, as a program: spec/tla/hopscotch/Bell.tla, action for action and
// under the same names.
//
//	state.go       all variables as one flat value, sets as bits
//	machine.go     the constants of a run, the next steps of an actor
//	service.go     who listens, works and sleeps
//	ringer.go      who makes work and rings
//	properties.go  what must hold, what must come about, and the witnesses     MCBell.tla
//	programs.go    the runs                                                    runs Bell_...
//
// Explore searches a program breadth first. Tests prove that TLC reaches the same set of states in each
// complete run, and that both come to the same verdict in all of them.
package bell
