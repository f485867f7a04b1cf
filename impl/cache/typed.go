package cache

import (
	"fmt"
	"iter"
	"reflect"
	"time"
)

// Typed is a view of a cache whose keys and values have Go types. All goroutines may use it. Views of
// different types, and calls of the Cache itself, may be mixed if their keys differ.
type Typed[K, V any] struct {
	cache *Cache
	key   Codec[K]
	value Codec[V]
}

// NewTyped makes a view of the cache with these codecs. A nil codec stands for CodecOf; if CodecOf has no
// codec for the type, the error is ErrOptions. If the cache is nil, the error is ErrClosed. The zero Typed
// has no cache, and its calls return ErrClosed.
func NewTyped[K, V any](c *Cache, key Codec[K], value Codec[V]) (*Typed[K, V], error) {
	if c == nil {
		return nil, fmt.Errorf("new typed: %w", neverOpened{})
	}
	ok := true
	if key == nil {
		if key, ok = keyCodecOf[K](); !ok {
			return nil, noCodec[K]("key")
		}
	}
	if value == nil {
		if value, ok = CodecOf[V](); !ok {
			return nil, noCodec[V]("value")
		}
	}
	return &Typed[K, V]{c, key, value}, nil
}

func noCodec[T any](of string) error {
	return &Error{"codec of the " + of, "nil for " + reflect.TypeFor[T]().String(),
		"one, or a number, bool, string or []byte", "give a Codec of that type"}
}

// Cache returns the cache of the view.
func (t *Typed[K, V]) Cache() *Cache {
	if t == nil {
		return nil
	}
	return t.cache
}

// begin lends buffers for that call. A Typed that NewTyped has not made has no codecs, and gets an error.
func (t *Typed[K, V]) begin(call string) (*buffers, error) {
	if t == nil || t.cache == nil {
		return nil, failed(call, neverOpened{})
	}
	return t.cache.lend(), nil
}

// Get is Cache.Get. Errors of the codecs are returned as well.
func (t *Typed[K, V]) Get(key K) (value V, ok bool, err error) {
	b, err := t.begin("get")
	if err != nil {
		return value, false, err
	}
	defer b.give()
	if err := t.encodeKey(b, key); err != nil {
		return value, false, err
	}
	if b.value, ok, err = t.cache.Get(b.key, b.value[:0]); !ok || err != nil {
		return value, false, err
	}
	if value, err = t.value.Decode(b.value); err != nil {
		return value, false, coding("value", err)
	}
	return value, true, nil
}

// coding adds to an error of a codec which of key and value could not be converted.
func coding(what string, err error) error { return fmt.Errorf("cache: codec of the %s: %w", what, err) }

// encode writes the bytes of key and value into the buffers.
func (t *Typed[K, V]) encode(b *buffers, key K, value V) (err error) {
	if err := t.encodeKey(b, key); err != nil {
		return err
	}
	if b.value, err = t.value.Append(b.value[:0], value); err != nil {
		return t.cache.refusal(coding("value", err))
	}
	return nil
}

// encodeKey is the key in bytes.
func (t *Typed[K, V]) encodeKey(b *buffers, key K) (err error) {
	if b.key, err = t.key.Append(b.key[:0], key); err != nil {
		return t.cache.refusal(coding("key", err))
	}
	return nil
}

// Set is Cache.Set.
func (t *Typed[K, V]) Set(key K, value V) error {
	b, err := t.begin("set")
	if err != nil {
		return err
	}
	defer b.give()
	if err := t.encode(b, key, value); err != nil {
		return err
	}
	return t.cache.Set(b.key, b.value)
}

// SetTTL is Cache.SetTTL.
func (t *Typed[K, V]) SetTTL(key K, value V, ttl time.Duration) error {
	b, err := t.begin("set ttl")
	if err != nil {
		return err
	}
	defer b.give()
	if err := t.encode(b, key, value); err != nil {
		return err
	}
	return t.cache.SetTTL(b.key, b.value, ttl)
}

// SetIfAbsent is Cache.SetIfAbsent.
func (t *Typed[K, V]) SetIfAbsent(key K, value V) (set bool, err error) {
	b, err := t.begin("set if absent")
	if err != nil {
		return false, err
	}
	defer b.give()
	if err := t.encode(b, key, value); err != nil {
		return false, err
	}
	return t.cache.SetIfAbsent(b.key, b.value)
}

// SetIfAbsentTTL is Cache.SetIfAbsentTTL.
func (t *Typed[K, V]) SetIfAbsentTTL(key K, value V, ttl time.Duration) (set bool, err error) {
	b, err := t.begin("set if absent ttl")
	if err != nil {
		return false, err
	}
	defer b.give()
	if err := t.encode(b, key, value); err != nil {
		return false, err
	}
	return t.cache.SetIfAbsentTTL(b.key, b.value, ttl)
}

// Expire is Cache.Expire.
func (t *Typed[K, V]) Expire(key K, ttl time.Duration) (ok bool, err error) {
	b, err := t.begin("expire")
	if err != nil {
		return false, err
	}
	defer b.give()
	if err := t.encodeKey(b, key); err != nil {
		return false, err
	}
	return t.cache.Expire(b.key, ttl)
}

// CompareAndSwap is Cache.CompareAndSwap: two values are equal if their bytes are.
func (t *Typed[K, V]) CompareAndSwap(key K, old, new V) (swapped bool, err error) {
	b, err := t.begin("compare and swap")
	if err != nil {
		return false, err
	}
	defer b.give()
	if err := t.encode(b, key, old); err != nil {
		return false, err
	}
	next, err := t.value.Append(nil, new)
	if err != nil {
		return false, t.cache.refusal(coding("value", err))
	}
	return t.cache.CompareAndSwap(b.key, b.value, next)
}

// Compute is Cache.Compute.
func (t *Typed[K, V]) Compute(key K, f func(old V, ok bool) (new V, op Op)) (value V, ok bool, err error) {
	b, err := t.begin("compute")
	if err != nil {
		return value, false, err
	}
	defer b.give()
	if err := t.encodeKey(b, key); err != nil {
		return value, false, err
	}
	var bad error
	_, ok, err = t.cache.Compute(b.key, func(bytes []byte, found bool) ([]byte, Op) {
		var old, none V
		if value, bad = none, nil; found {
			if old, bad = t.value.Decode(bytes); bad != nil {
				return nil, Keep
			}
		}
		next, op := f(old, found)
		switch op {
		case Keep:
			value = old
		case Write, WriteKeepTTL:
			if b.value, bad = t.value.Append(b.value[:0], next); bad != nil {
				return nil, Keep
			}
			value = next
		}
		return b.value, op
	})
	if bad != nil {
		err = coding("value", bad)
	}
	if err != nil {
		var none V
		return none, false, err
	}
	return value, ok, nil
}

// Delete is Cache.Delete.
func (t *Typed[K, V]) Delete(key K) (deleted bool, err error) {
	b, err := t.begin("delete")
	if err != nil {
		return false, err
	}
	defer b.give()
	if err := t.encodeKey(b, key); err != nil {
		return false, err
	}
	return t.cache.Delete(b.key)
}

// Contains is Cache.Contains.
func (t *Typed[K, V]) Contains(key K) (ok bool, err error) {
	b, err := t.begin("contains")
	if err != nil {
		return false, err
	}
	defer b.give()
	if err := t.encodeKey(b, key); err != nil {
		return false, err
	}
	return t.cache.Contains(b.key)
}

// All is Cache.All. It leaves out entries that the codecs cannot decode, such as those of another view.
func (t *Typed[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for k, v := range t.Cache().All() {
			key, err := t.key.Decode(k)
			if err != nil {
				continue
			}
			if value, err := t.value.Decode(v); err == nil && !yield(key, value) {
				return
			}
		}
	}
}

// Event decodes an event of Options.OnEvent. Errors: those of the codecs.
func (t *Typed[K, V]) Event(e Event) (key K, value V, err error) {
	if t.Cache() == nil {
		return key, value, neverOpened{}
	}
	if key, err = t.key.Decode(e.Key); err != nil {
		return key, value, coding("key", err)
	}
	if value, err = t.value.Decode(e.Value); err != nil {
		return key, value, coding("value", err)
	}
	return key, value, nil
}
