//go:build !explore && !race

package seam

import "sync/atomic"

// Aliased tells whether a word is sync/atomic's type itself.
const Aliased = true

// Uint64 is a shared word of 64 bits: sync/atomic's type itself.
type Uint64 = atomic.Uint64
