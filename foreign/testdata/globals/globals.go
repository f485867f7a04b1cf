// Package globals has types that keep what they know in variables of the package.
package globals

import (
	"sync"
	"sync/atomic"
)

var (
	last  atomic.Int64
	mu    sync.Mutex
	names = map[int64]string{}
	once  sync.Once
	first *int64
)

// Ticket numbers who comes.
type Ticket struct{}

// Next is the next number. Nobody had it before.
func (*Ticket) Next() int64 {
	n := last.Add(1)
	mu.Lock()
	defer mu.Unlock()
	if names[n] != "" {
		panic("a number comes twice")
	}
	names[n] = "taken"
	return n
}

// First is the number of whoever was the first to ask.
func (*Ticket) First() int64 {
	once.Do(func() { n := last.Add(1); first = &n })
	return *first
}

// Loose is a Ticket that takes the number in two steps.
type Loose struct{}

// Next is the next number.
func (*Loose) Next() int64 {
	n := last.Load() + 1
	last.Store(n)
	return n
}

var passed atomic.Int64

// A Turnstile lets somebody pass for each push, and waits for one. Those who pass are numbered by a variable of
// the package.
type Turnstile struct{ pushed chan struct{} }

// NewTurnstile has room for four pushes.
func NewTurnstile() *Turnstile { return &Turnstile{make(chan struct{}, 4)} }

// Push lets one pass.
func (t *Turnstile) Push() { t.pushed <- struct{}{} }

// Pass waits for a push, and returns the number.
func (t *Turnstile) Pass() int64 {
	<-t.pushed
	return passed.Add(1)
}
