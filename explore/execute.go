package explore

import (
	"fmt"
	"runtime/debug"

	"github.com/samecycle/samecycle/internal/hook"
)

// execute runs the program once: along the trail or the script, and then by first options. The result is in
// e.outcome and e.failure. In a plain search the actors continue with the executions that follow (see
// chain), and the result is that of the last one.
func (e *engine) execute() {
	hook.Active = nil
	if !e.launch() {
		return
	}
	if e.cur != driver {
		e.crew.driver.switchTo(e.stage(e.cur))
	}
	if !e.judged {
		e.judge()
	}
	e.unwind()
}

// executeAgain is execute for an execution that has been run before.
func (e *engine) executeAgain() {
	e.again = true
	e.execute()
	e.again = false
}

// launch prepares an execution and picks the first actor; it reports false if there is none.
func (e *engine) launch() bool {
	e.reset()
	if !e.start() {
		return false
	}
	if e.o.Coverage != nil {
		e.o.Coverage.begin(e)
	}
	if e.drawing && !e.probing {
		e.walk.begin(e)
	}
	if e.red != nil {
		e.red.reset()
	}
	e.watchPlain()
	e.bare = e.isBare()
	e.signals.enterActors(e.trail)
	hook.Active = e.scheduler()
	if !e.recall() {
		e.pick(nil)
	}
	return true
}

// judge ends the actors' part of an execution and gets the verdict.
func (e *engine) judge() {
	hook.Active, hook.Plains = nil, nil
	e.signals.leaveActors()
	e.gap()
	e.strayed()
	e.judged, e.left = true, e.live
	if e.outcome == complete && e.script != nil && e.script.at < len(e.script.items) {
		e.scriptDiverged("the program has ended, the token goes on")
	}
	if e.pos < e.shards && e.script == nil && e.foreign() && e.failure == nil {
		e.outcome = foreignShard
	}
	if e.outcome == complete && e.p.Finish != nil {
		e.finish()
	}
	if e.failure != nil && e.p.Stuck != nil {
		e.excuse(e.failure)
	}
}

// excuse asks the program whether the wait that ended the execution is allowed.
func (e *engine) excuse(f *Failure) {
	if f.Kind != Deadlock && f.Kind != Livelock {
		return
	}
	var err error
	e.failure = nil
	e.guard("Stuck", func() { err = e.p.Stuck(&e.x) })
	switch {
	case e.failure != nil: // it panicked
	case err == nil:
		e.outcome = blocked
	default:
		f.Message, f.Err = f.Message+"; "+err.Error(), err
		e.failure = f
	}
}

// chain is called by the last actor of an execution, when its body has ended. If the driver has nothing to
// do, chain gets the verdict and launches the next execution at once, which saves the switches to the driver
// and back.
func (e *engine) chain() {
	if !e.chaining || e.outcome != complete || e.dead|e.live != 0 || len(e.displaced) > 0 || !e.plainNext() {
		return
	}
	if e.judge(); e.failure != nil {
		return
	}
	if e.o.Reduce {
		e.exhausted = !e.reduced()
		if e.advanced = e.exhausted; e.exhausted {
			return
		}
		e.count()
	} else {
		e.count()
		e.advance()
	}
	if !e.launch() {
		e.judged, e.cur = true, driver
	}
}

// reset forgets the previous execution.
func (e *engine) reset() {
	hook.Epoch++
	e.cur, e.outcome, e.failure, e.unwinding = driver, running, nil, false
	e.ready, e.live, e.waiting, e.spinning, e.dead, e.begun, e.servants, e.resting = 0, 0, 0, 0, 0, 0, 0, 0
	e.disperse()
	e.steps, e.preempts, e.delays, e.killsLeft, e.index, e.pos = 0, 0, 0, e.o.Kills, 0, 0
	e.writes, e.progress, e.also = 0, 0, e.also[:0]
	e.starved, e.halted, e.most, e.ends = false, false, e.o.MaxSteps, 0
	e.decisions, e.planned, e.sinceEnd = 0, len(e.trail), 0
	if e.solo != nil {
		e.solo.on = false
		if e.script != nil {
			e.solo = nil
		}
	}
	e.keyed = e.o.Stateful || e.o.Solo > 0
	if !e.probing {
		e.standpoints = e.standpoints[:0]
	}
	e.judged, e.run.actor, e.run.n = false, driver, 0
	e.regions = e.regions[:0]
	e.processes, e.views, e.gone, e.stirred = e.processes[:0], nil, 0, ^uint64(0)
	e.watch = e.keyed || e.p.Step != nil || e.rec != nil || e.o.Coverage != nil
	e.steering = e.drawing && e.o.Strategy == Reversing
	if e.watch {
		e.shared, e.events = key{}, key{}
		clear(e.names)
		clear(e.chains)
	}
	if e.script != nil {
		e.script.at = 0
	}
}

// start lets the program set itself up, and reports whether there is anything to run.
func (e *engine) start() bool {
	var as []Actor
	e.guard("Start", func() { as = e.p.Start(&e.x) })
	if e.failure == nil && (len(as) == 0 || len(as) > MaxActors) {
		e.fail(&Failure{Kind: Panicked, Message: fmt.Sprintf(
			"Start returned %d actors; want 1 to %d", len(as), MaxActors)})
	}
	if e.failure == nil && e.roots != 0 && len(as) != e.roots {
		e.fail(&Failure{Kind: Nondeterminism, Message: fmt.Sprintf("Start returned %d actors in the first "+
			"execution and %d in a later one; it must return the same actors each time", e.roots, len(as))})
	}
	if e.failure != nil {
		e.actors, e.born = nil, nil
		return false
	}
	e.enlist(len(as))
	e.roots, e.born = len(as), e.born[:0]
	for i, a := range e.actors {
		a.reset()
		a.name, a.body, a.alone, a.always = as[i].Name, as[i].Body, as[i].Alone, as[i].Always
		if a.name == "" {
			a.name = fmt.Sprintf("actor%d", i)
		}
		e.born = append(e.born, birth{a.id, a.name})
		e.join(a, as[i].Process)
	}
	e.live = 1<<uint(len(as)) - 1
	e.ready = e.live
	return true
}

// enlist makes the first n actors those of the execution.
func (e *engine) enlist(n int) {
	for len(e.pool) < n {
		e.pool = append(e.pool, &actor{e: e, id: int32(len(e.pool)), origin: actorKey(uint64(len(e.pool))),
			head: never})
	}
	e.actors = e.pool[:n]
}

func (e *engine) finish() {
	var err error
	e.guard("Finish", func() { err = e.p.Finish(&e.x) })
	if err != nil {
		e.fail(&Failure{Kind: Verdict, Message: err.Error(), Err: err})
	}
}

// guard calls a function of the program; a panic in it is a failure of the execution.
func (e *engine) guard(what string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			e.fail(&Failure{
				Kind:    Panicked,
				Message: fmt.Sprintf("%s panicked: %v", what, r),
				Stacks:  []string{string(debug.Stack())},
			})
		}
	}()
	f()
}

// unwind ends the bodies that are still suspended: those of killed actors, and all bodies if the execution
// was cut.
func (e *engine) unwind() {
	for _, a := range e.actors {
		e.unwindActor(a)
	}
	e.unwindDisplaced()
	e.unwinding = false
}

func (e *engine) unwindActor(a *actor) {
	if !a.begun || a.ended {
		return
	}
	e.unwinding, e.bare, e.rep.forcing = true, false, false
	e.signals.enterActors(e.trail)
	hook.Active = e.scheduler()
	e.cur = a.id
	e.crew.driver.switchTo(a.on)
	hook.Active = nil
	e.signals.leaveActors()
}
