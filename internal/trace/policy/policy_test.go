package policy

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// number is the key of a letter.
func number(c rune) uint32 { return uint32(c - 'a') }

// letters are a trace in which each object is a letter.
func letters(text string) []uint32 {
	var requests []uint32
	for _, c := range strings.ReplaceAll(text, " ", "") {
		requests = append(requests, number(c))
	}
	return requests
}

// unit is the size of every object.
func unit(uint32) uint32 { return 1 }

// replayed asks for all objects and tells of each request whether it was a hit.
func replayed(p Replayed, requests []uint32, size func(uint32) uint32) []bool {
	hits := make([]bool, len(requests))
	for i, r := range requests {
		hits[i] = p.Access(uint64(r), size(r))
	}
	return hits
}

func count(hits []bool) (n int) {
	for _, hit := range hits {
		if hit {
			n++
		}
	}
	return n
}

// drawn is a trace in which low numbers are asked for more often, with a run over many objects now and then.
func drawn(rng *rand.Rand, length, objects int) []uint32 {
	var requests []uint32
	for len(requests) < length {
		if rng.IntN(20) == 0 {
			for from, n := rng.IntN(objects), rng.IntN(objects); n > 0; n-- {
				requests = append(requests, uint32((from+n)%objects))
			}
		}
		requests = append(requests, uint32(rng.IntN(1+rng.IntN(objects))))
	}
	return requests[:length]
}

// TestPolicies_ByHand: sequences that were computed with pencil and paper; + is a hit.
func TestPolicies_ByHand(t *testing.T) {
	for _, c := range []struct {
		policy   string
		capacity uint64
		trace    string
		hits     string
		left     string // what is in the cache at the end
	}{
		// d evicts b, for a was asked for after it; b evicts c.
		{"LRU", 3, "abc a d a b", "---+-+-", "abd"},
		// The bit of a gives it another round: d evicts b. Then a is evicted after c, though asked for last.
		{"CLOCK", 3, "abc a d b e", "---+---", "bde"},
		// All bits are set: the hand goes round once and evicts the oldest.
		{"CLOCK", 3, "abc abc d b a", "---+++-+-", "abd"},
		// A hit does not make an object younger in any queue: d evicts a, which was used once only.
		{"S3-FIFO", 3, "abc a d a", "---+--", "acd"},
		// a was used twice: it moves on to the main queue, and b is evicted. b comes back from the ghost
		// queue, into the main one, while the small one evicts c.
		{"S3-FIFO", 3, "abc aa d a b a", "---++-+-+", "abd"},
		// The ghost queue remembers two objects, c and d at the end: a comes in as a new one.
		{"S3-FIFO", 3, "abcdefg a", "--------", "afg"},
		// a and b are in T2, so that c, d and e only push out each other.
		{"ARC", 3, "ab ab c d e a b", "--++---++", "abe"},
		// c is in B1 when it comes again: T1 may have one object, c goes to T2 and pushes out a.
		{"ARC", 3, "ab ab c d c d", "--++---+", "bcd"},
		// Known from books: LRU has 2 hits in it, a queue 3, and the optimum 5.
		{"Belady", 3, "abcd abe abcde", "---- ++-+++--", ""},
		{"LRU", 3, "abcd abe abcde", "---- ---++---", "cde"},
		// e is never used again: it does not come in.
		{"Belady", 2, "ab e ab", "--- ++", "ab"},
	} {
		requests := letters(c.trace)
		p := named(t, c.policy).New(c.capacity, Foresee(requests, 26))
		got := ""
		for _, hit := range replayed(p, requests, unit) {
			got += map[bool]string{true: "+", false: "-"}[hit]
		}
		if want := strings.ReplaceAll(c.hits, " ", ""); got != want {
			t.Errorf("%s of %d, %s: %s, want %s", c.policy, c.capacity, c.trace, got, want)
		}
		if left := contents(p, 26); c.left != "" && left != c.left {
			t.Errorf("%s of %d, %s: it holds %s, want %s", c.policy, c.capacity, c.trace, left, c.left)
		}
	}
}

func named(t *testing.T, name string) Kind {
	t.Helper()
	for _, k := range Kinds() {
		if k.Name == name {
			return k
		}
	}
	t.Fatalf("no policy %s", name)
	return Kind{}
}

// contents are the letters of the objects that a cache holds.
func contents(p Policy, objects int) string {
	text := ""
	for key := range uint64(objects) {
		if p.Holds(key) {
			text += string(rune('a' + key))
		}
	}
	return text
}

// TestPolicies_Sizes: several small objects leave for a large one, and one that is too large changes nothing.
func TestPolicies_Sizes(t *testing.T) {
	size := func(key uint32) uint32 { return map[uint32]uint32{4: 7, 5: 11}[key] + 3*min(1, 4/(key+1)) }
	for key, want := range map[uint32]uint32{0: 3, 3: 3, 4: 7, 5: 11} {
		if size(key) != want {
			t.Fatalf("size of %d is %d, want %d", key, size(key), want)
		}
	}
	requests := letters("abc e f e a f")
	for _, k := range Kinds() {
		p := k.New(10, Foresee(requests, 26))
		hits := replayed(p, requests, size)
		if !hits[5] || p.Holds(5) || !p.Holds(4) {
			t.Errorf("%s: %v, it holds %s", k.Name, hits, contents(p, 26))
		}
	}
}

// withinCapacity is what is wrong with what a cache says of itself while a trace goes through it.
func withinCapacity(p Policy, capacity uint64, requests []uint32, size func(uint32) uint32) error {
	for i, r := range requests {
		held := p.Holds(uint64(r))
		if hit := p.Access(uint64(r), size(r)); hit != held {
			return fmt.Errorf("request %d of %d: hit %t, but it was there: %t", i, r, hit, held)
		}
		var sum uint64
		for key := range uint32(64) {
			if p.Holds(uint64(key)) {
				sum += uint64(size(key))
			}
		}
		if used := p.Used(); used != sum || used > capacity {
			return fmt.Errorf("request %d: %d bytes used, the objects have %d, capacity %d", i, used, sum,
				capacity)
		}
	}
	return nil
}

// TestPolicies_WithinCapacity, with objects of one size and of several.
func TestPolicies_WithinCapacity(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		requests, capacity := drawn(rng, 400, 64), uint64(1+rng.IntN(50))
		sizes := make([]uint32, 64)
		for i := range sizes {
			sizes[i] = 1 + rng.Uint32N(1+uint32(seed%20))
		}
		size := func(key uint32) uint32 { return sizes[key] }
		for _, k := range Kinds() {
			p := k.New(capacity, Foresee(requests, 64))
			if err := withinCapacity(p, capacity, requests, size); err != nil {
				t.Fatalf("%s, seed %d: %v", k.Name, seed, err)
			}
		}
	}
}

// includes is what a smaller cache has that the larger one does not, after some request.
func includes(small, large Policy, requests []uint32) error {
	for i, r := range requests {
		small.Access(uint64(r), 1)
		large.Access(uint64(r), 1)
		for key := range uint64(64) {
			if small.Holds(key) && !large.Holds(key) {
				return fmt.Errorf("request %d: the smaller cache holds %d, the larger one does not", i, key)
			}
		}
	}
	return nil
}

// TestLRU_Inclusion: an LRU cache holds all that a smaller one does, as Mattson et al. have shown.
func TestLRU_Inclusion(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 2))
		requests, capacity := drawn(rng, 400, 64), 1+rng.Uint64N(40)
		if err := includes(NewLRU(capacity), NewLRU(capacity+1+rng.Uint64N(9)), requests); err != nil {
			t.Fatalf("seed %d, capacity %d: %v", seed, capacity, err)
		}
	}
}

// beyond is what is wrong if a policy has more hits than the optimum.
func beyond(p Policy, capacity uint64, requests []uint32) error {
	best := count(replayed(NewBelady(capacity, Foresee(requests, 64)), requests, unit))
	if hits := count(replayed(p, requests, unit)); hits > best {
		return fmt.Errorf("%d hits, the optimum has %d", hits, best)
	}
	return nil
}

// TestBelady_IsNeverBeaten with objects of one size.
func TestBelady_IsNeverBeaten(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		requests, capacity := drawn(rng, 600, 64), 1+rng.Uint64N(60)
		for _, k := range Kinds() {
			if err := beyond(k.New(capacity, Foresee(requests, 64)), capacity, requests); err != nil {
				t.Fatalf("%s, seed %d, capacity %d: %v", k.Name, seed, capacity, err)
			}
		}
	}
}

// optimum is the most hits that any cache can have: of each set of objects that it may hold it keeps the most
// hits so far.
func optimum(capacity int, requests []uint32) int {
	most := map[uint64]int{0: 0}
	for _, r := range requests {
		next, bit := map[uint64]int{}, uint64(1)<<r
		put := func(set uint64, hits int) {
			if old, ok := next[set]; !ok || hits > old {
				next[set] = hits
			}
		}
		for set, hits := range most {
			if set&bit != 0 {
				put(set, hits+1)
				continue
			}
			put(set, hits)
			if ones(set) < capacity {
				put(set|bit, hits)
				continue
			}
			for other := range uint64(64) {
				if set&(1<<other) != 0 {
					put(set&^(1<<other)|bit, hits)
				}
			}
		}
		most = next
	}
	best := 0
	for _, hits := range most {
		best = max(best, hits)
	}
	return best
}

func ones(set uint64) (n int) {
	for ; set != 0; set &= set - 1 {
		n++
	}
	return n
}

// TestBelady_IsTheOptimum: what a search of all decisions finds.
func TestBelady_IsTheOptimum(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 4))
		requests, capacity := drawn(rng, 30, 7), 1+rng.IntN(4)
		got := count(replayed(NewBelady(uint64(capacity), Foresee(requests, 7)), requests, unit))
		if want := optimum(capacity, requests); got != want {
			t.Fatalf("seed %d: %d hits of %v with capacity %d, the most is %d", seed, got, requests, capacity,
				want)
		}
	}
}

// TestPolicies_Whole: a cache that has room for all misses each object once.
func TestPolicies_Whole(t *testing.T) {
	requests := drawn(rand.New(rand.NewPCG(1, 5)), 500, 40)
	seen := map[uint32]bool{}
	for _, r := range requests {
		seen[r] = true
	}
	for _, k := range Kinds() {
		hits := count(replayed(k.New(uint64(len(seen)), Foresee(requests, 40)), requests, unit))
		if want := len(requests) - len(seen); hits != want {
			t.Errorf("%s: %d hits, want %d", k.Name, hits, want)
		}
	}
}

// TestPolicies_Loop: in a loop that is a little larger than the cache LRU and CLOCK have no hit, nor has ARC,
// whose T1 never grows beyond the cache. S3-FIFO has some, by its ghost queue.
func TestPolicies_Loop(t *testing.T) {
	var requests []uint32
	for range 20 {
		for key := range uint32(50) {
			requests = append(requests, key)
		}
	}
	for _, k := range Kinds() {
		hits := count(replayed(k.New(45, Foresee(requests, 50)), requests, unit))
		if some := k.Offline || k.Name == "S3-FIFO"; some != (hits > 0) {
			t.Errorf("%s: %d hits", k.Name, hits)
		}
	}
}

// TestPolicies_Scan: what is used often survives a scan in S3-FIFO and ARC, and does not in LRU.
func TestPolicies_Scan(t *testing.T) {
	var requests []uint32
	for range 5 {
		for key := range uint32(10) {
			requests = append(requests, key)
		}
	}
	for key := uint32(100); key < 200; key++ {
		requests = append(requests, key)
	}
	for name, want := range map[string]bool{"LRU": false, "CLOCK": false, "S3-FIFO": true, "ARC": true} {
		p := named(t, name).New(20, nil)
		replayed(p, requests, unit)
		if p.Holds(3) != want {
			t.Errorf("%s: it holds an object that is used often: %t", name, p.Holds(3))
		}
	}
}
