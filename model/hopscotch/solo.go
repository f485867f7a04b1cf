package model

import "fmt"

// Progress, read off the graph of all states. A search has every edge of it already.
//
// Obstruction freedom: from every reached state each live actor alone ends its program. The
// longest solo run is a longest path along the edges of one actor; a cycle is an actor that never
// ends alone.
//
// Termination of every schedule, fair or not: the whole graph has no cycle. For programs of
// finite length it says that somebody always completes an operation after finitely many steps,
// which is lock freedom.

// stepGraph holds the edges of all states but the crashes, in the order of the states' numbers. An
// edge of a reduced search may stand for a row of steps, and its end for a state in which the
// actors are called otherwise.
type stepGraph struct {
	actors int
	rows   bool // an edge has more than one step
	turns  bool // an actor may have another name in the next state
	to     []uint32
	by     []uint8
	heir   []uint8  // what the actor is called in the next state; with turns only
	all    []uint16 // steps of the edge; with rows only
	own    []uint16 // those of its actor among them; with rows only
	ends   []uint32 // where the edges of each state end
}

const everybody = 0 // in place of an actor: all edges

func (g *stepGraph) add(to uint32, actor, heir uint8, all, own int) {
	g.to = append(g.to, to)
	g.by = append(g.by, actor)
	if g.turns {
		g.heir = append(g.heir, heir)
	}
	if g.rows {
		g.all, g.own = append(g.all, uint16(all)), append(g.own, uint16(own))
	}
}

func (g *stepGraph) endState() { g.ends = append(g.ends, uint32(len(g.to))) }

// solo returns the largest number of steps that one live actor alone takes from any state of the
// graph to the end of its program, over all its choices, and a complaint if one never ends.
func (g *stepGraph) solo() (steps int, complaint string) {
	first, last := 1, g.actors
	if g.turns {
		last = 1 // one walk follows each actor under all its names
	}
	for actor := first; actor <= last; actor++ {
		n, at, ok := g.longest(uint8(actor))
		if !ok {
			if g.turns {
				actor = int(at)%g.actors + 1
			}
			return 0, fmt.Sprintf("actor %d alone never ends its program from state %d", actor,
				g.state(at, uint8(actor)))
		}
		steps = max(steps, n)
	}
	return steps, ""
}

// schedule returns the number of steps of the longest schedule of all actors, and a complaint if
// there is one without end.
func (g *stepGraph) schedule() (steps int, complaint string) {
	n, id, ok := g.longest(everybody)
	if !ok {
		return 0, fmt.Sprintf("a schedule from state %d never ends: it comes back to a state", id)
	}
	return n, ""
}

// Lengths of paths while they are computed; a known length n is kept as n+1.
const (
	lengthUnknown = 0
	lengthOpen    = -1 // on the path that is being followed
)

// width is how many nodes of a walk each state has: one, or one for each actor that is followed.
func (g *stepGraph) width(actor uint8) uint64 {
	if g.turns && actor != everybody {
		return uint64(g.actors)
	}
	return 1
}

func (g *stepGraph) state(node uint64, actor uint8) uint32 { return uint32(node / g.width(actor)) }

func (g *stepGraph) longest(actor uint8) (steps int, node uint64, ok bool) {
	length := make([]int32, uint64(len(g.ends))*g.width(actor))
	for node := range length {
		if !g.follow(actor, uint64(node), length) {
			return 0, uint64(node), false
		}
		steps = max(steps, int(length[node])-1)
	}
	return steps, 0, true
}

// follow computes length[node] depth first, with a stack of its own; false if there is a cycle.
func (g *stepGraph) follow(actor uint8, node uint64, length []int32) bool {
	if length[node] != lengthUnknown {
		return true
	}
	stack := []uint64{node}
	for len(stack) > 0 {
		node := stack[len(stack)-1]
		length[node] = lengthOpen
		most, open := int32(1), int64(-1)
		id := g.state(node, actor)
		for e := g.begin(id); e < g.ends[id] && open < 0; e++ {
			next, steps, ok := g.step(actor, node, e)
			if !ok {
				continue
			}
			switch n := length[next]; n {
			case lengthOpen:
				return false
			case lengthUnknown:
				open = int64(next)
			default:
				most = max(most, n+steps)
			}
		}
		if open >= 0 {
			stack = append(stack, uint64(open))
			continue
		}
		length[node] = most
		stack = stack[:len(stack)-1]
	}
	return true
}

// step is what edge e is in a walk: the next node and the number of steps; false if the edge is not
// one of the actor that the walk follows.
func (g *stepGraph) step(actor uint8, node uint64, e uint32) (next uint64, steps int32, ok bool) {
	width := g.width(actor)
	next, steps = uint64(g.to[e]), 1
	if width > 1 {
		actor = uint8(node%width) + 1
		next = next*width + uint64(g.heir[e]) - 1
	}
	switch {
	case actor == everybody && g.rows:
		steps = int32(g.all[e])
	case g.rows:
		steps = int32(g.own[e])
	}
	return next, steps, actor == everybody || g.by[e] == actor
}

func (g *stepGraph) begin(id uint32) uint32 {
	if id == 0 {
		return 0
	}
	return g.ends[id-1]
}
