package cache

import (
	"time"

	"github.com/samecycle/samecycle/impl/basket"
)

// Set gives the key a value, whether it is there or not, for the time of Options.TTL, or of the live
// parameter ttl.default if that is zero. When it returns, each
// Get of any process that begins then finds that value or a later one, or the removal was told. If the
// process is killed in the middle, the key has its value of before or this one.
//
// A value that does not fit into a basket is refused with ErrTooLarge; the key then has what it had.
// ErrNoRoom says that no basket can be freed at present, since all have owners that stand still. Other
// errors: ErrKey, ErrCorrupt, ErrClosed; ErrBusy if other processes have had all writers for two seconds.
// Progress: lock-free, but for the wait for a handle (Options.Writers). A call that must make room does a
// bounded portion of work.
func (c *Cache) Set(key, value []byte) error {
	_, err := c.put(key, value, life{}, false)
	return failed("set", err)
}

// SetTTL is Set for a time of its own: the entry is found for so long, and at most 2 ms longer (or, by a
// process that was stopped for more than an hour, until its janitor has had a turn); 0 is for ever. A
// negative time is ErrTTL.
func (c *Cache) SetTTL(key, value []byte, ttl time.Duration) error {
	_, err := c.put(key, value, life{ttl, true}, false)
	return failed("set", err)
}

// SetIfAbsent is Set if the key is not there, and reports whether it was not. Of several that do so at once
// one sets. An entry that is there does not count as used. Errors: those of Set.
func (c *Cache) SetIfAbsent(key, value []byte) (set bool, err error) {
	set, err = c.put(key, value, life{}, true)
	return set && err == nil, failed("set if absent", err)
}

// SetIfAbsentTTL is SetIfAbsent for a time of its own, as SetTTL has one: a lock that ends by itself, for
// instance.
func (c *Cache) SetIfAbsentTTL(key, value []byte, ttl time.Duration) (set bool, err error) {
	set, err = c.put(key, value, life{ttl, true}, true)
	return set && err == nil, failed("set if absent", err)
}

// Expire gives the entry of the key another time from now on, as SetTTL gives it, and reports whether the key
// is there. Its value stays. Since no record is ever changed, it is written once more: the event of the
// record before has the reason Replaced. Errors and progress: those of SetTTL.
func (c *Cache) Expire(key []byte, ttl time.Duration) (ok bool, err error) {
	if ttl < 0 {
		return false, failed("expire", ErrTTL)
	}
	ok, err = c.change(key, func(_ *writer, f basket.Found, value []byte) (step, error) {
		if !f.OK() {
			return step{}, nil
		}
		end, err := c.end(life{ttl, true})
		return step{Write, value, end}, err
	})
	return ok, failed("expire", err)
}

// life is for how long an entry is to be found: for the time that the call gives, or else for that of the
// process or of the cache.
type life struct {
	ttl   time.Duration
	given bool
}

// end is when an entry expires that is set now, by a caller who has a handle.
func (c *Cache) end(l life) (uint64, error) {
	if !l.given {
		l.ttl = c.ttl()
	}
	end, err := c.clock.end(l.ttl)
	if end != 0 {
		c.hasEnds()
	}
	return end, err
}

// put sets the key, or only if it is absent.
func (c *Cache) put(key, value []byte, l life, absent bool) (done bool, err error) {
	if l.ttl < 0 {
		return false, ErrTTL
	}
	s, err := c.writing()
	if err != nil {
		return false, err
	}
	w, hash := s.handle, c.hasher.of(key)
	end, err := c.end(l)
	if err == nil {
		err = w.Prepare(hash, len(key)+len(value))
	}
	own := w.own(key)
	for tries := 0; !done && err == nil; tries++ {
		var f basket.Found
		if f, _, err = w.again(hash, own, nil, tries); err != nil || absent && f.OK() {
			break
		}
		done, err = w.Replace(f, value, basket.RecordOptions{Expires: end})
	}
	c.done(s, countIf(done))
	return done, err
}

// triesMost bounds how often a call starts again, which it does when somebody else has changed the key, or
// one with the same hash. In a region that is damaged that may seem to be so for ever.
const triesMost = 1 << 16

// tried is the error of a call that has started again so often.
func tried(tries int) error {
	if tries < triesMost {
		return nil
	}
	return basket.ErrBusy
}

// again is a Find of a call that has tried so often before.
func (w *writer) again(hash uint32, key, dst []byte, tries int) (basket.Found, []byte, error) {
	if err := tried(tries); err != nil {
		return basket.Found{}, dst, err
	}
	return w.Find(hash, key, dst)
}

// countIf counts a call that has set a value.
func countIf(done bool) uint64 {
	if done {
		return slotFirst
	}
	return 0
}

// Delete removes the key, and reports whether it was there. Of several deletes of one value one is told so.
// Errors and progress: those of Set, but for ErrTooLarge.
func (c *Cache) Delete(key []byte) (deleted bool, err error) {
	s, err := c.writing()
	if err != nil {
		return false, failed("delete", err)
	}
	w, hash, lived, done := s.handle, c.hasher.of(key), false, false
	own := w.own(key)
	for tries := 0; !done && err == nil; tries++ {
		var f basket.Found
		if f, _, err = w.again(hash, own, nil, tries); err != nil {
			break
		}
		lived = f.OK()
		done, err = w.Remove(f, basket.ReasonDeleted)
	}
	c.done(s, 0)
	if err != nil {
		return false, failed("delete", err)
	}
	return lived, nil
}
