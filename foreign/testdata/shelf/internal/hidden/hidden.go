// Package hidden is internal, as most of what is under test.
package hidden

import "sync/atomic"

// Flag is set by one only.
type Flag struct{ set atomic.Bool }

// Set reports whether it was the first, and is wrong.
func (f *Flag) Set() bool {
	if f.set.Load() {
		return false
	}
	f.set.Store(true)
	return true
}
