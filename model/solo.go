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

// stepGraph holds the edges of all states but the crashes, in the order of the states' numbers.
type stepGraph struct {
	actors int
	to     []uint32
	by     []uint8
	ends   []uint32 // where the edges of each state end
}

const everybody = 0 // in place of an actor: all edges

func (g *stepGraph) add(actor uint8, to uint32) {
	g.to = append(g.to, to)
	g.by = append(g.by, actor)
}

func (g *stepGraph) endState() { g.ends = append(g.ends, uint32(len(g.to))) }

// solo returns the largest number of steps that one live actor alone takes from any state to the
// end of its program, over all its choices, and a complaint if one never ends.
func (g *stepGraph) solo() (steps int, complaint string) {
	for actor := 1; actor <= g.actors; actor++ {
		n, id, ok := g.longest(uint8(actor))
		if !ok {
			return 0, fmt.Sprintf("actor %d alone never ends its program from state %d", actor, id)
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

func (g *stepGraph) longest(actor uint8) (steps int, id uint32, ok bool) {
	length := make([]int32, len(g.ends))
	for id := range g.ends {
		if !g.follow(actor, uint32(id), length) {
			return 0, uint32(id), false
		}
		steps = max(steps, int(length[id])-1)
	}
	return steps, 0, true
}

// follow computes length[id] depth first, with a stack of its own; false if there is a cycle.
func (g *stepGraph) follow(actor uint8, id uint32, length []int32) bool {
	if length[id] != lengthUnknown {
		return true
	}
	stack := []uint32{id}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		length[id] = lengthOpen
		most, open := int32(0), -1
		for e := g.begin(id); e < g.ends[id] && open < 0; e++ {
			if actor != everybody && g.by[e] != actor {
				continue
			}
			switch n := length[g.to[e]]; n {
			case lengthOpen:
				return false
			case lengthUnknown:
				open = int(g.to[e])
			default:
				most = max(most, n)
			}
		}
		if open >= 0 {
			stack = append(stack, uint32(open))
			continue
		}
		length[id] = most + 1
		stack = stack[:len(stack)-1]
	}
	return true
}

func (g *stepGraph) begin(id uint32) uint32 {
	if id == 0 {
		return 0
	}
	return g.ends[id-1]
}
