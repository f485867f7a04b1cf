//go:build explore

package seam

import (
	"unsafe"

	"github.com/samecycle/samecycle/internal/hook"
)

// Guarded stands for plain memory that a lock protects, as one shared word that holds a digest of the memory.
//
// The explorer sees nothing of plain memory. If the lock is made of atomics and does not work, two actors are
// in that memory at once, and neither the stateful search nor the reduction would know that their order
// matters. So each look at the memory and each change of it is a step on this word. The digest must be the
// same for the same contents in every execution: it must not depend on addresses, seeds or the order of a
// Go map.
type Guarded struct{ word uint64 }

// Look is the step in which the caller begins to read the memory: a load of the digest. What the caller reads
// until its next step belongs to this one.
func (g *Guarded) Look(digest func() uint64) {
	s := hook.Active
	if s == nil {
		return
	}
	s.Before(hook.Load, unsafe.Pointer(&g.word))
	g.word = digest()
	s.After(hook.Load, unsafe.Pointer(&g.word), g.word, g.word, true)
}

// Change is the step that changes the memory: apply does it, must not panic, and must make no step.
//
// It is reported as an Or of the digest. Unlike a Store, an Or returns what it found (an erase learns
// whether there was an entry), and what it leaves depends on that. So the explorer assumes that it leaves
// something else if it finds something else.
func (g *Guarded) Change(apply func(), digest func() uint64) {
	s := hook.Active
	if s == nil {
		apply()
		return
	}
	s.Before(hook.Or, unsafe.Pointer(&g.word))
	old := digest()
	apply()
	g.word = digest()
	s.After(hook.Or, unsafe.Pointer(&g.word), old, g.word, true)
}

// Digest is the word as it is: of the memory after the last step on it.
func (g *Guarded) Digest() *uint64 { return &g.word }
