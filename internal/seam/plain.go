//go:build !explore

package seam

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
)

// Explored tells whether this build reports accesses to the explorer.
const Explored = false

// Uint32 is a shared word of 32 bits: sync/atomic's type itself.
type Uint32 = atomic.Uint32

// RandomBit returns 0 or 1 with equal probability.
func RandomBit() uint32 { return rand.Uint32() & 1 }

// Exploring tells whether an exploration runs: then the caller is one of its actors, and must not sleep.
func Exploring() bool { return false }

// Gosched lets other goroutines run. Call it in a loop that waits for another actor's write.
func Gosched() { runtime.Gosched() }
