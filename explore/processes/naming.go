package processes

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"unsafe"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/region"
	"github.com/samecycle/samecycle/internal/seam"
)

// Naming explores the usual way to make a region. Processes open one name at the same time, and each makes
// a whole region in a file of its own that has no name yet. One of these files gets the name, and the other
// processes attach to that one. Openers come too, who make nothing. Each may die at any time.
//
// What they ask of the file system are steps: whether there is the name, a file without one, its space, the
// name for it. That a name is given once, and that a file without one ends with its process, is the file
// system's part.
type Naming struct {
	Layout region.Layout

	// Creators make a region if there is none, Openers come after them and only look for one.
	Creators, Openers int

	// For canaries: what takes the place of region.Make; what gives the name; in which order.
	Make  maker
	Link  func(f *Folder, file int) bool
	Early bool // the name comes before the region is made
}

// namings are those that are searched, by name.
var namings = []struct {
	name, says string
	Naming
}{
	{"ProcessNaming", "three come to where no region is: each makes one without a name, one gets it",
		Naming{Creators: 3}},
	{"ProcessNamingOpen", "two make a region without a name, one of which gets it, and a third opens it",
		Naming{Creators: 2, Openers: 1}},
}

// creatorNames and openerNames are those of the processes.
var creatorNames, openerNames = []string{"first", "second", "third"}, []string{"opener", "late"}

// A Folder is the file system of one execution: the one name, which file has it, and what a file holds
// besides its memory. File i is the one that process i makes.
type Folder struct {
	Named uint64 // number of the file that has the name, from 1; 0: nobody has it; stands for the name
	files [maxCreators]seam.Uint64
	locks [maxCreators]Locks
}

const maxCreators = 3

// Link gives the name to a file if no other has it, as linkat does.
func (d *Folder) Link(file int) bool {
	free := d.Named == 0
	if free {
		d.Named = uint64(file) + 1
	}
	return free
}

// States of a file that has no name, before it has memory: values of Folder.files.
const (
	fileOpened = iota + 1
	fileSized
)

// naming is the state of one exploration.
type naming struct {
	Naming
	program   string
	x         *explore.Execution
	files     []*Memory // by creator; view 0 is the judge's, view i+1 that of process i
	folder    Folder
	processes []*explore.Process
	comers    []*namer
	counts    NamingTally // of all executions
}

// NamingTally is what the executions of a naming had in them.
type NamingTally struct {
	Attached int `json:"attached"` // all have the region
	Late     int `json:"late"`     // one had a whole region, and found the name taken
	Missed   int `json:"missed"`   // an opener found no name
	Nameless int `json:"nameless"` // all creators died, and there is no name
}

// A namer is a process that comes, and what came of that.
type namer struct {
	*naming
	i      int
	name   *seam.Uint64
	file   *seam.Uint64 // its own file, before it has memory
	late   bool         // the name was taken when it wanted it
	of     int          // the file that the region is in
	region *region.Region
	err    error
}

// openOrCreate is region.OpenOrCreate. A name never goes away, so that it ends.
func (c *namer) openOrCreate() {
	for {
		if c.open(region.CreationBound); !errors.Is(c.err, fs.ErrNotExist) {
			return
		}
		seen, _ := seam.Locked(c.name, func() (bool, error) { return c.folder.Named != 0, nil })
		if seen {
			continue
		}
		if c.err = c.create(); !errors.Is(c.err, fs.ErrExist) {
			return
		}
	}
}

// open attaches to the file that has the name.
func (c *namer) open(bound seam.Duration) {
	found := uint64(0)
	there, _ := seam.Locked(c.name, func() (bool, error) { found = c.folder.Named; return found != 0, nil })
	if c.err = fs.ErrNotExist; there {
		c.of = int(found) - 1
		c.region, c.err = region.AttachWithin(c.files[c.of].View(c.i+1), c.Layout,
			c.system(c.of, c.i), bound)
	}
}

// create makes the region in a file without a name, and then gives it the name. A file whose name is taken
// is given up.
func (c *namer) create() error {
	c.file.Store(fileOpened)
	c.file.Store(fileSized)
	made := c.region
	steps := []func() error{
		func() (err error) {
			made, err = c.Make(c.files[c.i].View(c.i+1), c.Layout, c.system(c.i, c.i))
			return err
		},
		func() error {
			ok, err := seam.TryLock(c.name, func() (bool, error) { return c.Link(&c.folder, c.i), nil })
			if !ok {
				c.late, err = true, fs.ErrExist
			}
			return err
		},
	}
	if c.Early {
		steps[0], steps[1] = steps[1], steps[0]
	}
	for _, step := range steps {
		if err := step(); err != nil {
			if made != nil {
				err = errors.Join(err, made.Close())
			}
			return err
		}
	}
	c.of, c.region = c.i, made
	return nil
}

// system is what process i asks about the locks of a file; the judge has the number after the last one.
func (f *naming) system(file, i int) region.System {
	return System{Locks: &f.folder.locks[file], Self: i + 1, Gone: func(number int) bool {
		return f.x != nil && number <= len(f.processes) && f.x.Gone(f.processes[number-1])
	}}
}

// names are those of the processes.
func (n Naming) names() []string {
	return append(append([]string(nil), creatorNames[:n.Creators]...), openerNames[:n.Openers]...)
}

func (n Naming) prepare(program string) (*naming, explore.Program, error) {
	if n.Make == nil {
		n.Make = region.Make
	}
	if n.Link == nil {
		n.Link = (*Folder).Link
	}
	f := &naming{Naming: n, program: program}
	names := n.names()
	for range n.Creators {
		m, err := NewMemory(n.Layout, len(names)+1)
		if err != nil {
			return nil, explore.Program{}, err
		}
		f.files = append(f.files, m)
	}
	for i, name := range names {
		p := &explore.Process{Name: name, ReadsDie: true, Present: true} // it may die when it has come, too
		for _, m := range f.files {
			p.Mappings = append(p.Mappings, m.Mapping(i+1)...)
		}
		f.processes = append(f.processes, p)
	}
	return f, explore.Program{Name: program, Start: f.start, Finish: f.finish}, nil
}

func (f *naming) start(x *explore.Execution) []explore.Actor {
	f.x, f.folder, f.comers = x, Folder{}, f.comers[:0]
	for _, m := range f.files {
		clear(m.Words())
		x.Region(m.At(0), len(m.View(0)))
	}
	x.Region(unsafe.Pointer(&f.folder), int(unsafe.Offsetof(f.folder.locks)))
	var actors []explore.Actor
	for i, p := range f.processes {
		c := &namer{naming: f, i: i, name: (*seam.Uint64)(unsafe.Pointer(&f.folder.Named))}
		body := func() { c.open(0) }
		if i < f.Creators {
			c.file, body = &f.folder.files[i], c.openOrCreate
		}
		f.comers = append(f.comers, c)
		actors = append(actors, explore.Actor{Name: p.Name, Process: p, Body: body})
	}
	return actors
}

// Explore runs the interleavings and deaths within the options.
func (n Naming) Explore(program string, o explore.Options) (explore.Report, NamingTally, error) {
	f, p, err := n.prepare(program)
	if err != nil {
		return explore.Report{}, NamingTally{}, err
	}
	rep, err := explore.Explore(p, o)
	return rep, f.counts, err
}

// search is the naming as one of the searches.
func (n Naming) search(program, says string) Search {
	return Search{Name: program, Says: says,
		Explore: func(o explore.Options) (explore.Report, fmt.Stringer, error) {
			r, tally, err := n.Explore(program, o)
			return r, tally, err
		},
		Replay: func(token string) (explore.Report, error) {
			_, p, err := n.prepare(program)
			if err != nil {
				return explore.Report{}, err
			}
			return explore.Replay(p, token, explore.Options{})
		},
		Real: func(token, file string, command func(int) *exec.Cmd) (Enacted, error) {
			e, err := n.enactment(program, token, file)
			if err != nil {
				return Enacted{}, err
			}
			e.Command = command
			return e.Run()
		},
		Serve: func(file string, process int, in io.Reader, out io.Writer) error {
			return n.serve(program, file, process, in, out)
		}}
}
