package written

import (
	"errors"
	"fmt"
	"slices"
	"sort"
)

// ErrProgram says that a program has no machine.
var ErrProgram = errors.New("program of the written protocol is out of bounds")

// Machine is the specification with its constants. It is immutable: several goroutines may use one
// machine.
type Machine struct {
	p       Program
	clients int
	n, w    uint8 // cells of a half, window
	halves  uint8
	cells   uint8 // of all halves; those of the second one follow those of the first one
	home    [MaxKeys + 1]uint8
	keys    []uint8                          // sorted: keys of the program and of the memory
	hook    func(action string, next *State) // changes a step; for canaries only
}

// New checks the constants and returns the machine. The error wraps ErrProgram.
func New(p Program) (*Machine, error) {
	m := &Machine{p: p, clients: len(p.Ops), n: uint8(p.N), w: uint8(p.W), halves: uint8(max(p.Halves, 1))}
	m.cells = m.n * m.halves
	switch {
	case p.N < 2 || p.N > MaxCells || p.W < 2 || p.W > p.N:
		return nil, fmt.Errorf("%w: %s has %d cells and a window of %d; use 2 <= W <= N <= %d",
			ErrProgram, p.Name, p.N, p.W, MaxCells)
	case p.Halves < 0 || p.Halves > 2 || p.N*p.Halves > MaxCells:
		return nil, fmt.Errorf("%w: %s has %d halves of %d cells; use one or two, and %d cells in all",
			ErrProgram, p.Name, p.Halves, p.N, MaxCells)
	case p.Records < 1 || p.Records > MaxRecords:
		return nil, fmt.Errorf("%w: %s has %d stash records; use 1..%d",
			ErrProgram, p.Name, p.Records, MaxRecords)
	case m.clients < 1 || m.clients > MaxClients:
		return nil, fmt.Errorf("%w: %s has %d clients; use 1..%d",
			ErrProgram, p.Name, m.clients, MaxClients)
	case p.Deaths < 0 || p.Deaths >= m.actors():
		return nil, fmt.Errorf("%w: %s has %d deaths of %d actors; let one live",
			ErrProgram, p.Name, p.Deaths, m.actors())
	}
	for _, r := range p.Readings {
		if !slices.Contains(readings, r) {
			return nil, fmt.Errorf("%w: %s has the reading %q; use %q", ErrProgram, p.Name, r, readings)
		}
	}
	used := map[uint8]bool{}
	for _, ops := range p.Ops {
		for _, o := range ops {
			used[o.K] = true
			if bare := o.Op == OpGet || o.Op == OpDelete; bare != (o.V == None) ||
				!bare && o.V < smallestValue {
				return nil, fmt.Errorf("%w: %s has %v; an add and an update have a value of %d "+
					"or more, the others none", ErrProgram, p.Name, o, smallestValue)
			}
		}
	}
	for _, e := range p.Memory {
		used[e.K] = true
		if int(e.Cell) >= p.N || int(e.Base) >= p.N || e.V < smallestValue {
			return nil, fmt.Errorf("%w: %s has the value %d in cell %d of base %d; use values from "+
				"%d and cells below %d", ErrProgram, p.Name, e.V, e.Cell, e.Base, smallestValue, p.N)
		}
	}
	for k := range used {
		if k < 1 || k > MaxKeys {
			return nil, fmt.Errorf("%w: %s has the key %d; use 1..%d", ErrProgram, p.Name, k, MaxKeys)
		}
		m.keys = append(m.keys, k)
		m.home[k] = homeOf(k)
	}
	sort.Slice(m.keys, func(i, j int) bool { return m.keys[i] < m.keys[j] })
	return m, nil
}

func (m *Machine) service() int { return m.clients + 1 }
func (m *Machine) cropper() int { return m.clients + 2 }
func (m *Machine) second() int  { return m.clients + 3 } // the other service, if there are two

func (m *Machine) actors() int {
	if m.p.reads(TwoServices) {
		return m.second()
	}
	return m.cropper()
}

func (m *Machine) serves(t int) bool { return t == m.service() || t == m.second() }

func (m *Machine) up(b, o uint8) uint8   { return b/m.n*m.n + (b+o)%m.n }
func (m *Machine) down(b, o uint8) uint8 { return b/m.n*m.n + (b+m.n-o)%m.n }

// op is the client's operation in progress.
func (m *Machine) op(s *State, t int) Op { return m.p.Ops[t-1][s.l[t-1].i-1] }

func (m *Machine) finished(s *State, t int) bool {
	l := &s.l[t-1]
	return l.pc == Idle && int(l.i) > len(m.p.Ops[t-1])
}

// atRest: everybody has returned, the services have nothing to do.
func (m *Machine) atRest(s *State) bool {
	for t := 1; t <= m.actors(); t++ {
		if !m.rests(s, t) || t <= m.clients && s.l[t-1].pc == Idle && !m.finished(s, t) {
			return false
		}
	}
	return s.qn == 0 && s.cqn == 0
}

func (m *Machine) rests(s *State, t int) bool { return s.l[t-1].pc == Idle || s.l[t-1].pc == Dead }

// Die returns the state after the actor's death: what it did stays, what it wanted to do is not
// done, and what a dead client had called may have taken effect or not. False if it is at rest, or
// if as many have died as may.
func (m *Machine) Die(s *State, t int) (next State, ok bool) {
	dead := 0
	for u := 1; u <= m.actors(); u++ {
		if s.l[u-1].pc == Dead {
			dead++
		}
	}
	if dead >= m.p.Deaths || m.rests(s, t) {
		return *s, false
	}
	next = *s
	next.l[t-1] = local{pc: Dead, i: s.l[t-1].i, h: s.l[t-1].h}
	return next, true
}

// Initial returns the state before the program.
func (m *Machine) Initial() State {
	s := State{free: upTo(1, uint8(m.p.Records))}
	standing := map[uint8]bool{}
	for _, e := range m.p.Memory {
		standing[e.Cell] = true
	}
	for t := 0; t < m.actors(); t++ {
		s.l[t] = noLocal
	}
	for i, k := range m.keys {
		s.lin[i].k = k
	}
	s.linN = uint8(len(m.keys))
	for _, e := range m.p.Memory {
		if e.Cell == e.Base {
			s.c[e.Cell] = Word0{F: Base, K: e.K}
			s.tv[e.Cell] = Word1{F: TakenBy, V: e.V}
			for o := uint8(0); o < m.w; o++ {
				if standing[m.up(e.Cell, o)] {
					s.tv[e.Cell].M = s.tv[e.Cell].M.With(o)
				}
			}
		} else {
			s.c[e.Cell] = Word0{F: Member, O: m.down(e.Cell, e.Base), K: e.K}
			s.tv[e.Cell] = Word1{F: Taken, V: e.V}
		}
		for i := range s.lin {
			if s.lin[i].k == e.K {
				s.lin[i].v = e.V
			}
		}
	}
	for _, e := range m.p.Memory {
		w := &s.c[e.Base]
		w.M = w.M.With(m.down(e.Cell, e.Base))
	}
	return s
}

// step is one action on its way: s is the next state, and the old one until it is changed.
type step struct {
	m      *Machine
	s      *State
	t      int
	l      *local
	broken string // why the specification has no value here; "" if it has
}

// Next returns the state after the actor's next action, and the action's name; false if it cannot
// move. The error says where the protocol asks for what it does not define: the specification has
// no value there.
func (m *Machine) Next(s *State, t int) (next State, action string, ok bool, err error) {
	r := m.action(s.l[t-1].pc, t)
	next = *s
	x := step{m: m, s: &next, t: t, l: &next.l[t-1]}
	ok = r.run(&x)
	if x.broken != "" {
		return next, r.name, false, fmt.Errorf("%s of actor %d: %s", r.name, t, x.broken)
	}
	if ok && m.hook != nil {
		m.hook(r.name, &next)
	}
	return next, r.name, ok, nil
}

func (x *step) goTo(pc PC) bool {
	x.l.pc = pc
	return true
}

func (x *step) fail(format string, args ...any) bool {
	if x.broken == "" {
		x.broken = fmt.Sprintf(format, args...)
	}
	return false
}

func (x *step) op() Op        { return x.m.op(x.s, x.t) }
func (x *step) home() uint8   { return x.m.home[x.op().K] + x.m.n*x.l.h }
func (x *step) base() *Word0  { return &x.s.c[x.home()] }
func (x *step) taken() *Word1 { return &x.s.tv[x.home()] }
