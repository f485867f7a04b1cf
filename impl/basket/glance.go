package basket

import (
	"slices"

	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Sight is the result of a glance.
type Sight uint8

const (
	Unsure  Sight = iota // nothing is known: ask a Reader
	Absent               // the key was not there
	Present              // the value is that of the key
)

// Glance is the Get of a Reader for keys that are easy to find or to miss. It needs neither a reader nor a
// handle: table is the index, and any number of goroutines may call it. It finds the first record of a
// chain; for any other record it is Unsure. That is rare, but it may stay so for one key, so a caller that
// needs an answer then asks a Reader. The caller decides whether the record has expired: Meta.Expires.
//
// The value is appended to dst, which is returned unchanged unless the key is Present. Glance allocates only
// if dst has no room. Progress: wait-free. It writes nothing but marks of recency, and its accesses are
// those of one round of Reader.Get, in the same order.
//
// LP: of one that answers Absent, the glance of the table; of one that is Present, the last look at the
// cell.
func (s *Store) Glance(table *hopscotch.Table, hash uint32, key, dst []byte) ([]byte, Meta, Sight) {
	ticket, there, sure := table.Glance(hash)
	switch {
	case !sure:
		return dst, Meta{}, Unsure
	case !there:
		return dst, Meta{}, Absent
	}
	s.request(Ref(ticket.Value()))
	return s.glanceAt(table, ticket, key, dst)
}

// glanceAt continues a glance at the record that the index has named.
func (s *Store) glanceAt(table *hopscotch.Table, ticket hopscotch.Ticket, key, dst []byte) ([]byte, Meta,
	Sight) {
	x, sound := s.look(Ref(ticket.Value()), ticket.Key())
	if !sound || !s.has(x, key) {
		return dst, Meta{}, Unsure
	}
	n := x.valueBytes()
	if n > cap(dst)-len(dst) && !table.Still(ticket) {
		return dst, Meta{}, Unsure // nothing is allocated for a length that was not checked against the index
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

// Requested is a key that was looked up in the index, and whose record was requested from memory.
type Requested struct {
	ticket hopscotch.Ticket
	sight  Sight // Present: there is a record
}

// Request is the first half of a Glance, and GlanceAt is the second half. A caller with many keys requests
// all of them first, and so waits for memory once instead of once for each key. Progress: wait-free; it
// writes nothing.
//
// LP: of a GlanceAt that answers Absent, the glance of the table.
func (s *Store) Request(table *hopscotch.Table, hash uint32) Requested {
	ticket, there, sure := table.Glance(hash)
	switch {
	case !sure:
		return Requested{}
	case !there:
		return Requested{sight: Absent}
	}
	ref := Ref(ticket.Value())
	if unit := ref.unit(); uint64(unit) < uint64(len(s.records)) {
		s.copyRequest(unit)
		s.touchRequest(ref)
		if next := unit + secondLine; uint64(next) < uint64(len(s.records)) {
			s.copyRequest(next)
		}
	}
	return Requested{ticket, Present}
}

// GlanceAt is the second half of a Glance, for the key whose hash was requested. If it answers Absent, the
// key was absent at an instant of the first half.
func (s *Store) GlanceAt(table *hopscotch.Table, r Requested, key, dst []byte) ([]byte, Meta, Sight) {
	if r.sight != Present {
		return dst, Meta{}, r.sight
	}
	return s.glanceAt(table, r.ticket, key, dst)
}
