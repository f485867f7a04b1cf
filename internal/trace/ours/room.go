package ours

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/impl/hopscotch"
	"github.com/samecycle/samecycle/impl/region"
)

// ErrProcesses says that the cache cannot have so many processes.
var ErrProcesses = errors.New("the cache cannot have so many processes")

// handlesEach are the handles of the index that a process of one goroutine has at most: those of a reader, of
// a writer, and of a writer for its janitor.
const handlesEach = 3

// limits are those of the processes of a file.
type limits struct{ processes, handles int }

// limitsOf are those of the cache in a file.
func limitsOf(file string) (limits, error) {
	r, err := region.Open(file, nil)
	if err != nil {
		return limits{}, err
	}
	l, err := hopscotch.LayoutOf(r)
	return limits{region.Processes, int(l.Descriptors)}, errors.Join(err, r.Close())
}

// check refuses more processes than can have all that they need at the same moment. With deaths there is one
// more, and what the one before it had may not have been taken back yet.
func (l limits) check(processes int, deaths bool) error {
	most, besides := min(l.handles/handlesEach, l.processes), ""
	if deaths {
		most, besides = max(most-2, 0), " beside the one that is killed"
	}
	if processes <= most {
		return nil
	}
	if l.processes <= l.handles/handlesEach {
		return fmt.Errorf("%w: there is room for %d%s, since its table has %d entries; use fewer",
			ErrProcesses, most, besides, l.processes)
	}
	return fmt.Errorf("%w: of this size it has room for %d%s, since its index has %d handles and a process "+
		"may need %d; use fewer, or a larger --size", ErrProcesses, most, besides, l.handles, handlesEach)
}
