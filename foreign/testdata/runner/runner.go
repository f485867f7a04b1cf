// Package runner has a type whose goroutines call functions, before or after the call returns that was given
// the function.
package runner

import (
	"sync"
	"sync/atomic"
)

// Runner calls functions, each by a goroutine of its own.
type Runner struct {
	mu       sync.Mutex
	returned int64
	began    atomic.Int64
}

// goes numbers the functions of all Runners.
var goes atomic.Int64

// Go lets the function be called. It says how many have returned by then, and the number of this one behind
// the point: 1.02.
func (r *Runner) Go(f func()) float64 {
	r.mu.Lock()
	n := float64(r.returned) + float64(goes.Add(1))/100
	r.mu.Unlock()
	go func() {
		f()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.returned++
	}()
	r.began.Add(1)
	return n
}

// Returned is how many functions have returned.
func (r *Runner) Returned() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.returned
}

// Most is how many there may be.
func (r *Runner) Most() int { return 100 }

// Kind is that of the Runner.
func (r *Runner) Kind() string { return "runner" }

// Version is that of the package.
func (r *Runner) Version() int { return 1 }
