package testing

import (
	"testing"

	"github.com/samecycle/samecycle/explore/shim/flow"
)

// The types of the original for generated code, and for code that calls tests itself.
type (
	// InternalBenchmark is a benchmark, which never runs.
	InternalBenchmark = testing.InternalBenchmark
	// InternalExample is an example, which never runs.
	InternalExample = testing.InternalExample
	// InternalFuzzTarget is a fuzz target, which never runs.
	InternalFuzzTarget = testing.InternalFuzzTarget
	// Cover is for generated code that counts what was run.
	Cover = testing.Cover
	// CoverBlock is a part of a Cover.
	CoverBlock = testing.CoverBlock
)

// InternalTest is a test with its name.
type InternalTest struct {
	Name string
	F    func(*T)
}

// RegisterCover does nothing, because there is no coverage.
func RegisterCover(Cover) {}

// RunTests runs the tests whose names match, one after the other, and reports whether all of them passed.
func RunTests(matchString func(pat, str string) (bool, error), tests []InternalTest) (ok bool) {
	ok = true
	for _, x := range tests {
		matches, err := matchString("", x.Name)
		if err != nil {
			return false
		}
		if matches {
			t := New(x.Name, nil)
			t.RunTest(x.F)
			ok = ok && !t.failed
		}
	}
	return ok
}

// RunExamples reports true, and runs none.
func RunExamples(func(pat, str string) (bool, error), []InternalExample) (ok bool) { return true }

// RunBenchmarks runs none.
func RunBenchmarks(func(pat, str string) (bool, error), []InternalBenchmark) {}

// MainStart returns an M that runs all of the tests. The deps are not used.
func MainStart(deps any, tests []InternalTest, _ []InternalBenchmark, _ []InternalFuzzTarget,
	_ []InternalExample) *M {
	Init()
	all := New("", nil)
	return NewM(func() {
		every := func(string, string) (bool, error) { return true, nil }
		all.failed = !RunTests(every, tests)
	}, all)
}

// Main runs the tests whose names match, and ends the process with 0 if all of them passed, and with 1
// otherwise.
func Main(matchString func(pat, str string) (bool, error), tests []InternalTest, _ []InternalBenchmark,
	_ []InternalExample) {
	Init()
	all := New("", nil)
	flow.Exit(NewM(func() { all.failed = !RunTests(matchString, tests) }, all).Run())
}
