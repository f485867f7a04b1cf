package bench

import (
	"runtime"

	"github.com/samecycle/samecycle/internal/plural"
)

// SpinLeast is what the spin check must come to for a figure of several goroutines to be one of an idle
// machine.
const SpinLeast = spinLeast

// Machine names the processor, how many of them there are, and the size of the last cache.
func Machine() string {
	return cpuName() + ", " + plural.Of(runtime.NumCPU(), "processor") + lastCache()
}
