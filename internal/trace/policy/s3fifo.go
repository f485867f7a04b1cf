package policy

import "container/list"

// S3FIFO is algorithm 1 of the paper, with its parameters: the small queue has a tenth of the bytes, a
// counter of uses goes up to 3, an object that was used more than once moves from the small queue to the main
// one and starts there with a counter of 0. The ghost queue remembers as many bytes of objects as the main
// queue may have, nine tenths. An object that does not fit into the small queue comes in all the same.
type S3FIFO struct {
	capacity           uint64
	small, main, ghost queue
	at                 map[uint64]*list.Element // in any of the three
}

const mostUses = 3

// NewS3FIFO makes an empty cache of so many bytes.
func NewS3FIFO(capacity uint64) *S3FIFO {
	return &S3FIFO{capacity: capacity, at: map[uint64]*list.Element{}}
}

// Access asks for an object: see Replayed. It is READ and INSERT of the paper.
func (c *S3FIFO) Access(key uint64, size uint32) bool {
	e := c.at[key]
	if e != nil {
		if o := e.Value.(*object); o.where != &c.ghost {
			o.uses = min(o.uses+1, mostUses)
			return true
		}
	}
	if uint64(size) > c.capacity {
		return false
	}
	for c.Used()+uint64(size) > c.capacity {
		c.evict()
	}
	into := &c.small
	if e = c.at[key]; e != nil { // the ghost may have forgotten it while room was made
		c.ghost.drop(e)
		into = &c.main
	}
	c.at[key] = into.push(&object{key: key, size: uint64(size)})
	return false
}

// evict evicts one object.
func (c *S3FIFO) evict() {
	if c.small.bytes >= c.smallMost() || c.main.Len() == 0 {
		if c.evictSmall() {
			return
		}
	}
	c.evictMain()
}

// smallMost is a tenth of the cache, rounded up.
func (c *S3FIFO) smallMost() uint64 { return c.capacity/10 + min(1, c.capacity%10) }

// evictSmall moves what was used to the main queue, and evicts the first object that was not. If the main
// queue is full by then, it is one of that which is evicted. False: all objects have moved.
func (c *S3FIFO) evictSmall() bool {
	for c.small.Len() > 0 {
		o := c.small.drop(c.small.last())
		if o.uses <= 1 {
			c.at[o.key] = c.ghost.push(o)
			for c.ghost.bytes > c.mainMost() {
				delete(c.at, c.ghost.drop(c.ghost.last()).key)
			}
			return true
		}
		o.uses = 0
		c.at[o.key] = c.main.push(o)
		if c.main.bytes > c.mainMost() {
			c.evictMain()
		}
	}
	return false
}

func (c *S3FIFO) mainMost() uint64 { return c.capacity - c.smallMost() }

// evictMain evicts the first object of the main queue that was not used, and gives each one before it another
// round for one use less.
func (c *S3FIFO) evictMain() {
	for c.main.Len() > 0 {
		e := c.main.last()
		o := e.Value.(*object)
		if o.uses == 0 {
			delete(c.at, c.main.drop(e).key)
			return
		}
		o.uses--
		c.main.MoveToFront(e)
	}
}

// Used: see Policy.
func (c *S3FIFO) Used() uint64 { return c.small.bytes + c.main.bytes }

// Holds: see Policy.
func (c *S3FIFO) Holds(key uint64) bool {
	e := c.at[key]
	return e != nil && e.Value.(*object).where != &c.ghost
}
