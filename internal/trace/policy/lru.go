package policy

import "container/list"

// LRU evicts the object that was asked for the longest time ago.
type LRU struct {
	capacity uint64
	queue    queue
	at       map[uint64]*list.Element
}

// NewLRU makes an empty cache of so many bytes.
func NewLRU(capacity uint64) *LRU {
	return &LRU{capacity: capacity, at: map[uint64]*list.Element{}}
}

// Access asks for an object: see Replayed.
func (c *LRU) Access(key uint64, size uint32) bool {
	if e, ok := c.at[key]; ok {
		c.queue.MoveToFront(e)
		return true
	}
	if uint64(size) > c.capacity {
		return false
	}
	for c.queue.bytes+uint64(size) > c.capacity {
		delete(c.at, c.queue.drop(c.queue.last()).key)
	}
	c.at[key] = c.queue.push(&object{key: key, size: uint64(size)})
	return false
}

// Used: see Policy.
func (c *LRU) Used() uint64 { return c.queue.bytes }

// Holds: see Policy.
func (c *LRU) Holds(key uint64) bool { return c.at[key] != nil }
