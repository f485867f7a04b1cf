//go:build !explore

package seam

// Guarded stands for plain memory that a lock protects. In this build it has no size, and its methods do
// nothing but what they guard.
type Guarded struct{}

// Look says that the caller is about to read the memory.
func (*Guarded) Look(digest func() uint64) {}

// Change calls apply, which changes the memory.
func (*Guarded) Change(apply func(), digest func() uint64) { apply() }
