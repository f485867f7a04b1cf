package cache

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Findings is the result of a Check.
type Findings struct {
	Region  []error            // words of the region with values that no process writes
	Index   hopscotch.Findings // findings of the index
	Records basket.Findings    // findings of the records, with exact counts
}

// Err is nil if there are no findings. Otherwise it is an error that wraps ErrCorrupt and lists the first few
// findings.
func (f Findings) Err() error {
	var all []error
	all = append(all, f.Region...)
	if err := f.Index.Err(); err != nil {
		all = append(all, err)
	}
	for i, x := range f.Records.All {
		if i == findingsShown {
			all = append(all, fmt.Errorf("and %d more of the records", len(f.Records.All)-i))
			break
		}
		all = append(all, errors.New(x.String()))
	}
	if len(all) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrCorrupt, errors.Join(all...))
}

// findingsShown is the number of findings of one kind that an error lists.
const findingsShown = 10

// Check compares the whole region with what calls leave there. No other process may change the cache during
// the call. In this process the janitor, and calls that change the cache, wait until the check is over. Check
// changes nothing. It takes time and memory in proportion to the cache. What a death has left, and no process
// has taken back yet, is not a finding. Errors: ErrClosed, ErrBusy.
func (c *Cache) Check() (f Findings, err error) {
	s, err := c.reading()
	if err != nil {
		return f, failed("check", err)
	}
	defer s.give(0)
	release, err := c.writers.hold()
	if err != nil {
		return f, failed("check", err)
	}
	defer release()
	f.Region = append(c.region.Check(), c.params.damage()...)
	f.Index = hopscotch.Check(c.table, hopscotch.CheckOptions{Live: true})
	f.Records = c.store.Check(c.table.All(), nil)
	f.Records.All = append(f.Records.All, unfindable(c.hasher, c.store, c.table.All())...)
	return f, nil
}
