// Package volume runs the races of the hopscotch table natively: it is what package stress needs to know of
// the table. Nothing in the engine knows of it: there is no hook, and the build is the normal one.
//
// # A run
//
// A run is one small table, of one operation state, with a few clients. Its recipe (recipe.go)
// makes the race of the state likely: a table of a few cells, which cuts the hash to a few bits;
// keys whose homes collide; a mix of operations that each round varies (swarm). Half of the time
// a client looks for an operation in progress that the race needs, and makes the other one
// (hunt.go).
//
// # The judges
//
// Clients call Reclaim now and then while the others go on. At the end of a round all clients rest, and the
// parent finishes what the dead have left, as any newcomer would: their operations, and then their
// descriptors, or all of it by a Reclaim. Then:
//
//   - the history of the round is decided by linearizability, from the contents at its beginning
//     to a last read of each key
//   - the engine's structural check finds nothing, cells add up, nothing is held
//   - each value that was put in is in one cell or was handed to one client; else it left by an
//     operation of the dead, which must have been able to take it (audit.go)
//   - what a Reclaim hands over is what the descriptor said, and nobody but the dead client can have been
//     told of it before (reclaim.go)
//   - each key is there as often as it was added and not taken out
//   - each living client has one descriptor and each other descriptor is free: those of the dead have been
//     given back. There are no more than the clients and the dead of one round need
//
// # What a mark means
//
// The mark of a state is an operation that took part in its race. The client looks at the home
// cells of its key after the moment of the call and before the moment of the return; if one of
// the looks finds there the operation of somebody else, of the kind that the race needs, with the
// key in the part that the race is about, and what came back is what the race is about, then both
// were in progress at that instant. So S06 is a get that found its key, while an add was installed
// that displaces the element with this key; whether the get read the cell in the very instant,
// nobody can see from outside. The other client may be running, stopped, or dead.
//
//	S04 S05 S08      a claimed home: add of another key; get, delete of the key
//	S06 S07 S10      an add that displaces the key: get, update, delete
//	S09              an add that displaces the base: delete of a member
//	S11 S12 S13      a move of the key: get, update, delete
//	S14              a move of a member: delete of its base
//	S16 S17 S21      a drop of a lost member: get; a lift of the key: get; a clear: add
//	S22 S24          a lift of the key: delete; a drop of a member in the home of the key: add
//
// S01 and S02 are no races: an add whose home was empty, or a base that is a member afterwards. S03
// is an add that was handed what it evicted. Two histories tell the rest: operations that overlap
// and have results that only the race gives, as S23, two deletes of which one succeeds; S15 two
// gets with no other operation of the key; S18 a get of the value that an update took or gave; S19
// two updates of which one takes what the other gave; S20 two deletes of members of one bucket.
package volume
