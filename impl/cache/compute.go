package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/samecycle/samecycle/impl/basket"
)

// Op is what Compute does with a key.
type Op uint8

const (
	Keep         Op = iota // leaves the key as it is
	Write                  // gives it the new value, for the time that a Set gives it
	Remove                 // removes it
	WriteKeepTTL           // is Write, but leaves the end of an entry that is there as it is
)

// Compute changes a key by a function of its value: f is called with the value, or with ok false if the key
// is not there, and says what becomes of it. The change is made at an instant at which the key has the value
// that f was given; if it has another one by then, f is called again. f runs with nothing held, and may call
// the cache. old is good until f returns. new is what f returns, and may be old, changed in place.
//
// value is what the key has then, a copy of the caller's own, and ok whether it is there. A key that is kept
// does not count as used. Errors: ErrOp if f returns none of the operations, and the key is as before;
// ErrBusy if others were faster for some 65,000 times. Further errors, and progress: those of Set.
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

// clone is a copy of a value that is there; else nil.
func clone(value []byte, ok bool) []byte {
	if !ok {
		return nil
	}
	return append(make([]byte, 0, len(value)), value...)
}

// step is what is done with a key that was looked at.
type step struct {
	op    Op
	value []byte
	end   uint64
}

// decision says what is done with a key. It is no function of a user: it runs with the writer held.
type decision func(w *writer, f basket.Found, value []byte) (step, error)

// change looks the key up, asks what to do about its value, and does that; once more from the beginning when
// somebody else has changed the key in between. It reports whether there was something to do.
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

// CompareAndSwap gives the key the new value, for the time that a Set gives it, if it is there and its value
// is old, byte by byte. An old value of nil is the empty one; for a key that is not there see SetIfAbsent.
// Errors and progress: those of Set.
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

// counterBytes is how long a counter is: an int64, the low byte first.
const counterBytes = 8

// Add adds delta to the counter that the key has, and returns the sum. A key that is not there is set to
// delta, for the time that a Set gives it; one that is there keeps its end. Errors: ErrCounter when the value
// is none, ErrOverflow, and those of Set; the value is then as before.
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

// counter is the counter in a value, to which delta can be added.
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
