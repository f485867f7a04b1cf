package processes

import (
	"fmt"

	"github.com/samecycle/samecycle/impl/region"
)

// An attached is the last attachment of a process, when an execution is over.
type attached struct {
	name    string
	process region.Process
	lives   bool // it has neither died nor detached
}

// known compares the processes that were attached with what the process table says to one more process,
// which attaches afterwards. No two processes have the same attachment, and exactly the living processes
// count as alive. An entry has one epoch at a time, so each living process has an entry of its own.
func known(later *region.Region, all []attached) error {
	before := []attached{{"who comes later", later.Process(), true}}
	for _, a := range all {
		alive, err := later.Alive(a.process)
		if err != nil || alive != a.lives {
			return fmt.Errorf("%w: %s, process %v, counts as alive: %v, want %v (%v)", ErrEntries, a.name,
				a.process, alive, a.lives, err)
		}
		for _, b := range before {
			if a.process == b.process {
				return fmt.Errorf("%w: %s and %s are both process %v", ErrEntries, b.name, a.name, a.process)
			}
		}
		before = append(before, a)
	}
	return nil
}
