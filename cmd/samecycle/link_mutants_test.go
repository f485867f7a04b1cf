package main

import (
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/tlc"
)

// A mutant of the specification that dies of another property than the one that it names makes the record
// of its state a failure, is told first, and does not count.
func TestMutantsRecord_AnotherProperty(t *testing.T) {
	const problem = "it violates I2, the list says I1"
	died := tlc.Killed{Mutant: tlc.Mutant{Name: "a", Run: "run", Property: "I1"}}
	other := tlc.Killed{Mutant: tlc.Mutant{Name: "b", Run: "run", Property: "I1"}, Problem: problem}
	r := mutantsRecord("S01AddEmpty", []tlc.Killed{died, other}, &tlc.Tool{})
	if r.Status != evidence.Fail || r.Figure != 1 || !strings.Contains(r.Detail[0], problem) {
		t.Errorf("%s, %v killed, %q", r.Status, r.Figure, r.Detail)
	}
	if r = mutantsRecord("S01AddEmpty", []tlc.Killed{died}, &tlc.Tool{}); r.Status != evidence.Pass ||
		r.Figure != 1 || !strings.Contains(r.Detail[0], "I1 in run") {
		t.Errorf("%s, %v killed, %q", r.Status, r.Figure, r.Detail)
	}
}
