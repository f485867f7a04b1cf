package policy

import "container/list"

// ARC is the algorithm of figure 4 of the paper. T1 has objects that were asked for once lately, T2 those
// that were asked for more often; B1 and B2 remember what left T1 and T2. A request for an object in B1 lets
// T1 grow, one in B2 lets it shrink.
//
// The paper counts pages. Here all is counted in bytes, the step by which T1 may grow as well: the size of
// the object times the step of the paper. Room is made until the object fits.
type ARC struct {
	capacity       uint64
	target         float64 // p of the paper: the bytes of T1 that are aimed at
	t1, t2, b1, b2 queue
	at             map[uint64]*list.Element // in any of the four
}

// NewARC makes an empty cache of so many bytes.
func NewARC(capacity uint64) *ARC {
	return &ARC{capacity: capacity, at: map[uint64]*list.Element{}}
}

// Access asks for an object: see Replayed.
func (c *ARC) Access(key uint64, size uint32) bool {
	e, room := c.at[key], uint64(size)
	if room > c.capacity {
		return false
	}
	if e == nil { // case IV
		c.forget(room)
		c.replace(room, false)
		c.at[key] = c.t1.push(&object{key: key, size: room})
		return false
	}
	o := e.Value.(*object)
	switch from := o.where; from {
	case &c.b1: // case II
		c.target = min(c.target+float64(room)*step(&c.b2, &c.b1), float64(c.capacity))
		from.drop(e)
		c.replace(room, false)
	case &c.b2: // case III
		c.target = max(c.target-float64(room)*step(&c.b1, &c.b2), 0)
		from.drop(e)
		c.replace(room, true)
	default: // case I
		from.drop(e)
		c.at[key] = c.t2.push(o)
		return true
	}
	c.at[key] = c.t2.push(o)
	return false
}

// step is by how much the target moves for each byte: 1, or more if the other list remembers more.
func step(other, own *queue) float64 { return max(1, float64(other.bytes)/float64(own.bytes)) }

// forget lets T1 and B1 have at most the capacity together with what comes in, and all four lists twice as
// much. Of T1 alone it evicts, and remembers nothing.
func (c *ARC) forget(room uint64) {
	for c.t1.bytes+c.b1.bytes+room > c.capacity {
		from := &c.b1
		if from.Len() == 0 {
			from = &c.t1
		}
		delete(c.at, from.drop(from.last()).key)
	}
	for c.b2.Len() > 0 && c.t1.bytes+c.t2.bytes+c.b1.bytes+c.b2.bytes+room > 2*c.capacity {
		delete(c.at, c.b2.drop(c.b2.last()).key)
	}
}

// replace evicts until there is room, from T1 if that has more than the target, and remembers what it evicts.
// inB2 says that the object that comes in is one which B2 remembered.
func (c *ARC) replace(room uint64, inB2 bool) {
	for c.Used()+room > c.capacity {
		from, to := &c.t2, &c.b2
		if t1 := float64(c.t1.bytes); c.t1.Len() > 0 && (t1 > c.target || inB2 && t1 == c.target) ||
			c.t2.Len() == 0 {
			from, to = &c.t1, &c.b1
		}
		o := from.drop(from.last())
		c.at[o.key] = to.push(o)
	}
}

// Used: see Policy.
func (c *ARC) Used() uint64 { return c.t1.bytes + c.t2.bytes }

// Holds: see Policy.
func (c *ARC) Holds(key uint64) bool {
	e := c.at[key]
	if e == nil {
		return false
	}
	where := e.Value.(*object).where
	return where == &c.t1 || where == &c.t2
}
