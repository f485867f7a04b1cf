package harnesstest

import (
	"errors"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
)

// Failure explores a program that is opened by open in place of its own function, such as one that puts a
// fault into its world or its model, and returns what fails; nil: nothing.
func Failure(t testing.TB, p harness.Program, o harness.Options,
	open func(o harness.Options) (*harness.Prepared, error)) *explore.Failure {
	t.Helper()
	p.Open = open
	rep, err := p.Explore(o)
	if err != nil {
		t.Fatal(err)
	}
	return rep.Failure
}

// Found wants a fault to have failed by an error that wraps want, with a message that has that text in it.
func Found(t testing.TB, fault string, f *explore.Failure, want error, says string) {
	t.Helper()
	if f == nil || !errors.Is(f.Err, want) || !strings.Contains(f.Message, says) {
		t.Errorf("%s: %v, want %v, %q", fault, f, want, says)
	}
}
