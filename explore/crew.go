package explore

import (
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A crew is what one exploration reuses from the one before: the goroutine that runs it, the coroutines of
// its actors with their grown stacks, and tables that stay useful. For a small program it would take longer
// to make these again than to search. Only an exploration that has ended gives its crew back. An abandoned
// exploration keeps its crew, and a new one is made.
//
// At most one crew is idle, so the memory that a process keeps is bounded by its largest exploration, and by
// the limits in release.
type crew struct {
	tasks  chan task
	news   chan news
	report Report // of the exploration that has ended
	clock  *time.Timer
	busy   atomic.Bool // there is an exploration
	ticks  atomic.Bool // the clock runs
	e      *engine     // the exploration that runs
	pool   []*actor
	driver coroutine    // coroutine of the crew's own goroutine
	free   []*coroutine // those that run no body
	ending *coroutine   // the coroutine that ends next, while all of them end
	sites  siteCache
	names  map[unsafe.Pointer]uint64
	chains map[uint64]key
	trail  []node
	born   []birth
	areas  []region
	recs   [2]recorder // of an execution that is audited, and of its second run
	red    *reducer
	words  *wordReducer
	rep    repeater // memory of the repeater
	text   clauses
	said   string // the last text

	panicked any // panic that ended a coroutine
}

// A task is an exploration to be run.
type task struct {
	e   *engine
	job func(*engine) Report
}

// A news is a message that await waits for: the end of an exploration, a failure that ends it without a
// report, or, if it is neither, that another tick has passed.
type news struct {
	ended   bool
	failure *Failure
}

// tick tells that time has passed, as long as there are explorations. Stopping the clock after each
// exploration and starting it for the next would take longer than a small exploration.
func (c *crew) tick() {
	if c.ticks.Store(false); c.busy.Load() && c.ticks.CompareAndSwap(false, true) {
		select {
		case c.news <- news{}:
		default:
		}
		c.clock.Reset(tick)
	}
}

// idle is the crew without an exploration. The goroutine that holds turn owns it.
var idle *crew

// hire gives the exploration a crew. The caller holds turn.
func (e *engine) hire() {
	c := idle
	if idle = nil; c == nil {
		c = &crew{tasks: make(chan task), news: make(chan news, 1),
			names: make(map[unsafe.Pointer]uint64), chains: make(map[uint64]key)}
		c.driver.crew = c
		c.clock = time.AfterFunc(time.Hour, c.tick)
		go c.work()
	}
	if c.busy.Store(true); !c.ticks.Load() && c.ticks.CompareAndSwap(false, true) {
		c.clock.Reset(tick)
	}
	e.crew, e.pool, e.sites, e.names, e.chains = c, c.pool, &c.sites, c.names, c.chains
	c.e = e
	for _, a := range e.pool {
		a.e, a.head = e, never
	}
	if e.trail == nil {
		e.trail = c.trail[:0]
	}
	switch {
	case e.rep.allowed && e.o.Reduce && e.script == nil:
		e.words = c.wordReducer(e)
	case e.o.Reduce:
		e.red = c.reducer(e)
	}
	e.rep, c.rep = c.rep.lent(e.rep.allowed), repeater{}
	e.born, e.regions, e.signals.news = c.born[:0], c.areas[:0], c.news
}

// Limits for what an idle crew keeps of tables that grow with an exploration.
const (
	keptDecisions = 1 << 12
	keptObjects   = 1 << 12
	keptSteps     = 1 << 14
)

// release takes the crew from an exploration that has ended. The crew must not keep anything of the program
// alive.
func (e *engine) release() {
	c := e.crew
	c.e = nil
	c.pool, c.trail, c.born, c.areas = e.pool, nil, e.born, e.regions
	if cap(e.trail) <= keptDecisions {
		c.trail = e.trail
	}
	if len(c.names)+len(c.chains) > keptObjects {
		c.names, c.chains = make(map[unsafe.Pointer]uint64), make(map[uint64]key)
	}
	clear(c.names)
	clear(c.chains)
	for _, a := range c.pool {
		a.e, a.body = nil, nil
		a.wait = hook.Condition{}
	}
	e.rep.forget()
	c.rep = e.rep
	if cap(c.recs[0].steps) > keptSteps {
		c.recs = [2]recorder{}
	}
	if r := e.red; r != nil && cap(r.frames) <= keptDecisions && cap(r.clocks) <= keptSteps &&
		r.plotted() <= keptDecisions {
		r.forget()
		c.red = r
	}
	if w := e.words; w != nil {
		w.forget()
		c.words = w
	}
	idle = c
}

// work runs explorations until one of them has to be abandoned or ends the goroutine.
func (c *crew) work() {
	for t := range c.tasks {
		if !c.run(t) {
			return
		}
	}
}

// run runs one exploration and reports whether the crew may go on.
func (c *crew) run(t task) bool {
	ended := false
	defer func() {
		if !ended {
			t.e.drain(false)
		}
	}()
	r := t.job(t.e)
	ended = true
	if !t.e.signals.fate.CompareAndSwap(exploring, explored) {
		c.end()
		t.e.drain(true)
		return false
	}
	c.report = r
	c.news <- news{ended: true}
	return true
}

// reducer returns a reducer for a new search, with the memory of an earlier one.
func (c *crew) reducer(e *engine) *reducer {
	r := c.red
	if c.red = nil; r == nil {
		r = &reducer{index: make(map[unsafe.Pointer]int32), kin: make(map[lineage]int32)}
	}
	r.e = e
	return r
}

// forget lets go of everything that belongs to the program.
func (r *reducer) forget() {
	clear(r.index)
	clear(r.objects[:cap(r.objects)])
	r.objects, r.indexed = r.objects[:0], 0
	for i := range min(r.most, cap(r.frames)) {
		f := &r.frames[:cap(r.frames)][i]
		clear(f.room[:cap(f.room)])
		*f = frame{event: event{watch: f.watch, also: f.also, choices: f.choices, races: f.races},
			sleep: f.sleep, done: f.done, room: f.room}
	}
	clear(r.waits[:])
	clear(r.kin)
	r.width = 0
	clear(r.asleep[:cap(r.asleep)])
	r.doomed = 0
	r.e, r.frames, r.asleep, r.known, r.most = nil, r.frames[:0], r.asleep[:0], 0, 0
	r.classes.empty()
}

// plotted is how many plans the reducer has memory for.
func (r *reducer) plotted() (n int) {
	for _, p := range r.plots {
		n += cap(p)
	}
	return n
}
