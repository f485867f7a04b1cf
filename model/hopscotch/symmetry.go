package model

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// A renaming gives actors, keys and values other names. One that maps the program, the standing memory
// and the homes to themselves maps steps to steps: the specification compares names, and nothing else.
// So what is reachable from a state is, renamed, what is reachable from the renamed one, and every
// property holds in both or in none. One state of each orbit is enough (Ip and Dill, "Better
// verification through symmetry", 1996).
//
// Three things that look like symmetries are none. The halves: most searches read half 0 first, and of
// two undecided adds of one key that in half 0 wins. Values, where an add may evict: the least value
// of a bucket leaves. The ring of cells: its rotation would have to tell a cell 0 that a local state
// remembers from one that it has forgotten.
type renaming struct {
	actor      [MaxActors + 1]uint8
	key, value [256]uint8
	index      [MaxValues]uint8 // of a value, by its own index
}

// ErrReduction says that a reduction cannot be used on a machine.
var ErrReduction = errors.New("the reduction does not apply")

func identity() renaming {
	var r renaming
	for i := range r.actor {
		r.actor[i] = uint8(i)
	}
	for i := range r.key {
		r.key[i], r.value[i] = uint8(i), uint8(i)
	}
	for i := range r.index {
		r.index[i] = uint8(i)
	}
	return r
}

// symmetries returns the renamings that map the machine to itself, the identity first. The error
// wraps ErrReduction: there is no other, and why.
func (m *Machine) symmetries() ([]renaming, error) {
	list := []renaming{identity()}
	why := "no two of its actors have programs that differ by names alone on the memory that stands"
	for _, order := range permutations(m.actors) {
		if slices.IsSorted(order) {
			continue
		}
		r, ok := m.renamingOf(order)
		switch {
		case !ok:
		case m.evicts() && r.value != list[0].value:
			why = "actors can be exchanged only with their values, and an eviction compares values"
		default:
			list = append(list, r)
		}
	}
	if len(list) == 1 {
		return nil, fmt.Errorf("%w: %s has no symmetry: %s; search it without", ErrReduction,
			m.cfg.Name, why)
	}
	return list, nil
}

// evicts: an add of the program may make an element leave.
func (m *Machine) evicts() bool {
	return m.cfg.MakeRoom && slices.ContainsFunc(m.cfg.Program, func(ops []Op) bool {
		return slices.ContainsFunc(ops, func(x Op) bool { return x.Op == OpAdd })
	})
}

// permutations of 1..n; the i-th actor becomes the one at place i.
func permutations(n int) [][]uint8 {
	if n == 0 {
		return [][]uint8{nil}
	}
	var list [][]uint8
	for _, shorter := range permutations(n - 1) {
		for at := 0; at <= len(shorter); at++ {
			list = append(list, slices.Insert(slices.Clone(shorter), at, uint8(n)))
		}
	}
	return list
}

// naming maps names to names, one to one.
type naming struct{ to, from map[uint8]uint8 }

func (x naming) match(a, b uint8) bool {
	to, known := x.to[a]
	from, taken := x.from[b]
	x.to[a], x.from[b] = b, a
	return (!known || to == b) && (!taken || from == a)
}

// renamingOf returns the renaming with this permutation of the actors, if there is one. Operations and
// standing elements force the names: each key and each value is in one of them.
func (m *Machine) renamingOf(order []uint8) (renaming, bool) {
	keys := naming{map[uint8]uint8{}, map[uint8]uint8{}}
	values := naming{map[uint8]uint8{0: 0}, map[uint8]uint8{0: 0}}
	for t, ops := range m.cfg.Program {
		others := m.cfg.Program[order[t]-1]
		if len(ops) != len(others) {
			return renaming{}, false
		}
		for i, x := range ops {
			y := others[i]
			if x.Op != y.Op || !keys.match(x.K, y.K) || !values.match(x.V, y.V) {
				return renaming{}, false
			}
		}
	}
	for _, x := range m.cfg.Memory {
		y := m.standing(m.place(x)) // cells keep their places
		if !keys.match(x.K, y.K) || !values.match(x.V, y.V) {
			return renaming{}, false
		}
	}
	r := identity()
	for t, to := range order {
		r.actor[t+1] = to
	}
	for _, k := range m.keys {
		r.key[k] = keys.to[k]
		for h := range m.cfg.Home {
			if m.cfg.Home[h][k] != m.cfg.Home[h][r.key[k]] {
				return renaming{}, false
			}
		}
	}
	for i, v := range m.values {
		r.value[v] = values.to[v]
		r.index[i] = m.index[r.value[v]]
	}
	return r, true
}

func (r *renaming) ref(x Ref) Ref { return Ref{r.actor[x.D], x.G} }

func (r *renaming) word0(w Word0) Word0 {
	w.K, w.R = r.key[w.K], r.ref(w.R)
	return w
}

func (r *renaming) word1(w Word1) Word1 {
	w.V = r.value[w.V]
	return w
}

func (r *renaming) pair(x Pair) Pair { return Pair{r.key[x.K], r.value[x.V]} }

func (r *renaming) plan(x Plan) Plan { return Plan{r.key[x.K], x.M} }

func (r *renaming) op(x Op) Op { return Op{x.Op, r.key[x.K], r.value[x.V]} }

func (r *renaming) actors(set uint8) uint8 {
	var out uint8
	for t := 1; t <= MaxActors; t++ {
		if set&bit(t) != 0 {
			out |= bit(int(r.actor[t]))
		}
	}
	return out
}

func (r *renaming) local(l *local) local {
	x := *l
	x.s.k = r.key[l.s.k]
	x.s.v, x.s.b, x.s.r = r.word1(l.s.v), r.word0(l.s.b), r.ref(l.s.r)
	x.s.pair, x.s.plan, x.s.expect = r.pair(l.s.pair), r.plan(l.s.plan), r.word1(l.s.expect)
	x.s.mw, x.s.mv = r.word0(l.s.mw), r.word1(l.s.mv)
	for h := range x.view {
		x.view[h] = view{r.word0(l.view[h].b), r.word1(l.view[h].v)}
	}
	x.u.v, x.u.b, x.u.w, x.u.x = r.word1(l.u.v), r.word0(l.u.b), r.word0(l.u.w), r.word1(l.u.x)
	x.p.r, x.p.pair, x.p.plan = r.ref(l.p.r), r.pair(l.p.pair), r.plan(l.p.plan)
	x.p.expect = r.word1(l.p.expect)
	x.tk.w = r.word1(l.tk.w)
	if l.pc == ClientReturn {
		x.p.t.C = r.value[l.p.t.C] // the value that is returned waits there
	}
	return x
}

// state returns the renamed state.
func (r *renaming) state(s *State) State {
	x := State{marks: s.marks, done: r.actors(s.done), over: r.actors(s.over), dead: r.actors(s.dead)}
	for i, to := range r.index {
		x.freed |= s.freed >> (2 * i) & 3 << (2 * to)
	}
	for h := range s.w0 {
		for c := range s.w0[h] {
			x.w0[h][c], x.w1[h][c] = r.word0(s.w0[h][c]), r.word1(s.w1[h][c])
		}
	}
	for k, v := range s.contents {
		x.contents[r.key[k]] = r.value[v]
	}
	for t := range MaxActors {
		u := r.actor[t+1] - 1
		d := s.desc[t]
		d.Pair, d.Plan, d.Expect = r.pair(d.Pair), r.plan(d.Plan), r.word1(d.Expect)
		x.desc[u] = d
		x.loc[u] = r.local(&s.loc[t])
		x.busy[u], x.out[u] = r.op(s.busy[t]), Out{s.out[t].R, r.value[s.out[t].V]}
		x.length[u] = s.length[t]
		x.seen[u] = s.seen[t] & 1
		for i, to := range r.index {
			x.seen[u] |= s.seen[t] >> (i + 1) & 1 << (to + 1)
		}
	}
	return x
}

// canonical puts the least state, byte by byte, of the orbit of s into room, and returns which
// renaming leads there.
func canonical(group []renaming, s, room *State) (*State, uint8) {
	at := 0
	*room = *s
	for i := 1; i < len(group); i++ {
		if x := group[i].state(s); bytes.Compare(bytesOf(&x), bytesOf(room)) < 0 {
			*room, at = x, i
		}
	}
	return room, uint8(at)
}
