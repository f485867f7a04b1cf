package processes

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// Creation explores processes that open one name at the same time, when there is no region yet. One of them
// makes the region in place, as on a file system without unnamed files. The others attach to what they find,
// at any step of the first process. Each may die at any time. The file system makes sure that only one of
// them takes the name; looking for it and taking it are one step each. Naming explores the usual way.
type Creation struct {
	Layout region.Layout
	Comers int // how many come: 1 to 3; 0: 3

	// Make, if not nil, takes the place of region.Make: for canaries.
	Make maker
}

type maker func(memory []byte, l region.Layout, s region.System) (*region.Region, error)

// comers are the processes that come.
var comers = []string{"first", "second", "third"}

// comings bounds how often a process looks for a region that is not finished, as OpenOrCreate does. More
// looks find nothing new, because other processes have been at every step between two of them already.
const comings = 2

// A site is where processes come to a name: in the explorer, or a file system.
type site interface {
	seen() bool           // somebody has created the file
	taken() (bool, error) // the file is created now, and nobody else's
	memory() ([]byte, region.System, error)
}

// A comer is a process that comes to a name, and what came of that.
type comer struct {
	site
	layout region.Layout
	name   *seam.Uint64 // stands for the name where accesses are named
	make   maker

	made   bool // it is the creator
	region *region.Region
	err    error
}

// come is what a process does: OpenOrCreate, with a creation in place.
func (c *comer) come() {
	for n := 0; n < comings; {
		if seen, _ := seam.Locked(c.name, func() (bool, error) { return c.seen(), nil }); !seen {
			if c.made, c.err = seam.TryLock(c.name, c.taken); c.made && c.err == nil {
				c.region, c.err = c.with(c.make)
			}
			if c.made || c.err != nil {
				return
			}
			continue
		}
		// Explored, a sleep is the look at its end: at any step of the creator, the last one included, and
		// when the creator is dead.
		c.region, c.err = c.with(func(m []byte, l region.Layout, s region.System) (*region.Region, error) {
			return region.AttachWithin(m, l, s, region.CreationBound)
		})
		if !errors.Is(c.err, region.ErrUnfinished) {
			return
		}
		n++
	}
}

// with makes or attaches to the region in the memory of the site.
func (c *comer) with(f maker) (*region.Region, error) {
	memory, s, err := c.memory()
	if err != nil {
		return nil, err
	}
	return f(memory, c.layout, s)
}

// founding is the state of one exploration of a creation.
type founding struct {
	Creation
	*ground
	name   [8]uint64 // word 0 is the name
	exists bool      // somebody has created the file
	comers []*comer
	// Of all executions.
	counts CreationTally
}

// spot is the site of process i in the explorer.
type spot struct {
	f *founding
	i int
}

func (s spot) seen() bool { return s.f.exists }

func (s spot) taken() (bool, error) {
	mine := !s.f.exists
	s.f.exists = true
	return mine, nil
}

func (s spot) memory() ([]byte, region.System, error) {
	return s.f.ground.memory.View(s.i + 1), s.f.systemOf(s.i + 1), nil
}

// CreationTally is what the executions of a creation had in them.
type CreationTally struct {
	Attached   int `json:"attached"`   // all have the region
	Unfinished int `json:"unfinished"` // one came too early each time
	Orphaned   int `json:"orphaned"`   // the creator died before the region was finished
}

// ErrCreation says that a process met a region that nobody has finished, or none where there is one.
var ErrCreation = errors.New("creation went wrong")

// creationName is the name of the program.
const creationName = "ProcessCreation"

// Explore runs the interleavings and deaths within the options.
func (c Creation) Explore(o explore.Options) (explore.Report, CreationTally, error) {
	f, program, err := c.prepare()
	if err != nil {
		return explore.Report{}, CreationTally{}, err
	}
	rep, err := explore.Explore(program, o)
	return rep, f.counts, err
}

// Replay runs the one execution of a token again.
func (c Creation) Replay(token string) (explore.Report, error) {
	_, program, err := c.prepare()
	if err != nil {
		return explore.Report{}, err
	}
	return explore.Replay(program, token, explore.Options{})
}

// Real runs the execution of a token again, first in the explorer and then by processes of the system that
// come to the file, which is not there. Command starts one of them, which is to call Serve.
func (c Creation) Real(token, file string, command func(process int) *exec.Cmd) (Enacted, error) {
	e, err := c.enactment(token, file)
	if err != nil {
		return Enacted{}, err
	}
	e.Command = command
	return e.Run()
}

// enactment replays the token in the explorer.
func (c Creation) enactment(token, file string) (e Enactment, err error) {
	f, program, err := c.prepare()
	if err != nil {
		return e, err
	}
	program, steps, words := Watch(program, f.memory.Words)
	rep, err := explore.Replay(program, token, explore.Options{})
	if err != nil {
		return e, err
	}
	if rep.Failure != nil {
		return e, rep.Failure
	}
	e = Enactment{Steps: *steps, Words: *words, Layout: c.Layout, File: file, Absent: !f.exists}
	for i, p := range f.processes {
		e.Names, e.Stands, e.Of = append(e.Names, p.Name), append(e.Stands, false), append(e.Of, i)
	}
	return e, nil
}

// Serve is the life of a child of Real.
func (c Creation) Serve(file string, process int, in io.Reader, out io.Writer) error {
	if process < 0 || process >= len(comers) {
		return fmt.Errorf("program %s has no process %d: use 0 to %d", creationName, process, len(comers)-1)
	}
	if c.Make == nil {
		c.Make = region.Make
	}
	name := new(seam.Uint64)
	one := &comer{site: folder{file, c.Layout}, layout: c.Layout, name: name, make: c.Make}
	return Serve(in, out, Part{File: file, Name: name, Bodies: map[int]func(){process: one.come}})
}

func (c Creation) prepare() (*founding, explore.Program, error) {
	names := comers
	if c.Comers > 0 {
		names = names[:c.Comers]
	}
	g, err := newGround(c.Layout, names)
	if err != nil {
		return nil, explore.Program{}, err
	}
	if c.Make == nil {
		c.Make = region.Make
	}
	for _, p := range g.processes {
		p.Present = true // it may die when it has come, too
	}
	f := &founding{Creation: c, ground: g}
	return f, explore.Program{Name: creationName, Start: f.start, Finish: f.finish}, nil
}

// newComer is the process i in the explorer.
func (f *founding) newComer(i int) *comer {
	return &comer{site: spot{f, i}, layout: f.layout, name: (*seam.Uint64)(unsafe.Pointer(&f.name[0])),
		make: f.Make}
}

func (f *founding) start(x *explore.Execution) []explore.Actor {
	f.x = x
	clear(f.memory.Words())
	f.locks, f.exists, f.comers = Locks{}, false, f.comers[:0]
	x.Region(f.memory.At(0), len(f.memory.View(0)))
	x.Region(unsafe.Pointer(&f.name), int(unsafe.Sizeof(f.name)))
	var actors []explore.Actor
	for i, p := range f.processes {
		c := f.newComer(i)
		f.comers = append(f.comers, c)
		actors = append(actors, explore.Actor{Name: p.Name, Process: p, Body: c.come})
	}
	return actors
}

func (f *founding) finish(x *explore.Execution) error {
	if counts := f.counts; x.Again() {
		defer func() { f.counts = counts }()
	}
	var all []attached
	for i, c := range f.comers {
		name, gone := f.processes[i].Name, x.Gone(f.processes[i])
		if c.region != nil {
			all = append(all, attached{name, c.region.Process(), !gone})
		}
		if gone {
			continue
		}
		if c.err != nil && (c.made || !errors.Is(c.err, region.ErrUnfinished)) {
			return fmt.Errorf("%w: %s: %w", ErrCreation, name, c.err)
		}
		f.counts.Unfinished += int(one(c.err != nil))
	}
	f.counts.Attached += int(one(len(all) == len(f.comers)))
	return f.last(all)
}

// last lets one more process come when all is over. It finds the whole region, or one that is not finished.
// No living process has the unfinished one, since its creator would have it; so the creator has died.
func (f *founding) last(all []attached) error {
	r, err := f.later()
	switch {
	case errors.Is(err, region.ErrUnfinished) && len(all) == 0:
		f.counts.Orphaned++
		return nil
	case err != nil:
		return fmt.Errorf("%w: who comes later: %w", ErrCreation, err)
	}
	return errors.Join(known(r, all), r.Close())
}

// String is one line for a person.
func (t CreationTally) String() string {
	return fmt.Sprintf("%d times all attached, %d times one came too early, %d creators died before the "+
		"region was finished", t.Attached, t.Unfinished, t.Orphaned)
}

// Missing is what has not happened in a search in which all may die; "" if all has.
func (t CreationTally) Missing() string {
	switch 0 {
	case t.Attached:
		return "nowhere do all attach"
	case t.Unfinished:
		return "nobody comes too early"
	case t.Orphaned:
		return "no creator dies before the region is finished"
	}
	return ""
}

func one(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
