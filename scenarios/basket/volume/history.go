package volume

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/stress"
)

// asked is an operation on one key as the judge has it. Leaves is a record that went: a part of a call, or of
// one that died.
type asked struct {
	kind   kind
	half   uint32 // of the parameters that a change is about
	leaves bool
	key    uint32
	value  uint64
}

// Append appends the text of the request.
func (q asked) Append(text []byte) []byte {
	if q.leaves {
		return fmt.Appendf(text, "Leaves %d %#x", q.key, q.value)
	}
	if q.kind == kindTune {
		return fmt.Appendf(text, "Tune %d %#x", q.half, q.value)
	}
	return fmt.Appendf(text, "%v %d %#x", q.kind, q.key, q.value)
}

// given is the answer: the value that a get has found, and whether it has a mark; that a change has taken
// out, or to which a mark went; 0 is none.
type given struct {
	value   uint64
	suspect bool
}

// entry is what the map has for a key: value 0 is nothing.
type entry = given

// Append appends the text of the answer.
func (r given) Append(text []byte) []byte {
	if r.value == 0 {
		return append(text, "nothing"...)
	}
	if r.suspect {
		text = append(text, "suspect "...)
	}
	return fmt.Appendf(text, "%#x", r.value)
}

// ops is the history of a round.
type ops = history.History[asked, given]

// noOwner is above the owners of all clients of a run.
const noOwner = 1 << 12

// history is what the clients of a round saw, what they were told, and a last read of each key. lost are
// values that deaths have hidden: each may have gone at any time since the first of them.
func (x *window) history(lost []gone) (h ops) {
	add := func(client int, call, ret int64, q asked, r given) {
		h = append(h, history.Op[asked, given]{ID: uint64(len(h) + 1), Client: client, Request: q, Result: r,
			Call: call, Return: ret})
	}
	sure := map[uint64]bool{}
	var late []stress.Words
	extra := noOwner
	for i := range x.Events {
		e := &x.Events[i]
		k, end := kindOf(e.Request), e.Return
		q := asked{kind: k, key: keyOf(e.Request)}
		if k == kindSet || k == kindMark {
			q.value = e.Request[1]
		}
		if k == kindTune || k == kindTend {
			h = x.ofParams(h, e)
		}
		switch {
		case k > kindRemove && k != kindMark || k == kindGet && e.Pending:
		case k == kindMark && !e.Pending && e.Result[1] == 0: // nothing has happened
		case e.Pending:
			add(int(e.Owner), e.Call, history.Forever, q, given{})
			h[len(h)-1].Pending = true
		case e.Result[0] != gaveUp:
			add(int(e.Owner), e.Call, e.Return, q, given{e.Result[1], e.Result[0]&resultSuspect != 0})
		}
		if e.Pending {
			end = x.Ended
		}
		for _, n := range e.Notes { // each a client of its own: it goes on beside the others
			switch r := reasonOf(n); {
			case r == basket.ReasonDead:
				late = append(late, n)
				continue
			case e.Pending || r == basket.ReasonEvicted || r == basket.ReasonIndexFull:
				if e.Pending && (r == basket.ReasonReplaced || r == basket.ReasonDeleted) {
					sure[n[1]] = true // a part of the pending operation
					continue
				}
				extra++
				add(extra, e.Call, end, asked{leaves: true, key: keyOf(n), value: n[1]}, given{value: n[1]})
			}
			sure[n[1]] = true
		}
	}
	for _, n := range append(late, x.settled...) {
		if !sure[n[1]] {
			sure[n[1]], extra = true, extra+1
			add(extra, x.since, x.Ended, asked{leaves: true, key: keyOf(n), value: n[1]}, given{value: n[1]})
		}
	}
	for _, l := range lost {
		extra++
		add(extra, x.since, history.Forever, asked{leaves: true, key: l.key, value: l.value}, given{})
		h[len(h)-1].Pending = true
	}
	for key := range x.keys {
		at := x.Ended + 1 + 2*int64(key)
		add(0, at, at+1, asked{kind: kindGet, key: key}, given{x.now[key], x.suspects[key]})
	}
	if x.pair != 0 {
		at := x.Ended + 1 + 2*int64(x.keys)
		add(0, at, at+1, asked{kind: kindTend, key: x.keys}, given{value: x.pair})
	}
	return h
}

// ofParams adds a change of the parameters, or who went by them. They count as a key of their own, behind the
// others.
func (x *window) ofParams(h ops, e *stress.Event) ops {
	op := history.Op[asked, given]{ID: uint64(len(h) + 1), Client: int(e.Owner), Call: e.Call,
		Return:  e.Return,
		Request: asked{kind: kindOf(e.Request), key: x.keys, half: keyOf(e.Request), value: e.Request[1]}}
	tunes := op.Request.kind == kindTune
	switch {
	case e.Pending && tunes:
		op.Pending, op.Return = true, history.Forever
	case e.Pending, !tunes && e.Result[1] == 0: // nobody knows, or it had nothing to choose
		return h
	case !tunes:
		op.Request.half, op.Result.value = 0, e.Result[1]
	}
	return append(h, op)
}

// modelOf is a map, one key at a time: a value, or 0, and whether it has a mark. It began with the initial
// values, of which the suspects had a mark.
func modelOf(initial map[uint32]uint64, suspects map[uint32]bool) linearizability.Model[asked, given] {
	return linearizability.Spec[asked, given, entry]{
		Init:    func(q asked) entry { return entry{initial[q.key], suspects[q.key]} },
		Key:     func(q asked) any { return q.key },
		Step:    step,
		Pending: pending,
		ReadOnly: func(q asked, r *given) bool {
			reads := q.kind == kindGet || q.kind == kindTend
			return !q.leaves && (reads || q.kind == kindRemove && r != nil && r.value == 0)
		},
	}.Model()
}

// step is what an operation does to a key, and whether it may answer as it did. What a change says that it
// has taken out is what was there, and so is that to which a mark went.
func step(v entry, q asked, r given) (entry, bool) {
	switch {
	case q.leaves:
		return entry{}, v.value == q.value
	case q.kind == kindSet:
		return entry{value: q.value}, r.value == v.value
	case q.kind == kindRemove:
		return entry{}, r.value == v.value
	case q.kind == kindMark:
		return entry{v.value, q.value == 1}, r.value == v.value
	case q.kind == kindTune:
		return entry{value: changed(v.value, q.half, q.value)}, true
	}
	return v, r == v
}

// pending is what an operation may leave whose client has died.
func pending(v entry, q asked) []entry {
	switch {
	case q.leaves && v.value != q.value, q.kind == kindMark && !q.leaves && v.value == 0:
		return nil
	case q.kind == kindSet && !q.leaves:
		return []entry{{value: q.value}}
	case q.kind == kindMark && !q.leaves:
		return []entry{{v.value, q.value == 1}}
	case q.kind == kindTune && !q.leaves:
		return []entry{{value: changed(v.value, q.half, q.value)}}
	}
	return []entry{{}}
}
