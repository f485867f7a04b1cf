package cache

import (
	"errors"
	"fmt"

	"github.com/samecycle/samecycle/impl/basket"
	"github.com/samecycle/samecycle/impl/hopscotch"
)

// Findings is what a Check has found.
type Findings struct {
	Region  []error            // words of the region that nobody writes
	Index   hopscotch.Findings // of the index
	Records basket.Findings    // of the records, with exact counts
}

// Err is nil if nothing was found, else an error that wraps ErrCorrupt and lists the first few findings.
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

// findingsShown is how many findings of a kind an error lists.
const findingsShown = 10

// Check holds all of the region against what calls leave there. No other process may change the cache
// meanwhile. In this process the janitor, and calls that change the cache, wait until the check is over. It
// changes nothing, and takes time and memory in proportion to the cache. What a death has left, and nobody
// has taken back yet, is no finding. Errors: ErrClosed, ErrBusy.
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
	return f, nil
}
