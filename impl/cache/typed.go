package cache

import (
	"fmt"
	"iter"
	"reflect"
	"time"
)

// Typed is a view of a cache whose keys and values are of Go types. All goroutines may use it. Views of
// different types, and calls of the Cache itself, may be mixed if their keys differ.
type Typed[K, V any] struct {
	cache *Cache
	key   Codec[K]
	value Codec[V]
}

// NewTyped is a view of the cache with these codecs. nil stands for CodecOf; where that has none, the error
// is ErrOptions. It is ErrClosed if the cache is nil. The zero Typed has no cache, and its calls return
// ErrClosed.
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

// Cache is the cache that is viewed.
func (t *Typed[K, V]) Cache() *Cache {
	if t == nil {
		return nil
	}
	return t.cache
}

// begin lends buffers for a call. One that NewTyped has not made has no codecs.
func (t *Typed[K, V]) begin() (*buffers, error) {
	if t == nil || t.cache == nil {
		return nil, neverOpened{}
	}
	return t.cache.lend(), nil
}

// Get is Cache.Get. What the codecs return is an error as well.
func (t *Typed[K, V]) Get(key K) (value V, ok bool, err error) {
	b, err := t.begin()
	if err != nil {
		return value, false, err
	}
	defer b.give()
	if b.key, err = t.key.Append(b.key[:0], key); err != nil {
		return value, false, coding("key", err)
	}
	if b.value, ok, err = t.cache.Get(b.key, b.value[:0]); !ok || err != nil {
		return value, false, err
	}
	if value, err = t.value.Decode(b.value); err != nil {
		return value, false, coding("value", err)
	}
	return value, true, nil
}

// coding says what could not be turned into bytes, or back.
func coding(what string, err error) error { return fmt.Errorf("cache: codec of the %s: %w", what, err) }

// encode is both in bytes.
func (t *Typed[K, V]) encode(b *buffers, key K, value V) (err error) {
	if b.key, err = t.key.Append(b.key[:0], key); err != nil {
		return coding("key", err)
	}
	if b.value, err = t.value.Append(b.value[:0], value); err != nil {
		return coding("value", err)
	}
	return nil
}

// Set is Cache.Set.
func (t *Typed[K, V]) Set(key K, value V) error {
	b, err := t.begin()
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
	b, err := t.begin()
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
	b, err := t.begin()
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
	b, err := t.begin()
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
	b, err := t.begin()
	if err != nil {
		return false, err
	}
	defer b.give()
	if b.key, err = t.key.Append(b.key[:0], key); err != nil {
		return false, coding("key", err)
	}
	return t.cache.Expire(b.key, ttl)
}

// CompareAndSwap is Cache.CompareAndSwap: values are equal when their bytes are.
func (t *Typed[K, V]) CompareAndSwap(key K, old, new V) (swapped bool, err error) {
	b, err := t.begin()
	if err != nil {
		return false, err
	}
	defer b.give()
	if err := t.encode(b, key, old); err != nil {
		return false, err
	}
	next, err := t.value.Append(nil, new)
	if err != nil {
		return false, coding("value", err)
	}
	return t.cache.CompareAndSwap(b.key, b.value, next)
}

// Compute is Cache.Compute.
func (t *Typed[K, V]) Compute(key K, f func(old V, ok bool) (new V, op Op)) (value V, ok bool, err error) {
	b, err := t.begin()
	if err != nil {
		return value, false, err
	}
	defer b.give()
	if b.key, err = t.key.Append(b.key[:0], key); err != nil {
		return value, false, coding("key", err)
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
	b, err := t.begin()
	if err != nil {
		return false, err
	}
	defer b.give()
	if b.key, err = t.key.Append(b.key[:0], key); err != nil {
		return false, coding("key", err)
	}
	return t.cache.Delete(b.key)
}

// Contains is Cache.Contains.
func (t *Typed[K, V]) Contains(key K) (ok bool, err error) {
	b, err := t.begin()
	if err != nil {
		return false, err
	}
	defer b.give()
	if b.key, err = t.key.Append(b.key[:0], key); err != nil {
		return false, coding("key", err)
	}
	return t.cache.Contains(b.key)
}

// All is Cache.All. Entries that the codecs cannot read, such as those of another view, are left out.
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

// Event decodes what Options.OnEvent was told. Errors: those of the codecs.
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
