// Package goleak replaces go.uber.org/goleak in explored tests, whose goroutines belong to the explorer. It
// finds no leaks. The explorer reports goroutines that wait for ever, and --leaks makes them a failure.
package goleak

import "github.com/samecycle/samecycle/explore/shim/flow"

// The types of the original.
type (
	// Option is an option of the original. Only Cleanup has an effect.
	Option interface{ cleanup() func(code int) }
	// TestingT is a test.
	TestingT interface{ Error(...any) }
	// TestingM is the argument of TestMain.
	TestingM interface{ Run() int }
)

type option func(code int)

func (o option) cleanup() func(code int) { return o }

// Cleanup makes VerifyTestMain call f with the status instead of ending the process.
func Cleanup(f func(code int)) Option { return option(f) }

// IgnoreTopFunction has no effect.
func IgnoreTopFunction(string) Option { return option(nil) }

// IgnoreAnyFunction has no effect.
func IgnoreAnyFunction(string) Option { return option(nil) }

// IgnoreAnyContainingPkg has no effect.
func IgnoreAnyContainingPkg(string) Option { return option(nil) }

// IgnoreCurrent has no effect.
func IgnoreCurrent() Option { return option(nil) }

// Find returns nil.
func Find(...Option) error { return nil }

// VerifyNone does nothing.
func VerifyNone(TestingT, ...Option) {}

// VerifyTestMain runs the test, and ends the process with its status.
func VerifyTestMain(m TestingM, options ...Option) {
	end := flow.Exit
	for _, o := range options {
		if f := o.cleanup(); f != nil {
			end = f
		}
	}
	end(m.Run())
}
