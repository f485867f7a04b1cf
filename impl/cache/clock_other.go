//go:build !linux

package cache

import "time"

// sinceStart is not known here: a cache is on the heap, and each has a clock of its own.
func sinceStart() (since time.Duration, ok bool) { return 0, false }

// startNumber is of no use here.
func startNumber() uint64 { return 1 }
