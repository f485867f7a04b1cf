// Package hopscotch is the table: a lock-free hash map of 32-bit keys and values in a byte region
// that any number of processes share.
//
// # Terms
//
//	cell        place for one element: two words of 64 bits (words.go)
//	half        one of two rings of cells; each key has one home cell in each half
//	base        an element in the home cell of its bucket
//	member      an element of the bucket that stands elsewhere in the window
//	window      the cells that a base reaches, itself included, around the end of the ring
//	bucket      a base and its members; the base's control bits are their map
//	descriptor  the public record of one operation, so that anybody can finish it
//	hole        an empty cell for an element that a new one displaces from its base
//
// # The protocol in one minute
//
// A get reads the home cell's version and base, the members that the base names, and then the version
// again. It writes nothing and waits for nobody. An update is a get and one compare-and-swap of the value.
// A delete is a get and one compare-and-swap of the key, which becomes LOST.
//
// An add searches both halves, chooses the emptier one, fills its descriptor, and replaces the control bits
// of the home cell by a reference to the descriptor, with one compare-and-swap. From then on each step is a
// compare-and-swap that any actor may repeat, since its expected value occurs only once. An actor that
// meets the reference finishes the operation. So nobody waits for an actor that has died, and there is no
// recovery. A dead actor leaves its descriptor, which others may take back at any time (reclaim.go). No
// call sleeps, because there is nothing to wait for. Only services sleep. Each 64th delete of a handle
// looks whether one does, in a word that is not written as long as none does.
//
//	empty home:  E -> C (claimed) ; decide ; value ; C -> B            S01, S04
//	base there:  B -> O (operating) ; freeze the value ; find a hole ; decide ;
//	             hole E -> C ; copy ; C -> M ; flip the key ; thaw ; O -> B   S02
//
// Every other change of a bucket is an operation of the same form. A member moves to another hole or leaves
// (M -> U, engaged, while its base is O). A lost base is replaced by a new key or by a member. A lost base
// without members becomes empty. These operations make room for adds, and reclaim the cells of deleted
// elements.
//
// # Beyond one key
//
// Calls for many keys, or for the whole table, consist of the same accesses. prepared.go and batch.go
// prefetch cache lines, walk.go reads bucket by bucket, and clear.go deletes and crops. leaving.go says
// which element left, and why. None of them adds a step to the protocol.
//
// # What is up to the caller
//
// Only one goroutine at a time may use a handle. Two at once are two owners of one descriptor: the
// operation that a cell refers to may then be overwritten before any actor finishes it, and each later call
// on that bucket is ErrBusy, in every process. The table does not check this; the race detector does.
//
// A handle that is dropped without Close keeps its descriptor as long as its process lives, and a region
// that is dropped keeps its entry. After the Close of a region no table and no handle of it may be used.
// With 64-bit addresses the program ends with a fault at the access. With 32-bit addresses the access may
// meet another mapping.
//
// Whoever chooses the keys chooses which elements share a bucket, and so which ones leave. Hash keys that
// come from outside with a secret before you use them here.
//
// # Where it comes from
//
// The specification is spec/tla/hopscotch: search.go, update.go, add.go, room.go, crop.go and help.go
// implement its modules of the same names. A function with the name of an action makes exactly one access
// of shared memory, that of the action. No other function of these files makes any. So a run of this code
// can be compared with the specification step by step. searchTouch and searchRequest have no action; they
// only warm the cache.
//
// The contents of a region are not trusted: every index, distance and form that is read from it is bounded
// or validated before use, and every loop is bounded. Damage is an error, not a panic.
package hopscotch
