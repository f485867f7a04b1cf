package explore

import (
	"fmt"
	"path/filepath"
	"runtime"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A detector finds data races (Options.Races): two accesses to the same bytes by two actors, one of
// them a write and not both atomic, of which neither happens before the other. What happens before
// what is told by vector clocks (Mattern 1989), as in FastTrack (Flanagan, Freund, PLDI 2009), from
// the edges of Go's memory model that the shims show.
//
// Two equivalent executions have the same edges, so a race is found in each of a class or in none.
type detector struct {
	e      *engine
	now    [MaxActors]clock
	words  map[orderer]*clock // what the next to acquire from a synchronising object learns
	cells  map[unsafe.Pointer]*shadow
	born   [MaxActors]int // shadow cells by the actor that met them first
	found  *Racing
	traces [2][]uintptr // of the accesses found, while recording
}

// A clock counts, for each actor, the releases that are known.
type clock [MaxActors]uint32

func (c *clock) join(o *clock) {
	for i, n := range o {
		c[i] = max(c[i], n)
	}
}

// An orderer is a part of a synchronising object that orders accesses: the word of an atomic, the
// readers of a lock, an item of a pool.
type orderer struct {
	p    unsafe.Pointer
	part uint64
}

// readers is the part of an RWMutex through which those that read tell the next writer.
const readers = 1 << 32

// A shadow is what is known of eight bytes.
type shadow struct {
	by, n   int // the actor that met it first, and which of those
	writes  uint64
	touches []contact
}

// A contact is an access that may yet race with one to come.
type contact struct {
	*Touch
	actor int32
	at    uint32 // the actor's own clock then
	mask  uint8  // bytes of the eight
	trace []uintptr
}

// A Touch is one of the two accesses of a race.
type Touch struct {
	Actor         string
	Write, Atomic bool
	Name          string // what the source text calls the memory; may be empty
	Func, File    string
	Line          int
}

// Racing is a race: the access that came first in this schedule, and the other one.
type Racing struct {
	Object        string // the word in which the two meet, named as in Step.Object
	First, Second Touch
}

// A defect is a wrong edge, for the canaries that must notice it.
type defect uint8

const (
	exact       defect = iota
	deafLock           // who locks learns nothing
	muteStore          // who stores tells nothing
	oneClock           // readers of a lock tell one another
	deafChannel        // who learns from a channel learns nothing
)

// flaw is the defect of all detectors; exact but in canaries.
var flaw = exact

// orders reports whether a step is more than a look for those that see it, although it may leave
// its object as it was: it releases. A step on a channel that leaves it as it was does not.
func (d *detector) orders(s access) bool {
	return s.ok && s.kind != hook.Load && s.kind != hook.PlainRead && !s.kind.Channel() &&
		s.kind != hook.Resume && s.kind != hook.Length
}

// watchPlain lets the detector, if there is one, look at a new execution.
func (e *engine) watchPlain() {
	hook.Plains = nil
	if d := e.race; d != nil {
		*d = detector{e: e, words: map[orderer]*clock{}, cells: map[unsafe.Pointer]*shadow{}}
		for i := range d.now {
			d.now[i][i] = 1
		}
		hook.Plains = d
		if e.o.Strays {
			hook.Plains = plainGuard{guard{e}, d}
		}
	}
}

// spawn returns what an actor knows that the parent makes now: what the parent has done.
func (d *detector) spawn(parent int32) *clock {
	knows := d.now[parent]
	d.now[parent][parent]++
	return &knows
}

// seat lets the actor that has got the place know this and nothing else. Steps of one that had the place
// before count as its own, so a race with them is not found.
func (d *detector) seat(place int32, knows *clock) {
	own := d.now[place][place]
	d.now[place] = *knows
	d.now[place][place] = own + 1
}

// acquire lets the actor learn what was released.
func (d *detector) acquire(a int32, o orderer) {
	if c := d.words[o]; c != nil {
		d.now[a].join(c)
	}
}

// release lets those who acquire learn what the actor has done, in addition to what others
// released if add is set, else in place of it.
func (d *detector) release(a int32, o orderer, add bool) {
	c := d.words[o]
	if c == nil {
		c = new(clock)
		d.words[o] = c
	}
	if !add {
		*c = clock{}
	}
	c.join(&d.now[a])
	d.now[a][a]++
}

// sync draws the edges of a step.
func (d *detector) sync(a *actor, s access) {
	id, o := a.id, orderer{s.p, 0}
	in := orderer{s.p, readers}
	switch s.kind {
	case hook.PlainRead, hook.PlainWrite, hook.Length:
	case hook.Send, hook.Receive, hook.Close, hook.Select, hook.Resume: // see Tell and Learn
	case hook.Lock, hook.TryLock:
		if s.ok && flaw != deafLock {
			d.acquire(id, o)
			d.acquire(id, in)
		}
	case hook.Unlock:
		d.release(id, o, false)
	case hook.RLock, hook.TryRLock:
		if s.ok {
			d.acquire(id, o)
		}
	case hook.RUnlock:
		if flaw == oneClock {
			in = o
		}
		d.release(id, in, true)
	case hook.Await, hook.Once, hook.Look:
		d.acquire(id, o)
	case hook.Signal:
		d.release(id, o, true)
	case hook.Take:
		if s.ok {
			d.acquire(id, orderer{s.p, s.old})
		}
	case hook.Give:
		d.release(id, orderer{s.p, s.new}, false)
	case hook.Change:
		d.acquire(id, o)
		d.release(id, o, false)
	default:
		d.atomic(a, o, s)
	}
}

// atomic draws the edges of an access to an atomic word: who sees a value is ordered after who
// wrote it. A Store replaces what was released before, for nobody can see that any more.
func (d *detector) atomic(a *actor, o orderer, s access) {
	write := s.ok && s.kind != hook.Load
	d.touch(a, hook.Plain{P: s.p, Size: 1, Write: write}, true)
	if s.kind != hook.Store {
		d.acquire(a.id, o)
	}
	if write && flaw != muteStore {
		d.release(a.id, o, false)
	}
}

// Plain implements hook.Memory.
func (d *detector) Plain(p hook.Plain) {
	e := d.e
	a := e.actors[e.cur]
	if e.views != nil && !e.unwinding {
		e.reach(a, plainKind(p), p.P)
	}
	if e.o.PlainSteps {
		d.step(p)
	}
	p.P = e.canonical(p.P)
	if d.touch(a, p, false); e.failure != nil {
		e.stop(a)
	}
}

// step makes a plain access a step. Each write counts as a change.
func (d *detector) step(p hook.Plain) {
	word := eight(p.P)
	c := d.cell(d.e.actors[d.e.cur], d.e.canonical(word))
	k := plainKind(p)
	d.e.Before(k, word)
	old := c.writes
	if p.Write {
		c.writes++
	}
	d.e.After(k, word, old, c.writes, true)
}

func plainKind(p hook.Plain) hook.Kind {
	if p.Write {
		return hook.PlainWrite
	}
	return hook.PlainRead
}

// eight rounds an address down to that of its shadow.
func eight(p unsafe.Pointer) unsafe.Pointer { return unsafe.Add(p, -int(uintptr(p)&7)) }

// cell returns the shadow of the eight bytes from p, which stay allocated until the execution ends.
func (d *detector) cell(a *actor, p unsafe.Pointer) *shadow {
	c := d.cells[p]
	if c == nil {
		c = &shadow{by: a.number, n: d.born[a.id]}
		d.born[a.id]++
		d.cells[p] = c
	}
	return c
}

// touch holds an access against those before it, and keeps it.
func (d *detector) touch(a *actor, p hook.Plain, atomic bool) {
	e := d.e
	t := contact{Touch: &Touch{Actor: a.name, Write: p.Write, Atomic: atomic, Name: p.Name},
		actor: a.id, at: d.now[a.id][a.id]}
	t.Func, t.File, t.Line = e.sites.caller()
	if e.rec != nil && e.rec.sites {
		t.trace = make([]uintptr, 64)
		t.trace = t.trace[:runtime.Callers(1, t.trace)]
	}
	from, to := uintptr(p.P), uintptr(p.P)+p.Size
	for word := eight(p.P); uintptr(word) < to; word = unsafe.Add(word, 8) {
		t.mask = 0xff
		if uintptr(word) < from {
			t.mask <<= from - uintptr(word)
		}
		if end := uintptr(word) + 8; end > to {
			t.mask &= 0xff >> (end - to)
		}
		c := d.cell(a, word)
		for _, o := range c.touches {
			if d.races(o, t) {
				d.report(o, t, c, word)
				return
			}
		}
		c.keep(t)
		if to-uintptr(word) <= 8 {
			return // one past the end may be another object's
		}
	}
}

// races reports whether the running actor's access t races with the earlier one.
func (d *detector) races(o, t contact) bool {
	return o.actor != t.actor && o.mask&t.mask != 0 && (o.Write || t.Write) &&
		!(o.Atomic && t.Atomic) && d.now[t.actor][o.actor] < o.at
}

// keep notes an access. It stands for those that cannot race unless it does, too: the actor's own
// of its kind and, if it writes, all that happened before it.
func (c *shadow) keep(t contact) {
	left := c.touches[:0]
	for _, o := range c.touches {
		covered := o.mask&^t.mask == 0 && (o.actor == t.actor && o.Write == t.Write || t.Write) &&
			o.Atomic == t.Atomic
		if covered && t.Atomic && o.actor != t.actor {
			covered = false // nothing orders the two
		}
		if !covered {
			left = append(left, o)
		}
	}
	c.touches = append(left, t)
}

func (d *detector) report(o, t contact, c *shadow, word unsafe.Pointer) {
	r := &Racing{Object: fmt.Sprintf("m%d.%d", c.by, c.n), First: *o.Touch, Second: *t.Touch}
	for i, g := range d.e.regions {
		if off := uintptr(word) - g.base; off < g.size {
			r.Object = objectName(uint64(i)<<48 | uint64(off))
		}
	}
	d.found, d.traces = r, [2][]uintptr{o.trace, t.trace}
	d.e.fail(&Failure{Kind: Race, Message: r.text(), Race: r})
}

func (r *Racing) text() string {
	return fmt.Sprintf("%s and then %s, object %s: nothing orders the two", r.First.text(),
		r.Second.text(), r.Object)
}

func (t Touch) text() string {
	s := "read"
	if t.Write {
		s = "write"
	}
	if t.Atomic {
		s = "atomic " + s
	}
	if t.Name != "" {
		s += " of " + t.Name
	}
	return fmt.Sprintf("%s by %s at %s", s, t.Actor,
		place(filepath.Base(t.File), t.Line))
}

// stacks returns those of the two accesses.
func (d *detector) stacks() []string {
	var all []string
	for i, t := range []Touch{d.found.First, d.found.Second} {
		all = append(all, t.text()+":\n"+stackText(d.traces[i]))
	}
	return all
}

// clause says what the absence of a race means.
func (d *detector) clause() string {
	s := "races of the plain accesses that the code reports are looked for in each execution"
	if d.e.o.PlainSteps {
		s += ", and each is a step"
	}
	return s
}
