package volume

import (
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/samecycle/samecycle/impl/shardmap"
	"github.com/samecycle/samecycle/scenarios/shardmap/states"
	"github.com/samecycle/samecycle/stress"
)

// A request is the kind in the upper half of the first word and the key in the lower, and the value of a put.
func request(k states.Kind, key uint32, value uint64) stress.Words {
	return stress.Words{uint64(k)<<32 | uint64(key), value}
}

func kindOf(w stress.Words) states.Kind { return states.Kind(w[0] >> 32) }
func keyOf(w stress.Words) uint32       { return uint32(w[0]) }

// client is one goroutine of a run.
type client struct {
	w      *world
	owner  uint32
	serial uint64
	notes  []stress.Words
	seen   uint64 // how often the race was seen in the lock word
	nested bool   // a predicate has called the map, which gave up as it must
}

// serialBits is how many values a client may write in a run.
const serialBits = 24

func (*client) Begin(uint64) {}

// Next draws an operation: what the race needs, and rarely another one.
func (c *client) Next(rng *rand.Rand) stress.Words {
	mix := c.w.mix
	for k := range mix {
		mix[k]++
	}
	k := states.Kind(stress.Draw(rng, mix[:]))
	key := uint32(rng.IntN(keys)) + 1
	if k != states.Put {
		return request(k, key, 0)
	}
	c.serial++
	return request(states.Put, key, uint64(c.owner)<<serialBits|c.serial)
}

// Before looks at the lock within the interval of the operation, as After does.
func (c *client) Before(req stress.Words) { c.seen = c.w.seesLock(req) }

// relaxed gives the processor away with a lock held, so that others meet it.
func relaxed() { runtime.Gosched() }

// stale tells entries that may go: those whose value is odd.
func stale(meta uint64) bool { return meta&1 == 1 }

// collect notes an entry that was found stale.
func (c *client) collect(key uint32, value uint64) {
	if len(c.notes) < stress.NotesMost {
		c.notes = append(c.notes, stress.Words{uint64(key), value})
	}
}

// Call makes the operation.
func (c *client) Call(req stress.Words) (res stress.Words, notes []stress.Words, err error) {
	m, key := c.w.m, keyOf(req)
	c.notes, c.nested = c.notes[:0], false
	number := func(yes bool) stress.Words {
		if yes {
			return stress.Words{1}
		}
		return stress.Words{}
	}
	switch kindOf(req) {
	case states.Get:
		v, ok := m.Get(key)
		res = stress.Words{v, number(ok)[0]}
	case states.GetFunc:
		v, ok := m.GetFunc(key, func(value, meta uint64) shardmap.Action {
			relaxed()
			if !stale(meta) {
				return shardmap.Accept
			}
			c.collect(key, value)
			return shardmap.Discard
		})
		res = stress.Words{v, number(ok)[0]}
	case states.Put:
		m.Put(key, req[1], req[1])
	case states.Invalidate:
		res = number(m.Invalidate(key))
	case states.InvalidateIf:
		res = number(m.InvalidateIf(key, func(_, meta uint64) bool {
			relaxed()
			return stale(meta)
		}))
	case states.Size:
		res = stress.Words{uint64(m.Size())}
	default:
		res = c.clean(kindOf(req))
	}
	if c.w.subject.lie != nil {
		c.w.subject.lie(req, &res)
	}
	if kindOf(req) == states.Get && res[1] == 0 && res[0] != 0 {
		return res, c.notes, fmt.Errorf("a get of key %d found nothing, and returned %d", key, res[0])
	}
	return res, c.notes, nil
}

// clean makes one of the cleanups. The result is the number of entries, the shard and 1, or 0 if it gave up.
func (c *client) clean(k states.Kind) stress.Words {
	is := shardmap.OfValue(func(key uint32, value, meta uint64) bool {
		if c.w.state == 14 && !c.nested { // a predicate calls the map, as far as it may
			never := func(uint32, uint64) bool { return false }
			_, ran := c.w.m.TryCleanup(shardmap.OfMeta[uint32, uint64](never))
			c.nested = !ran
		}
		relaxed()
		if stale(meta) {
			c.collect(key, value)
			return true
		}
		return false
	})
	switch k {
	case states.Cleanup:
		r := c.w.m.Cleanup(is)
		return stress.Words{uint64(r.Removed), uint64(r.Shard)<<1 | 1}
	case states.TryCleanup:
		r, ok := c.w.m.TryCleanup(is)
		if !ok {
			return stress.Words{}
		}
		return stress.Words{uint64(r.Removed), uint64(r.Shard)<<1 | 1}
	}
	return stress.Words{uint64(c.w.m.FullCleanup(is)), 1}
}

// After looks again, and says whether the race was seen in the lock word.
func (c *client) After(req, _ stress.Words, _ []stress.Words) stress.Seen {
	seen := c.seen | c.w.seesLock(req)
	if c.nested {
		seen = 1
	}
	return stress.Seen{Extra: seen}
}
