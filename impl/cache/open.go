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

// Cache is one process's view of a cache. All goroutines may call its methods at once, and so may functions
// of the user that the cache calls. Make one with Open or Attach, and end it with Close.
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
	using    sync.RWMutex // held by calls without a handle on systems where Close must wait for them
	number   seam.Uint32
	look     seam.Deadline // no further writer is made before it; belongs to the goroutine that makes one
	spills   spilled
	stop     chan struct{} // ends the janitor; nil without one
	turns    seam.Uint64   // number of turns that the janitor has had
}

// Open opens the cache in the file path, and creates it if there is none. If any number of processes do so at
// once, one of them creates it. With an empty path the cache is on the heap: it belongs to this process, and
// is gone after Close. A cache in a file still has its entries, even if all processes that had it open were
// killed.
//
// Options that belong to the cache (see Options) must be equal to those with which it was made, or zero.
//
// Errors: ErrOptions; region.ErrLayout if the cache has other options, or the file contains no cache; those
// of region.Open and region.Create, for example if the file belongs to another user, is damaged, or does not
// fit onto its file system. Each error says what was found, what was wanted, and what to do.
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
// fs.ErrNotExist, if there is no such file.
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

// wanted is the layout that the region of a cache must have for these options.
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

// named adds the package name to an error of the region, and puts names in place of numbers.
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

// namesOf are the fields of errors in which a number stands for a name.
var namesOf = map[string]func(number string) string{
	paramPolicy + " of " + Engine: policyText, paramHash + " of " + Engine: hashText}

// hashText is the name of the kind of hash that this number stands for. A text that is no number is returned
// as it is.
func hashText(number string) string {
	n, err := strconv.ParseUint(number, 10, 8)
	if err != nil {
		return number
	}
	return HashKind(n).String()
}

// policyText is the name of the policy that this number stands for. A text that is no number is returned as
// it is.
func policyText(number string) string {
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return number
	}
	return basket.PolicyName(n).String()
}

// openIn makes the view of the cache in r. If that fails, it closes r.
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

// open finds the parts of the region. It compares each part with the others, so a damaged header is reported
// here.
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

// begin makes the pools, and the first reader: so a process that could not work gets an error now.
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

// Close ends this process's view of the cache. It waits for calls that hold a handle, but not for functions
// of the user: such a function may itself call Close. It also does not wait for a Get, View, Ask or Admit
// without a handle. Such a call may continue after Close, call Options.Clock, and still find entries. Calls
// that begin after Close return ErrClosed. The cache stays in its file, for other processes and for the next
// Open; a cache on the heap is gone. A second Close returns ErrClosed.
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

// File is the path of the cache as it was given to Open or Attach; it is "" on the heap.
func (c *Cache) File() string {
	if c == nil || c.region == nil {
		return ""
	}
	return c.region.File()
}

// Options returns the options of the cache and of this view, with the values that zeros stood for. Writers
// and Readers stay 0 if they were 0, because their defaults depend on the process.
func (c *Cache) Options() Options {
	if c == nil {
		return Options{}
	}
	return c.options
}

// ValueMax is the largest number of bytes that a value can have if its key has so many bytes. It is 0 if no
// key can be so long, and for a cache that was never opened.
func (c *Cache) ValueMax(key int) int {
	if c == nil || c.store == nil || key < 0 || key > KeyMax {
		return 0
	}
	return max(c.store.ValueMax(key), 0)
}
