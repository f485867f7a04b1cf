// Package hub has types that keep the channels which they are given, and send on them or close them later.
package hub

import "slices"

// Hub sends what is published to those who have joined.
type Hub struct{ do chan func(*state) }

// state is that of the goroutine of a Hub.
type state struct {
	joined []chan int
	ended  bool
}

// NewHub starts the goroutine.
func NewHub() *Hub {
	h := &Hub{make(chan func(*state))}
	go func() {
		var s state
		for f := range h.do {
			f(&s)
		}
	}()
	return h
}

// Join lets the channel get what is published from now on.
func (h *Hub) Join(c chan int) {
	h.do <- func(s *state) {
		if !s.ended {
			s.joined = append(s.joined, c)
		}
	}
}

// Publish sends a value to all who have joined and have room.
func (h *Hub) Publish(v int) {
	h.do <- func(s *state) {
		for _, c := range s.joined {
			select {
			case c <- v:
			default:
			}
		}
	}
}

// End closes the channels.
func (h *Hub) End() {
	h.do <- func(s *state) {
		for _, c := range s.joined {
			close(c)
		}
		s.joined, s.ended = nil, true
	}
}

// Forgetful is a Hub that looks who has joined, and notes who joins, in two steps: so it may forget one.
type Forgetful struct{ slot chan []chan int }

// NewForgetful makes one that nobody has joined.
func NewForgetful() *Forgetful {
	f := &Forgetful{make(chan []chan int, 1)}
	f.slot <- nil
	return f
}

func (f *Forgetful) look() []chan int {
	all := <-f.slot
	f.slot <- all
	return all
}

// Join lets the channel get what is published from now on.
func (f *Forgetful) Join(c chan int) {
	all := append(slices.Clone(f.look()), c)
	<-f.slot
	f.slot <- all
}

// Publish sends a value to all who have joined.
func (f *Forgetful) Publish(v int) {
	for _, c := range f.look() {
		select {
		case c <- v:
		default:
		}
	}
}
