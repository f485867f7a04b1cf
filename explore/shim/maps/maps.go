// Package maps is the standard package maps with one order of keys: that of package order. It reports when
// maps are read and changed.
package maps

import (
	"iter"
	"maps"

	"github.com/samecycle/samecycle/explore/shim/memory"
	"github.com/samecycle/samecycle/explore/shim/order"
)

// look reports that a map is read, and returns the map.
func look[M ~map[K]V, K comparable, V any](m M) M { return memory.Look(m, "a map by package maps") }

// change does the same with a map that is written.
func change[M ~map[K]V, K comparable, V any](m M) M { return memory.Change(m, "a map by package maps") }

// All returns an iterator over the keys and values of a map.
func All[Map ~map[K]V, K comparable, V any](m Map) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for w, k, v := order.Over(look(m)); w.Next(&k, &v); {
			if !yield(k, v) {
				return
			}
		}
	}
}

// Keys returns an iterator over the keys of a map.
func Keys[Map ~map[K]V, K comparable, V any](m Map) iter.Seq[K] {
	return func(yield func(K) bool) {
		for w, k, _ := order.Over(look(m)); w.Next(&k, nil); {
			if !yield(k) {
				return
			}
		}
	}
}

// Values returns an iterator over the values of a map.
func Values[Map ~map[K]V, K comparable, V any](m Map) iter.Seq[V] {
	return func(yield func(V) bool) {
		for w, _, v := order.Over(look(m)); w.Next(nil, &v); {
			if !yield(v) {
				return
			}
		}
	}
}

// Insert adds what seq yields to a map.
func Insert[Map ~map[K]V, K comparable, V any](m Map, seq iter.Seq2[K, V]) {
	for k, v := range seq {
		change(m)[order.Seen(k)] = v
	}
}

// Collect makes a map of what seq yields.
func Collect[K comparable, V any](seq iter.Seq2[K, V]) map[K]V {
	m := map[K]V{}
	Insert(m, seq)
	return m
}

// DeleteFunc deletes the pairs for which del returns true.
func DeleteFunc[M ~map[K]V, K comparable, V any](m M, del func(K, V) bool) {
	for w, k, v := order.Over(look(m)); w.Next(&k, &v); {
		if del(k, v) {
			delete(change(m), k)
		}
	}
}

// EqualFunc reports whether two maps have the same keys, with values that are equal by eq.
func EqualFunc[M1 ~map[K]V1, M2 ~map[K]V2, K comparable, V1, V2 any](m1 M1, m2 M2,
	eq func(V1, V2) bool) bool {
	if len(look(m1)) != len(look(m2)) {
		return false
	}
	for w, k, v1 := order.Over(look(m1)); w.Next(&k, &v1); {
		if v2, ok := look(m2)[k]; !ok || !eq(v1, v2) {
			return false
		}
	}
	return true
}

// Equal does what the original does.
func Equal[M1, M2 ~map[K]V, K, V comparable](m1 M1, m2 M2) bool {
	return maps.Equal(look(m1), look(m2))
}

// Clone does what the original does.
func Clone[M ~map[K]V, K comparable, V any](m M) M { return maps.Clone(look(m)) }

// Copy does what the original does.
func Copy[M1 ~map[K]V, M2 ~map[K]V, K comparable, V any](dst M1, src M2) {
	if len(look(src)) > 0 {
		change(dst)
	}
	maps.Copy(dst, src)
}
