package basket

import (
	"errors"
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// Each error of this package wraps one of these errors.
var (
	ErrTooLarge = errors.New("record is larger than a basket: make it smaller, or create the region with " +
		"larger BasketBytes")
	ErrKey     = errors.New("key is too long: use at most 65535 bytes")
	ErrNoRoom  = errors.New("no basket can be had: close writers that are idle, or use more baskets")
	ErrWriters = errors.New("writers are all taken: close one, or create the region with more Writers")
	ErrCorrupt = errors.New("store of records is damaged: verify the region and create it anew")
	ErrBusy    = errors.New("call needs more retries than its limit: try again, or verify the region")
	ErrClosed  = errors.New("writer is closed: make a new one")
	ErrZero    = errors.New("nil or a zero value: make a store with New, its writers with NewWriter, " +
		"its readers with NewReader")
	ErrIndex = errors.New("index is nil: pass OnTable of a handle, or another Index")
)

// patience bounds how often a call starts again. Each start means that another actor has made a step.
const patience = 1 << 20

// Owner names a writer: the attachment of its process, and a number by which a person recognises the writer.
type Owner = hopscotch.Owner

// basketWords are the words of a basket in SectionHeads.
type basketWords struct {
	head seam.Uint64 // Head
	hint seam.Uint64 // Hint
}

// entryWords is the line of a writer in SectionWriters.
type entryWords struct {
	owner seam.Uint64 // Owner, 0 for nobody
	spare [writerWords - 1]seam.Uint64
}

// common is SectionShared.
type common struct {
	sequence seam.Uint64
	tick     seam.Uint64
	secret   [2]seam.Uint64
	spare    [sharedWords - 4]seam.Uint64
}

// unitWord is a unit of the records. Most units are bytes of keys and values, and not words.
type unitWord struct{ bits seam.Uint64 }

var (
	_ [headSize * 8]byte    = [unsafe.Sizeof(basketWords{})]byte{}
	_ [writerWords * 8]byte = [unsafe.Sizeof(entryWords{})]byte{}
	_ [sharedWords * 8]byte = [unsafe.Sizeof(common{})]byte{}
	_ [UnitBytes]byte       = [unsafe.Sizeof(unitWord{})]byte{}
)

// Store is a view of the records in a region. It has no state of its own: any number of stores may be made
// of one region, in any number of processes. Any number of goroutines may call its methods at once.
type Store struct {
	region  *region.Region
	layout  Layout
	units   uint32 // of a basket
	shift   uint8  // its logarithm
	common  *common
	entries []entryWords
	baskets []basketWords
	touch   []seam.Uint64
	times   []seam.Uint64
	policy  region.Words
	records []unitWord
	bytes   []seam.Uint64 // the same memory, for copies
}

// New returns the store in r. It checks the geometry of r, which bounds every ref that the store will ever
// use. A region whose bytes are zero is an empty store. The store ends with the Close of r. Errors: those of
// LayoutOf and of [region.Region.Section].
func New(r *region.Region) (*Store, error) {
	l, err := LayoutOf(r)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s := &Store{region: r, layout: l, units: l.units(), shift: uint8(bits.TrailingZeros32(l.units()))}
	sections := map[string]region.Words{SectionShared: nil, SectionWriters: nil, SectionHeads: nil,
		SectionTouch: nil, SectionTimes: nil, SectionPolicy: nil, SectionRecords: nil}
	for name := range sections {
		if sections[name], err = r.Section(Engine, name); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
	}
	first := func(name string) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(sections[name])) }
	s.common = (*common)(first(SectionShared))
	s.entries = unsafe.Slice((*entryWords)(first(SectionWriters)), l.Writers)
	s.baskets = unsafe.Slice((*basketWords)(first(SectionHeads)), l.Baskets)
	s.touch = sections[SectionTouch]
	s.times, s.policy = sections[SectionTimes], sections[SectionPolicy]
	s.bytes = sections[SectionRecords]
	s.records = unsafe.Slice((*unitWord)(first(SectionRecords)), len(s.bytes))
	return s, nil
}

// made returns ErrZero for a store that New has not made.
func (s *Store) made() error {
	if s == nil || s.records == nil {
		return ErrZero
	}
	return nil
}

// Layout is the geometry of the store.
func (s *Store) Layout() Layout { return s.layout }

// Region is where the store is.
func (s *Store) Region() *region.Region { return s.region }

// ValueMax is the length in bytes of the largest value that fits into a basket together with a key of so
// many bytes, with room for an instant of expiry. It is negative if the key alone does not fit.
func (s *Store) ValueMax(key int) int {
	return int(s.layout.BasketBytes) - (headWords+1)*UnitBytes - key
}

// Secret returns a number of two words that all users of the region share, for a hash of keys that others
// cannot foresee. The first caller sets it: each word of fresh that is not 0 becomes that of the region, if
// the region has none yet. Progress: wait-free.
func (s *Store) Secret(fresh [2]uint64) (secret [2]uint64) {
	for i := range secret {
		if fresh[i] != 0 {
			s.common.secretSet(i, fresh[i])
		}
		secret[i] = s.common.secretRead(i)
	}
	return secret
}

func (c *common) secretSet(i int, fresh uint64) { c.secret[i].CompareAndSwap(0, fresh) }

func (c *common) secretRead(i int) uint64 { return c.secret[i].Load() }

// Tick returns the coarse clock of all processes, as it was set last.
func (s *Store) Tick() uint64 { return s.common.tickRead() }

// SetTick sets the coarse clock.
func (s *Store) SetTick(now uint64) { s.common.tickSet(now) }

func (c *common) tickRead() uint64 { return c.tick.Load() }

func (c *common) tickSet(now uint64) { c.tick.Store(now) }

// basketOf is the basket of a unit.
func (s *Store) basketOf(unit uint32) uint32 { return unit >> s.shift }
