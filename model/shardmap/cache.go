package shardmap

// thing is what the atomic map has of a key.
type thing struct{ value, meta uint8 }

// abstract is a state of Cache.tla: what a client may observe.
type abstract struct {
	store [MaxKeys]thing
	call  [MaxActors]abstractCall
	out   [MaxActors][MaxCalls]Answer
	outs  [MaxActors]uint8
}

// stage is how far the atomic operation is.
type stage uint8

const (
	idle stage = iota
	open
	done
)

// abstractCall is the operation of an actor: the answer so far, the shards that are done, and whether an
// erase may follow.
type abstractCall struct {
	call   uint8
	stage  stage
	n      uint8
	shards uint8
	may    bool
}

// abstraction is the mapping of Refinement.tla.
func (m *Machine) abstraction(s *State) abstract {
	x := abstract{out: s.out, outs: s.outs}
	for i, e := range s.Map {
		x.store[i] = thing{e.Value, e.Meta}
	}
	for a := range m.Actors() {
		l := &s.Loc[a]
		x.call[a] = abstractCall{call: l.Call}
		if l.Depth == 0 {
			continue
		}
		f, o := &l.Frames[0], &m.p.Calls[a][l.Call-1]
		c := &x.call[a]
		c.stage, c.n = open, f.N
		switch {
		case o.Kind == Get || o.Kind == GetFunc:
			if c.may = o.Kind == GetFunc && f.left == toChange; f.left != toLook {
				c.stage = done
			}
		case o.Kind == Size:
			c.shards = f.Counted
		case o.Kind == Clear:
			if c.shards = f.Shard; f.left != toEnd {
				c.shards--
			}
		case !o.Kind.Cleans() && f.left == toEnd:
			c.stage = done
		}
	}
	return x
}

// cacheRefined: what a client may observe changes by a step of Cache.tla only.
func cacheRefined(m *Machine, prev, next *State) bool {
	was, is := m.abstraction(prev), m.abstraction(next)
	if was == is {
		return true
	}
	for a := range m.Actors() {
		if was.call[a] == is.call[a] && was.outs[a] == is.outs[a] {
			continue
		}
		for _, allowed := range m.atomic(was, a) {
			if allowed == is {
				return true
			}
		}
		return m.returns(was, is, a)
	}
	return false
}

// atomic are the states that an operation of an actor may lead to, but for its return.
func (m *Machine) atomic(was abstract, a int) (to []abstract) {
	c := was.call[a]
	o := &m.p.Calls[a][c.call-1]
	step := func(change func(x *abstract, c *abstractCall)) {
		x := was
		change(&x, &x.call[a])
		to = append(to, x)
	}
	switch {
	case c.stage == idle:
		full := o.Kind == Refill && was.outs[a] > 0 && was.out[a][was.outs[a]-1].N != 0
		step(func(_ *abstract, c *abstractCall) {
			if c.stage = open; full {
				c.stage = done
			}
		})
	case c.may:
		step(func(_ *abstract, c *abstractCall) { c.may = false })
		if m.thingStale(was.store, o, o.Key) {
			step(func(x *abstract, c *abstractCall) { c.may, x.store[o.Key-1] = false, thing{} })
		}
	case c.stage == open:
		m.takeEffect(was, a, o, step)
	}
	return to
}

// takeEffect is what an open operation may do.
func (m *Machine) takeEffect(was abstract, a int, o *Op, step func(func(x *abstract, c *abstractCall))) {
	switch {
	case o.Kind == Get || o.Kind == GetFunc:
		stale := o.Kind == GetFunc && m.thingStale(was.store, o, o.Key)
		step(func(x *abstract, c *abstractCall) {
			c.stage, c.may = done, stale && o.Verdict == Discard
			if c.n = x.store[o.Key-1].value; stale && o.Verdict != Accept {
				c.n = 0
			}
		})
	case o.puts():
		step(func(x *abstract, c *abstractCall) { c.stage, x.store[o.Key-1] = done, thing{o.Value, o.Meta} })
	case o.Kind == Invalidate || o.Kind == InvalidateIf:
		is := o.Kind == Invalidate && was.store[o.Key-1] != thing{} || m.thingStale(was.store, o, o.Key)
		step(func(x *abstract, c *abstractCall) {
			if c.stage = done; is {
				c.n, x.store[o.Key-1] = 1, thing{}
			}
		})
	case o.Kind.Cleans():
		for i := range m.p.Homes {
			if m.thingStale(was.store, o, uint8(i+1)) {
				step(func(x *abstract, c *abstractCall) {
					x.store[i] = thing{}
					c.n++
				})
			}
		}
	case was.call[a].shards < m.p.Shards:
		step(func(x *abstract, c *abstractCall) {
			c.shards++
			for i, home := range m.p.Homes {
				if home == c.shards && x.store[i] != (thing{}) {
					if c.n++; o.Kind == Clear {
						x.store[i] = thing{}
					}
				}
			}
		})
	}
}

// returns tells whether a step is the return of an operation that is over.
func (m *Machine) returns(was, is abstract, a int) bool {
	c := was.call[a]
	o := &m.p.Calls[a][c.call-1]
	over := c.stage == done || c.stage == open &&
		(o.Kind.Cleans() || (o.Kind == Size || o.Kind == Clear) && c.shards == m.p.Shards)
	if c.may || !over || is.outs[a] == 0 {
		return false
	}
	answer := is.out[a][is.outs[a]-1]
	if answer.N != c.n || answer.Shard > m.p.Shards {
		return false
	}
	x := was
	x.call[a] = abstractCall{call: c.call}
	switch {
	case int(c.call) < len(m.p.Calls[a]):
		x.call[a].call++
	case m.p.repeats(a + 1):
		x.call[a].call = 1
	}
	if m.p.repeats(a + 1) {
		x.outs[a] = 0
	}
	x.out[a][x.outs[a]] = answer
	x.outs[a]++
	return x == is
}

// thingStale is what a predicate says of a key of the atomic map.
func (m *Machine) thingStale(store [MaxKeys]thing, o *Op, key uint8) bool {
	var s State
	e := store[key-1]
	if e == (thing{}) {
		return false
	}
	s.Map[key-1] = Entry{e.value, e.meta, 1}
	return m.stale(&s, o, key)
}
