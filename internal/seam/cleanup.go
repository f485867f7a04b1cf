package seam

import "runtime"

// Cleanup calls f with arg some time after nothing refers to p any more, or never if the program ends
// before. That is no step of an exploration: f must not touch a word that others see, nor refer to p.
func Cleanup[T, A any](p *T, f func(A), arg A) { runtime.AddCleanup(p, f, arg) }
