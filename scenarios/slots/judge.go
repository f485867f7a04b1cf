package slots

import (
	"time"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
	model "github.com/samecycle/samecycle/model/slots"
)

// The sequential specification is a counter that the service has. A request adds 1 to it, and its response is
// the sum. One that was not done changes nothing. One with an unknown outcome may be performed at any time
// from its call on, or never: it is pending. What else an actor calls changes nothing.

// step returns the counter behind a call, and whether the call may answer as it did.
func step(n uint8, c call, a answer) (uint8, bool) {
	if !c.requests() || a.result == model.NotDone || a.result == model.Busy {
		return n, true
	}
	return n + 1, a.result == model.Performed && a.n == n+1
}

// pending is what a call may have left whose outcome nobody knows.
func pending(n uint8, c call) []uint8 {
	if c.requests() {
		return []uint8{n + 1}
	}
	return nil
}

// withPending makes the calls pending whose outcome the client was told to be unknown. Each is that of a
// client of its own, since the one who was told goes on.
func withPending(h history.History[call, answer]) history.History[call, answer] {
	all := make(history.History[call, answer], 0, len(h))
	for i, op := range h {
		if !op.Pending && op.Request.requests() && op.Result.result == model.Unknown {
			op.Pending, op.Return, op.Result = true, history.Forever, answer{}
			op.Client = model.MaxActors + i
		}
		all = append(all, op)
	}
	return all
}

// judgeTimeout bounds the judging of one history; one that needs longer is unknown, a failure.
const judgeTimeout = 10 * time.Second

// judge gives the verdict on the histories of a program.
func judge() *linearizability.Judge[call, answer] {
	return linearizability.NewJudge(linearizability.Spec[call, answer, uint8]{
		Init: func(call) uint8 { return 0 },
		Step: step, Pending: pending,
	}.Model(), judgeTimeout)
}
