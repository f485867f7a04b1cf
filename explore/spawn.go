package explore

import (
	"fmt"
	"math/bits"

	"github.com/samecycle/samecycle/internal/hook"
)

var _ hook.Spawner = (*engine)(nil)

// Spawn implements hook.Spawner: the running actor makes another one, which is ready at once. It
// is no step, for it touches nothing that another actor could see before the new one's first step.
func (e *engine) Spawn(f func()) { e.spawn(f, false) }

// Serve implements hook.Spawner.
func (e *engine) Serve(f func()) { e.spawn(f, true) }

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
	process int32
	waits   int
	made    site
	hist    key    // what its maker had read
	nth     int    // of those that its maker made
	knows   *clock // what happens before its first step, if there is a detector
}

// spawn makes an actor, which serves the others or not.
func (e *engine) spawn(f func(), serves bool) {
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
	n := newcomer{name: fmt.Sprintf("%s.%d", a.name, a.spawned), body: f, serves: serves, process: a.process,
		hist: a.hist, nth: a.spawned}
	if e.recordsSites() {
		n.made = here(a)
	}
	if int(a.id) >= e.roots && !a.calls {
		n.waits = a.waits
	}
	a.hist = a.hist.then(k4)
	a.fresh = false // the new actor may go first, even if its maker has passed a boundary just now
	if e.race != nil {
		n.knows = e.race.spawn(a.id)
	}
	if id == noPlace {
		e.crowd, e.crowded = append(e.crowd, n), true
		return
	}
	e.seat(n, id)
}

// noPlace is the place of an actor that has to wait for one.
const noPlace = -1

// place returns the place of the next actor that a makes, and why there is none and never will be.
//
// Each place is a bit of the engine's masks. When all MaxActors are taken, the new actor gets the place of
// one whose body is over, or waits until there is one. A reduced search and one of states tell actors by
// their places, so they have one for each actor.
func (e *engine) place(a *actor) (id int, why string) {
	if id = len(e.actors); e.red != nil {
		id = e.red.child(a)
	}
	switch {
	case id < MaxActors:
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

// seat gives the newcomer a place: a new one, or that of an actor whose body is over.
func (e *engine) seat(n newcomer, id int) {
	known := len(e.actors)
	if id >= known {
		e.enlist(id + 1)
		for _, absent := range e.actors[known:] { // others of the search whose makers did not make them yet
			absent.reset()
			absent.process = nobody
		}
	}
	child, bit := e.actors[id], uint64(1)<<uint(id)
	child.reset()
	child.number, e.born = len(e.born), append(e.born, birth{int32(id), n.name})
	e.begun &^= bit // of one that had the place before
	e.servants &^= bit
	e.over &^= bit
	child.name, child.body, child.made = n.name, n.body, n.made
	child.alone, child.always, child.process, child.waits = 0, 0, n.process, n.waits
	// What the child's code depends on is what its maker has read, and which child it is.
	child.hist = child.hist.then(n.hist.a).then(n.hist.b).then(uint64(n.nth))
	e.live |= bit
	e.ready |= bit
	if n.serves {
		e.servants |= bit
	}
	e.progress++
	if e.race != nil {
		e.race.seat(child.id, n.knows)
	}
	if e.red != nil {
		e.red.spawn(child)
	}
}

// vacate is called when the body of a is over and others go on: a is the newcomer then that has waited
// longest.
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

// A lineage identifies a spawned actor in every order of the steps: by the actor that made it, and by its
// place among those that this one made.
type lineage struct {
	maker int32
	nth   int
}

// child is the id of the next actor that a makes, the same in all executions of the search. Which
// number it has in its execution, and in tokens and reports, is another matter: two makers that are
// independent come in any order.
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

// spawn makes the running event precede all that the new actor does.
func (r *reducer) spawn(child *actor) {
	for len(r.windows) <= int(child.id) {
		r.windows = append(r.windows, window{})
	}
	if r.searches() {
		r.last[child.id] = r.n - 1
	}
}
