package written

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// CounterStep is one step of a counterexample.
type CounterStep struct {
	Actor   int // 0 for the initial state
	Action  string
	Changes []string // of shared memory, and what is called and returned
	State   State
}

// Counterexample is a path to a violation. Of an invariant and of a deadlock it is a shortest one.
type Counterexample struct {
	Program  string
	Property string
	Detail   string
	Actors   []string // the heads of the columns
	Steps    []CounterStep
}

func (m *Machine) actorName(t int) string {
	switch t {
	case m.service():
		return "completion"
	case m.cropper():
		return "cropper"
	case m.second():
		return "completion 2"
	}
	return fmt.Sprintf("client %d", t)
}

// counterexample is the path to a numbered state.
func (x *explorer) counterexample(id uint32, property, detail string) *Counterexample {
	out := &Counterexample{Program: x.m.p.Name, Property: property, Detail: detail}
	for t := 1; t <= x.m.actors(); t++ {
		out.Actors = append(out.Actors, x.m.actorName(t))
	}
	path := []uint32{id}
	for ; id != 0; id = x.parent[id] {
		path = append(path, x.parent[id])
	}
	out.Steps = []CounterStep{{State: x.states[0]}}
	for i := len(path) - 2; i >= 0; i-- {
		from, to := &x.states[path[i+1]], x.states[path[i]]
		for t := 1; t <= x.m.actors(); t++ {
			next, action, ok, _ := x.m.Next(from, t)
			if !ok || next != to {
				action = "Die"
				next, ok = x.m.Die(from, t)
			}
			if ok && next == to {
				out.Steps = append(out.Steps, CounterStep{t, action, x.m.changes(from, &to, t), to})
				break
			}
		}
	}
	return out
}

// changes says in words what a step of actor t changes.
func (m *Machine) changes(prev, next *State, t int) []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	was, is := &prev.l[t-1], &next.l[t-1]
	switch {
	case t <= m.clients && was.pc == Idle:
		say("calls %v", m.op(prev, t))
	case is.pc == Dead:
		say("dies at %v", was.pc)
	case was.pc == Return:
		say("returns %s", resultText(was.r))
	}
	for a := range prev.c {
		if prev.c[a] != next.c[a] {
			say("cell %d: %v -> %v", a, prev.c[a], next.c[a])
		}
		if prev.tv[a] != next.tv[a] {
			say("cell %d: %v -> %v", a, prev.tv[a], next.tv[a])
		}
	}
	for r := range prev.st {
		if prev.st[r] != next.st[r] {
			say("record %d: %v", r, next.st[r])
		}
	}
	for _, r := range (prev.free &^ next.free).list() {
		say("record %d taken", r)
	}
	for _, r := range (next.free &^ prev.free).list() {
		say("record %d free", r)
	}
	switch {
	case next.qn > prev.qn:
		say("queued %v", next.q[next.qn-1])
	case next.qn < prev.qn:
		say("takes %v", prev.q[0])
	}
	if next.cq != prev.cq || next.cqn != prev.cqn {
		say("bases to crop %v", next.cq[:next.cqn])
	}
	if is.r != was.r && is.r != NoResult {
		say("result %s", resultText(is.r))
	}
	return list
}

// String prints the counterexample as a table: one line per step, one column per actor, and what
// the step changed.
func (x *Counterexample) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s is violated after %d steps: %s\n",
		x.Program, x.Property, len(x.Steps)-1, x.Detail)
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "step\t%s\twhat changed\n", strings.Join(x.Actors, "\t"))
	for i, st := range x.Steps[1:] {
		cells := make([]string, len(x.Actors))
		cells[st.Actor-1] = st.Action
		fmt.Fprintf(table, "%4d\t%s\t%s\n", i+1, strings.Join(cells, "\t"),
			strings.Join(st.Changes, "; "))
	}
	table.Flush() // into a strings.Builder, which cannot fail
	return out.String()
}
