package processes

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
	"github.com/samecycle/samecycle/scenarios/explore"
)

// Creation explores two processes that come to one name at the same time, where there is no region yet:
// one of them makes it in its place, as on a file system that has no files without a name, and the
// other one attaches to what it finds, at any step of the first. Either may die at any time. That the
// name is taken by one of them alone is the file system's part; here it is one word.
type Creation struct {
	// Make, if not nil, takes the place of region.Make: for canaries.
	Make func(memory []byte, l region.Layout, s region.System) (*region.Region, error)
}

// comings bounds how often a process looks for a region that is not finished. More looks find nothing
// new, for others have been at every step between two of them already.
const comings = 2

// maker is the state of one exploration of a creation.
type maker struct {
	Creation
	*stage
	name [8]uint64 // word 0: somebody has created the file
	made [2]bool   // by process: it is the creator
	got  [2]*region.Region
	errs [2]error
	// Of all executions.
	counts CreationTally
}

// CreationTally is what the executions of a creation had in them.
type CreationTally struct {
	Attached   int `json:"attached"`   // both have the region
	Unfinished int `json:"unfinished"` // the second one came too early each time
	Orphaned   int `json:"orphaned"`   // the creator died before the region was finished
}

// ErrCreation says that a process met a region that nobody has finished, or none where there is one.
var ErrCreation = errors.New("creation went wrong")

// ErrNotEnacted says why a search has no replay in real processes.
var ErrNotEnacted = errors.New("not for real processes")

// errCreationReal: what the program explores is what a file system without unnamed files leads to.
var errCreationReal = fmt.Errorf("%w: in %s a word of the explorer stands for the name of the file, and the "+
	"creator makes the region in place; real processes make it without a name, and publish it whole where "+
	"the file system allows that: replay the token without --real", ErrNotEnacted, creationName)

// creationName is the name of the program.
const creationName = "ProcessCreation"

// Explore runs the interleavings and deaths within the options.
func (c Creation) Explore(o explore.Options) (explore.Report, CreationTally, error) {
	m, program, err := c.prepare()
	if err != nil {
		return explore.Report{}, CreationTally{}, err
	}
	rep, err := explore.Explore(program, o)
	return rep, m.counts, err
}

// Replay runs the one execution of a token again.
func (c Creation) Replay(token string) (explore.Report, error) {
	_, program, err := c.prepare()
	if err != nil {
		return explore.Report{}, err
	}
	return explore.Replay(program, token, explore.Options{})
}

func (c Creation) prepare() (*maker, explore.Program, error) {
	p := Program{Name: creationName, Descriptors: 1, Cast: []Member{{Name: "first"}, {Name: "second"}}}
	s, err := newStage(p, Options{})
	if err != nil {
		return nil, explore.Program{}, err
	}
	if c.Make == nil {
		c.Make = region.Make
	}
	m := &maker{Creation: c, stage: s}
	return m, explore.Program{Name: p.Name, Start: m.start, Finish: m.finish}, nil
}

func (m *maker) word() *seam.Uint64 { return (*seam.Uint64)(unsafe.Pointer(&m.name[0])) }

func (m *maker) start(x *explore.Execution) []explore.Actor {
	m.x = x
	clear(m.memory.Words())
	m.locks, m.name = Locks{}, [8]uint64{}
	m.made, m.got, m.errs = [2]bool{}, [2]*region.Region{}, [2]error{}
	x.Region(m.memory.At(0), len(m.memory.View(0)))
	x.Region(unsafe.Pointer(&m.name), int(unsafe.Sizeof(m.name)))
	var actors []explore.Actor
	for i, p := range m.processes {
		actors = append(actors, explore.Actor{Name: p.Name, Process: p, Body: func() { m.come(i) }})
	}
	return actors
}

// come is what a process does: OpenOrCreate, as far as it runs on shared words.
func (m *maker) come(i int) {
	view, l, s := m.memory.View(i+1), m.p.layout(), m.system(i+1)
	if m.word().CompareAndSwap(0, 1) {
		m.made[i] = true
		m.got[i], m.errs[i] = m.Make(view, l, s)
		return
	}
	for range comings {
		// Explored, a sleep is the look at its end: at any step of the creator, the last one included, and
		// when the creator is dead.
		m.got[i], m.errs[i] = region.AttachWithin(view, l, s, region.CreationBound)
		if !errors.Is(m.errs[i], region.ErrUnfinished) {
			break
		}
	}
	m.x.Mark(one(m.errs[i] == nil))
}

func (m *maker) finish(x *explore.Execution) error {
	if counts := m.counts; x.Again() {
		defer func() { m.counts = counts }()
	}
	for i, p := range m.processes {
		if x.Gone(p) {
			continue
		}
		err := m.errs[i]
		if err != nil && (m.made[i] || !errors.Is(err, region.ErrUnfinished)) {
			return fmt.Errorf("%w: %s: %w", ErrCreation, p.Name, err)
		}
		m.counts.Unfinished += int(one(err != nil))
	}
	a, b := m.got[0], m.got[1]
	if a != nil && b != nil {
		m.counts.Attached++
		both := !x.Gone(m.processes[0]) && !x.Gone(m.processes[1])
		if a.Process() == b.Process() || both && a.Process().Index() == b.Process().Index() {
			return fmt.Errorf("%w: processes %v and %v", ErrEntries, a.Process(), b.Process())
		}
	}
	return m.later(x)
}

// later lets one more process come when all is over. It finds the whole region, or one that is not
// finished because its creator has died.
func (m *maker) later(x *explore.Execution) error {
	r, err := region.Attach(m.memory.View(0), m.p.layout(), m.system(len(m.processes)+1))
	orphaned := false
	for i, p := range m.processes {
		orphaned = orphaned || m.made[i] && x.Gone(p) || m.name[0] == 0
	}
	switch {
	case errors.Is(err, region.ErrUnfinished) && orphaned:
		m.counts.Orphaned++
		return nil
	case err != nil:
		return fmt.Errorf("%w: who comes later: %w", ErrCreation, err)
	}
	for i, g := range m.got {
		if g == nil {
			continue
		}
		alive, err := r.Alive(g.Process())
		if want := !x.Gone(m.processes[i]); err != nil || alive != want {
			return fmt.Errorf("%w: %s, process %v, counts as alive: %v, want %v (%v)", ErrEntries,
				m.processes[i].Name, g.Process(), alive, want, err)
		}
	}
	return r.Close()
}
