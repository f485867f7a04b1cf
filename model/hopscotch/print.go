package model

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// CounterStep is one step of a counterexample.
type CounterStep struct {
	Actor   int // 0 for the initial state
	Action  string
	Changes []string // of shared memory and of the atomic map
	State   State
}

// Counterexample is a shortest path to a violation.
type Counterexample struct {
	Program    string
	Actors     int
	Properties []string // what is violated, "name: detail"
	Steps      []CounterStep
}

// Names returns the names of the violated properties.
func (x *Counterexample) Names() []string {
	var names []string
	for _, p := range x.Properties {
		name, _, _ := strings.Cut(p, ":")
		names = append(names, name)
	}
	return names
}

// counterexample rebuilds the path to state id by the hashes on it, and adds the last step. With
// symmetry the path is one of several that differ by names: the complaint is made anew.
func (x *explorer) counterexample(id uint32, last *edge, bad []string) *Counterexample {
	var path []uint32
	for at := id; at != 0; at = x.parent[at] {
		path = append(path, at)
	}
	out := &Counterexample{Program: x.m.cfg.Name, Actors: x.m.actors, Properties: bad}
	out.Steps = []CounterStep{{State: x.m.Initial()}}
	for i := len(path) - 1; i >= 0; i-- {
		out.Steps = append(out.Steps, x.stepsTo(&out.Steps[len(out.Steps)-1].State, 0,
			x.seen.hashes[path[i]])...)
	}
	if last == nil {
		return out
	}
	from := &out.Steps[len(out.Steps)-1].State
	actor := int(last.actor)
	if x.names.group != nil {
		actor = 0
	}
	steps := x.stepsTo(from, actor, last.hash)
	if x.names.group != nil {
		first, end := &steps[0], &steps[len(steps)-1]
		out.Properties = append(x.m.CheckStep(from, &first.State, first.Action, first.Actor),
			x.m.Check(&end.State)...)
	}
	out.Steps = append(out.Steps, steps...)
	return out
}

// stepsTo returns the step from s, with the local steps after it, to the state of that hash; of the
// actor, 0: of any.
func (x *explorer) stepsTo(s *State, actor int, hash xxh3.Uint128) []CounterStep {
	local := newFollower(x.m, x.o.blind)
	for t := 1; t <= x.m.actors; t++ {
		list := x.m.Step(s, t, nil)
		if next, ok := x.m.Crash(s, t); ok {
			list = append(list, Successor{ClientCrash, next})
		}
		for i := range list {
			y := &list[i]
			first := CounterStep{t, y.Action.String(), x.m.Changes(s, &y.Next), y.Next}
			if actor != 0 && t != actor {
				continue
			}
			if x.o.Reduce&PartialOrder == 0 {
				if x.hash(&y.Next) == hash {
					return []CounterStep{first}
				}
				continue
			}
			y.Next.marks = 0
			if x.hash(&y.Next) == hash {
				return []CounterStep{first}
			}
			for _, row := range local.follow(&y.Next, true) {
				if x.hash(&row.end) == hash {
					return append([]CounterStep{first}, x.rowSteps(&y.Next, &row)...)
				}
			}
		}
	}
	panic("model: a step that was taken before cannot be taken again")
}

// hash is that of what stands for s.
func (x *explorer) hash(s *State) xxh3.Uint128 {
	name, _ := x.names.of(s, &x.room)
	return hashOf(name)
}

func (x *explorer) rowSteps(from *State, row *trail) []CounterStep {
	var list []CounterStep
	for i := range row.passed {
		list = append(list, CounterStep{int(row.moves[i].actor), row.moves[i].action.String(),
			x.m.Changes(from, &row.passed[i]), row.passed[i]})
		from = &row.passed[i]
	}
	return list
}

// Changes says in words what a step changes in shared memory and in the atomic map.
func (m *Machine) Changes(prev, next *State) []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	m.each(func(a addr) string {
		if *prev.at0(a) != *next.at0(a) {
			say("w0%v: %v -> %v", a, prev.at0(a), next.at0(a))
		}
		if *prev.at1(a) != *next.at1(a) {
			say("w1%v: %v -> %v", a, prev.at1(a), next.at1(a))
		}
		return ""
	})
	for t := 1; t <= m.actors; t++ {
		was, is := prev.Desc(t), next.Desc(t)
		if was.Head != is.Head {
			say("desc[%d].head: %v", t, is.Head)
		}
		if was.Pair != is.Pair {
			say("desc[%d].pair: %v", t, is.Pair)
		}
		if was.Plan != is.Plan {
			say("desc[%d].plan: %v", t, is.Plan)
		}
		if was.Expect != is.Expect {
			say("desc[%d].expect: %v", t, is.Expect)
		}
		if was.Source != is.Source {
			say("desc[%d].source: %v", t, is.Source)
		}
		if was.Target != is.Target {
			say("desc[%d].target: %v -> %v", t, was.Target, is.Target)
		}
		if x := next.Busy(t); x != prev.Busy(t) && x.Op != OpIdle {
			say("calls %v", x)
		}
		if x := next.Out(t); x != prev.Out(t) && x.R != NoResult {
			say("returns %v", x)
		}
	}
	for _, k := range m.keys {
		if prev.contents[k] != next.contents[k] {
			say("map[%d]: %d -> %d", k, prev.contents[k], next.contents[k])
		}
	}
	for _, x := range m.values {
		if n := m.Freed(next, x); n != m.Freed(prev, x) {
			say("value %d is handed out", x)
		}
	}
	for _, mark := range markNames(next.marks &^ prev.marks) {
		say("mark %s", mark)
	}
	return list
}

// String prints the counterexample as a table: one line per step, one column per actor, and what
// the step changed.
func (x *Counterexample) String() string {
	widths := make([]int, x.Actors)
	for t := range widths {
		widths[t] = len("actor 1")
		for _, st := range x.Steps {
			if st.Actor == t+1 {
				widths[t] = max(widths[t], len(st.Action))
			}
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s: violated after %d steps\n", x.Program, len(x.Steps)-1)
	for _, p := range x.Properties {
		fmt.Fprintf(&out, "  %s\n", p)
	}
	line := func(number string, cell func(t int) string, changes string) {
		row := fmt.Sprintf("%4s", number)
		for t, w := range widths {
			text := cell(t + 1)
			row += "  " + text + strings.Repeat(" ", w-utf8.RuneCountInString(text))
		}
		out.WriteString(strings.TrimRight(row+"  "+changes, " ") + "\n")
	}
	line("step", func(t int) string { return fmt.Sprintf("actor %d", t) }, "what changed")
	for i, st := range x.Steps[1:] {
		line(fmt.Sprint(i+1), func(t int) string {
			if t == st.Actor {
				return st.Action
			}
			return ""
		}, strings.Join(st.Changes, "; "))
	}
	return out.String()
}
