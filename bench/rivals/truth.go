package rivals

import (
	"fmt"
	"slices"
)

// A Reference is what all sequentially consistent executions of a program come to.
type Reference struct {
	Orders   int             // orders of the accesses; 0 if there are more than the limit
	Traces   int             // classes of orders that differ by accesses that commute
	Outcomes map[string]bool // what the threads put out, and the cells
}

// access is one access of an order: its actor, its place, and whether it changed nothing.
type access struct {
	thread int
	cell   uint64
	reads  bool // a load, or a compare-and-swap that failed
}

// cells is plain memory for the enumeration. It notes the last access.
type cells struct {
	v    []uint64
	last access
}

func (c *cells) load(i uint64) uint64 { c.last = access{cell: i, reads: true}; return c.v[i] }
func (c *cells) store(i, v uint64)    { c.last = access{cell: i}; c.v[i] = v }
func (c *cells) add(i, v uint64) uint64 {
	c.last = access{cell: i}
	c.v[i] += v
	return c.v[i] - v
}
func (c *cells) cas(i, old, new uint64) uint64 {
	found := c.v[i]
	c.last = access{cell: i, reads: found != old}
	if found == old {
		c.v[i] = new
	}
	return found
}
func (c *cells) yield() { c.last = access{cell: ^uint64(0), reads: true} }

// enumeration walks the tree of all orders.
type enumeration struct {
	limit  int
	ref    Reference
	traces map[string]bool
	order  []access
}

// Truth enumerates the orders of a program's accesses by brute force, up to limit orders. It shares
// with the explorer neither code nor idea. A program that waits has endless orders and is an error.
func Truth(p Program, limit int) (Reference, error) {
	if p.Waits {
		return Reference{}, fmt.Errorf("%s waits: its orders have no end", p.Name)
	}
	e := enumeration{limit: limit, traces: map[string]bool{}}
	e.ref.Outcomes = map[string]bool{}
	threads := make([]machine, len(p.Threads))
	for i, code := range p.Threads {
		threads[i].code = code
	}
	if !e.walk(threads, slices.Clone(p.Cells)) {
		return e.ref, fmt.Errorf("%s has more than %d orders", p.Name, limit)
	}
	e.ref.Traces = len(e.traces)
	return e.ref, nil
}

// Waiting returns the outcomes of a program that waits, found by a breadth-first search over its
// states: each state once, so a loop that changes nothing has an end.
func Waiting(p Program) (map[string]bool, error) {
	type state struct {
		threads []machine
		mem     []uint64
	}
	first := state{make([]machine, len(p.Threads)), slices.Clone(p.Cells)}
	for i, code := range p.Threads {
		first.threads[i].code = code
		first.threads[i].local()
	}
	seen, outcomes := map[string]bool{}, map[string]bool{}
	for todo := []state{first}; len(todo) > 0; {
		s := todo[0]
		todo = todo[1:]
		name := fmt.Sprint(s.mem)
		ended := true
		for i := range s.threads {
			t := &s.threads[i]
			name += fmt.Sprint(t.at, t.reg, t.out)
			ended = ended && t.at == len(t.code)
		}
		if ended {
			outcomes[outcome(s.threads, s.mem)] = true
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		for i := range s.threads {
			if s.threads[i].at == len(s.threads[i].code) {
				continue
			}
			next := state{slices.Clone(s.threads), slices.Clone(s.mem)}
			m := &next.threads[i]
			m.out = slices.Clone(m.out)
			m.access(&cells{v: next.mem})
			m.local()
			todo = append(todo, next)
		}
	}
	if len(outcomes) != p.Outcomes {
		return nil, fmt.Errorf("%s has %d outcomes, want %d", p.Name, len(outcomes), p.Outcomes)
	}
	return outcomes, nil
}

func (e *enumeration) walk(threads []machine, mem []uint64) bool {
	ended := true
	for i := range threads {
		next := slices.Clone(threads)
		next[i].out = slices.Clone(threads[i].out)
		if !next[i].local() {
			threads[i] = next[i]
			continue
		}
		ended = false
		c := cells{v: slices.Clone(mem)}
		next[i].access(&c)
		c.last.thread = i
		e.order = append(e.order, c.last)
		next[i].local()
		ok := e.walk(next, c.v)
		e.order = e.order[:len(e.order)-1]
		if !ok {
			return false
		}
	}
	if ended {
		e.ref.Orders++
		e.ref.Outcomes[outcome(threads, mem)] = true
		e.traces[trace(e.order)] = true
	}
	return e.ref.Orders <= e.limit
}

// trace is a name of an order's class: its Foata normal form. The accesses are sorted by the length of the
// longest chain of non-commuting accesses that leads to each.
func trace(order []access) string {
	level := make([]int, len(order))
	index := map[int]int{}
	lines := make([]string, len(order))
	for i, a := range order {
		for j, b := range order[:i] {
			if a.thread == b.thread || a.cell == b.cell && !(a.reads && b.reads) {
				level[i] = max(level[i], level[j]+1)
			}
		}
		index[a.thread]++
		lines[i] = fmt.Sprintf("%04d %d.%d;", level[i], a.thread, index[a.thread])
	}
	slices.Sort(lines)
	return fmt.Sprint(lines)
}
