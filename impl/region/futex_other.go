//go:build !linux

package region

import "github.com/samecycle/samecycle/internal/seam"

// futexSleep tells that nobody can sleep on a word here.
func futexSleep(*uint32, uint32, seam.Duration) bool { return false }

// futexWake has nobody to wake.
func futexWake(*uint32, int) {}
