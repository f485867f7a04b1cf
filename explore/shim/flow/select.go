package flow

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A Communication is a case of a select statement; see [Receiving] and [Sender].Case.
type Communication interface {
	operation
	choice() reflect.SelectCase
	chosen(v reflect.Value, ok bool)
}

// Receiving returns a case that receives from c.
func Receiving[T any](c <-chan T) *Case[T] { return newCase(both[T](c), false) }

// choice returns the case for the real select.
func (c *Case[T]) choice() reflect.SelectCase {
	if c.sends {
		return reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(c.real),
			Send: reflect.ValueOf(&c.v).Elem()}
	}
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c.real)}
}

// chosen takes what the real select received.
func (c *Case[T]) chosen(v reflect.Value, ok bool) {
	if c.done = ok; ok && !c.sends {
		c.take(v)
	}
}

// Select executes one of the communications, as a select statement with these cases does, and returns its
// number. It returns -1 if none is possible at once and there is a default case. Inside an exploration each
// possible one is tried.
func Select(hasDefault bool, cases ...Communication) int {
	s := messenger()
	if s == nil {
		return selectReal(hasDefault, cases)
	}
	var all, ready []operation
	for _, c := range cases {
		if c.base().p != nil {
			all = append(all, c)
		}
	}
	switch {
	case len(all) > 0:
	case hasDefault:
		return -1
	default:
		Never()
	}
	for _, op := range all {
		meet(op).fence(s, hook.Select, "select on")
	}
	s.Before(hook.Select, all[0].base().p)
	for _, op := range all {
		if c := op.base(); c.ch.ready(c.sends) {
			ready = append(ready, op)
		}
	}
	var op operation
	switch {
	case len(ready) > 0:
		op = ready[choose(s, len(ready))]
		ch, old := op.base().ch, op.base().ch.word
		ch.complete(s, op)
		beside(s, all, ch, false)
		ch.after(s, hook.Select, old)
	case hasDefault:
		ch := all[0].base().ch
		beside(s, all, ch, false)
		s.After(hook.Select, ch.p, ch.word, ch.word, false)
		return -1
	default:
		op = waitForOne(s, all)
	}
	op.base().settle(op)
	return slices.IndexFunc(cases, func(c Communication) bool { return c.base() == op.base() })
}

// waitForOne waits until another actor completes one of the operations, which it returns.
func waitForOne(s hook.Messenger, all []operation) operation {
	ch, w := all[0].base().ch, &waiter{}
	old := ch.word
	w.join(s, all)
	for _, op := range all {
		op.base().ch.tell()
	}
	beside(s, all, ch, true)
	ch.after(s, hook.Select, old)
	w.wait(s, hook.Select, ch)
	return w.entries[w.which].op
}

// mostReady bounds how many cases of one select may be possible at once.
const mostReady = 64

func choose(s hook.Scheduler, n int) int {
	switch {
	case n == 1:
		return 0
	case n > mostReady:
		panic(hook.Refusal("more than 64 cases of one select are possible at once: use a smaller program"))
	}
	return s.Choose(n)
}

// beside reports the channels of the operations, except one channel, each of them once.
func beside(s hook.Messenger, all []operation, but *channel, changed bool) {
	for i, op := range all {
		ch := op.base().ch
		first := slices.IndexFunc(all, func(o operation) bool { return o.base().ch == ch })
		if ch != but && first == i {
			s.Also(ch.p, changed)
		}
	}
}

// Never waits for ever, as a select without cases does.
func Never() {
	s := messenger()
	if s == nil {
		select {}
	}
	s.Wait(hook.Select, unsafe.Pointer(&never), hook.Condition{Word: &never, Mask: 1, Want: 1})
}

func selectReal(hasDefault bool, cases []Communication) int {
	var all []reflect.SelectCase
	for _, c := range cases {
		all = append(all, c.choice())
	}
	if hasDefault {
		all = append(all, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	i, v, ok := reflect.Select(all)
	if i == len(cases) {
		return -1
	}
	cases[i].chosen(v, ok)
	return i
}
