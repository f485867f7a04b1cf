package volume

import (
	"fmt"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/scenarios/shardmap/states"
	"github.com/samecycle/samecycle/stress"
)

// asked is an operation on one key as the judge has it. Erase takes the key out if it has that value still: a
// part of a cleanup or of a get that discards.
type asked struct {
	kind  states.Kind
	erase bool
	key   uint32
	value uint64
}

// Append appends the text of the request.
func (q asked) Append(text []byte) []byte {
	name := q.kind.String()
	if q.erase {
		name += " erases"
	}
	return fmt.Appendf(text, "%s %d %#x", name, q.key, q.value)
}

// given is the answer: a value, or 1 or 0. Gave tells it from none.
type given struct {
	gave  bool
	value uint64
}

// Append appends the text of the answer.
func (r given) Append(text []byte) []byte {
	if !r.gave {
		return append(text, "nothing"...)
	}
	return fmt.Appendf(text, "%#x", r.value)
}

// ops is the history of a window.
type ops = history.History[asked, given]

// history is what the clients of a window saw, key by key, with a last read of each key.
func (w *world) history(x *stress.Window, now map[uint32]uint64) ops {
	var h ops
	add := func(client int, call, ret int64, q asked, r given) {
		h = append(h, history.Op[asked, given]{ID: uint64(len(h) + 1), Client: client, Request: q, Result: r,
			Call: call, Return: ret})
	}
	for i := range x.Events {
		e := &x.Events[i]
		k, key, client := kindOf(e.Request), keyOf(e.Request), int(e.Owner)
		switch k {
		case states.Get, states.GetFunc:
			add(client, e.Call, e.Return, asked{kind: k, key: key}, given{true, e.Result[0]})
		case states.Put:
			add(client, e.Call, e.Return, asked{kind: k, key: key, value: e.Request[1]}, given{gave: true})
		case states.Invalidate, states.InvalidateIf:
			add(client, e.Call, e.Return, asked{kind: k, key: key}, given{true, e.Result[0]})
		}
		for n, note := range e.Notes { // each a client of its own: it goes on beside the others
			add(maxOwner+client*stress.NotesMost+n, e.Call, e.Return,
				asked{kind: k, erase: true, key: uint32(note[0]), value: note[1]}, given{gave: true})
		}
	}
	for key := uint32(1); key <= keys; key++ {
		add(0, x.Ended+2*int64(key), x.Ended+2*int64(key)+1, asked{kind: states.Get, key: key},
			given{true, now[key]})
	}
	return h
}

// maxOwner is above the owners of all clients of a run.
const maxOwner = 1 << 10

// modelOf is a map that began with the initial values, one key at a time: a value, or 0.
func modelOf(initial map[uint32]uint64) linearizability.Model[asked, given] {
	return linearizability.Spec[asked, given, uint64]{
		Init: func(q asked) uint64 { return initial[q.key] },
		Key:  func(q asked) any { return q.key },
		Step: step,
		ReadOnly: func(q asked, _ *given) bool {
			return !q.erase && (q.kind == states.Get || q.kind == states.GetFunc)
		},
	}.Model()
}

// step is what an operation does to a key, and whether it may answer as it did.
func step(v uint64, q asked, r given) (uint64, bool) {
	switch {
	case q.erase && v == q.value:
		return 0, true
	case q.erase:
		return v, true
	case q.kind == states.Put:
		return q.value, true
	case q.kind == states.Get:
		return v, r.value == v
	case q.kind == states.GetFunc && (v == 0 || stale(v)):
		return v, r.value == 0
	case q.kind == states.GetFunc:
		return v, r.value == v
	case q.kind == states.InvalidateIf && v != 0 && !stale(v):
		return v, r.value == 0
	}
	return 0, (r.value == 1) == (v != 0)
}
