package globals

import (
	"reflect"
	"unsafe"
)

// A channel was open and empty when it was kept. Nobody can open a channel again, so if it has changed,
// another one takes its place wherever a variable leads to it.
type channel struct {
	of       reflect.Type // both directions
	capacity int
	was      unsafe.Pointer
	now      unsafe.Pointer   // the one that stands for it
	places   []unsafe.Pointer // variables, fields and elements that held it
	values   []*reflect.Value // values of maps that held it
}

// channel keeps the channel in the variable at that place, if it is open and empty.
func (s *Snapshot) channel(t reflect.Type, at unsafe.Pointer) {
	if c := s.keptChannel(t, *(*unsafe.Pointer)(at)); c != nil && s.copies == 0 {
		c.places = append(c.places, at)
	}
}

// keptChannel returns what is kept of a channel, nil if nothing is.
func (s *Snapshot) keptChannel(t reflect.Type, p unsafe.Pointer) *channel {
	if p == nil {
		return nil
	}
	if c, met := s.channels[p]; met {
		return c
	}
	c := &channel{of: reflect.ChanOf(reflect.BothDir, t.Elem()), was: p, now: p}
	if c.capacity = c.value(p).Cap(); changed(c.value(p)) {
		c = nil
	}
	s.channels[p] = c
	return c
}

// value is the channel at p.
func (c *channel) value(p unsafe.Pointer) reflect.Value {
	return reflect.NewAt(c.of, unsafe.Pointer(&p)).Elem()
}

// changed reports whether the channel is closed, or has elements. A receive from an empty channel changes
// nothing, and says whether it is closed.
func changed(ch reflect.Value) bool {
	if ch.Len() > 0 {
		return true
	}
	x, _ := ch.TryRecv()
	return x.IsValid()
}

// renew finds the channel that stands for the kept one from now on.
func (c *channel) renew() {
	if ch := c.value(c.now); changed(ch) {
		next := reflect.MakeChan(c.of, c.capacity)
		c.now = next.UnsafePointer()
	}
	for _, v := range c.values {
		*v = reflect.NewAt(v.Type(), unsafe.Pointer(&c.now)).Elem()
	}
}

// put puts the channel where the kept one was, after all memory is as it was.
func (c *channel) put() {
	if c.now == c.was {
		return
	}
	for _, at := range c.places {
		*(*unsafe.Pointer)(at) = c.now
	}
}
