package scenarios

import (
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// apart is a world whose actors are processes: each has the region at an address of its own, its own
// entry in the process table, and its own table and handle. View 0 is the newcomer's and the judges'.
type apart struct {
	memory    *processes.Memory
	locks     processes.Locks
	standing  processes.Locks // locks before the program
	processes []*explore.Process
	entries   []region.Process   // of the process table, by process
	x         *explore.Execution // nil before the first execution
}

func (a *apart) rewind() { a.locks = a.standing }

// gone tells whether the process of that number, from 1, has died; the newcomer is the last one.
func (a *apart) gone(number int) bool {
	return a.x != nil && number <= len(a.processes) && a.x.Gone(a.processes[number-1])
}

func (a *apart) system(number int) processes.System {
	return processes.System{Locks: &a.locks, Self: number, Gone: a.gone}
}

// separate gives each actor a process with a table and a handle. The first one makes the region; then
// all come in their order, the newcomer last.
func (w *world) separate(layout hopscotch.Layout) error {
	n := len(w.program.Ops)
	a := &apart{}
	w.apart = a
	var err error
	if a.memory, err = processes.NewMemory(layout.Region(), n+1); err != nil {
		return err
	}
	for i := 1; i <= n+1; i++ {
		view := i % (n + 1)
		r, err := w.comes(i, view, layout)
		if err != nil {
			return err
		}
		t, err := hopscotch.NewWith(r, w.options())
		if err != nil {
			return err
		}
		h, err := t.NewHandle(uint64(i))
		if err != nil {
			return err
		}
		w.region, w.table, w.handles = r, t, append(w.handles, h)
		if i <= n {
			a.processes = append(a.processes, &explore.Process{Name: fmt.Sprint(i),
				Mappings: a.memory.Mapping(view)})
			a.entries = append(a.entries, r.Process())
		}
	}
	a.standing = a.locks
	return nil
}

// comes attaches process i to the region, which the first one makes.
func (w *world) comes(i, view int, layout hopscotch.Layout) (*region.Region, error) {
	if i == 1 {
		return region.Make(w.apart.memory.View(view), layout.Region(), w.apart.system(i))
	}
	return region.Attach(w.apart.memory.View(view), layout.Region(), w.apart.system(i))
}

// check lets the newcomer look at the entry of each process in the table. A process that has died counts as
// dead, and its entry can be made idle. A process that lives counts as alive, and its entry cannot be made
// idle.
func (a *apart) check(newcomer *region.Region) error {
	for i, p := range a.entries {
		lives := !a.x.Gone(a.processes[i])
		alive, err := newcomer.Alive(p)
		if err != nil || alive != lives {
			return fmt.Errorf("%w: process %d, %v, counts as alive: %v, want %v (%v)", ErrEntry, i+1, p,
				alive, lives, err)
		}
		if cleared, err := newcomer.Clear(p); err != nil || cleared == lives {
			return fmt.Errorf("%w: entry %v of process %d, alive: %v, was made idle: %v (%v)", ErrEntry, p,
				i+1, lives, cleared, err)
		}
	}
	return nil
}
