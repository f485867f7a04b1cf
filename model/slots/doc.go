// Package slots is the Go model of the slots of a communication buffer: spec/tla/slots, action for action and
// under the same names.
//
//	programs.go    what each actor calls in the runs of the operation states    Programs.tla
//	state.go       all variables as one flat value                              Memory.tla
//	tla.go         a state as TLA+ writes it
//	machine.go     the constants of a run, calls, deaths, time-outs             Slots.tla
//	peers.go       the locks, and the scans that ask for them                   Peers.tla
//	doorbell.go    how a client wakes a service that sleeps                     Doorbell.tla
//	requests.go    what a client does with a slot                               Requests.tla
//	serving.go     what a service does with a slot that it has taken            Serving.tla
//	properties.go  what must hold, what must come about                         MCSlots.tla
//	witnesses.go   that the runs reach what they are about                      MCSlots.tla
//	view.go        what the code of the engine can be compared with
//
// The death of an actor and the end of a sleep that nobody has ended are steps of that actor. So a step has a
// Move: its action, and whose it is.
//
// Explore searches a program breadth first. Tests prove that TLC reaches the same set of states in each run,
// and that both come to the same verdict in all of them.
package slots
