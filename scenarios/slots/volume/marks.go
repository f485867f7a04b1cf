package volume

import (
	"github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/stress"
)

// marks counts the races of the state in a round.
func (w *world) marks(x *stress.Window) (n uint64) {
	if w.state == 5 {
		reused := w.words[wordReuse].Load()
		n, w.reused = reused-w.reused, reused
		return n
	}
	for i := range x.Events {
		if w.race(&x.Events[i]) {
			n++
		}
	}
	return n
}

// race tells whether an operation is one side of the race of the state.
func (w *world) race(e *stress.Event) bool {
	o := slots.Outcome(e.Result[0])
	switch w.state {
	case 1:
		return !e.Pending && e.Extra&seenGaveUp != 0 && w.performed(e.Request[1]).times > 0
	case 2:
		return !e.Pending && e.Extra&seenDied != 0
	case 3: // and the audit has found all slots free
		return e.Pending && w.left[e.Owner] != slots.Free
	case 4:
		return !e.Pending && e.Extra&seenSleep != 0 && o == slots.Answered
	}
	return false
}
