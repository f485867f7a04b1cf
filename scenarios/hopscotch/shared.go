package scenarios

import (
	"context"
	"slices"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/scenarios/hopscotch/hostile"
	"github.com/samecycle/samecycle/scenarios/hopscotch/processes"
)

// shared are the explorations that belong to no state: processes that come and go and die, and somebody who
// overwrites a word of the region.
func shared() []harness.Shared {
	var all []harness.Shared
	for _, c := range slices.Concat(processes.Checks(), hostile.Checks()) {
		all = append(all, harness.Shared{Name: c.Name,
			Run: func(ctx context.Context, say func(string)) harness.SharedResult {
				r := c.Run(ctx, say)
				return harness.SharedResult{Executions: r.Executions, Bound: r.Bound, Err: r.Err,
					Unknown: r.Unknown, Token: r.Token}
			}})
	}
	return all
}
