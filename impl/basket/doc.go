// Package basket is the store of records of a cache, in a byte region that any number of processes share.
// The records have full keys and values, and an index finds them: it maps 32-bit hashes to 32-bit refs.
//
// # Terms
//
//	unit     8 bytes; a record begins at a unit, and takes whole units
//	record   one key with its value; once the index leads to it, it is never written again
//	ref      the unit at which a record begins, plus one
//	chain    the records of all keys of one hash; the index leads to the first one
//	basket   a slice of the region of fixed size, filled by one writer, freed as a whole
//	ticket   what the index has under a hash, with its version
//	hand     what the index has handed over to an actor that has not copied it yet
//
// # The protocol in one minute
//
//	free -> open(owner) -> sealed -> retiring(owner) -> free, next generation
//
// A writer appends records to its open basket. A change of a key appends a new record, and copies of the
// records before it in its chain. Then it swaps what the index has under the hash, by one compare-and-swap
// against a ticket. So every operation on the keys of one hash takes effect at one step, and a kill leaves
// the old value or the new one.
//
// A writer that needs room claims the oldest sealed basket. It takes the records of the basket out of the
// index, one after the other, and frees the basket when the index leads to none of them. While there is room
// for all live records, it claims the basket with the most dead units instead, and moves its live records.
// Records that were used since they were written are moved, too, as long as that makes room.
//
// A reader needs no pin. It takes a ticket, copies the record, and asks whether the ticket still holds. If
// it does, the record was in the index all the time, so its basket was not freed, and the copy is whole. If
// it does not, the reader starts again.
//
// The store tells each record that is taken out of the index without a call for its key
// (WriterOptions.Tell). So the store is a map with told removals. A writer that dies between the swap and
// the telling has told nothing.
//
// No call waits for another actor. A writer that is stopped keeps at most one open basket for each lane, and
// one that it retires. A dead writer keeps none: any writer that looks for a basket takes what the dead one
// has left.
//
// # Where it comes from
//
// The specification is spec/tla/basket. append.go, room.go and walk.go implement its modules of the same
// names; copy.go, reader.go and change.go implement the copies, the lookups and the swaps. A function with
// the name of an action makes the access of that action:
//
//	IndexLookup             indexLookup                     the Index decides how many accesses that is
//	IndexStill              indexStill
//	IndexSwap               indexSwap
//	IndexInstall, IndexFlip indexInstall                    and whatever the Index does for others
//	IndexPush               the call of Writer.handed       noteChain copies what was handed over
//	IndexDrop               Index.Forget
//	CopyHead                copySize, copyHead, copyExpiry  a record has three words before its key
//	CopyLow, CopyHigh       copyValue, seam.Matches         as many accesses as there are words, or bytes
//	AppendZero              appendZero
//	AppendHead              appendHead, appendExpiry
//	AppendLow, AppendHigh   appendBytes
//	AppendSize              appendSize
//	RoomLook                roomLook
//	RoomNumber, RoomOpen    roomNumber, roomOpen
//	RoomSeal                roomSeal
//	RoomSettle              roomSettle                      Index.Settle
//	RoomTake                roomTake
//	WalkSize                walkSize
//	WalkTell                walkTell
//	WalkHand                walkHand                        Index.Handed
//	WalkNumber, WalkBack    walkNumber, walkBack
//	WalkZero, WalkFree      walkZero, walkFree
//
// The functions owner..., touch..., hint..., secret... and tick... have no action. They are about entries of
// writers, recency, counts of live units, and numbers that the store keeps for its users.
// results/divergences.md lists where the code differs from the specification.
//
// # Memory order
//
// Words are loaded and stored by sync/atomic. The bytes of keys and values are copied as plain memory on
// amd64 (seam.CopyOut, CopyIn, Matches). On other processors, under the race detector and in an exploration
// they are copied word by word through sync/atomic. In both cases the loads of a copy come before the loads
// of the following Still, and the stores of an append come before the compare-and-swap that publishes it.
//
// The contents of a region are not trusted: every ref, size and length is bounded before it is used, and
// every loop is bounded. Damage is an error, not a panic.
package basket
