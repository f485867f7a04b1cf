// Package control is the Go model of the words by which the processes of a cache steer one another:
// spec/tla/control, action for action and under the same names.
//
//	programs.go    what each actor calls in the runs of the operation states    Programs.tla
//	state.go       all variables as one flat value                              Memory.tla
//	tla.go         a state as TLA+ writes it
//	machine.go     the constants of a run, calls, the clock, deaths             Control.tla
//	leases.go      how the janitor of a process has a lease                     Leases.tla
//	params.go      how live parameters are read and changed                     Params.tla
//	rates.go       how rates are counted and penalties are marked               Rates.tla
//	handovers.go   how a process hears that a writer is wanted                  Handovers.tla
//	properties.go  what must hold, what must come about                         MCControl.tla
//	rated.go       the same of rates and penalties                              MCControl.tla
//	wished.go      the same of handovers                                        MCControl.tla
//	answers.go     the same of the answers of calls                             MCControl.tla
//	witnesses.go   that the runs reach what they are about                      MCControl.tla
//	view.go        what the code of the engine can be compared with
//
// Each actor is a process. Its death is a step of that actor. So a step has a Move: its action, and whose it
// is.
//
// Explore searches a program breadth first. Tests prove that TLC reaches the same set of states in each run,
// and that both come to the same verdict in all of them.
package control
