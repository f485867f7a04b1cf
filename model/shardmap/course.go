package shardmap

// begin is where an operation begins.
func (m *Machine) begin(o *Op, missed bool) (Action, Frame) {
	switch {
	case o.Kind == Get || o.Kind == GetFunc || o.Kind == InvalidateIf && !m.rule(ruleTogether):
		return ReadEnter, Frame{Shard: m.home(o.Key)}
	case o.Kind == Refill && !missed:
		return ClientReturn, Frame{Shard: m.home(o.Key), left: toEnd}
	case o.puts() || o.Kind == Invalidate || o.Kind == InvalidateIf:
		return WriteClaim, Frame{Shard: m.home(o.Key), left: toChange}
	case o.Kind == Size:
		return ReadEnter, Frame{Shard: 1}
	case o.Kind == Clear:
		return WriteClaim, Frame{Shard: 1, left: toChange}
	}
	return CleanupClaim, Frame{}
}

func (m *Machine) home(key uint8) uint8 { return m.p.Homes[key-1] }

// op is the operation in progress of an actor, numbered from 0.
func (m *Machine) op(actor int, l *Local) *Op {
	o := &m.p.Calls[actor][l.Call-1]
	if l.Depth == 2 {
		return o.Calls
	}
	return o
}

// finish: the operation in progress is over. One that a callback made goes back into the critical section of
// the other one.
func (l Local) finish() Local {
	if l.Depth == 1 {
		return l.at(ClientReturn)
	}
	l.Frames[1] = Frame{}
	l.Depth = 1
	if l.Frames[0].Has == Shared {
		return l.at(ReadLeave)
	}
	return l.at(WriteLeave)
}

// onward is where an actor goes behind a critical section.
func (x *stepper) onward(l Local) Local {
	o, f := x.m.op(x.a, &l), l.top()
	switch {
	case f.left == toChange:
		return l.at(WriteClaim)
	case o.Kind.round() && f.Shard < x.m.p.Shards:
		f.Shard++
		if f.left = toLook; o.Kind == Clear {
			f.left = toChange
			return l.at(WriteClaim)
		}
		return l.at(ReadEnter)
	case o.Kind.Cleans() && (o.Form != Throws || x.m.rule(ruleUnwind)):
		return l.at(CleanupLeave)
	}
	return l.finish()
}
