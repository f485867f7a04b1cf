// Package large keeps tests that take long, and that something else goes through as well, out of the
// everyday run. They are skipped with a reason, which make test tells at its end; make test-large runs all.
package large

import "os"

// Variable is the variable of the environment that asks for large tests, whatever its value.
const Variable = "SAMECYCLE_LARGE"

// Wanted reports whether large tests are to run.
func Wanted() bool { return os.Getenv(Variable) != "" }

// Test is the part of a testing.TB that is needed here.
type Test interface {
	Helper()
	Skipf(format string, args ...any)
}

// Skip skips a test that is large unless those are to run. The reason says what is left, and what of it is
// judged all the same.
func Skip(t Test, reason string) {
	t.Helper()
	if !Wanted() {
		t.Skipf("large: %s; run: make test-large", reason)
	}
}
