package sharded

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	cmap "github.com/orcaman/concurrent-map/v2"
	"github.com/puzpuzpuz/xsync/v4"

	"github.com/samecycle/samecycle/bench"
	"github.com/samecycle/samecycle/impl/shardmap"
)

// item is what a peer has of a key. Ours has the stamp as metadata.
type item struct{ value, stamp uint64 }

// stale is the stamp of an item that a cleanup takes out; fresh that of one that it leaves.
const stale, fresh = 0, 1

// store is a map that can be cleaned up. Cleanup goes once through all entries and takes out the stale
// ones; none of the stores takes out an item that was put in place of the one that was judged.
type store interface {
	get(key uint64) (value uint64, ok bool)
	put(key, value, stamp uint64)
	cleanup() (removed int)
}

type oursStore struct {
	m     *shardmap.Map[uint64, uint64, uint64]
	stale shardmap.Predicate[uint64, uint64, uint64]
}

func newOurs(shards int) store {
	m, err := shardmap.New[uint64, uint64, uint64](shardmap.Options{Shards: shards})
	if err != nil {
		panic(err) // the numbers of shards are those below
	}
	return oursStore{m, shardmap.OfMeta[uint64, uint64](func(_, stamp uint64) bool { return stamp == stale })}
}

func (s oursStore) get(key uint64) (uint64, bool) { return s.m.Get(key) }
func (s oursStore) put(key, value, stamp uint64)  { s.m.Put(key, value, stamp) }
func (s oursStore) cleanup() (removed int)        { return s.m.FullCleanup(s.stale) }

// syncMap is the map of the standard library.
type syncMap struct{ m *sync.Map }

func (s syncMap) get(key uint64) (uint64, bool) {
	v, ok := s.m.Load(key)
	if !ok {
		return 0, false
	}
	return v.(item).value, true
}

func (s syncMap) put(key, value, stamp uint64) { s.m.Store(key, item{value, stamp}) }

func (s syncMap) cleanup() (removed int) {
	s.m.Range(func(key, v any) bool {
		if v.(item).stamp == stale && s.m.CompareAndDelete(key, v) {
			removed++
		}
		return true
	})
	return removed
}

// xsyncMap is the map of puzpuzpuz/xsync.
type xsyncMap struct{ m *xsync.Map[uint64, item] }

func (s xsyncMap) get(key uint64) (uint64, bool) {
	v, ok := s.m.Load(key)
	return v.value, ok
}

func (s xsyncMap) put(key, value, stamp uint64) { s.m.Store(key, item{value, stamp}) }

func (s xsyncMap) cleanup() int {
	return s.m.DeleteMatching(func(_ uint64, v item) (remove, stop bool) { return v.stamp == stale, false })
}

// concurrentMap is orcaman's. Its shards have a sync.RWMutex each.
type concurrentMap struct {
	m cmap.ConcurrentMap[uint64, item]
}

// spread is the sharding function of a user who knows that the low bits choose the shard.
func spread(key uint64) uint32 { return uint32(key * 11400714819323198485 >> 32) }

func (s concurrentMap) get(key uint64) (uint64, bool) {
	v, ok := s.m.Get(key)
	return v.value, ok
}

func (s concurrentMap) put(key, value, stamp uint64) { s.m.Set(key, item{value, stamp}) }

// cleanup collects and removes: the map has no call for it, and calls back with a shard locked.
func (s concurrentMap) cleanup() (removed int) {
	var keys []uint64
	s.m.IterCb(func(key uint64, v item) {
		if v.stamp == stale {
			keys = append(keys, key)
		}
	})
	for _, key := range keys {
		if s.m.RemoveCb(key, func(_ uint64, v item, ok bool) bool { return ok && v.stamp == stale }) {
			removed++
		}
	}
	return removed
}

// namedStore makes a store of a kind.
type namedStore struct {
	name string
	make func() store
}

// stores returns the kinds, ours first. concurrent-map has 32 shards, so ours takes part with as many, too.
func stores() []namedStore {
	return []namedStore{
		{ours, func() store { return newOurs(0) }},
		{"shardmap, 32 shards", func() store { return newOurs(32) }},
		{"sync.Map", func() store { return syncMap{new(sync.Map)} }},
		{"xsync", func() store { return xsyncMap{xsync.NewMap[uint64, item](xsync.WithPresize(mapKeys))} }},
		{"concurrent-map", func() store {
			return concurrentMap{cmap.NewWithCustomShardingFunction[uint64, item](spread)}
		}},
	}
}

const (
	mapKeys = 1 << 14 // in the map
	mapOps  = 1 << 18 // of a pass
)

// valueOf is the value of a key: always the same, so that each get can be checked.
func valueOf(key uint64) uint64 { return key ^ 0x5555 }

// calls are the operations of one goroutine of a pass, drawn beforehand.
type calls struct {
	keys []uint64
	puts []bool
}

// drawCalls draws them from the seed; share of them are puts, in percent.
func drawCalls(seed uint64, who, ops, share int) calls {
	r := rand.New(rand.NewPCG(seed, uint64(who)))
	var c calls
	for range ops {
		c.keys = append(c.keys, r.Uint64N(mapKeys))
		c.puts = append(c.puts, r.IntN(100) < share)
	}
	return c
}

// run makes the calls and returns how many results were wrong. A key may be absent only where cleanups run.
func (c calls) run(s store, mayMiss bool) (wrong int) {
	for i, key := range c.keys {
		if c.puts[i] {
			stamp := uint64(fresh)
			if mayMiss && i%64 == 0 {
				stamp = stale
			}
			s.put(key, valueOf(key), stamp)
			continue
		}
		if v, ok := s.get(key); ok && v != valueOf(key) || !ok && !mayMiss {
			wrong++
		}
	}
	return wrong
}

// cleanupPause is how long the goroutine that cleans up waits after it has gone through all entries.
const cleanupPause = time.Millisecond

// cleaning cleans the store up until stop is called, which returns when the goroutine has ended.
func cleaning(s store) (stop func()) {
	var over atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !over.Load() {
			s.cleanup()
			time.Sleep(cleanupPause)
		}
	}()
	return func() {
		over.Store(true)
		<-done
	}
}

// mapCells are the measurements of maps.
func mapCells(seed uint64) []cell {
	var cells []cell
	for _, work := range []struct {
		name  string
		share int
	}{{"get", 0}, {"mixed", 10}} {
		for _, cleanup := range []bool{false, true} {
			for _, n := range counts {
				cells = append(cells, mapCell(seed, n, work.name, work.share, cleanup))
			}
		}
	}
	return cells
}

func mapCell(seed uint64, goroutines int, work string, share int, cleanup bool) cell {
	c := cell{name: fmt.Sprintf("map/%s/%d", work, goroutines), goroutines: goroutines}
	if cleanup {
		c.name, c.goroutines = fmt.Sprintf("map/%s-cleanup/%d", work, goroutines), goroutines+1
	}
	all := make([]calls, goroutines)
	for who := range all {
		all[who] = drawCalls(seed, who, mapOps/goroutines, share)
	}
	for _, kind := range stores() {
		var s store
		c.subjects = append(c.subjects, bench.Subject{Name: kind.name, Ops: mapOps,
			Together: c.goroutines > 1,
			Prepare: func() error {
				if s == nil {
					s = kind.make()
				}
				for key := range uint64(mapKeys) { // what a cleanup took out is there again
					s.put(key, valueOf(key), fresh)
				}
				return nil
			},
			Run: func() int {
				if cleanup {
					defer cleaning(s)()
				}
				return many(goroutines, func(who int) int { return all[who].run(s, cleanup) })
			}})
	}
	return c
}
