package shardmap

import (
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/impl/shardmap"
	model "github.com/samecycle/samecycle/model/shardmap"
)

// Perform makes one operation of an actor.
func (w *world) Perform(_ *explore.Execution, actor int, _ uint64, c call) (answer, error) {
	r := &w.running[actor-1]
	o := w.opOf(actor, c)
	a := w.enter(r, actor, o)
	return a, w.check(o, a, r.n[0])
}

// opOf is the model's operation of a call of an actor: the one with the same call.
func (w *world) opOf(actor int, c call) model.Op {
	for _, o := range w.program.Calls[actor-1] {
		if callOf(o) == c {
			return o
		}
	}
	return model.Op{}
}

// check holds the number that an operation returned against what it has erased and counted, step by step.
func (w *world) check(o model.Op, a answer, n uint8) error {
	counts := o.Kind.Cleans() || o.Kind == model.Size || o.Kind == model.Clear
	if counts && a.n != n {
		return fmt.Errorf("%w: %v returned %d, its steps are %d", ErrCount, callOf(o), a.n, n)
	}
	return nil
}

// enter makes an operation; a predicate that throws is caught, as a client would.
func (w *world) enter(r *running, actor int, o model.Op) (a answer) {
	r.op[r.depth], r.n[r.depth] = o, 0
	r.depth++
	defer func() {
		r.depth--
		if o.Form == model.Throws {
			if v := recover(); v != nil && v != thrown {
				panic(v) // the explorer unwinds an actor by a panic of its own
			}
			a = answer{gave: true}
		}
	}()
	return w.operate(actor, o)
}

// thrown is what a predicate of the form Throws panics with.
const thrown = "thrown"

// operate makes the operation on the map.
func (w *world) operate(actor int, o model.Op) answer {
	var key uint64
	if o.Key != 0 {
		key = w.keys[o.Key-1]
	}
	number := func(yes bool) answer {
		if yes {
			return answer{gave: true, n: 1}
		}
		return answer{gave: true}
	}
	inside := w.inside(actor, o)
	switch o.Kind {
	case model.Get:
		v, _ := w.m.Get(key)
		return answer{gave: true, n: v}
	case model.GetFunc:
		v, _ := w.m.GetFunc(key, func(value, meta uint8) shardmap.Action {
			inside()
			if w.stale(o, o.Key, value, meta) {
				return actions[o.Verdict]
			}
			return shardmap.Accept
		})
		return answer{gave: true, n: v}
	case model.Put:
		w.m.Put(key, o.Value, o.Meta)
		return answer{gave: true}
	case model.Invalidate:
		return number(w.m.Invalidate(key))
	case model.InvalidateIf:
		return number(w.m.InvalidateIf(key, func(value, meta uint8) bool {
			inside()
			return w.stale(o, o.Key, value, meta)
		}))
	case model.Size:
		return answer{gave: true, n: uint8(w.m.Size())}
	case model.Clear:
		return answer{gave: true, n: uint8(w.m.Clear())}
	}
	return w.clean(o, inside)
}

// clean makes one of the cleanups.
func (w *world) clean(o model.Op, inside func()) answer {
	p := w.predicate(o, inside)
	switch o.Kind {
	case model.Cleanup:
		r := w.m.Cleanup(p)
		return answer{true, uint8(r.Removed), uint8(r.Shard + 1)}
	case model.TryCleanup:
		r, ok := w.m.TryCleanup(p)
		if !ok {
			return answer{gave: true}
		}
		return answer{true, uint8(r.Removed), uint8(r.Shard + 1)}
	}
	return answer{gave: true, n: uint8(w.m.FullCleanup(p))}
}

var actions = [...]shardmap.Action{model.Accept: shardmap.Accept, model.Reject: shardmap.Reject,
	model.Discard: shardmap.Discard}

// inside is what a callback or predicate does besides: it calls the map once, if the operation has such a
// call.
func (w *world) inside(actor int, o model.Op) func() {
	called := o.Calls == nil
	return func() {
		if called {
			return
		}
		called = true
		client := len(w.program.Calls) + actor - 1
		id := w.rec.Call(client, callOf(*o.Calls))
		a := w.enter(&w.running[actor-1], actor, *o.Calls)
		w.rec.Return(id, a)
	}
}

// modelKey is the model's name of a key.
func (w *world) modelKey(key uint64) uint8 {
	for k := range w.keys {
		if w.keys[k] == key {
			return uint8(k + 1)
		}
	}
	return 0
}

// predicate is that of a cleanup, in the form that the model names.
func (w *world) predicate(o model.Op, inside func()) shardmap.Predicate[uint64, uint8, uint8] {
	is := func(key uint64, value, meta uint8) bool {
		inside()
		return w.stale(o, w.modelKey(key), value, meta)
	}
	switch o.Form {
	case model.OfMeta:
		return shardmap.OfMeta[uint64, uint8](func(key uint64, meta uint8) bool { return is(key, 0, meta) })
	case model.OfValue:
		return shardmap.OfValue(is)
	case model.Throws:
		return shardmap.OfMeta[uint64, uint8](func(uint64, uint8) bool { panic(thrown) })
	}
	return shardmap.OfShard(func(key uint64, value, meta uint8, shard int) bool {
		inside()
		return meta < o.Context && shard+1 == int(o.Limit)
	})
}

// stale is what the predicate of an operation says of an entry.
func (w *world) stale(o model.Op, key, value, meta uint8) bool {
	return staleIn(callOf(o), w.program.Homes[key-1], value, meta)
}

// staleIn is what the predicate of a call says of an entry in a shard, from 1.
func staleIn(c call, shard, value, meta uint8) bool {
	switch {
	case meta >= c.context || c.form == model.Throws:
		return false
	case c.form == model.OfValue:
		return value < c.limit
	case c.form == model.OfShard:
		return shard == c.limit
	}
	return true
}
