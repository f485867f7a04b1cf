package basket_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/samecycle/samecycle/impl/basket"
)

// actor is a goroutine of a test, with what it has set and what its writer has told.
type actor struct {
	w    *basket.Writer
	set  map[string]bool
	told map[string]basket.Reason
	hits int
}

// actors are some of them on one store, whose hashes have that many bits.
func actors(t *testing.T, s *basket.Store, kind string, n, bits int) []*actor {
	index := newWords(1<<bits, n)
	if kind == "crowded double" {
		index.crowd, index.move = 3, 5
	}
	var all []*actor
	for i := range n {
		var x basket.Index = index.actor(i)
		if strings.HasSuffix(kind, "table") {
			x = onTable(t, s, uint64(i+1))
		}
		a := &actor{set: map[string]bool{}, told: map[string]basket.Reason{}}
		a.w = newWriter(t, s, x, basket.WriterOptions{Number: uint32(i + 1), Tell: func(l basket.Leaving) {
			if !bytes.HasPrefix(l.Value, l.Key) {
				t.Errorf("told %v of key %s with a value of another one: %q", l.Reason, l.Key, l.Value)
			}
			if a.told[string(l.Value)] != 0 {
				t.Errorf("%q was told twice by one actor", l.Value)
			}
			a.told[string(l.Value)] = l.Reason
		}})
		all = append(all, a)
	}
	return all
}

// run makes random calls with keys that all actors share.
func (a *actor) run(t *testing.T, i, rounds, bits, keys int) {
	random := rand.New(rand.NewPCG(uint64(i), 7))
	for n := range rounds {
		key := fmt.Appendf(nil, "key%d", random.IntN(keys))
		hash := hashOf(key, bits)
		switch random.IntN(6) {
		case 0, 1:
			value := stamp(key, uint64(i)<<32|uint64(n), random.IntN(60))
			a.set[string(value)] = true
			set(t, a.w, hash, key, value, basket.RecordOptions{})
		case 2:
			remove(t, a.w, hash, key)
		default:
			value, _, ok, err := a.w.Get(hash, key, nil)
			if err != nil {
				t.Errorf("get of %s: %v", key, err)
			}
			if ok {
				a.hits++
			}
			if half := len(key) + 8; ok && (len(value) < 2*half || !bytes.HasPrefix(value, key) ||
				!bytes.Equal(value[:half], value[len(value)-half:])) {
				t.Errorf("get of %s is torn: %q", key, value)
			}
		}
	}
}

func tellOnce(t *testing.T, kind string) {
	const n = 4
	bits, keys := 4, 24
	if kind == "crowded table" {
		bits, keys = 9, 300 // of 64 cells
	}
	rounds := 20000
	if testing.Short() {
		rounds = 4000
	}
	s := newStore(t, basket.Layout{Baskets: 16, BasketBytes: 1024, Writers: n}, 32)
	all := actors(t, s, kind, n, bits)
	var wg sync.WaitGroup
	for i, a := range all {
		wg.Go(func() { a.run(t, i, rounds, bits, keys) })
	}
	wg.Wait()
	where := map[string]string{}
	put := func(value, place string) {
		if where[value] != "" {
			t.Errorf("%q is %s, and %s", value, where[value], place)
		}
		where[value] = place
	}
	for i, a := range all {
		for value, reason := range a.told {
			put(value, fmt.Sprintf("told by actor %d: %v", i, reason))
		}
		if a.hits < rounds/100 {
			t.Errorf("actor %d had %d hits in %d rounds", i, a.hits, rounds)
		}
	}
	for k := range keys {
		key := fmt.Appendf(nil, "key%d", k)
		if value, _, ok, err := all[0].w.Get(hashOf(key, bits), key, nil); err != nil {
			t.Error(err)
		} else if ok {
			put(string(value), "in the store")
		}
	}
	for i, a := range all {
		for value := range a.set {
			if where[value] == "" {
				t.Errorf("%q, set by actor %d, is gone and was not told", value, i)
			}
			delete(where, value)
		}
		if err := a.w.Close(); err != nil {
			t.Error(err)
		}
	}
	for value, place := range where {
		t.Errorf("%q is %s, and nobody has set it", value, place)
	}
}
