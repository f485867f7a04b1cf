package harnesstest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/hook"
)

// Altered is what a step is made.
type Altered struct {
	Beside uint64 // so many bytes behind a word there is another one, also for the specification
	Other  string // a function of the engine that is no action
	Action string // one that is an action, and none of those that are altered
}

// Steps alters the steps of the named functions before they are judged, and returns which of them are not
// refused. A step is made one of another word, of another actor, of another access, of a function that is no
// action, and of one that is another action. The program is explored once for each function and change.
// Error: it cannot be explored.
func Steps(p harness.Program, o harness.Options, functions []string, to Altered) (wrong []string, err error) {
	changes := []struct {
		name  string
		alter func(*explore.Step)
	}{
		{"another word", func(s *explore.Step) { s.Object ^= 1 << 48 }},
		{"a word beside it", func(s *explore.Step) { s.Object += to.Beside }},
		{"another actor", func(s *explore.Step) { s.Actor = (s.Actor + 1) % 2 }},
		{"another access", func(s *explore.Step) { s.Kind = hook.Swap }},
		{"another function", func(s *explore.Step) { s.Func = to.Other }},
		{"another action", func(s *explore.Step) { s.Func = to.Action }},
	}
	for _, at := range functions {
		for _, c := range changes {
			o.Misplaced = func(s *explore.Step) {
				if strings.HasSuffix(s.Func, "."+at) {
					c.alter(s)
				}
			}
			rep, err := p.Explore(o)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", at, c.name, err)
			}
			if rep.Failure == nil || !errors.Is(rep.Failure.Err, harness.ErrRejected) {
				wrong = append(wrong, fmt.Sprintf("%s: %s: %v", at, c.name, rep.Failure))
			}
		}
	}
	return wrong, nil
}
