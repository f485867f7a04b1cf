package flow

import (
	"reflect"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A Case is a send or a receive of one value: the whole of a statement, or a case of a select.
type Case[T any] struct {
	common
	real chan T
	v    T
}

func newCase[T any](c chan T, sends bool) *Case[T] {
	return &Case[T]{real: c, common: common{p: address(&c), length: len(c), capacity: cap(c), sends: sends}}
}

// address returns the address of the channel in *c.
func address[C any](c *C) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(c)) }

// both returns the channel of which c is a direction.
func both[T, C any](c C) chan T { return *(*chan T)(unsafe.Pointer(&c)) }

func (c *Case[T]) base() *common { return &c.common }

func (c *Case[T]) push() { c.real <- c.v }

func (c *Case[T]) pull() { c.v = <-c.real }

func (c *Case[T]) hand(to operation) {
	if t, same := to.(*Case[T]); same {
		t.v = c.v
		return
	}
	to.take(reflect.ValueOf(&c.v).Elem())
}

func (c *Case[T]) take(v reflect.Value) { reflect.ValueOf(&c.v).Elem().Set(v) }

func (c *Case[T]) empty() (closed bool) {
	if len(c.real) > 0 { // code that is not explored has just sent it
		return false
	}
	select {
	case _, open := <-c.real:
		return !open
	default:
		return false
	}
}

func (c *Case[T]) full() (closed bool) {
	defer func() { closed = recover() != nil }()
	select {
	case c.real <- c.v: // there is no room: it panics, or has no effect
	default:
	}
	return false
}

func (c *Case[T]) disturbed(length int) bool {
	if n := len(c.real); n > 0 || length > 0 {
		return n != length
	}
	select {
	case <-c.real:
		return true
	default:
		return false
	}
}

// Value returns what was received.
func (c *Case[T]) Value() T { return c.v }

// ValueOK returns what was received, and whether it was sent; if not, the channel is closed.
func (c *Case[T]) ValueOK() (v T, ok bool) { return c.v, c.done }

// A Sender sends on a channel: To(c).Send(v) stands for c <- v. With it the value need not have the type of
// the elements, and the channel is evaluated first.
type Sender[T any] struct{ c chan<- T }

// To returns a Sender for c.
func To[T any](c chan<- T) Sender[T] { return Sender[T]{c} }

// Send sends a value, as the statement does.
func (t Sender[T]) Send(v T) {
	s := messenger()
	if s == nil {
		t.c <- v
		return
	}
	single(s, hook.Send, t.Case(v))
}

// Case is a case of a select that sends a value.
func (t Sender[T]) Case(v T) *Case[T] {
	op := newCase(both[T](t.c), true)
	op.v = v
	return op
}

// Receive receives a value from c, as <-c does.
func Receive[T any](c <-chan T) T {
	v, _ := ReceiveOK(c)
	return v
}

// ReceiveOK receives a value from c, and reports whether it was sent; if not, c is closed.
func ReceiveOK[T any](c <-chan T) (v T, ok bool) {
	s := messenger()
	if s == nil {
		v, ok = <-c
		return v, ok
	}
	op := newCase(both[T](c), false)
	single(s, hook.Receive, op)
	return op.ValueOK()
}

// Over returns c and a variable for [Next].
func Over[T any](c <-chan T) (<-chan T, T) {
	var v T
	return c, v
}

// Next receives the next value of a range over c and reports whether there is one.
func Next[T any](c <-chan T, v *T) bool {
	next, ok := ReceiveOK(c)
	if ok {
		*v = next
	}
	return ok
}

// Close closes c, as the builtin close does.
func Close[T any](c chan<- T) {
	s := messenger()
	if s == nil || c == nil {
		close(c)
		return
	}
	shut(s, newCase(both[T](c), true), func() { close(c) })
}

// shut closes the channel of an operation; really closes the real channel.
func shut(s hook.Messenger, op operation, really func()) {
	ch := meet(op)
	ch.fence(s, hook.Close, "close of")
	s.Before(hook.Close, ch.p)
	if ch.closed {
		s.After(hook.Close, ch.p, ch.word, ch.word, false)
	}
	really()
	hook.Access(hook.Plain{P: ch.p, Size: 1, Write: true, Name: "close of a channel", Within: true})
	old := ch.word
	ch.shutDown(s)
	ch.after(s, hook.Close, old)
}

// Len returns the number of elements in the buffer of c, a channel of any direction, as the builtin len
// does. Inside an exploration that is a step, except for the channel of a timer, where the result is always
// 0.
func Len[C any](c C) int {
	v, p := reflect.ValueOf(c), address(&c)
	s := messenger()
	if s == nil || p == nil {
		return v.Len()
	}
	return length(s, v, p)
}

// length is that of the buffer of the channel at p.
func length(s hook.Messenger, v reflect.Value, p unsafe.Pointer) int {
	if ofTimer(p) {
		return 0
	}
	s.Before(hook.Length, p)
	word := uint64(hook.NewChannel(v.Len(), 0, 0, false))
	if ch := lookUp(p); ch != nil {
		word = ch.word
	}
	s.After(hook.Length, p, word, word, true)
	return v.Len()
}

// Cap returns the capacity of the buffer of c, a channel of any direction, as the builtin cap does.
func Cap[C any](c C) int {
	if messenger() != nil && ofTimer(address(&c)) {
		return 0
	}
	return reflect.ValueOf(c).Cap()
}

// Sends reports whether c is a send.
func (c *Case[T]) Sends() bool { return c.sends }
