package shardmap

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/seam"
)

// Predicate says which entries a cleanup takes out. It has one of the three forms that the source text
// names, made by OfMeta, OfValue or OfShard; what the source passes as context is what the function has
// from its surroundings. It is called under the shared lock of a shard, for each of its entries, so it
// must be short and must not call the map.
type Predicate[K comparable, V, M any] struct {
	meta  func(K, M) bool
	value func(K, V, M) bool
	shard func(K, V, M, int) bool
}

// OfMeta is a predicate on key and metadata. It is the cheapest form where values are large.
func OfMeta[K comparable, V, M any](is func(key K, meta M) bool) Predicate[K, V, M] {
	return Predicate[K, V, M]{meta: is}
}

// OfValue is a predicate on key, value and metadata.
func OfValue[K comparable, V, M any](is func(key K, value V, meta M) bool) Predicate[K, V, M] {
	return Predicate[K, V, M]{value: is}
}

// OfShard is a predicate on key, value, metadata and the number of the shard, from 0.
func OfShard[K comparable, V, M any](is func(key K, value V, meta M, shard int) bool) Predicate[K, V, M] {
	return Predicate[K, V, M]{shard: is}
}

// is asks the predicate about an entry.
func (p *Predicate[K, V, M]) is(key K, e *entry[V, M], shard int) bool {
	switch {
	case p.meta != nil:
		return p.meta(key, e.meta)
	case p.value != nil:
		return p.value(key, e.value, e.meta)
	}
	return p.shard(key, e.value, e.meta, shard)
}

func (p *Predicate[K, V, M]) check() {
	if p.meta == nil && p.value == nil && p.shard == nil {
		panic("shardmap: a cleanup without a predicate; make one by OfMeta, OfValue or OfShard")
	}
}

// Result is what a cleanup of one shard did.
type Result struct {
	Removed int // entries
	Shard   int // that it has cleaned, from 0
}

// Cleanup takes the stale entries out of one shard, the next one of a rotation: after as many calls as there
// are shards each of them was cleaned. It waits for a cleanup in progress.
func (m *Map[K, V, M]) Cleanup(stale Predicate[K, V, M]) Result {
	m.made()
	stale.check()
	m.claim()
	return m.cleanNext(&stale)
}

// TryCleanup is Cleanup, but gives up, and reports false, if a cleanup is in progress.
func (m *Map[K, V, M]) TryCleanup(stale Predicate[K, V, M]) (Result, bool) {
	m.made()
	stale.check()
	if m.cleanupClaim() != 0 {
		return Result{}, false
	}
	return m.cleanNext(&stale), true
}

// FullCleanup takes the stale entries out of all shards, one after the other, and returns how many. It waits
// for a cleanup in progress, and keeps others out until it has ended.
func (m *Map[K, V, M]) FullCleanup(stale Predicate[K, V, M]) (removed int) {
	m.made()
	stale.check()
	m.claim()
	defer m.cleanupLeave()
	for i := range m.shards {
		removed += m.clean(i, &stale)
	}
	return removed
}

// claim takes the flag, and waits for whoever has it.
func (m *Map[K, V, M]) claim() {
	for m.cleanupClaim() != 0 {
		for spins := 0; m.cleanupWait() != 0; spins++ {
			relax(spins)
		}
	}
}

// cleanNext cleans the next shard and gives the flag back, after a panic as well.
func (m *Map[K, V, M]) cleanNext(stale *Predicate[K, V, M]) Result {
	defer m.cleanupLeave()
	i := int(m.cleanupNext()) & (len(m.shards) - 1)
	return Result{Removed: m.clean(i, stale), Shard: i}
}

// collected is an entry that was found stale.
type collected[K comparable] struct {
	key     K
	version uint64
}

// clean takes the stale entries out of a shard: it collects them under the shared lock, and takes each out
// under the exclusive lock.
func (m *Map[K, V, M]) clean(i int, stale *Predicate[K, V, M]) (removed int) {
	for _, c := range m.shards[i].collect(i, stale) {
		if m.eraseCollected(&m.shards[i], c.key, c.version) {
			removed++
		}
	}
	return removed
}

// collect asks the predicate about each entry of a shard under the shared lock, which a panic gives back.
func (s *shard[K, V, M]) collect(i int, stale *Predicate[K, V, M]) (all []collected[K]) {
	s.RLock()
	defer s.RUnlock()
	s.shardLook()
	s.each(func(key K, e *entry[V, M]) {
		if stale.is(key, e, i) {
			all = append(all, collected[K]{key, e.version})
		}
	})
	return all
}

// each calls f for each entry; the caller has locked the shard. Explored, it goes in the order of the keys,
// and passes over keys that no lookup finds.
func (s *shard[K, V, M]) each(f func(key K, e *entry[V, M])) {
	if seam.Explored {
		for _, key := range inOrder(s.entries) {
			if e, ok := s.entries[key]; ok {
				f(key, &e)
			}
		}
		return
	}
	for key, e := range s.entries {
		f(key, &e)
	}
}

// inOrder returns the keys in the order of their texts. The order of a Go map differs from run to run, and in
// an exploration whatever is called for one key after the other must be called in the same order each time.
func inOrder[K comparable, E any](entries map[K]E) []K {
	return slices.SortedFunc(maps.Keys(entries), func(a, b K) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
}
