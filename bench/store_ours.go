package bench

import (
	"errors"
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// layoutFor is the geometry in which n elements make the given load.
func layoutFor(n int, load float64) hopscotch.Layout {
	return hopscotch.Layout{CellsPerHalf: uint32(float64(n)/load/2) + 1, Window: 32, Descriptors: 8}
}

// errUnfit says that too few elements found a place for the load to be what it is called.
var errUnfit = errors.New("table took too few elements")

// ours is the table of a region, with a handle for each of two goroutines.
type ours struct {
	region  *region.Region
	table   *hopscotch.Table
	handles [2]*hopscotch.Handle
	left    map[uint32]bool // what has left the table to make room
}

// newOurs is an empty table, with the default options: an add makes room.
func newOurs(r *region.Region) (*ours, error) {
	o := &ours{region: r}
	return o, o.anew()
}

// anew forgets all elements; the memory stays.
func (o *ours) anew() error {
	from := o.region.Layout().Offset(hopscotch.Engine, hopscotch.SectionCells) / region.WordBytes
	clear(o.region.Words().Plain()[from:])
	table, err := hopscotch.New(o.region)
	if err != nil {
		return err
	}
	o.table, o.left = table, map[uint32]bool{}
	for i := range o.handles {
		if o.handles[i], err = table.NewHandle(uint64(i + 1)); err != nil {
			return err
		}
		o.handles[i].HandOver(func(l hopscotch.Leaving) {
			if l.Reason != hopscotch.ReasonUpdated {
				o.left[l.Key] = true
			}
		})
	}
	return nil
}

// fill adds the keys and returns those that are in the table at the end.
func (o *ours) fill(keys []uint32) ([]uint32, error) {
	if wrong := o.adds(keys); wrong > 0 {
		return nil, fmt.Errorf("%w: %d of %d", errUnfit, wrong, len(keys))
	}
	for i := range o.handles { // From here on nothing leaves, and sets are measured.
		o.handles[i].HandOver(nil)
	}
	return slices.DeleteFunc(slices.Clone(keys), func(k uint32) bool { return o.left[k] }), nil
}

func (o *ours) gets(keys []uint32, present bool) (wrong int) {
	t := o.table
	for _, key := range keys {
		if v, ok := t.Get(key); ok != present || ok && wrongValue(key, v) {
			wrong++
		}
	}
	return wrong
}

// adds counts an element that is handed over to make room as no fault, but a hundredth of them.
func (o *ours) adds(keys []uint32) (wrong int) {
	h := o.handles[0]
	for _, key := range keys {
		if r, err := h.Add(key, key); err != nil || r != hopscotch.Added {
			wrong++
		}
	}
	return wrong + o.tooMany(len(keys))
}

// tooMany is how many elements have left, if that is more than a hundredth of those that came.
func (o *ours) tooMany(came int) int {
	if len(o.left) > came/100 {
		return len(o.left)
	}
	return 0
}

// addAhead is how many adds are prepared before the first of them is done.
const addAhead = 16

// addsStaged is adds in two stages.
func (o *ours) addsStaged(keys []uint32) (wrong int) {
	h := o.handles[0]
	var prepared [addAhead]hopscotch.PreparedAdd
	return o.addsInParts(keys, addAhead, func(part []uint32) (wrong int) {
		for i, key := range part {
			var err error
			if prepared[i], err = o.table.PrepareAdd(key, key); err != nil {
				wrong++
			}
		}
		for i := range part {
			if r, err := h.AddPrepared(prepared[i]); err != nil || r != hopscotch.Added {
				wrong++
			}
		}
		return wrong
	})
}

// addBatch is how many keys a batch of adds has.
const addBatch = 1024

// addsBatched is adds in batches.
func (o *ours) addsBatched(keys []uint32) (wrong int) {
	h := o.handles[0]
	var results [addBatch]hopscotch.Result
	return o.addsInParts(keys, addBatch, func(part []uint32) (wrong int) {
		n, err := h.AddBatch(part, part, results[:len(part)])
		if err != nil {
			return len(part)
		}
		return len(part) - n
	})
}

// addsInParts is adds of so many keys at a time, the last time of what is left.
func (o *ours) addsInParts(keys []uint32, size int, adds func(part []uint32) (wrong int)) (wrong int) {
	for part := range slices.Chunk(keys, size) {
		wrong += adds(part)
	}
	return wrong + o.tooMany(len(keys))
}

func (o *ours) sets(keys []uint32, flip uint32) (wrong int) {
	h := o.handles[0]
	for _, key := range keys {
		if _, ok, err := h.Update(key, key^flip); !ok || err != nil {
			wrong++
		}
	}
	return wrong
}

func (o *ours) mixes(who int, keys []uint32, reads []bool, flip uint32) (wrong int) {
	t, h := o.table, o.handles[who]
	for i, key := range keys {
		if reads[i%len(reads)] {
			if v, ok := t.Get(key); !ok || wrongValue(key, v) {
				wrong++
			}
		} else if _, ok, err := h.Update(key, key^flip); !ok || err != nil {
			wrong++
		}
	}
	return wrong
}

func (o *ours) walks() (seen, wrong int) {
	for key, v := range o.table.All() {
		if seen++; wrongValue(key, v) {
			wrong++
		}
	}
	return seen, wrong
}

// batches gets size keys a call; all keys are there.
func (o *ours) batches(keys []uint32, size int) (wrong int) {
	values, found := make([]uint32, size), make([]bool, size)
	for at := 0; at+size <= len(keys); at += size {
		part := keys[at : at+size]
		if n, err := o.table.GetBatch(part, values, found); n != size || err != nil {
			wrong++
		}
		for i, key := range part {
			if wrongValue(key, values[i]) {
				wrong++
			}
		}
	}
	return wrong
}

func (o *ours) value(key uint32) (uint32, bool) { return o.table.Get(key) }

func (o *ours) close() { dispose(o.region) }

// limitReads loads one random cache line of the region for each key: nothing that looks a key up in
// that much memory can be faster, on one goroutine and without a batch.
func limitReads(r *region.Region, keys []uint32) (wrong int) {
	words := r.Words()
	lines := uint64(len(words)) / 8
	for _, key := range keys {
		if words[line(key, lines)].Load() == 1<<63 {
			wrong++
		}
	}
	return wrong
}

// limitWrites stores to one random cache line for each key. It destroys the region.
func limitWrites(r *region.Region, keys []uint32) (wrong int) {
	words := r.Words()
	lines := uint64(len(words)) / 8
	for _, key := range keys {
		words[line(key, lines)].Store(uint64(key))
	}
	return 0
}

// limitMixes does one or the other.
func limitMixes(r *region.Region, keys []uint32, reads []bool) (wrong int) {
	words := r.Words()
	lines := uint64(len(words)) / 8
	for i, key := range keys {
		word := &words[line(key, lines)]
		if !reads[i%len(reads)] {
			word.Store(uint64(key))
		} else if word.Load() == 1<<63 {
			wrong++
		}
	}
	return wrong
}

// line is the index of the last word of a random cache line.
func line(key uint32, lines uint64) uint64 {
	x := uint64(key) * 0x9E3779B97F4A7C15
	x ^= x >> 32
	return (x&0xFFFFFFFF*lines>>32)*8 + 7
}
