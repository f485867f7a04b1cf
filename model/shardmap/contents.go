package shardmap

// stale is what the predicate of an operation says of the entry of a key.
func (m *Machine) stale(s *State, o *Op, key uint8) bool {
	e := s.Map[key-1]
	switch {
	case e == Entry{} || e.Meta >= o.Context || o.Form == Throws:
		return false
	case o.Form == OfValue:
		return e.Value < o.Limit
	case o.Form == OfShard:
		return m.home(key) == o.Limit
	}
	return true
}

// inShard calls f with each key that a shard has.
func (m *Machine) inShard(s *State, shard uint8, f func(key uint8)) {
	for i, home := range m.p.Homes {
		if home == shard && s.Map[i] != (Entry{}) {
			f(uint8(i + 1))
		}
	}
}

// count is how many keys a shard has.
func (m *Machine) count(s *State, shard uint8) (n uint8) {
	m.inShard(s, shard, func(uint8) { n++ })
	return n
}

// moment is the counts of the shards as they are.
func (m *Machine) moment(s *State) moments {
	var second uint8
	if m.p.Shards > 1 {
		second = m.count(s, 2)
	}
	return momentOf(m.count(s, 1), second)
}

// inside: the callback or the predicate of an operation that was called calls the map.
func (x *stepper) inside(l Local, called bool, leave Action) Local {
	inner := x.m.op(x.a, &l).Calls
	if !called || inner == nil {
		return l.at(leave)
	}
	l.PC, l.Frames[1] = x.m.begin(inner, true)
	l.Depth = 2
	return l
}

// look is what is seen of a shard. An erase that follows is one of its own: the lock is given back in
// between.
func (x *stepper) look(l Local) {
	o, f := x.m.op(x.a, &l), l.top()
	f.left = toEnd
	collect := func(key uint8) {
		if x.m.stale(x.s, o, key) {
			f.Todo[key-1], f.left = x.s.Map[key-1].Version, toChange
		}
	}
	called := o.Key != 0 && x.s.Map[o.Key-1] != Entry{}
	switch {
	case o.Kind.Cleans():
		x.m.inShard(x.s, f.Shard, collect)
		called = x.m.count(x.s, f.Shard) != 0
	case o.Kind == Size:
		n := x.m.count(x.s, f.Shard)
		f.Counts[f.Counted] = n
		f.Counted++
		f.N += n
	case o.Kind == Get, o.Kind == GetFunc:
		f.N = x.s.Map[o.Key-1].Value
		if o.Kind == GetFunc && o.Verdict != Accept && x.m.stale(x.s, o, o.Key) {
			f.N = 0
			if o.Verdict == Discard {
				collect(o.Key)
			}
		}
	case o.Kind == InvalidateIf:
		collect(o.Key)
	}
	x.take(x.inside(l, called, ReadLeave))
}

// same tells whether there is still what was collected.
func (m *Machine) same(s *State, o *Op, key, version uint8) bool {
	e := s.Map[key-1]
	switch {
	case e == Entry{}:
		return false
	case m.c.Check == CheckVersion:
		return e.Version == version
	case m.c.Check == CheckPredicate:
		return m.stale(s, o, key)
	}
	return true
}

// change is what an operation does to a shard.
func (x *stepper) change(l Local) {
	o, f := x.m.op(x.a, &l), l.top()
	switch {
	case o.puts():
		x.put(l, o)
	case o.Kind == Clear:
		var keys []uint8
		x.m.inShard(x.s, f.Shard, func(key uint8) { keys = append(keys, key) })
		f.N += uint8(len(keys))
		x.erase(l, false, keys...)
	case o.Kind == Invalidate, o.Kind == InvalidateIf && x.m.rule(ruleTogether):
		found := x.s.Map[o.Key-1] != Entry{}
		if o.Kind == Invalidate && found || o.Kind == InvalidateIf && x.m.stale(x.s, o, o.Key) {
			f.N = 1
			x.erase(l, found && o.Kind == InvalidateIf, o.Key)
			return
		}
		x.erase(l, found && o.Kind == InvalidateIf)
	default:
		for i, version := range f.Todo {
			if version != 0 {
				x.eraseCollected(l, o, uint8(i+1), version)
			}
		}
	}
}

// put stores an entry. Its version is the number of the put in its shard, so that no two entries of a key
// have the same one.
func (x *stepper) put(l Local, o *Op) {
	l.top().left = toEnd
	home := x.m.home(o.Key) - 1
	version := x.s.Clock[home] + 1
	if !x.m.rule(ruleClock) {
		version = x.s.Map[o.Key-1].Version + 1
	}
	next := x.take(l.at(WriteLeave))
	next.Clock[home]++
	next.Map[o.Key-1] = Entry{o.Value, o.Meta, version}
	x.seen(next)
}

// erase takes some keys out. The predicate, if it was asked, may call the map.
func (x *stepper) erase(l Local, asked bool, keys ...uint8) {
	f := l.top()
	f.left = toEnd
	for _, version := range f.Todo {
		if version != 0 {
			f.left = toChange
		}
	}
	next := x.take(x.inside(l, asked, WriteLeave))
	for _, key := range keys {
		next.Map[key-1] = Entry{}
	}
	x.seen(next)
}

// eraseCollected takes one of the collected keys out, if there is still what was collected.
func (x *stepper) eraseCollected(l Local, o *Op, key, version uint8) {
	f := l.top()
	f.Todo[key-1] = 0
	asked := x.m.c.Check == CheckPredicate && x.s.Map[key-1] != Entry{}
	if !x.m.same(x.s, o, key, version) {
		x.erase(l, asked)
		return
	}
	if o.Kind != GetFunc {
		f.N++
	}
	x.erase(l, asked, key)
}

// seen adds the counts to those of the sizes in progress.
func (x *stepper) seen(next *State) {
	for i := range next.since {
		if next.since[i] != 0 {
			next.since[i] |= x.m.moment(next)
		}
	}
}
