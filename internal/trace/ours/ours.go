// Package ours sends a trace through the cache of this project, which really stores the bytes of each object.
package ours

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/samecycle/samecycle/impl/cache"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/trace"
	"github.com/samecycle/samecycle/internal/trace/policy"
	"github.com/samecycle/samecycle/internal/trace/replay"
)

// Name of the cache in a table.
const Name = "samecycle"

// Model is the cache for a table. On the heap, with one goroutine, and with its default options but for its
// size: its baskets together are as large as the records of as many bytes of objects as the capacity is. So
// it never has more of them than another cache of that capacity. The index and the heads of records, which
// the capacity does not count, come on top. A cache with fewer baskets than the least has replay.ErrCapacity.
// Basket is the size of a basket in bytes, 0 for the default of the cache. A policy other than the default
// one is part of the name.
func Model(basket uint32, p cache.Policy) replay.Cache {
	name := Name
	if p != nil {
		name += " " + p.Name()
	}
	return replay.Cache{Name: name, New: func(capacity uint64, t *trace.Trace) (policy.Replayed, error) {
		o, err := Fit(capacity, t, basket, p)
		if err != nil {
			return nil, err
		}
		o.NoJanitor = true // the figures should not depend on what else the machine does
		c, err := cache.Open("", o)
		if err != nil {
			return nil, err
		}
		return New(c, slices.Max(t.Sizes)), nil
	}}
}

// Sizes of a record besides key and value, and of a key.
const (
	recordHead = 16
	keyBytes   = 8
)

// recordBytes is what an object takes in a basket.
func recordBytes(size uint32) uint64 { return recordHead + keyBytes + (uint64(size)+7)&^7 }

// Fit are options of a cache on the objects of a trace, of the capacity that Model describes. Errors:
// replay.ErrCapacity, replay.ErrLarge; those of cache.Open.
func Fit(capacity uint64, t *trace.Trace, basket uint32, p cache.Policy) (cache.Options, error) {
	var records uint64
	for _, size := range t.Sizes {
		records += recordBytes(size)
	}
	room := uint64(float64(capacity) * float64(records) / float64(t.Bytes))
	mean := max(1, t.Bytes/uint64(t.Objects()))
	o := cache.Options{Entries: max(entriesMin, capacity/mean), BasketBytes: basket, Policy: p}
	if t.Sized { // many small objects may be in it at a time
		o.Entries *= 2
	}
	if room > cache.BytesMax/2 {
		return o, fmt.Errorf("%w, with %d bytes: use a smaller --size", replay.ErrLarge, capacity)
	}
	o.Bytes = max(cache.BytesMin, room+room/touchPart+o.Entries*entryBytes)
	return adjusted(o, room)
}

// What a region has besides its baskets, roughly; adjusted finds out.
const (
	entriesMin = 64
	entryBytes = 22
	touchPart  = 64
	basketsMin = 8 // that a cache has
)

// adjusted changes the size of a region until its baskets have no more than so many bytes, and one basket
// more would be too much. Where the least size of a region is too much, a larger index takes up the rest.
func adjusted(o cache.Options, room uint64) (best cache.Options, err error) {
	const tries = 30
	most, entries := uint64(0), o.Entries
	for range tries {
		baskets, each, err := geometry(o)
		if errors.Is(err, cache.ErrOptions) && o.Entries == entries {
			o.Bytes += max(4096, room/8) // there is no room for the least number of baskets
			continue
		}
		if errors.Is(err, cache.ErrOptions) || err == nil && room/each < basketsMin {
			break
		}
		if err != nil {
			return o, err
		}
		if has := baskets * each; has <= room && has > most {
			best, most = o, has
		}
		switch more := int64(room/each) - int64(baskets); {
		case more == 0:
			return o, nil
		case more < 0 && o.Bytes == cache.BytesMin:
			o.Entries += uint64(-more)*each/entryBytes + 1
		default:
			o.Bytes = uint64(max(cache.BytesMin, int64(o.Bytes)+more*int64(each+each/touchPart)))
		}
	}
	if most == 0 {
		return o, fmt.Errorf("%w: use a larger --size, or --object where the trace has no sizes",
			replay.ErrCapacity)
	}
	return best, nil
}

// geometry is how many baskets of which size a cache would have.
func geometry(o cache.Options) (baskets, each uint64, err error) {
	o.NoJanitor = true
	c, err := cache.Open("", o)
	if err != nil {
		return 0, 0, err
	}
	s, err := c.Stats()
	each = uint64(c.Options().BasketBytes)
	return uint64(s.Baskets), each, errors.Join(err, c.Close())
}

// Cache is a cache through which a trace goes. It is for one goroutine; several may use one cache.Cache.
type Cache struct {
	c       *cache.Cache
	pattern []byte // of values
	value   []byte
	hits    uint64
	failed  error
	Refused uint64 // objects that do not fit into a basket
	Busy    uint64 // sets that found all baskets, or all writers, in the hands of others
}

// New makes it. No object has more than most bytes. Close closes the cache.
func New(c *cache.Cache, most uint32) *Cache {
	pattern := make([]byte, int(most)+patternStarts)
	rng := rand.NewChaCha8([32]byte{1})
	_, _ = rng.Read(pattern) // which has no error
	return &Cache{c: c, pattern: pattern}
}

// patternStarts are at how many places of the pattern values begin.
const patternStarts = 4093

// ErrValue says that a value was not the one that had been set.
var ErrValue = errors.New("a value is not what was set")

// Access asks for an object, and stores it if it is not there: see policy.Replayed. After an error, which
// Close returns, nothing is a hit.
func (x *Cache) Access(key uint64, size uint32) bool {
	if x.failed != nil {
		return false
	}
	hit, err := x.access(key, size)
	if err != nil {
		x.failed = fmt.Errorf("object %d of %d bytes: %w", key, size, err)
	}
	return hit && err == nil
}

func (x *Cache) access(key uint64, size uint32) (bool, error) {
	var name [keyBytes]byte
	binary.LittleEndian.PutUint64(name[:], key)
	value, ok, err := x.c.Get(name[:], x.value[:0])
	if x.value = value; err != nil {
		return false, err
	}
	want := x.want(key, size)
	if ok {
		x.hits++
		if !same(value, want, x.hits%sampled == 0) {
			return true, ErrValue
		}
		return true, nil
	}
	switch err = x.c.Set(name[:], want); {
	case errors.Is(err, cache.ErrTooLarge):
		x.Refused++
	case errors.Is(err, cache.ErrNoRoom), errors.Is(err, cache.ErrBusy):
		x.Busy++
	default:
		return false, err
	}
	return false, nil
}

// want is the value of an object.
func (x *Cache) want(key uint64, size uint32) []byte {
	from := key % patternStarts
	return x.pattern[from : from+uint64(size)]
}

// compared compares all values of a cache with those of a trace. It returns what is wrong, and how many
// objects there are, with their bytes.
func compared(c *cache.Cache, t *trace.Trace) (faults []string, objects int, held uint64) {
	x := New(c, slices.Max(t.Sizes))
	err := c.Walk(func(key, value []byte) bool {
		objects++
		held += uint64(len(value))
		object := uint64(len(t.Sizes))
		if len(key) == keyBytes {
			object = binary.LittleEndian.Uint64(key)
		}
		switch {
		case object >= uint64(len(t.Sizes)):
			faults = append(faults, fmt.Sprintf("the key %x is of no object", key))
		case !bytes.Equal(value, x.want(object, t.Sizes[object])):
			faults = append(faults, fmt.Sprintf("object %d of %d bytes: %v", object, t.Sizes[object],
				ErrValue))
		}
		return len(faults) < faultsMost
	})
	if err != nil {
		faults = append(faults, err.Error())
	}
	return faults, objects, held
}

// faultsMost is how many values that are wrong are told.
const faultsMost = 10

// Of each hit the length is compared and both ends, of one in so many all bytes.
const (
	sampled = 16
	ends    = 16
)

func same(got, want []byte, all bool) bool {
	if all || len(want) <= 2*ends || len(got) != len(want) {
		return bytes.Equal(got, want)
	}
	n := len(want) - ends
	return bytes.Equal(got[:ends], want[:ends]) && bytes.Equal(got[n:], want[n:])
}

// Note is how the cache is made, and what it has in the end.
func (x *Cache) Note() string {
	s, err := x.c.Stats()
	if err != nil {
		return ""
	}
	text := fmt.Sprintf("%d baskets of %d KiB, %s in the end", s.Baskets, x.c.Options().BasketBytes>>10,
		plural.Of(s.Entries, "object"))
	if x.Refused > 0 {
		text += fmt.Sprintf("; %d times an object was larger than a basket (--basket)", x.Refused)
	}
	return text
}

// Close closes the cache.
func (x *Cache) Close() error { return errors.Join(x.failed, x.c.Close()) }
