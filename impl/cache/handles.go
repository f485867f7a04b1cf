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
	peek  *basket.Reader // leaves the marks of recency alone
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
	used  bool               // by a call, or by the janitor
	hold  seam.Deadline      // until which its process keeps it if it is the only one (handover.go)
	calls uint64             // that have borrowed it
	seen  uint64             // calls when rested has looked
	key   []byte             // of the call
	sum   [counterBytes]byte // of an Add
}

// own is a copy of the key of a call: the writer keeps what it is given until the call is over, and the key
// of a caller, which may be on its stack, would have to be on the heap for that. The copy of nil is the empty
// key.
func (w *writer) own(key []byte) []byte {
	if w.key == nil || cap(w.key) > keptMost {
		w.key = make([]byte, 0, 64)
	}
	w.key = append(w.key[:0], key...)
	return w.key
}

// reading and writing borrow a handle for a call, and lend buffers. A Cache that is nil has no handles.
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

// owner is the number by which a person knows a handle again: the process's, and which of its handles it is.
func (c *Cache) owner() uint64 {
	return uint64(uint32(os.Getpid())<<12|c.number.Add(1)&(1<<12-1)) | 1<<31
}

// Handles are limited for all processes of a region. So that each process gets one, those who have one leave
// some to others: where Options do not ask for so many by name, a process makes no further one unless more
// than these are free.
const (
	keptDescriptors = 2 * region.Processes // a reader and a writer for each process
	keptWriters     = 8
	keptPart        = 4                     // or that part of all, if it is less
	keptFor         = 10 * time.Millisecond // until the next look whether there are more
	othersMost      = 2 * time.Second       // that a process without a handle waits for one
)

// errKept is of a handle that is kept for other processes.
var errKept = fmt.Errorf("%w: the last handles are kept for other processes", ErrBusy)

// kept reports whether those of all that are free are to be left to others. Nobody else has a cache on the
// heap.
func (c *Cache) kept(all, free, most int) bool {
	return c.region.File() != "" && free <= min(all/keptPart, most)
}

// newIndex is a handle of the index, for the n-th handle of a kind of which asked are wanted by name.
func (c *Cache) newIndex(of string, n, asked int) (*hopscotch.Handle, error) {
	index, err := c.table.NewHandle(c.owner())
	if err != nil {
		return nil, noHandle(of, err)
	}
	all := int(c.table.Layout().Descriptors) // which are given out in their order, those of the dead last
	_, ofDead := index.Inherited()
	if n > 0 && asked == 0 && !ofDead && c.kept(all, all-int(index.Descriptor()), keptDescriptors) {
		return nil, errors.Join(errKept, index.Close())
	}
	return index, nil
}

// newReader makes the handle of a reader's slot.
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

// newWriter makes the handle of the writer's slot n.
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

// makeWriter is newWriter where nothing is kept for other processes but descriptors.
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

// freeWriters are how many writers the region has, and how many of them nobody has who lives: those of the
// dead are theirs until somebody needs them.
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

// noHandle says that a process has none of these handles. If others have them all, that is ErrBusy too.
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

// allTaken is an error of the parts of a cache, in the words of its options.
type allTaken struct {
	of   error
	text string
}

func (e allTaken) Error() string { return e.text }
func (e allTaken) Unwrap() error { return e.of }

// reserve keeps the reserve of free baskets, and stops after so many records as cost some milliseconds.
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

// done gives a writer's handle back, and tells what left by the call. It sweeps a part of the index where
// that is due.
func (c *Cache) done(s *slot[*writer], count uint64) {
	if gone := c.finish(s, count); gone > 0 || c.sweeper.calls.Load() != 0 || c.params.value(liveRun) == 0 {
		c.relieve(max(gone, 1))
	}
}

// finish is done without a sweep, and says how many entries have left for want of room.
//
// The first call of a writer may have opened the last free basket. The next process whose first call needs
// one would have nowhere to move records to, and would have to evict some, however empty the cache. So that
// call sees to it that there is another one: else processes that live for one call each would push entries
// out.
func (c *Cache) finish(s *slot[*writer], count uint64) (gone uint32) {
	if w := s.handle; !w.used {
		w.used = true
		_ = w.reserve() // the call is over; what is wrong shows in the next one
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
