package explore

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/samecycle/samecycle/internal/plural"
)

// Explore searches the executions of p within the bounds of o and stops at the first failure. An error means
// that nothing could be explored; a failure of the program is in Report.Failure.
func Explore(p Program, o Options) (Report, error) {
	o = o.withDefaults()
	if err := o.check(p); err != nil {
		return Report{}, err
	}
	e := newEngine(p, o)
	if err := e.restore(); err != nil {
		return Report{}, err
	}
	r, err := control(e, (*engine).search)
	if err == nil && e.signals.fate.Load() == explored {
		err = e.broken
	}
	e.retire()
	return r, err
}

// Ascending explores p with preemption bounds 0, 1, ... up to maxBound. It stops at the first bound with a
// failure, or at the first bound that no execution used up, because then all executions were covered. So
// the failure that it reports has as few preemptions as any. The report is that of the bound that decided,
// with Executions, Steps and Elapsed summed over all. MaxBound may be Unbounded; see Climb.
func Ascending(p Program, o Options, maxBound int) (Report, error) {
	var sum Stats
	r, err := Climb(maxBound, func(bound int) (Report, error) {
		o.Preemptions = bound
		r, err := Explore(p, o)
		sum.Executions += r.Executions
		sum.Steps += r.Steps
		sum.Elapsed += r.Elapsed
		return r, err
	})
	r.Executions, r.Steps, r.Elapsed = sum.Executions, sum.Steps, sum.Elapsed
	return r, err
}

// climbed is the last bound that Climb tries if there is no highest one, because every bound searches again
// what the bounds below it cover.
const climbed = 2

// Climb is Ascending for a caller that searches in its own way. try searches one program within the given
// bound, and its report names that bound. The report that Climb returns is the one that decided, unchanged
// except for a clause in Bound. With maxBound Unbounded Climb tries the bounds 0, 1 and 2, and then no
// bound; after a failure found then, it tries the bounds between. It stops at an error of try.
func Climb(maxBound int, try func(bound int) (Report, error)) (Report, error) {
	for bound := 0; ; bound++ {
		if maxBound == Unbounded && bound > climbed {
			bound = Unbounded
		}
		r, err := try(bound)
		if err != nil {
			return r, err
		}
		switch {
		case r.Failure != nil && bound == Unbounded:
			return descend(r, try)
		case r.Failure != nil:
			return r.fewest(), nil
		case bound != Unbounded && r.Everything():
			r.Bound += "; no execution has more preemptions, so these are all interleavings"
			return r, nil
		case !r.Exhaustive:
			return r.before(bound), nil
		case bound == maxBound:
			return r, nil
		}
	}
}

// descend looks for a failure with fewer preemptions than the failure of r, which was found without a bound.
// If that ends early, or finds none within a bound, r is kept.
func descend(r Report, try func(bound int) (Report, error)) (Report, error) {
	for bound := climbed + 1; bound < r.Failure.Preemptions; bound++ {
		lower, err := try(bound)
		if err != nil {
			return r, err
		}
		if lower.Failure != nil {
			return lower.fewest(), nil
		}
		if !lower.Exhaustive {
			return r.before(bound), nil
		}
	}
	return r.fewest(), nil
}

// before notes that the bounds below this one were searched to their end without a failure.
func (r Report) before(bound int) Report {
	if bound == Unbounded {
		bound = climbed + 1
	}
	if r.Below = bound; bound > 0 {
		r.Bound += fmt.Sprintf("; all executions with fewer than %s were searched, and none "+
			"of them fails", plural.Of(bound, "preemption"))
	}
	return r
}

// fewest notes that all lower bounds were searched without a failure.
func (r Report) fewest() Report {
	if n := r.Failure.Preemptions; n > 0 {
		r.Bound += fmt.Sprintf("; no execution with fewer than %s fails", plural.Of(n, "preemption"))
	}
	return r
}

// Replay runs the one execution that a token describes. From o it takes only what does not change the
// execution; the token has the rest. If the execution fails, the failure has its table. A token that is
// damaged or belongs to another program is an error. A token that does not fit the program any more is a
// failure of kind Diverged.
func Replay(p Program, token string, o Options) (Report, error) {
	o = o.withDefaults()
	t, s, err := parseToken(p.Name, token)
	if err != nil {
		return Report{}, err
	}
	o.Kills, o.AnyKill, o.SplitBegin = t.Kills, t.AnyKill, t.SplitBegin
	o.MaxSteps, o.SpinLimit, o.LockFree, o.Solo = t.MaxSteps, t.SpinLimit, t.LockFree, 0
	o.Starvation = t.Starvation
	o.Reduce, o.Histories, o.Races, o.PlainSteps = t.Reduce, t.Histories, t.Races, t.PlainSteps
	o.Stateful, o.Walks, o.Strategy, o.BlockedOK = false, 0, Plain, false
	o.Shards, o.Shard, o.Checkpoint, o.Coverage, o.Guide = 0, 0, nil, nil, nil
	if o.Preemptions = Unbounded; s.sparse {
		o.Preemptions = t.Preemptions
	}
	if err := o.check(p); err != nil {
		return Report{}, err
	}
	e := newEngine(p, o)
	e.script = s
	return control(e, (*engine).replay)
}

// search runs execution after execution.
func (e *engine) search() Report {
	if e.o.Walks > 0 && e.walk == nil {
		e.walk = newDrawer(e.o)
	}
	began := time.Now()
	e.written = began
	var failure *Failure
	if e.resumed != nil {
		failure = e.prime()
		e.exhausted = e.resumed.Done
	} else {
		failure = e.one(e.auditDue(0))
	}
	for failure == nil && e.broken == nil && !e.signals.stopped() && e.next() {
		failure = e.one(e.auditDue(e.stats.Executions))
		if e.signals.progressWanted() && e.o.Progress != nil {
			e.stats.Elapsed = e.elapsed(began)
			e.o.Progress(e.snapshot())
		}
		if failure == nil {
			e.checkpoint(began, false)
		}
	}
	if failure == nil {
		failure = e.auditOnly()
	}
	if failure == nil {
		e.checkpoint(began, true)
	}
	e.stats.Elapsed = e.elapsed(began)
	return e.report(failure, failure == nil && e.exhausted && e.stats.StepBound == 0)
}

// next moves on to the next execution, and reports whether there is one. If not, the trail stays that of the
// last one.
func (e *engine) next() bool {
	if e.walk != nil {
		e.trail = e.trail[:0]
		return e.stats.Executions < e.o.Walks && !e.limit(e.stats.Executions)
	}
	if e.outcome == strayed {
		e.forsake()
		return true
	}
	if e.o.Reduce {
		if !e.advanced {
			e.exhausted = !e.reduced()
		}
		e.advanced = false
		return !e.exhausted && !e.limit(e.stats.Executions)
	}
	if e.exhausted = !e.more(); e.exhausted || e.limit(e.stats.Executions) {
		return false
	}
	return e.advance()
}

// reduced finds the next execution of a reduced search and reports whether there is one.
func (e *engine) reduced() bool {
	if e.words != nil {
		return e.words.advance()
	}
	return e.red.advance()
}

// more reports whether the search has another execution.
func (e *engine) more() bool {
	for i := len(e.trail) - 1; i >= 0; i-- {
		if e.trail[i].left != 0 {
			return true
		}
	}
	return false
}

// auditDue reports whether the execution after n others must be run twice. A promise (Program.Words) is also
// checked in early executions, above all in the first one that repeats anything: 1, 8, 64 and so on.
func (e *engine) auditDue(n uint64) bool {
	every := uint64(max(e.o.Audit, 0))
	switch {
	case every == 0:
		return false
	case e.words != nil && n == 0:
		return e.limit(1) // the limit makes it the only one; otherwise see auditOnly
	}
	return n%every == 0 || e.rep.allowed && n&(n-1) == 0 && bits.TrailingZeros64(n)%3 == 0
}

// auditOnly is the audit of an execution of a program of words, if it is the only execution.
func (e *engine) auditOnly() *Failure {
	if !e.exhausted || e.words == nil || e.o.Audit <= 0 || e.stats.Audited > 0 {
		return nil
	}
	e.stats.Audited++
	return e.auditWords()
}

// limit reports whether n executions reach the limit of the options.
func (e *engine) limit(n uint64) bool { return e.o.MaxExecutions > 0 && n >= e.o.MaxExecutions }

// plainNext reports whether the execution after the running one is a plain one, which the driver need not
// prepare.
func (e *engine) plainNext() bool {
	n := e.stats.Executions + 1
	if e.auditDue(n) || e.limit(n) || e.signals.pending() {
		return false
	}
	return e.o.Reduce || e.more()
}

// one runs and counts the execution that the trail describes, and the executions chained to it.
func (e *engine) one(audit bool) *Failure {
	e.chaining, e.drawing = !audit && e.walk == nil && e.o.Solo == 0, e.walk != nil
	e.rep.whole = audit && e.rep.allowed
	if audit && !e.rep.whole {
		e.rec = e.crew.recs[0].afresh()
	}
	first := e.rec
	e.execute()
	e.count()
	if e.drawing {
		e.walk.end(e)
	}
	e.chaining, e.drawing, e.rec = false, false, nil
	switch {
	case e.failure != nil:
		return e.explain(e.failure)
	case e.outcome == foreignShard || e.outcome == strayed || e.outcome == interrupted:
		return nil
	case e.o.Solo > 0:
		if f := e.probe(); f != nil {
			return f
		}
	}
	if !audit {
		return nil
	}
	e.stats.Audited++
	if e.rep.whole {
		return e.auditWords()
	}
	return e.audit(first)
}

// count adds the execution to the statistics.
func (e *engine) count() {
	if e.outcome == foreignShard || e.outcome == strayed || e.outcome == interrupted {
		return
	}
	s := &e.stats
	s.Executions++
	s.Steps += uint64(e.steps)
	s.MaxDepth = max(s.MaxDepth, e.pos)
	s.MaxSteps = max(s.MaxSteps, e.steps)
	s.MaxPreemptions = max(s.MaxPreemptions, e.preempts)
	s.MaxDelays = max(s.MaxDelays, e.delays)
	s.MaxActors = max(s.MaxActors, len(e.born))
	if e.killsLeft < e.o.Kills {
		s.Killed++
	}
	if e.late {
		s.Crowded++
	}
	if e.starved {
		s.Starved++
	}
	switch e.outcome {
	case complete:
		s.Complete++
	case pruned:
		s.Pruned++
	case asleep:
		s.SleepBlocked++
	case blocked:
		s.Blocked++
	case stepBound:
		s.StepBound++
	}
}

func (e *engine) snapshot() Stats {
	s := e.stats
	s.States = e.seen.n
	switch {
	case e.words != nil:
		s.Classes = e.words.classes.n
	case e.red != nil:
		s.Classes = e.red.classes.n
	}
	return s
}

// audit runs the execution again and compares.
func (e *engine) audit(first *recorder) *Failure {
	second := e.crew.recs[1].afresh()
	e.record(second)
	differ := compare(first, second)
	if differ != "" {
		differ = "led to different steps: " + differ
	}
	return e.unlike(differ, "", func() ([]Step, string) {
		steps, items := second.take()
		return steps, makeToken(e.p.Name, e.o, items, true)
	})
}

// unlike returns the failure of an audit, nil if there is none. There is one if the second run, which second
// describes, had another verdict, or if differ says how it differs from the first. or names what else the
// reason may be.
func (e *engine) unlike(differ, or string, second func() (steps []Step, token string)) *Failure {
	switch {
	case e.failure != nil && e.failure.Kind == Nondeterminism:
		return e.explain(e.failure)
	case e.failure != nil:
		differ = "passed, and then failed: " + e.failure.Message
	case differ == "":
		return nil
	}
	steps, token := second()
	return &Failure{Kind: Nondeterminism, Message: "the same decisions " + differ +
		"; the program depends on something that is not explored" + or, Actors: e.actorNames(), Steps: steps,
		Token: token}
}

// record runs the execution again, in order.
func (e *engine) record(into *recorder) {
	e.rec = into
	e.executeAgain()
	e.rec = nil
}

// compare describes the first difference of two records; it is "" if there is none.
func compare(a, b *recorder) string {
	for i := range min(len(a.steps), len(b.steps)) {
		if a.steps[i] != b.steps[i] {
			return fmt.Sprintf("step %d is %s by actor %d, then %s by actor %d", i,
				cell(a.steps[i]), a.steps[i].Actor, cell(b.steps[i]), b.steps[i].Actor)
		}
	}
	if len(a.steps) != len(b.steps) {
		return fmt.Sprintf("%d steps, then %d", len(a.steps), len(b.steps))
	}
	for i := range min(len(a.marks), len(b.marks)) {
		if a.marks[i] != b.marks[i] {
			return fmt.Sprintf("client event %d is %#x, then %#x", i, a.marks[i], b.marks[i])
		}
	}
	if len(a.marks) != len(b.marks) {
		return fmt.Sprintf("%d client events, then %d", len(a.marks), len(b.marks))
	}
	return ""
}

// explain runs the failing execution again with everything recorded, and completes the failure.
func (e *engine) explain(f *Failure) *Failure {
	if w := e.words; w != nil {
		e.script = &script{items: slices.Clone(w.picks[:w.at])}
		e.inOrder()
	}
	e.rec = &recorder{sites: true}
	e.executeAgain()
	rec := e.rec
	e.rec = nil
	g := e.failure
	if g == nil || g.Kind != f.Kind {
		f.Message += "; a second run of the same decisions did not fail so: nondeterminism"
		f.Kind = Nondeterminism
	} else if g.Message != f.Message {
		f.Message += "; a second run of the same decisions said: " + g.Message
	}
	e.complete(f, rec)
	return f
}

// complete adds to a failure what was recorded of its execution.
func (e *engine) complete(f *Failure, rec *recorder) {
	steps, items := rec.take()
	f.Actors, f.Steps, f.Notes, f.Preemptions = e.actorNames(), steps, rec.notes, e.preempts
	f.Token = makeToken(e.p.Name, e.o, items, true)
	if f.Kind == Race && e.race.found != nil {
		f.Stacks = e.race.stacks()
	}
	if f.Kind == Livelock || f.Kind == Obstructed || f.Kind == NotLockFree {
		f.Cycles = cyclesOf(len(e.born), steps)
	}
	if f.Kind != Deadlock && f.Kind != Livelock && f.Kind != Obstructed && f.Kind != NotLockFree {
		return
	}
	for _, a := range e.undone(e.left) {
		if at := cmp.Or(resolve(a.pending.stack), a.made); f.Kind == Deadlock && at.fn != "" {
			f.Message += fmt.Sprintf("; %s in %s at %s", a.name, a.pending.kind, at.text())
		}
		f.Stacks = append(f.Stacks, fmt.Sprintf("%s stands at %s:\n%s",
			a.name, a.pending.kind, stackText(a.pending.stack)))
	}
}

func (e *engine) actorNames() []string {
	var s []string
	for _, b := range e.born {
		s = append(s, b.name)
	}
	return s
}

// replay runs the script once.
func (e *engine) replay() Report {
	began := time.Now()
	e.rec = &recorder{sites: true}
	e.execute()
	e.count()
	rec := e.rec
	e.rec = nil
	f := e.failure
	if f != nil {
		e.complete(f, rec)
	}
	e.stats.Elapsed = time.Since(began)
	r := e.report(f, false)
	r.Bound = "one replayed execution"
	return r
}

// report says what the search did.
func (e *engine) report(f *Failure, exhaustive bool) Report {
	r := Report{Program: e.p.Name, Stats: e.snapshot(), Failure: f, Exhaustive: exhaustive,
		shard: e.shards > 0}
	r.Preemptions, r.Delays, r.Starvation = e.o.Preemptions, e.o.Delays, e.o.Starvation
	r.Bound = e.bound(r)
	return r
}
