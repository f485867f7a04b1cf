package volume

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/slots"
	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/stress"
)

// asked is an operation on one register as the judge has it.
type asked struct {
	get    bool
	key    uint32
	number uint64
}

// Append appends the text of the request.
func (q asked) Append(text []byte) []byte {
	if q.get {
		return fmt.Appendf(text, "Get %d", q.key)
	}
	return fmt.Appendf(text, "Swap %d %d", q.key, q.number)
}

// given is the answer: what the register had. Gave tells it from none.
type given struct {
	gave bool
	old  uint64
}

// Append appends the text of the answer.
func (r given) Append(text []byte) []byte {
	if !r.gave {
		return append(text, "nothing"...)
	}
	return fmt.Appendf(text, "%d", r.old)
}

// ops is the history of a round.
type ops = history.History[asked, given]

// noOwner is above the owners of all clients of a run.
const noOwner = 1 << 12

// history is what the clients of a round saw, and what was performed of requests whose outcome they do not
// know. It judges each request against what its service has noted.
func (w *world) history(x *stress.Window, now [keys]uint64, f *stress.Faults) (h ops) {
	extra := noOwner
	add := func(client int, call, ret int64, q asked, r given) {
		h = append(h, history.Op[asked, given]{ID: uint64(len(h) + 1), Client: client, Request: q, Result: r,
			Call: call, Return: ret})
	}
	for i := range x.Events {
		e := &x.Events[i]
		q := asked{kindOf(e.Request) == kindGet, keyOf(e.Request), e.Request[1]}
		p, o := w.performed(q.number), slots.Outcome(e.Result[0])
		if e.Pending {
			o = slots.Unknown
		}
		w.outcome(e, o, p, f)
		switch {
		case o == slots.Answered:
			add(int(e.Owner), e.Call, e.Return, q, given{true, e.Result[1]})
		case o == slots.Unknown && p.times > 0:
			extra++ // the client goes on beside it
			if p.known {
				add(extra, e.Call, x.Ended, q, given{true, p.old})
				continue
			}
			add(extra, e.Call, history.Forever, q, given{})
			h[len(h)-1].Pending = true
		}
	}
	for key := range uint32(keys) {
		at := x.Ended + 1 + 2*int64(key)
		add(0, at, at+1, asked{get: true, key: key}, given{true, now[key]})
	}
	return h
}

// outcome holds what a client was told of a request against what was performed.
func (w *world) outcome(e *stress.Event, o slots.Outcome, p performed, f *stress.Faults) {
	what := func() string {
		return fmt.Sprintf("%v of register %d, request %d, of client %d, from %d to %d", kindOf(e.Request),
			keyOf(e.Request), e.Request[1], e.Owner, e.Call, e.Return)
	}
	switch {
	case p.times > 1:
		f.Add("performed: %d times: %s", p.times, what())
	case o == slots.Answered && p.times == 0:
		f.Add("performed: not, and it was answered: %s", what())
	case o == slots.Answered && (!p.known || p.old != e.Result[1]):
		f.Add("performed: the register had %d, and the answer is %d: %s", p.old, e.Result[1], what())
	case o == slots.NotDone && p.times > 0:
		f.Add("performed: once, and the client was told that it was not, and would never be: %s", what())
	}
}

// modelOf is a word that began with the contents of its key, one key at a time.
func modelOf(initial [keys]uint64) linearizability.Model[asked, given] {
	return linearizability.Spec[asked, given, uint64]{
		Init: func(q asked) uint64 { return initial[q.key%keys] },
		Key:  func(q asked) any { return q.key },
		Step: func(v uint64, q asked, r given) (uint64, bool) {
			if q.get {
				return v, r.old == v
			}
			return q.number, r.old == v
		},
		Pending: func(v uint64, q asked) []uint64 {
			if q.get {
				return nil
			}
			return []uint64{q.number}
		},
		ReadOnly: func(q asked, _ *given) bool { return q.get },
	}.Model()
}
