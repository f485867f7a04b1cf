package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore/shim/maphash"
	pointers "github.com/samecycle/samecycle/explore/shim/order"
)

// TestMaphash: equal values have equal hashes, others do not collide, the way bytes are cut does not matter,
// and all seeds are one.
func TestMaphash(t *testing.T) {
	type pair struct {
		a any
		b string
	}
	seed, zero := maphash.MakeSeed(), 0.0
	if seed != maphash.MakeSeed() {
		t.Error("two seeds differ")
	}
	same := func(a, b uint64) {
		t.Helper()
		if a != b {
			t.Errorf("%#x, want %#x", a, b)
		}
	}
	same(maphash.Comparable(seed, pair{1, "x"}), maphash.Comparable(seed, pair{1, strings.Repeat("x", 1)}))
	same(maphash.Comparable(seed, zero), maphash.Comparable(seed, -zero*-1))
	same(maphash.String(seed, "abc"), maphash.Bytes(seed, []byte("abc")))
	var h maphash.Hash
	for _, b := range []byte("abc") {
		if err := h.WriteByte(b); err != nil {
			t.Fatal(err)
		}
	}
	same(h.Sum64(), maphash.String(seed, "abc"))
	c, err := h.Clone()
	if err != nil {
		t.Fatal(err)
	}
	h.Reset()
	same(h.Sum64(), maphash.String(seed, ""))
	same(c.(*maphash.Hash).Sum64(), maphash.String(seed, "abc"))

	seen := map[uint64]any{}
	for _, v := range []any{nil, 0, 1, int8(1), uint(1), "1", "", "a", 1.0, -1.0, float32(1), 1i, true, false,
		[2]int{0, 1}, [2]int{1, 0}, pair{}, pair{nil, "1"}, pair{"1", ""}, pair{1, ""}, struct{}{}} {
		k := maphash.Comparable(seed, v)
		if w, twice := seen[k]; twice {
			t.Errorf("%#v and %#v have the hash %#x", v, w, k)
		}
		seen[k] = v
	}
	buckets := map[uint64]int{}
	for i := range 4096 {
		buckets[maphash.Comparable(seed, i)%64]++
	}
	for b, n := range buckets {
		if n < 32 || n > 128 {
			t.Errorf("bucket %d of 64 has %d of 4096 numbers", b, n)
		}
	}
}

// TestMaphash_Refuses: a seed that nobody made, and what cannot be hashed.
func TestMaphash_Refuses(t *testing.T) {
	var never maphash.Seed
	for what, f := range map[string]func(){
		"uninitialized": func() { maphash.String(never, "") },
		"unhashable":    func() { maphash.Comparable(maphash.MakeSeed(), any([]int{})) },
	} {
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, what) {
					t.Errorf("%s: it says %q", what, r)
				}
			}()
			f()
		}()
	}
}

// TestMaphash_Addresses: the hashes of addresses are the same in each execution, also of those that were
// hashed before all executions; two addresses of one execution have two hashes.
func TestMaphash_Addresses(t *testing.T) {
	seed, before := maphash.MakeSeed(), new(int)
	first, known := maphash.Comparable(seed, before), map[uint64]int{}
	pointers.Keep()
	p := simple("addresses", func() {}, func() {
		x, c := new(int), make(chan int)
		for i, h := range []uint64{maphash.Comparable(seed, x), maphash.Comparable(seed, any(c)),
			maphash.Comparable(seed, (*int)(nil))} {
			if was, is := known[h]; is && was != i || !is && len(known) == 3 {
				panic(fmt.Sprintf("hash %d is %#x, before %v", i, h, known))
			}
			known[h] = i
		}
		if maphash.Comparable(seed, before) != first {
			panic("the hash from before the executions has changed")
		}
		if n, is := known[maphash.Comparable(seed, x)]; !is || n != 0 {
			panic("it has two hashes")
		}
	})
	for range 3 {
		if r := mustExplore(t, p, unbounded()); r.Failure != nil {
			t.Fatal(r.Failure.Message)
		}
	}
}
