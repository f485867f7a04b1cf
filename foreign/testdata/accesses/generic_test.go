// Package accesses has tests that differ in how they access memory: those called Race do so in two goroutines
// that nothing orders, and those called Right do not.
package accesses

import (
	"sync"
	"testing"
)

// both calls two functions beside one another.
func both(f, g func()) {
	var w sync.WaitGroup
	w.Go(f)
	w.Go(g)
	w.Wait()
}

func increment[M ~map[K]int, K comparable](m M, k K)     { m[k]++ }
func put[M ~map[K]V, K comparable, V any](m M, k K, v V) { m[k] = v }
func get[M ~map[K]V, K comparable, V any](m M, k K) V    { return m[k] }
func size[M ~map[K]V, K comparable, V any](m M) int      { return len(m) }
func remove[M ~map[K]V, K comparable, V any](m M, k K)   { delete(m, k) }
func first[S ~[]E, E any](s S) E                         { return s[0] }
func set[S ~[]E, E any](s S, v E)                        { s[0] = v }
func added[S ~[]E, E any](s S, v E) S                    { return append(s, v) }
func head[T []byte | string](s T) byte                   { return s[0] }
func joined[S []int | numbers](s, more S) S              { return append(s, more...) }

type numbers []int

func count[M ~map[K]V, K comparable, V any](m M) (n int) {
	for range m {
		n++
	}
	return n
}

func sum[S ~[]int](s S) (n int) {
	for _, v := range s {
		n += v
	}
	return n
}

func TestRace_GenericIncrement(t *testing.T) {
	m := map[string]int{}
	both(func() { increment(m, "a") }, func() { increment(m, "a") })
}

func TestRace_GenericPut(t *testing.T) {
	m := map[int]int{}
	both(func() { put(m, 1, 1) }, func() { _ = m[1] })
}

func TestRace_GenericGet(t *testing.T) {
	m := map[int]int{}
	both(func() { m[1] = 1 }, func() { get(m, 1) })
}

func TestRace_GenericSize(t *testing.T) {
	m := map[int]int{}
	both(func() { m[1] = 1 }, func() { size(m) })
}

func TestRace_GenericRemove(t *testing.T) {
	m := map[int]int{1: 1}
	both(func() { remove(m, 1) }, func() { _ = m[1] })
}

func TestRace_GenericCount(t *testing.T) {
	m := map[int]int{}
	both(func() { m[1] = 1 }, func() { count(m) })
}

func TestRace_GenericSum(t *testing.T) {
	s := []int{1, 2}
	both(func() { s[1] = 5 }, func() { sum(s) })
}

func TestRace_GenericFirst(t *testing.T) {
	s := []int{1, 2}
	both(func() { s[0] = 5 }, func() { first(s) })
}

func TestRace_GenericAdded(t *testing.T) {
	s := make([]int, 1, 2)
	both(func() { added(s, 1) }, func() { added(s, 2) })
}

func TestRace_GenericJoined(t *testing.T) {
	s := []int{1, 2}
	both(func() { s[1] = 5 }, func() { joined(nil, s) })
}

func TestRace_GenericHead(t *testing.T) {
	s := []byte{1, 2}
	both(func() { s[0] = 5 }, func() { head(s) })
}

// Others access other elements, or nothing changes, or a lock orders them.
func TestRight_Generic(t *testing.T) {
	m, s, b := map[int]int{1: 1}, []int{1, 2}, []byte{1, 2}
	var mu sync.Mutex
	both(func() { set(s, 5); b[0] = 1 }, func() { _, _ = first(s[1:]), head(b[1:]) })
	both(func() { get(m, 1); size(m); sum(s); head(b) }, func() { count(m); first(s); head("ab") })
	use := func() {
		mu.Lock()
		defer mu.Unlock()
		increment(m, 1)
		remove(m, 2)
		put(m, 3, sum(s))
		s = added(joined(s, s), 3)
	}
	both(use, use)
}
