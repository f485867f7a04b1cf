package basket

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
)

// WriterOptions are those of a Writer. The zero value suits a program of one process on the heap.
type WriterOptions struct {
	// Tell is called for each record that has left by a call of this writer, when it has left. It must not
	// use the writer. nil: nothing is copied for it.
	Tell func(Leaving)
	// Count is called with the reason of each record that has left by a call of this writer, whether there is
	// a Tell or not, ahead of it. It must not use the writer. May be nil.
	Count func(Reason)
	// Number is by which a person knows the writer again; 0 is 1.
	Number uint32
	// Alive tells whether an owner can still make a step. Once it returns false, that owner must never make
	// one again. nil: as the process table of the region says; on the heap all owners are alive.
	Alive func(Owner) bool
	// Now is the time in milliseconds since 1970 UTC, by which records expire; nil: none ever does.
	Now func() uint64
	// NoTouch leaves the marks of recency alone.
	NoTouch bool
	// Portion is how many records a Replace walks over at most, to have baskets free before they are needed;
	// 0 is 8. It walks over as few as will do: over one, as long as nothing of what it meets is to stay. If
	// no basket is free when one is needed, the Replace retires a whole one.
	Portion int
	// Reserve is how many free baskets the writer wants there to be; 0 is that of ReserveOf; negative: none,
	// so that each basket is retired when its room is needed, and none compacted.
	Reserve int
	// Policy is that of the store, if it is none of this package; else nil.
	Policy Policy
	// Tuning, if it is not nil, is asked ahead of each choice of a basket that is to retire, so that a
	// program can change the numbers while the writer works. It must not use the writer. nil: the defaults.
	Tuning func() Tuning
}

// ReserveOf is how many baskets of a store a writer without WriterOptions.Reserve wants to be free: one for
// each lane, since a record that is moved may need a basket in any of them. Of few baskets each one that is
// free costs more hits than a record that leaves for want of one.
func ReserveOf(l Layout) int {
	if l.Baskets < fewBaskets {
		return 1
	}
	return min(max(int(l.Baskets)/128, int(l.lanes())), 8)
}

const fewBaskets = 64

// reserveOf is the number of baskets that o wants to be free.
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

// none is no basket.
const none = ^uint32(0)

// Writer changes the store. It owns one entry in the region, one open basket at most, and one at most that it
// retires. One goroutine at a time may use it, with the index.
type Writer struct {
	Reader
	owner  Owner
	number uint32 // of the entry, plus one
	alive  func(Owner) bool
	tell   func(Leaving)
	count  func(Reason)
	closed error

	*lane        // to which it appends now
	lanes []lane // one for each tier to which it ever does
	order Order

	retiring   uint32 // basket that it walks over
	retired    Head   // of it
	at         uint32 // unit of it that the walk has come to
	tooLong    bool   // it was older than tuned when the walk began
	moves      bool   // all that lives there is moved, not evicted
	full       bool   // no basket is free, as far as this walk knows
	passed     uint32 // a basket that it has given back, and does not take until another one is free
	ahead      uint32 // unit of it up to which the index was asked for the cells of records
	led        int    // so many records from at to ahead
	waits      int    // so many calls it has waited for somebody's hands behind its last record
	rivals     [TiersMax]rivals
	moved      uint32 // unit of the record that is moved by the verdict of the policy; else none
	movedMarks marks  // that its copy has then
	candidate  Candidate

	short   bool // less than the reserve may be free
	tends   bool // a Tend runs
	stuck   bool // what is compacted waits for a place
	reserve int  // that is in force
	normal  int  // that WriterOptions.Reserve says
	portion int
	tuning  func() Tuning
	share   [TiersMax]uint32 // of the tiers: see Tuning
	ages    [TiersMax]uint64 // the same
	weighed Balance          // of the last look
	living  uint64           // percent of all records: see Tuning
	least   uint64           // percent of a basket that a compaction has to gain: see Tuning

	cursor   uint32 // basket with which a look for a free one begins
	found    path   // of the last Find
	key      []byte // of the last Find
	serial   uint64 // of the last Find
	prepared uint64 // serial of the Find that the last Prepare was for
	walked   path   // of a walk
	work     []byte
	said     []byte
	notes    []note
	tally    Tally
	handed   func(ref uint32) // noteChain, for adds
	taken    func(ref uint32) // the same, for what the dead have left
	dead     [ChainMax]dying  // records that the next swap makes dead
	dyings   int              // so many
}

// NewWriter takes the first free entry; if none is, the first one whose owner is dead, with what it has left.
// Errors: ErrZero, ErrIndex, ErrWriters, region.ErrReadOnly; those of the index, and of
// [region.Region.Alive]. Progress: lock-free.
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

// Tally is what has left by calls of this writer.
func (w *Writer) Tally() Tally { return w.tally }

// Close seals the open basket, gives back the one that it retires, and gives up the entry. A second Close
// returns ErrClosed.
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

// usable says why no call may begin.
func (w *Writer) usable() error {
	if w == nil || w.store == nil {
		return ErrZero
	}
	return w.closed
}

// Found is what a Find has found. It is good for one Replace or Remove of its writer, as long as that finds
// nothing else.
type Found struct {
	serial uint64
	state  foundState
	meta   Meta
}

type foundState uint8

const (
	nothing  foundState = iota // the index has nothing under the hash
	others                     // it has a chain without the key
	there                      // it has a record of the key
	outdated                   // the same, which has expired
)

// OK reports whether the key is there, and has not expired.
func (f Found) OK() bool { return f.state == there }

// Meta is of the record that was found; zero without one.
func (f Found) Meta() Meta { return f.meta }

// Find looks for the key, for a change of it: see Get. If dst is not nil, the value is appended to it. What
// it says held at an instant of the call. A change succeeds only if nobody has changed what the index has
// under the hash since that instant. The key must stay as it is until then.
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
		return true, f, dst, nil
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
