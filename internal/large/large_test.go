package large

import (
	"strings"
	"testing"
)

// test is one that may be skipped.
type test struct{ reason string }

func (*test) Helper() {}

func (s *test) Skipf(format string, args ...any) {
	s.reason = format
	for _, a := range args {
		s.reason += a.(string)
	}
}

func TestSkip(t *testing.T) {
	for value, want := range map[string]bool{"": false, "1": true} {
		t.Setenv(Variable, value)
		var s test
		Skip(&s, "so long")
		if (s.reason == "") != want || Wanted() != want || !want && !strings.Contains(s.reason, "so long") {
			t.Errorf("%s=%q: skipped for %q, wanted %t", Variable, value, s.reason, Wanted())
		}
	}
}
