package testing

import (
	"testing"
	"time"

	"github.com/samecycle/samecycle/explore/shim/flow"
)

// The types of the original.
type (
	// B is a benchmark, which never runs.
	B = testing.B
	// F is a fuzz target, which never runs.
	F = testing.F
	// PB is for parallel benchmarks.
	PB = testing.PB
	// TB is the common part of T and B. A function that takes one accepts a T of this package, too.
	TB = testing.TB
	// BenchmarkResult is the result of Benchmark.
	BenchmarkResult = testing.BenchmarkResult
)

// Tests have a short form if they call Short. Code that explores them chooses the form.
var (
	InShort   bool // what Short reports: usually false, because many tests skip themselves in short form
	AsksShort bool // Short was called
)

// Short reports whether the test is explored in its short form.
func Short() bool {
	AsksShort = true
	return InShort
}

// Verbose reports false.
func Verbose() bool { return false }

// Testing reports true.
func Testing() bool { return true }

// CoverMode returns the empty string, because there is no coverage.
func CoverMode() string { return "" }

// Coverage returns 0, because there is none.
func Coverage() float64 { return 0 }

// AllocsPerRun calls f once more than the original would for one run. It returns 0, because the copy
// allocates more than the original does.
func AllocsPerRun(runs int, f func()) float64 {
	flow.Allocations = true
	for range min(runs, 1) + 1 {
		f()
	}
	return 0
}

// Benchmark returns no result, and does not call f.
func Benchmark(func(b *B)) BenchmarkResult { return BenchmarkResult{} }

// Deadline reports that there is none.
func (t *T) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }
