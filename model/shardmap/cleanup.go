package shardmap

// cleaner makes the steps of the cleanup flag and of the rotation.
func (x *stepper) cleaner(l Local) {
	o, f := x.m.op(x.a, &l), l.top()
	switch l.PC {
	case CleanupClaim:
		x.take(x.claimed(l, o)).Flag = true
	case CleanupWait:
		if !x.s.Flag {
			x.take(l.at(CleanupClaim))
		}
	case CleanupNext:
		shard := x.s.Cursor%x.m.p.Shards + 1
		f.Shard, f.Next = shard, shard
		next := x.take(l.at(ReadEnter))
		next.Cursor = uint8((int(x.s.Cursor) + 1) % x.m.c.Turn)
		next.named(shard, x.m.p.Shards-1)
	case CleanupLeave:
		f.Cleans = false
		x.take(l.finish()).Flag = false
	}
}

// claimed is an actor that has looked at the flag and set it.
func (x *stepper) claimed(l Local, o *Op) Local {
	if x.s.Flag && x.m.rule(ruleFlag) {
		if o.Kind == TryCleanup {
			return l.finish()
		}
		return l.at(CleanupWait)
	}
	l.top().Cleans = true
	if o.Kind == FullCleanup {
		l.top().Shard = 1
		return l.at(ReadEnter)
	}
	return l.at(CleanupNext)
}

// named notes a shard of the rotation, and forgets the first one of more than most.
func (s *State) named(shard, most uint8) {
	if s.lasts < most {
		s.last[s.lasts] = shard
		s.lasts++
		return
	}
	if most > 0 {
		copy(s.last[:], s.last[1:most])
		s.last[most-1] = shard
	}
}
