// Package volume lets the sharded map that ships run natively, in goroutines, as package stress drives it.
//
// # A run
//
// A world is a map of two shards and four keys, which six goroutines or so use at once. Callbacks and
// predicates give the processor away now and then while a lock is held, so that others meet the lock on two
// processors as well. The cursor of the rotation begins a few turns before it wraps.
//
// # The judges
//
// Each value is put once, so that a get tells whose put it saw. No call returns what a cleanup and a
// deferred invalidation erase, but the predicate shows what they collected. Each collected entry is an
// operation of its own in the history, within the interval of its call: it removes the key if the key still
// has this value. An order that explains all answers, key by key, is looked for. At rest all locks and the
// flag are free.
//
// # What a mark means
//
// For the states of the lock (M01 to M05) a client looks at the lock word within the interval of its
// operation and has seen the other party. For the others two operations whose intervals overlap, with the
// answers that the race gives.
package volume

import (
	"fmt"
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/samecycle/samecycle/impl/shardmap"
	register "github.com/samecycle/samecycle/internal/catalog/shardmap"
	"github.com/samecycle/samecycle/scenarios/shardmap/states"
	"github.com/samecycle/samecycle/stress"
)

// The size of a world.
const (
	shards = 2
	keys   = 4
	// turns are how many cleanups there are before the cursor wraps.
	turns = 64
)

// table is the map: a value tells who put it, its metadata whether it is stale at once (odd).
type table = shardmap.Map[uint32, uint64, uint64]

// subject is the sharded map as package stress drives it.
type subject struct {
	stress.Plain
	written bool                                  // the behaviour of the source: a fault of tests
	lie     func(c stress.Words, r *stress.Words) // changes an answer: a fault of tests; nil: none
}

// Subject is the sharded map for a stress campaign, in goroutines.
func Subject() stress.Subject { return &subject{} }

func (*subject) Name() string { return register.Engine().Name }

func (*subject) States() []string { return register.Engine().StateIDs() }

// Deaths: the map is on the heap of one process.
func (*subject) Deaths() bool { return false }

// Join is never asked: a subject without deaths has no worker processes.
func (*subject) Join([]byte, uint32) (stress.Client, error) {
	return nil, fmt.Errorf("%w: the sharded map has no processes", stress.ErrAssignment)
}

// Open makes the map of one run.
func (s *subject) Open(o stress.Setup) (stress.World, error) {
	state, ok := register.StateByID(o.State)
	if !ok {
		return nil, fmt.Errorf("state %s is not in the catalog", o.State)
	}
	m, err := shardmap.New[uint32, uint64, uint64](shardmap.Options{Shards: shards, AsWritten: s.written})
	if err != nil {
		return nil, err
	}
	m.Rotate(math.MaxUint32 - turns)
	row, _ := states.Of(state.ID)
	return &world{subject: s, state: state.Number, mix: row.Volume, m: m, locks: locksOf(m)}, nil
}

// locksOf are the lock words by shard, to be looked at without a lock.
func locksOf(m *table) (all [shards]*atomic.Uint32) {
	i := 0
	for _, p := range m.Places() {
		if p.Name == fmt.Sprintf("lock of shard %d", i) {
			all[i] = (*atomic.Uint32)(unsafe.Pointer(p.At))
			if i++; i == shards {
				break
			}
		}
	}
	return all
}
