// Package shelf has types that are right, types that are not, and types that cannot be explored: for the tests
// of a search without an adapter.
package shelf

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand"
	"os"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Counter loses updates.
type Counter struct{ n atomic.Int64 }

// Add looks and then writes.
func (c *Counter) Add(d int64) { c.n.Store(c.n.Load() + d) }

// Value is right.
func (c *Counter) Value() int64 { return c.n.Load() }

// Safe is a Counter that loses none.
type Safe struct{ n atomic.Int64 }

// NewSafe needs no argument.
func NewSafe() *Safe { return &Safe{} }

// Add is one step.
func (s *Safe) Add(d int64) int64 { return s.n.Add(d) }

// Value is one step.
func (s *Safe) Value() int64 { return s.n.Load() }

// Each is called with a function.
func (s *Safe) Each(f func(int64)) { f(s.n.Load()) }

// Wait is told to go by a context.
func (s *Safe) Wait(ctx context.Context) error { return ctx.Err() }

// Watch cannot be called: it wants a pointer of any type.
func (s *Safe) Watch(p unsafe.Pointer) {}

// Stack is right: a lock guards it.
type Stack[T cmp.Ordered] struct {
	mu  sync.Mutex
	all []T
}

// NewStack makes one with room for n, a power of two and at least 4.
func NewStack[T cmp.Ordered](n int) (*Stack[T], error) {
	if n < 4 || n&(n-1) != 0 {
		return nil, errors.New("no power of two from 4")
	}
	return &Stack[T]{all: make([]T, 0, n)}, nil
}

// Push adds v.
func (s *Stack[T]) Push(v T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, v)
}

// Pop panics when there is nothing.
func (s *Stack[T]) Pop() T {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.all[len(s.all)-1]
	s.all = s.all[:len(s.all)-1]
	return v
}

// Slot holds one value; who takes waits for one.
type Slot struct {
	mu    sync.Mutex
	cond  *sync.Cond
	full  bool
	value string
}

// NewSlot makes an empty one.
func NewSlot() *Slot {
	s := &Slot{}
	s.cond = sync.NewCond(&s.mu)
	return s
}

// Put replaces what is there.
func (s *Slot) Put(v string) {
	s.mu.Lock()
	s.full, s.value = true, v
	s.mu.Unlock()
	s.cond.Broadcast()
}

// Take waits for a value.
func (s *Slot) Take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.full {
		s.cond.Wait()
	}
	s.full = false
	return s.value
}

// Deaf is a Slot whose takers are not always woken.
type Deaf struct {
	mu      sync.Mutex
	cond    *sync.Cond
	full    bool
	waiting atomic.Bool
}

// NewDeaf makes an empty one.
func NewDeaf() *Deaf {
	d := &Deaf{}
	d.cond = sync.NewCond(&d.mu)
	return d
}

// Put asks too early whether somebody waits.
func (d *Deaf) Put() {
	waiting := d.waiting.Load()
	d.mu.Lock()
	d.full = true
	d.mu.Unlock()
	if waiting {
		d.cond.Broadcast()
	}
}

// Take waits for a Put.
func (d *Deaf) Take() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for !d.full {
		d.waiting.Store(true)
		d.cond.Wait()
	}
	d.full = false
}

// Plain forgets the lock where it reads.
type Plain struct {
	mu sync.Mutex
	n  int
}

// Inc is right.
func (p *Plain) Inc() {
	p.mu.Lock()
	p.n++
	p.mu.Unlock()
}

// Value is a race.
func (p *Plain) Value() int { return p.n }

// Pipe is right for one who sends and one who receives.
type Pipe struct {
	sent, received atomic.Uint64
	room           [4]atomic.Int64
}

// Send is for one sender.
func (p *Pipe) Send(v int64) bool {
	n := p.sent.Load()
	if n-p.received.Load() == 4 {
		return false
	}
	p.room[n%4].Store(v)
	p.sent.Store(n + 1)
	return true
}

// Receive is for one receiver.
func (p *Pipe) Receive() (int64, bool) {
	n := p.received.Load()
	if n == p.sent.Load() {
		return 0, false
	}
	v := p.room[n%4].Load()
	p.received.Store(n + 1)
	return v, true
}

// whether is a boolean type of the program's own.
type whether bool

// Mailbox sends on a channel, and receives in a way that is not explored.
type Mailbox struct {
	c     chan int
	empty whether
}

// NewMailbox makes one with room.
func NewMailbox(n int) *Mailbox { return &Mailbox{c: make(chan int, n)} }

// Send uses the channel.
func (m *Mailbox) Send(v int) { m.c <- v }

// Take waits for what was sent.
func (m *Mailbox) Take() int { return <-m.c }

// Wait is not explored.
func (m *Mailbox) Wait() (v int) {
	v, m.empty = <-m.c
	return v
}

// Dice is of chance.
type Dice struct{ sides atomic.Int64 }

// throws counts where nothing puts it back.
var throws = func() func() int64 { n := int64(0); return func() int64 { n++; return n } }()

// Roll differs from throw to throw, even with the same numbers.
func (d *Dice) Roll() int64 {
	return throws() + rand.Int63n(6)
}

// Closed cannot be made: what its constructor wants nobody has.
type Closed struct{ c io.Closer }

// NewClosed wants what can be closed.
func NewClosed(c io.Closer) *Closed { return &Closed{c} }

// Close closes it.
func (c *Closed) Close() error { return c.c.Close() }

// Torn is a map of one key whose Update is two steps, as its function shows.
type Torn struct{ n atomic.Uint32 }

// Update sets what f makes of the value.
func (t *Torn) Update(f func(old uint32, loaded bool) (uint32, bool)) {
	old := t.n.Load()
	if v, stop := f(old, old != 0); !stop {
		t.n.Store(v)
	}
}

// Relay is a Counter that a goroutine adds to.
type Relay struct {
	n    atomic.Int64
	done sync.WaitGroup
}

// NewRelay starts one.
func NewRelay() *Relay {
	r := &Relay{}
	r.done.Add(1)
	go func() {
		r.n.Add(1)
		r.done.Done()
	}()
	return r
}

// Value waits for the goroutine.
func (r *Relay) Value() int64 {
	r.done.Wait()
	return r.n.Load()
}

// Add adds one.
func (r *Relay) Add() { r.n.Add(1) }

// Hollow panics until somebody makes it, which nobody does.
type Hollow struct{ n *atomic.Int64 }

// Add adds.
func (h *Hollow) Add() int64 { return h.n.Add(1) }

// Silent counts in plain memory.
type Silent struct{ n int }

// Inc adds one.
func (s *Silent) Inc() int { s.n++; return s.n }

// Gate receives from a channel, in a way that is not explored, once it has a limit.
type Gate struct {
	limit atomic.Bool
	n     atomic.Int64
	c     chan int
	shut  whether
}

// SetLimit sets it.
func (g *Gate) SetLimit() { g.limit.Store(true) }

// Enter waits if there is a limit.
func (g *Gate) Enter() int64 {
	if g.limit.Load() {
		_, g.shut = <-g.c
	}
	return g.n.Add(1)
}

// Quitter ends the process at the second call.
type Quitter struct{ n atomic.Int64 }

// Quit counts.
func (q *Quitter) Quit() {
	if q.n.Add(1) > 1 {
		os.Exit(3)
	}
}

// Bag is a set under a lock, whose order is that of a map.
type Bag struct {
	mu sync.Mutex
	m  map[int]bool
}

// NewBag makes an empty one.
func NewBag() *Bag { return &Bag{m: map[int]bool{}} }

// Add adds v.
func (b *Bag) Add(v int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m[v] = true
	return len(b.m)
}

// Len counts.
func (b *Bag) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.m)
}

// All lists what was added.
func (b *Bag) All() []int {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []int
	for v := range b.m {
		all = append(all, v)
	}
	return all
}

// Either keeps values on two sides.
type Either struct{ left, right chan int }

// NewEither makes one with room for two on each side.
func NewEither() *Either { return &Either{make(chan int, 2), make(chan int, 2)} }

// Put gives one, if there is room.
func (e *Either) Put(left bool) {
	c := e.right
	if left {
		c = e.left
	}
	select {
	case c <- 1:
	default:
	}
}

// Take says from which side it takes a value, 0 if there is none. From which one is of chance.
func (e *Either) Take() int {
	select {
	case <-e.left:
		return 1
	case <-e.right:
		return 2
	default:
		return 0
	}
}

// Teller tells numbers, each twice if it is asked at the same time.
type Teller struct{ n atomic.Int64 }

// Tell sends the next number.
func (t *Teller) Tell(to chan<- int64) {
	next := t.n.Load() + 1
	t.n.Store(next)
	to <- next
}

// Skip adds what it receives, and returns the last number.
func (t *Teller) Skip(by <-chan int64) int64 {
	sum := int64(0)
	for n := range by {
		sum += n
	}
	return t.n.Add(sum)
}
