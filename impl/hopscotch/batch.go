package hopscotch

import "fmt"

// batchKeys is how many keys a batch asks memory for at once: about what a core can have under way,
// and few enough that a line is not gone again before it is used. A power of two.
const batchKeys = 16

// GetBatch gets many keys: found[i] tells whether keys[i] is in the table, and values[i] is its
// value, 0 when it is not. It returns the number of those found. All three slices have one
// length; none may overlap another.
//
// Each key by itself gets the answer of one Get at an instant of the call; there is no one instant
// for all of them. As with Get a reserved key is never found, and a damaged table reads as one
// without the key. What a batch saves is waiting: the home cells of 16 keys are asked for before the
// first of them is compared.
//
// Errors: ErrBatch, with nothing written. Progress: lock-free; it stores nothing in the table and
// does not allocate.
func (t *Table) GetBatch(keys, values []uint32, found []bool) (n int, err error) {
	if len(values) != len(keys) || len(found) != len(keys) {
		return 0, fmt.Errorf("get of %d keys into %d values and %d flags: %w",
			len(keys), len(values), len(found), ErrBatch)
	}
	for len(keys) > batchKeys {
		n += t.getSome(keys[:batchKeys], values, found)
		keys, values, found = keys[batchKeys:], values[batchKeys:], found[batchKeys:]
	}
	return n + t.getSome(keys, values, found), nil
}

// getSome gets at most batchKeys keys.
func (t *Table) getSome(keys, values []uint32, found []bool) (n int) {
	var firsts, aparts [batchKeys]spot
	for i, key := range keys {
		first, apart := t.spots(key)
		firsts[i&(batchKeys-1)], aparts[i&(batchKeys-1)] = first, apart
		t.on(first).searchTouch()
		t.on(first ^ apart).searchTouch()
	}
	for i, key := range keys {
		values[i], found[i] = 0, false
		if k := Key(key); !k.Reserved() {
			v, o := t.getSpots(k, firsts[i&(batchKeys-1)], aparts[i&(batchKeys-1)])
			if o == present {
				values[i], found[i] = uint32(v), true
				n++
			}
		}
	}
	return n
}

// AddBatch adds many elements, one after the other: results[i] is what Add(keys[i], values[i]) ends
// with. It returns how many were added. All three slices have one length, any; results must not overlap
// the others, keys and values may be one slice.
//
// The adds are those that as many calls of Add would make, in the order of the keys: each by itself takes
// effect at an instant of the call, there is no one instant for all of them, and a key that comes twice is
// added once. Left has what has left by any of them. What a batch saves is waiting: the home cells of
// 16 keys are asked for before the first of them is added.
//
// The batch ends at the first add that fails. What was added before stays; the result of that add and
// those of all after it are 0, and the error tells its index. Errors: ErrBatch, and ErrClosed, with
// nothing written; else those of Add. Progress: that of Add for each element. It does not allocate, but
// for the list of Left.
func (h *Handle) AddBatch(keys, values []uint32, results []Result) (n int, err error) {
	if len(values) != len(keys) || len(results) != len(keys) {
		return 0, fmt.Errorf("add of %d keys with %d values and %d results: %w",
			len(keys), len(values), len(results), ErrBatch)
	}
	if err := h.begin(); err != nil {
		return 0, fmt.Errorf("add of %d keys: %w", len(keys), err)
	}
	clear(results)
	for at := 0; at < len(keys); at += batchKeys {
		end := min(at+batchKeys, len(keys))
		added, failed, err := h.addSome(keys[at:end], values[at:end], results[at:end])
		if n += added; err != nil {
			return n, fmt.Errorf("element %d of the batch: %w", at+failed, err)
		}
	}
	return n, nil
}

// addSome adds at most batchKeys elements. With an error failed is the index of the one that it is about.
func (h *Handle) addSome(keys, values []uint32, results []Result) (n, failed int, err error) {
	t := h.table
	var firsts, aparts [batchKeys]spot
	for i, key := range keys {
		firsts[i&(batchKeys-1)], aparts[i&(batchKeys-1)] = t.spots(key)
	}
	// The loads are by themselves: a processor looks only some hundreds of instructions ahead of the first
	// one that waits.
	for i := range keys {
		first, apart := firsts[i&(batchKeys-1)], aparts[i&(batchKeys-1)]
		t.on(first).searchTouch()
		t.on(first ^ apart).searchTouch()
	}
	for i, key := range keys {
		first, apart := firsts[i&(batchKeys-1)], aparts[i&(batchKeys-1)]
		if Key(key).Reserved() {
			return n, i, ErrKey
		}
		if h.stuck != nil { // by the share of the services' work after the last add
			return n, i, h.stuck
		}
		r, err := h.addAt(Key(key), Value(values[i]), first.index(), (first ^ apart).index())
		if err != nil {
			return n, i, err
		}
		if results[i] = r; r == Added {
			n++
		}
	}
	return n, 0, nil
}
