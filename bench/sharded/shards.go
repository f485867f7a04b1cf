package sharded

import (
	"fmt"

	"github.com/samecycle/samecycle/bench"
)

// lockedShards is a map in eight shards behind locks of a kind: what the map of ours is, with another
// lock. It is a store without cleanups.
type lockedShards [8]struct {
	locker
	entries map[uint64]uint64
}

func newLockedShards(make func() locker) *lockedShards {
	var s lockedShards
	for i := range s {
		s[i].locker, s[i].entries = make(), map[uint64]uint64{}
	}
	return &s
}

func (s *lockedShards) get(key uint64) (value uint64, ok bool) {
	shard := &s[spread(key)>>29]
	shard.RLock()
	value, ok = shard.entries[key]
	shard.RUnlock()
	return value, ok
}

func (s *lockedShards) put(key, value, _ uint64) {
	shard := &s[spread(key)>>29]
	shard.Lock()
	shard.entries[key] = value
	shard.Unlock()
}

func (s *lockedShards) cleanup() int { return 0 }

// shardsCell compares the locks where a map uses them: each tenth call is a put.
func shardsCell(goroutines int) cell {
	c := cell{name: fmt.Sprintf("wait/shards/%d", goroutines), goroutines: goroutines}
	all := make([]calls, goroutines)
	for who := range all {
		all[who] = drawCalls(1, who, mapOps/goroutines, 10)
	}
	for _, kind := range allLocks {
		s := newLockedShards(kind.make)
		for key := range uint64(mapKeys) {
			s.put(key, valueOf(key), fresh)
		}
		c.subjects = append(c.subjects, bench.Subject{Name: kind.name, Ops: mapOps, Together: true,
			Run: func() int { return many(goroutines, func(who int) int { return all[who].run(s, false) }) }})
	}
	return c
}
