package scenarios

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/explore/processes"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/scenarios/hopscotch/hostile"
	table "github.com/samecycle/samecycle/scenarios/hopscotch/processes"
)

// shared are the explorations that belong to no state: processes that come and go and die, and somebody who
// overwrites a word of the region. Those that cover the same are one.
func shared() []harness.Shared {
	var all []harness.Shared
	for _, checks := range processes.Together(slices.Concat(table.Checks(), hostile.Checks())) {
		all = append(all, together(checks))
	}
	return all
}

// together runs checks of the same bound, up to the first that does not pass.
func together(checks []processes.Check) harness.Shared {
	var names []string
	for _, c := range checks {
		names = append(names, c.Name)
	}
	return harness.Shared{Name: strings.Join(names, ", "),
		Run: func(ctx context.Context, say func(string)) (all harness.SharedResult) {
			for _, c := range checks {
				r := c.Run(ctx, func(what string) { say(c.Name + ": " + what) })
				all.Executions += r.Executions
				all.Bound = r.Bound
				if r.Err != nil {
					all.Err = fmt.Errorf("%s: %w", c.Name, r.Err)
					all.Unknown, all.Token = r.Unknown, r.Token
					break
				}
			}
			return all
		}}
}
