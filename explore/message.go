package explore

import (
	"slices"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

var _ hook.Messenger = (*engine)(nil)

// beside is an object that a step touches beside its own.
type beside struct {
	p       unsafe.Pointer
	changed bool
}

// Also implements hook.Messenger.
func (e *engine) Also(p unsafe.Pointer, changed bool) {
	e.strays(e.actors[e.cur])
	if e.red != nil || e.keyed {
		e.also = append(e.also, beside{p, changed})
	}
}

// Tell implements hook.Messenger.
func (e *engine) Tell() unsafe.Pointer {
	a := e.actors[e.cur]
	e.strays(a)
	if e.race == nil {
		return nil
	}
	d := e.race
	told := slices.Clone(d.now[a.number])
	d.now[a.number][a.number]++
	return unsafe.Pointer(&told)
}

// Learn implements hook.Messenger.
func (e *engine) Learn(told unsafe.Pointer) {
	a := e.actors[e.cur]
	e.strays(a)
	if e.race != nil && told != nil && flaw != deafChannel {
		e.race.now[a.number].join(*(*clock)(told))
	}
}

// beside notes what the running event touches beside its object.
func (r *reducer) beside(ev *event) {
	for _, b := range r.e.also {
		r.whole, r.wide = true, true
		obj := r.object(b.p)
		if b.changed {
			ev.also = append(ev.also, obj)
		} else {
			ev.watch = append(ev.watch, obj)
		}
	}
	if seeded == narrow {
		ev.also, ev.watch = ev.also[:0], ev.watch[:0]
	}
}

// resume handles the running event of a, which continues after a wait at a channel. The event touches
// nothing that another actor sees, but it comes after the step that ended the wait.
func (r *reducer) resume(a *actor, s access) {
	if r.searches() {
		ev := &r.frames[r.n-1].event
		ev.accessed, ev.kind, ev.old, ev.new, ev.ok = true, s.kind, s.old, s.new, s.ok
	}
	r.window(a).since++
}

// waker returns the event that ended the wait at a channel after which f continues. It is negative if f does
// not continue after such a wait.
func (f *frame) waker() int {
	if f.kind != hook.Resume {
		return none
	}
	return f.wait.held - 1
}
