package flow

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A channel is what the running execution knows of a channel. Its elements are in the real channel. An actor
// that cannot continue waits in one of two ways. A single operation on a buffered channel waits for its
// condition. All other operations wait in the queues of the channel, where another actor finds them, as in
// the runtime. The order in which operations of the first kind came is not known, but for those between which
// the clock has gone on: see row.
type channel struct {
	p                  unsafe.Pointer // the real channel
	word               uint64         // a hook.Channel, as of the last step on the channel
	waited             uint64         // 1 if an actor waits in the queue to receive
	length, capacity   int
	closed, timer      bool
	turn               hook.Channel // the present bit
	senders, receivers []entry      // in the order in which they came
	rows               []*row       // of single operations, in the order in which they came
	roomy              func()       // called once, as soon as there is room
	met                operation    // the first one on the channel

	// Happens-before for the race detector, as in the memory model and in the runtime's detector: what was
	// done before the elements in the buffer were sent, before its free places were freed, and before the
	// channel was closed.
	sent, freed []past
	untouched   int // free places that were never used
	shut        past
}

// A past is what happened before a message, in parts.
type past []unsafe.Pointer

func (p past) learn(s hook.Messenger) {
	for _, told := range p {
		s.Learn(told)
	}
}

// An entry is one operation that waits in a queue.
type entry struct {
	w  *waiter
	op operation
}

// A waiter is an actor that waits in the queues of one or more channels, until another actor completes one
// of its operations.
type waiter struct {
	woken   uint64
	entries []entry
	which   int            // the operation that was completed
	told    unsafe.Pointer // what the actor had done when it began to wait
	learned past           // what happened before it continues
}

// An operation is a send or a receive of one value.
type operation interface {
	base() *common
	push()                // puts the value into the real channel, which has room or is closed
	pull()                // takes a value out of the real channel, which has one
	hand(to operation)    // passes the value to a receive of the same channel
	take(v reflect.Value) // takes a value from an operation of another kind
	empty() (closed bool) // the real channel is empty; reports whether it is closed
	full() (closed bool)  // the real channel is full; reports whether it is closed

	// disturbed reports whether the real channel, which was open, is closed, or has not so many elements. It
	// may take a value.
	disturbed(length int) bool
}

// common is the part of an operation that does not depend on the type of its value.
type common struct {
	p        unsafe.Pointer // the real channel; nil for ever if it is nil
	length   int
	capacity int
	sends    bool
	done     bool // a value was sent or received; otherwise the channel is closed
	ch       *channel
}

// never is the object at which operations on a nil channel wait.
var never uint64

// known are the channels that the running execution has met.
var known struct {
	epoch    uint64
	channels map[unsafe.Pointer]*channel
}

// lookUp returns what is known of the channel at p, or nil.
func lookUp(p unsafe.Pointer) *channel {
	if known.epoch != hook.Epoch {
		known.epoch, known.channels = hook.Epoch, map[unsafe.Pointer]*channel{}
	}
	return known.channels[p]
}

// meet returns what is known of the operation's channel, which is not nil.
func meet(op operation) *channel {
	c := op.base()
	if c.ch = lookUp(c.p); c.ch != nil {
		return c.ch
	}
	ch := &channel{p: c.p, length: c.length, capacity: c.capacity, untouched: c.capacity - c.length, met: op}
	switch ch.length {
	case 0:
		ch.closed = op.empty()
	case ch.capacity:
		ch.closed = op.full()
	}
	ch.sent = make([]past, ch.length)
	ch.tell()
	known.channels[c.p], c.ch = ch, ch
	return ch
}

// tell stores the state of the channel in the word.
func (ch *channel) tell() {
	word := hook.NewChannel(ch.length, len(ch.senders), len(ch.receivers), ch.closed)
	if !ch.ready(true) {
		word |= hook.CannotSend
	}
	if !ch.ready(false) {
		word |= hook.CannotReceive
	}
	ch.word = uint64(word | ch.turn)
	ch.tellRows()
	ch.waited = uint64(min(1, len(ch.receivers)))
	if f := ch.roomy; f != nil && ch.ready(true) {
		ch.roomy = nil
		f()
	}
}

// ready reports whether a send or a receive need not wait.
func (ch *channel) ready(sends bool) bool {
	if sends {
		return ch.closed || len(ch.receivers) > 0 || ch.length < ch.capacity
	}
	return ch.closed || len(ch.senders) > 0 || ch.length > 0
}

// after reports a step on the channel, which had the word old.
func (ch *channel) after(s hook.Scheduler, k hook.Kind, old uint64) {
	ch.tell()
	s.After(k, ch.p, old, ch.word, true)
}

// single makes one operation, which waits if it has to.
func single(s hook.Messenger, k hook.Kind, op operation) {
	c := op.base()
	if c.p == nil {
		s.Wait(k, unsafe.Pointer(&never), hook.Condition{Word: &never, Mask: 1, Want: 1})
	}
	ch := meet(op)
	ch.fence(s, k, c.verb())
	if ch.capacity == 0 {
		s.Before(k, ch.p)
	} else {
		r := ch.lineUp(c.sends)
		s.Wait(k, ch.p, ch.condition(r))
		ch.leaveRow(r)
	}
	old := ch.word
	if ch.ready(c.sends) {
		ch.complete(s, op)
		ch.after(s, k, old)
	} else {
		ch.tellSend(c)
		w := &waiter{}
		w.join(s, []operation{op})
		ch.after(s, k, old)
		w.wait(s, k, ch)
	}
	c.settle(op)
}

// settle ends an operation. A send on a closed channel panics as the real one does.
func (c *common) settle(op operation) {
	if c.sends && !c.done {
		op.push()
	}
}

// verb says what the operation does, as the runtime does before the name of a kind of channel.
func (c *common) verb() string {
	if c.sends {
		return "send on"
	}
	return "receive on"
}

// join puts the operations of an actor into the queues of their channels.
func (w *waiter) join(s hook.Messenger, ops []operation) {
	w.told = s.Tell()
	for _, op := range ops {
		e := entry{w, op}
		w.entries = append(w.entries, e)
		ch := op.base().ch
		if op.base().sends {
			ch.senders = append(ch.senders, e)
		} else {
			ch.receivers = append(ch.receivers, e)
		}
	}
}

// wait makes the actor wait, and then continue.
func (w *waiter) wait(s hook.Messenger, k hook.Kind, ch *channel) {
	s.Wait(k, ch.p, hook.Condition{Word: &w.woken, Mask: 1, Want: 1})
	w.learned.learn(s)
	ch = w.entries[w.which].op.base().ch
	s.After(hook.Resume, ch.p, ch.word, ch.word, false)
}

// wake ends the wait of the first actor in a queue. Its operation is done, or finds the channel closed. told
// is what happens before the actor continues. If the actor waits with several cases of a select in the
// queue, it is any one of these, because the runtime adds them in no particular order.
func (ch *channel) wake(s hook.Messenger, row []entry, done bool, told past) entry {
	mine := 1
	for mine < len(row) && row[mine].w == row[0].w {
		mine++
	}
	e := row[choose(s, mine)]
	e.w.woken, e.w.learned = 1, told
	e.op.base().done = done
	for i, f := range e.w.entries {
		if f.op == e.op {
			e.w.which = i
		}
		other := f.op.base().ch
		out := func(g entry) bool { return g.w == e.w }
		other.senders = slices.DeleteFunc(other.senders, out)
		other.receivers = slices.DeleteFunc(other.receivers, out)
		if other != ch {
			other.tell()
			s.Also(other.p, true)
		}
	}
	return e
}

// complete makes an operation that need not wait.
func (ch *channel) complete(s hook.Messenger, op operation) {
	c := op.base()
	ch.tellSend(c)
	switch {
	case c.sends && ch.closed:
	case c.sends:
		c.done = true
		ch.send(s, op)
	case ch.length > 0 || len(ch.senders) > 0:
		c.done = true
		ch.receive(s, op)
	default:
		ch.shut.learn(s)
	}
}

// tellSend tells the detector of races that the operation is a send, if it is one. A send beside a close
// would panic if it came after it, so a send reads what a close writes, as for the race detector of the
// toolchain.
func (ch *channel) tellSend(c *common) {
	if c.sends {
		hook.Access(hook.Plain{P: ch.p, Size: 1, Name: "send on a channel", Within: true})
	}
}

// send passes a value to the first actor that waits for one, or puts it into the buffer.
func (ch *channel) send(s hook.Messenger, op operation) {
	if ch.capacity > 0 {
		ch.place().learn(s)
	}
	told := s.Tell()
	if len(ch.receivers) == 0 {
		op.push()
		ch.length++
		ch.sent = append(ch.sent, past{told})
		return
	}
	e := ch.wake(s, ch.receivers, true, past{told})
	op.hand(e.op)
	if ch.capacity == 0 {
		s.Learn(e.w.told)
	} else { // as if the value had passed through the buffer
		ch.freed = append(ch.freed, past{told, e.w.told})
	}
}

// place returns what happened before the place of the next element was freed.
func (ch *channel) place() (freed past) {
	if ch.untouched > 0 {
		ch.untouched--
		return nil
	}
	freed, ch.freed = ch.freed[0], ch.freed[1:]
	return freed
}

// receive takes a value from the buffer, or from the first actor that waits to send one.
func (ch *channel) receive(s hook.Messenger, op operation) {
	if ch.length == 0 {
		e := ch.wake(s, ch.senders, true, past{s.Tell()})
		s.Learn(e.w.told)
		e.op.hand(op)
		return
	}
	op.pull()
	ch.length--
	ch.sent[0].learn(s)
	ch.sent, ch.freed = ch.sent[1:], append(ch.freed, past{s.Tell()})
	if len(ch.senders) > 0 { // whose value goes into the buffer
		place := ch.place()
		e := ch.wake(s, ch.senders, true, place)
		e.op.push()
		ch.length++
		ch.sent = append(ch.sent, append(past{e.w.told}, place...))
	}
	if ch.length == 0 && !ch.closed {
		ch.closed = op.empty() // it may have been closed before the exploration began
	}
}

// shutDown closes the channel for the actors that wait.
func (ch *channel) shutDown(s hook.Messenger) {
	ch.closed, ch.shut = true, past{s.Tell()}
	for len(ch.receivers) > 0 {
		ch.wake(s, ch.receivers, false, ch.shut)
	}
	for len(ch.senders) > 0 {
		ch.wake(s, ch.senders, false, nil)
	}
}

// messenger returns the scheduler of the running exploration, or nil if there is none.
func messenger() hook.Messenger {
	s := hook.Active
	if s == nil {
		return nil
	}
	m, ok := s.(hook.Messenger)
	if !ok {
		panic(fmt.Sprintf("flow: channel under a scheduler that explores none (%T)", s))
	}
	return m
}
