package explore

import (
	"fmt"

	"github.com/samecycle/samecycle/internal/hook"
)

var _ hook.Spawner = (*engine)(nil)

// Spawn implements hook.Spawner: the running actor makes another one, which is ready at once. It
// is no step, for it touches nothing that another actor could see before the new one's first step.
func (e *engine) Spawn(f func()) {
	a := e.actors[e.cur]
	if e.unwinding {
		a.refuse()
	}
	why := ""
	switch {
	case len(e.actors) == MaxActors:
		why = fmt.Sprintf("actor %s starts one more than the %d actors that an execution may have: "+
			"use a smaller program", a.name, MaxActors)
	case e.red != nil:
		why = fmt.Sprintf("actor %s starts another one, which the reduced search does not follow: "+
			"search without Reduce", a.name)
	}
	if why != "" {
		e.fail(&Failure{Kind: Unexplored, Message: why})
		e.stop(a)
	}
	id := len(e.actors)
	e.enlist(id + 1)
	child := e.actors[id]
	child.reset()
	a.spawned++
	child.name, child.body = fmt.Sprintf("%s.%d", a.name, a.spawned), f
	child.alone, child.always, child.process = 0, 0, a.process
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
}
