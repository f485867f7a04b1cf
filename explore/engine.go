package explore

import (
	"fmt"
	"sync"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// outcome tells how an execution ended.
type outcome uint8

const (
	running      outcome = iota
	complete             // all actors ended or died
	pruned               // it reached a state seen before
	asleep               // what follows was searched from another prefix
	blocked              // it reached a deadlock, and that is allowed
	stepBound            // it made too many steps
	interrupted          // the context was done before its end; it counts as not begun
	failed               // see engine.failure
	foreignShard         // it belongs to another shard
	strayed              // not an execution for a wordReducer
	probed               // it ran one actor alone, which ended its operation
)

// An engine explores one program. It is the scheduler that the shims call.
//
// Everything here belongs to the actor that runs, or to the driver; never to two at a time.
type engine struct {
	p Program
	o Options
	x Execution

	// The running execution. The masks have a bit for each actor. An actor that has neither ended nor died
	// is live, and is in exactly one of ready, waiting and spinning.
	actors    []*actor // those of this execution, by id
	born      []birth  // of this execution, in the order in which they got their places
	roots     int      // number of actors at the start
	pool      []*actor // all actors that were ever made
	cur       int32    // the actor that runs or is to run next; driver
	live      uint64
	ready     uint64 // can continue if picked
	waiting   uint64 // at a condition
	spinning  uint64 // set aside until another actor changes something
	resting   uint64 // spinning actors that stay so until no other actor can continue
	dead      uint64
	servants  uint64     // the execution does not wait for their end
	over      uint64     // places of actors that were made in the execution and have ended
	crowd     []newcomer // actors that have not begun and have no place, first come first
	crowded   bool       // there were more actors than places; see displaced.go
	late      bool       // an actor that could continue had to wait for a place
	displaced []displaced
	came      int      // number of actors that have come to wait for a place
	lateFor   int      // decisions for which one of them has waited that could continue
	mover     int      // the place that was given to another actor last
	unused    []*actor // of no execution
	begun     uint64   // bodies that run or ran
	left      uint64   // actors that were live when the execution was over, before they were unwound
	outcome   outcome
	failure   *Failure
	judged    bool // the verdict is known
	long      bool // executions may be halted; see beat
	halted    bool // this one is
	again     bool // the execution was run before; see Execution.Again
	unwinding bool // actors are resumed only to end
	steps     int
	preempts  int
	delays    int  // delays so far, with Options.Delays
	starved   bool // an actor went next because it had waited for too long
	most      int  // accesses after which the execution ends: those of Options.MaxSteps, or fewer
	ends      int  // accesses after which it ends by Execution.Ends; 0: none
	killsLeft int
	writes    uint64   // steps that changed something
	progress  uint64   // number of boundaries, events, ends and deaths
	index     int      // number of the next Step
	also      []beside // what the running step touches beside its object
	run       run      // the current actor's unbroken run

	// Processes of the running execution, none in most programs.
	processes []*Process
	views     []view // mappings of their shared memory
	gone      uint64 // those that have died
	stirred   uint64 // processes whose death has another effect than at the last decision

	// The search.
	trail     []node
	pos       int // decisions taken so far
	script    *script
	walk      drawer
	red       *reducer     // with Options.Reduce
	words     *wordReducer // replaces red while the program is one of words
	race      *detector    // with Options.Races
	shards    int          // decisions that name the shard, 0 without shards
	seen      keys
	stats     Stats
	exhausted bool // no execution is left
	advanced  bool // the reducer has looked for the next execution already
	quick     bool // the simplest kind of search: decisions and nothing else
	bare      bool // the running execution is bare; see bare.go
	rep       repeater

	resumed *saved    // checkpoint from which the search continues
	written time.Time // when the last checkpoint was written
	broken  error     // why the search cannot continue

	// chaining allows an execution to launch the next one.
	chaining bool
	// Probes and claims of progress.
	decisions   int // of the execution so far, including those without an alternative
	planned     int // length of the trail when the execution started
	sinceEnd    int // accesses since an operation ended
	solo        *solo
	probing     bool
	stood       keys // states that were probed
	standpoints []standpoint

	// steering makes actors say which access they stand at.
	steering bool
	// drawing is set while the walk draws. An execution that is run again only follows its trail.
	drawing bool

	// Observation of steps. watch is false if nothing observes them, and then all of it is skipped.
	watch   bool
	keyed   bool // the state key is kept up
	rec     *recorder
	regions []region
	names   map[unsafe.Pointer]uint64
	chains  map[uint64]key // by lock: the order in which it was used
	shared  key            // xor over the shared words of their change since the start
	events  key
	sites   *siteCache

	signals   signals
	stoppable bool // the execution may still be stopped late
	crew      *crew
}

// A birth is an actor's id, which is its place, and its name.
type birth struct {
	place int32
	name  string
}

// engines are the engines of explorations that have ended, for reuse, because making one takes time.
var engines = sync.Pool{New: func() any { return &engine{} }}

func newEngine(p Program, o Options) *engine {
	e := engines.Get().(*engine)
	e.p, e.o, e.cur, e.shards = p, o, driver, o.shardDepth()
	e.x.e = e
	e.quick = !o.Reduce && !o.Stateful && o.Walks == 0 && o.Kills == 0 && o.Solo == 0 && e.shards == 0 &&
		o.Preemptions == Unbounded && o.Delays == 0
	e.rep.allowed = p.Words && e.quick && !o.SplitBegin || e.promises()
	e.long = o.MaxSteps > DefaultMaxSteps && o.Checkpoint == nil && e.shards == 0 && o.Solo == 0
	if o.Races {
		e.race = &detector{e: e}
	}
	return e
}

// retire makes the engine available to other explorations, if its own has ended.
func (e *engine) retire() {
	if e.signals.fate.Load() == explored && !e.stoppable {
		*e = engine{}
		engines.Put(e)
	}
}

var _ hook.Scheduler = (*engine)(nil)

// Before implements hook.Scheduler.
func (e *engine) Before(k hook.Kind, p unsafe.Pointer) {
	a := e.actors[e.cur]
	switch {
	case e.rep.forcing:
		e.force(a, k, p)
	case !e.bare:
		if !e.approach(a, k, p) {
			return
		}
	case a.fresh:
		a.fresh = false
		return
	case !e.decide(a):
		e.pick(a)
	}
	if e.cur == a.id {
		return
	}
	// This is suspend; see switchTo.
	if place := a.on.park(e.stage(e.cur)); place.called {
		place.next()
	} else if !place.yield(struct{}{}) {
		e.crew.left()
	}
	if e.unwinding {
		panic(errKilled)
	}
}

// approach is the part of Before for an execution that is not bare. It reports whether it was decided which
// actor continues.
func (e *engine) approach(a *actor, k hook.Kind, p unsafe.Pointer) bool {
	if e.unwinding {
		a.refuse()
	}
	if e.views != nil {
		e.reach(a, k, p)
	}
	if e.rec != nil {
		e.rec.stand(a, k)
	}
	if a.fresh {
		a.fresh = false
		return false
	}
	if e.steering {
		e.stand(a)
	}
	e.pick(a)
	return true
}

// Wait implements hook.Scheduler.
func (e *engine) Wait(k hook.Kind, p unsafe.Pointer, c hook.Condition) {
	a := e.actors[e.cur]
	if e.unwinding {
		a.refuse()
	}
	e.strays(a)
	if c.Holds() && a.fresh && (e.red == nil || e.red.glued()) {
		e.Before(k, p)
		return
	}
	if e.views != nil {
		e.reach(a, k, p)
		p = e.canonical(p)
	}
	if e.rec != nil {
		e.rec.stand(a, k)
	}
	if e.steering {
		e.stand(a)
	}
	if e.red != nil {
		e.red.wait(a, p, c)
	}
	bit := uint64(1) << uint(a.id)
	a.fresh, a.wait = false, c
	e.ready &^= bit
	e.spinning &^= bit
	e.waiting |= bit
	e.pick(a)
	if e.cur != a.id {
		a.suspend()
		bit = 1 << uint(a.id) // it may have another place
	}
	e.waiting &^= bit
	e.ready |= bit
}

// After implements hook.Scheduler.
func (e *engine) After(k hook.Kind, p unsafe.Pointer, old, new uint64, ok bool) {
	a := e.actors[e.cur]
	if e.rep.forcing {
		e.forced(a, new, ok)
		return
	}
	if e.bare {
		if e.words != nil {
			e.words.step(a, k, p, old, new, ok)
			return
		}
		long := e.step(a, ok && old != new)
		if e.rep.logging && (e.live&(e.live-1) != 0 || e.rep.whole) { // or there are no more decisions
			e.log(a, access{k, p, old, new, ok}, long)
		}
		if long {
			e.repeats(a, access{k, p, old, new, ok})
		}
		if e.failure != nil || e.steps >= e.most {
			e.stop(a)
		}
		return
	}
	if e.views != nil {
		p = e.canonical(p)
	}
	e.steps++
	a.accesses++
	a.stepped, a.atBegin, a.standsAt = true, false, -1
	if e.drawing && !e.probing {
		e.walk.step(e, a)
	}
	e.claims(a)
	if ok && old != new || k.Sync() || !e.readsDie(a) {
		e.stir(a)
	}
	if e.race != nil {
		e.race.sync(a, access{k, p, old, new, ok})
	}
	if e.red != nil {
		e.red.access(a, access{k, p, old, new, ok})
	} else if e.fairness(a, ok && old != new) {
		e.repeats(a, access{k, p, old, new, ok})
	}
	if e.watch {
		e.observe(a, access{k, p, old, new, ok})
	}
	e.also = e.also[:0]
	if e.steps%256 == 0 {
		e.beat()
	}
	if e.failure != nil || e.steps >= e.most {
		e.stop(a)
	}
}

// AfterPointer implements hook.Scheduler.
func (e *engine) AfterPointer(k hook.Kind, p, old, new unsafe.Pointer, ok bool) {
	e.strays(e.actors[e.cur])
	if !e.watch {
		e.After(k, p, uint64(uintptr(old)), uint64(uintptr(new)), ok)
		return
	}
	a := e.actors[e.cur]
	e.After(k, p, e.nameValue(a, old), e.nameValue(a, new), ok)
}

// access is one access as the shims report it.
type access struct {
	kind     hook.Kind
	p        unsafe.Pointer
	old, new uint64
	ok       bool
}

// stop ends the execution after a step of a: at a failure, or at the end that Ends or the step bound sets.
func (e *engine) stop(a *actor) {
	switch {
	case e.outcome != running:
	case e.overdue():
		e.stuck()
	case e.halted:
		e.outcome = interrupted
	default:
		e.outcome = stepBound
	}
	e.cur = driver
	a.suspend()
}

// Choose implements hook.Scheduler.
func (e *engine) Choose(n int) int {
	a := e.actors[e.cur]
	if e.unwinding {
		a.refuse()
	}
	e.strays(a)
	if n < 1 || n > 64 {
		panic(fmt.Sprintf("explore: Choose(%d): want 1 to 64", n))
	}
	v, ok := 0, true
	switch {
	case e.script != nil:
		v, ok = e.script.choose(e, n)
	case e.red != nil && n > 1:
		v, ok = e.red.choose(n, false)
	case n > 1 && !e.soloDue():
		if n := e.choices(n); n > 1 {
			v = e.branchData(n)
			e.delays += min(v, 1)
		}
		ok = !e.leaveShard()
	}
	if !ok {
		e.stop(a)
	}
	if e.red != nil {
		e.red.keep(^v)
	}
	if e.rec != nil {
		e.rec.choice(v)
	}
	if e.watch {
		e.emit(a, Step{Kind: hook.Choice, New: uint64(v), OK: true}, true)
	}
	if e.failure != nil {
		e.stop(a)
	}
	return v
}

// boundary implements Execution.Begin.
func (e *engine) boundary() {
	a := e.actors[e.cur]
	if e.unwinding {
		a.refuse()
	}
	a.waits = 0
	if a.calls = true; a.atBegin {
		return
	}
	e.strays(a)
	e.operationEnds(a)
	if e.soloEnds() {
		e.stop(a)
	}
	if e.rec != nil {
		e.rec.stand(a, hook.Begin)
	}
	e.pick(a)
	if e.cur != a.id {
		a.suspend()
	}
	e.begin(a)
	if e.failure != nil {
		e.stop(a)
	}
}

// begin lets a pass an operation boundary.
func (e *engine) begin(a *actor) {
	a.atBegin, a.fresh, a.opened = true, !e.o.SplitBegin, true
	a.begins++
	e.begun |= 1 << uint(a.id)
	e.progress++
	e.stir(a)
	if e.red != nil {
		e.red.begin(a)
	}
	if e.watch {
		e.emit(a, Step{Kind: hook.Begin, OK: true}, false)
	}
}

// startActor is called by an actor that was picked for the first time.
func (e *engine) startActor(a *actor) {
	if bit := uint64(1) << uint(a.id); e.waiting&bit != 0 { // ServeWhen made it
		e.waiting &^= bit
		e.ready |= bit
	}
	e.begin(a)
	if e.failure != nil {
		e.stop(a)
	}
}

// leave is called by an actor whose body is over.
func (e *engine) leave(a *actor) {
	bit := uint64(1) << uint(a.id)
	e.live &^= bit
	e.ready &^= bit
	e.waiting &^= bit
	e.spinning &^= bit
	if e.rep.forcing {
		e.repeated(a)
		return
	}
	e.progress++
	e.stir(a)
	e.stirred = ^uint64(0) // deaths need an actor that continues, so others may have to come first
	e.operationEnds(a)
	if e.unwinding || e.failure != nil || e.soloEnds() {
		e.cur = driver
		return
	}
	e.vacate(a)
	if e.bare && e.live == 0 && len(e.displaced) == 0 {
		e.cur, e.outcome = driver, complete
	} else {
		e.pick(a)
	}
	if e.cur == driver {
		e.chain()
	}
}

// mark implements Execution.Mark.
func (e *engine) mark(v uint64) {
	a := e.actors[e.cur]
	if e.unwinding {
		return
	}
	e.strays(a)
	if e.red != nil {
		e.red.mark(a.atBegin)
	}
	a.atBegin = false
	e.progress++
	e.stir(a)
	e.events = e.events.then(uint64(a.id)).then(v)
	if e.rec != nil {
		e.rec.marks = append(e.rec.marks, v)
	}
}
