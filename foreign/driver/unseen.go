package driver

import (
	"context"
	"errors"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/shim/flow"
)

// A watch looks in one execution for what code does that is not explored.
type watch struct {
	disturbed bool          // it has used a channel at which an actor waited
	blocked   time.Duration // the longest time for which an actor ran without a step, and the process did not
	before    int           // the step that followed
	steps     int
	left      time.Duration // for which the execution may still wait for such code
	last      time.Time     // of the last step
	busy      time.Duration // processor time at the last step
}

// For how long an execution waits for code that is not explored, at once and in all.
const (
	patience    = 300 * time.Millisecond
	allPatience = time.Second
)

// longCall is a time that a call that waits for nobody does not take without using the processor.
const longCall = 40 * time.Millisecond

// linger waits for code that is not explored.
func (w *watch) linger() {
	if w.disturbed || w.left <= 0 {
		return
	}
	began := time.Now()
	w.disturbed = flow.Disturbed(min(patience, w.left))
	w.left -= time.Since(began)
	w.last, w.busy = time.Now(), processorTime()
}

// step looks how long the step took.
func (w *watch) step() {
	now, busy := time.Now(), processorTime()
	w.steps++
	if took := now.Sub(w.last); busy-w.busy < took/10 && took > w.blocked {
		w.blocked, w.before = took, w.steps
	}
	w.last, w.busy = now, busy
}

// over returns the program with the watch over its execution.
func (w *watch) over(p explore.Program) explore.Program {
	start, stuck, finish := p.Start, p.Stuck, p.Finish
	p.Start = func(x *explore.Execution) []explore.Actor {
		actors := start(x)
		flow.Clock.Passes = w.linger
		// A replay may run the program twice.
		*w = watch{disturbed: w.disturbed, left: allPatience, last: time.Now(), busy: processorTime()}
		return actors
	}
	p.Step = func(*explore.Execution, explore.Step) error { w.step(); return nil }
	p.Finish = func(x *explore.Execution) error { w.step(); return finish(x) }
	p.Stuck = func(x *explore.Execution) error { w.step(); w.linger(); return stuck(x) }
	return p
}

// doubtUnseen is for a failure to which code that is not explored may have led. If in the schedule of the
// failure such code uses a channel at which an actor waits, or waits itself while no actor can go on, the
// failure is unknown.
func (t tests) doubtUnseen(res *Result) {
	kind := explore.FailureKind(res.Kind)
	if res.Status != Found || res.Seen == res.Token || kind != explore.Verdict && kind != explore.Deadlock &&
		kind != explore.Livelock {
		return
	}
	t.subject.ctx = context.Background()
	doubt := t.unseen(res.Token, kind)
	if doubt == "" {
		res.Seen = res.Token
		return
	}
	res.Status, res.Kind = Unknown, string(explore.Unexplored)
	res.Message = "this may be no failure, since " + doubt + ": " + res.Message
}

// mostCalls is how often a call has to wait at the same step: once, the machine may have been busy.
const mostCalls = 3

// unseen says what code that is not explored does in the schedule of a failure of that kind.
func (t tests) unseen(token string, kind explore.FailureKind) string {
	s, err := t.searchOfToken(token)
	if err != nil {
		return ""
	}
	var first watch
	for i := range mostCalls {
		var w watch
		o := explore.Options{Strays: true, Audit: -1}
		r, err := s.judge.ofTest(explore.Replay(w.over(s.program), token, o))
		switch {
		case err != nil && !errors.Is(err, explore.ErrToken):
			return ""
		case w.disturbed:
			return "code that is not explored has used a channel at which an actor waits, and the explorer " +
				"does not see when it does: what waits for a package without a copy, such as net/http, " +
				"os/signal or os/exec, has to be replaced for the test by what waits for the explored code"
		case err != nil || r.Failure == nil || r.Failure.Kind != kind: // it takes other steps, or passes
			return "it does not fail so when the same decisions are made again: something else decides, too"
		case i == 0:
			first = w
		}
		if w.blocked < longCall || w.before != first.before {
			return ""
		}
	}
	return "a call of code that is not explored has waited for " +
		first.blocked.Round(time.Millisecond).String() + ", while the clock of the explored code stood " +
		"still and no other goroutine could go on: let the test call something else, which waits for " +
		"the explored code"
}
