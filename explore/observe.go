package explore

import (
	"fmt"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// foreign is set in the names of objects outside all regions.
const foreign = 1 << 63

// named is set in the names of pointer values, so no name is that of nil.
const named = 1 << 62

var killStep = Step{Kind: hook.Kill, OK: true}

type region struct{ base, size uintptr }

func (e *engine) addRegion(p unsafe.Pointer, size int) {
	if size < 0 || len(e.regions) == 16 {
		panic(fmt.Sprintf("explore: Region of %d bytes, number %d: want at most 16 of size >= 0",
			size, len(e.regions)+1))
	}
	e.regions = append(e.regions, region{uintptr(p), uintptr(size)})
}

// name returns the stable name of the object at p, which a accesses. An object outside regions is kept alive
// until the execution ends, so no other object gets its address.
func (e *engine) name(a *actor, p unsafe.Pointer) uint64 {
	for i, r := range e.regions {
		if off := uintptr(p) - r.base; off < r.size {
			return uint64(i)<<48 | uint64(off)
		}
	}
	n, ok := e.names[p]
	if !ok {
		n = foreign | uint64(a.number)<<32 | uint64(a.named)
		a.named++
		e.names[p] = n
	}
	return n
}

// nameValue is name for a pointer that is itself the value of a shared word.
func (e *engine) nameValue(a *actor, p unsafe.Pointer) uint64 {
	if p == nil {
		return 0
	}
	return e.name(a, p) | named
}

// observe updates the state key with a step, and shows the step to its observers.
func (e *engine) observe(a *actor, s access) {
	obj := e.name(a, s.p)
	if e.keyed {
		e.learn(a, obj, s)
	}
	if e.o.Coverage != nil && !e.unwinding {
		fn, file, line := e.sites.caller()
		e.o.Coverage.saw(a, s, site{fn, file, line})
	}
	e.emit(a, Step{Kind: s.kind, Object: obj, Old: s.old, New: s.new, OK: s.ok}, e.o.Sites)
}

// learn adds a step to the state: what a learned from it, and what it changed.
func (e *engine) learn(a *actor, obj uint64, s access) {
	v := s.old
	switch s.kind {
	case hook.Store:
		v = 0
	case hook.CompareAndSwap:
		v = 0
		if s.ok {
			v = 1
		}
	case hook.Add:
		v = s.new
	}
	a.hist = a.hist.then(obj*k2 ^ uint64(s.kind)<<32 ^ uint64(a.named)).then(v)
	if s.ok && s.old != s.new {
		e.shared = e.shared.xor(mix(obj, s.old)).xor(mix(obj, s.new))
	}
	if s.kind.Sync() {
		e.learnOrder(a, obj, s.ok)
	}
	for _, b := range e.also {
		e.learnOrder(a, e.name(a, b.p), b.changed)
	}
}

// learnOrder makes the order in which actors use a lock a part of the state, because it decides the content
// of the plain memory that the lock guards.
func (e *engine) learnOrder(a *actor, obj uint64, ok bool) {
	old := e.chains[obj]
	a.hist = a.hist.then(old.a)
	if !ok {
		a.hist = a.hist.then(k3)
		return
	}
	new := old.then(a.hist.a).then(a.hist.b)
	e.chains[obj] = new
	e.shared = e.shared.xor(old.of(obj)).xor(new.of(obj))
}

// of is the contribution of an object's order to the state.
func (k key) of(obj uint64) key { return key{mix64(obj, k.a, k3), mix64(obj, k.b, k4)} }

// stateKey returns the key of the state at a decision of a.
func (e *engine) stateKey(a *actor, opts, enabled uint64) key {
	k := e.shared
	for _, b := range e.actors {
		k = k.xor(key{mix64(b.hist.a, b.hist.b, k5), mix64(b.hist.b, b.hist.a, k6)})
	}
	k = k.then(e.events.a).then(e.events.b).then(opts).then(enabled | e.spinning<<32)
	k = k.then(e.dead<<32 | e.live).then(uint64(e.killsLeft))
	if e.o.Preemptions >= 0 && a != nil && enabled>>uint(a.id)&1 == 1 {
		k = k.then(uint64(a.id))
	}
	return k
}

// emit gives a step its number and shows it to the recorder and the program.
func (e *engine) emit(a *actor, s Step, site bool) {
	s.Index, s.Actor = e.index, a.number
	e.index++
	if e.keyed && !s.Kind.Access() {
		a.hist = a.hist.then(uint64(s.Kind)).then(s.New)
	}
	switch {
	case e.recordsSites() && s.Kind != hook.Kill:
		at := here(a)
		s.Func, s.File, s.Line = at.fn, at.file, at.line
	case site && e.o.Sites:
		s.Func, s.File, s.Line = e.sites.caller()
	}
	if e.rec != nil {
		e.rec.step(s)
		e.tell(s)
	}
	if e.p.Step == nil || e.unwinding {
		return
	}
	hook.Active = nil
	err := e.p.Step(&e.x, s)
	hook.Active = e.scheduler()
	if err != nil {
		e.fail(&Failure{Kind: Invariant, Message: err.Error(), Err: err})
	}
}

// tell asks the program to describe a step, for the report of a failure.
func (e *engine) tell(s Step) {
	if e.p.Tell == nil || !e.rec.sites {
		return
	}
	active := hook.Active
	hook.Active = nil
	e.rec.note(e.p.Tell(&e.x, s))
	hook.Active = active
}
