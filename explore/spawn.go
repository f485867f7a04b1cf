package explore

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

var _ hook.Spawner = (*engine)(nil)

// Spawn implements hook.Spawner: the running actor makes another actor, which is ready at once. Spawn is not
// a step, because it touches nothing that another actor could see before the new actor's first step.
func (e *engine) Spawn(f func()) { e.spawn(newcomer{body: f}) }

// Serve implements hook.Spawner.
func (e *engine) Serve(f func()) { e.spawn(newcomer{body: f, serves: true}) }

// ServeWhen implements hook.Spawner.
func (e *engine) ServeWhen(c hook.Condition, f func()) {
	e.timed()
	e.spawn(newcomer{body: f, serves: true, when: &c})
}

// ServeLast implements hook.Spawner.
func (e *engine) ServeLast(f func()) {
	e.timed()
	e.spawn(newcomer{body: f, serves: true, last: true})
}

// Pause implements hook.Spawner.
func (e *engine) Pause(p unsafe.Pointer, c hook.Condition) {
	e.timed()
	e.Wait(hook.Await, p, c)
	e.actors[e.cur].fresh = true
}

// timed refuses an actor that continues as soon as a condition holds, without a step. A search that
// distinguishes steps or states by what they touch cannot explore that.
func (e *engine) timed() {
	if e.unwinding || e.red == nil && !e.keyed {
		return
	}
	e.fail(&Failure{Kind: Unexplored, Message: "an ordered clock is not explored with Reduce, Stateful and " +
		"Solo: search without them"})
	e.stop(e.actors[e.cur])
}

// Waits implements hook.Spawner.
func (e *engine) Waits() (before int, serves bool) {
	a := e.actors[e.cur]
	a.waits++
	return a.waits - 1, int(a.id) >= e.roots && !a.calls
}

// A newcomer is an actor that has been made and has no place yet.
type newcomer struct {
	name    string
	body    func()
	serves  bool
	when    *hook.Condition // it begins when this holds; nil: at any time
	last    bool            // it begins when no other actor can continue
	process int32
	waits   int
	made    site
	hist    key   // what its maker had read
	nth     int   // its number among the actors that its maker made
	came    int   // how many had come to wait for a place before
	knows   clock // what happens before its first step, if there is a detector
}

// spawn makes the actor n, whose maker has given only the body and the time of its begin.
func (e *engine) spawn(n newcomer) {
	a := e.actors[e.cur]
	if e.unwinding {
		a.refuse()
	}
	e.strays(a)
	id, why := e.place(a)
	if why != "" {
		e.fail(&Failure{Kind: Unexplored, Message: why})
		e.stop(a)
	}
	a.spawned++
	n.name, n.process = fmt.Sprintf("%s.%d", a.name, a.spawned), a.process
	n.hist, n.nth = a.hist, a.spawned
	if e.recordsSites() {
		n.made = here(a)
	}
	if int(a.id) >= e.roots && !a.calls {
		n.waits = a.waits
	}
	a.hist = a.hist.then(k4)
	a.fresh = false // the new actor may go first, even if its maker has just passed a boundary
	if e.race != nil {
		n.knows = e.race.spawn(a.number)
	}
	if id == noPlace {
		n.came = e.came
		e.came++
		e.crowd, e.crowded = append(e.crowd, n), true
		return
	}
	e.seat(n, id)
}

// places is the number of places. It is MaxActors, except in tests.
var places = MaxActors

// noPlace stands for the place of an actor that has to wait for one.
const noPlace = -1

// place returns the place of the next actor that a makes. If there is no place and never will be, it returns
// the reason.
//
// If all MaxActors places are taken, the new actor gets the place of an actor whose body has ended, or waits
// for one; see displaced.go. A reduced search and a search with states identify actors by their places, so
// there each actor needs a place of its own.
func (e *engine) place(a *actor) (id int, why string) {
	if id = len(e.actors); e.red != nil {
		id = e.red.child(a)
	}
	switch {
	case id < places:
	case e.red != nil:
		why = fmt.Sprintf("actor %s starts one more than the %d actors that all executions together may "+
			"have: use a smaller program, or search without Reduce", a.name, MaxActors)
	case e.keyed || len(e.processes) > 0 || e.o.Coverage != nil:
		why = fmt.Sprintf("actor %s starts one more than the %d actors that an execution may have with "+
			"these options: use a smaller program, or search without Stateful, Solo, Coverage and processes",
			a.name, MaxActors)
	case e.over == 0:
		id = noPlace
	default:
		id = bits.TrailingZeros64(e.over)
	}
	return id, why
}

// seat gives the newcomer a place: a new one, or that of an actor whose body has ended.
func (e *engine) seat(n newcomer, id int) {
	known := len(e.actors)
	if id >= known {
		e.enlist(id + 1)
		for _, absent := range e.actors[known:] { // actors of the search that were not made yet
			absent.reset()
			absent.process = nobody
		}
	}
	child, bit := e.actors[id], uint64(1)<<uint(id)
	child.reset()
	child.number, e.born = len(e.born), append(e.born, birth{int32(id), n.name})
	e.begun &^= bit // of the actor that had the place before
	e.servants &^= bit
	e.over &^= bit
	child.name, child.body, child.made = n.name, n.body, n.made
	child.alone, child.always, child.process, child.waits = 0, 0, n.process, n.waits
	// The code of the child depends on what its maker has read, and on which child it is.
	child.hist = child.hist.then(n.hist.a).then(n.hist.b).then(uint64(n.nth))
	e.live |= bit
	switch {
	case n.when != nil:
		child.wait = *n.when
		e.waiting |= bit
	case n.last:
		e.spinning |= bit
		e.resting |= bit
	default:
		e.ready |= bit
	}
	if n.serves {
		e.servants |= bit
	}
	e.progress++
	if e.race != nil {
		e.race.seat(n.knows)
	}
	if e.red != nil {
		e.red.spawn(child)
	}
}

// vacate is called when the body of a has ended and others continue. a then becomes the newcomer that has
// waited longest.
func (e *engine) vacate(a *actor) {
	if int(a.id) < e.roots {
		return
	}
	if e.over |= 1 << uint(a.id); len(e.crowd) == 0 {
		return
	}
	n := e.crowd[0]
	e.crowd[0] = newcomer{}
	e.crowd = e.crowd[1:]
	e.seat(n, int(a.id))
}

// A lineage identifies a spawned actor in every order of the steps. It has the actor that made it, and its
// number among the actors that this one made.
type lineage struct {
	maker int32
	nth   int
}

// child returns the id of the next actor that a makes, which is the same in all executions of the search.
// The number of the actor in its execution, which tokens and reports use, may differ, because two
// independent makers may make their actors in either order.
func (r *reducer) child(a *actor) int {
	l := lineage{a.id, a.spawned}
	if id, known := r.kin[l]; known {
		return int(id)
	}
	id := r.e.roots + len(r.kin)
	if id < MaxActors {
		r.kin[l] = int32(id)
	}
	return id
}

// spawn makes the running event precede everything that the new actor does.
func (r *reducer) spawn(child *actor) {
	for len(r.windows) <= int(child.id) {
		r.windows = append(r.windows, window{})
	}
	if r.searches() {
		r.last[child.id] = r.n - 1
	}
}
