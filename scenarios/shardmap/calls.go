package shardmap

import (
	"fmt"

	model "github.com/samecycle/samecycle/model/shardmap"
)

// call is what a client asks for, or a part of such an operation that takes effect at an instant of its own:
// an erase of a cleanup, the count of one shard by Size.
type call struct {
	kind  model.Kind
	part  part
	key   uint8 // of the model, from 1
	value uint8
	meta  uint8
	shard uint8 // of a part, from 1

	// Of a predicate.
	form           model.Form
	context, limit uint8
	verdict        model.Verdict
}

// part tells the parts of operations from whole ones.
type part uint8

const (
	whole   part = iota
	erased       // an entry leaves, by a cleanup or a deferred invalidation
	counted      // Size has counted a shard
	emptied      // Clear has emptied a shard
)

var partNames = [...]string{"", "erases", "counts", "empties"}

// callOf is an operation of the model as its client calls it.
func callOf(o model.Op) call {
	return call{kind: o.Kind, key: o.Key, value: o.Value, meta: o.Meta, form: o.Form, context: o.Context,
		limit: o.Limit, verdict: o.Verdict}
}

// Append appends the call as a text that differs from those of all others.
func (c call) Append(text []byte) []byte {
	switch c.part {
	case erased:
		return fmt.Appendf(text, "%v erases %d", c.kind, c.key)
	case counted, emptied:
		return fmt.Appendf(text, "%v %s shard %d", c.kind, partNames[c.part], c.shard)
	}
	text = fmt.Appendf(text, "%v(", c.kind)
	switch c.kind {
	case model.Put, model.Refill:
		text = fmt.Appendf(text, "%d, %d, age %d", c.key, c.value, c.meta)
	case model.Get, model.Invalidate:
		text = fmt.Appendf(text, "%d", c.key)
	case model.GetFunc:
		text = fmt.Appendf(text, "%d, %s below %d", c.key, verdictNames[c.verdict], c.context)
	case model.InvalidateIf:
		text = fmt.Appendf(text, "%d, below %d", c.key, c.context)
	case model.Cleanup, model.TryCleanup, model.FullCleanup:
		text = fmt.Appendf(text, "below %d, form %d, limit %d", c.context, c.form, c.limit)
	}
	return append(text, ')')
}

// String is the text.
func (c call) String() string { return string(c.Append(nil)) }

var verdictNames = [...]string{"accept", "reject", "discard"}

// answer is what came back: a value or 0 of a get, 1 or 0 of an invalidation, the number of erased entries,
// the size. Shard is the one that the rotation named, from 1, 0 if none. Gave tells the answer of an
// operation from none.
type answer struct {
	gave  bool
	n     uint8
	shard uint8
}

// Append appends the answer as a text that differs from those of all others.
func (a answer) Append(text []byte) []byte {
	switch {
	case !a.gave:
		return append(text, "nothing"...)
	case a.shard != 0:
		return fmt.Appendf(text, "%d, shard %d", a.n, a.shard)
	}
	return fmt.Appendf(text, "%d", a.n)
}

// String is the text.
func (a answer) String() string { return string(a.Append(nil)) }
