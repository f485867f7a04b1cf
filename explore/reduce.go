package explore

import (
	"fmt"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A reducer searches one execution of each class of equivalent ones (Options.Reduce). The algorithm is
// optimal dynamic partial order reduction. It has sleep sets, and wakeup trees with the reversals of the
// races of each execution (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, J. ACM 2017).
//
// The frames are the decisions of the running execution, each with the event that followed it. frames[:n]
// have run. The other frames are left from the execution before; they are run again.
type reducer struct {
	e      *engine
	frames []frame
	n      int
	known  int  // number of leading events that have their clocks and races
	most   int  // most events of an execution
	taken  int  // number of data choices that the running event has made
	whole  bool // an event has a watch, or two objects: any other event may depend on it
	wide   bool // some actor waits at several channels, which the step that ends the wait changes
	floor  int  // events before this one precede all later ones, because all actors were set aside
	last   [MaxActors]int
	waits  [MaxActors]standing
	items  []int // decisions, as a token lists them

	doomed     uint64 // processes that die in the executions that are searched now; see deaths.go
	ended      uint64 // those of them that had ended, or did not exist yet, when all actors had ended
	deathSlots int    // entries of a clock that are for deaths

	index   map[unsafe.Pointer]int32 // of the objects, if there are more than a few
	indexed int                      // number of objects in the index
	objects []object
	windows []window
	kin     map[lineage]int32 // ids of spawned actors
	rounds  int               // times that all actors were set aside since the last progress
	epoch   uint64            // the progress count that rounds belongs to

	clocks  []uint32    // by event, one entry per actor
	width   int         // entries of a clock: the actors of all executions so far
	marks   []footprint // by event that has a clock, each for its own frame
	sums    []key       // by event that has a clock: the class of the execution up to it
	racing  []int       // scratch of reverse
	asleep  []footprint // of the sleepers that frames made, in their order
	plots   [][]plan    // by frame: memory of the plans for what follows it
	classes keys
}

// An object is an accessed object. Objects are in the order of their first accesses in this execution.
type object struct {
	p       unsafe.Pointer
	region  uint64 // its name if it lies in a region
	foreign bool   // it does not lie in a region
	born    int    // the event that met it first
	changes uint32 // steps that changed it
	latest  int    // the last event on it, -1: none
}

// A standing is a wait for a condition by an actor.
type standing struct {
	waits bool
	obj   int32
	cond  hook.Condition
	held  int // the condition has held since this event, -1: it does not hold
}

// An event is one step: what happened between two decisions. When it is run again, its actor, choices and
// death are known in advance.
type event struct {
	actor   int32
	seq     uint32 // position among the actor's events, from 1
	prev    int    // the actor's event before it, or the one that made the actor, -1: none
	floor   int
	obj     int32 // object accessed, -1: none
	earlier int   // the event on the object before it, -1: none
	kind    hook.Kind
	old     uint64
	new     uint64
	ok      bool
	write   bool // it changed the object
	call    bool
	ret     bool
	wait    standing // the condition that it waited for
	resumed bool     // the actor had been set aside, and continues because a watched object changed
	watch   []int32  // other objects that it looked at
	also    []int32  // other objects that it changed
	choices []choice
	races   []int // events with which it can be reversed

	fate
	accessed bool   // it has an access
	blind    bool   // it has looked which processes are alive, before its access
	vigil    uint64 // if resumed: the processes that it watched
	struck   uint64 // of a death: the actors that it ended
	aside    uint64 // those of them that were set aside
	unknown  bool   // it has not happened, and may be anything
}

// A choice is one data choice of an event, or whether the actor dies after it.
type choice struct {
	value uint8
	kill  bool
	left  uint64 // values not searched yet
}

// A frame is a decision and its event. All alternatives of the event are searched. The sleepers need not run
// next: everything that starts with them was searched already, unless a step that depends on them comes
// first.
type frame struct {
	event
	fresh   bool // the event has not run yet
	enabled uint64
	sleep   []sleeper
	dreams  int         // len(reducer.asleep) when the frame was made
	noted   int         // len(reducer.items) before the event
	room    []*plan     // memory of tree
	tree    []*plan     // the branches to search after this one
	below   []*plan     // what is planned to follow the event
	done    []footprint // of the alternatives searched

	// The actors that could continue after the event, and those of them that were awake; zero if none could.
	others, awakened uint64
}

// searches reports whether the reducer decides, rather than a script.
func (r *reducer) searches() bool { return r.e.script == nil }

// reset prepares for a new execution.
func (r *reducer) reset() {
	r.n, r.taken, r.floor, r.rounds, r.epoch, r.ended = 0, 0, 0, 0, 0, 0
	r.whole, r.wide = false, false
	r.objects = r.objects[:0]
	kept := 0
	if r.searches() && len(r.frames) > 0 {
		kept = r.frames[len(r.frames)-1].noted
	}
	r.items = r.e.signals.notes(r.items[:kept])
	if r.indexed > 0 {
		clear(r.index)
		r.indexed = 0
	}
	for i := range r.last {
		r.last[i] = -1
		r.waits[i].waits = false
	}
	for len(r.windows) < len(r.e.actors) {
		r.windows = append(r.windows, window{})
	}
	for i := range r.windows {
		r.windows[i].reset()
		r.windows[i].watching, r.windows[i].resumed = false, false
	}
}

// pick decides which actor makes the next step. See engine.pick.
func (r *reducer) pick(a *actor) {
	e := r.e
	e.cur = driver
	if a != nil && !r.close(a) {
		return
	}
	c, enabled := int32(killBit), uint64(0)
	for c >= killBit {
		enabled = e.enabled()
		opts := enabled | r.deaths()
		switch {
		case e.failure != nil:
			return
		case opts == 0:
			r.over()
			return
		case opts&(opts-1) != 0:
			e.pos++
		}
		if c = r.next(a, opts); c < 0 {
			return
		}
		if c >= killBit {
			r.die(c)
		}
	}
	if a != nil && c != a.id && enabled>>uint(a.id)&1 == 1 {
		e.preempts++
	}
	r.note(int(c))
	e.cur = c
}

// note keeps a decision for the token. A token names actors by their numbers in the execution.
func (r *reducer) note(item int) {
	if item < killBit {
		item = r.e.actors[item].number
	} else {
		item = killBit + r.e.actors[item-killBit].number
	}
	r.keep(item)
	if r.e.rec != nil {
		r.e.rec.pick(item)
	}
}

// keep adds an item to those of the execution, unless the execution before had the same item in the same
// place.
func (r *reducer) keep(item int) {
	if !r.stands() || !r.searches() {
		r.items = r.e.signals.note(r.items, item)
	}
}

// stands reports whether the running event is also one of the execution before.
func (r *reducer) stands() bool { return r.n < len(r.frames) }

// close ends the running event, which is a's, with the choice whether a dies. It reports false if the
// execution ends here.
func (r *reducer) close(a *actor) bool {
	e := r.e
	mortal := a.stepped && a.process == nobody && e.killsLeft > bits.OnesCount64(r.pending()) &&
		e.live>>uint(a.id)&1 == 1
	a.stepped = false
	if mortal {
		v, ok := r.choose(2, true)
		if !ok {
			return false
		}
		if v == 1 {
			r.note(killBit + int(a.id))
			if e.kill(int(a.id)); e.failure != nil {
				return false
			}
		}
	}
	r.frames[r.n-1].fresh = false
	return true
}

// choose takes a data choice of the running event among n values: the value that the search has come to, or
// the first value of a new choice. It reports false if the program did something else than before.
func (r *reducer) choose(n int, kill bool) (int, bool) {
	f := &r.frames[r.n-1]
	k := r.taken
	if r.taken++; k == len(f.choices) {
		f.choices = append(f.choices, choice{kill: kill, left: ^uint64(0) >> uint(64-n) &^ 1})
	}
	c := f.choices[k]
	if c.kill != kill || int(c.value) >= n {
		r.diverged(fmt.Sprintf("a choice among %d", n))
		return 0, false
	}
	return int(c.value), true
}

// next opens the next event and returns its actor. The result is negative if the execution ends here.
func (r *reducer) next(a *actor, enabled uint64) int32 {
	f := r.frame(r.n)
	if f == nil {
		if f = r.branch(a, enabled); f == nil {
			r.e.outcome = asleep
			return driver
		}
	}
	c := f.actor
	if enabled != f.enabled {
		r.diverged(fmt.Sprintf("a step of %s or another of %s",
			r.e.optionName(int(c)), r.e.optionNames(f.enabled)))
		return driver
	}
	r.open(f)
	return c
}

// open prepares the event of f for its run.
func (r *reducer) open(f *frame) {
	c := f.actor
	ev := &f.event
	last := r.n+1 == len(r.frames) // otherwise the event is what it was in the execution before
	if last {
		f.noted = len(r.items)
	}
	if c >= killBit {
		*ev = r.death(c, ev)
		r.n++
		return
	}
	ev.obj, ev.earlier, ev.watch, ev.also = none, none, ev.watch[:0], ev.also[:0]
	if last {
		*ev = event{actor: c, prev: r.last[c], floor: r.floor, obj: none, earlier: none,
			watch: ev.watch, also: ev.also, choices: ev.choices, races: ev.races}
		if !r.e.readsDie(r.e.actors[c]) {
			ev.own = r.owned(c)
		}
		ev.seq = r.seqAfter(c, ev.prev)
	}
	if s := &r.waits[c]; s.waits {
		ev.wait, s.waits = *s, false
	}
	if w := &r.windows[c]; w.resumed {
		ev.resumed, w.resumed, r.whole = true, false, true
		ev.vigil, ev.looks = w.lives, w.lives&r.doomed
		for _, s := range w.objects {
			ev.watch = append(ev.watch, s.obj)
		}
	}
	r.last[c] = r.n
	r.n++
	r.taken = 0
}

// seqAfter is the position of an actor's event after its event prev, or after that of its maker.
func (r *reducer) seqAfter(actor int32, prev int) uint32 {
	if prev < 0 || r.frames[prev].actor != actor {
		return 1
	}
	return r.frames[prev].seq + 1
}

// none as an object means that no object was accessed.
const none = -1

// frame returns frame d if it stands.
func (r *reducer) frame(d int) *frame {
	if d < len(r.frames) {
		return &r.frames[d]
	}
	return nil
}

// push adds a frame, with the sleepers of the frame before it, except those that the event there wakes.
func (r *reducer) push(enabled uint64) *frame {
	d := len(r.frames)
	if d < cap(r.frames) {
		r.frames = r.frames[:d+1]
	} else {
		r.frames = append(r.frames, frame{})
	}
	f := &r.frames[d]
	f.fresh, f.enabled, f.below, f.others, f.awakened = true, enabled, nil, 0, 0 // open does the event
	if cap(f.tree) > cap(f.room) {
		f.room = f.tree
	}
	f.sleep, f.done, f.dreams, f.tree = f.sleep[:0], f.done[:0], len(r.asleep), f.room[:0]
	if d < len(r.plots) {
		r.plots[d] = r.plots[d][:0]
	}
	if d == 0 {
		return f
	}
	g := &r.frames[d-1]
	f.tree = append(f.tree, g.below...)
	f.room = f.tree
	if len(g.sleep) == 0 {
		return f
	}
	p := r.print(d-1, d-1)
	for i := range g.sleep {
		if g.sleep[i].after(g.actor, &p) {
			f.sleep = append(f.sleep, g.sleep[i])
		}
	}
	g.others, g.awakened = enabled, f.awake()
	return f
}

// branch makes a new frame, with the first planned branch that is possible, or with any step that does not
// sleep. It returns nil if there is none, because everything that could follow was searched from another
// prefix.
func (r *reducer) branch(a *actor, enabled uint64) *frame {
	f := r.push(enabled)
	if f.plan() {
		return f
	}
	if opts := f.awake(); opts != 0 {
		f.take(int32(first(a, opts)), nil)
		return f
	}
	r.frames = r.frames[:len(r.frames)-1]
	return nil
}

// awake returns the actors that can continue and do not sleep.
func (f *frame) awake() uint64 {
	opts := f.enabled
	for i := range f.sleep {
		opts &^= 1 << uint(f.sleep[i].actor)
	}
	return opts
}

// take makes a step of the actor the next branch of the frame.
func (f *frame) take(actor int32, below []*plan) {
	f.actor, f.below, f.fresh = actor, below, true
	f.choices, f.done = f.choices[:0], f.done[:0]
	f.others, f.awakened = 0, 0
}

// plan takes the next planned branch that is possible and does not sleep, and reports whether there is one.
// A step that is not possible is left out, because after another alternative of an earlier step its actor
// has died or waits. What is planned after that step may be planned for this alternative as well. Then
// several branches may begin with one actor; they count as one branch.
func (f *frame) plan() bool {
	for i := 0; i < len(f.tree); {
		if p := f.tree[i]; f.enabled>>uint(p.actor)&1 == 0 {
			f.tree = slices.Concat(f.tree[:i], p.next, f.tree[i+1:])
		} else {
			i++
		}
	}
	for len(f.tree) > 0 {
		p := f.tree[0]
		f.tree = f.tree[1:]
		if f.awake()>>uint(p.actor)&1 == 0 {
			continue
		}
		next := p.next
		for _, q := range f.tree {
			if q.actor == p.actor && seeded != dropping {
				next = slices.Concat(next, q.next)
			}
		}
		f.tree = slices.DeleteFunc(f.tree, func(q *plan) bool { return q.actor == p.actor })
		f.take(p.actor, next)
		return true
	}
	return false
}

// advance finds the next execution and reports whether there is one.
func (r *reducer) advance() bool {
	r.analyse()
	return r.backtrack() || r.doom()
}

// backtrack finds the next execution in which the same processes die.
func (r *reducer) backtrack() bool {
	for d := len(r.frames) - 1; d >= 0; d-- {
		f := &r.frames[d]
		r.known = d
		f.done = append(f.done, r.marks[d])
		if f.nextChoice() {
			r.frames = r.frames[:d+1]
			return true
		}
		f.sleep = append(f.sleep, r.sleeper(f))
		if f.plan() {
			r.frames = r.frames[:d+1]
			return true
		}
		r.frames, r.asleep = r.frames[:d], r.asleep[:f.dreams]
	}
	return false
}

// sleeper returns the step of f, after all its alternatives were searched. Only frames after f inherit it,
// so its footprints may be freed together with f.
func (r *reducer) sleeper(f *frame) sleeper {
	n := len(r.asleep)
	r.asleep = append(r.asleep, f.done...)
	return sleeper{f.actor, r.asleep[n:len(r.asleep):len(r.asleep)]}
}

// nextChoice moves the choices of the event to the next combination, and reports whether there is one.
func (f *frame) nextChoice() bool {
	for k := len(f.choices) - 1; k >= 0; k-- {
		c := &f.choices[k]
		if c.left != 0 && !(c.kill && f.vain()) {
			c.value = uint8(bits.TrailingZeros64(c.left))
			c.left &= c.left - 1
			f.others, f.awakened = 0, 0
			return true
		}
		f.choices = f.choices[:k]
	}
	return false
}

// vain reports whether nothing is left to search after the death of the actor: all other actors that can
// continue sleep, and a death wakes none of them.
func (f *frame) vain() bool {
	alive := ^(uint64(1) << uint(f.actor))
	return f.others&alive != 0 && f.awakened&alive == 0
}

// diverged reports that an earlier decision cannot be made again.
func (r *reducer) diverged(what string) {
	r.e.fail(&Failure{Kind: Nondeterminism, Message: fmt.Sprintf("after the same decisions step "+
		"%d was to be %s; the program depends on something that is not explored", r.n, what)})
}

// token returns a token that replays the execution.
func (r *reducer) token() string { return makeToken(r.e.p.Name, r.e.o, r.items, true) }
