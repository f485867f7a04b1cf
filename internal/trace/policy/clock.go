package policy

import "container/list"

// Clock is CLOCK with one bit, also called second chance. The objects stand in a ring with a hand. A request
// for an object that is there sets its bit. To evict, the hand goes round: it clears a bit that is set, and
// evicts the first object whose bit is not. A new object, whose bit is not set, comes in behind the hand.
// With objects of several sizes the hand evicts until there is room.
//
// A queue is the same as the ring: the hand points to its end, and going on is to move that end to the front.
type Clock struct {
	capacity uint64
	ring     queue
	at       map[uint64]*list.Element
}

// NewClock makes an empty cache of so many bytes.
func NewClock(capacity uint64) *Clock {
	return &Clock{capacity: capacity, at: map[uint64]*list.Element{}}
}

// Access asks for an object: see Replayed.
func (c *Clock) Access(key uint64, size uint32) bool {
	if e, ok := c.at[key]; ok {
		e.Value.(*object).uses = 1
		return true
	}
	if uint64(size) > c.capacity {
		return false
	}
	for c.ring.bytes+uint64(size) > c.capacity {
		hand := c.ring.last()
		if o := hand.Value.(*object); o.uses > 0 {
			o.uses = 0
			c.ring.MoveToFront(hand)
			continue
		}
		delete(c.at, c.ring.drop(hand).key)
	}
	c.at[key] = c.ring.push(&object{key: key, size: uint64(size)})
	return false
}

// Used: see Policy.
func (c *Clock) Used() uint64 { return c.ring.bytes }

// Holds: see Policy.
func (c *Clock) Holds(key uint64) bool { return c.at[key] != nil }
