package harnesstest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/hook"
)

// Steps alters the steps of the named functions before they are judged, and returns which of them are not
// refused. A step is made one of another word, of another actor, of another access, of the function other,
// which is no action, and of the function action, which is another one. The program is explored once for each
// function and change. Error: it cannot be explored.
func Steps(p harness.Program, o harness.Options, functions []string, other, action string) (wrong []string,
	err error) {
	changes := []struct {
		name  string
		alter func(*explore.Step)
	}{
		{"another word", func(s *explore.Step) { s.Object ^= 1 << 48 }},
		{"a word beside it", func(s *explore.Step) { s.Object += 16 }},
		{"another actor", func(s *explore.Step) { s.Actor = (s.Actor + 1) % 2 }},
		{"another access", func(s *explore.Step) { s.Kind = hook.Swap }},
		{"another function", func(s *explore.Step) { s.Func = other }},
		{"another action", func(s *explore.Step) { s.Func = action }},
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
