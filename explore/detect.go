package explore

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A detector finds data races (Options.Races): two accesses to the same bytes by two actors, one of them a
// write and not both atomic, of which neither happens before the other. Vector clocks (Mattern 1989)
// determine what happens before what, as in FastTrack (Flanagan, Freund, PLDI 2009), from the edges of Go's
// memory model that the shims report.
//
// Two equivalent executions have the same edges, so a race is found in each execution of a class or in none.
type detector struct {
	e      *engine
	now    []clock            // by number of the actor
	words  map[orderer]*clock // what the next actor that acquires from a synchronising object learns
	cells  map[unsafe.Pointer]*shadow
	found  *Racing
	traces [2][]uintptr // stacks of the accesses found, while recording
}

// A clock counts, by number of the actor, its releases that are known. Where it ends, none are.
type clock []uint32

func (c *clock) join(o clock) {
	if n := len(o) - len(*c); n > 0 {
		*c = append(*c, make(clock, n)...)
	}
	for i, n := range o {
		(*c)[i] = max((*c)[i], n)
	}
}

// of returns the number of the actor's releases that are known.
func (c clock) of(actor int) uint32 {
	if actor < len(c) {
		return c[actor]
	}
	return 0
}

// An orderer is a part of a synchronising object that orders accesses: the word of an atomic, the
// readers of a lock, an item of a pool.
type orderer struct {
	p    unsafe.Pointer
	part uint64
}

// readers is the part of an RWMutex through which readers inform the next writer.
const readers = 1 << 32

// A shadow is what is known of eight bytes.
type shadow struct {
	by, n   int // the actor that met it first, and its number among those that this actor met first
	writes  uint64
	touches []contact
}

// A contact is an access that may still race with a later one.
type contact struct {
	*Touch
	actor int
	at    uint32 // the actor's own clock then
	mask  uint8  // bytes of the eight
	trace []uintptr
}

// A Touch is one of the two accesses of a race.
type Touch struct {
	Actor         string
	Write, Atomic bool
	Name          string // what the source text calls the memory; may be empty
	Rule          bool   // it stands for a rule of a type, and Name says what is done
	Func, File    string
	Line          int
}

// Racing is a race: the access that came first in this schedule, and the other one.
type Racing struct {
	Object        string // the word in which the two meet, named as in Step.Object
	First, Second Touch
}

// A defect is a wrong edge, for the canaries, which must detect it.
type defect uint8

const (
	exact       defect = iota
	deafLock           // an actor that locks learns nothing
	muteStore          // an actor that stores tells nothing
	oneClock           // readers of a lock inform one another
	deafChannel        // an actor that receives from a channel learns nothing
)

// flaw is the defect of all detectors. It is exact, except in canaries.
var flaw = exact

// orders reports whether a step is more than a read for other actors, although it may not change its object:
// it releases. A step on a channel that does not change the channel is only a read.
func (d *detector) orders(s access) bool {
	return s.ok && s.kind != hook.Load && s.kind != hook.PlainRead && !s.kind.Channel() &&
		s.kind != hook.Resume && s.kind != hook.Length && s.kind != hook.Runtime
}

// watchPlain prepares the detector, if there is one, for a new execution.
func (e *engine) watchPlain() {
	hook.Plains = nil
	if d := e.race; d != nil {
		*d = detector{e: e, now: d.now[:0], words: map[orderer]*clock{}, cells: map[unsafe.Pointer]*shadow{}}
		for range e.actors {
			d.seat(nil)
		}
		hook.Plains = d
		if e.o.Strays {
			hook.Plains = plainGuard{guard{e}, d}
		}
	}
}

// spawn returns what an actor knows that the parent makes now: everything that the parent has done.
func (d *detector) spawn(parent int) clock {
	knows := slices.Clone(d.now[parent])
	d.now[parent][parent]++
	return knows
}

// seat gives this knowledge to the actor that has the next number.
func (d *detector) seat(knows clock) {
	n := len(d.now)
	if n == cap(d.now) {
		d.now = append(d.now, nil)
	}
	d.now = d.now[:n+1]
	c := append(d.now[n][:0], knows...)
	for len(c) <= n {
		c = append(c, 0)
	}
	c[n] = 1
	d.now[n] = c
}

// acquire makes the actor learn what was released.
func (d *detector) acquire(a int, o orderer) {
	if c := d.words[o]; c != nil {
		d.now[a].join(*c)
	}
}

// release makes what the actor has done known to those that acquire. If add is set, it is added to what
// others released; otherwise it replaces that.
func (d *detector) release(a int, o orderer, add bool) {
	c := d.words[o]
	if c == nil {
		c = new(clock)
		d.words[o] = c
	}
	if add {
		c.join(d.now[a])
	} else {
		*c = append((*c)[:0], d.now[a]...)
	}
	d.now[a][a]++
}

// sync draws the edges of a step.
func (d *detector) sync(a *actor, s access) {
	id, o := a.number, orderer{s.p, 0}
	in := orderer{s.p, readers}
	switch s.kind {
	case hook.PlainRead, hook.PlainWrite, hook.Length, hook.Runtime:
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

// atomic adds the edges of an access to an atomic word: an actor that sees a value is ordered after the
// actor that wrote it. A Store replaces what was released before, because nobody can see the earlier values
// any more.
func (d *detector) atomic(a *actor, o orderer, s access) {
	write := s.ok && s.kind != hook.Load
	d.touch(a, hook.Plain{P: s.p, Size: 1, Write: write}, true)
	if s.kind != hook.Store {
		d.acquire(a.number, o)
	}
	if write && flaw != muteStore {
		d.release(a.number, o, false)
	}
}

// Plain implements hook.Memory.
func (d *detector) Plain(p hook.Plain) {
	e := d.e
	a := e.actors[e.cur]
	if e.views != nil && !e.unwinding {
		e.reach(a, plainKind(p), p.P)
	}
	if e.o.PlainSteps && !p.Within {
		d.step(p)
	}
	p.P = e.canonical(p.P)
	if d.touch(a, p, p.Beside); e.failure != nil {
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
		c = &shadow{by: a.number, n: a.met}
		a.met++
		d.cells[p] = c
	}
	return c
}

// touch checks an access against the earlier ones, and keeps it. What the only actor does before it makes
// others happens before all that they do, so there is nothing to keep.
func (d *detector) touch(a *actor, p hook.Plain, atomic bool) {
	if len(d.e.born) == 1 {
		return
	}
	t := contact{actor: a.number, at: d.now[a.number][a.number]}
	from, to := uintptr(p.P), uintptr(p.P)+p.Size
	for word := eight(p.P); uintptr(word) < to; word = unsafe.Add(word, 8) {
		t.mask = 0xff
		if uintptr(word) < from {
			t.mask <<= from - uintptr(word)
		}
		if end := uintptr(word) + 8; end > to {
			t.mask &= 0xff >> (end - to)
		}
		if c := d.cell(a, word); !c.has(t, p.Write, atomic) {
			if t.Touch == nil {
				d.describe(&t, a, p, atomic)
			}
			for _, o := range c.touches {
				if d.races(o, t) {
					d.report(o, t, c, word)
					return
				}
			}
			c.keep(t)
		}
		if to-uintptr(word) <= 8 {
			return // beyond the end may be another object
		}
	}
}

// describe says what the access is, and where the code makes it.
func (d *detector) describe(t *contact, a *actor, p hook.Plain, atomic bool) {
	t.Touch = &Touch{Actor: a.name, Write: p.Write, Atomic: atomic, Name: p.Name, Rule: p.Within}
	t.Func, t.File, t.Line = d.e.sites.caller()
	if d.e.rec != nil && d.e.rec.sites {
		t.trace = make([]uintptr, 64)
		t.trace = t.trace[:runtime.Callers(2, t.trace)]
	}
}

// has reports whether the actor has made such an access before, and released nothing since. Nobody is ordered
// after that one but itself, so whatever races with the new access has raced with it. This is the same-epoch
// rule of FastTrack.
func (c *shadow) has(t contact, write, atomic bool) bool {
	for _, o := range c.touches {
		if o.actor == t.actor && o.at == t.at && o.Atomic == atomic && (o.Write || !write) &&
			t.mask&^o.mask == 0 {
			return true
		}
	}
	return false
}

// races reports whether the running actor's access t races with the earlier one.
func (d *detector) races(o, t contact) bool {
	return o.actor != t.actor && o.mask&t.mask != 0 && (o.Write || t.Write) &&
		!(o.Atomic && t.Atomic) && d.now[t.actor].of(o.actor) < o.at
}

// keep notes an access. The new access replaces earlier ones that can race only if it does, too: the actor's
// own accesses of its kind and, if it writes, all that happened before it.
func (c *shadow) keep(t contact) {
	left := c.touches[:0]
	for _, o := range c.touches {
		covered := o.mask&^t.mask == 0 && (o.actor == t.actor && o.Write == t.Write || t.Write) &&
			o.Atomic == t.Atomic
		if covered && t.Atomic && o.actor != t.actor {
			covered = false // the two are not ordered
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
	if t.Rule {
		return fmt.Sprintf("%s by %s at %s", t.Name, t.Actor, place(filepath.Base(t.File), t.Line))
	}
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

// clause says in words what the absence of a race means.
func (d *detector) clause() string {
	s := "races of the plain accesses that the code reports are looked for in each execution"
	if d.e.o.PlainSteps {
		s += ", and each is a step"
	}
	return s
}
