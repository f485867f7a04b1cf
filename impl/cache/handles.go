package cache

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// reader and writer are what the slots of the pools hold.
type reader struct {
	*basket.Reader
	peek  *basket.Reader // does not set marks of recency
	index *hopscotch.Handle
	hits  *basket.TierCounts // nil if there is one tier
}

// count counts a hit in a tier.
func (r *reader) count(tier uint32) {
	if r.hits != nil {
		r.hits.Hit(tier)
	}
}

// hit counts a hit, and gives the handle back.
func hit(s *slot[*reader], tier uint32) {
	s.handle.count(tier)
	s.give(slotFirst)
}

type writer struct {
	*basket.Writer
	index *hopscotch.Handle
	queue queue
	used  bool               // whether a call or the janitor has used it
	hold  seam.Deadline      // until then its process keeps it if it is the only one (handover.go)
	calls uint64             // number of calls that have borrowed it
	seen  uint64             // the value of calls when rested last looked
	key   []byte             // copy of the key of the call
	sum   [counterBytes]byte // the result of an Add
}

// own returns a copy of the key of a call. The writer keeps its arguments until the call is over, so without
// a copy the key of a caller, which may be on its stack, would have to be on the heap. The copy of nil is the
// empty key.
func (w *writer) own(key []byte) []byte {
	if w.key == nil || cap(w.key) > keptMost {
		w.key = make([]byte, 0, 64)
	}
	w.key = append(w.key[:0], key...)
	return w.key
}

// reading and writing borrow a handle for a call, and lend lends buffers. A nil Cache has no handles.
func (c *Cache) reading() (*slot[*reader], error) {
	if c == nil {
		return nil, neverOpened{}
	}
	return c.readers.take()
}

func (c *Cache) writing() (*slot[*writer], error) {
	if c == nil {
		return nil, neverOpened{}
	}
	s, err := c.writers.take()
	if err == nil {
		s.handle.calls++
	}
	return s, err
}

func (c *Cache) lend() *buffers {
	if c == nil {
		return &buffers{}
	}
	return c.scratch.take()
}

// owner is a number by which a person recognises a handle: it contains the process number, and which of the
// process's handles it is.
func (c *Cache) owner() uint64 {
	return uint64(uint32(os.Getpid())<<12|c.number.Add(1)&(1<<12-1)) | 1<<31
}

// Handles are limited for all processes of a region together. To let each process get one, processes that
// have handles leave some to others: unless Options ask for a number of handles, a process makes a further
// one only if more than these are free.
const (
	keptDescriptors = 2 * region.Processes // for a reader and a writer of each process
	keptWriters     = 8
	keptPart        = 4                     // or a fourth of all, if that is less
	keptFor         = 10 * time.Millisecond // pause before the next look whether more are free
	othersMost      = 2 * time.Second       // longest wait of a process without a handle
)

// errKept is the error for a handle that is kept for other processes.
var errKept = fmt.Errorf("%w: the last handles are kept for other processes", ErrBusy)

// kept reports whether the free handles must be left to other processes. A cache on the heap has no other
// processes.
func (c *Cache) kept(all, free, most int) bool {
	return c.region.File() != "" && free <= min(all/keptPart, most)
}

// newIndex makes a handle of the index for the n-th handle of a kind. asked is the number of such handles
// that the options ask for, or 0.
func (c *Cache) newIndex(of string, n, asked int) (*hopscotch.Handle, error) {
	index, err := c.table.NewHandle(c.owner())
	if err != nil {
		return nil, noHandle(of, err)
	}
	all := int(c.table.Layout().Descriptors) // given out in order, those of dead processes last
	_, ofDead := index.Inherited()
	if n > 0 && asked == 0 && !ofDead && c.kept(all, all-int(index.Descriptor()), keptDescriptors) {
		return nil, errors.Join(errKept, index.Close())
	}
	return index, nil
}

// newReader makes the reader of the slot n.
func (c *Cache) newReader(n int) (*reader, error) {
	index, err := c.newIndex("reader", n, c.options.Readers)
	if err != nil {
		return nil, err
	}
	x := basket.OnTable(index)
	var hits *basket.TierCounts
	if c.options.Tiers > 1 {
		hits = &c.tierHits[n]
	}
	r, err := c.store.NewReader(x, basket.ReaderOptions{Tiers: hits != nil}) // the cache asks its own clock
	if err != nil {
		return nil, errors.Join(noHandle("reader", err), index.Close())
	}
	peek, err := c.store.NewReader(x, basket.ReaderOptions{NoTouch: true})
	if err != nil {
		return nil, errors.Join(noHandle("reader", err), index.Close())
	}
	return &reader{r, peek, index, hits}, nil
}

// newWriter makes the writer of the slot n.
func (c *Cache) newWriter(n int) (*writer, error) {
	if c.handover.rests() {
		return nil, errKept
	}
	if n > 0 && c.options.Writers == 0 {
		if c.look.Left() > 0 {
			return nil, errKept
		}
		if all, free := c.freeWriters(); c.kept(all, free, keptWriters) {
			c.look = seam.Within(keptFor)
			return nil, errKept
		}
	}
	w, err := c.makeWriter(n)
	if n == 0 && errors.Is(err, ErrBusy) {
		c.handover.Want()
	}
	return w, err
}

// makeWriter is newWriter without the rule that some writers are kept for other processes; the rule for
// descriptors remains.
func (c *Cache) makeWriter(n int) (*writer, error) {
	index, err := c.newIndex("writer", n, c.options.Writers)
	if err != nil {
		return nil, err
	}
	wanted := c.options.OnEvent != nil || c.options.Overflow != nil
	w := &writer{index: index, hold: seam.Within(holdTime),
		queue: queue{wanted: wanted, tally: &c.tallies[n]}}
	w.Writer, err = c.store.NewWriter(basket.OnTable(index), w.queue.options(basket.WriterOptions{
		Number: uint32(c.owner()), Now: c.clock.now, Tuning: c.params.tuning,
		Policy: c.options.Policy}))
	if err != nil {
		return nil, errors.Join(noHandle("writer", err), index.Close())
	}
	return w, nil
}

// freeWriters returns the number of writers of the region, and how many of them are free or belong to a dead
// process. A writer of a dead process stays with it until another process needs it.
func (c *Cache) freeWriters() (all, free int) {
	const line = region.LineBytes / region.WordBytes // of a writer, whose owner is the first word
	words, err := c.region.Section(basket.Engine, basket.SectionWriters)
	if err != nil {
		return 0, 0
	}
	dead := map[region.Process]bool{}
	for ; all*line < len(words); all++ {
		owner := basket.Owner(words[all*line].Load())
		p := owner.Process()
		if _, known := dead[p]; !known && owner != 0 {
			alive, err := c.region.Alive(p)
			dead[p] = err == nil && !alive
		}
		if owner == 0 || dead[p] {
			free++
		}
	}
	return all, free
}

// rested reports whether no call has borrowed the writer since the last look.
func (w *writer) rested() bool {
	rested := w.calls == w.seen
	w.seen = w.calls
	return rested
}

// noHandle is the error of a process that could not make such a handle. If other processes have all of them,
// it also wraps ErrBusy.
func noHandle(of string, err error) error {
	switch {
	case errors.Is(err, basket.ErrWriters):
		return fmt.Errorf("%s: %w: %w", of, ErrBusy, allTaken{err, "others have all writers of the cache; " +
			"it has more of them if it is made with smaller BasketBytes"})
	case errors.Is(err, hopscotch.ErrHandles):
		return fmt.Errorf("%s: %w: %w", of, ErrBusy, allTaken{err, "others have all handles of its index; " +
			"it has more of them if it is made for more Entries"})
	}
	return fmt.Errorf("%s: %w", of, err)
}

// allTaken is an error of the parts of a cache, expressed in terms of the cache's options.
type allTaken struct {
	of   error
	text string
}

func (e allTaken) Error() string { return e.text }
func (e allTaken) Unwrap() error { return e.of }

// reserve fills the reserve of free baskets, but stops after a number of records that takes some
// milliseconds.
func (w *writer) reserve() error {
	for range tendMost {
		if did, err := w.Tend(tendRecords); err != nil || did < tendRecords {
			return err
		}
	}
	return nil
}

func endReader(r *reader) error { return r.index.Close() }

func endWriter(w *writer) error { return errors.Join(w.Writer.Close(), w.index.Close()) }

// done gives a writer back, and reports the entries that left by the call. It also sweeps a part of the index
// if that is due. It reads the live parameter first, because without a handle the region may be gone: the
// cache may be closed, for example by the function that receives the events.
func (c *Cache) done(s *slot[*writer], count uint64) {
	rest := c.params.value(liveRun) == 0 // no janitor is to work
	if gone := c.finish(s, count); gone > 0 || c.sweeper.calls.Load() != 0 || rest {
		c.relieve(max(gone, 1))
	}
}

// finish is done without a sweep, and returns how many entries have left for want of room.
//
// The first call of a writer may have opened the last free basket. Then the next process whose first call
// needs a basket could not move records, and would have to evict some, even if the cache is almost empty. So
// the first call of a writer refills the reserve. Otherwise processes that live for only one call would push
// entries out.
func (c *Cache) finish(s *slot[*writer], count uint64) (gone uint32) {
	if w := s.handle; !w.used {
		w.used = true
		_ = w.reserve() // the call is over; the next call reports an error
	}
	var events []Event
	events, gone = s.handle.queue.out()
	if !c.handOver(s, count) {
		s.give(count)
	}
	for _, e := range events {
		c.overflow(e)
		if c.options.OnEvent != nil {
			c.options.OnEvent(e)
		}
	}
	return gone
}
