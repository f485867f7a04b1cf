package basket

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// sketchOf is a sketch for so many records on the heap, of a store with room for as many of one unit.
func sketchOf(records uint64) (sketch, region.Words) {
	words := make([]seam.Uint64, sketchWords(records))
	return newSketch(words, records), words
}

// TestSketch_Counts: an estimate is never too low, within an epoch and as far as a counter goes; and it is
// too high by 1 or more for few hashes only, when there are as many as it is made for.
func TestSketch_Counts(t *testing.T) {
	const records = 4096
	s, _ := sketchOf(records)
	random := rand.New(rand.NewPCG(1, 2))
	counts := map[uint32]int{}
	for range records {
		hash := random.Uint32()
		n := 1 + random.IntN(3)
		counts[hash] += n
		s.add(hash, n, 1)
	}
	if s.epoch != 0 {
		t.Fatalf("the epoch is %d: the test is to be within the first one", s.epoch)
	}
	high := 0
	for hash, n := range counts {
		switch got := s.count(hash); {
		case got < min(n, counterMost):
			t.Errorf("hash %#x was counted %d times, and the estimate is %d", hash, n, got)
		case got > n:
			high++
		}
	}
	if high > records/20 {
		t.Errorf("%d of %d estimates are too high", high, records)
	}
	s.add(7, 100, 1)
	if got := s.count(7); got != counterMost {
		t.Errorf("a hash that was counted 100 times has %d", got)
	}
	if s.add(8, 0, 1); s.count(8) > 2 {
		t.Error("a count of nothing counts")
	}
}

// TestSketch_Forgets: each epoch halves what was counted before it, and after some it is nothing; who comes
// into a sketch that others use has their epoch.
func TestSketch_Forgets(t *testing.T) {
	const records = 64
	s, words := sketchOf(records)
	const hash = 99
	s.add(hash, 12, 0)
	for _, want := range []int{12, 6, 3, 1, 0} {
		if got := s.count(hash); got != want {
			t.Errorf("in epoch %d the estimate is %d, want %d", s.epoch, got, want)
		}
		before := s.epoch
		for s.epoch == before { // others are counted, in other blocks or with the same counters at 0
			s.tell(1)
		}
		if other := newSketch(words, records); other.epoch != s.epoch {
			t.Errorf("another writer is in epoch %d, want %d", other.epoch, s.epoch)
		}
	}
	s.add(hash, 1, 1)
	if got := s.count(hash); got != 1 {
		t.Errorf("counted once after all, it has %d", got)
	}
}

// TestSketch_Concurrent: many writers count at once. Counts may be lost, but none spills into its neighbour:
// a hash that nobody counts, and that shares no counter, has none.
func TestSketch_Concurrent(t *testing.T) {
	const writers, rounds = 4, 20_000
	_, words := sketchOf(8) // one block
	var wait sync.WaitGroup
	for i := range writers {
		wait.Go(func() {
			s := newSketch(words, 1<<40)
			for n := range rounds {
				s.add(uint32(i%2), 1+n%3, 0)
			}
		})
	}
	wait.Wait()
	s := newSketch(words, 1<<40)
	own := map[*seam.Uint64]uint64{}
	for hash := range uint32(2) {
		if s.count(hash) != counterMost {
			t.Errorf("hash %d has %d after %d counts", hash, s.count(hash), writers*rounds)
		}
		for row := range sketchRows {
			word, shift := s.at(mixed(hash), row)
			own[word] |= counterMost << shift
		}
	}
	for i := range s.blocks[0] {
		word := &s.blocks[0][i]
		if bits := word.Load() &^ own[word] & (1<<epochShift - 1); bits != 0 {
			t.Errorf("word %d has bits %#x in counters that nobody counts in", i, bits)
		}
	}
}

// TestSketch_AnyContent: whatever the words have, an estimate is within its bounds, and a count ends.
func TestSketch_AnyContent(t *testing.T) {
	s, words := sketchOf(64)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range words {
		words[i].Store(random.Uint64())
	}
	few := newSketch(words[:blockWords], 64) // as few words as a section has
	few.add(1, 3, 1)
	if n := few.count(1); n < 3 {
		t.Errorf("a sketch without words of its own has counted %d of 3", n)
	}
	s = newSketch(words, 64)
	for range 10_000 {
		hash := random.Uint32()
		s.add(hash, random.IntN(5), random.Uint32())
		if n := s.count(hash); n < 0 || n > counterMost {
			t.Fatalf("the estimate for %#x is %d", hash, n)
		}
	}
}

// TestSketch_NothingCounted: what was never counted has the count 0, wherever its counters lie in their
// words.
func TestSketch_NothingCounted(t *testing.T) {
	s, _ := sketchOf(64)
	lowest := 0
	for hash := range uint32(1 << 20) {
		low := true
		for row := range sketchRows {
			_, shift := s.at(mixed(hash), row)
			low = low && shift == 0
		}
		if !low {
			continue
		}
		if lowest++; s.count(hash) != 0 {
			t.Fatalf("hash %#x is counted %d times", hash, s.count(hash))
		}
	}
	if lowest == 0 {
		t.Error("no hash has the lowest counter of each row")
	}
}
