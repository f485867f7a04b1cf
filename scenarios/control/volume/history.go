package volume

import (
	"fmt"
	"math"

	"github.com/samecycle/samecycle/internal/history"
	"github.com/samecycle/samecycle/linearizability"
	"github.com/samecycle/samecycle/stress"
)

// act is what happens to the leases, or to a word of live parameters.
type act uint8

const (
	actTurn  act = iota // of a janitor
	actLeave            // a process gives up what it has
	actDie              // a process ends
	actRest             // a word has a lease of the process, at rest
	actSet              // fields of a word are set
	actGet              // a word is loaded
	actFind             // a janitor loads how many leases there may be
	actWant             // somebody says that a writer is wanted
	actAsk              // somebody asks so
	actWish             // the word of a handover, at rest
)

var actNames = [...]string{"turn", "leave", "die", "rest", "set", "get", "find", "want", "ask", "wish"}

// asked is an act as the judge has it.
type asked struct {
	act    act
	seat   uint8  // of a process
	word   uint8  // of live parameters
	fields uint32 // to be set
	n      uint64 // the value, or the moment at which the turn began
}

// Append appends the text of the request.
func (q asked) Append(text []byte) []byte {
	if q.act >= actSet && q.act < actWant {
		return fmt.Appendf(text, "%s word %d, fields %b, %d", actNames[q.act], q.word, q.fields, q.n)
	}
	return fmt.Appendf(text, "%s of seat %d, at %d", actNames[q.act], q.seat, q.n)
}

// given is the answer. Gave tells it from none.
type given struct {
	gave bool
	held bool
	n    uint64 // the moment at which the turn ended, or what was found
	rest wish   // that was found at rest
}

// Append appends the text of the answer.
func (r given) Append(text []byte) []byte {
	if !r.gave {
		return append(text, "nothing"...)
	}
	return fmt.Appendf(text, "%v %d, wish %v", r.held, r.n, r.rest)
}

// seats is how many clients a round can have, those that die in it included.
const seats = 2 * stress.ClientsMost

// object is the state of the sequential objects.
type object struct {
	since [seats]uint32 // of a process: when its last turn began, by which it has a lease; 0 without; or gone
	word  uint64
	wish  wish
}

// String names what is not zero.
func (o object) String() string {
	text := fmt.Sprintf("word %#x, wish %v", o.word, o.wish)
	for seat, since := range o.since {
		switch {
		case since == gone:
			text += fmt.Sprintf(", seat %d is dead", seat)
		case since != 0:
			text += fmt.Sprintf(", seat %d has a lease of %d", seat, since)
		}
	}
	return text
}

// gone is what a process has that is dead.
const gone = ^uint32(0)

// The halves of a word of live parameters, as package control says. This is a second text of that, on
// purpose.
const (
	halfTuned = 1 << 31
	halfBits  = 32
)

// set is a word behind a change.
func set(old uint64, word uint8, fields uint32, n uint64) uint64 {
	switch {
	case word == 1:
		if fields&fieldAlone != 0 {
			return n | 1<<63
		}
		return old
	case fields&fieldFirst != 0:
		old = old>>halfBits<<halfBits | n | halfTuned
	}
	if fields&fieldSecond != 0 {
		old = old&(1<<halfBits-1) | (n|halfTuned)<<halfBits
	}
	return old
}

// others counts the processes but one that have a lease. Those are left out that have stood still at a
// moment.
func (o *object) others(me uint8, still uint32, at uint64) (n int) {
	for seat, since := range o.since {
		if since != 0 && since != gone && seat != int(me) && (at == 0 || at <= uint64(since)+uint64(still)) {
			n++
		}
	}
	return n
}

// began is what there was when a round began.
type began struct {
	recipe
	initial object
	words   [paramWords]uint64
	wish    wish
}

// step is what the objects do.
func (b *began) step(o object, q asked, r given) (object, bool) {
	switch q.act {
	case actTurn:
		had := o.since[q.seat] != 0
		if r.held {
			o.since[q.seat] = uint32(q.n)
			return o, o.others(q.seat, b.still, r.n) < b.recipe.leases
		}
		o.since[q.seat] = 0
		return o, b.recipe.leases > 1 || had || o.others(q.seat, b.still, 0) > 0
	case actLeave:
		o.since[q.seat] = 0
	case actDie:
		o.since[q.seat] = gone
	case actRest:
		return o, o.since[q.seat] != 0
	case actSet:
		o.word = set(o.word, q.word, q.fields, q.n)
	case actGet:
		return o, o.word == r.n
	case actFind:
		return o, o.word&(halfTuned-1) == r.n
	case actWant, actAsk, actWish:
		ok := false
		o.wish, ok = b.wished(o.wish, q, r)
		return o, ok
	}
	return o, true
}

// pending is what may be left of an act whose process has died in it.
func (b *began) pending(o object, q asked) []object {
	none := o
	none.since[q.seat] = 0
	switch {
	case q.act == actSet:
		o.word = set(o.word, q.word, q.fields, q.n)
		return []object{o}
	case q.act == actWant:
		return []object{{wish: wish{0, math.MaxUint64}}}
	case q.act == actAsk:
		return []object{{}}
	case o.since[q.seat] == gone:
		return nil
	case q.act == actTurn:
		o.since[q.seat] = uint32(q.n)
		return []object{o, none}
	}
	return []object{none}
}

// model is the leases, and each word of live parameters.
func (b *began) model() linearizability.Model[asked, given] {
	return linearizability.Spec[asked, given, object]{
		Init: func(q asked) object {
			switch {
			case q.act < actSet:
				return b.initial
			case q.act >= actWant:
				return object{wish: b.wish}
			}
			return object{word: b.words[q.word]}
		},
		Key: func(q asked) any {
			switch {
			case q.act < actSet:
				return -1
			case q.act >= actWant:
				return -2
			}
			return int(q.word)
		},
		Step: b.step, Pending: b.pending,
		ReadOnly: func(q asked, _ *given) bool {
			return q.act == actGet || q.act == actFind || q.act == actRest || q.act == actWish
		},
	}.Model()
}

// recorder makes the history of a round. Its times are moments of the clock.
type recorder struct {
	*memory
	began   *began
	h       history.History[asked, given]
	seat    map[uint32]uint8 // of an owner
	last    map[uint32]int64 // a moment at which an owner lived: behind its last operation, or in it
	second  map[uint64]int64 // by the value of the second word: when somebody had seen it
	clients int
}

// add adds an act. Those that are parts of one operation are of several clients, since they overlap.
func (x *recorder) add(call, end int64, pending bool, q asked, r given) {
	x.clients++
	op := history.Op[asked, given]{ID: uint64(len(x.h) + 1), Client: x.clients, Request: q, Result: r,
		Call: call, Return: end, Pending: pending}
	if pending {
		op.Return, op.Result = history.Forever, given{}
	}
	x.h = append(x.h, op)
}

// seatOf is the seat of an owner in this round.
func (x *recorder) seatOf(owner uint32) uint8 {
	if _, ok := x.seat[owner]; !ok {
		x.seat[owner] = uint8(len(x.seat) % seats)
	}
	return x.seat[owner]
}

// history is that of a round, of the leases and of live parameters.
func (w *world) history(x *stress.Window) stress.Ordered[asked, given] {
	r := &recorder{memory: w.memory, began: &began{recipe: w.recipe, words: w.words, wish: w.wished},
		seat: map[uint32]uint8{}, last: map[uint32]int64{}, second: map[uint64]int64{}}
	for owner, since := range w.held {
		r.began.initial.since[r.seatOf(owner)] = since
	}
	for i := range x.Events { // a change of both words is seen by its second one
		if e := &x.Events[i]; kindOf(e.Request) == kindRead && !e.Pending {
			if at, seen := r.second[e.Result[1]]; !seen || endOf(e) < at {
				r.second[e.Result[1]] = endOf(e)
			}
		}
	}
	for i := range x.Events {
		r.event(&x.Events[i])
	}
	r.rest(x)
	return stress.Ordered[asked, given]{Model: r.began.model(), Ops: r.h}
}

// endOf is the moment at which an operation ended.
func endOf(e *stress.Event) int64 { return int64(e.Extra >> extraSeen) }

// event adds what an operation did.
func (x *recorder) event(e *stress.Event) {
	call, end, seat := int64(e.Request[1]), endOf(e), x.seatOf(e.Owner)
	x.last[e.Owner] = call
	if !e.Pending {
		x.last[e.Owner] = end + 1
	}
	switch k := kindOf(e.Request); k {
	case kindHold, kindTurn:
		if k == kindTurn && !e.Pending {
			x.add(call, end, false, asked{act: actFind}, given{gave: true, n: e.Result[1] >> wordRun})
		}
		x.add(call, end, e.Pending, asked{act: actTurn, seat: seat, n: e.Request[1]},
			given{gave: true, held: e.Result[0] != 0, n: uint64(end)})
	case kindLeave:
		x.add(call, end, e.Pending, asked{act: actLeave, seat: seat}, given{gave: true})
	case kindTune:
		x.change(e, call, end)
	case kindWant, kindAsk:
		x.add(call, end, e.Pending, asked{act: actWant + act(k-kindWant), n: e.Request[1]},
			given{gave: true, held: e.Result[0] != 0, n: uint64(end)})
	case kindRead:
		for word := range uint8(paramWords) {
			if !e.Pending {
				x.add(call, end, false, asked{act: actGet, word: word}, given{gave: true, n: e.Result[word]})
			}
		}
	}
}

// change adds those of each word. The first one is made ahead of the second one.
func (x *recorder) change(e *stress.Event, call, end int64) {
	q := asked{act: actSet, fields: fieldsOf(e.Request), n: x.value(e.Request[1])}
	pending := e.Pending
	if first := q.fields & (fieldFirst | fieldSecond); first != 0 {
		seen, also := x.second[set(0, 1, q.fields, q.n)]
		if also && q.fields&fieldAlone != 0 && (pending || seen < end) {
			pending, end = false, seen
		}
		x.add(call, end, pending, q, given{gave: true})
	}
	if q.fields&fieldAlone != 0 {
		q.word = 1
		x.add(call, endOf(e), e.Pending, q, given{gave: true})
	}
}

// rest adds the deaths, and what the words have at rest.
func (x *recorder) rest(w *stress.Window) {
	now := int64(x.tick())
	for _, owner := range w.Dead {
		x.add(max(x.last[owner], 1), x.replaced(owner, now), false, asked{act: actDie, seat: x.seatOf(owner)},
			given{gave: true})
	}
	for _, owner := range w.Living {
		if x.holds(owner) {
			x.add(now, now, false, asked{act: actRest, seat: x.seatOf(owner)}, given{gave: true})
		}
	}
	x.add(now, now, false, asked{act: actWish, n: uint64(now)},
		given{gave: true, n: uint64(now), rest: wishOf(x.wish[0].Load())})
	for word := range uint8(paramWords) {
		x.add(now, now, false, asked{act: actGet, word: word}, given{gave: true, n: x.params[word].Load()})
	}
}

// replaced is the moment at which the next process had the entry of a dead client. Behind it the region says
// that the client is dead. Clients do not attach in the order of their owners.
func (x *recorder) replaced(owner uint32, otherwise int64) int64 {
	dead, since := x.processOf(owner), x.owner(owner, ownerSince).Load()
	for next := range uint32(ownersMost) {
		at := x.owner(next, ownerSince).Load()
		if at > since && at < uint64(otherwise) && x.processOf(next).Index() == dead.Index() {
			otherwise = int64(at)
		}
	}
	return otherwise
}
