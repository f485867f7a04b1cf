package shardmap

import (
	"fmt"
	"hash/fnv"
	"slices"
	"unsafe"
)

// Place is a shared word of a map: what it is, and where.
type Place struct {
	Name  string
	At    unsafe.Pointer
	Bytes int
}

// Places are the shared words of the map: the lock of each shard, what stands for its contents in a build
// with the explorer, the flag and the cursor of cleanups. For tools that name what they see.
func (m *Map[K, V, M]) Places() []Place {
	var all []Place
	for i := range m.shards {
		s := &m.shards[i]
		all = append(all, Place{fmt.Sprintf("lock of shard %d", i), unsafe.Pointer(&s.word), 4})
		if size := int(unsafe.Sizeof(s.guard)); size > 0 {
			all = append(all, Place{fmt.Sprintf("contents of shard %d", i), unsafe.Pointer(&s.guard), size})
		}
	}
	return append(all, Place{"cleanup flag", unsafe.Pointer(&m.cleaning), 4},
		Place{"cursor", unsafe.Pointer(&m.cursor), 4})
}

// View is a map at rest, for tools and tests. Nobody else may call the map meanwhile.
type View[K comparable, V, M any] struct {
	Locks    []uint32 // by shard: the lock word
	Entries  []map[K]Entry[V, M]
	Cleaning bool
	Cursor   uint32
}

// Entry is what a map has of a key. Version is the number of its put in its shard.
type Entry[V, M any] struct {
	Value   V
	Meta    M
	Version uint64
}

// Inspect reads the map without its locks.
func (m *Map[K, V, M]) Inspect() View[K, V, M] {
	v := View[K, V, M]{Cleaning: *(*uint32)(unsafe.Pointer(&m.cleaning)) != 0,
		Cursor: *(*uint32)(unsafe.Pointer(&m.cursor))}
	for i := range m.shards {
		s := &m.shards[i]
		v.Locks = append(v.Locks, *(*uint32)(unsafe.Pointer(&s.word)))
		entries := map[K]Entry[V, M]{}
		for key, e := range s.entries {
			entries[key] = Entry[V, M]{e.value, e.meta, e.version}
		}
		v.Entries = append(v.Entries, entries)
	}
	return v
}

// Restore gives the key an entry past all locks: what a program of a test begins with. The clock of the shard
// goes on behind the largest version. Nobody else may call the map meanwhile.
func (m *Map[K, V, M]) Restore(key K, e Entry[V, M]) {
	s := m.of(key)
	s.entries[key] = entry[V, M]{e.Value, e.Meta, e.Version}
	s.clock = max(s.clock, e.Version)
}

// Rotate sets the cursor of the rotation, past all locks: for tests.
func (m *Map[K, V, M]) Rotate(cursor uint32) { *(*uint32)(unsafe.Pointer(&m.cursor)) = cursor }

// Settle sets the clock of each shard that has seen fewer puts to that number, past all locks: for tests.
func (m *Map[K, V, M]) Settle(puts uint64) {
	for i := range m.shards {
		m.shards[i].clock = max(m.shards[i].clock, puts)
	}
}

// digest is the same for the same contents, in whatever order the runtime has them.
func (s *shard[K, V, M]) digest() uint64 {
	var lines []string
	for key, e := range s.entries {
		lines = append(lines, fmt.Sprint(key, e))
	}
	slices.Sort(lines)
	h := fnv.New64a()
	fmt.Fprint(h, lines, s.clock) // never fails
	return h.Sum64()
}
