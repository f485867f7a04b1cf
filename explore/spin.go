package explore

import (
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A window is what an actor has accessed since it last saw a change by another actor. With Options.Reduce an
// actor waits when it repeats its steps within its window, until another actor changes an object of the
// window. Both depend only on the actor's past, so equivalent executions agree on them. The rules of the
// plain search do not have this property (see fair.go).
type window struct {
	objects  []witnessed
	idle     int // accesses to objects of the window since the actor last changed something
	n        int // steps since the ring was started
	ring     []uint64
	since    int    // steps since the last Yield
	yielded  bool   // there was a Yield
	lives    uint64 // the processes that it has asked about
	gone     uint64 // those of them that were dead
	watching bool   // the actor waits for a change
	resumed  bool   // a change has come
}

// witnessed is an object and its count of changes after the actor's last access to it.
type witnessed struct {
	obj     int32
	changes uint32
}

func (w *window) reset() {
	w.objects, w.idle, w.n, w.since, w.yielded, w.lives = w.objects[:0], 0, 0, 0, false, 0
}

func (w *window) has(obj int32) bool {
	for i := range w.objects {
		if w.objects[i].obj == obj {
			return true
		}
	}
	return false
}

// object returns the number of the object at p.
func (r *reducer) object(p unsafe.Pointer) int32 {
	if len(r.objects) <= few {
		for i := range r.objects {
			if r.objects[i].p == p {
				return int32(i)
			}
		}
	} else if i, ok := r.index[p]; ok {
		return i
	}
	o := object{p: p, foreign: true, born: r.n - 1, latest: none}
	for j, g := range r.e.regions {
		if off := uintptr(p) - g.base; off < g.size {
			o.region, o.foreign = uint64(j)<<48|uint64(off), false
			break
		}
	}
	r.objects = append(r.objects, o)
	for i := r.indexed; i < len(r.objects) && len(r.objects) > few; i++ {
		r.index[r.objects[i].p] = int32(i)
		r.indexed = i + 1
	}
	return int32(len(r.objects) - 1)
}

// few is the number of objects that are found without the index.
const few = 8

// begin notes that a passes an operation boundary in its running event.
func (r *reducer) begin(a *actor) {
	r.window(a).reset()
	if r.searches() && r.e.o.Histories {
		r.frames[r.n-1].call = true
	}
}

// mark notes a client event of the running actor. Before the first access of an operation it is a call;
// later it counts as a return.
func (r *reducer) mark(call bool) {
	if r.searches() && r.e.o.Histories {
		f := &r.frames[r.n-1]
		if call {
			f.call = true
		} else {
			f.ret = true
		}
	}
}

// wait notes that a stands at a condition of the object at p. If a has just passed a boundary and cannot
// continue, it has read the object.
func (r *reducer) wait(a *actor, p unsafe.Pointer, c hook.Condition) {
	obj := r.object(p)
	r.waits[a.id] = standing{true, obj, c, -1}
	if !r.searches() || !a.fresh {
		return
	}
	if ev := &r.frames[r.n-1].event; r.e.o.Histories {
		r.touch(ev, obj)
		ev.old, ev.new, ev.ok = *c.Word, *c.Word, true
	}
}

// touch makes obj the object of the running event.
func (r *reducer) touch(ev *event, obj int32) {
	if o := &r.objects[obj]; ev.obj != obj {
		r.whole = r.whole || ev.obj != none
		ev.obj, ev.earlier = obj, o.latest
		o.latest = r.n - 1
	}
}

// glued reports whether a boundary and the wait that follows it are one step. They are if the time of the
// call matters.
func (r *reducer) glued() bool { return r.e.o.Histories }

// access accounts for the access of a's running event.
func (r *reducer) access(a *actor, s access) {
	e := r.e
	e.lap(a)
	if s.kind == hook.Resume {
		r.resume(a, s)
		return
	}
	obj := r.object(s.p)
	changed := s.ok && s.old != s.new
	if r.searches() {
		ev := &r.frames[r.n-1].event
		r.touch(ev, obj)
		r.beside(ev)
		ev.accessed = true
		ev.kind, ev.old, ev.new, ev.ok = s.kind, s.old, s.new, s.ok
		ev.write = changed || e.race != nil && e.race.orders(s)
		if seeded == casReads && s.kind == hook.CompareAndSwap || seeded == lockReads && s.kind.Sync() {
			ev.write = false
		}
	}
	w := r.window(a)
	again := w.look(obj, r.objects[obj].changes)
	for _, b := range e.also {
		i := r.object(b.p)
		again = w.look(i, r.objects[i].changes) && again
		if b.changed {
			r.change(a, i)
		}
		w.see(i, r.objects[i].changes)
	}
	if changed {
		if s.kind == hook.Runtime { // such as the clock, for which they may all be waiting
			r.rounds = 0
		}
		r.change(a, obj)
		w.idle = 0
	} else if again {
		w.idle++
	}
	w.see(obj, r.objects[obj].changes)
	w.since++
	if w.circles(s, obj, e.o.SpinLimit) {
		r.setAside(a)
	}
}

// change notes that a step of a changed the object.
func (r *reducer) change(a *actor, obj int32) {
	r.objects[obj].changes++
	r.wake(a, obj)
}

// look prepares the window for an access to an object with so many changes. It reports whether the object
// was in the window and has not changed since the actor's last access.
func (w *window) look(obj int32, changes uint32) bool {
	for _, s := range w.objects {
		if s.obj == obj {
			if s.changes == changes {
				return true
			}
			w.reset()
			return false
		}
	}
	return false
}

// see notes the count of changes after the actor's access.
func (w *window) see(obj int32, changes uint32) {
	for i := range w.objects {
		if w.objects[i].obj == obj {
			w.objects[i].changes = changes
			return
		}
	}
	w.objects = append(w.objects, witnessed{obj, changes})
}

// circles reports whether the actor waits: it has looked limit times at what it knew, or its last limit
// steps, including its own changes, repeat.
func (w *window) circles(s access, obj int32, limit int) bool {
	if w.n++; w.n <= limit { // the ring is examined when it is full for the second time
		return w.idle >= limit
	}
	h := mix64(uint64(obj), uint64(s.kind), k1)
	if s.ok {
		h ^= k6
	}
	if len(w.ring) != limit {
		w.ring = make([]uint64, limit)
	}
	w.ring[(w.n-1)%limit] = mix64(mix64(h, s.old, k2), s.new, k4)
	return w.idle >= limit || w.n%limit == 0 && periodic(w.ring)
}

// setAside makes a wait until another actor changes an object of its window.
func (r *reducer) setAside(a *actor) {
	e, w := r.e, r.window(a)
	bit := uint64(1) << uint(a.id)
	e.ready &^= bit
	e.spinning |= bit
	w.watching, w.idle, w.n, w.since = true, 0, 0, 0
}

// wake continues the actors that wait for a change of the object.
func (r *reducer) wake(by *actor, obj int32) {
	e := r.e
	for i := range e.actors {
		w := &r.windows[i]
		if w.watching && int32(i) != by.id && w.has(obj) {
			w.watching, w.resumed = false, true
			e.spinning &^= 1 << uint(i)
			e.ready |= e.live & (1 << uint(i))
		}
	}
}

// yields reports whether a, which calls Gosched, has to wait: since its last call it has only looked at what
// it knew.
func (r *reducer) yields(a *actor) bool {
	w := r.window(a)
	waits := w.yielded && w.since > 0
	w.yielded, w.since = true, 0
	return waits
}

// quiesce is called when all actors that could continue are set aside. They are all taken back, and what
// they do comes after everything that was done before. It stops doing so when that has happened too often.
func (r *reducer) quiesce() {
	e := r.e
	if r.epoch != e.progress {
		r.epoch, r.rounds = e.progress, 0
	}
	if r.rounds++; r.rounds >= roundsToLivelock {
		e.fail(&Failure{Kind: Livelock, Message: e.describeLivelock()})
		return
	}
	for i := range r.windows {
		r.windows[i].watching = false
	}
	e.ready, e.spinning = e.spinning, 0
	r.floor = r.n
}

// window returns the window of a.
func (r *reducer) window(a *actor) *window { return &r.windows[a.id] }

// held keeps, for each standing actor, since which event its condition has held.
func (r *reducer) held(i int, holds bool) {
	s := &r.waits[i]
	switch {
	case !holds:
		s.held = -1
	case s.held < 0:
		s.held = r.n
	}
}
