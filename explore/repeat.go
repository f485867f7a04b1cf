package explore

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// An execution of a plain search begins with the same steps as the one before it, up to the last decision of
// its trail. If the program is one of words (Program.Words), these steps need not be repeated in order,
// because what an actor does depends only on the results of its accesses. So each actor repeats all its own
// steps without a switch. Before each step its word is set to the value that was found there the first time.
// That takes one switch for each actor that is suspended in the end, instead of one for each change of
// turns. Then the words are set to what the steps left, and the search continues in the state that it had at
// the decision.

// A repeater is what a search knows of the steps and decisions of its last execution. points and log
// describe what later executions may have in common with it; for each planned decision, they have the state
// before it.
type repeater struct {
	allowed bool  // the program is one of words, as far as is known, and the search may repeat steps
	logging bool  // log and points have all of the running execution
	forcing bool  // actors repeat their steps; meanwhile the execution is not a bare one
	whole   bool  // the steps of an actor that runs alone at the end are logged, too
	moved   bool  // the regions are not those of the execution before
	last    bool  // the heir has steps of its own to repeat
	heir    int32 // the actor that continues after the last decision
	owed    uint64
	log     []logged
	kept    []logged    // log of an execution that is run again
	spins   []spinState // by step: what fairness knew of its actor after it; in a plain search
	points  []point
	most    int      // length of the longest log
	regions []region // regions with the words of the log
	times   uint64   // number of executions that began with steps out of their order
}

// logged is a step of an actor, and what the checks of claims knew of the actor after it.
type logged struct {
	access
	actor     int32
	next      int // the actor's next step, if there is one in the log
	operation int
}

// never is the position of a step that is not in a log.
const never = math.MaxInt

// A point is the state of the search before a decision, without what the actors know.
type point struct {
	steps, preempts, sinceEnd int
	writes, progress, begun   uint64
	by                        int32 // actor at whose scheduling point the decision is taken, or driver
	runOf                     int32
	runFor                    int
}

// left is the value that the access left in its word.
func (s *access) left() uint64 {
	if s.ok {
		return s.new
	}
	return s.old
}

// point notes the state ahead of a decision at the scheduling point of the actor, or of the driver.
func (e *engine) point(by int32) {
	e.rep.points = append(e.rep.points, point{e.steps, e.preempts, e.sinceEnd, e.writes, e.progress,
		e.begun, by, e.run.actor, e.run.n})
}

// log notes a step of a bare execution. long says that fairness is about to examine data that is not logged.
func (e *engine) log(a *actor, s access, long bool) {
	r := &e.rep
	if long {
		r.logging = false
		return
	}
	if s.kind > hook.Or || !e.isWord(s.p) || *(*uint64)(s.p) != s.left() {
		r.allowed, r.logging = false, false
		return
	}
	r.spins = append(r.spins[:len(r.log)], a.spin)
	r.add(a, s.kind, s.p, s.old, s.new, s.ok)
}

// add notes a step of a.
func (r *repeater) add(a *actor, k hook.Kind, p unsafe.Pointer, old, new uint64, ok bool) {
	i := len(r.log)
	if a.latest == never {
		a.head = i
	} else {
		r.log[a.latest].next = i
	}
	a.latest = i
	if i == cap(r.log) {
		r.log = slices.Grow(r.log, 1)
	}
	r.log = r.log[:i+1]
	l := &r.log[i] // assigning a literal would copy it
	l.kind, l.p, l.old, l.new, l.ok = k, p, old, new, ok
	l.actor, l.next, l.operation = a.id, never, a.operation
}

// isWord reports whether a word of 64 bits at p lies in a region.
func (e *engine) isWord(p unsafe.Pointer) bool {
	const size = unsafe.Sizeof(uint64(0))
	for i := range e.regions {
		g := &e.regions[i]
		if off := uintptr(p) - g.base; off < g.size {
			return g.size-off >= size && uintptr(p)%size == 0
		}
	}
	return false
}

// strays notes that a does something other than an access to a word.
func (e *engine) strays(a *actor) {
	if e.rep.forcing {
		e.departs(a)
	}
	e.rep.allowed, e.rep.logging = false, false
	if e.words != nil {
		e.words.stray()
		a.suspend()
	}
}

// recall makes the execution that is about to start repeat what it has in common with the last one. It
// reports false if the execution has to run from its first decision on.
func (e *engine) recall() bool {
	if e.words != nil {
		return e.words.recall()
	}
	r := &e.rep
	r.forcing, r.logging, r.most = false, r.allowed && e.bare, max(r.most, len(r.log))
	at := len(e.trail) - 1
	r.moved = !slices.Equal(r.regions, e.regions)
	if !r.logging || r.moved || at < 0 || at >= len(r.points) {
		r.log, r.points = r.log[:0], r.points[:0]
		r.regions = append(r.regions[:0], e.regions...)
		return false
	}
	p := &r.points[at]
	r.log, r.points = r.log[:p.steps], r.points[:at+1]
	e.repeat(p.begun, int32(e.trail[at].chosen))
	return true
}

// repeat makes all actors that have begun repeat their steps. The heir, which continues afterwards, comes
// last.
func (e *engine) repeat(begun uint64, heir int32) {
	r, bit := &e.rep, uint64(1)<<uint(heir)
	r.owed, r.last, r.heir = begun&^bit, begun&bit != 0, heir
	r.forcing, e.bare = true, false
	r.times++
	e.onward()
}

// onward decides which actor repeats its steps next. When all have done so, it continues the search.
func (e *engine) onward() {
	r := &e.rep
	switch m := r.owed; {
	case m != 0:
		r.owed = m & (m - 1)
		e.cur = int32(bits.TrailingZeros64(m))
	case r.last:
		r.last = false
		e.cur = r.heir
	default:
		e.rejoin()
	}
}

// force is Before for an actor that repeats its steps. If the step is not one of these, it decides which
// actor continues.
func (e *engine) force(a *actor, k hook.Kind, p unsafe.Pointer) {
	r := &e.rep
	a.fresh = false
	i := a.turn
	if uint(i) >= uint(len(r.log)) {
		e.onward()
		return
	}
	s := &r.log[i]
	if s.actor != a.id || s.kind != k || s.p != p {
		e.departs(a)
	}
	*(*uint64)(p) = s.old
	a.latest, a.turn = i, s.next
}

// forced is After for a step that was repeated.
func (e *engine) forced(a *actor, new uint64, ok bool) {
	if was := &e.rep.log[a.latest]; was.new != new || was.ok != ok {
		e.departs(a)
	}
}

// departs ends an execution in which a, which runs, does not do what it did before.
func (e *engine) departs(a *actor) {
	e.departed(a)
	a.suspend()
}

func (e *engine) departed(a *actor) {
	e.cur = driver
	e.fail(&Failure{Kind: Nondeterminism, Message: fmt.Sprintf("actor %s found the same values as "+
		"before, and does something else; what the actors do depends on more than words (Program.Words)",
		a.name)})
}

// repeated is called by an actor whose body has ended, if the actor was repeating its steps.
func (e *engine) repeated(a *actor) {
	if a.turn < len(e.rep.log) {
		e.departed(a)
		return
	}
	e.onward()
}

// rejoin continues the search when all actors have repeated their steps: it takes the last decision.
func (e *engine) rejoin() {
	r := &e.rep
	r.forcing, e.bare = false, true
	for i := range r.log {
		s := &r.log[i].access
		*(*uint64)(s.p) = s.left()
	}
	for m := e.begun & e.live; m != 0; m &= m - 1 {
		a := e.actors[bits.TrailingZeros64(m)]
		s := &r.log[a.latest]
		a.operation, s.next = s.operation, never // another step may follow now
		if e.words == nil {
			a.spin = r.spins[a.latest]
		}
	}
	if e.words != nil {
		e.words.rejoin()
		return
	}
	at := len(e.trail) - 1
	n, p := &e.trail[at], &r.points[at]
	e.steps, e.preempts, e.sinceEnd = p.steps, p.preempts, p.sinceEnd
	e.writes, e.progress = p.writes, p.progress
	e.run.actor, e.run.n, e.pos = p.runOf, p.runFor, len(e.trail)
	if other := n.opts ^ e.ready; other != 0 {
		e.departed(e.actors[bits.TrailingZeros64(other)])
		return
	}
	// The first option at the decision was the actor that came to it, if there was one. Now it is another
	// actor's turn.
	e.cur = int32(n.chosen)
	if n.opts>>uint(p.by)&1 == 1 {
		e.preempts++
	}
}

// auditWords runs the execution again, in order, and compares the logs of both runs, which have all steps,
// and their verdicts. If the logs say nothing, it is the audit of any other program.
func (e *engine) auditWords() *Failure {
	r := &e.rep
	if !r.logging {
		return e.auditOrdered()
	}
	r.kept, r.log, r.points = r.log, r.kept[:0], r.points[:0] // so nothing is repeated
	e.executeAgain()
	differ := ""
	switch {
	case e.failure != nil: // whatever the log says
	case r.moved && e.words != nil: // the search starts again
		return nil
	case r.moved:
		return e.auditOrdered()
	case !r.logging:
		differ = "led to accesses of words, and then to something else"
	case !slices.EqualFunc(r.kept, r.log, sameStep):
		differ = "led to different steps: " + compare(e.retell(0, r.kept), e.retell(1, r.log))
	}
	return e.unlike(differ, ", or what the actors do on more than words (Program.Words)",
		func() ([]Step, string) {
			steps, _ := e.retell(1, r.log).take()
			return steps, e.x.Token()
		})
}

// auditOrdered compares two runs of the execution, both in order.
func (e *engine) auditOrdered() *Failure {
	first := e.crew.recs[0].afresh()
	e.record(first)
	return e.audit(first)
}

func sameStep(a, b logged) bool { return a.access == b.access && a.actor == b.actor }

// retell converts a log to a record of accesses.
func (e *engine) retell(i int, log []logged) *recorder {
	rec := e.crew.recs[i].afresh()
	for i := range log {
		s, a := &log[i], e.actors[log[i].actor]
		rec.step(Step{Index: i, Actor: a.number, Kind: s.kind, Object: e.name(a, s.p), Old: s.old, New: s.new,
			OK: s.ok})
	}
	return rec
}

// forget releases the words of the program.
func (r *repeater) forget() {
	most := max(r.most, len(r.log), len(r.kept))
	clear(r.log[:min(most, cap(r.log))])
	clear(r.kept[:min(most, cap(r.kept))])
	*r = repeater{log: r.log[:0], kept: r.kept[:0], spins: r.spins[:0], points: r.points[:0],
		regions: r.regions[:0], times: r.times}
	if cap(r.log) > keptSteps || cap(r.points) > keptDecisions {
		*r = repeater{}
	}
}

// lent returns the memory of the repeater for a new search.
func (r repeater) lent(allowed bool) repeater {
	return repeater{allowed: allowed, log: r.log, kept: r.kept, spins: r.spins, points: r.points,
		regions: r.regions}
}
