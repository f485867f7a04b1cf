package shardmap

import (
	"fmt"

	"github.com/samecycle/samecycle/model/search/tla"
)

// Variables are the specification's variables in the state, sorted by name.
func (m *Machine) Variables(s *State) []tla.Pair {
	shards, keys, actors := m.p.Shards, uint8(len(m.p.Homes)), uint8(len(m.p.Calls))
	out := make([]string, actors)
	for a := range out {
		out[a] = tla.Each(s.out[a][:s.outs[a]], Answer.tla)
	}
	return []tla.Pair{
		{"clock", tla.Each(s.Clock[:shards], tla.Num)},
		{"cursor", tla.Num(s.Cursor)},
		{"flag", tla.Bool(s.Flag)},
		{"last", tla.Each(s.last[:s.lasts], tla.Num)},
		{"loc", tla.Each(s.Loc[:actors], Local.tla)},
		{"lock", tla.Each(s.Lock[:shards], tla.Num)},
		{"map", tla.Each(s.Map[:keys], Entry.tla)},
		{"out", tla.Sequence(out)},
		{"since", tla.Each(s.since[:actors], func(x moments) string { return x.tla(shards) })},
	}
}

func (e Entry) tla() string {
	return fmt.Sprintf("[m |-> %d, n |-> %d, v |-> %d]", e.Meta, e.Version, e.Value)
}

func (x Answer) tla() string { return fmt.Sprintf("[n |-> %d, s |-> %d]", x.N, x.Shard) }

// tla: in a program of one shard the second count of a moment is none.
func (x moments) tla(shards uint8) string {
	var items []string
	x.each(func(first, second uint8) {
		counts := [2]uint8{first, second}
		items = append(items, tla.Each(counts[:min(shards, 2)], tla.Num))
	})
	return tla.Set(items)
}

func (l Local) tla() string {
	frames := tla.Each(l.Frames[:l.Depth], Frame.tla)
	return fmt.Sprintf(`[fr |-> %s, ip |-> %d, pc |-> "%v"]`, frames, l.Call, l.PC)
}

var (
	holdNames  = [...]string{"none", "read", "write"}
	phaseNames = [...]string{"look", "change", "end"}
)

func (f Frame) tla() string {
	var todo []string
	for i, n := range f.Todo {
		if n != 0 {
			todo = append(todo, fmt.Sprintf("[k |-> %d, n |-> %d]", i+1, n))
		}
	}
	counts := tla.Each(f.Counts[:f.Counted], tla.Num)
	return fmt.Sprintf(`[cl |-> %s, cnt |-> %s, has |-> "%s", n |-> %d, ph |-> "%s", s |-> %d, sh |-> %d, `+
		`todo |-> %s]`, tla.Bool(f.Cleans), counts, holdNames[f.Has], f.N, phaseNames[f.left], f.Next,
		f.Shard, tla.Set(todo))
}
