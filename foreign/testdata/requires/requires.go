// Package requires has types that are right as long as those of another module are.
package requires

import (
	"sync/atomic"

	"example.com/required/inner"
)

// Total counts, and has what it counts counted elsewhere, too.
type Total struct {
	inner inner.Counter
	n     atomic.Int32
}

// Add counts one.
func (t *Total) Add() int32 {
	t.n.Add(1)
	return t.inner.Add()
}

// Sum adds what two goroutines of the other module find.
type Sum struct{ n atomic.Int32 }

// Add counts two, one by one.
func (s *Sum) Add() {
	inner.Both(func() { s.n.Store(s.n.Load() + 1) })
}

// Value is the sum.
func (s *Sum) Value() int32 { return s.n.Load() }

// Exact is Sum without a fault.
type Exact struct{ n atomic.Int32 }

// Add counts two, one by one.
func (s *Exact) Add() {
	inner.Both(func() { s.n.Add(1) })
}
