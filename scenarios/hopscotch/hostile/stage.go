package hostile

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/samecycle/samecycle/explore/hostile"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// Numbers of the processes by their locks, and of owners.
const (
	founder  = 1 // made the region, and looks at it when all is over
	departed = 2 // has died
	actors   = 3 // the first ordinary one

	owners = 50 // the first of those that actors take later
)

// Patience of all tables: how often a call starts again. Without damage the actors of a program need fewer.
const patience = 8

// A stage is a program while it is explored.
type stage struct {
	p        Program
	memory   []uint64
	image    []uint64 // memory before the program
	locks    processes.Locks
	standing processes.Locks
	dies     bool // the process that dies has done so

	keys    []uint32
	regions []*region.Region // of the actors
	tables  []*hopscotch.Table
	witness *hopscotch.Handle // of the founder
	dead    region.Process

	clients []*client // of one execution
	tally   Tally     // of all executions

	wrong func(*client, Call) error // a canary in place of client.perform
}

var _ hostile.Subject = (*stage)(nil)

// Tally is what the executions of a program had in them.
type Tally struct {
	hostile.Tally
	Corrupt uint64 `json:"corrupt"` // calls that ended with ErrCorrupt
	Busy    uint64 `json:"busy"`    // calls that ended with ErrBusy
}

// String is one line for a person.
func (t Tally) String() string {
	return fmt.Sprintf("%v; %d calls found the table damaged, %d busy", t.Tally, t.Corrupt, t.Busy)
}

// newStage makes the table of a program, as each execution finds it.
func newStage(p Program) (*stage, error) {
	s := &stage{p: p}
	l := p.layout()
	s.memory = make([]uint64, l.Region().Size()/region.WordBytes)
	r, err := region.Make(s.view(), l.Region(), s.system(founder))
	if err != nil {
		return nil, err
	}
	s.keys = keysOf(l)
	if err := s.populate(r); err != nil {
		return nil, err
	}
	for i := range p.Cast {
		if err := s.join(actors + i); err != nil {
			return nil, err
		}
	}
	s.image, s.standing = slices.Clone(s.memory), s.locks
	return s, nil
}

// layout has a descriptor for each dead owner, for each actor and for the founder, and a spare one if the
// program wants it. One more is added if their number is a power of two: then a reference has room for an
// index out of range.
func (p Program) layout() hopscotch.Layout {
	n := uint32(len(p.Dead)+len(p.Cast)) + 1
	if p.Spare {
		n++
	}
	if n&(n-1) == 0 {
		n++
	}
	return hopscotch.Layout{CellsPerHalf: cells, Window: window, Descriptors: max(n, 3),
		Homes: hopscotch.HomesApart}
}

// keysOf are the keys by number, from 1.
func keysOf(l hopscotch.Layout) []uint32 {
	all := []uint32{0}
	for k := uint32(1); len(all) <= keyCount; k++ {
		home := homeOf(len(all))
		if a, b := hopscotch.Homes(k, l); a == home && b == home {
			all = append(all, k)
		}
	}
	return all
}

func (s *stage) view() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s.memory))), len(s.memory)*region.WordBytes)
}

func (s *stage) system(number int) region.System {
	return processes.System{Locks: &s.locks, Self: number,
		Gone: func(n int) bool { return n == departed && s.dies }}
}

// options make each run the same: a tie goes to the first half.
func (s *stage) options() hopscotch.Options {
	return hopscotch.Options{KeepAll: !s.p.Evicts, Tie: func() uint32 { return 0 }, Patience: patience}
}

// populate puts the elements into the table, lets the dead die, and frees the descriptors of the actors.
func (s *stage) populate(r *region.Region) error {
	t, err := hopscotch.NewWith(r, s.options())
	if err != nil {
		return err
	}
	var all []*hopscotch.Handle
	for n := range s.p.layout().Descriptors {
		h, err := t.NewHandle(uint64(n) + 1)
		if err != nil {
			return err
		}
		all = append(all, h)
	}
	s.witness = all[len(all)-1]
	for _, e := range slices.Concat(s.p.Standing, far) {
		if _, err := s.witness.Add(s.keys[e.Key], e.Value); err != nil {
			return err
		}
	}
	for _, e := range s.p.Standing {
		if !e.Lost {
			continue
		}
		if _, err := s.witness.Delete(s.keys[e.Key]); err != nil {
			return err
		}
	}
	free := len(s.p.Dead) + len(s.p.Cast)
	if s.p.Spare {
		free++
	}
	for _, h := range all[:free] {
		if err := h.Close(); err != nil {
			return err
		}
	}
	return s.bury()
}

// bury lets the clients of a process die.
func (s *stage) bury() error {
	if len(s.p.Dead) == 0 {
		return nil
	}
	r, err := region.Attach(s.view(), nil, s.system(departed))
	if err != nil {
		return err
	}
	s.dead = r.Process()
	t, err := hopscotch.NewWith(r, s.options())
	if err != nil {
		return err
	}
	for i, d := range s.p.Dead {
		h, err := t.NewHandle(uint64(i) + 1)
		if err != nil {
			return err
		}
		c := &client{stage: s, region: r, table: t, handle: h}
		if died, err := hostile.Dying(d.Accesses, func() error { return c.perform(d.Call) }); err != nil {
			return err
		} else if !died {
			return fmt.Errorf("%v ended within %d accesses, nobody died: %w", d.Call.Do, d.Accesses,
				hostile.ErrPlain)
		}
		if d.Spoilt {
			s.memory[s.descriptor(i)] = ^uint64(0)
		}
	}
	s.dies = true
	return nil
}

// join attaches the process of an actor.
func (s *stage) join(number int) error {
	r, err := region.Attach(s.view(), nil, s.system(number))
	if err != nil {
		return err
	}
	t, err := hopscotch.NewWith(r, s.options())
	if err != nil {
		return err
	}
	s.regions, s.tables = append(s.regions, r), append(s.tables, t)
	return nil
}

// descriptor is the index of the first word of a descriptor.
func (s *stage) descriptor(i int) int {
	return s.at(hopscotch.Engine, hopscotch.SectionDescriptors) + i*hopscotch.DescriptorWords
}

// entries and bell are the indexes in memory of the process table and of the bell, at that of any section.
func (s *stage) entries() int { return s.at(region.Own, region.OwnProcesses) }
func (s *stage) bell() int    { return s.at(region.Own, region.OwnBell) }

func (s *stage) at(engine, section string) int {
	return int(s.p.layout().Region().Offset(engine, section)) / region.WordBytes
}

// Start gives the actors their handles.
func (s *stage) Start() (all [][]hostile.Call, err error) {
	s.locks = s.standing
	s.witness.Rewind()
	s.clients = nil
	for i, calls := range s.p.Cast {
		c := &client{stage: s, region: s.regions[i], table: s.tables[i], number: owners + uint64(i)}
		if c.handle, err = c.table.NewHandle(c.number); err != nil {
			return nil, err
		}
		s.clients = append(s.clients, c)
		var own []hostile.Call
		for _, x := range calls {
			own = append(own, c.call(x))
		}
		all = append(all, own)
	}
	return all, nil
}
