package written

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// terminates looks for a behaviour that never comes to rest although every actor is weakly fair. Such a
// behaviour stays for ever in a strongly connected set of states outside rest, in which each actor makes a
// step or has a state where it cannot. A maximal set is enough: more states and more steps only help
// fairness.
func (x *explorer) terminates() {
	for _, set := range x.components() {
		if !x.fair(set) {
			continue
		}
		first := slices.Min(set)
		x.r.Violation = x.counterexample(first, Terminates,
			fmt.Sprintf("from the last state on, for ever among %d states: %s",
				len(set), strings.Join(x.within(set), ", ")))
		return
	}
}

// outside reports whether the state belongs to the graph of what has not come to rest.
func (x *explorer) outside(id uint32) bool { return !x.m.atRest(&x.states[id]) }

// fair reports whether a fair behaviour can stay in the set: nobody who could always move there never
// does. A set of one state that nobody can change is one, too.
func (x *explorer) fair(set []uint32) bool {
	in := setOfStates(set)
	for t := 0; t < x.m.actors(); t++ {
		takes, pauses := false, false
		for _, id := range set {
			to := x.next[id][t]
			takes = takes || to != id && in[to]
			pauses = pauses || to == noState || to == id
		}
		if !takes && !pauses {
			return false
		}
	}
	return true
}

func setOfStates(list []uint32) map[uint32]bool {
	in := map[uint32]bool{}
	for _, id := range list {
		in[id] = true
	}
	return in
}

// within names the actions inside the set.
func (x *explorer) within(set []uint32) []string {
	in, names := setOfStates(set), map[string]bool{}
	for _, id := range set {
		for t := 1; t <= x.m.actors(); t++ {
			if in[x.next[id][t-1]] {
				_, action, _, _ := x.m.Next(&x.states[id], t)
				names[fmt.Sprintf("%s of %s", action, x.m.actorName(t))] = true
			}
		}
	}
	var list []string
	for name := range names {
		list = append(list, name)
	}
	sort.Strings(list)
	return list
}

// frame is a state that the search of components is in, and the actor whose step comes next.
type frame struct {
	id uint32
	t  int
}

// components returns the strongly connected components of the states outside rest (Tarjan's
// algorithm, with its own stack).
func (x *explorer) components() [][]uint32 {
	n := len(x.states)
	order, low := make([]uint32, n), make([]uint32, n) // order 0: not seen
	onStack := make([]bool, n)
	var stack []uint32
	var frames []frame
	var list [][]uint32
	count := uint32(0)
	enter := func(id uint32) {
		count++
		order[id], low[id] = count, count
		onStack[id] = true
		stack = append(stack, id)
		frames = append(frames, frame{id, 0})
	}
	for root := uint32(0); ; {
		for len(frames) == 0 && int(root) < n {
			if order[root] == 0 && x.outside(root) {
				enter(root)
			}
			root++ // a death is no step of the graph, so not all is reached from the first state
		}
		if len(frames) == 0 {
			return list
		}
		f := &frames[len(frames)-1]
		if f.t < x.m.actors() {
			to := x.next[f.id][f.t]
			f.t++
			switch {
			case to == noState || !x.outside(to):
			case order[to] == 0:
				enter(to)
			case onStack[to]:
				low[f.id] = min(low[f.id], order[to])
			}
			continue
		}
		id := f.id
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			up := frames[len(frames)-1].id
			low[up] = min(low[up], low[id])
		}
		if low[id] == order[id] {
			at := slices.Index(stack, id)
			for _, y := range stack[at:] {
				onStack[y] = false
			}
			list = append(list, slices.Clone(stack[at:]))
			stack = stack[:at]
		}
	}
}
