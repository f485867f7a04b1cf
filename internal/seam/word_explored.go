//go:build explore

package seam

// Aliased tells whether a word is sync/atomic's type itself.
const Aliased = false
