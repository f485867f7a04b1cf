package explore

import (
	"fmt"

	"github.com/samecycle/samecycle/internal/hook"
)

var _ hook.Spawner = (*engine)(nil)

// Spawn implements hook.Spawner: the running actor makes another one, which is ready at once. It
// is no step, for it touches nothing that another actor could see before the new one's first step.
func (e *engine) Spawn(f func()) { e.spawn(f) }

// Serve implements hook.Spawner.
func (e *engine) Serve(f func()) { e.servants |= 1 << uint(e.spawn(f)) }

// Waits implements hook.Spawner.
func (e *engine) Waits() (before int, serves bool) {
	a := e.actors[e.cur]
	a.waits++
	return a.waits - 1, int(a.id) >= e.roots && !a.calls
}

// spawn makes an actor and returns its id.
func (e *engine) spawn(f func()) (made int32) {
	a := e.actors[e.cur]
	if e.unwinding {
		a.refuse()
	}
	e.strays(a)
	why := ""
	id := len(e.actors)
	if e.red != nil {
		id = e.red.child(a)
	}
	switch {
	case id < MaxActors:
	case e.red != nil:
		why = fmt.Sprintf("actor %s starts one more than the %d actors that all executions together may "+
			"have: use a smaller program, or search without Reduce", a.name, MaxActors)
	default:
		why = fmt.Sprintf("actor %s starts one more than the %d actors that an execution may have: "+
			"use a smaller program", a.name, MaxActors)
	}
	if why != "" {
		e.fail(&Failure{Kind: Unexplored, Message: why})
		e.stop(a)
	}
	if n := len(e.actors); id >= n {
		e.enlist(id + 1)
		for _, absent := range e.actors[n:] { // others of the search whose makers did not make them yet
			absent.reset()
			absent.process = nobody
		}
	}
	child := e.actors[id]
	child.reset()
	child.number, e.born = len(e.born), append(e.born, int32(id))
	a.spawned++
	child.name, child.body = fmt.Sprintf("%s.%d", a.name, a.spawned), f
	if e.recordsSites() {
		child.made = here(a)
	}
	child.alone, child.always, child.process = 0, 0, a.process
	if child.waits = 0; int(a.id) >= e.roots && !a.calls {
		child.waits = a.waits
	}
	// What the child's code depends on is what its maker has read, and which child it is.
	child.hist = child.hist.then(a.hist.a).then(a.hist.b).then(uint64(a.spawned))
	a.hist = a.hist.then(k4)
	a.fresh = false // the new actor may go first, even if its maker has passed a boundary just now
	bit := uint64(1) << uint(id)
	e.live |= bit
	e.ready |= bit
	e.progress++
	if e.race != nil {
		e.race.spawn(a.id, child.id)
	}
	if e.red != nil {
		e.red.spawn(child)
	}
	return child.id
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
