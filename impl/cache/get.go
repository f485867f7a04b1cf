package cache

import (
	"fmt"
	"math"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
)

// Get appends the value of the key to dst, which may be nil, and reports whether the key is there. Without it
// dst is returned as it was. It allocates nothing if dst has room, which must not be where the key is. The
// entry counts as used.
//
// Errors: ErrCorrupt; ErrClosed; ErrBusy while other processes have all handles, and this one needs one. Most
// gets need none (glance.go). Progress: lock-free, but for the wait for a handle of this process
// (Options.Readers): an entry that others overwrite all the time is never reported absent.
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

// getByHandle is Get where a glance did not do.
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

// found is the Get of a handle's reader or of its peek, for an entry that has not expired; else dst is
// returned as it was. The clock is asked behind the look, and meanwhile somebody may have set the key: so an
// entry counts as expired if it is there behind the clock, too, with the same end.
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

// gone reports whether an entry whose end is over is not there behind the clock, or with the same end.
func (r *reader) gone(hash uint32, key []byte, end uint64) (bool, error) {
	m, ok, err := r.Has(hash, key)
	return !ok || m.Expires == end, err
}

// View calls f with the value of the key, if the key is there, and reports whether it was. The bytes are a
// copy, which is good until f returns; f may call the cache. The entry counts as used. Nothing is allocated
// for values of up to 2 MiB, by as many calls at once as there are Options.Readers. Errors and progress:
// those of Get.
func (c *Cache) View(key []byte, f func(value []byte)) (ok bool, err error) {
	b := c.lend()
	defer b.give()
	value, ok, err := c.Get(key, b.value[:0])
	b.value = value
	if ok {
		f(value)
	}
	return ok, err
}

// Peek is Get, but the entry does not count as used, and the call neither as a hit nor as a miss.
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

// Contains reports whether the key is there. The entry does not count as used, and the call neither as a hit
// nor as a miss. Errors and progress: those of Get.
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

// TTL is how much longer the entry of the key is found, 0 for ever, and whether it is there. Like Contains it
// leaves no trace. Errors and progress: those of Get.
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

// milliseconds is a time of so many, or the longest one that there is.
func milliseconds(ms uint64) time.Duration {
	return time.Duration(min(ms, uint64(math.MaxInt64)/nanos)) * time.Millisecond
}

// batchAhead is how many keys are on their way from memory at once.
const batchAhead = 16

// GetBatch gets many keys: values[i] is the value of keys[i]; nil if that is absent, and not nil if the value
// is empty. The values are appended to dst, which is returned; it allocates nothing if dst has room. n is how
// many were found. Each key gets the answer of one Get at an instant of its own. A batch saves waiting: while
// one key is compared, those after it are being loaded. The slice values must be another one than keys, and
// the room of dst must not be where keys are.
//
// Errors: ErrBatch, and all values are as they were; those of Get, and all values are nil.
func (c *Cache) GetBatch(keys, values [][]byte, dst []byte) (all []byte, n int, err error) {
	if len(keys) != len(values) {
		return dst, 0, fmt.Errorf("get %d keys into %d values: %w", len(keys), len(values), ErrBatch)
	}
	clear(values)
	s, err := c.reading()
	if err != nil {
		return dst, 0, failed("get", err)
	}
	all = dst
	for first := 0; first < len(keys) && err == nil; first += batchAhead {
		last := min(first+batchAhead, len(keys))
		var found int
		all, found, err = c.getSome(s.handle, keys[first:last], values[first:last], all)
		n += found
	}
	s.give(0)
	s.totals[0].Add(uint64(n))
	s.totals[1].Add(uint64(len(keys) - n))
	if err != nil {
		clear(values)
		return dst, 0, failed("get", err)
	}
	return all, n, nil
}

// getSome gets at most batchAhead keys.
func (c *Cache) getSome(r *reader, keys, values [][]byte, dst []byte) (all []byte, n int, err error) {
	var hashes [batchAhead]uint32
	for i, key := range keys {
		hashes[i] = c.hasher.of(key)
		if _, err := c.table.Prepare(hashes[i]); err != nil { // asks for the cells
			return dst, 0, err
		}
	}
	for _, hash := range hashes[:len(keys)] {
		r.Request(hash) // and for the records
	}
	for i, key := range keys {
		from := len(dst)
		value, m, ok, err := r.Get(hashes[i], key, dst)
		if ok && c.clock.over(m.Expires) {
			value, m, ok, err = c.found(r, r.Reader, hashes[i], key, dst)
		}
		if err != nil {
			return dst, n, err
		}
		if ok {
			dst = value
			if values[i] = dst[from:len(dst):len(dst)]; values[i] == nil {
				values[i] = []byte{} // the value is empty, and not absent
			}
			r.count(m.Tier)
			n++
		}
	}
	return dst, n, nil
}
