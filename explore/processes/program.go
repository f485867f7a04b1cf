package processes

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/region"
)

// A Program is what several processes do with one region.
type Program struct {
	Name    string
	Says    string // what it is about
	Layout  region.Layout
	Members []Member
	Engine  Engine
}

// A Member is one process of a program.
type Member struct {
	Name    string
	Stands  bool // it has arrived before the program begins
	Threads int
}

// An Engine is what the processes of a program keep in their region, and what they do with it. It belongs
// to one Stage, or to one process of the operating system. The threads of a program are numbered from 0,
// those of the first member first.
type Engine interface {
	// Found fills a region that has just been made with what each execution begins with, and closes it.
	Found(r *region.Region) error

	// Start begins an execution. There is a host for each member, in their order; none is attached.
	Start(hosts []*Host)

	// Arrive lets a thread of a member that stands arrive, before the first step.
	Arrive(thread int)

	// Act is what a thread does. Its calls begin with Host.Begin and end with Host.Mark.
	Act(thread int)

	// Err is what went wrong in a thread's calls. It wraps ErrInside while a call has not returned, which
	// is wrong only if its process lives.
	Err(thread int) error

	// Judge judges an execution that is over, of which no thread that lives has an error. That each process
	// which lives, and no other, counts as alive, is judged by the Stage.
	Judge(e End) error
}

// ErrInside marks a call that has not returned.
var ErrInside = errors.New("inside a call")

// Options say how a stage is set up.
type Options struct {
	// System, for canaries, replaces what a process asks of the locks.
	System func(System) region.System

	// EveryDeath searches also deaths that are the same for everybody who lives; to compare with.
	EveryDeath bool
}

// A Stage is a program with its memory, ready to be explored.
type Stage struct {
	*ground
	p        Program
	image    []uint64 // the memory as each execution finds it
	standing Locks    // the locks as each execution finds them
	hosts    []*Host
	of       []int // by thread: its member
}

// NewStage makes the region of a program, as each execution finds it.
func NewStage(p Program, o Options) (*Stage, error) {
	s := &Stage{p: p, of: p.of()}
	var names []string
	for _, m := range p.Members {
		names = append(names, m.Name)
	}
	var err error
	if s.ground, err = newGround(p.Layout, names); err != nil {
		return nil, fmt.Errorf("program %s: %w", p.Name, err)
	}
	s.system = o.System
	for i, m := range p.Members {
		s.processes[i].Present, s.processes[i].ReadsDie = m.Stands, !o.EveryDeath
	}
	r, err := region.Make(s.memory.View(0), p.Layout, s.systemOf(s.judges()))
	if err == nil {
		err = p.Engine.Found(r)
	}
	if err != nil {
		return nil, fmt.Errorf("program %s: %w", p.Name, err)
	}
	s.image = append([]uint64(nil), s.memory.Words()...)
	s.standing = s.locks
	return s, nil
}

// of tells, by thread, which member it belongs to.
func (p Program) of() (all []int) {
	for i, m := range p.Members {
		for range m.Threads {
			all = append(all, i)
		}
	}
	return all
}

// Words is the memory of the region.
func (s *Stage) Words() []uint64 { return s.memory.Words() }

// Replace makes system take the place of what processes ask of the locks, from the next attachment on.
func (s *Stage) Replace(system func(System) region.System) { s.system = system }

// Gone reports whether a member's process has died.
func (s *Stage) Gone(member int) bool { return s.x != nil && s.x.Gone(s.processes[member]) }

// Program is the stage for the explorer, with its judge.
func (s *Stage) Program() explore.Program {
	return explore.Program{Name: s.p.Name, Start: s.start, Finish: s.finish}
}

// start puts everything back and lets those members arrive that stand.
func (s *Stage) start(x *explore.Execution) []explore.Actor {
	s.x = x
	copy(s.memory.Words(), s.image)
	s.locks = s.standing
	x.Region(s.memory.At(0), len(s.memory.View(0)))
	s.hosts = s.p.hosts(func(i int) place { return booth{s.ground, i} })
	s.p.Engine.Start(s.hosts)
	var actors []explore.Actor
	threads := 0
	for n, i := range s.of {
		if n == 0 || s.of[n-1] != i {
			threads = 0
		}
		threads++
		if s.p.Members[i].Stands {
			s.p.Engine.Arrive(n)
		}
		actors = append(actors, explore.Actor{Name: fmt.Sprintf("%s.%d", s.p.Members[i].Name, threads),
			Process: s.processes[i], Body: func() { s.p.Engine.Act(n) }})
	}
	return actors
}

// hosts are those of all members, in their places.
func (p Program) hosts(at func(i int) place) (all []*Host) {
	for i := range p.Members {
		all = append(all, &Host{place: at(i)})
	}
	return all
}
