package sharded

import (
	"unsafe"

	"github.com/samecycle/samecycle/bench"
	"github.com/samecycle/samecycle/impl/shardmap"
)

// What it costs that the second phase of a cleanup leaves a fresh value alone. The variants differ in
// nothing else: one shard, the lock of the map, entries of two words.

// bare is an entry without a version.
type bare struct{ value, stamp uint64 }

// versioned is an entry with the number of its put.
type versioned struct{ value, stamp, version uint64 }

// shardOf is one shard of entries of a kind.
type shardOf[E any] struct {
	lock    shardmap.Lock
	entries map[uint64]E
	puts    uint64
}

const (
	repairKeys    = 1 << 13
	repairEveryth = 4 // one in so many entries is removed: what the source text takes for usual
)

func put(s *shardOf[bare], key uint64) {
	s.lock.Lock()
	s.entries[key] = bare{valueOf(key), key % repairEveryth}
	s.lock.Unlock()
}

func putVersioned(s *shardOf[versioned], key uint64) {
	s.lock.Lock()
	s.puts++
	s.entries[key] = versioned{valueOf(key), key % repairEveryth, s.puts}
	s.lock.Unlock()
}

// cleanBare is the cleanup of the source text; again, the predicate is asked a second time in the
// second phase.
func cleanBare(s *shardOf[bare], predicate func(key, stamp uint64) bool, again bool) (removed int) {
	s.lock.RLock()
	keys := make([]uint64, 0, len(s.entries)/repairEveryth)
	for key, e := range s.entries {
		if predicate(key, e.stamp) {
			keys = append(keys, key)
		}
	}
	s.lock.RUnlock()
	for _, key := range keys {
		s.lock.Lock()
		if e, ok := s.entries[key]; ok && (!again || predicate(key, e.stamp)) {
			delete(s.entries, key)
			removed++
		}
		s.lock.Unlock()
	}
	return removed
}

// cleanVersioned compares the version in the second phase.
func cleanVersioned(s *shardOf[versioned], predicate func(key, stamp uint64) bool) (removed int) {
	type judged struct{ key, version uint64 }
	s.lock.RLock()
	all := make([]judged, 0, len(s.entries)/repairEveryth)
	for key, e := range s.entries {
		if predicate(key, e.stamp) {
			all = append(all, judged{key, e.version})
		}
	}
	s.lock.RUnlock()
	for _, j := range all {
		s.lock.Lock()
		if e, ok := s.entries[j.key]; ok && e.version == j.version {
			delete(s.entries, j.key)
			removed++
		}
		s.lock.Unlock()
	}
	return removed
}

// The names of the variants.
const (
	byVersion = "version"
	byAgain   = "predicate again"
	unchecked = "as written"
)

// repairCells measure puts and cleanups with each variant, and the map itself in both of its modes.
func repairCells() []cell {
	var plain, again shardOf[bare]
	var with shardOf[versioned]
	plain.entries, again.entries = map[uint64]bare{}, map[uint64]bare{}
	with.entries = map[uint64]versioned{}
	predicate := func(_, stamp uint64) bool { return stamp == 0 }
	all := func(f func(key uint64)) func() int {
		return func() int {
			for key := range uint64(repairKeys) {
				f(key)
			}
			return 0
		}
	}
	fills := map[string]func() int{
		unchecked: all(func(key uint64) { put(&plain, key) }),
		byAgain:   all(func(key uint64) { put(&again, key) }),
		byVersion: all(func(key uint64) { putVersioned(&with, key) }),
	}
	subject := func(name string, run func() (removed int)) bench.Subject {
		return bench.Subject{Name: name, Ops: repairKeys / repairEveryth,
			Prepare: func() error { fills[name](); return nil },
			Run:     func() int { return repairKeys/repairEveryth - run() }}
	}
	return []cell{
		{name: "repair/put", goroutines: 1, subjects: []bench.Subject{
			{Name: byVersion, Ops: repairFills * repairKeys, Run: repeated(fills[byVersion])},
			{Name: unchecked, Ops: repairFills * repairKeys, Run: repeated(fills[unchecked])},
		}},
		{name: "repair/cleanup", goroutines: 1, subjects: []bench.Subject{
			subject(byVersion, func() int { return cleanVersioned(&with, predicate) }),
			subject(byAgain, func() int { return cleanBare(&again, predicate, true) }),
			subject(unchecked, func() int { return cleanBare(&plain, predicate, false) }),
		}},
		shippedCell(),
	}
}

// repairFills is how often a pass puts each key.
const repairFills = 50

func repeated(fill func() int) func() int {
	return func() int {
		for range repairFills {
			fill()
		}
		return 0
	}
}

// shippedCell is a full cleanup of the map as it ships, in both of its modes.
func shippedCell() cell {
	c := cell{name: "repair/shipped", goroutines: 1}
	for _, mode := range []struct {
		name      string
		asWritten bool
	}{{byVersion, false}, {unchecked, true}} {
		m, err := shardmap.New[uint64, uint64, uint64](shardmap.Options{AsWritten: mode.asWritten})
		if err != nil {
			panic(err) // the options are valid
		}
		remove := shardmap.OfMeta[uint64, uint64](func(_, stamp uint64) bool { return stamp == 0 })
		c.subjects = append(c.subjects, bench.Subject{Name: mode.name, Ops: repairKeys / repairEveryth,
			Prepare: func() error {
				for key := range uint64(repairKeys) {
					m.Put(key, valueOf(key), key%repairEveryth)
				}
				return nil
			},
			Run: func() int { return repairKeys/repairEveryth - m.FullCleanup(remove) }})
	}
	return c
}

// versionBytes is what the version adds to an entry.
const versionBytes = unsafe.Sizeof(versioned{}) - unsafe.Sizeof(bare{})
