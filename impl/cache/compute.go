package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/samecycle/samecycle/impl/basket"
)

// Op says what Compute does with a key.
type Op uint8

const (
	Keep         Op = iota // leaves the key unchanged
	Write                  // gives it the new value, with the time to live of a Set
	Remove                 // removes it
	WriteKeepTTL           // is Write, but does not change the end of an entry that is there
)

// Compute changes a key by a function of its value. It calls f with the value, or with ok false if the key is
// absent, and does what f returns. The change takes effect at an instant at which the key has the value that
// f was given. If the key has another value by then, f is called again. f runs without a handle or a lock,
// and may call the cache. old is valid until f returns. f may change old in place and return it as new.
//
// Compute returns a copy of the value that the key has afterwards, and whether the key is there. A key that
// is kept does not count as used. Errors: ErrOp if f returns none of the operations, and then the key is
// unchanged; ErrBusy if other calls changed the key first about 65,000 times. Further errors, and progress:
// those of Set.
func (c *Cache) Compute(key []byte, f func(old []byte, ok bool) (new []byte, op Op)) (value []byte, ok bool,
	err error) {
	b := c.lend()
	defer b.give()
	for tries := 0; ; tries++ {
		old, ok, err := c.peek(key, b.value[:0])
		if err = errors.Join(err, tried(tries)); err != nil {
			return nil, false, failed("compute", err)
		}
		b.value = old
		b.key = append(b.key[:0], old...) // f may change what it is given
		before := b.key
		next, op := f(old, ok)
		switch {
		case op == Keep:
			return clone(before, ok), ok, nil
		case op > WriteKeepTTL:
			return nil, false, fmt.Errorf("compute: %w; found %d", ErrOp, op)
		case op == Remove && !ok:
			return nil, false, nil
		}
		done, err := c.change(key, func(_ *writer, f basket.Found, now []byte) (step, error) {
			if f.OK() != ok || !bytes.Equal(now, before) {
				return step{}, nil
			}
			if op == WriteKeepTTL && ok {
				return step{op, next, f.Meta().Expires}, nil
			}
			end, err := c.end(life{})
			return step{op, next, end}, err
		})
		switch {
		case err != nil:
			return nil, false, failed("compute", err)
		case done:
			return clone(next, op != Remove), op != Remove, nil
		}
	}
}

// clone returns a copy of a value that is there, or nil.
func clone(value []byte, ok bool) []byte {
	if !ok {
		return nil
	}
	return append(make([]byte, 0, len(value)), value...)
}

// step says what to do with a key that was looked up.
type step struct {
	op    Op
	value []byte
	end   uint64
}

// decision decides what to do with a key. It is not a function of the user: it runs while the writer is held.
type decision func(w *writer, f basket.Found, value []byte) (step, error)

// change looks the key up, asks decide what to do about its value, and does that. It starts again if another
// call has changed the key in between. It reports whether there was something to do.
func (c *Cache) change(key []byte, decide decision) (done bool, err error) {
	b := c.lend()
	defer b.give()
	s, err := c.writing()
	if err != nil {
		return false, err
	}
	w, hash := s.handle, c.hasher.of(key)
	own := w.own(key)
	if b.value == nil {
		b.value = []byte{} // nil would ask for no value
	}
	for tries := 0; !done && err == nil; tries++ {
		var f basket.Found
		var next step
		if f, b.value, err = w.again(hash, own, b.value[:0], tries); err != nil {
			break
		}
		if next, err = decide(w, f, b.value); err != nil || next.op == Keep {
			break
		}
		if next.op == Remove {
			done, err = w.Remove(f, basket.ReasonDeleted)
		} else {
			done, err = w.Replace(f, next.value, basket.RecordOptions{Expires: next.end})
		}
		if done && next.op != Remove {
			s.count(slotFirst)
		}
	}
	c.done(s, 0)
	return done, err
}

// CompareAndSwap gives the key the new value, with the time to live of a Set, if the key is there and its
// value is equal to old, byte by byte. An old value of nil is the empty value; for a key that is absent use
// SetIfAbsent. Errors and progress: those of Set.
func (c *Cache) CompareAndSwap(key, old, new []byte) (swapped bool, err error) {
	swapped, err = c.change(key, func(_ *writer, f basket.Found, value []byte) (step, error) {
		if !f.OK() || !bytes.Equal(value, old) {
			return step{}, nil
		}
		end, err := c.end(life{})
		return step{Write, new, end}, err
	})
	if err != nil {
		return false, failed("compare and swap", err)
	}
	return swapped, nil
}

// counterBytes is the length of a counter: an int64, the low byte first.
const counterBytes = 8

// Add adds delta to the counter of the key, and returns the sum. An absent key is set to delta, with the time
// to live of a Set. A key that is there keeps its end. Errors: ErrCounter if the value is not a counter,
// ErrOverflow, and those of Set; after an error the value is unchanged.
func (c *Cache) Add(key []byte, delta int64) (sum int64, err error) {
	_, err = c.change(key, func(w *writer, f basket.Found, value []byte) (step, error) {
		end, err := c.end(life{})
		if sum = delta; err == nil && f.OK() {
			var old int64
			old, err = counter(value, delta)
			end, sum = f.Meta().Expires, old+delta
		}
		binary.LittleEndian.PutUint64(w.sum[:], uint64(sum))
		return step{Write, w.sum[:], end}, err
	})
	if err != nil {
		return 0, failed("add", err)
	}
	return sum, nil
}

// counter returns the counter in a value, if delta can be added to it without an overflow.
func counter(value []byte, delta int64) (int64, error) {
	if len(value) != counterBytes {
		return 0, fmt.Errorf("%w; found %d bytes", ErrCounter, len(value))
	}
	old := int64(binary.LittleEndian.Uint64(value))
	if delta > 0 && old > math.MaxInt64-delta || delta < 0 && old < math.MinInt64-delta {
		return 0, fmt.Errorf("%d and %d: %w", old, delta, ErrOverflow)
	}
	return old, nil
}
