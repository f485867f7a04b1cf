// Package inner is needed by another module.
package inner

import (
	"sync"
	"sync/atomic"

	"example.com/required/inner/internal/odd"
)

// A Counter loses what two count at the same time.
type Counter struct{ n int32 }

// Add counts one.
func (c *Counter) Add() int32 {
	n := atomic.LoadInt32(&c.n)
	atomic.StoreInt32(&c.n, odd.Next(n))
	return n + 1
}

// Both calls f in two goroutines, and returns when they have ended.
func Both(f func()) {
	var wg sync.WaitGroup
	wg.Add(2)
	for i := 0; i < 2; i++ {
		go func() {
			defer wg.Done()
			f()
		}()
	}
	wg.Wait()
}
