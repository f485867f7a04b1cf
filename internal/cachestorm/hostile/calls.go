package hostile

import (
	"time"

	"github.com/samecycle/samecycle/impl/cache"
)

// look gets a key, by one of the calls that change nothing.
func (x *round) look(c *cache.Cache, key int) {
	name := keyOf(key)
	switch x.random.IntN(6) {
	case 0:
		x.begin("peek")
		value, ok, err := c.Peek(name, nil)
		x.end()
		x.answer(key, value, ok, err)
	case 1:
		x.begin("contains")
		_, err := c.Contains(name)
		x.end()
		x.failed(err)
	case 2:
		x.begin("time to live")
		_, _, err := c.TTL(name)
		x.end()
		x.failed(err)
	case 3:
		x.batch(c)
	default:
		x.begin("get")
		value, ok, err := c.Get(name, nil)
		x.end()
		x.answer(key, value, ok, err)
	}
}

func (x *round) batch(c *cache.Cache) {
	const n = 20
	var numbers [n]int
	var names, values [n][]byte
	for i := range names {
		numbers[i] = x.random.IntN(keys)
		names[i] = keyOf(numbers[i])
	}
	x.begin("get of a batch")
	_, _, err := c.GetBatch(names[:], values[:], nil)
	x.end()
	for i := range values {
		x.answer(numbers[i], values[i], values[i] != nil, err)
	}
}

// failed counts an error.
func (x *round) failed(err error) {
	if err != nil {
		x.Errors++
	}
}

// step makes a call of any kind.
func (x *round) step(c *cache.Cache) {
	r := x.random
	key := r.IntN(keys + 20)
	name, value := keyOf(key), appendValue(nil, key, r.Uint64N(1<<40))
	switch n := r.IntN(64); {
	case n < 20:
		x.look(c, min(key, keys-1))
		return
	case n == 20:
		x.scan(c)
		return
	case n == 21:
		x.begin("stats")
		_, err := c.Stats()
		x.failed(err)
		x.end()
		return
	case n == 22:
		x.begin("check")
		_, err := c.Check()
		x.failed(err)
		x.end()
		return
	}
	x.changed = true
	x.change(c, name, value)
}

// change makes a call that changes something.
func (x *round) change(c *cache.Cache, name, value []byte) {
	r := x.random
	var err error
	switch r.IntN(9) {
	case 0:
		x.begin("delete")
		_, err = c.Delete(name)
	case 1:
		x.begin("set if absent")
		_, err = c.SetIfAbsent(name, value)
	case 2:
		x.begin("add")
		_, err = c.Add(name, 1)
	case 3:
		old, _, e := c.Peek(name, nil)
		x.failed(e)
		x.begin("compare and swap")
		_, err = c.CompareAndSwap(name, old, value)
	case 4:
		x.begin("compute")
		_, _, err = c.Compute(name, func(old []byte, ok bool) ([]byte, cache.Op) {
			return append(old, 1), cache.Op(r.IntN(3))
		})
	case 5:
		x.begin("set with an end")
		err = c.SetTTL(name, value, time.Duration(r.IntN(1000))*time.Millisecond)
	default:
		x.begin("set")
		err = c.Set(name, value)
	}
	x.end()
	x.failed(err)
}

// scan walks over all entries.
func (x *round) scan(c *cache.Cache) {
	x.begin("walk")
	err := c.Walk(func(name, value []byte) bool {
		if len(name)+len(value) > x.image.basket {
			x.fault("an entry of %d bytes comes by", len(name)+len(value))
		}
		return true
	})
	x.end()
	x.failed(err)
}
