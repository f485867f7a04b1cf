package shardmap

import (
	"time"

	"github.com/samecycle/samecycle/linearizability"
	model "github.com/samecycle/samecycle/model/shardmap"
)

// The sequential specification: a map of a few keys with values and metadata. An operation that takes effect
// at one instant is a step; of one that takes effect at several (a cleanup, Size, Clear, a deferred
// invalidation) each part is one, and the whole changes nothing.
//
//	Get(k)             the value, or 0
//	GetFunc(k)         the value, or 0 if the callback rejects or discards it
//	Put(k, v)          k has v
//	Invalidate(k)      1 and k is absent, or 0 if it was absent
//	InvalidateIf(k)    the same, if the predicate is true of the entry
//	erases k           k was there and the predicate of the operation true of it; k is absent
//	counts a shard     as many entries as the shard has
//	empties a shard    the same; they are absent
//
// So an entry leaves only by an operation that may take this very entry: a fresh one that a cleanup erases
// has no order.

// thing is what the map has of a key; versions are no matter of clients.
type thing struct{ value, meta uint8 }

// things are the contents by key; a value of 0 is none.
type things [model.MaxKeys]thing

// sequence is the specification of a program's map.
type sequence struct{ p model.Program }

func (q sequence) initial() things {
	var x things
	for k, e := range q.p.Start {
		x[k] = thing{e.Value, e.Meta}
	}
	return x
}

// step returns whether the operation may answer as it did, and what the map has afterwards.
func (q sequence) step(x things, c call, a answer) (bool, things) {
	if c.part == counted || c.part == emptied {
		n := uint8(0)
		for k, home := range q.p.Homes {
			if home == c.shard && x[k].value != 0 {
				n++
				if c.part == emptied {
					x[k] = thing{}
				}
			}
		}
		return a.n == n, x
	}
	if c.kind.Cleans() && c.part == whole || c.kind == model.Size || c.kind == model.Clear {
		return true, x
	}
	e := &x[c.key-1]
	stale := e.value != 0 && staleIn(c, q.p.Homes[c.key-1], e.value, e.meta)
	switch {
	case c.part == erased:
		*e = thing{}
		return stale, x
	case c.kind == model.Put:
		*e = thing{c.value, c.meta}
		return true, x
	case c.kind == model.Get, c.kind == model.GetFunc && (c.verdict == model.Accept || !stale):
		return a.n == e.value, x
	case c.kind == model.GetFunc:
		return a.n == 0, x
	}
	gone := c.kind == model.Invalidate && e.value != 0 || c.kind == model.InvalidateIf && stale
	if gone {
		*e = thing{}
	}
	return (a.n == 1) == gone, x
}

// judgeTimeout bounds the judging of one history; one that needs longer is unknown, a failure.
const judgeTimeout = 10 * time.Second

// judge gives the verdict on the histories of the program.
func (q sequence) judge() *linearizability.Judge[call, answer] {
	return linearizability.NewJudge(linearizability.Spec[call, answer, things]{
		Init: func(call) things { return q.initial() },
		Step: func(x things, c call, a answer) (things, bool) {
			ok, after := q.step(x, c, a)
			return after, ok
		},
	}.Model(), judgeTimeout)
}
