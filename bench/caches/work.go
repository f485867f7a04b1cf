package caches

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/samecycle/samecycle/bench"
)

// A worker is one goroutine's calls of a store, and the check of each result. Numbers of 32 bits stand
// for keys; what the bytes of key and value are follows from them.
type worker struct {
	s     store
	size  size
	key   []byte
	value []byte // the one that is set next
	whole []byte // the one that is expected, for checks of all bytes
	dst   []byte
	hits  int // of gets
	gets  int
	taken int // of sets
	sets  int
	next  uint32 // the number of the key that is new next
	batch batch
	away  uint64 // nanoseconds that a remote store took since the pass began
}

// batchSize is how many keys are got in one call.
const batchSize = 16

// batch is what a call for many keys takes.
type batch struct {
	keys, values [][]byte
	dst          []byte
}

func newBatch(z size) (b batch) {
	for range batchSize {
		key := make([]byte, z.key)
		for i := range key {
			key[i] = byte(i)
		}
		b.keys = append(b.keys, key)
	}
	b.values = make([][]byte, batchSize)
	b.dst = make([]byte, 0, batchSize*z.value)
	return b
}

func newWorker(s store, z size) *worker {
	w := &worker{s: s, size: z, key: make([]byte, z.key), value: make([]byte, z.value),
		whole: make([]byte, z.value), dst: make([]byte, 0, z.value), batch: newBatch(z)}
	for _, b := range [][]byte{w.key, w.value, w.whole} {
		for i := range b {
			b[i] = byte(i)
		}
	}
	return w
}

// The value of a key begins with a word made of it, straight or flipped: all its bits turned over. It ends
// with the same word rotated, so what is half of one value and half of another is noticed.
const (
	straight = uint64(0)
	flipped  = ^uint64(0)
)

// word spreads the number over 64 bits; an odd factor keeps words apart.
func word(id uint32) uint64 { return uint64(id) * 0x9E3779B97F4A7C15 }

// tail is the last word of a value that begins so.
func tail(first uint64) uint64 { return bits.RotateLeft64(first, 29) }

func (w *worker) name(id uint32) { binary.LittleEndian.PutUint64(w.key[w.size.key-8:], word(id)) }

// write puts the value of a key in place, straight or flipped.
func write(value []byte, id uint32, flip uint64) {
	first := word(id) ^ flip
	binary.LittleEndian.PutUint64(value, first)
	binary.LittleEndian.PutUint64(value[len(value)-8:], tail(first))
}

// wholeCheck is how often all bytes of a value are compared: the check of both ends costs the same for each
// store and little, that of 4 KiB does not.
const wholeCheck = 64

// wrong tells that the value is not one that the key ever had.
func (w *worker) wrong(id uint32, v []byte) bool {
	if len(v) != w.size.value {
		return true
	}
	first := binary.LittleEndian.Uint64(v)
	if (first^word(id))+1 > 1 || binary.LittleEndian.Uint64(v[len(v)-8:]) != tail(first) {
		return true
	}
	if w.hits%wholeCheck != 0 {
		return false
	}
	write(w.whole, id, first^word(id))
	return !bytes.Equal(v, w.whole)
}

// get looks a key up that was set, and may have been evicted.
func (w *worker) get(id uint32) (wrong int) {
	w.name(id)
	w.gets++
	v, ok := w.s.get(w.key, w.dst[:0])
	if !ok {
		return 0
	}
	w.hits++
	if w.wrong(id, v) {
		return 1
	}
	return 0
}

// misses looks keys up that were never set.
func (w *worker) misses(ids []uint32) (wrong int) {
	if s, ok := w.s.(remote); ok {
		hits, _, ns := s.lookupAll(ids)
		w.away += ns
		return hits
	}
	for _, id := range ids {
		w.name(id)
		if _, ok := w.s.get(w.key, w.dst[:0]); ok {
			wrong++
		}
	}
	return wrong
}

func (w *worker) lookups(ids []uint32) (wrong int) {
	if s, ok := w.s.(remote); ok {
		hits, wrong, ns := s.lookupAll(ids)
		w.gets, w.hits, w.away = w.gets+len(ids), w.hits+hits, w.away+ns
		return wrong
	}
	for _, id := range ids {
		wrong += w.get(id)
	}
	return wrong
}

// batches looks keys up, many in a call if the store can do so.
func (w *worker) batches(ids []uint32) (wrong int) {
	many, ok := w.s.(batcher)
	if !ok {
		return w.lookups(ids)
	}
	b := &w.batch
	for ; len(ids) >= batchSize; ids = ids[batchSize:] {
		for i, key := range b.keys {
			binary.LittleEndian.PutUint64(key[w.size.key-8:], word(ids[i]))
		}
		b.dst = many.getBatch(b.keys, b.values, b.dst[:0])
		for i, v := range b.values {
			w.gets++
			if v == nil {
				continue
			}
			if w.hits++; w.wrong(ids[i], v) {
				wrong++
			}
		}
	}
	return wrong + w.lookups(ids)
}

func (w *worker) set(id uint32, flip uint64) {
	w.name(id)
	write(w.value, id, flip)
	w.sets++
	if w.s.set(w.key, w.value) {
		w.taken++
	}
}

func (w *worker) assign(ids []uint32, flip uint64) int {
	if s, ok := w.s.(remote); ok {
		taken, ns := s.assignAll(ids, flip)
		w.sets, w.taken, w.away = w.sets+len(ids), w.taken+taken, w.away+ns
		return 0
	}
	for _, id := range ids {
		w.set(id, flip)
	}
	return 0
}

// fresh sets so many keys that were never set.
func (w *worker) fresh(n int) int {
	for range n {
		w.set(bench.Spread(w.next), straight)
		w.next++
	}
	return 0
}

// stale tells how many of the keys have another value than the one that was set last. What was evicted is not
// stale, nor is what the store did not take.
func (w *worker) stale(ids []uint32, flip uint64) (wrong int) {
	for _, id := range ids {
		w.name(id)
		v, ok := w.s.get(w.key, w.dst[:0])
		write(w.whole, id, flip)
		if ok && !bytes.Equal(v, w.whole) {
			wrong++
		}
	}
	return wrong
}

// mixed gets or sets, as the pattern says.
func (w *worker) mixed(ids []uint32, reads []bool, flip uint64) (wrong int) {
	for i, id := range ids {
		if reads[i%len(reads)] {
			wrong += w.get(id)
		} else {
			w.set(id, flip)
		}
	}
	return wrong
}

// portion is how many sets are made before the store may settle. Some drop sets that come faster.
const portion = 1 << 10

// fill sets all of them, and lets the store settle in between.
func (w *worker) fill(ids []uint32) {
	for len(ids) > 0 {
		n := min(portion, len(ids))
		w.assign(ids[:n], straight)
		w.s.settle()
		ids = ids[n:]
	}
}

// The range of latencies, in nanoseconds, and the digits that are kept.
const (
	shortest, longest = 1, int64(10 * time.Second)
	latencyDigits     = 3
)

func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(shortest, longest, latencyDigits)
}

// timed makes each call with a reading of the clock before and after it.
func timed(h *hdrhistogram.Histogram, ids []uint32, call func(id uint32) (wrong int)) (wrong int) {
	for _, id := range ids {
		start := time.Now()
		wrong += call(id)
		ns := time.Since(start).Nanoseconds()
		if h.RecordValue(min(max(ns, shortest), longest)) != nil {
			wrong++
		}
	}
	return wrong
}

// chase is one random line after the other of a block, where the place of each is in the one before. A get
// is one look into an index and, dependent on it, one into a record: this is its floor.
type chase struct {
	lines []uint64
	at    uint64
}

const lineWords = 8

// random reads a random line for each of the keys: these reads overlap, as those of a chase do not.
func (c *chase) random(ids []uint32) (wrong int) {
	n, sum := uint64(len(c.lines)/lineWords), uint64(0)
	for _, id := range ids {
		sum += c.lines[uint64(id)*n>>32*lineWords]
	}
	if sum == 0 {
		return 1 // of the places in the ring only one is 0
	}
	return 0
}

// newChase links the lines of so many bytes to one ring, in random order.
func newChase(bytes int) *chase {
	n := max(bytes/8/lineWords, 2)
	c := &chase{lines: make([]uint64, n*lineWords)}
	order := rand.New(rand.NewPCG(bench.Seed, 4)).Perm(n)
	for i, from := range order {
		c.lines[from*lineWords] = uint64(order[(i+1)%n] * lineWords)
	}
	return c
}

func (c *chase) run(steps int) (wrong int) {
	at := c.at
	for range steps {
		at = c.lines[at]
	}
	c.at = at
	return 0
}
