package shardmap

import (
	"fmt"
	"sort"
	"strings"
)

// TLA returns the canonical text of the state as the specification's record of variables: what the reader of
// TLC's dumps makes of the same state. Fields are sorted by name, sets by their text; a function on 1..n is a
// sequence.
func (m *Machine) TLA(s *State) string {
	var fields []string
	for _, x := range m.variables(s) {
		fields = append(fields, x.name+" |-> "+x.value)
	}
	return "[" + strings.Join(fields, ", ") + "]"
}

// variable is one of the specification's, and its value as TLA+ writes it.
type variable struct{ name, value string }

// variables are all of the state, sorted by name.
func (m *Machine) variables(s *State) []variable {
	shards, keys, actors := m.p.Shards, uint8(len(m.p.Homes)), uint8(len(m.p.Calls))
	return []variable{
		{"clock", sequence(shards, func(i uint8) string { return num(s.Clock[i]) })},
		{"cursor", num(s.Cursor)},
		{"flag", truth(s.Flag)},
		{"last", sequence(s.lasts, func(i uint8) string { return num(s.last[i]) })},
		{"loc", sequence(actors, func(i uint8) string { return s.Loc[i].tla() })},
		{"lock", sequence(shards, func(i uint8) string { return num(s.Lock[i]) })},
		{"map", sequence(keys, func(i uint8) string { return s.Map[i].tla() })},
		{"out", sequence(actors, func(i uint8) string {
			return sequence(s.outs[i], func(j uint8) string { return s.out[i][j].tla() })
		})},
		{"since", sequence(actors, func(i uint8) string { return s.since[i].tla(shards) })},
	}
}

func num(x uint8) string { return fmt.Sprint(x) }

func truth(b bool) string { return strings.ToUpper(fmt.Sprint(b)) }

func sequence(n uint8, item func(i uint8) string) string {
	items := make([]string, n)
	for i := range n {
		items[i] = item(i)
	}
	return "<<" + strings.Join(items, ", ") + ">>"
}

func setOf(items []string) string {
	sort.Strings(items)
	return "{" + strings.Join(items, ", ") + "}"
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
		items = append(items, sequence(min(shards, 2), func(i uint8) string { return num(counts[i]) }))
	})
	return setOf(items)
}

func (l *Local) tla() string {
	frames := sequence(l.Depth, func(i uint8) string { return l.Frames[i].tla() })
	return fmt.Sprintf(`[fr |-> %s, ip |-> %d, pc |-> "%v"]`, frames, l.Call, l.PC)
}

var (
	holdNames  = [...]string{"none", "read", "write"}
	phaseNames = [...]string{"look", "change", "end"}
)

func (f *Frame) tla() string {
	var todo []string
	for i, n := range f.Todo {
		if n != 0 {
			todo = append(todo, fmt.Sprintf("[k |-> %d, n |-> %d]", i+1, n))
		}
	}
	counts := sequence(f.Counted, func(i uint8) string { return num(f.Counts[i]) })
	return fmt.Sprintf(`[cl |-> %s, cnt |-> %s, has |-> "%s", n |-> %d, ph |-> "%s", s |-> %d, sh |-> %d, `+
		`todo |-> %s]`, truth(f.Cleans), counts, holdNames[f.Has], f.N, phaseNames[f.left], f.Next, f.Shard,
		setOf(todo))
}
