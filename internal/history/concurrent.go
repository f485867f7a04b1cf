package history

import (
	"fmt"
	"slices"
	"sync/atomic"
)

// Concurrent records a run of goroutines on real processors. Each client writes to a buffer of its
// own; the clients share one atomic counter as their clock, because readings of a wall clock may
// move across the operation that they are meant to enclose.
//
// The counter is a synchronisation between the clients that the measured program does not have: a
// race detector sees fewer races under it, and weakly ordered processors reorder less across it.
type Concurrent[Q, R Value] struct {
	clock   atomic.Int64
	clients []ClientLog[Q, R]
}

// ClientLog is the buffer of one client. Only that client's goroutine may use it.
type ClientLog[Q, R Value] struct {
	owner *Concurrent[Q, R]
	ops   []Op[Q, R]
	index int
	open  bool
	dead  bool
	err   error
	_     [64]byte // keeps the next client's fields out of this one's cache line
}

// NewConcurrent returns a recorder for clients 0 to clients-1, with room for the given number of
// operations in each buffer; a longer run grows the buffer, which disturbs its timing.
func NewConcurrent[Q, R Value](clients, room int) (*Concurrent[Q, R], error) {
	if clients < 1 || clients > MaxClients || room < 0 {
		return nil, fmt.Errorf("%w: %d clients with room %d: want 1 to %d clients and room 0 or more",
			ErrRecorder, clients, room, MaxClients)
	}
	c := &Concurrent[Q, R]{clients: make([]ClientLog[Q, R], clients)}
	for i := range c.clients {
		c.clients[i] = ClientLog[Q, R]{owner: c, index: i, ops: make([]Op[Q, R], 0, room)}
	}
	return c, nil
}

// Client returns the buffer of client i, which NewConcurrent made.
func (c *Concurrent[Q, R]) Client(i int) *ClientLog[Q, R] { return &c.clients[i] }

// Call records that the client calls the operation. Its time is taken last, just before the caller
// goes on to make the call.
func (l *ClientLog[Q, R]) Call(req Q) {
	if l.open || l.dead {
		l.fail("client %d calls %s while it may not (in flight %v, killed %v)",
			l.index, text(req), l.open, l.dead)
		return
	}
	l.open = true
	l.ops = append(l.ops, Op[Q, R]{
		ID:     uint64(l.index)<<32 | uint64(len(l.ops)+1),
		Client: l.index, Request: req,
	})
	l.ops[len(l.ops)-1].Call = l.owner.clock.Add(1)
}

// Return records that the operation in flight came back. Its time is taken first.
func (l *ClientLog[Q, R]) Return(result R) {
	now := l.owner.clock.Add(1)
	if !l.open {
		l.fail("client %d returns %s with nothing in flight", l.index, text(result))
		return
	}
	op := &l.ops[len(l.ops)-1]
	op.Return, op.Result = now, result
	l.open = false
}

// Kill records that the client never runs again; its operation in flight, if any, becomes pending.
func (l *ClientLog[Q, R]) Kill() {
	l.dead = true
	if l.open {
		op := &l.ops[len(l.ops)-1]
		op.Pending, op.Return = true, Forever
		l.open = false
	}
}

func (l *ClientLog[Q, R]) fail(format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf("%w: %s", ErrRecorder, fmt.Sprintf(format, args...))
	}
}

// History returns all operations in the order of their calls. Precondition: every client's
// goroutine has ended, and the caller knows it through a channel, a lock or a wait group.
// An operation still in flight stays so, and Validate refuses it: kill the client first.
func (c *Concurrent[Q, R]) History() (History[Q, R], error) {
	var all History[Q, R]
	for i := range c.clients {
		if err := c.clients[i].err; err != nil {
			return nil, err
		}
		all = append(all, c.clients[i].ops...)
	}
	slices.SortFunc(all, func(a, b Op[Q, R]) int { return compare(a.Call, b.Call) })
	return all, nil
}
