package order

// A Walk is a loop over a map. It leaves out an entry that is deleted before the loop comes to it, and an
// entry that is added during the loop. The value of an entry is the one that the map has when its turn
// comes.
type Walk[K comparable, V any] struct {
	m    map[K]V
	keys []K
	odd  []pair[K, V] // entries whose keys cannot be found in the map
}

type pair[K comparable, V any] struct {
	key   K
	value V
}

// Over begins a walk over a map, which may be nil. It returns the zero key and value as well, so that the
// variables of a loop get their types from it:
//
//	for w, k, v := order.Over(m); w.Next(&k, &v); {
func Over[M ~map[K]V, K comparable, V any](m M) (w *Walk[K, V], key K, value V) {
	w = &Walk[K, V]{m: m, keys: make([]K, 0, len(m))}
	for k, v := range m {
		if _, is := m[k]; is {
			w.keys = append(w.keys, k)
		} else {
			w.odd = append(w.odd, pair[K, V]{k, v})
		}
	}
	Sort(w.keys)
	return w, key, value
}

// Next sets the key and the value to the next ones, unless they are nil, and reports whether there was one.
func (w *Walk[K, V]) Next(key *K, value *V) bool {
	for len(w.keys) > 0 {
		k := w.keys[0]
		w.keys = w.keys[1:]
		if v, is := w.m[k]; is {
			set(key, k)
			set(value, v)
			return true
		}
	}
	if len(w.odd) == 0 || !hasOdd(w.m) { // clear removes all of these at once
		return false
	}
	set(key, w.odd[0].key)
	set(value, w.odd[0].value)
	w.odd = w.odd[1:]
	return true
}

func set[T any](to *T, v T) {
	if to != nil {
		*to = v
	}
}

// hasOdd reports whether a map has a key that is not equal to itself.
func hasOdd[K comparable, V any](m map[K]V) bool {
	for k := range m {
		if _, is := m[k]; !is {
			return true
		}
	}
	return false
}
