package samestates

import (
	"strings"
	"testing"
)

func setOf(t *testing.T, states ...string) Set {
	t.Helper()
	set, err := NewSet(func(f func(string)) error {
		for _, s := range states {
			f(s)
		}
		return nil
	})
	if err != nil || set.Len() != len(states) {
		t.Fatalf("%d states of %v: %v", set.Len(), states, err)
	}
	return set
}

// A state that one side has and the other one lacks is a difference, whichever side it is.
func TestDifference_OfEitherSide(t *testing.T) {
	for _, x := range []struct{ spec, model, says string }{
		{"a b", "b a", ""},
		{"a b c", "a b", "1 states in TLC only, such as\nc\n0 states in the model only"},
		{"a", "a b c", "0 states in TLC only, such as\n\n2 states in the model only"},
		{"a b", "a c", "1 states in TLC only, such as\nb\n1 states in the model only, such as\nc"},
	} {
		d := Difference(setOf(t, strings.Fields(x.spec)...), setOf(t, strings.Fields(x.model)...))
		if (d == "") != (x.says == "") || !strings.HasPrefix(d, x.says) {
			t.Errorf("TLC %s, model %s: %q, want %q", x.spec, x.model, d, x.says)
		}
	}
}
