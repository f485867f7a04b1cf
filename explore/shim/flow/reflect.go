package flow

import (
	"reflect"
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// A reflected communication is one of package reflect, where the type of the value is known only at run
// time.
type reflected struct {
	common
	real reflect.Value // the channel, in both directions
	v    reflect.Value // a variable
}

// newReflected is a send or a receive on a channel. A value that cannot be sent on it panics.
func newReflected(c reflect.Value, sends bool) *reflected {
	t, p := c.Type(), c.UnsafePointer()
	real := reflect.New(reflect.ChanOf(reflect.BothDir, t.Elem())).Elem()
	*(*unsafe.Pointer)(real.Addr().UnsafePointer()) = p
	return &reflected{real: real, v: reflect.New(t.Elem()).Elem(),
		common: common{p: p, length: real.Len(), capacity: real.Cap(), sends: sends}}
}

func (c *reflected) base() *common { return &c.common }

func (c *reflected) push() { c.real.Send(c.v) }

func (c *reflected) pull() {
	v, _ := c.real.Recv()
	c.v.Set(v)
}

func (c *reflected) hand(to operation) { to.take(c.v) }

func (c *reflected) take(v reflect.Value) { c.v.Set(v) }

func (c *reflected) empty() (closed bool) {
	if c.real.Len() > 0 { // code that is not explored has just sent it
		return false
	}
	v, ok := c.real.TryRecv()
	return !ok && v.IsValid()
}

func (c *reflected) full() (closed bool) {
	defer func() { closed = recover() != nil }()
	c.real.TrySend(c.v) // there is no room: it panics, or has no effect
	return false
}

func (c *reflected) disturbed(length int) bool {
	if n := c.real.Len(); n > 0 || length > 0 {
		return n != length
	}
	v, _ := c.real.TryRecv()
	return v.IsValid()
}

func (c *reflected) choice() reflect.SelectCase {
	if c.sends {
		return reflect.SelectCase{Dir: reflect.SelectSend, Chan: c.real, Send: c.v}
	}
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: c.real}
}

func (c *reflected) chosen(v reflect.Value, ok bool) {
	if c.done = ok; ok && !c.sends {
		c.v.Set(v)
	}
}

// received returns the results of a receive.
func (c *reflected) received() (reflect.Value, bool) {
	out := reflect.New(c.v.Type()).Elem()
	if c.done {
		out.Set(c.v)
	}
	return out, c.done
}

// ReflectSelect makes one of the cases, as reflect.Select does.
func ReflectSelect(cases []reflect.SelectCase) (chosen int, recv reflect.Value, recvOK bool) {
	if messenger() == nil {
		return reflect.Select(cases)
	}
	var all []Communication
	var numbers []int
	otherwise := -1
	for i, c := range cases {
		switch c.Dir {
		case reflect.SelectDefault:
			if otherwise >= 0 || c.Chan.IsValid() || c.Send.IsValid() {
				panic("reflect.Select: multiple default cases, or one with a Chan or Send value")
			}
			otherwise = i
			continue
		case reflect.SelectSend, reflect.SelectRecv:
		default:
			panic("reflect.Select: invalid Dir")
		}
		sends := c.Dir == reflect.SelectSend
		if !sends && c.Send.IsValid() {
			panic("reflect.Select: RecvDir case has Send value")
		}
		if !c.Chan.IsValid() {
			continue
		}
		op := directed(c.Chan, sends, "reflect.Select")
		if sends {
			if !c.Send.IsValid() {
				panic("reflect.Select: SendDir case missing Send value")
			}
			op.v.Set(c.Send)
		}
		all, numbers = append(all, op), append(numbers, i)
	}
	n := Select(otherwise >= 0, all...)
	if n < 0 {
		return otherwise, recv, false
	}
	if op := all[n].(*reflected); !op.sends {
		recv, recvOK = op.received()
	}
	return numbers[n], recv, recvOK
}

// directed returns an operation on a channel. It panics if the channel does not allow that direction.
func directed(c reflect.Value, sends bool, who string) *reflected {
	dir := reflect.RecvDir
	if sends {
		dir = reflect.SendDir
	}
	if c.Type().ChanDir()&dir == 0 { // panics if it is no channel
		panic(who + ": a channel of the other direction")
	}
	return newReflected(c, sends)
}

// A Reflected value has the methods of a [reflect.Value] that use a channel.
type Reflected struct{ reflect.Value }

// explored reports whether the value is a channel, and an exploration runs.
func (r Reflected) explored() bool { return messenger() != nil && r.Kind() == reflect.Chan }

// Recv receives a value.
func (r Reflected) Recv() (reflect.Value, bool) {
	if !r.explored() {
		return r.Value.Recv()
	}
	op := directed(r.Value, false, "reflect: Recv")
	single(messenger(), hook.Receive, op)
	return op.received()
}

// Send sends a value.
func (r Reflected) Send(v reflect.Value) {
	if !r.explored() {
		r.Value.Send(v)
		return
	}
	op := directed(r.Value, true, "reflect: Send")
	op.v.Set(v)
	single(messenger(), hook.Send, op)
}

// TryRecv receives a value if there is one. If there is none, it returns the zero Value.
func (r Reflected) TryRecv() (reflect.Value, bool) {
	if !r.explored() {
		return r.Value.TryRecv()
	}
	op := directed(r.Value, false, "reflect: TryRecv")
	if Select(true, op) < 0 {
		return reflect.Value{}, false
	}
	return op.received()
}

// TrySend sends a value if it need not wait for that.
func (r Reflected) TrySend(v reflect.Value) bool {
	if !r.explored() {
		return r.Value.TrySend(v)
	}
	op := directed(r.Value, true, "reflect: TrySend")
	op.v.Set(v)
	return Select(true, op) >= 0
}

// Close closes the channel.
func (r Reflected) Close() {
	if !r.explored() || r.IsNil() {
		r.Value.Close()
		return
	}
	shut(messenger(), directed(r.Value, true, "reflect: Close"), r.Value.Close)
}

// Len returns the number of elements.
func (r Reflected) Len() int {
	if !r.explored() || r.IsNil() {
		return r.Value.Len()
	}
	return length(messenger(), r.Value, r.UnsafePointer())
}
