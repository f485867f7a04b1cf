package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/maphash"
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

// TestMaphash_Refuses: a seed that nobody made, what cannot be hashed and, in an explored program, an
// address.
func TestMaphash_Refuses(t *testing.T) {
	var never maphash.Seed
	for what, f := range map[string]func(){
		"uninitialized":  func() { maphash.String(never, "") },
		"unhashable":     func() { maphash.Comparable(maphash.MakeSeed(), any([]int{})) },
		"use other keys": nil,
	} {
		p := simple(what, func() {}, func() { maphash.Comparable(maphash.MakeSeed(), new(int)) })
		if f == nil {
			f = func() { panic(mustExplore(t, p, unbounded()).Failure.Message) }
		}
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, what) {
					t.Errorf("%s: it says %q", what, r)
				}
			}()
			f()
		}()
	}
	p := simple("nil", func() {}, func() { maphash.Comparable(maphash.MakeSeed(), (*int)(nil)) })
	if r, err := explore.Explore(p, unbounded()); err != nil || r.Failure != nil {
		t.Errorf("the hash of nil: %v %v", err, r.Failure)
	}
}
