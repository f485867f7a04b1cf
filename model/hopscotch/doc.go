// Package model is the Go model of the specification: the modules of spec/tla/hopscotch, action for action
// and under the same names. It was written from their text alone, not from the engine.
//
//	words.go       the words of cells and descriptors       Cells.tla
//	state.go       all variables as one flat value          Cells.tla
//	places.go      where the cells of a window are          Cells.tla
//	choose.go      a half, the scan for room, what leaves   Choose.tla
//	search.go      reading one half for one key             Search.tla
//	update.go      the swaps of update and delete           Update.tla
//	add.go         filling and installing a descriptor      Add.tla
//	room.go        usurp, make room, evict                  Room.tla
//	crop.go        the services                             Crop.tla
//	progress.go    where an operation goes on               Progress.tla
//	help.go        finishing an installed operation         Help.tla
//	client.go      calls, returns and deaths                Hopscotch.tla
//	next.go        which action an actor takes              Hopscotch.tla
//	invariants.go  the properties of states: structure      Invariants.tla
//	contents.go    and what memory holds                    Invariants.tla
//	steps.go       the properties of steps                  Invariants.tla
//	refine.go      the atomic map                           Map.tla, Refinement.tla
//	programs.go    who does what on which memory            Scenarios.tla, NearScenarios.tla
//	three.go       the same with a third actor              ThreeActors.tla
//	scattered.go   windows whose cells are not in a row     MCScattered.tla
//
// Explore searches a program breadth first and ends at the shortest violation. A test proves that
// TLC reaches the same set of states, so that the model may stand for the specification where TLC
// cannot go: it validates the steps of the engine, one by one.
//
// A search may be reduced (Reduction says what that keeps):
//
//	reduce.go      which reductions there are, and when they are refused
//	footprint.go   what actors may touch in all their futures
//	partial.go     partial order: steps that commute with all of these
//	symmetry.go    symmetry: actors that can be exchanged
//
// A Machine is the specification with its constants; a State is comparable with ==. Actors are
// numbered from 1, halves and cells from 0.
package model
