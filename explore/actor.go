package explore

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/samecycle/samecycle/internal/hook"
)

// errKilled is the panic that unwinds the stack of an actor that was killed or cut.
var errKilled = errors.New("explore: actor killed; this panic unwinds it and must not be kept")

// driver as engine.cur means that no actor runs.
const driver = -1

// maxRefusals bounds the shim calls of an actor that is being unwound. Deferred code makes a
// few; more means that the body recovers from every panic in a loop.
const maxRefusals = 10_000

// An actor is one body of the running execution. It runs on a coroutine of the crew from its first
// step until its body is over.
type actor struct {
	// number is the position of the actor among the actors of the execution, in the order in which they were
	// made. Programs and reports use it to name the actor. With Reduce number may differ from id, and then
	// tokens use number, too. Without Reduce it is larger than that of the place if other actors had the
	// place before.
	number int

	e       *engine
	id      int32
	process int32 // of engine.processes, or nobody
	name    string
	body    func()

	on *coroutine // that its body runs on; nil before the first step and after the end

	begun     bool // its body runs or ran in this execution
	ended     bool // its body is over
	fresh     bool // it was picked for its next access already, so no decision comes before that
	atBegin   bool // it stands at an operation boundary
	stepped   bool // it made a step since the last decision at its point
	opened    bool // it made no access since its last boundary
	accesses  int
	operation int // accesses of the current operation
	alone     int // see Actor
	always    int
	begins    int // boundaries passed
	standsAt  int // the access of Options.Coverage that it stands at; -1: not known
	wait      hook.Condition
	refusals  int
	spin      spinState
	passed    int // decisions since its last turn for which it could have continued; with Options.Starvation
	origin    key
	hist      key    // hash of what it has read so far, from origin on
	spawned   int    // number of actors that it made
	calls     bool   // it has begun an operation by Execution.Begin
	waits     int    // number of waits for the clock, see Waits
	named     uint32 // number of objects that it named
	met       int    // number of shadows that it met first; see detector
	pending   pending
	made      site // place in the code where its maker made it; kept while recording only
	lastYield uint64
	head      int // its first step in the log of repeat.go
	turn      int // its next step there, while it repeats them
	latest    int // its latest step in this execution there; never: none
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
	a.calls, a.waits = false, 0
	a.fresh, a.number = true, int(a.id)
	a.accesses, a.refusals, a.named, a.met, a.lastYield, a.latest = 0, 0, 0, 0, 0, never
	a.spin, a.passed = spinState{}, 0
	a.hist = a.origin
	a.pending = pending{}
	a.turn = a.head
}

// runBody runs the actor from its start to its end, on the coroutine that runs.
func (a *actor) runBody() {
	defer a.recoverBody()
	a.begun = true
	a.e.runs()
	a.e.startActor(a)
	a.body()
}

func (a *actor) recoverBody() {
	a.ended = true
	r := recover()
	if r == nil || r == any(errKilled) || a.e.unwinding {
		return
	}
	kind := Panicked
	if _, refused := r.(hook.Refusal); refused {
		kind = Unexplored
	}
	a.e.fail(&Failure{
		Kind:    kind,
		Message: fmt.Sprintf("actor %s panicked: %v", a.name, r),
		Stacks:  []string{string(debug.Stack())},
	})
}

// suspend switches to the actor in e.cur, in the middle of a body, and returns when it is a's turn again. It
// does not return in an actor that is unwound.
func (a *actor) suspend() {
	a.on.switchTo(a.e.stage(a.e.cur))
	a.e.runs()
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
