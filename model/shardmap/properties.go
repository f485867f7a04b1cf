package shardmap

import (
	"slices"

	"github.com/samecycle/samecycle/model/search"
)

// A Property is a claim of MCShardMap.tla.
type Property = search.Property[*Machine, State]

// Properties are those of states and of steps that a complete run checks.
func Properties() []Property { return append([]Property(nil), properties...) }

// PropertiesOf are those that the complete runs of a state check: where callbacks call the map there are
// effects that the atomic map of Cache.tla does not have.
func PropertiesOf(state string) []Property {
	if state != m14 {
		return Properties()
	}
	return slices.DeleteFunc(Properties(), func(p Property) bool { return p.Name == "CacheRefined" })
}

// Overclaims are statements that one could read in the source text and that do not hold.
func Overclaims() []Property { return append([]Property(nil), overclaims...) }

// PropertyByName finds one of them, or a witness.
func PropertyByName(name string) (Property, bool) {
	return search.PropertyByName(name, properties, overclaims, witnesses)
}

// What must come about.
const (
	EverybodyEnds = "EverybodyEnds" // whoever does not begin anew for ever
	ComesBack     = "ComesBack"     // key 1 is fresh again and again
)

// LiveByName is what must come about in a machine.
func LiveByName(m *Machine, name string) (*search.Live[State, Action], bool) {
	live := &search.Live[State, Action]{Name: name, Fair: func(Action) bool { return true }}
	switch name {
	case EverybodyEnds:
		live.Bad = append(live.Bad, func(s *State) bool { return !m.ended(s) })
	case ComesBack:
		live.Bad = append(live.Bad, func(s *State) bool { return s.Map[0].Meta == old })
	default:
		return nil, false
	}
	return live, true
}

// ended tells whether whoever does not begin anew for ever is through.
func (m *Machine) ended(s *State) bool {
	for i := range m.Actors() {
		if s.Loc[i].PC != Over && !m.p.repeats(i+1) {
			return false
		}
	}
	return true
}

var properties = []Property{
	{Name: "MCTypes", State: types},
	{Name: "I1Excluded", State: excluded},
	{Name: "I2Counted", State: counted},
	{Name: "I3FreeAtRest", State: freeAtRest},
	{Name: "I4OneCleanup", State: oneCleanup},
	{Name: "I5CountsRight", State: countsRight},
	{Name: "I6Cleaned", State: cleaned},
	{Name: "I7TryGivesUp", State: func(m *Machine, s *State) bool {
		return !m.any(s, CleanupWait, func(a int, _ *Local) bool { return m.doing(s, a, TryCleanup) })
	}},
	{Name: "S1FreshStays", Step: freshStays},
	{Name: "S2EachInTurn", Step: eachInTurn},
	{Name: "S3VersionsGrow", Step: versionsGrow},
	{Name: "CacheRefined", Step: cacheRefined},
}

var overclaims = []Property{
	{Name: "SizeIsSnapshot", State: sizeIsSnapshot},
	{Name: "FreshAtEnd", State: func(m *Machine, s *State) bool {
		return !m.AtRest(s) || s.Map[0].Meta != old
	}},
}

func types(m *Machine, s *State) bool {
	for i := range m.p.Shards {
		if int(s.Lock[i]) >= 2*m.c.Radix {
			return false
		}
	}
	for i, home := range m.p.Homes {
		e := s.Map[i]
		if e.Version > s.Clock[home-1] || e.Version == 0 && e != (Entry{}) {
			return false
		}
	}
	return int(s.Cursor) < m.c.Turn && s.lasts < m.p.Shards
}

// holders calls f with each lock of a shard that an actor has.
func (m *Machine) holders(s *State, shard uint8, f func(actor int, has Hold)) {
	for a := range m.Actors() {
		l := &s.Loc[a]
		for i := range l.Depth {
			if x := &l.Frames[i]; x.Shard == shard && x.Has != Free {
				f(a, x.Has)
			}
		}
	}
}

// excluded: a writer is inside alone.
func excluded(m *Machine, s *State) bool {
	for shard := uint8(1); shard <= m.p.Shards; shard++ {
		var writer, any [MaxActors]bool
		m.holders(s, shard, func(a int, has Hold) {
			any[a] = true
			writer[a] = writer[a] || has == Exclusive
		})
		for a := range writer {
			for b := range any {
				if a != b && writer[a] && any[b] {
					return false
				}
			}
		}
	}
	return true
}

// counted: the word is the sum of what the actors have put there.
func counted(m *Machine, s *State) bool {
	for shard := uint8(1); shard <= m.p.Shards; shard++ {
		sum := 0
		var claims [MaxActors]bool
		m.holders(s, shard, func(a int, has Hold) {
			if has == Shared {
				sum++
			}
			claims[a] = claims[a] || has == Exclusive
		})
		for a := range m.Actors() {
			if l := &s.Loc[a]; l.Depth > 0 && l.top().Shard == shard {
				if l.PC == ReadRetreat {
					sum++
				}
				claims[a] = claims[a] || l.PC == WriteDrain
			}
			if claims[a] {
				sum += m.c.Radix
			}
		}
		if sum != int(s.Lock[shard-1]) {
			return false
		}
	}
	return true
}

func freeAtRest(m *Machine, s *State) bool {
	return !m.AtRest(s) || !s.Flag && s.Lock == [MaxShards]uint8{}
}

// cleaners are those who have taken the flag.
func (m *Machine) cleaners(s *State) (actors []int) {
	for a := range m.Actors() {
		if l := &s.Loc[a]; l.Frames[0].Cleans || l.Frames[1].Cleans {
			actors = append(actors, a)
		}
	}
	return actors
}

func oneCleanup(m *Machine, s *State) bool {
	n := len(m.cleaners(s))
	return n <= 1 && s.Flag == (n == 1)
}

// countsRight: each count of a shard was right at a moment of the call.
func countsRight(m *Machine, s *State) bool {
	for a := range m.Actors() {
		if s.since[a] == 0 {
			continue
		}
		f := s.Loc[a].top()
		var right [2]bool
		s.since[a].each(func(first, second uint8) {
			right[0] = right[0] || f.Counts[0] == first
			right[1] = right[1] || f.Counts[1] == second
		})
		for i := range f.Counted {
			if !right[i] {
				return false
			}
		}
	}
	return true
}

// cleaned: where a cleanup has been nothing stale is left.
func cleaned(m *Machine, s *State) bool {
	return !m.any(s, CleanupLeave, func(a int, l *Local) bool {
		o := m.op(a, l)
		for i, home := range m.p.Homes {
			if (o.Kind == FullCleanup || home == l.top().Shard) && m.stale(s, o, uint8(i+1)) {
				return true
			}
		}
		return false
	})
}

// mayErase tells whether the operation of an actor may take a key out.
func (m *Machine) mayErase(s *State, a int, key uint8) bool {
	l := &s.Loc[a]
	if l.PC != ShardChange || m.home(key) != l.top().Shard {
		return false
	}
	o := m.op(a, l)
	switch {
	case o.Kind == Clear:
		return true
	case o.Kind.Cleans():
		return m.stale(s, o, key)
	case key != o.Key:
		return false
	case o.Kind == Invalidate:
		return true
	case o.Kind == GetFunc:
		return o.Verdict == Discard && m.stale(s, o, key)
	}
	return o.Kind == InvalidateIf && m.stale(s, o, key)
}

// freshStays: an erase takes what its operation may take.
func freshStays(m *Machine, prev, next *State) bool {
	for i := range m.p.Homes {
		if prev.Map[i] == (Entry{}) || next.Map[i] != (Entry{}) {
			continue
		}
		may := false
		for a := range m.Actors() {
			may = may || prev.Loc[a] != next.Loc[a] && m.mayErase(prev, a, uint8(i+1))
		}
		if !may {
			return false
		}
	}
	return true
}

// eachInTurn: the rotation names each shard once before it names one again.
func eachInTurn(m *Machine, prev, next *State) bool {
	for a := range m.Actors() {
		if prev.Loc[a].PC != CleanupNext || prev.Loc[a] == next.Loc[a] {
			continue
		}
		for _, shard := range prev.last[:prev.lasts] {
			if shard == next.Loc[a].top().Shard {
				return false
			}
		}
	}
	return true
}

// versionsGrow: a version is never given to another entry of the key.
func versionsGrow(m *Machine, prev, next *State) bool {
	for i, home := range m.p.Homes {
		is := next.Map[i]
		if is != prev.Map[i] && is != (Entry{}) && is.Version != prev.Clock[home-1]+1 {
			return false
		}
	}
	return true
}

// sizeIsSnapshot: the size is that of a moment of the call.
func sizeIsSnapshot(m *Machine, s *State) bool {
	for a := range m.Actors() {
		if s.since[a] == 0 || s.Loc[a].PC != ClientReturn {
			continue
		}
		right := false
		s.since[a].each(func(first, second uint8) {
			right = right || first+second == s.Loc[a].top().N
		})
		if !right {
			return false
		}
	}
	return true
}
