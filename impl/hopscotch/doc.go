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
// A get reads: the home cell's version and base, the members it names, then the version again. It
// writes nothing and waits for nobody. An update is a get and one compare-and-swap of the value; a
// delete is one of the key, which becomes LOST.
//
// An add searches both halves, chooses the emptier one, fills its descriptor, and replaces the
// control bits of the home cell by a reference to the descriptor, with one compare-and-swap. From
// then on each step is a compare-and-swap that anybody may repeat, since its expected value
// occurs only once. Whoever meets the reference finishes the operation. So an actor that dies
// keeps nobody waiting, and there is no recovery. What it leaves is a descriptor, which others take
// back when they like (reclaim.go). No call sleeps: there is nothing to wait for. Only services do, and
// each 64th delete of a handle looks whether one does, in a word that is only read while none does.
//
//	empty home:  E -> C (claimed) ; decide ; value ; C -> B            S01, S04
//	base there:  B -> O (operating) ; freeze the value ; find a hole ; decide ;
//	             hole E -> C ; copy ; C -> M ; flip the key ; thaw ; O -> B   S02
//
// Every other change of a bucket is an operation of the same form: a member that moves to another
// hole or leaves (M -> U, engaged, while its base is O), a lost base that a new key or a member
// replaces, a lost base alone that becomes empty. They make room for adds, and crop what is lost.
//
// # Beyond one key
//
// What a program does with many keys, or with the whole table, is made of the same accesses:
// prepared.go and batch.go ask for cache lines ahead of time, walk.go reads bucket by bucket,
// clear.go deletes and crops; leaving.go says what left, and why. None of them adds a step to the
// protocol.
//
// # What is up to the caller
//
// One goroutine at a time uses a handle. Two at once are two owners of one descriptor: what a cell
// refers to may then be over before anybody finishes it, and each later call on that bucket is ErrBusy,
// in every process. Nothing looks for it; the race detector does.
//
// A handle that is dropped without Close keeps its descriptor as long as its process lives, and a region
// that is dropped keeps its entry. After the Close of a region no table and no handle of it may be used:
// the program ends with a fault at the access, where addresses have 64 bits. Where they have 32, they may
// be the next mapping's by then.
//
// Who chooses the keys chooses which elements share a bucket, and so which ones leave: hash keys that
// come from outside with a secret before they come here.
//
// # Where it comes from
//
// The normative text is spec/tla/hopscotch: search.go, update.go, add.go, room.go, crop.go and help.go are
// its modules of the same names. Each function that bears the name of an action makes exactly one
// access of shared memory, the one of that action; no other function of these files makes any.
// That is how a run of this code is compared with the specification step by step. Without an
// action are searchTouch and searchRequest, which only warm the cache.
//
// A region is hostile ground: every index, distance and form that is read from it is bounded or
// validated before use, and every loop is bounded. Damage is an error, not a panic.
package hopscotch
