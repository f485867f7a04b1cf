package explore

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A wordReducer is the reducer (see reduce.go) for small programs of words (Program.Words). It makes the
// same search, of the same executions in the same order. While no execution has more than 64 steps, a set of
// steps is one word. Then a few operations on words find the order of steps, the steps that are independent
// of a step, and the steps of a reversal. The steps that an execution has in common with the last one are
// repeated actor by actor (see repeat.go), and not decided again.
//
// If the program does something other than accesses to words, or has more than there is room for, the search
// starts again with a reducer, which has no such bounds: see strays and forsake.
type wordReducer struct {
	e      *engine
	frames [wordSteps]wordFrame
	n      int  // steps of the running execution; before it runs, those in common with the last one
	begun  bool // the search has had an execution

	picks []int // the decisions of the execution, as a token lists them
	at    int   // number of picks taken

	objects [wordObjects]wordObject
	known   int               // objects
	places  [wordPlaces]uint8 // by a hash of the address: the object's number + 1
	last    [wordActors]int8  // by actor: its latest step, -1: none
	steps   [wordActors]uint64
	changes uint64 // the steps that changed their object

	plans []wordPlan
	spare planList // plans that are not in use

	classes keys
}

// The limits of a wordReducer. A program beyond them is searched by a reducer.
const (
	wordSteps   = 64 // of an execution
	wordActors  = 8
	wordObjects = 64
	wordPlaces  = 2 * wordObjects
)

// A wordFrame is a decision, and the step that followed it.
type wordFrame struct {
	enabled            uint64 // actors that could continue
	begunBy            uint64 // the actors that had begun
	asleep             uint64 // actors that need not continue: what starts with their steps was searched
	prints             uint64 // by actor that sleeps: its wordPrint, eight bits each
	tree               planList
	below              planList // what is planned to follow the step
	noted              int      // number of decisions before this one
	depth              int      // number of those that had an alternative
	switches, sinceEnd int
	by                 int32 // actor at whose scheduling point the decision is taken, or driver

	actor   int32
	print   wordPrint
	before  uint64 // the steps that precede it
	races   uint64 // later steps with which it can be reversed
	settled uint64 // those of them whose reversals are all found, whatever follows
	sum     key    // the class of the execution up to it
	id      uint64 // of the step in all executions that have it: actor and position among its steps
}

// A wordObject is a word that was accessed.
type wordObject struct {
	p       unsafe.Pointer
	steps   uint64 // steps of the running execution on it
	change  int8   // the last step that changed it, -1: none
	readers uint64 // the steps on it since that change
}

// A wordPrint is the footprint of a step: the number of its object, and in bit 0 whether it changed that.
type wordPrint uint8

func (p wordPrint) object() int   { return int(p >> 1) }
func (p wordPrint) changes() bool { return p&1 == 1 }

// depends reports whether steps with the footprints depend on one another.
func (p wordPrint) depends(q wordPrint) bool { return p>>1 == q>>1 && (p|q)&1 == 1 }

// promises reports whether the search may be that of a wordReducer.
func (e *engine) promises() bool {
	o := &e.o
	return e.p.Words && o.Reduce && !o.Histories && !o.SplitBegin && o.Kills == 0 // see isBare, too
}

// wordReducer returns a reducer of words for a new search, with the memory of an earlier one.
func (c *crew) wordReducer(e *engine) *wordReducer {
	w := c.words
	if c.words = nil; w == nil {
		w = &wordReducer{}
	}
	w.e = e
	return w
}

// forget releases everything that belongs to the program.
func (w *wordReducer) forget() {
	clear(w.objects[:w.known])
	clear(w.places[:])
	w.e, w.known, w.begun, w.n, w.picks, w.at = nil, 0, false, 0, w.picks[:0], 0
	w.plans, w.spare = w.plans[:0], planList{}
	if cap(w.plans) > keptDecisions {
		w.plans = nil
	}
	w.classes.empty()
}

// recall starts an execution, with the steps that it has in common with the last one, if there are any. It
// reports false if nothing is decided yet.
func (w *wordReducer) recall() bool {
	e, r := w.e, &w.e.rep
	moved := !slices.Equal(r.regions, e.regions)
	r.forcing, r.logging, r.moved = false, true, moved && w.begun
	r.most = max(r.most, len(r.log))
	switch {
	case len(e.actors) > wordActors || r.moved || !e.bare:
		w.stray()
		return true
	case !w.begun || e.again:
		r.log, r.regions = r.log[:0], append(r.regions[:0], e.regions...)
		if w.begun, w.at, w.n = true, 0, 0; !e.again { // otherwise the steps are those that it has
			w.rewind(0)
		}
		return false
	}
	f := &w.frames[w.n]
	r.log = r.log[:w.n]
	e.repeat(f.begunBy, f.actor)
	return true
}

// rewind restores the state of the search after the first n steps.
func (w *wordReducer) rewind(n int) {
	w.n, w.changes = n, 0
	for i := range w.e.actors {
		w.last[i], w.steps[i] = -1, 0
	}
	for i := range w.objects[:w.known] {
		o := &w.objects[i]
		o.steps, o.change, o.readers = 0, -1, 0
	}
	for i := range n {
		f := &w.frames[i]
		f.races &= 1<<uint(n) - 1
		f.settled &= f.races
		w.enter(i)
	}
}

// enter makes step i the last one of the execution.
func (w *wordReducer) enter(i int) {
	f, bit := &w.frames[i], uint64(1)<<uint(i)
	o := &w.objects[f.print.object()]
	o.steps |= bit
	if f.print.changes() {
		o.change, o.readers = int8(i), 0
		w.changes |= bit
	} else {
		o.readers |= bit
	}
	at := uint32(f.actor) % wordActors
	w.last[at] = int8(i)
	w.steps[at] |= bit
}

// rejoin takes the last of the decisions, after the steps before it have been repeated.
func (w *wordReducer) rejoin() {
	e := w.e
	n := w.n
	w.rewind(n)
	f := &w.frames[n]
	e.steps, e.preempts, e.sinceEnd, e.pos = n, f.switches, f.sinceEnd, f.depth
	w.at = len(w.picks)
	if other := f.enabled ^ e.ready; other != 0 {
		e.departed(e.actors[bits.TrailingZeros64(other)])
		return
	}
	w.decided(f)
}

// decided counts the decision of the frame, which has been taken.
func (w *wordReducer) decided(f *wordFrame) {
	e := w.e
	if f.enabled>>uint(f.actor)&1 == 0 { // it was planned
		e.departed(e.actors[f.actor])
		return
	}
	if f.enabled&(f.enabled-1) != 0 {
		e.pos++
	}
	if f.by != f.actor && f.enabled>>uint(f.by)&1 == 1 {
		e.preempts++
	}
	e.cur = f.actor
}

// decide is engine.decide: it puts the actor that makes the next step into e.cur.
func (w *wordReducer) decide(a *actor) {
	e := w.e
	if w.n == wordSteps {
		w.stray()
		return
	}
	f := &w.frames[w.n]
	f.enabled, f.begunBy, f.noted, f.depth = e.ready, e.begun, w.at, e.pos
	f.switches, f.sinceEnd, f.by = e.preempts, e.sinceEnd, driver
	if a != nil {
		f.by = a.id
	}
	if w.at < len(w.picks) && e.ready>>uint(w.picks[w.at])&1 == 1 { // the execution is run again
		f.actor = int32(w.picks[w.at])
	} else {
		if !w.branch(f, a) {
			e.cur, e.outcome = driver, asleep
			return
		}
		w.picks = append(w.picks[:w.at], int(f.actor))
		if int(f.actor) != first(a, e.ready) {
			e.signals.notes(w.picks) // after its end a token takes the first option
		}
	}
	w.at++
	w.decided(f)
}

// branch chooses the actor that continues in a new frame: the first planned branch that is possible, or any
// step that does not sleep. It reports false if there is none, because everything that could follow was
// searched from another prefix.
func (w *wordReducer) branch(f *wordFrame, a *actor) bool {
	f.asleep, f.tree, f.below = 0, planList{}, planList{}
	if w.n > 0 {
		g := &w.frames[w.n-1]
		f.tree, g.below = g.below, planList{}
		f.asleep, f.prints = g.asleep, g.prints
		for m := f.asleep; m != 0; m &= m - 1 {
			if c := bits.TrailingZeros64(m); f.sleeper(c).depends(g.print) {
				f.asleep &^= 1 << uint(c)
			}
		}
	}
	if w.plan(f) {
		return true
	}
	opts := f.enabled &^ f.asleep
	if opts == 0 {
		return false
	}
	f.actor = int32(first(a, opts))
	return true
}

// sleeper is the footprint of the step of an actor that sleeps.
func (f *wordFrame) sleeper(actor int) wordPrint { return wordPrint(f.prints >> (8 * uint(actor))) }

// step is After for the step that a makes.
func (w *wordReducer) step(a *actor, k hook.Kind, p unsafe.Pointer, old, new uint64, ok bool) {
	e := w.e
	e.steps++
	e.sinceEnd++
	a.atBegin = false
	if a.operation++; a.always > 0 && a.operation > a.always {
		e.overlong(a)
	}
	left := old
	if ok {
		left = new
	}
	object := w.object(p)
	if object < 0 || k > hook.Or || *(*uint64)(p) != left || a.operation > e.o.SpinLimit {
		w.stray()
		e.stop(a)
		return
	}
	e.rep.add(a, k, p, old, new, ok)
	if !e.again {
		f := &w.frames[w.n]
		f.print = wordPrint(object << 1)
		if left != old && !(seeded == casReads && k == hook.CompareAndSwap) {
			f.print |= 1
		}
		w.order(f, a)
		w.enter(w.n)
	}
	if w.n = len(e.rep.log); e.failure != nil || e.steps >= e.o.MaxSteps {
		e.stop(a)
	}
}

// order finds the steps that precede the step of the actor, which comes after the steps of the execution so
// far. It also finds the races of that step: the steps of other actors on which it depends, with nothing
// between the two.
func (w *wordReducer) order(f *wordFrame, a *actor) {
	o := &w.objects[f.print.object()]
	direct, wrote := uint64(0), uint64(0)
	if o.change >= 0 {
		direct, wrote = 1<<uint(o.change), w.frames[o.change].id
	}
	if f.print.changes() {
		direct |= o.readers
	}
	before := uint64(0)
	if prev := w.last[uint32(a.id)%wordActors]; prev >= 0 {
		before = w.frames[prev].before | 1<<uint(prev)
	}
	for m := direct &^ before; m != 0; m &^= before {
		g := &w.frames[bits.Len64(m)-1]
		g.races |= 1 << uint(w.n)
		before |= g.before | 1<<uint(bits.Len64(m)-1)
	}
	f.before, f.races, f.settled = before, 0, 0
	f.id = uint64(a.id+1)<<8 | uint64(a.operation)
	f.sum = mix(f.id<<32|wrote, k1)
	if w.n > 0 {
		g := &w.frames[w.n-1]
		f.sum = key{f.sum.a + g.sum.a, f.sum.b + g.sum.b}
	}
}

// object returns the number of the word at p. It is negative if p is not a word, or if there is no room for
// another one.
func (w *wordReducer) object(p unsafe.Pointer) int {
	for at := uintptr(p) >> 3; ; at++ {
		place := &w.places[at%wordPlaces]
		switch i := int(*place) - 1; {
		case i >= 0 && w.objects[i].p == p:
			return i
		case i >= 0:
		case w.known == wordObjects || !w.e.isWord(p):
			return -1
		default:
			w.objects[w.known] = wordObject{p: p, change: -1}
			w.known++
			*place = uint8(w.known)
			return w.known - 1
		}
	}
}

// advance finds the next execution and reports whether there is one.
func (w *wordReducer) advance() bool {
	w.analyse()
	for w.n--; w.n >= 0; w.n-- {
		f := &w.frames[w.n]
		f.asleep |= 1 << uint(f.actor)
		at := 8 * uint(f.actor)
		f.prints = f.prints&^(0xff<<at) | uint64(f.print)<<at
		w.drop(&f.below)
		if w.plan(f) {
			w.picks = w.e.signals.notes(append(w.picks[:f.noted], int(f.actor)))
			return true
		}
	}
	return false
}

// analyse plans the reversals of the races of the execution that has ended.
func (w *wordReducer) analyse() {
	for i := range w.n {
		if f := &w.frames[i]; f.races&^f.settled != 0 {
			w.reverse(i)
		}
	}
	sum := key{}
	if w.n > 0 {
		sum = w.frames[w.n-1].sum
	}
	if w.e.outcome == complete && !w.classes.add(sum, 0) {
		w.e.stats.Repeated++
	}
}

// stray ends the running execution, because this search cannot handle it.
func (w *wordReducer) stray() {
	e := w.e
	if e.cur = driver; e.outcome == running {
		e.outcome = strayed
	}
}

// forsake starts the search again, with a reducer. What was searched until then is searched again.
func (e *engine) forsake() {
	e.stats.Repeated += e.stats.Executions
	e.inOrder()
	e.red.classes.empty()
}

// inOrder makes a reducer continue in place of the wordReducer, which is no longer used.
func (e *engine) inOrder() {
	e.red = e.crew.reducer(e)
	e.red.classes, e.words.classes = e.words.classes, e.red.classes
	e.crew.words, e.words = e.words, nil
	e.crew.words.forget()
	e.rep.allowed = false
}

// token replays the execution so far.
func (w *wordReducer) token() string {
	return makeToken(w.e.p.Name, w.e.o, w.picks[:w.at], w.e.outcome == complete)
}
