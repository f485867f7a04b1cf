package processes

import (
	"errors"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// A Program is what several processes do with one table.
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

func (p Program) layout() region.Layout { return p.table().Region() }

func (p Program) table() hopscotch.Layout {
	return hopscotch.Layout{CellsPerHalf: cells, Window: window, Descriptors: p.Descriptors}
}

// keys are those whose homes in both halves are cell 0, by number from 1.
func keys() []uint32 {
	all, l := []uint32{0}, Program{Descriptors: 1}.table()
	for k := uint32(1); len(all) <= keyCount; k++ {
		if a, b := hopscotch.Homes(k, l); a == 0 && b == 0 {
			all = append(all, k)
		}
	}
	return all
}

// founder is the owner number of the process that made the region.
const founder = 99

// settled are options by which each run is the same: an add that finds no place is full, and a tie
// goes to the first half.
func settled() hopscotch.Options {
	return hopscotch.Options{KeepAll: true, Tie: func() uint32 { return 0 }}
}

// Options say how a program is explored, besides the explorer's own.
type Options struct {
	explore.Options

	// Stage says how the stage is set up; Alive, for canaries, who counts as alive, by one's own region.
	Stage processes.Options
	Alive func(r *region.Region, o hopscotch.Owner) bool
}

// A table is what the processes of a program do with a table: the engine of the general machinery.
type table struct {
	p       Program
	o       Options
	hosts   []*host
	clients []*Client // by thread
	of      []int     // by thread: its process

	// Of all executions.
	tally Tally
}

var _ processes.Engine = (*table)(nil)

// Tally is what the executions of a program had in them.
type Tally struct {
	Inherited int `json:"inherited"` // descriptors that a newcomer took from a dead process
	Reused    int `json:"reused"`    // entries of the process table that a newcomer took from a dead process
	Finished  int `json:"finished"`  // operations of a dead process that another one finished by reclaiming
	Refused   int `json:"refused"`   // newcomers that found no descriptor
	Left      int `json:"left"`      // processes that detached
	Cleared   int `json:"cleared"`   // entries of the process table that were made idle
}

// general is the program for the general machinery, with its engine.
func (p Program) general(o Options) (processes.Program, *table) {
	t := &table{p: p, o: o}
	g := processes.Program{Name: p.Name, Says: p.Says, Layout: p.layout(), Engine: t}
	for _, m := range p.Cast {
		g.Members = append(g.Members, processes.Member{Name: m.Name, Stands: m.Stands,
			Threads: len(m.Bodies)})
	}
	return g, t
}

// A stage is a program while it is explored.
type stage struct {
	*processes.Stage
	*table
}

// newStage makes the region of a program, as each execution finds it.
func newStage(p Program, o Options) (*stage, error) {
	g, t := p.general(o)
	s, err := processes.NewStage(g, o.Stage)
	if err != nil {
		return nil, err
	}
	return &stage{s, t}, nil
}

// Found makes the table by way of a founder, who puts the standing elements in and leaves.
func (s *table) Found(r *region.Region) error {
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
		if v := s.p.Standing[i]; v != 0 {
			if _, err := h.Add(names[i], v); err != nil {
				return err
			}
		}
	}
	return errors.Join(h.Close(), r.Close())
}

// Start makes a client for each thread.
func (s *table) Start(hosts []*processes.Host) {
	s.hosts, s.clients, s.of = nil, nil, nil
	names := keys()
	for i, m := range s.p.Cast {
		h := &host{Host: hosts[i], options: settled()}
		if alive := s.o.Alive; alive != nil {
			h.options.Alive = func(w hopscotch.Owner) bool { return alive(h.Region, w) }
		}
		s.hosts = append(s.hosts, h)
		for j, body := range m.Bodies {
			s.clients = append(s.clients, &Client{host: h, keys: names, number: m.Number + uint64(j),
				body: body})
			s.of = append(s.of, i)
		}
	}
}

// Arrive lets a client arrive.
func (s *table) Arrive(thread int) { s.clients[thread].Arrive() }

// Act runs the body of a client.
func (s *table) Act(thread int) { s.clients[thread].body(s.clients[thread]) }

// Err is what went wrong in a client's calls.
func (s *table) Err(thread int) error { return s.clients[thread].err }

// A Report is what the exploration of a program found out.
type Report struct {
	explore.Report
	Tally
}

// Explore runs the interleavings and deaths of a program within the options, and judges each.
func Explore(p Program, o Options) (Report, error) {
	s, err := newStage(p, o)
	if err != nil {
		return Report{}, err
	}
	rep, err := explore.Explore(s.Program(), o.Options)
	return Report{rep, s.tally}, err
}

// Replay runs the one execution of a token of the program again, in the explorer, with its judge.
func Replay(p Program, token string) (Report, error) {
	s, err := newStage(p, Options{})
	if err != nil {
		return Report{}, err
	}
	rep, err := explore.Replay(s.Program(), token, explore.Options{})
	return Report{rep, s.tally}, err
}
