// Package volume runs the races of the hopscotch table at full speed: it tells package stress what it needs
// to know about the table. The engine does not know of it: it has no hook, and the build is the normal one.
//
// # A run
//
// A run is one small table, of one operation state, with a few clients. Its recipe (recipe.go) makes the
// race of the state likely. The table has few cells, so only a few bits of the hash count; the homes of the
// keys collide; and each round varies the mix of operations (swarm testing). Half of the time a client
// looks for an operation in progress that the race needs, and makes the other operation of the race
// (hunt.go).
//
// # The judges
//
// Clients call Reclaim now and then while the others work. At the end of a round all clients rest. The
// parent finishes what dead clients have left, as any new process would: first their operations and then
// their descriptors, or both by a Reclaim. Then it checks:
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
// The mark of a state is an operation that took part in its race. The client looks at the home cells of its
// key after the moment of the call and before the moment of the return. The operation is a mark if one of
// these looks finds an operation of another client there, of the kind and with the key that the race needs,
// and if the result is one that belongs to the race. Then both operations were in progress at that instant.
// So a mark of S06 is a get that found its key while an add was installed that displaces the element with
// this key. It cannot be seen from outside whether the get read the cell at that very instant. The other
// client may be running, stopped, or dead.
//
//	S04 S05 S08      a claimed home: add of another key; get, delete of the key
//	S06 S07 S10      an add that displaces the key: get, update, delete
//	S09              an add that displaces the base: delete of a member
//	S11 S12 S13      a move of the key: get, update, delete
//	S14              a move of a member: delete of its base
//	S16 S17 S21      a drop of a lost member: get; a lift of the key: get; a clear: add
//	S22 S24          a lift of the key: delete; a drop of a member in the home of the key: add
//
// S01 and S02 are no races: their marks are an add whose home was empty, and a base that is a member
// afterwards. The mark of S03 is an add that received the element that it evicted. The other marks are
// found in the histories of two clients: operations that overlap and have results that only the race gives.
// S15: two gets with no other operation on the key. S18: a get of the value that an update took or stored.
// S19: two updates of which one takes the value that the other stored. S20: two deletes of members of one
// bucket. S23: two deletes of one key of which one succeeds. S25: a swap and a delete of one key that both
// succeed. S26: a ticket that does not hold, while its key is added again. S27:
// a swap and a conditional delete of one key of which one succeeds.
package volume
