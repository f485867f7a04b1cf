// Package goleak stands in for go.uber.org/goleak in explored tests, whose goroutines belong to the explorer.
// It finds no leaks: the explorer tells of goroutines that wait for ever, and --leaks makes them a failure.
package goleak

import "github.com/samecycle/samecycle/explore/shim/flow"

// The types of the original.
type (
	// Option is what the original can be told. Only Cleanup has a meaning.
	Option interface{ cleanup() func(code int) }
	// TestingT is a test.
	TestingT interface{ Error(...any) }
	// TestingM is what TestMain gets.
	TestingM interface{ Run() int }
)

type option func(code int)

func (o option) cleanup() func(code int) { return o }

// Cleanup lets VerifyTestMain call f with the status instead of ending the process.
func Cleanup(f func(code int)) Option { return option(f) }

// IgnoreTopFunction has no meaning.
func IgnoreTopFunction(string) Option { return option(nil) }

// IgnoreAnyFunction has no meaning.
func IgnoreAnyFunction(string) Option { return option(nil) }

// IgnoreAnyContainingPkg has no meaning.
func IgnoreAnyContainingPkg(string) Option { return option(nil) }

// IgnoreCurrent has no meaning.
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
