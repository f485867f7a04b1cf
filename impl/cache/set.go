package cache

import (
	"fmt"
	"time"

	"github.com/samecycle/samecycle/impl/basket"
)

// Set gives the key a value, whether the key is there or not. The time to live is Options.TTL, or the live
// parameter ttl.default if that is zero. After Set has returned, every Get of any process that begins later
// finds this value or a newer one, unless a removal was reported. If the process is killed during the call,
// the key has either its previous value or this one.
//
// A value that does not fit into a basket is refused with ErrTooLarge, and the key keeps its value. ErrNoRoom
// means that no basket can be freed at present, because the owners of all of them are stopped. Other errors:
// ErrKey, ErrCorrupt, ErrClosed; ErrBusy if other processes have had all writers for two seconds. Progress:
// lock-free, except for the wait for a handle (Options.Writers). A call that must make room does a bounded
// portion of the work.
func (c *Cache) Set(key, value []byte) error {
	_, err := c.put(key, value, life{}, false)
	return failed("set", err)
}

// SetTTL is Set with a time to live of its own; 0 is for ever. The entry is found for so long, and for at
// most 2 ms longer. A process that was stopped for more than an hour may find it until its janitor has had a
// turn. A negative time is ErrTTL.
func (c *Cache) SetTTL(key, value []byte, ttl time.Duration) error {
	_, err := c.put(key, value, life{ttl, true}, false)
	return failed("set ttl", err)
}

// SetIfAbsent sets the key only if it is absent, and reports whether it has set it. If several calls do so at
// once, one of them sets the key. An entry that is there does not count as used. Errors: those of Set.
func (c *Cache) SetIfAbsent(key, value []byte) (set bool, err error) {
	set, err = c.put(key, value, life{}, true)
	return set && err == nil, failed("set if absent", err)
}

// SetIfAbsentTTL is SetIfAbsent with a time to live of its own, as in SetTTL. A use is a lock that ends by
// itself.
func (c *Cache) SetIfAbsentTTL(key, value []byte, ttl time.Duration) (set bool, err error) {
	set, err = c.put(key, value, life{ttl, true}, true)
	return set && err == nil, failed("set if absent ttl", err)
}

// Expire gives the entry of the key a new time to live from now on, as SetTTL does, and reports whether the
// key is there. The value does not change. No record is ever changed, so the record is written again, and the
// event of the previous record has the reason Replaced. Errors and progress: those of SetTTL.
func (c *Cache) Expire(key []byte, ttl time.Duration) (ok bool, err error) {
	if ttl < 0 {
		return false, failed("expire", c.refusal(ErrTTL))
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

// life is the time to live of an entry: the one that the call gives, or the default of the process or of the
// cache.
type life struct {
	ttl   time.Duration
	given bool
}

// end returns when an entry expires that is set now. The caller must have a handle.
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
		return false, c.refusal(ErrTTL)
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

// triesMost bounds how often a call starts again. A call starts again if another call has changed the key, or
// a key with the same hash. In a damaged region this may seem to happen for ever.
const triesMost = 1 << 16

// errTried is the error of a call that gives up.
var errTried = classed{ErrBusy, fmt.Errorf("the key was changed before this call could, %d times in a row: "+
	"try again, and let the function of a Compute not change its own key", triesMost)}

// tried returns the error of a call that has started again so often, or nil.
func tried(tries int) error {
	if tries < triesMost {
		return nil
	}
	return errTried
}

// again is the Find of a call that has already tried so often.
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

// Delete removes the key, and reports whether it was there. If several calls delete one value, exactly one of
// them reports true. Errors and progress: those of Set, except ErrTooLarge.
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
