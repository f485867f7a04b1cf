package basket

import (
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/internal/seam"
)

// Reader reads the store through an index. It has no entry in the region, and writes nothing but marks of
// recency. One goroutine at a time may use it.
type Reader struct {
	store   *Store
	index   Index
	handle  *hopscotch.Handle // of the index, if it is OnTable
	now     func() uint64
	noTouch bool
	tiers   bool
}

// TierCounts are numbers of hits by tier. One goroutine at a time adds to them; any goroutine may load them.
type TierCounts [TiersMax]seam.Uint64

// Hit counts a record that Get has found in that tier (Meta.Tier). The caller decides whether it counts as a
// hit.
func (c *TierCounts) Hit(tier uint32) {
	n := &c[tier&tierMask]
	hitStore(n, hitRead(n)+1)
}

func hitRead(n *seam.Uint64) uint64 { return n.Load() }

// hitStore stores a count. No other goroutine adds to it.
func hitStore(n *seam.Uint64, hits uint64) { n.Store(hits) }

// ReaderOptions are the options of a Reader. The zero value suits most programs.
type ReaderOptions struct {
	// Now returns the time in milliseconds since 1970 UTC, by which records expire. If it is nil, no record
	// expires.
	Now func() uint64
	// NoTouch leaves the marks of recency unchanged.
	NoTouch bool
	// Tiers makes Get return the tier in which it has found a record (Meta.Tier).
	Tiers bool
}

// Meta is what the store knows of a record besides its bytes.
type Meta struct {
	Expires uint64 // milliseconds since 1970 UTC, 0 for never
	Bytes   int    // length of the value
	Suspect bool   // the key is asked for too often, as Writer.Mark recorded
	Tier    uint32 // of the basket in which Get has found it, with ReaderOptions.Tiers; else 0
}

// NewReader makes a reader. Errors: ErrZero, ErrIndex.
func (s *Store) NewReader(index Index, o ReaderOptions) (*Reader, error) {
	if err := s.made(); err != nil {
		return nil, fmt.Errorf("reader: %w", err)
	}
	if index == nil {
		return nil, fmt.Errorf("reader: %w", ErrIndex)
	}
	r := s.reader(index, o)
	return &r, nil
}

// reader makes a reader of an index that is not nil.
func (s *Store) reader(index Index, o ReaderOptions) Reader {
	r := Reader{store: s, index: index, now: o.Now, noTouch: o.NoTouch, tiers: o.Tiers}
	if x, ok := index.(*table); ok {
		r.handle = x.Handle
	}
	return r
}

// Store returns the store that the reader reads.
func (r *Reader) Store() *Store { return r.store }

// expired reports whether a record with that instant of expiry has expired.
func (r *Reader) expired(at uint64) bool { return at != 0 && r.now != nil && at <= r.now() }

// indexLookup is the ticket of the hash. LP: of a get, a find and a delete that find nothing under the hash.
func (r *Reader) indexLookup(hash uint32) (hopscotch.Ticket, bool, error) {
	if r.handle != nil {
		return r.handle.Ticket(hash) // the same, without a call through the interface
	}
	return r.index.Ticket(hash)
}

// indexStill asks, after the copies, whether the ticket holds.
//
// LP: of a get, and of each call that returns what is there or absent.
func (r *Reader) indexStill(ticket hopscotch.Ticket) bool {
	if r.handle != nil {
		return r.handle.Still(ticket)
	}
	return r.index.Still(ticket)
}

// Get appends the value of the key to dst. hash must be the hash of the key; it is the key in the index, so
// it is neither 0 nor 0xFFFFFFFF. ok is false if the key is absent, or has expired. The value is whole, and
// the key had it at an instant of the call. A key that was there during the whole call is found.
//
// Errors: those of the index; ErrCorrupt; ErrBusy. After an error dst comes back without a further byte,
// though perhaps with more room. Progress: lock-free; it starts again only if another call has changed what
// the index has under the hash. It allocates only if dst has no room.
func (r *Reader) Get(hash uint32, key, dst []byte) (value []byte, m Meta, ok bool, err error) {
	if r.store == nil {
		return dst, m, false, ErrZero
	}
	for range patience {
		ticket, there, err := r.indexLookup(hash)
		if err != nil || !there {
			return dst, Meta{}, false, err
		}
		r.store.request(Ref(ticket.Value()))
		if !r.noTouch {
			r.store.touchRequest(Ref(ticket.Value()))
		}
		x, what := r.find(Ref(ticket.Value()), hash, key)
		if what != found {
			if !r.indexStill(ticket) {
				continue
			}
			return dst, Meta{}, false, r.lost(what, hash)
		}
		n := x.valueBytes()
		if cap(dst)-len(dst) < n && !r.indexStill(ticket) {
			continue // nothing is allocated for a length that was not checked against the index
		}
		value := slices.Grow(dst, n)[:len(dst)+n]
		r.store.copyValue(x, value[len(dst):])
		if !r.indexStill(ticket) {
			dst = value[:len(dst)] // the next round has the room that this one has made
			continue
		}
		if r.expired(x.expires) {
			return dst, Meta{}, false, nil
		}
		r.mark(x.unit)
		m := x.meta()
		if r.tiers {
			m.Tier = r.store.tierOf(x.unit)
		}
		return value, m, true, nil
	}
	return dst, Meta{}, false, fmt.Errorf("get of hash %#x: %w", hash, ErrBusy)
}

// Has is Get without the value.
func (r *Reader) Has(hash uint32, key []byte) (m Meta, ok bool, err error) {
	if r.store == nil {
		return m, false, ErrZero
	}
	for range patience {
		ticket, there, err := r.indexLookup(hash)
		if err != nil || !there {
			return Meta{}, false, err
		}
		x, what := r.find(Ref(ticket.Value()), hash, key)
		if !r.indexStill(ticket) {
			continue
		}
		if what != found {
			return Meta{}, false, r.lost(what, hash)
		}
		if r.expired(x.expires) {
			return Meta{}, false, nil
		}
		return x.meta(), true, nil
	}
	return Meta{}, false, fmt.Errorf("look at hash %#x: %w", hash, ErrBusy)
}

// find follows a chain to the record of the key.
func (r *Reader) find(ref Ref, hash uint32, key []byte) (x record, what outcome) {
	for range ChainMax {
		x, sound := r.store.look(ref, hash)
		if !sound {
			return x, torn
		}
		if r.store.has(x, key) {
			return x, found
		}
		if ref = x.word.Next(); ref == 0 {
			return x, absent
		}
	}
	return x, torn
}

// lost returns the error of an outcome whose ticket holds. It is nil if the key is not in the chain.
func (r *Reader) lost(what outcome, hash uint32) error {
	if what != torn {
		return nil
	}
	return fmt.Errorf("chain of hash %#x: %w", hash, ErrCorrupt)
}

// mark marks the record at that unit as used.
func (r *Reader) mark(unit uint32) {
	if !r.noTouch {
		r.store.touched(unit)
	}
}
