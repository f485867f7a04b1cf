// Package shardmap is the only register of the names of the sharded map: its operation states, and the atomic
// actions of its lock, its shards and its cleanup.
package shardmap

import "github.com/samecycle/samecycle/internal/catalog"

// Engine returns the names of the sharded map. A caller may change what it is given.
func Engine() *catalog.Engine { return engine.Clone() }

var engine = catalog.Engine{
	Name:   "shardmap",
	Title:  "a sharded map with spinning readers-writer locks and cleanup in two phases",
	States: states[:], Actions: actions,
}

// States returns the operation states in their order. The slice is a copy: a caller may change it.
func States() []catalog.State { return Engine().States }

// StateByID returns the state with the given identifier, or with the given short form (M04, m4, 4).
func StateByID(id string) (catalog.State, bool) { return engine.StateByID(id) }

var states = [14]catalog.State{
	state("M01ReaderWriter", 1, "Reader fast path against writer acquisition",
		"a reader and a writer are never inside at the same time"),
	state("M02WriterStarvation", 2, "Writer-preference",
		"a writer that has set its flag gets in, though readers keep coming"),
	state("M03WriterDrain", 3, "Wait for existing readers to drain",
		"a writer goes in when the last reader has left, and not before"),
	state("M04WriterWriter", 4, "Claim writer bit",
		"of two writers one goes in at a time, and both get in"),
	state("M05ReadRetreat", 5, "Writer present, undo and spin",
		"a reader retreats while the writer leaves: no count is lost, no lock is left behind"),
	state("M06GetInvalidate", 6, "Get against invalidate",
		"a get sees the whole entry or none, and none after the invalidation has returned"),
	state("M07DeferredInvalidation", 7, "Deferred Invalidation in get()",
		"an entry that was put after the callback has spoken stays"),
	state("M08CleanupPut", 8, "Benign TOCTOU",
		"an entry that was put between the two phases of a cleanup stays"),
	state("M09TwoCleanups", 9, "Cleanup Coordination",
		"one cleanup runs at a time; try_cleanup gives up, cleanup waits"),
	state("M10CursorWrap", 10, "Shard Rotation",
		"shard_count() calls in succession clean each shard once, across the wrap of the cursor, too"),
	state("M11SizeChanging", 11, "size() while the map changes",
		"the count of each shard was right at a moment of the call; the sum is no snapshot"),
	state("M12ConditionalInvalidate", 12, "Find + conditional erase",
		"the predicate and the erase of a conditional invalidation see one entry"),
	state("M13FullCleanup", 13, "full_cleanup() iterates all shards while holding the flag",
		"each shard is cleaned, a fresh entry stays, and no other cleanup runs"),
	state("M14CallbackReenters", 14, "Callback under shared lock",
		"a callback that calls the map again waits for itself only where the documentation says so"),
}

func state(id string, number int, title, claim string) catalog.State {
	return catalog.State{ID: id, Number: number, Title: title, Claim: claim}
}
