package model

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Fix is a set of the repairs without which the protocol is wrong. Each is a constant of the
// specification, of the same name.
type Fix uint32

// The repairs. AllFixes is the protocol; every other set must be caught by a named property.
const (
	FixRetry         Fix = 1 << iota // the loser of a claim starts again
	FixValueFirst                    // the value is there before the key
	FixVersionCheck                  // a match is validated by the version
	FixFrozenValue                   // a frozen value belongs to the old key
	FixStashedMember                 // a search looks where the stash points
	FixOtherHalf                     // decide only after a look into the other half
	FixFreezeFirst                   // an abort freezes before it thaws
	FixMemberBase                    // a writer that matched a member looks at its base again
	FixPhase                         // a reader tells by the version whether a member has moved
	FixNewKey                        // only some operations bring a key to the base
	FixLastLook                      // a bucket that looks empty after a move is looked at again
	FixMoveAway                      // a member moves only away from its base
	FixMark                          // a member is marked before it moves, a delete helps
	FixStillMarked                   // an abort thaws the member only if it is marked still
	FixValueAfter                    // the value of a member is read after its key
	FixLostSkipped                   // what was deleted meanwhile is not reinserted
	FixHelp                          // whoever meets a descriptor finishes it

	AllFixes Fix = 1<<iota - 1
)

var fixNames = [...]string{
	"FixRetry", "FixValueFirst", "FixVersionCheck", "FixFrozenValue", "FixStashedMember",
	"FixOtherHalf", "FixFreezeFirst", "FixMemberBase", "FixPhase", "FixNewKey", "FixLastLook",
	"FixMoveAway", "FixMark", "FixStillMarked", "FixValueAfter", "FixLostSkipped", "FixHelp",
}

// FixByName returns the repair of that name.
func FixByName(name string) (Fix, bool) {
	for i, n := range fixNames {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// Standing is an element that stands in memory before the program starts, with version 1: key K
// with value V in half H, O cells above the home of its key. At O = 0 it is a base, elsewhere a
// member of the base with the same home.
type Standing struct{ H, K, V, O uint8 }

// Config holds the constants of one machine.
type Config struct {
	Name       string                     // of the program, for reports
	N, W       int                        // cells of a half, a ring; window: offsets 0..W-1
	Home       [Halves][MaxKeys + 1]uint8 // half, key -> cell
	Windows    Windows                    // where the cells of a window are; nil: in a row
	Front      int                        // a hole at an offset below it is as good as any; 0: W
	Reach      int                        // how many places of a half an add looks at; 0: 3 W, N at most
	Program    [][]Op                     // actor 1 is the first one
	Memory     []Standing
	MakeRoom   bool     // an add usurps members, and makes room when a window is full
	MaxCrashes int      // how many actors may die
	Wrap       Wrap     // the zero value: generations and versions have no end
	Fixes      Fix      // AllFixes for the protocol
	Properties []string // the only ones that are checked; nil: all
}

// oneWriter: only one actor's program changes anything.
func (c *Config) oneWriter() bool {
	writers := 0
	for _, ops := range c.Program {
		if slices.ContainsFunc(ops, func(x Op) bool { return x.Op != OpGet }) {
			writers++
		}
	}
	return writers <= 1
}

// cropped: every actor crops what it has deleted, later in its program.
func (c *Config) cropped() bool {
	for _, ops := range c.Program {
		for i, x := range ops {
			if x.Op == OpDelete && !slices.Contains(ops[i:], Op{Op: OpCrop, K: x.K}) {
				return false
			}
		}
	}
	return true
}

// ErrConfig says that a configuration has no machine.
var ErrConfig = errors.New("model configuration is out of bounds")

// Machine is the specification with its constants. It is immutable: several goroutines may use
// one machine.
type Machine struct {
	cfg    Config
	actors int
	n      uint8
	w      uint8
	reach  uint8 // how many places of a half an add looks at for members that can move
	front  uint8 // offsets below it are the front of a window
	places
	keys      []uint8            // sorted: keys of the program and of the memory
	values    []uint8            // sorted
	bits      [256]uint16        // value -> its bit in a set of values
	index     [256]uint8         // value -> its place among the values
	initial   [MaxKeys + 1]uint8 // key -> its value before the program
	cropped   bool
	oneWriter bool
	hook      func(action ActionID, prev, next *State) // changes a step; for canaries only
	checked   []invariant                              // the invariants that are checked
	checkedBy [stepPropertyCount]bool                  // the properties of steps that are checked
}

// New checks the constants and returns the machine. The error wraps ErrConfig.
func New(cfg Config) (*Machine, error) {
	m := &Machine{cfg: cfg, actors: len(cfg.Program), n: uint8(cfg.N), w: uint8(cfg.W)}
	if cfg.N < 2 || cfg.N > MaxCells || cfg.W < 2 || cfg.W > cfg.N {
		return nil, fmt.Errorf("%w: %d cells with a window of %d; use 2 <= W <= N <= %d",
			ErrConfig, cfg.N, cfg.W, MaxCells)
	}
	if cfg.Front < 0 || cfg.Front > cfg.W || cfg.Reach < 0 || cfg.Reach > 3*cfg.W {
		return nil, fmt.Errorf("%w: a front of %d and a reach of %d for a window of %d; use a front of at "+
			"most the window, a reach of at most three", ErrConfig, cfg.Front, cfg.Reach, cfg.W)
	}
	m.front, m.reach = uint8(cmp.Or(cfg.Front, cfg.W)), uint8(cmp.Or(cfg.Reach, min(3*cfg.W, cfg.N)))
	if m.actors < 1 || m.actors > MaxActors {
		return nil, fmt.Errorf("%w: %d actors; use 1..%d", ErrConfig, m.actors, MaxActors)
	}
	if cfg.MaxCrashes < 0 || cfg.MaxCrashes > m.actors {
		return nil, fmt.Errorf("%w: %d crashes of %d actors", ErrConfig, cfg.MaxCrashes, m.actors)
	}
	if x := cfg.Wrap; x.Member != 0 && x.Version%x.Member != 0 {
		return nil, fmt.Errorf("%w: a member keeps %d of %d versions; use a divisor",
			ErrConfig, x.Member, x.Version)
	}
	if err := m.collect(); err != nil {
		return nil, err
	}
	if err := m.survey(); err != nil {
		return nil, err
	}
	if err := m.checkMemory(); err != nil {
		return nil, err
	}
	m.cropped = cfg.cropped()
	m.oneWriter = cfg.oneWriter()
	if err := m.selectProperties(); err != nil {
		return nil, err
	}
	return m, nil
}

// selectProperties finds what is checked.
func (m *Machine) selectProperties() error {
	wanted := func(name string) bool {
		return m.cfg.Properties == nil || slices.Contains(m.cfg.Properties, name)
	}
	for _, name := range m.cfg.Properties {
		if !slices.Contains(InvariantNames(), name) && !slices.Contains(stepProperties[:], name) {
			return fmt.Errorf("%w: no property is called %q", ErrConfig, name)
		}
	}
	for _, x := range invariants {
		if wanted(x.name) {
			m.checked = append(m.checked, x)
		}
	}
	for i, name := range stepProperties {
		m.checkedBy[i] = wanted(name)
	}
	return nil
}

// collect finds the keys and the values that occur.
func (m *Machine) collect() error {
	keys, values := map[uint8]bool{}, map[uint8]bool{}
	for t, ops := range m.cfg.Program {
		if len(ops) > 100 {
			return fmt.Errorf("%w: actor %d has %d operations; use at most 100",
				ErrConfig, t+1, len(ops))
		}
		for _, x := range ops {
			if x.Op == OpIdle || x.Op >= opCount || x.Op.stores() != (x.V != 0) {
				return fmt.Errorf("%w: actor %d: operation %+v; an add, an update and a swap have a "+
					"value above 0, others have none", ErrConfig, t+1, x)
			}
			keys[x.K], values[x.V] = true, true
		}
	}
	for _, x := range m.cfg.Memory {
		keys[x.K], values[x.V] = true, true
	}
	delete(values, 0)
	m.keys, m.values = sorted(keys), sorted(values)
	if len(m.keys) > 0 && (m.keys[0] == 0 || m.keys[len(m.keys)-1] > MaxKeys) {
		return fmt.Errorf("%w: keys %v; use 1..%d", ErrConfig, m.keys, MaxKeys)
	}
	if len(m.values) > MaxValues {
		return fmt.Errorf("%w: %d values; use at most %d", ErrConfig, len(m.values), MaxValues)
	}
	m.bits[0] = 1
	for i, x := range m.values {
		m.bits[x], m.index[x] = 2<<i, uint8(i)
	}
	return nil
}

func (m *Machine) checkMemory() error {
	taken := map[addr]bool{}
	for _, x := range m.cfg.Memory {
		if x.H >= Halves || x.V == 0 || x.O >= m.w {
			return fmt.Errorf("%w: standing element %+v; use half 0 or 1, a value above 0, and an "+
				"offset below %d", ErrConfig, x, m.w)
		}
		a := m.place(x)
		if taken[a] {
			return fmt.Errorf("%w: two standing elements in cell %v", ErrConfig, a)
		}
		taken[a] = true
		if m.initial[x.K] != 0 {
			return fmt.Errorf("%w: key %d stands twice", ErrConfig, x.K)
		}
		m.initial[x.K] = x.V
	}
	for _, x := range m.cfg.Memory {
		if m.standing(m.home(x.H, x.K)).O != 0 || m.standing(m.home(x.H, x.K)).V == 0 {
			return fmt.Errorf("%w: standing element %+v has no base", ErrConfig, x)
		}
	}
	return nil
}

func sorted(set map[uint8]bool) []uint8 {
	var list []uint8
	for x := range set {
		list = append(list, x)
	}
	slices.Sort(list)
	return list
}

// place is the cell of a standing element.
func (m *Machine) place(x Standing) addr { return m.at(x.H, m.cfg.Home[x.H][x.K], x.O) }

// standing is the element that stands in a cell, with no value if there is none.
func (m *Machine) standing(a addr) Standing {
	for _, x := range m.cfg.Memory {
		if m.place(x) == a {
			return x
		}
	}
	return Standing{}
}

// Config returns the machine's constants.
func (m *Machine) Config() Config { return m.cfg }

// Actors returns the number of actors.
func (m *Machine) Actors() int { return m.actors }

// Initial returns the state before the first step.
func (m *Machine) Initial() State {
	var s State
	for _, x := range m.cfg.Memory {
		a, home := m.place(x), m.home(x.H, x.K)
		if x.O == 0 {
			b := &s.w0[a.h][a.c]
			*b = base(x.K, b.M)
		} else {
			s.w0[a.h][a.c] = m.member(x.K, x.O, m.nextVersion(0))
			b := &s.w0[home.h][home.c]
			b.M = b.M.With(x.O)
		}
		s.w1[a.h][a.c] = Word1{V: x.V, N: m.nextVersion(0)}
		s.contents[x.K] = x.V
	}
	for t := range m.cfg.Program {
		s.loc[t] = noLocal
		s.out[t].R = NoResult
		s.length[t] = uint8(len(m.cfg.Program[t]))
	}
	return s
}

func (m *Machine) home(h, k uint8) addr { return addr{h, m.cfg.Home[h][k]} }

func (m *Machine) has(f Fix) bool { return m.cfg.Fixes&f != 0 }

// op is the operation that actor t is working on.
func (m *Machine) op(s *State, t int) Op { return m.cfg.Program[t-1][s.loc[t-1].i-1] }
