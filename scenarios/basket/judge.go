package basket

import (
	"time"

	"github.com/samecycle/samecycle/linearizability"
	model "github.com/samecycle/samecycle/model/basket"
)

// The sequential specification is the map with told removals (spec/tla/basket/Told.tla):
//
//	Get(k)       the value, or 0, and whether it has a mark
//	Set(k, v)    k has v, without a mark
//	Mark(k)      the value, which has a mark; or 0, and nothing has happened: it may be lost at any time
//	Clear(k)     the same without a mark
//	Delete(k)    1 and k is absent, or 0 if it was absent
//	Tune(l, h)   the parameters of ageing are l and h, of which 0 leaves one as it is
//	Tend         baskets have aged by the parameters that there are
//	told v of k  k had v, and is absent; between the change that took it out and the end of the telling
//
// What makes room changes nothing but by what is told. An actor that dies between a change and its telling
// may have taken out what it would have told.

// things are the values by key; 0 is none.
type things [model.MaxKeys]uint8

// content is what the map has.
type content struct {
	things
	marks [model.MaxKeys]uint8 // by key
	pair  model.Pair           // of the parameters
}

// put gives a key, from 1, a value, 0 for none; it has no mark.
func (x content) put(key, value uint8) content {
	x.things[key-1], x.marks[key-1] = value, 0
	return x
}

// marked gives it a mark, or takes it away.
func (x content) marked(key, mark uint8) content {
	x.marks[key-1] = mark
	return x
}

// step returns whether the operation may answer as it did, and what the map has afterwards.
func step(x content, c call, a answer) (content, bool) {
	switch {
	case c.removed || c.moved:
	case c.kind == model.Tune:
		x.pair = x.pair.Changed(c.pair)
	case c.kind == model.Tend:
		return x, a.pair == x.pair
	}
	if !c.changes() {
		return x, true
	}
	was := x.things[c.key-1]
	switch {
	case c.removed:
		return x.put(c.key, 0), was == c.value
	case c.kind == model.Get:
		return x, a.n == int8(was) && a.mark == x.marks[c.key-1]
	case c.kind == model.Set:
		return x.put(c.key, c.value), true
	case c.kind == model.Mark && a.n == 0:
		return x, true
	case c.kind == model.Mark:
		return x.marked(c.key, c.value), a.n == int8(was)
	}
	return x.put(c.key, 0), (a.n == 1) == (was != 0)
}

// pending is what a call of a dead client may have left.
func pending(x content, c call) []content {
	if c.kind == model.Tune && !c.removed && !c.moved {
		x.pair = x.pair.Changed(c.pair)
		return []content{x}
	}
	if !c.changes() {
		return nil
	}
	was := x.things[c.key-1]
	switch {
	case c.removed && was != c.value, c.kind == model.Mark && !c.removed && was == 0:
		return nil
	case c.removed, c.kind == model.Delete:
		x = x.put(c.key, 0)
	case c.kind == model.Set:
		x = x.put(c.key, c.value)
	case c.kind == model.Mark:
		x = x.marked(c.key, c.value)
	}
	return []content{x}
}

// judgeTimeout bounds the judging of one history; one that needs longer is unknown, a failure.
const judgeTimeout = 10 * time.Second

// judge gives the verdict on the histories of the program.
func (p program) judge() *linearizability.Judge[call, answer] {
	return linearizability.NewJudge(linearizability.Spec[call, answer, content]{
		Init: func(call) (x content) {
			copy(x.things[:], p.Start)
			x.pair = p.Pair
			for _, r := range p.Records {
				if r.Suspect != 0 {
					x.marks[r.Key-1] = 1
				}
			}
			return x
		},
		Step: step, Pending: pending,
	}.Model(), judgeTimeout)
}
