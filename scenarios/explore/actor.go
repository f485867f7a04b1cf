package explore

import (
	"errors"
	"fmt"
	"iter"
	"runtime/debug"

	"github.com/samecycle/samecycle/internal/hook"
)

// errKilled is what unwinds the stack of an actor that was killed or cut.
var errKilled = errors.New("explore: actor killed; this panic unwinds it and must not be kept")

// driver as engine.cur means that no actor runs.
const driver = -1

// maxRefusals bounds the shim calls of an actor that is being unwound. Deferred code makes a
// few; more means that the body recovers from every panic in a loop.
const maxRefusals = 10_000

// An actor is a coroutine that runs one body after another, also those of later explorations (see
// crew).
//
// Control passes from one actor directly to the other where it can: an actor resumes one that
// is suspended, and yields to the one that resumed it. Those in between form a stack of
// resumers with the driver at its bottom; onStack marks its members. So a switch between two
// actors costs one coroutine switch, not a round trip through the driver.
type actor struct {
	// number is the position among the actors of the execution, in the order in which they were made:
	// what programs, tokens and reports call the actor. With Reduce it may differ from id.
	number int

	e       *engine
	id      int32
	process int32 // of engine.processes, or nobody
	name    string
	body    func()

	next    func() (struct{}, bool)
	yield   func(struct{}) bool
	onStack bool

	begun     bool // its body runs or ran in this execution
	ended     bool // its body is over
	fresh     bool // it was picked for its next access already: no decision ahead of it
	atBegin   bool // it stands at an operation boundary
	stepped   bool // it made a step since the last decision at its point
	opened    bool // it made no access since its last boundary
	accesses  int
	operation int // accesses of the current operation
	alone     int // see Actor
	always    int
	begins    int // boundaries passed
	standsAt  int // which access of Options.Coverage it stands ahead of; -1: not known
	wait      hook.Condition
	refusals  int
	spin      spinState
	hist      key    // what it has read so far
	spawned   int    // actors that it made
	named     uint32 // objects that it named
	pending   pending
	lastYield uint64
}

// pending describes the access that an actor stands at; kept while recording only.
type pending struct {
	kind  hook.Kind
	stack []uintptr
}

// reset prepares the actor for a new execution.
func (a *actor) reset() {
	a.begun, a.ended, a.atBegin, a.stepped, a.opened = false, false, false, false, false
	a.begins, a.standsAt, a.operation, a.spawned = 0, -1, 0, 0
	a.fresh, a.number = true, int(a.id)
	a.accesses, a.refusals, a.named, a.lastYield = 0, 0, 0, 0
	a.spin = spinState{}
	a.hist = actorKey(uint64(a.id))
	a.pending = pending{}
}

// resume runs the actor until control comes back to the caller.
func (a *actor) resume() {
	if a.next == nil {
		a.next, _ = iter.Pull(a.run)
	}
	a.next()
}

// run is the coroutine.
func (a *actor) run(yield func(struct{}) bool) {
	a.yield, a.onStack = yield, true
	debug.SetPanicOnFault(true) // an address that means nothing is a panic of the actor, no crash
	for !a.e.closing {
		a.runBody()
		a.e.leave(a)
		a.handOver()
	}
}

func (a *actor) runBody() {
	defer a.recoverBody()
	a.begun = true
	a.e.startActor(a)
	a.body()
}

func (a *actor) recoverBody() {
	a.ended = true
	r := recover()
	if r == nil || r == any(errKilled) || a.e.unwinding {
		return
	}
	a.e.fail(&Failure{
		Kind:    Panicked,
		Message: fmt.Sprintf("actor %s panicked: %v", a.name, r),
		Stacks:  []string{string(debug.Stack())},
	})
}

// handOver lets others run until it is this actor's turn again.
func (a *actor) handOver() {
	for a.e.cur != a.id { // a.e is another one in the next exploration
		if t := a.e.cur; t != driver && !a.e.actors[t].onStack {
			a.e.actors[t].resume()
			continue
		}
		a.onStack = false
		a.yield(struct{}{})
		a.onStack = true
	}
}

// suspend is handOver in the middle of a body: it does not return in an actor that is unwound.
func (a *actor) suspend() {
	a.handOver()
	if a.e.unwinding {
		panic(errKilled)
	}
}

// refuse answers a shim call of an actor that is being unwound.
func (a *actor) refuse() {
	if a.refusals++; a.refusals > maxRefusals {
		a.e.abandon(&Failure{
			Kind: Hung,
			Message: fmt.Sprintf("actor %s was killed, but its body recovers from the panic "+
				"that unwinds it and goes on", a.name),
			Stacks: []string{string(debug.Stack())},
		})
	}
	panic(errKilled)
}
