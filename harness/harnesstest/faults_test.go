package harnesstest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
)

// teller is a test that tells whether it has failed, and goes on.
type teller struct {
	testing.TB
	failed bool
}

func (t *teller) Errorf(string, ...any) { t.failed = true }

// TestFound_Canary: a fault that another judge refuses is not found, nor is one that is refused with another
// text, or by nobody.
func TestFound_Canary(t *testing.T) {
	rejected := &explore.Failure{Err: fmt.Errorf("a step: %w", harness.ErrRejected),
		Message: "memory differs"}
	for name, c := range map[string]struct {
		f     *explore.Failure
		want  error
		says  string
		found bool
	}{
		"any text":      {rejected, harness.ErrRejected, "", true},
		"the text":      {rejected, harness.ErrRejected, "differs", true},
		"another text":  {rejected, harness.ErrRejected, "agrees", false},
		"another judge": {rejected, errors.New("another one"), "", false},
		"nobody":        {nil, harness.ErrRejected, "", false},
	} {
		x := &teller{TB: t}
		if Found(x, name, c.f, c.want, c.says); x.failed == c.found {
			t.Errorf("%s: found: %v, want %v", name, !x.failed, c.found)
		}
	}
}
