// Package harnesstest has the tests of an engine's programs that are the same for every engine.
package harnesstest

import (
	"fmt"

	"github.com/samecycle/samecycle/harness"
)

// Programs explores every program of an engine, and returns what is wrong: a program that fails, or is not
// searched to its bounds, and a state whose race happens in none of its programs. Error: a program cannot be
// explored.
func Programs(e *harness.Engine, options func(harness.Program) harness.Options) (wrong []string, err error) {
	marked := map[string]bool{}
	for _, p := range e.Programs {
		rep, err := p.Explore(options(p))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		if rep.Failure != nil || !rep.Exhaustive || rep.StepBound > 0 {
			wrong = append(wrong, fmt.Sprintf("%s: %v\n%v", p.Name, rep.Bound, rep.Failure))
		}
		marked[p.State] = marked[p.State] || rep.Marks[p.State] > 0
	}
	for _, s := range e.States {
		if !marked[s.ID] {
			wrong = append(wrong, fmt.Sprintf("the race of %s never happens", s.ID))
		}
	}
	return wrong, nil
}
