// Package shardmap is a map in shards, each with a spinning readers-writer lock, for caches whose entries
// grow stale and are cleaned up in passing: the sharded map of source 002.
//
//	m, err := shardmap.New[int, string, time.Time](shardmap.Options{})
//	m.Put(7, "seven", time.Now())
//	value, ok := m.Get(7)
//	old := shardmap.OfMeta[int, string](func(_ int, at time.Time) bool {
//		return time.Since(at) > time.Minute
//	})
//	result := m.Cleanup(old) // of one shard; the next call takes the next one
//
// # Cleanup
//
// A cleanup has two phases. It asks its predicate about each entry of a shard under the shared lock, while
// gets go on. Then it removes each stale entry under the exclusive lock, which it releases after each
// entry. The source erases whatever it finds in the second phase, so that a value that was put between the
// phases is lost until somebody puts it again, and calls that benign. Here each entry has a version, the
// number of the put in its shard, and the second phase leaves an entry alone whose version is another one.
//
// The version takes 8 bytes of each entry, 2 % of the time of a put, and 2 % of that of a removal, see
// results/shardmap/bench. To ask the predicate a second time, under the exclusive lock, takes no memory
// and as little time. But it asks twice about one entry, which a predicate that counts or draws
// notices, and the callback of GetFunc, whose deferred invalidation has the same race, must not be
// called twice for one call. One mechanism serves both, and what is removed is always the very entry
// that was judged.
//
// Options.AsWritten has the behaviour of the source.
//
// # Progress
//
// The locks block. While a goroutine holds one and does not run, the goroutines that want it wait: first in
// a loop, then by yielding their processor, then asleep for up to a millisecond between two looks.
// Callbacks and predicates are called with a lock held. They must be short, and must not call the map. For
// example, a callback of GetFunc that gets another key of the same shard waits for ever as soon as a writer
// waits for the callback's lock (state M14). A panic in one of them gives the lock back and goes on to the
// caller.
//
// # Consistency
//
// Get, GetFunc, Put, Invalidate and InvalidateIf of one key are linearizable. Size and All go from shard to
// shard: what they say of one shard was so at one instant of the call, of all shards together it need not
// have been (state M11).
//
// The specification is spec/tla/shardmap; the states are M01 to M14 of internal/catalog/shardmap.
package shardmap
