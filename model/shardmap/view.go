package shardmap

// Item is an entry of a shard with its key.
type Item struct {
	Key uint8
	Entry
}

// Program is what the actors of the machine do.
func (m *Machine) Program() Program { return m.p }

// Word takes the lock word of a shard apart: the writer bit, and the number of readers.
func (m *Machine) Word(s *State, shard uint8) (writer bool, readers uint8) {
	word := s.Lock[shard-1]
	return m.writerIn(word), m.readersOf(word)
}

// Contents are the entries of a shard, in the order of their keys.
func (m *Machine) Contents(s *State, shard uint8) (list []Item) {
	m.inShard(s, shard, func(key uint8) { list = append(list, Item{key, s.Map[key-1]}) })
	return list
}

// Answers are what the calls of an actor returned, the first one first; of an actor that repeats only the
// last one.
func (m *Machine) Answers(s *State, actor int) []Answer {
	return append([]Answer(nil), s.out[actor-1][:s.outs[actor-1]]...)
}

// Next is the action that an actor takes next, Over if it has ended.
func (m *Machine) Next(s *State, actor int) Action { return s.Loc[actor-1].PC }

// Running is the operation of an actor that is in progress (the inner one, if a callback or predicate has
// called the map), and the shard that it is at, 0 if at none yet. It is false between calls.
func (m *Machine) Running(s *State, actor int) (o Op, shard uint8, ok bool) {
	l := &s.Loc[actor-1]
	if l.Depth == 0 {
		return Op{}, 0, false
	}
	return *m.op(actor-1, l), l.top().Shard, true
}

// Collected are the keys that an actor still has to erase, with the versions that it collected.
func (m *Machine) Collected(s *State, actor int) (list []Item) {
	l := &s.Loc[actor-1]
	if l.Depth == 0 {
		return nil
	}
	for i, version := range l.top().Todo {
		if version != 0 {
			list = append(list, Item{uint8(i + 1), Entry{Version: version}})
		}
	}
	return list
}

// Spins reports whether an actor stands before a load that finds its condition false: the model has no step
// for it then, and the code loads again and changes nothing.
func (m *Machine) Spins(s *State, actor int) bool {
	l := &s.Loc[actor-1]
	switch l.PC {
	case ReadWait, WriteWait:
		return m.writerIn(s.Lock[l.top().Shard-1])
	case WriteDrain:
		return m.readersOf(s.Lock[l.top().Shard-1]) != 0
	case CleanupWait:
		return s.Flag
	}
	return false
}
