// Package written is the Go model of the protocol as the source text words it: the modules of
// spec/tla/hopscotch/written, action for action and under the same names.
//
//	words.go       cells, stash records, queues             Stash.tla
//	state.go       all variables as one flat value          Stash.tla
//	stash.go       records, references, taken maps          Stash.tla
//	history.go     what an atomic map may have done         History.tla
//	adder.go       preparing and writing an add             Adder.tla
//	reader.go      searching                                Reader.tla
//	deleter.go     marking members, exchanging bases        Deleter.tla
//	cropper.go     the service that reclaims cells          Cropper.tla
//	completion.go  the service that finishes operations     Completion.tla
//	fullwindow.go  the same service where no hole is left   FullWindow.tla
//	usurper.go     an add that takes a member's cell        Usurper.tla
//	machine.go     the next step of an actor                Written.tla
//	properties.go  what should hold of a state              Written.tla
//	programs.go    who does what on which memory            WrittenPrograms.tla
//
// Explore searches a program breadth first in the order of TLC with one worker. So verdicts, numbers of
// states and depths are those of spec/tla/hopscotch/written/manifest.json. Tests prove that both reach the
// same set of states. Most programs violate a property, which is what the package shows. The modules of
// spec/tla/hopscotch/written/parts have no model here.
//
// Actors are numbered from 1: the clients, then the completion service, then the cropper, then a
// second completion service if there is one.
package written
