package stresstest

import (
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/stress"
)

// teller is a test that tells what it says, and goes on.
type teller struct {
	testing.TB
	said []string
}

func (t *teller) Errorf(format string, args ...any) {
	t.said = append(t.said, fmt.Sprintf(format, args...))
}

// TestFound_Canary: a fault of which the judges say something else is not found, nor is one of which they say
// nothing.
func TestFound_Canary(t *testing.T) {
	for name, c := range map[string]struct {
		faults []string
		says   []string
		found  bool
	}{
		"what is said":    {[]string{"first: a value is lost"}, []string{"is lost"}, true},
		"one of two":      {[]string{"first", "second"}, []string{"third", "second"}, true},
		"something else":  {[]string{"first"}, []string{"second"}, false},
		"nothing":         {nil, []string{"second"}, false},
		"nothing is said": {[]string{"first"}, nil, false},
	} {
		x := &teller{TB: t}
		Found(x, name, &stress.StateReport{Faults: c.faults}, c.says...)
		if (len(x.said) == 0) != c.found {
			t.Errorf("%s: %q", name, x.said)
		}
	}
}
