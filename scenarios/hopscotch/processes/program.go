package processes

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// A Program is what several processes do with one region.
type Program struct {
	Name        string
	Says        string // what it is about
	Descriptors uint32
	Standing    map[int]uint32 // elements before the program, by number of the key
	Cast        []Member
}

// A Member is one process of a program.
type Member struct {
	Name   string
	Stands bool // it has arrived before the program begins
	Number uint64
	Bodies []func(*Client) // one for each thread
}

// The geometry of all programs, and how many keys there are.
const (
	cells, window = 4, 3
	keyCount      = 6
)

func (p Program) layout() region.Layout {
	return region.Layout{CellsPerHalf: cells, Window: window, Descriptors: p.Descriptors}
}

// keys are those whose homes in both halves are cell 0, by number from 1.
func keys() []uint32 {
	all, l := []uint32{0}, Program{Descriptors: 1}.layout()
	for k := uint32(1); len(all) <= keyCount; k++ {
		if a, b := hopscotch.Homes(k, l); a == 0 && b == 0 {
			all = append(all, k)
		}
	}
	return all
}

// founded makes the region by way of a founder, who puts the standing elements in and leaves.
func (p Program) founded(r *region.Region) error {
	t, err := hopscotch.NewWith(r, settled())
	if err != nil {
		return err
	}
	h, err := t.NewHandle(founder)
	if err != nil {
		return err
	}
	names := keys()
	for i := 1; i <= keyCount; i++ {
		if v := p.Standing[i]; v != 0 {
			if _, err := h.Add(names[i], v); err != nil {
				return err
			}
		}
	}
	return errors.Join(h.Close(), r.Close())
}

// founder is the owner number of who made the region.
const founder = 99

// settled are options by which each run is the same: an add that finds no place is full, and a tie
// goes to the first half.
func settled() hopscotch.Options {
	return hopscotch.Options{KeepAll: true, Tie: func() uint32 { return 0 }}
}

// Options say how a program is explored, besides the explorer's own.
type Options struct {
	explore.Options

	// For canaries: who counts as alive, by one's own region; a wrong system.
	Alive  func(r *region.Region, o hopscotch.Owner) bool
	System func(System) region.System

	// EveryDeath searches also deaths that are the same for everybody who lives; to compare with.
	EveryDeath bool
}

// A stage is a program while it is explored.
type stage struct {
	p         Program
	o         Options
	x         *explore.Execution
	memory    *Memory
	image     []uint64
	locks     Locks
	standing  Locks
	processes []*explore.Process
	hosts     []*host
	clients   []*Client // in the order of the actors
	of        []int     // by client: its process

	// Of all executions.
	tally Tally
}

// Tally is what the executions of a program had in them.
type Tally struct {
	Inherited int `json:"inherited"` // descriptors that a newcomer took from a dead process
	Reused    int `json:"reused"`    // entries of the process table that a newcomer took from a dead process
	Finished  int `json:"finished"`  // operations of a dead process that another one finished by reclaiming
	Refused   int `json:"refused"`   // newcomers that found no descriptor
	Left      int `json:"left"`      // processes that detached
	Cleared   int `json:"cleared"`   // entries of the process table that were made idle
}

// newStage makes the region of a program, as each execution finds it.
func newStage(p Program, o Options) (*stage, error) {
	s := &stage{p: p, o: o}
	var err error
	if s.memory, err = NewMemory(p.layout(), len(p.Cast)+1); err != nil {
		return nil, err
	}
	r, err := region.Make(s.memory.View(0), p.layout(), s.system(len(p.Cast)+1))
	if err != nil {
		return nil, err
	}
	if err := p.founded(r); err != nil {
		return nil, err
	}
	for i, m := range p.Cast {
		s.processes = append(s.processes, &explore.Process{Name: m.Name, Present: m.Stands,
			ReadsDie: !o.EveryDeath, Mappings: s.memory.Mapping(i + 1)})
	}
	s.image = append([]uint64(nil), s.memory.Words()...)
	s.standing = s.locks
	return s, nil
}

// gone tells whether a handle of the locks has died: process i has number i+1, the judge the last one.
func (s *stage) gone(number int) bool {
	return s.x != nil && number <= len(s.processes) && s.x.Gone(s.processes[number-1])
}

func (s *stage) system(number int) region.System {
	y := System{Locks: &s.locks, Self: number, Gone: s.gone}
	if s.o.System != nil {
		return s.o.System(y)
	}
	return y
}

// booth is the place of process i in the explorer.
type booth struct {
	s *stage
	i int
}

func (b booth) attach() (*region.Region, error) {
	return region.Attach(b.s.memory.View(b.i+1), b.s.p.layout(), b.s.system(b.i+1))
}

func (b booth) begin() {
	if b.s.x != nil {
		b.s.x.Begin()
	}
}

func (b booth) mark(v uint64) {
	if b.s.x != nil {
		b.s.x.Mark(v)
	}
}

func (b booth) options() hopscotch.Options {
	o := settled()
	if alive := b.s.o.Alive; alive != nil {
		h := b.s.hosts[b.i]
		o.Alive = func(w hopscotch.Owner) bool { return alive(h.region, w) }
	}
	return o
}

// clients are the clients of the cast in their places, those that stand arrived.
func (p Program) clients(at func(i int) place) (hosts []*host, all []*Client, of []int) {
	names := keys()
	for i, m := range p.Cast {
		h := &host{place: at(i)}
		hosts = append(hosts, h)
		for j := range m.Bodies {
			all = append(all, &Client{host: h, keys: names, number: m.Number + uint64(j)})
			of = append(of, i)
		}
	}
	return hosts, all, of
}

// start puts everything back and lets those arrive who stand.
func (s *stage) start(x *explore.Execution) []explore.Actor {
	s.x = x
	copy(s.memory.Words(), s.image)
	s.locks = s.standing
	x.Region(s.memory.At(0), len(s.memory.View(0)))
	s.hosts, s.clients, s.of = s.p.clients(func(i int) place { return booth{s, i} })
	var actors []explore.Actor
	for n, c := range s.clients {
		i := s.of[n]
		m := s.p.Cast[i]
		if m.Stands {
			c.Arrive()
		}
		j := n - s.first(i)
		actors = append(actors, explore.Actor{Name: fmt.Sprintf("%s.%d", m.Name, j+1),
			Process: s.processes[i], Body: func() { m.Bodies[j](c) }})
	}
	return actors
}

// first is the first client of process i.
func (s *stage) first(i int) int {
	for n, of := range s.of {
		if of == i {
			return n
		}
	}
	return len(s.of)
}

// A Report is what the exploration of a program found out.
type Report struct {
	explore.Report
	Tally
}

// Explore runs the interleavings and deaths of a program within the options, and judges each.
func Explore(p Program, o Options) (Report, error) {
	s, err := newStage(p, o)
	if err != nil {
		return Report{}, fmt.Errorf("program %s: %w", p.Name, err)
	}
	rep, err := explore.Explore(s.program(), o.Options)
	return Report{rep, s.tally}, err
}

func (s *stage) program() explore.Program {
	return explore.Program{Name: s.p.Name, Start: s.start, Finish: s.finish}
}
