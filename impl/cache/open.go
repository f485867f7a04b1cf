package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"sync"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/control"
	"github.com/samecycle/samecycle/impl/handover"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/quota"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// Cache is one process's view of a cache. Its methods may be called by all goroutines at once, and by
// functions of the user that the cache calls. Make one with Open or Attach, and end it with Close.
type Cache struct {
	hasher   hasher
	readers  *pool[*reader]
	writers  *pool[*writer]
	clock    clock
	params   params
	leases   control.Leases
	handover handovers
	counters counters
	scratch  scratch
	sweeper  sweeper

	region   *region.Region
	table    *hopscotch.Table
	store    *basket.Store
	objects  *quota.Sketch       // how often keys are asked for
	clients  *quota.Sketch       // how often clients ask
	options  Options             // complete
	tallies  []tally             // of the writers, by slot
	tierHits []basket.TierCounts // of the readers, by slot
	glanced  glanced
	refused  refusals
	using    sync.RWMutex // by calls without a handle, where they must not outlast Close
	number   seam.Uint32
	look     seam.Deadline // ahead of which no further writer is made; of who makes one
	spills   spilled
	stop     chan struct{} // ends the janitor; nil without one
	turns    seam.Uint64   // that the janitor has had
}

// Open opens the cache in the file path, and creates it if there is none; of any number of processes that do
// so at once one creates it. With an empty path the cache is on the heap: of this process, and gone at Close.
// What a cache on a file held before, it holds now, also if all processes that had it were killed.
//
// Options that belong to the cache (see Options) must be those it was made with, or zero.
//
// Errors: ErrOptions; region.ErrLayout when the cache has other options, or the file is none of a cache;
// those of region.Open and region.Create, such as a file that belongs to somebody else, is damaged, or does
// not fit onto its file system. Each says what was found, what was wanted, and what to do.
func Open(path string, o Options) (*Cache, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r, err := openRegion(path, o)
	if err != nil {
		return nil, err
	}
	return openIn(r, o)
}

// Attach opens the cache in the file path, which must exist. Errors: those of Open; region.ErrSystem, with
// fs.ErrNotExist, when there is no such file.
func Attach(path string, o Options) (*Cache, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r, err := region.Open(path, wanted(o))
	if err != nil {
		return nil, named(err)
	}
	return openIn(r, o)
}

// wanted is what the region of a cache must have for these options.
func wanted(o Options) region.Layout { return region.Layout{ownPart(o)} }

// openRegion opens or creates the region.
func openRegion(path string, o Options) (*region.Region, error) {
	if path != "" {
		r, err := region.Open(path, wanted(o))
		if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, region.ErrUnfinished) {
			return r, named(err)
		}
	}
	g, err := geometryOf(o)
	if err != nil {
		return nil, err
	}
	if path == "" {
		r, err := region.Heap(g.layout())
		return r, named(err)
	}
	r, _, err := region.OpenOrCreate(path, g.layout())
	if errors.Is(err, region.ErrLayout) { // somebody else made one meanwhile, maybe with other options
		r, err = region.Open(path, wanted(o))
	}
	return r, named(err)
}

// named says whose error it is.
func named(err error) error {
	if err == nil {
		return nil
	}
	if e := (*region.Error)(nil); errors.As(err, &e) {
		if text := namesOf[e.Field]; text != nil { // the region has the name as a number
			x := *e
			x.Found, x.Want = text(e.Found), text(e.Want)
			err = &x
		}
	}
	return fmt.Errorf("cache: %w", err)
}

// namesOf are the fields of errors whose numbers stand for names.
var namesOf = map[string]func(number string) string{
	paramPolicy + " of " + Engine: policyText, paramHash + " of " + Engine: hashText}

// hashText is the name of a kind of hash whose number is that text, or the text.
func hashText(number string) string {
	n, err := strconv.ParseUint(number, 10, 8)
	if err != nil {
		return number
	}
	return HashKind(n).String()
}

// policyText is the name of a policy whose number is that text, or the text.
func policyText(number string) string {
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return number
	}
	return basket.PolicyName(n).String()
}

// openIn makes the view of the cache in r, which is closed if that fails.
func openIn(r *region.Region, o Options) (*Cache, error) {
	c := &Cache{region: r}
	var bad error
	err := r.Guard(func() { bad = c.open(o) })
	if err == nil {
		err = bad
	}
	if err == nil {
		err = c.begin()
	}
	if err != nil {
		return nil, errors.Join(named(err), r.Close())
	}
	return c, nil
}

// open finds the parts of the region. It holds each against the others, so that a header which is damaged is
// an error here.
func (c *Cache) open(o Options) error {
	found, err := optionsOf(c.region, o.Policy)
	if err != nil {
		return err
	}
	o.Bytes, o.BasketBytes, o.Entries, o.Hash = found.Bytes, found.BasketBytes, found.Entries, found.Hash
	o.hashBits, o.Policy, o.Tiers = found.hashBits, found.Policy, found.Tiers
	c.options = o
	if c.store, err = basket.New(c.region); err != nil {
		return err
	}
	if c.table, err = hopscotch.NewWith(c.region, hopscotch.Options{Older: c.store.Older}); err != nil {
		return err
	}
	own := map[string]region.Words{SectionClock: nil, SectionParams: nil, SectionJanitors: nil,
		SectionCounts: nil, SectionObjects: nil, SectionClients: nil}
	for name := range own {
		if own[name], err = c.region.Section(Engine, name); err != nil {
			return err
		}
	}
	if c.objects, err = quota.New(own[SectionObjects], objectsLayout(o.Bytes)); err != nil {
		return err
	}
	if c.clients, err = quota.New(own[SectionClients], clientsLayout(o.Bytes)); err != nil {
		return err
	}
	c.params.init(own[SectionParams], c.store.Layout())
	c.leases = control.Leases{Words: own[SectionJanitors], Me: c.region.Process(), Alive: c.region.Alive,
		Clock: leaseClock}
	c.counters.init(own[SectionCounts], c.region.Process())
	c.hasher = newHasher(o.Hash, o.hashBits, c.store.Secret([2]uint64{random(), random()}))
	c.clock.wall, c.clock.alone = o.wall, o.NoJanitor
	c.clock.start(o.Clock, &own[SectionClock][clockWord])
	c.handover.Word = handover.Word{At: &own[SectionClock][handoverWord], Most: wantMost, Clock: leaseClock}
	return nil
}

// begin makes the pools, with one handle each: so a process that could not work says so now.
func (c *Cache) begin() error {
	o := c.options
	layout := c.table.Layout()
	c.readers = newPool(o.readers(int(layout.Descriptors)/4), c.newReader, endReader)
	c.writers = newPool(o.writers(int(c.store.Layout().Writers)), c.newWriter, endWriter)
	c.readers.bound, c.writers.bound = othersMost, othersMost
	c.tallies = make([]tally, len(c.writers.slots))
	c.tierHits = make([]basket.TierCounts, len(c.readers.slots))
	c.glanced = newGlanced()
	c.scratch.init(len(c.readers.slots))
	if s, err := c.readers.take(); err != nil {
		return err
	} else {
		s.give(0)
	}
	if !o.NoJanitor {
		c.stop = c.startJanitor()
	}
	return nil
}

// Close ends this process's view. It waits for calls that are under way, but for no function of the user:
// such a function may call it. Nor does it wait for a Get, View, Ask or Admit, which may go on for as long as
// it takes, ask Options.Clock, and still find what was there. Calls after it return ErrClosed. The cache
// stays in its file, for other processes and for the next Open; one on the heap is gone. A second Close
// returns ErrClosed.
func (c *Cache) Close() error {
	if c == nil || c.readers == nil {
		return fmt.Errorf("close: %w", neverOpened{})
	}
	first, err := c.writers.close()
	if !first {
		return fmt.Errorf("close: %w", ErrClosed)
	}
	if c.stop != nil {
		close(c.stop)
	}
	_, bad := c.readers.close()
	_ = c.region.Guard(func() { // if that fails, the close of the region fails as well
		c.leases.Leave() // the janitor has no handle any more, and gets none
		c.counters.store(c.counted)
	})
	c.using.Lock() // behind the end of the readers, for which a call may wait that has it
	defer c.using.Unlock()
	if err = errors.Join(err, bad, c.region.CloseInUse()); err != nil {
		return failed("close", err)
	}
	return nil
}

// File is the path of the cache as it was given, "" on the heap.
func (c *Cache) File() string {
	if c == nil || c.region == nil {
		return ""
	}
	return c.region.File()
}

// Options are those of the cache and of this view of it, with the values that zero stood for; but Writers and
// Readers are 0 if they were, since their defaults are those of the process.
func (c *Cache) Options() Options {
	if c == nil {
		return Options{}
	}
	return c.options
}

// ValueMax is how many bytes the value of a key of so many bytes may have; 0 also if no key can have so many,
// and of a cache that nobody has opened.
func (c *Cache) ValueMax(key int) int {
	if c == nil || c.store == nil || key < 0 || key > KeyMax {
		return 0
	}
	return max(c.store.ValueMax(key), 0)
}
