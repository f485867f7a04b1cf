package explore

import (
	"slices"

	"github.com/samecycle/samecycle/internal/hook"
)

// A footprint is what a step touched, for comparison with steps of other executions. Two steps depend on one
// another if one of them changed what the other touched. If histories count, a step that called and a step
// that returned also depend on one another. A step that did not change its object (a load, a failed
// CompareAndSwap, a Store of the value that was there) only reads. Two such steps commute, and each of them
// does the same again until another step changes the object.
type footprint struct {
	obj       ref
	has       bool // there is an object
	write     bool
	call, ret bool
	watch     []ref // also read
	also      []ref // also changed
	fate
	unknown    bool // the step may touch anything
	comparable int  // executions that have this footprint agree up to this event
}

// A ref names an object across executions that share a prefix.
type ref struct {
	name    uint64
	foreign bool // outside all regions; name is the order of the first access
	born    int  // the event that met it first
}

// same reports whether two objects, of executions that agree up to event d, may be the same object. Objects
// outside regions that were met after that may have any name, so they count as the same.
func (a ref) same(b ref, d int) bool {
	if a.foreign != b.foreign {
		return false
	}
	return a.name == b.name || a.foreign && a.born >= d && b.born >= d
}

// print returns the footprint of event i, for use at frame d, which does not come after it.
func (r *reducer) print(i, d int) footprint {
	ev := &r.frames[i].event
	p := footprint{write: ev.write, call: ev.call, ret: ev.ret, comparable: d, fate: ev.fate,
		unknown: ev.unknown}
	if ev.obj != none {
		p.obj, p.has = r.ref(ev.obj), true
	}
	for _, o := range ev.watch {
		p.watch = append(p.watch, r.ref(o))
	}
	for _, o := range ev.also {
		p.also = append(p.also, r.ref(o))
	}
	return p
}

func (r *reducer) ref(obj int32) ref {
	o := &r.objects[obj]
	if o.foreign {
		return ref{uint64(obj), true, o.born}
	}
	return ref{o.region, false, o.born}
}

// depends reports whether steps with the footprints may depend on one another.
func (p *footprint) depends(q *footprint) bool {
	if p.unknown || q.unknown || p.decides(q.fate) || orders(p.call, p.ret, q.call, q.ret) {
		return true
	}
	d := min(p.comparable, q.comparable)
	if p.has && q.has && (p.write || q.write) && p.obj.same(q.obj, d) {
		return true
	}
	return p.wakes(q, d) || q.wakes(p, d)
}

// orders reports whether one of two steps calls and the other returns. Then their order decides whether one
// operation precedes the other.
func orders(aCalls, aReturns, bCalls, bReturns bool) bool {
	return seeded != silent && (aCalls && bReturns || aReturns && bCalls)
}

// wakes reports whether p changed an object that q watched, or an object beside its own that q touched.
func (p *footprint) wakes(q *footprint, d int) bool {
	if p.write && p.obj.among(q.watch, d) {
		return true
	}
	for _, o := range p.also {
		if q.has && o.same(q.obj, d) || o.among(q.watch, d) || o.among(q.also, d) {
			return true
		}
	}
	return false
}

// among reports whether the object may be one of the others.
func (a ref) among(others []ref, d int) bool {
	for _, b := range others {
		if a.same(b, d) {
			return true
		}
	}
	return false
}

// A fault is a wrong dependency relation, for the canaries, which must detect it.
type fault uint8

const (
	sound     fault = iota
	casReads        // a CompareAndSwap counts as a read
	readBlind       // a change and a read of one object commute
	lockReads       // steps on locks count as reads
	silent          // a call and a return commute
	orphans         // the step that made an actor does not precede its steps
	unseen          // a death and a look whether the process is alive commute
	immortal        // a death and the steps of the actors that die commute
	unchanged       // with Process.ReadsDie a change does not change the effect of a death
	narrow          // what a step touches beside its object does not matter
	hasty           // a select does the same without the steps before it, except for its first channel
	dropping        // of several plans that begin with one actor, only the first is followed
	unwoken         // the step that ends another actor's wait does not precede that actor's steps
)

// seeded is the fault of all reducers. It is sound, except in canaries.
var seeded = sound

// dependent reports whether events i and j of the running execution, of two actors, depend on one
// another.
func (r *reducer) dependent(i, j int) bool {
	a, b := &r.frames[i].event, &r.frames[j].event
	if a.decides(b.fate) || orders(a.call, a.ret, b.call, b.ret) {
		return true
	}
	if a.obj == b.obj && a.obj != none && (a.write || b.write) {
		return seeded != readBlind || a.write && b.write
	}
	return a.wakes(b) || b.wakes(a)
}

func (a *event) wakes(b *event) bool {
	if a.write && slices.Contains(b.watch, a.obj) {
		return true
	}
	for _, o := range a.also {
		if o == b.obj || slices.Contains(b.watch, o) || slices.Contains(b.also, o) {
			return true
		}
	}
	return false
}

// A sleeper is the next step of an actor, if everything that begins with that step was searched. It has the
// footprints of all alternatives of the step.
type sleeper struct {
	actor  int32
	prints []footprint
}

// after reports whether the sleeper still sleeps after a step of the actor with that footprint.
func (s *sleeper) after(actor int32, p *footprint) bool {
	if s.actor == actor {
		return false
	}
	for i := range s.prints {
		if s.prints[i].depends(p) {
			return false
		}
	}
	return true
}

// changesAnew reports whether a step of the kind may change its object if it finds another value there.
// found is that value; new is the value that the step left or, if it was not ok, wanted to leave.
func changesAnew(kind hook.Kind, new uint64, ok bool, found uint64) bool {
	switch kind {
	case hook.Load:
		return false
	case hook.Store, hook.Swap:
		return new != found
	case hook.CompareAndSwap:
		return !ok
	}
	return true
}
