package basket

import (
	"time"

	"github.com/samecycle/samecycle/linearizability"
	model "github.com/samecycle/samecycle/model/basket"
)

// The sequential specification is the map with told removals (spec/tla/basket/Told.tla):
//
//	Get(k)       the value, or 0
//	Set(k, v)    k has v
//	Delete(k)    1 and k is absent, or 0 if it was absent
//	told v of k  k had v, and is absent; between the change that took it out and the end of the telling
//
// What makes room changes nothing but by what is told. Who dies between a change and its telling may have
// taken out what he would have told.

// things are the values by key; 0 is none.
type things [model.MaxKeys]uint8

// step returns whether the operation may answer as it did, and what the map has afterwards.
func step(x things, c call, a answer) (things, bool) {
	if !c.changes() {
		return x, true
	}
	had := &x[c.key-1]
	was := *had
	switch {
	case c.removed:
		*had = 0
		return x, was == c.value
	case c.kind == model.Get:
		return x, a.n == int8(was)
	case c.kind == model.Set:
		*had = c.value
		return x, true
	}
	*had = 0
	return x, (a.n == 1) == (was != 0)
}

// pending is what a call of a dead client may have left.
func pending(x things, c call) []things {
	switch {
	case !c.changes(), c.removed && x[c.key-1] != c.value:
		return nil
	case c.removed, c.kind == model.Delete:
		x[c.key-1] = 0
	case c.kind == model.Set:
		x[c.key-1] = c.value
	}
	return []things{x}
}

// judgeTimeout bounds the judging of one history; one that needs longer is unknown, a failure.
const judgeTimeout = 10 * time.Second

// judge gives the verdict on the histories of the program.
func (p program) judge() *linearizability.Judge[call, answer] {
	return linearizability.NewJudge(linearizability.Spec[call, answer, things]{
		Init: func(call) (x things) {
			copy(x[:], p.Start)
			return x
		},
		Step: step, Pending: pending,
	}.Model(), judgeTimeout)
}
