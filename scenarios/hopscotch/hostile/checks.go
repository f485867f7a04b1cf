package hostile

import (
	"context"
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
)

// Checks are all programs of this package within bounds that a check of the evidence can afford: those of
// one actor whole, those of two with one preemption.
func Checks() []processes.Check {
	var all []processes.Check
	for i, s := range Searches() {
		o := explore.Options{Preemptions: explore.Unbounded, Reduce: true}
		if len(Programs()[i].Cast) > 1 {
			o = explore.Options{Preemptions: 1, Stateful: true}
		}
		all = append(all, processes.Check{Search: s, Options: o, Missing: missing,
			Scope: "one word overwritten once, with each value of a list"})
	}
	return all
}

// Check runs all of them.
func Check(ctx context.Context, say func(what string)) []processes.Result {
	return processes.RunAll(ctx, Checks(), say)
}

// missing tells what every program is about and has not happened in its executions; "" if all has.
func missing(happened fmt.Stringer) string {
	switch t, ok := happened.(Tally); {
	case !ok:
		return fmt.Sprintf("%T is no tally", happened)
	case t.Words == 0:
		return "no word is overwritten"
	case t.Met == 0:
		return "nobody meets what was written"
	case t.Corrupt == 0:
		return "no call finds the table damaged"
	}
	return ""
}
