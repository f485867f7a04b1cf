package explore

import (
	"fmt"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A Process is a group of actors that share an address space and die together. All of them die at once, at
// any point of the schedule. They reach the memory that several processes share through mappings of their own
// process.
type Process struct {
	Name string

	// Present says that the process exists even if its actors do not run: it may die before their first
	// access, and after all of them have ended. Without Present a process exists, and may die, from the first
	// access of any of its actors until all of them have ended.
	Present bool

	// ReadsDie says that everything that the process has only read is lost with it: Finish does not use it.
	// Then a death after one of its own steps that changed nothing and reported nothing (Begin, Mark, the end
	// of the body) is the same as a death before that step, and is left out.
	ReadsDie bool

	// Mappings are the places where the process has mapped the shared memory.
	Mappings []Mapping
}

// A Mapping says that the Size bytes at At are the same memory as those at Of, at another address. Both are
// mappings of one file (MAP_SHARED); At may be Of. Objects are named by their place in Of, which is the
// address that Execution.Region is given.
type Mapping struct {
	At, Of unsafe.Pointer
	Size   int
}

// view is one mapping of the running execution.
type view struct {
	base, size uintptr
	of         unsafe.Pointer
	process    int32
}

// nobody as actor.process means that the actor belongs to no process.
const nobody = -1

// Gone reports whether the process has died in this execution. A process whose actors have ended is still
// alive.
func (x *Execution) Gone(p *Process) bool {
	i := x.e.processOf(p)
	x.e.look(i)
	return i != nobody && x.e.gone>>uint(i)&1 == 1
}

func (e *engine) processOf(p *Process) int32 {
	for i, q := range e.processes {
		if q == p {
			return int32(i)
		}
	}
	return nobody
}

// stir notes that from now on a death of a's process has another effect.
func (e *engine) stir(a *actor) {
	if a.process == nobody || e.unwinding || seeded == unchanged && e.readsDie(a) {
		return
	}
	e.stirred |= 1 << uint(a.process)
	if e.red != nil && e.red.searches() {
		e.red.frames[e.red.n-1].own = e.red.owned(a.id)
	}
}

// readsDie reports whether everything that a has only read is lost when its process dies.
func (e *engine) readsDie(a *actor) bool {
	return a.process != nobody && e.processes[a.process].ReadsDie
}

// look notes that the running actor is told whether a process is alive, which counts as something that it
// has read.
func (e *engine) look(process int32) {
	if e.cur == driver || process == nobody || e.unwinding {
		return
	}
	a := e.actors[e.cur]
	e.stirred |= 1 << uint(process)
	if e.keyed {
		a.hist = a.hist.then(uint64(process)).then(e.gone >> uint(process) & 1)
	}
	if e.red != nil {
		e.red.look(a, process)
	}
}

// join makes a an actor of the process. Processes are numbered by their first actors.
func (e *engine) join(a *actor, p *Process) {
	if a.process = nobody; p == nil {
		return
	}
	if a.process = e.processOf(p); a.process != nobody {
		return
	}
	a.process = int32(len(e.processes))
	e.processes = append(e.processes, p)
	for _, m := range p.Mappings {
		e.views = append(e.views, view{uintptr(m.At), uintptr(m.Size), m.Of, a.process})
	}
}

// members returns the actors of process i.
func (e *engine) members(i int32) (set uint64) {
	for _, a := range e.actors {
		if a.process == i {
			set |= 1 << uint(a.id)
		}
	}
	return set
}

// deaths returns the options of the deaths of processes: one for each process that exists and is alive, by
// its first actor. They are offered at each decision, because others can see whether a process is alive. A
// search leaves out a death of a process with Process.ReadsDie if nobody has seen or changed anything since
// the last offer.
func (e *engine) deaths() (opts uint64) {
	for i, p := range e.processes {
		if e.gone>>uint(i)&1 == 1 || p.ReadsDie && e.offered(i) {
			continue
		}
		set, begun := e.members(int32(i)), false
		for m := set; m != 0 && !begun; m &= m - 1 {
			begun = e.actors[bits.TrailingZeros64(m)].accesses > 0
		}
		if p.Present || begun && set&e.live != 0 {
			opts |= set & -set << killBit
		}
	}
	return opts
}

// offered reports whether the death of process i was an option before and would have the same effect here. A
// reduced search finds that out itself. The token of a reduced search, or of a failure, says where deaths
// come.
func (e *engine) offered(i int) bool {
	all := e.red != nil && e.red.searches() || e.script != nil && !e.script.sparse
	return !all && e.stirred>>uint(i)&1 == 0
}

// canonical returns the address of the object at p in the original of p's mapping.
func (e *engine) canonical(p unsafe.Pointer) unsafe.Pointer {
	for i := range e.views {
		v := &e.views[i]
		if off := uintptr(p) - v.base; off < v.size {
			return unsafe.Add(v.of, off)
		}
	}
	return p
}

// reach is called before an access of a to p. It ends the execution if a has that address from another
// process. There the address is that of the same memory; in a's process it is that of any memory or none.
func (e *engine) reach(a *actor, k hook.Kind, p unsafe.Pointer) {
	if a.process == nobody {
		return
	}
	owner := int32(nobody)
	for i := range e.views {
		v := &e.views[i]
		if uintptr(p)-v.base >= v.size {
			continue
		}
		if v.process == a.process {
			return
		}
		owner = v.process
	}
	if owner == nobody {
		return
	}
	e.fail(&Failure{Kind: Fault, Message: fmt.Sprintf("actor %s of process %s is about to make a %s at "+
		"offset %#x of the mapping of process %s: an address of that process has reached this one, where "+
		"it means nothing; share offsets", a.name, e.processes[a.process].Name, k, e.offset(owner, p),
		e.processes[owner].Name)})
	e.stop(a)
}

// offset returns the place of p in the mapping of the process.
func (e *engine) offset(process int32, p unsafe.Pointer) uintptr {
	for _, v := range e.views {
		if off := uintptr(p) - v.base; v.process == process && off < v.size {
			return off
		}
	}
	return 0
}

// settling says in words which actors of an execution are processes.
func (e *engine) settling() string {
	s := ""
	for i, p := range e.processes {
		if i > 0 {
			s += ", "
		}
		n := bits.OnesCount64(e.members(int32(i)))
		s += fmt.Sprintf("%s (%d)", p.Name, n)
	}
	return fmt.Sprintf("in %d processes, each with its actors: %s", len(e.processes), s)
}

// mortality says in words which actors may die, and when.
func (e *engine) mortality() string {
	s := "each of a process with all its actors, at any time"
	if slices.ContainsFunc(e.processes, func(p *Process) bool { return !p.Present }) {
		s += " while it is there"
	}
	if slices.ContainsFunc(e.processes, func(p *Process) bool { return p.ReadsDie }) {
		s += ", once for all times that are the same to the living"
	}
	switch lone := e.members(nobody) != 0; {
	case lone && e.o.AnyKill:
		s += ", or of an actor without one, at any time after its first step"
	case lone:
		s += ", or of an actor without one, right after any step of its own"
	}
	return s
}

// mayDieAlone reports whether actor i, which is live, may die at any decision.
func (e *engine) mayDieAlone(i int) bool {
	return e.actors[i].accesses > 0 && e.actors[i].process == nobody
}
