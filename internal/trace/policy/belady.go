package policy

import "container/heap"

// Belady is the optimum, which must know the future: it evicts the object whose next use is farthest ahead.
// An object whose own next use is farthest does not even come in, so that Belady also bounds caches that
// refuse objects.
//
// If all objects have the same size, no cache has more hits. With objects of several sizes it evicts in the
// same order until there is room. That is not the optimum then, neither of hits nor of bytes, which is hard
// to compute; a policy that prefers small objects can have more hits.
type Belady struct {
	capacity, used uint64
	future         Future
	now            int
	ahead          farthest
	at             map[uint64]*planned
}

// planned is an object in the cache and its next use.
type planned struct {
	key, size uint64
	next      uint32
	place     int // in the heap
}

// NewBelady makes an empty cache of so many bytes. The future is that of all requests that it will get, in
// their order; one more than that is a fault of the caller, and panics.
func NewBelady(capacity uint64, future Future) *Belady {
	return &Belady{capacity: capacity, future: future, at: map[uint64]*planned{}}
}

// Access asks for an object: see Replayed.
func (c *Belady) Access(key uint64, size uint32) bool {
	next := c.future[c.now]
	c.now++
	if o, ok := c.at[key]; ok {
		o.next = next
		heap.Fix(&c.ahead, o.place)
		return true
	}
	room := uint64(size)
	if next == Never || room > c.capacity {
		return false
	}
	var victims []*planned
	for c.used+room > c.capacity && c.ahead[0].next > next {
		o := heap.Pop(&c.ahead).(*planned)
		c.used -= o.size
		victims = append(victims, o)
	}
	if c.used+room > c.capacity { // the object itself is the next that would leave
		for _, o := range victims {
			c.put(o)
		}
		return false
	}
	for _, o := range victims {
		delete(c.at, o.key)
	}
	c.put(&planned{key: key, size: room, next: next})
	return false
}

func (c *Belady) put(o *planned) {
	heap.Push(&c.ahead, o)
	c.used += o.size
	c.at[o.key] = o
}

// Used: see Policy.
func (c *Belady) Used() uint64 { return c.used }

// Holds: see Policy.
func (c *Belady) Holds(key uint64) bool { return c.at[key] != nil }

// farthest is a heap with the farthest next use on top.
type farthest []*planned

func (h farthest) Len() int           { return len(h) }
func (h farthest) Less(i, j int) bool { return h[i].next > h[j].next }
func (h farthest) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}

// Push is for package heap.
func (h *farthest) Push(x any) {
	o := x.(*planned)
	o.place = len(*h)
	*h = append(*h, o)
}

// Pop is for package heap.
func (h *farthest) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
