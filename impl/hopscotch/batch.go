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
