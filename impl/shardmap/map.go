package shardmap

import (
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/samecycle/samecycle/internal/seam"
)

// ErrOptions is what New returns for options that no map can have.
var ErrOptions = errors.New("shardmap: options")

// MaxShards bounds Options.Shards.
const MaxShards = 256

// defaultShards is taken for options that name no number of shards.
const defaultShards = 8

// Options say how a map is made. The zero value is useful.
type Options struct {
	// Shards is the number of shards, a power of two up to MaxShards; 0 is 8. More of them reduce contention
	// and what one Cleanup does, and take 64 bytes and a Go map each.
	Shards int

	// AsWritten makes the second phase of a cleanup, and the deferred invalidation of GetFunc, erase whatever
	// is there by then, as the source text has it. It is there to show what is lost.
	AsWritten bool
}

// Map is a sharded map from K to V, with metadata M of each entry. New makes one; the methods of another one
// panic and say so. All methods may be called by any goroutine at any time. Keys are compared by ==: one that
// is not equal to itself, a NaN, is put anew each time and never found, as in a Go map.
type Map[K comparable, V, M any] struct {
	shards    []shard[K, V, M]
	shift     uint // of a hash, to its shard
	hash      func(K) uint64
	asWritten bool

	// The words of cleanups are on no cache line that each call reads.
	_        [lineBytes]byte
	cleaning seam.Uint32 // 1 while a cleanup is in progress
	cursor   seam.Uint32 // the rotation: the next shard is its value modulo the number of shards
	_        [lineBytes]byte
}

// lineBytes keeps shards out of one another's cache lines.
const lineBytes = 64

// shard is a part of the map with its own lock.
type shard[K comparable, V, M any] struct {
	Lock
	guard   seam.Guarded // of what follows
	clock   uint64       // number of puts
	entries map[K]entry[V, M]
	_       [lineBytes - shardBytes%lineBytes]byte
}

// shardBytes is the size of what a shard has: the same fields, with any map for its own.
const shardBytes = unsafe.Sizeof(struct {
	_ Lock
	_ seam.Guarded
	_ uint64
	_ map[int]int
}{})

// entry is what a shard has of a key. No two entries of a key have the same version.
type entry[V, M any] struct {
	value   V
	meta    M
	version uint64
}

// New makes an empty map. Errors wrap ErrOptions.
func New[K comparable, V, M any](o Options) (*Map[K, V, M], error) {
	if o.Shards == 0 {
		o.Shards = defaultShards
	}
	if o.Shards < 1 || o.Shards > MaxShards || o.Shards&(o.Shards-1) != 0 {
		return nil, fmt.Errorf("%w: Shards is %d; use a power of two from 1 to %d, or 0 for %d", ErrOptions,
			o.Shards, MaxShards, defaultShards)
	}
	m := &Map[K, V, M]{shards: make([]shard[K, V, M], o.Shards), shift: uint(65 - bits.Len(uint(o.Shards))),
		hash: hasher[K](), asWritten: o.AsWritten}
	for i := range m.shards {
		m.shards[i].entries = map[K]entry[V, M]{}
	}
	return m, nil
}

// fibonacci is 2^64 divided by the golden ratio: it scatters numbers that follow one another over the shards.
const fibonacci = 11400714819323198485

// hasher returns the hash of keys of a type, whose upper bits choose the shard: Fibonacci's of integers, that
// of the runtime with a seed of this map of all others.
func hasher[K comparable]() func(K) uint64 {
	switch reflect.TypeFor[K]().Kind() {
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr:
		if unsafe.Sizeof(*new(K)) == 8 {
			return func(k K) uint64 { return *(*uint64)(unsafe.Pointer(&k)) * fibonacci }
		}
		return func(k K) uint64 { return uint64(*(*uint32)(unsafe.Pointer(&k))) * fibonacci }
	case reflect.Int32, reflect.Uint32:
		return func(k K) uint64 { return uint64(*(*uint32)(unsafe.Pointer(&k))) * fibonacci }
	case reflect.Int16, reflect.Uint16:
		return func(k K) uint64 { return uint64(*(*uint16)(unsafe.Pointer(&k))) * fibonacci }
	case reflect.Int8, reflect.Uint8:
		return func(k K) uint64 { return uint64(*(*uint8)(unsafe.Pointer(&k))) * fibonacci }
	}
	seed := maphash.MakeSeed()
	return func(k K) uint64 { return maphash.Comparable(seed, k) }
}

// Shards is the number of shards.
func (m *Map[K, V, M]) Shards() int {
	m.made()
	return len(m.shards)
}

// ShardOf is the number of the shard that has the key, from 0.
func (m *Map[K, V, M]) ShardOf(key K) int {
	m.made()
	return int(m.hash(key) >> m.shift)
}

// made panics for a map that New has not made.
func (m *Map[K, V, M]) made() {
	if m == nil || m.hash == nil {
		panic("shardmap: the map was not made; make one by New")
	}
}

// of is the shard of the key.
func (m *Map[K, V, M]) of(key K) *shard[K, V, M] {
	m.made()
	return &m.shards[m.hash(key)>>m.shift]
}

// Get returns the value of the key, and whether there is one.
func (m *Map[K, V, M]) Get(key K) (value V, ok bool) {
	s := m.of(key)
	s.RLock()
	s.shardLook()
	e, ok := s.entries[key]
	s.RUnlock()
	return e.value, ok
}

// Put gives the key the value and the metadata, in place of what it has.
func (m *Map[K, V, M]) Put(key K, value V, meta M) {
	s := m.of(key)
	s.Lock.Lock()
	s.shardChange(func() {
		s.clock++
		s.entries[key] = entry[V, M]{value, meta, s.clock}
	})
	s.Unlock()
}

// Invalidate takes the key out, and reports whether it was there.
func (m *Map[K, V, M]) Invalidate(key K) (found bool) {
	s := m.of(key)
	s.Lock.Lock()
	s.shardChange(func() {
		_, found = s.entries[key]
		delete(s.entries, key)
	})
	s.Unlock()
	return found
}

// InvalidateIf takes the key out if it is there and the predicate is true of it, and reports whether it did.
// The predicate is called under the exclusive lock of the shard: it and the removal see one entry.
func (m *Map[K, V, M]) InvalidateIf(key K, is func(value V, meta M) bool) (removed bool) {
	if is == nil {
		panic("shardmap: InvalidateIf without a predicate; use Invalidate to take a key out in any case")
	}
	s := m.of(key)
	s.Lock.Lock()
	defer s.Unlock()
	e, ok := s.entries[key]
	removed = ok && is(e.value, e.meta)
	s.shardChange(func() {
		if removed {
			delete(s.entries, key)
		}
	})
	return removed
}

// Action is what the callback of GetFunc decides.
type Action uint8

// The actions of a callback.
const (
	Accept  Action = iota // return the value, keep the entry
	Reject                // return that the key is absent, keep the entry
	Discard               // return that the key is absent, take the entry out
)

// GetFunc returns the value of the key if the callback accepts it. The callback is called under the shared
// lock of the shard if the key is there. When it says Discard, the entry is taken out afterwards, under the
// exclusive lock, unless it has been replaced meanwhile. It panics if the callback returns none of the
// actions.
func (m *Map[K, V, M]) GetFunc(key K, decide func(value V, meta M) Action) (value V, ok bool) {
	if decide == nil {
		panic("shardmap: GetFunc without a callback; use Get")
	}
	s := m.of(key)
	e, found, action := s.decide(key, decide)
	switch {
	case !found:
		return value, false
	case action == Accept:
		return e.value, true
	case action == Discard:
		m.eraseCollected(s, key, e.version)
	}
	return value, false
}

// decide asks the callback under the shared lock, which a panic gives back.
func (s *shard[K, V, M]) decide(key K, decide func(V, M) Action) (e entry[V, M], found bool, action Action) {
	s.RLock()
	defer s.RUnlock()
	s.shardLook()
	if e, found = s.entries[key]; found {
		action = decide(e.value, e.meta)
	}
	if action > Discard {
		panic(fmt.Sprintf("shardmap: the callback of GetFunc returned the action %d; return Accept, "+
			"Reject or Discard", action))
	}
	return e, found, action
}

// eraseCollected takes an entry out that was found stale before, if it is still the same one.
func (m *Map[K, V, M]) eraseCollected(s *shard[K, V, M], key K, version uint64) (erased bool) {
	s.Lock.Lock()
	s.shardChange(func() {
		e, ok := s.entries[key]
		if erased = ok && (m.asWritten || e.version == version); erased {
			delete(s.entries, key)
		}
	})
	s.Unlock()
	return erased
}

// Size is the number of entries: the sum of what each shard had at some instant of the call.
func (m *Map[K, V, M]) Size() int {
	m.made()
	n := 0
	for i := range m.shards {
		s := &m.shards[i]
		s.RLock()
		s.shardLook()
		n += len(s.entries)
		s.RUnlock()
	}
	return n
}

// Clear takes all entries out, a shard after the other, and returns how many there were.
func (m *Map[K, V, M]) Clear() int {
	m.made()
	n := 0
	for i := range m.shards {
		s := &m.shards[i]
		s.Lock.Lock()
		s.shardChange(func() {
			n += len(s.entries)
			clear(s.entries)
		})
		s.Unlock()
	}
	return n
}

// All goes through the entries, in no order. It copies a shard under its lock and then calls the loop's body
// without one, so the body may call the map. An entry that stays in the map during the loop is seen exactly
// once.
func (m *Map[K, V, M]) All() iter.Seq2[K, V] {
	m.made()
	return func(yield func(K, V) bool) {
		type pair struct {
			key   K
			value V
		}
		var pairs []pair
		for i := range m.shards {
			s := &m.shards[i]
			pairs = pairs[:0]
			s.RLock()
			s.shardLook()
			s.each(func(key K, e *entry[V, M]) { pairs = append(pairs, pair{key, e.value}) })
			s.RUnlock()
			for _, p := range pairs {
				if !yield(p.key, p.value) {
					return
				}
			}
		}
	}
}
