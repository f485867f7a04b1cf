package hopscotch

import "fmt"

// batchKeys is the number of keys whose memory a batch requests in advance: about as many lines as a core can
// request at once, and few enough that no line is evicted before it is used. A power of two.
const batchKeys = 16

// ahead is where the homes are of the next keys of a batch, whose lines have been asked for.
type ahead struct{ firsts, aparts [batchKeys]spot }

// ask asks for the homes of keys[i].
func (a *ahead) ask(t *Table, keys []uint32, i int) {
	first, apart := t.spots(keys[i])
	a.firsts[i%batchKeys], a.aparts[i%batchKeys] = first, apart
	t.request(first, apart)
}

// begin asks for the homes of the first keys.
func (a *ahead) begin(t *Table, keys []uint32) {
	for i := range min(batchKeys, len(keys)) {
		a.ask(t, keys, i)
	}
}

// next is where the homes of keys[i] are, at the spots of Table.spots; it asks for those of a later key.
func (a *ahead) next(t *Table, keys []uint32, i int) (first, apart spot) {
	first, apart = a.firsts[i%batchKeys], a.aparts[i%batchKeys]
	if i+batchKeys < len(keys) {
		a.ask(t, keys, i+batchKeys)
	}
	return first, apart
}

// GetBatch gets many keys: found[i] says whether keys[i] is in the table, and values[i] is its value, or 0.
// It returns the number of keys that were found. All three slices must have the same length, and must not
// overlap.
//
// The answer for each key is that of one Get at an instant of its own, not all at one instant. As with Get, a
// reserved key is never found, and a damaged table looks like one without the key. A batch saves time because
// it loads the home cells of the next 16 keys while it compares one key.
//
// Errors: ErrBatch, with nothing written. Progress: lock-free; it stores nothing in the table and does not
// allocate.
func (t *Table) GetBatch(keys, values []uint32, found []bool) (n int, err error) {
	if len(values) != len(keys) || len(found) != len(keys) {
		return 0, fmt.Errorf("get of %d keys into %d values and %d flags: %w",
			len(keys), len(values), len(found), ErrBatch)
	}
	if err := t.made(); err != nil {
		return 0, fmt.Errorf("get of %d keys: %w", len(keys), err)
	}
	var ahead ahead
	ahead.begin(t, keys)
	for i, key := range keys {
		first, apart := ahead.next(t, keys, i)
		values[i], found[i] = 0, false
		if k := Key(key); !k.Reserved() {
			if v, o := t.getSpots(k, first, apart); o == present {
				values[i], found[i] = uint32(v), true
				n++
			}
		}
	}
	return n, nil
}

// AddBatch adds a slice of elements in order: results[i] is the result of Add(keys[i], values[i]). It returns
// how many were added. Use it for bulk loading. All three slices must have the same length. results must not
// overlap the others; keys and values may be one slice.
//
// The adds are the same as those of as many calls of Add, in the order of the keys. Each takes effect at an
// instant of its own, not all at one instant. A key that occurs twice is added once. Left lists what left the
// table by any of them. A batch saves time because it loads the home cells of the next 16 keys while it adds
// one element.
//
// The batch ends at the first add that fails. Elements that were added before stay. The result of the failed
// add and those of all after it are 0, and the error contains its index. Errors: those of Add. A call that
// cannot begin writes nothing, not even results, and its error has no index: ErrBatch, ErrClosed, and the
// error of a handle that cannot be used any more. Progress: that of Add for each element. It does not
// allocate, except for the list of Left and an error.
func (h *Handle) AddBatch(keys, values []uint32, results []Result) (n int, err error) {
	if len(values) != len(keys) || len(results) != len(keys) {
		return 0, fmt.Errorf("add of %d keys with %d values and %d results: %w",
			len(keys), len(values), len(results), ErrBatch)
	}
	if err := h.begin(); err != nil {
		return 0, fmt.Errorf("add of %d keys: %w", len(keys), err)
	}
	clear(results)
	n, failed, err := h.addMany(keys, values, results)
	if err != nil {
		return n, fmt.Errorf("element %d of the batch: %w", failed, err)
	}
	return n, nil
}

// addMany adds the elements. With an error failed is the index of the one that it is about.
func (h *Handle) addMany(keys, values []uint32, results []Result) (n, failed int, err error) {
	var ahead ahead
	ahead.begin(h.table, keys)
	for i, key := range keys {
		first, apart := ahead.next(h.table, keys, i)
		if Key(key).Reserved() {
			return n, i, ErrKey
		}
		if h.stuck != nil { // by the share of the services' work after the last add
			return n, i, h.stuck
		}
		r, err := h.addAt(Key(key), Value(values[i]), first, apart)
		if err != nil {
			return n, i, err
		}
		if results[i] = r; r == Added {
			n++
		}
	}
	return n, 0, nil
}
