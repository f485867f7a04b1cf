package basket

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
)

// WriterOptions are the options of a Writer. The zero value suits a program of one process on the heap.
type WriterOptions struct {
	// Tell is called for each record that has left by a call of this writer, after it has left. It must not
	// use the writer. If it is nil, no record is copied for it.
	Tell func(Leaving)
	// Count is called with the reason of each record that has left by a call of this writer, with or without
	// a Tell, and before it. It must not use the writer. It may be nil.
	Count func(Reason)
	// Number is a number by which a person recognises the writer; 0 is 1.
	Number uint32
	// Alive reports whether an owner can still make a step. Once it has returned false, that owner must
	// never make a step again. If it is nil, the process table of the region decides; on the heap all owners
	// are alive.
	Alive func(Owner) bool
	// Now returns the time in milliseconds since 1970 UTC, by which records expire. If it is nil, no record
	// expires.
	Now func() uint64
	// NoTouch leaves the marks of recency unchanged.
	NoTouch bool
	// Portion bounds the walk of a Replace that frees baskets before they are needed; 0 is 8. The walk stops
	// when Portion records were evicted, and passes at most four times as many. It passes as few as possible:
	// one record while no record that it meets has to stay. If no basket is free when one is needed, the
	// Replace retires a whole basket.
	Portion int
	// Reserve is the number of free baskets that the writer keeps; 0 is the number of ReserveOf. If it is
	// negative, the writer keeps none: each basket retires when its room is needed, and none is compacted.
	Reserve int
	// Policy is the policy of the store if it is not one of this package; otherwise nil.
	Policy Policy
	// Tuning, if it is not nil, is called before each choice of a basket that retires, so a program can
	// change the numbers while the writer works. It must not use the writer. If it is nil, the defaults
	// apply.
	Tuning func() Tuning
}

// ReserveOf is the number of free baskets that a writer without WriterOptions.Reserve keeps in a store: one
// for each lane, because a record that is moved may need a basket in any of them. If a store has few
// baskets, each free basket costs more hits than a record that leaves because no basket is free.
func ReserveOf(l Layout) int {
	if l.Baskets < fewBaskets {
		return 1
	}
	return min(max(int(l.Baskets)/128, int(l.lanes())), 8)
}

const fewBaskets = 64

// reserveOf is the number of free baskets that o asks for.
func (o WriterOptions) reserveOf(l Layout) int {
	switch {
	case o.Reserve < 0:
		return 0
	case o.Reserve > 0:
		return min(o.Reserve, int(l.Baskets)-1)
	}
	return ReserveOf(l)
}

// portionOf is the number of records that a Replace walks over.
func (o WriterOptions) portionOf() int {
	if o.Portion <= 0 {
		return 8
	}
	return o.Portion
}

// none stands for no basket.
const none = ^uint32(0)

// Writer changes the store. It owns one entry in the region, at most one open basket for each lane, and at
// most one basket that it retires. One goroutine at a time may use it, together with the index.
type Writer struct {
	Reader
	owner  Owner
	number uint32 // entry of the writer, plus one
	alive  func(Owner) bool
	tell   func(Leaving)
	count  func(Reason)
	closed error

	*lane        // to which it appends at present
	lanes []lane // one for each tier to which it appends
	order Order

	retiring   uint32 // basket that the writer walks over
	retired    Head   // head of that basket
	at         uint32 // next unit of the walk
	tooLong    bool   // the basket was older than tuned when the walk began
	moves      bool   // all its live records are moved, and not evicted
	full       bool   // no basket is free, as far as this walk knows
	passed     uint32 // a basket that was given back, and is not taken until another one is free
	ahead      uint32 // unit up to which the cells of records were requested from the index
	led        int    // number of records from at to ahead
	waits      int    // calls for which the basket has waited behind its last record, because of a hand
	rivals     [TiersMax]rivals
	moved      uint32 // unit of the record that a verdict of the policy moves; otherwise none
	movedMarks marks  // marks of its copy
	candidate  Candidate

	short   bool // fewer baskets than the reserve may be free
	tends   bool // a Tend runs
	stuck   bool // compaction waits for a place
	reserve int  // present reserve
	normal  int  // reserve by WriterOptions.Reserve
	portion int
	tuning  func() Tuning
	share   [TiersMax]uint32 // of the tiers: see Tuning
	ages    [TiersMax]uint64 // the same
	weighed Balance          // balance of the last look
	living  uint64           // percent of all units: see Tuning
	least   uint64           // percent of a basket that a compaction has to gain: see Tuning

	cursor   uint32 // basket at which a look for a free one begins
	found    path   // of the last Find
	key      []byte // of the last Find
	serial   uint64 // of the last Find
	prepared uint64 // serial of the Find that the last Prepare was for
	walked   path   // of a walk
	work     []byte
	said     []byte
	notes    []note
	tally    Tally
	handed   func(ref uint32) // calls noteChain, for adds
	taken    func(ref uint32) // the same, for refs that the dead have left
	dead     [ChainMax]dying  // records that the next swap makes dead
	dyings   int              // number of these records
}

// NewWriter takes the first free entry. If none is free, it takes the first entry whose owner is dead, with
// the baskets in its name. Errors: ErrZero, ErrIndex, ErrWriters, region.ErrReadOnly; those of the index,
// and of [region.Region.Alive]. Progress: lock-free.
func (s *Store) NewWriter(index Index, o WriterOptions) (*Writer, error) {
	if err := s.made(); err != nil {
		return nil, fmt.Errorf("writer: %w", err)
	}
	switch {
	case index == nil:
		return nil, fmt.Errorf("writer: %w", ErrIndex)
	case s.region.ReadOnly():
		return nil, fmt.Errorf("writer: %w: open the region instead of observing it", region.ErrReadOnly)
	}
	w := &Writer{Reader: s.reader(index, ReaderOptions{Now: o.Now, NoTouch: o.NoTouch}), alive: o.Alive,
		tell: o.Tell, count: o.Count, retiring: none, passed: none, moved: none,
		portion: o.portionOf(), tuning: o.Tuning}
	p, err := s.policyOf(o.Policy)
	if err != nil {
		return nil, fmt.Errorf("writer: %w", err)
	}
	w.makeLanes(s.layout.lanes())
	w.normal = o.reserveOf(s.layout)
	w.tune()
	w.order = p.Order(s.policy, s.layout)
	for t := range w.rivals {
		w.rivals[t].basket = none
	}
	w.owner = ownerOf(max(o.Number, 1), s.region.Process())
	w.handed = func(ref uint32) { w.noteChain(Ref(ref), ReasonIndexFull) }
	w.taken = func(ref uint32) { w.noteChain(Ref(ref), ReasonDead) }
	if err := w.enter(); err != nil {
		return nil, err
	}
	w.cursor = (w.number - 1) % s.layout.Baskets
	if err := w.inherit(); err != nil {
		return nil, errors.Join(fmt.Errorf("writer: %w", err), w.Close())
	}
	return w, nil
}

// Tally counts the records that have left by calls of this writer.
func (w *Writer) Tally() Tally { return w.tally }

// Close seals the open baskets, gives back the one that the writer retires, and gives up the entry. A second
// Close returns ErrClosed.
func (w *Writer) Close() error {
	if err := w.usable(); err != nil {
		return err
	}
	w.closed = ErrClosed
	var err error
	for i := range w.lanes {
		w.lane = &w.lanes[i]
		err = errors.Join(err, w.seal())
	}
	err = errors.Join(err, w.giveBack())
	if err == nil && !w.store.entries[w.number-1].ownerFree(w.owner) {
		err = fmt.Errorf("writer %d has another owner: %w", w.number-1, ErrCorrupt)
	}
	return err
}

// usable returns the reason why no call may begin, or nil.
func (w *Writer) usable() error {
	if w == nil || w.store == nil {
		return ErrZero
	}
	return w.closed
}

// Found is the result of a Find. It is valid for one Replace or Remove of its writer, until the next Find of
// that writer.
type Found struct {
	serial uint64
	state  foundState
	meta   Meta
}

type foundState uint8

const (
	nothing  foundState = iota // the index has nothing under the hash
	others                     // it has a chain without the key
	there                      // it has a record of the key that has not expired
	outdated                   // it has a record of the key that has expired
)

// OK reports whether the key is there, and has not expired.
func (f Found) OK() bool { return f.state == there }

// Meta describes the record that was found; it is zero if there is none.
func (f Found) Meta() Meta { return f.meta }

// Find looks for the key, in order to change it: see Get. If dst is not nil, the value is appended to it.
// The result was true at an instant of the call. A change succeeds only if no other call has changed what
// the index has under the hash since that instant. The caller must not change the bytes of key until then.
//
// Errors: those of Get; ErrClosed; ErrKey. Progress: lock-free.
func (w *Writer) Find(hash uint32, key, dst []byte) (f Found, value []byte, err error) {
	if err := w.usable(); err != nil {
		return f, dst, err
	}
	if len(key) > KeyMax {
		return f, dst, w.store.fit(key, nil)
	}
	w.serial++
	w.key, w.found.hash = key, hash
	for range patience {
		again, f, value, err := w.tryFind(key, dst)
		if again {
			dst = value
			continue
		}
		f.serial = w.serial
		return f, value, err
	}
	return f, dst, fmt.Errorf("find of hash %#x: %w", hash, ErrBusy)
}

// tryFind is one round of Find.
func (w *Writer) tryFind(key, dst []byte) (again bool, f Found, value []byte, err error) {
	p := &w.found
	ticket, ok, err := w.indexLookup(p.hash)
	if err != nil || !ok {
		p.n, p.at = 0, -1
		return false, f, dst, err
	}
	p.ticket = ticket
	what := p.follow(w.store, key, 0)
	if what == found && dst != nil {
		n := p.links[p.at].valueBytes()
		if cap(dst)-len(dst) < n && !w.indexStill(ticket) {
			return true, f, dst, nil
		}
		value = append(dst, make([]byte, n)...)
		w.store.copyValue(p.links[p.at].record, value[len(dst):])
	} else {
		value = dst
	}
	if !w.indexStill(ticket) {
		return true, f, value[:len(dst)], nil // the next round has the room that this one has made
	}
	if what != found {
		f.state = others
		return false, f, dst, w.lost(what, p.hash)
	}
	x := p.links[p.at].record
	f.state, f.meta = there, x.meta()
	if w.expired(x.expires) {
		f.state, value = outdated, dst
	}
	return false, f, value, nil
}
