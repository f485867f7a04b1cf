package explore

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// fail records the execution's first failure.
func (e *engine) fail(f *Failure) {
	if e.failure == nil {
		e.failure, e.outcome = f, failed
	}
}

// overdue reports whether the execution has come to the end that Execution.Ends has set.
func (e *engine) overdue() bool { return e.ends > 0 && e.steps >= e.ends }

// stuck is called when no actor can be picked, or when the execution is overdue.
func (e *engine) stuck() {
	e.cur = driver
	crowding := e.crowding()
	switch {
	case crowding != nil:
		e.fail(crowding)
	case len(e.undone(e.live)) == 0:
		e.outcome = complete
	case e.o.BlockedOK:
		e.outcome = blocked
	default:
		e.fail(&Failure{Kind: Deadlock, Message: e.describeDeadlock()})
	}
}

func (e *engine) describeDeadlock() string {
	var stuck []string
	for _, a := range e.undone(e.live) {
		stuck = append(stuck, a.name)
	}
	verb, names := "waits", strings.Join(stuck, ", ")
	if len(stuck) > 1 {
		verb = "wait"
	}
	s := fmt.Sprintf("no actor can go on: %s %s for ever", names, verb)
	if e.overdue() {
		s = fmt.Sprintf("not all actors have ended in time: %s", names)
	}
	for m := e.dead; m != 0; m &= m - 1 {
		s += fmt.Sprintf("; %s was killed and keeps what it held",
			e.actors[bits.TrailingZeros64(m)].name)
	}
	return s
}

// crowding returns the failure that replaces a deadlock or a livelock if actors wait for places, because
// they might have ended it. It is nil if no such actor is needed.
func (e *engine) crowding() *Failure {
	i := slices.IndexFunc(e.crowd, func(n newcomer) bool { return !n.serves })
	if i < 0 {
		return nil
	}
	return &Failure{Kind: Unexplored, Message: fmt.Sprintf("actor %s cannot begin: at most %d actors are "+
		"explored at a time, and none of these ends: use a smaller program", e.crowd[i].name, MaxActors)}
}
