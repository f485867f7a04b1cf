package cache

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
)

// Get appends the value of the key to dst, which may be nil, and reports whether the key is there. If the key
// is absent, or after an error, dst is returned unchanged. Get allocates nothing if dst has room. The room of
// dst must not overlap the key. The entry counts as used.
//
// Errors: ErrCorrupt; ErrClosed; ErrBusy if this call needs a handle and other processes have all of them.
// Most gets need no handle (glance.go). Progress: lock-free, except for the wait for a handle of this process
// (Options.Readers). An entry that others overwrite all the time is never reported as absent.
func (c *Cache) Get(key, dst []byte) (value []byte, ok bool, err error) {
	if glances && c.opened() {
		switch value, m, what := c.glance(c.hasher.of(key), key, dst); what {
		case basket.Present:
			c.glanced.line().hit(m.Tier)
			return value, true, nil
		case basket.Absent:
			c.glanced.line().misses.Add(1)
			return dst, false, nil
		}
	}
	return c.getByHandle(key, dst)
}

// getByHandle is Get after a glance that gave no answer.
//
//go:noinline
func (c *Cache) getByHandle(key, dst []byte) (value []byte, ok bool, err error) {
	s, err := c.reading()
	if err != nil {
		return dst, false, failed("get", err)
	}
	value, m, ok, err := c.found(s.handle, s.handle.Reader, c.hasher.of(key), key, dst)
	if !ok {
		s.give(slotSecond)
		return dst, false, failed("get", err)
	}
	hit(s, m.Tier)
	return value, true, nil
}

// found gets a value with a handle's reader, or with its peek, if the entry has not expired; otherwise dst is
// returned unchanged. The clock is read after the lookup, and the key may have been set in between. So an
// entry counts as expired only if a second look after the clock finds it with the same end.
func (c *Cache) found(r *reader, by *basket.Reader, hash uint32, key, dst []byte) (value []byte,
	m basket.Meta, ok bool, err error) {
	for {
		value, m, ok, err = by.Get(hash, key, dst)
		if err != nil || !ok || !c.clock.over(m.Expires) {
			return value, m, ok, err
		}
		if gone, err := r.gone(hash, key, m.Expires); gone {
			return dst, m, false, err
		}
	}
}

// gone looks at the key again after an entry with this end was found to be over. It reports whether the key
// is absent now, or still has the same end.
func (r *reader) gone(hash uint32, key []byte, end uint64) (bool, error) {
	m, ok, err := r.Has(hash, key)
	return !ok || m.Expires == end, err
}

// View calls f with the value of the key, if the key is there, and reports whether it was. The bytes are a
// copy that is valid until f returns; f may call the cache. The entry counts as used. Nothing is allocated
// for values of up to 2 MiB, as long as no more than Options.Readers such calls run at once. Errors and
// progress: those of Get.
func (c *Cache) View(key []byte, f func(value []byte)) (ok bool, err error) {
	b := c.lend()
	defer b.give()
	value, ok, err := c.Get(key, b.value[:0])
	b.value = value
	if ok {
		f(value)
	}
	if err != nil {
		err = fmt.Errorf("view: %w", errors.Unwrap(err)) // in place of "get"
	}
	return ok, err
}

// Peek is Get without counting: the entry does not count as used, and the call counts neither as a hit nor as
// a miss.
func (c *Cache) Peek(key, dst []byte) (value []byte, ok bool, err error) {
	value, ok, err = c.peek(key, dst)
	return value, ok, failed("peek", err)
}

// peek is Peek, with errors that do not name the call.
func (c *Cache) peek(key, dst []byte) (value []byte, ok bool, err error) {
	s, err := c.reading()
	if err != nil {
		return dst, false, err
	}
	value, _, ok, err = c.found(s.handle, s.handle.peek, c.hasher.of(key), key, dst)
	s.give(0)
	return value, ok, err
}

// Contains reports whether the key is there. The entry does not count as used, and the call counts neither as
// a hit nor as a miss. Errors and progress: those of Get.
func (c *Cache) Contains(key []byte) (ok bool, err error) {
	s, err := c.reading()
	if err != nil {
		return false, failed("contains", err)
	}
	defer s.give(0)
	for hash := c.hasher.of(key); ; {
		m, ok, err := s.handle.Has(hash, key)
		if err != nil || !ok || !c.clock.over(m.Expires) {
			return ok, failed("contains", err)
		}
		if gone, err := s.handle.gone(hash, key, m.Expires); gone {
			return false, failed("contains", err)
		}
	}
}

// TTL returns the remaining time to live of the entry of the key, and whether the key is there; 0 is for
// ever. Like Contains, it counts nothing. Errors and progress: those of Get.
func (c *Cache) TTL(key []byte) (left time.Duration, ok bool, err error) {
	s, err := c.reading()
	if err != nil {
		return 0, false, failed("time to live", err)
	}
	defer s.give(0)
	for hash := c.hasher.of(key); ; {
		m, ok, err := s.handle.Has(hash, key)
		if err != nil || !ok || m.Expires == 0 {
			return 0, ok, failed("time to live", err)
		}
		if now := c.clock.now(); m.Expires > now {
			return milliseconds(m.Expires - now), true, nil
		}
		if gone, err := s.handle.gone(hash, key, m.Expires); gone {
			return 0, false, failed("time to live", err)
		}
	}
}

// milliseconds is a duration of so many milliseconds, or the longest duration that there is.
func milliseconds(ms uint64) time.Duration {
	return time.Duration(min(ms, uint64(math.MaxInt64)/nanos)) * time.Millisecond
}

// batchAhead is the number of keys whose memory a batch requests at once.
const batchAhead = 16

// GetBatch gets many keys. values[i] becomes the value of keys[i]: nil if the key is absent, and not nil if
// the value is empty. The values are appended to dst, and the longer slice is returned; GetBatch allocates
// nothing if dst has room. n is the number of keys that were found. The answer for each key is that of one
// Get at an instant of its own. A batch saves time because it requests the memory of later keys while it
// compares one key. As with Get, most keys need no handle. The slice values must not be keys, and the room of
// dst must not overlap any key.
//
// Errors: ErrBatch, and then values is unchanged; those of Get, and then all values are nil. Each key counts
// as a hit or a miss, also if the batch ends with an error: those behind the one that failed count as misses,
// because the caller gets no value for them.
func (c *Cache) GetBatch(keys, values [][]byte, dst []byte) (all []byte, n int, err error) {
	if len(keys) != len(values) && c.opened() { // else the error is that it is closed, as below
		return dst, 0, fmt.Errorf("get %d keys into %d values: %w", len(keys), len(values), ErrBatch)
	}
	clear(values)
	if !c.begun() {
		return dst, 0, failed("get batch", c.unopened())
	}
	all = dst
	var hits [basket.TiersMax]uint64
	for first := 0; first < len(keys) && err == nil; first += batchAhead {
		last := min(first+batchAhead, len(keys))
		all, err = c.getSome(keys[first:last], values[first:last], all, &hits)
	}
	c.ended()
	n = c.glanced.line().batch(len(keys), &hits)
	if err != nil {
		clear(values)
		return dst, 0, failed("get batch", err)
	}
	return all, n, nil
}

// getSome gets at most batchAhead keys, and adds the hits up by tier.
func (c *Cache) getSome(keys, values [][]byte, dst []byte, hits *[basket.TiersMax]uint64) ([]byte, error) {
	var hashes [batchAhead]uint32
	for i, key := range keys {
		hashes[i] = c.hasher.of(key)
		if _, err := c.table.Prepare(hashes[i]); err != nil { // requests the cells
			return dst, err
		}
	}
	var asked [batchAhead]basket.Requested
	for i, hash := range hashes[:len(keys)] {
		if glances {
			asked[i] = c.store.Request(c.table, hash) // requests the records
		}
	}
	for i, key := range keys {
		value, m, what := c.store.GlanceAt(c.table, asked[i], key, dst)
		value, what = c.known(value, m, what, dst)
		ok := what == basket.Present
		if what == basket.Unsure {
			var err error
			if value, m, ok, err = c.valueByHandle(hashes[i], key, dst); err != nil {
				return dst, err
			}
		}
		if !ok {
			continue
		}
		if values[i] = value[len(dst):len(value):len(value)]; values[i] == nil {
			values[i] = []byte{} // the value is empty, and not absent
		}
		dst = value
		hits[m.Tier%basket.TiersMax]++
	}
	return dst, nil
}
