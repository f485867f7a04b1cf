// Package basket is the Go model of the baskets: spec/tla/basket, action for action and under the same names.
//
//	op.go          the operations that actors call                              Programs.tla
//	programs.go    what each actor calls in the runs of the operation states    Programs.tla
//	state.go       all variables as one flat value                              Region.tla
//	tla.go         a state as TLA+ writes it
//	machine.go     the constants of a run, the next steps of an actor           Region.tla, Basket.tla
//	append.go      copies of records, the plan of a change, the appends         Append.tla
//	index.go       what the index promises                                      Index.tla
//	room.go        the life of a basket                                         Room.tla
//	walk.go        the walk over a basket that retires                          Walk.tla
//	params.go      the parameters of ageing                                    Params.tla
//	told.go        the map with told removals that the machine refines          Told.tla, Refinement.tla
//	properties.go  what must hold, what must come about                         MCBasket.tla
//	witnesses.go   that the runs reach what they are about                      MCBasket.tla
//	view.go        what the code of the engine can be compared with
//
// Steps that are nobody's, by which the index moves an entry or finishes an add, are taken by an actor of
// their own behind the clients: the index. The death of an actor is a step of its own. So a step has a Move:
// its action, and whose it is.
//
// Explore searches a program breadth first. Tests prove that TLC reaches the same set of states in each run,
// and that both come to the same verdict in all of them.
package basket
