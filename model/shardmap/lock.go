package shardmap

// writerIn and readersOf take a lock word apart.
func (m *Machine) writerIn(word uint8) bool   { return int(word) >= m.c.Radix }
func (m *Machine) readersOf(word uint8) uint8 { return word % uint8(m.c.Radix) }

// plus adds to a lock word, modulo its size.
func (m *Machine) plus(word uint8, d int) uint8 {
	size := 2 * m.c.Radix
	return uint8((int(word) + d + size) % size)
}

// holding is an actor that has a lock, or none any more.
func (l Local) holding(has Hold) Local {
	l.top().Has = has
	return l
}

// reader makes the steps of the shared lock.
func (x *stepper) reader(l Local) {
	f := l.top()
	word := x.s.Lock[f.Shard-1]
	inside := func() Local { return l.holding(Shared).at(ShardLook) }
	switch l.PC {
	case ReadEnter:
		to := inside()
		if x.m.writerIn(word) && x.m.rule(ruleBit) {
			if to = l.at(ReadRetreat); !x.m.rule(ruleRetreat) {
				to = l.at(ReadWait)
			}
		}
		x.take(to).Lock[f.Shard-1] = x.m.plus(word, 1)
	case ReadRetreat:
		x.take(l.at(ReadWait)).Lock[f.Shard-1] = x.m.plus(word, -1)
	case ReadWait:
		switch {
		case x.m.writerIn(word):
		case x.m.rule(ruleRetreat):
			x.take(l.at(ReadEnter))
		default:
			x.take(inside())
		}
	case ReadLeave:
		x.take(x.onward(l.holding(Free))).Lock[f.Shard-1] = x.m.plus(word, -1)
	}
}

// writer makes the steps of the exclusive lock.
func (x *stepper) writer(l Local) {
	f := l.top()
	word := x.s.Lock[f.Shard-1]
	switch l.PC {
	case WriteClaim:
		x.claim(l, f, word)
	case WriteWait:
		if !x.m.writerIn(word) {
			x.take(l.at(WriteClaim))
		}
	case WriteDrain:
		if x.m.readersOf(word) == 0 {
			x.take(l.holding(Exclusive).at(ShardChange))
		}
	case WriteLeave:
		left := x.m.readersOf(word)
		if !x.m.rule(ruleLeave) {
			left = 0
		}
		x.take(x.onward(l.holding(Free))).Lock[f.Shard-1] = left
	}
}

// claim sets the writer bit; whoever finds it clear owns it.
func (x *stepper) claim(l Local, f *Frame, word uint8) {
	if !x.m.rule(rulePreference) && word != 0 {
		return
	}
	to := l.holding(Exclusive).at(ShardChange)
	switch taken := x.m.writerIn(word); {
	case taken && x.m.rule(ruleClaim):
		to = l.at(WriteWait)
	case x.m.rule(ruleDrain):
		to = l.at(WriteDrain)
	}
	if !x.m.writerIn(word) {
		word += uint8(x.m.c.Radix)
	}
	x.take(to).Lock[f.Shard-1] = word
}
