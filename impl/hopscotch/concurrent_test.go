package hopscotch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

const workers = 4

// worker is one actor of TestTable_ConcurrentOperations: what it has put in, and what it was handed.
type worker struct {
	t      *testing.T
	handle *Handle
	index  uint32
	value  uint32
	put    map[uint32]uint32 // value -> key; the values of adds and updates that took effect
	handed map[uint32]bool
}

// next is a value that nobody else uses; it tells the key.
func (w *worker) next() uint32 { w.value++; return w.value*workers + w.index + 1 }

func (w *worker) take(what string, v uint32) {
	if w.handed[v] {
		w.t.Errorf("worker %d: %s: value %d was handed to it before", w.index, what, v)
	}
	w.handed[v] = true
}

func (w *worker) run(seed uint64, keys uint32, steps int) {
	random := rand.New(rand.NewPCG(seed, uint64(w.index)))
	h := w.handle
	for range steps {
		key := 1 + random.Uint32N(keys)
		var err error
		switch what := random.Uint32N(16); {
		case what < 6:
			var r Result
			v := w.next()
			if r, err = h.Add(key, v); r == Added {
				w.put[v] = key
			}
		case what < 9:
			var old uint32
			var ok bool
			v := w.next()
			if old, ok, err = h.Update(key, v); ok {
				w.put[v] = key
				w.take("update", old)
			}
		case what < 12:
			_, err = h.Delete(key)
		case what < 14:
			err = h.Crop(key)
		case what < 15:
			err = h.Restore(key)
		default:
			h.Get(key)
			continue
		}
		if err != nil {
			w.t.Errorf("worker %d, key %d: %v", w.index, key, err)
			return
		}
		for _, l := range h.Left() {
			w.take("left", l.Value)
		}
	}
}

// TestTable_ConcurrentOperations lets actors do everything at once, on few keys. At the end each value
// that was put in is the value of one live element, or was handed to exactly one actor.
func TestTable_ConcurrentOperations(t *testing.T) {
	for _, l := range []Layout{
		{CellsPerHalf: 2, Window: 2, Descriptors: workers},
		{CellsPerHalf: 4, Window: 3, Descriptors: workers},
		{CellsPerHalf: 9, Window: 9, Descriptors: workers},
		{CellsPerHalf: 37, Window: 5, Descriptors: workers},
		{CellsPerHalf: 1 << 10, Window: 32, Descriptors: workers},
	} {
		t.Run(fmt.Sprintf("%dx%d", l.CellsPerHalf, l.Window), func(t *testing.T) {
			for seed := range uint64(20) {
				operateAll(t, l, seed)
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// newWorkers are so many workers, each with a handle of its own.
func newWorkers(t *testing.T, table *Table) []*worker {
	t.Helper()
	all := make([]*worker, workers)
	for i := range all {
		h, err := table.NewHandle(uint64(i) + 1)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = &worker{t: t, handle: h, index: uint32(i), put: map[uint32]uint32{},
			handed: map[uint32]bool{}}
	}
	return all
}

func operateAll(t *testing.T, l Layout, seed uint64) {
	table, first := newTable(t, l)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	all := newWorkers(t, table)
	var group sync.WaitGroup
	for _, w := range all {
		group.Go(func() { w.run(seed, 3*l.CellsPerHalf, 2000) })
	}
	var stop atomic.Bool
	var reader sync.WaitGroup
	reader.Go(func() {
		for !stop.Load() {
			for key := uint32(1); key <= 3*l.CellsPerHalf; key++ {
				if _, _, err := table.Lookup(key); err != nil {
					t.Errorf("get of %d: %v", key, err)
					return
				}
			}
		}
	})
	group.Wait()
	stop.Store(true)
	reader.Wait()
	if err := all[0].handle.CropAll(func(l Leaving) { all[0].take("crop of all", l.Value) }); err != nil {
		t.Error(err)
	}
	clean(t, table)
	account(t, table, all)
}

// account follows each value.
func account(t *testing.T, table *Table, all []*worker) {
	put, handed := map[uint32]uint32{}, map[uint32]int{}
	for _, w := range all {
		for v, key := range w.put {
			put[v] = key
		}
		for v := range w.handed {
			handed[v]++
			if handed[v] > 1 {
				t.Errorf("value %d was handed to two actors", v)
			}
		}
	}
	live := map[uint32]bool{}
	for _, c := range Snapshot(table, DumpOptions{}).Cells {
		live[c.Value] = true
		if put[c.Value] != c.Key {
			t.Errorf("key %d has the value %d, which was put under key %d", c.Key, c.Value, put[c.Value])
		}
	}
	for v, key := range put {
		if n := handed[v]; live[v] && n != 0 || !live[v] && n != 1 {
			t.Errorf("value %d of key %d: live %v, handed to %d actors", v, key, live[v], n)
		}
	}
	for v := range handed {
		if _, ok := put[v]; !ok {
			t.Errorf("value %d was handed out and never put in", v)
		}
	}
}

// Readers of many keys beside workers that make room, delete and crop: what stays is seen by each walk,
// once, and by each batch, with a value that it had.
func TestTable_WalksAndBatchesBesideChanges(t *testing.T) {
	table, h := newTable(t, Layout{CellsPerHalf: 128, Window: 8, Descriptors: workers + 1})
	stay := make([]uint32, 60)
	for i := range stay {
		stay[i] = uint32(1000 + i)
		if r, err := h.Add(stay[i], stay[i]<<8); r != Added || err != nil || len(h.Left()) != 0 {
			t.Fatal(r, err, h.Left())
		}
	}
	var ended sync.WaitGroup
	var stop atomic.Bool
	var evicted, moved atomic.Uint64
	for i := range uint32(workers) {
		own, err := table.NewHandle(uint64(i) + 2)
		if err != nil {
			t.Fatal(err)
		}
		own.HandOver(func(l Leaving) {
			if l.Key >= 1000 && l.Reason != ReasonUpdated {
				evicted.Add(1)
			}
		})
		ended.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 7))
			for !stop.Load() {
				key := 1 + random.Uint32N(90)
				_, err0 := own.Add(key, key<<8)
				_, _, err1 := own.Update(stay[random.IntN(len(stay))], 0xABCD00)
				_, err2 := own.Delete(1 + random.Uint32N(90))
				if err := errors.Join(err0, err1, err2, own.Crop(key)); err != nil {
					t.Error(err)
					return
				}
				moved.Add(1)
			}
		})
	}
	values, found := make([]uint32, len(stay)), make([]bool, len(stay))
	worst := 0 // keys that were not found; judged at the end, when all is told of what left
	for range 2000 {
		seen := collect(t, table)
		n, err := table.GetBatch(stay, values, found)
		if err != nil {
			t.Fatal(err)
		}
		worst = max(worst, len(stay)-n)
		gone := 0
		for i, key := range stay {
			for _, v := range []uint32{seen[key], values[i]} {
				if v != 0 && v != key<<8 && v != 0xABCD00 {
					t.Errorf("key %d has the value %#x", key, v)
				}
			}
			if seen[key] == 0 {
				gone++
			}
		}
		worst = max(worst, gone)
	}
	stop.Store(true)
	ended.Wait()
	if worst > int(evicted.Load()) {
		t.Errorf("%d keys were missed at once, %d left", worst, evicted.Load())
	}
	if moved.Load() < 100 || evicted.Load() > 20 {
		t.Errorf("%d rounds of changes, %d evicted: little was tested", moved.Load(), evicted.Load())
	}
	clean(t, table)
}
