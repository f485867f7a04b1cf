package basket

import (
	"slices"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Sight is what a glance has come to.
type Sight uint8

const (
	Unsure  Sight = iota // nothing is known: ask a Reader
	Absent               // the key was not there
	Present              // the value is that of the key
)

// Glance is the Get of a Reader for keys that are easy to find or to miss, without a reader and without a
// handle: table is the index, and any number of goroutines may call it. It finds the first record of a
// chain. Else it is unsure. That is rare; but it may stay so for one key, so who needs to know asks a Reader.
// Whether the record has expired is for the caller to say: Meta.Expires.
//
// The value is appended to dst, which comes back unchanged unless the key is Present. It allocates only if
// dst has no room. Progress: wait-free. It writes nothing but marks of recency, and its accesses are those of
// one round of Reader.Get, in the same order.
//
// LP: of one that answers Absent, the glance of the table; of one that is Present, the last look at the cell.
func (s *Store) Glance(table *hopscotch.Table, hash uint32, key, dst []byte) ([]byte, Meta, Sight) {
	ticket, there, sure := table.Glance(hash)
	switch {
	case !sure:
		return dst, Meta{}, Unsure
	case !there:
		return dst, Meta{}, Absent
	}
	ref := Ref(ticket.Value())
	s.request(ref)
	x, sound := s.look(ref, hash)
	if !sound || !s.has(x, key) {
		return dst, Meta{}, Unsure
	}
	n := x.valueBytes()
	if n > cap(dst)-len(dst) && !table.Still(ticket) {
		return dst, Meta{}, Unsure // nothing is allocated for a length that nobody vouches for
	}
	value := slices.Grow(dst, n)[:len(dst)+n]
	s.copyValue(x, value[len(dst):])
	if !table.Still(ticket) {
		return dst, Meta{}, Unsure
	}
	s.touched(x.unit)
	m := x.meta()
	m.Tier = s.tierOf(x.unit)
	return value, m, Present
}
