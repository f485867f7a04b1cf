package processes

import (
	"context"
	"fmt"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/processes"
)

// bounds are how far the checks search, by program.
var bounds = map[string]explore.Options{
	"ProcessThreads": reduced(1), "ProcessRivals": reduced(2), "ProcessReturns": reduced(1),
	"ProcessClear": reduced(2), "ProcessCreation": reduced(3), "ProcessNaming": reduced(3),
	"ProcessNamingOpen": reduced(3),
	"ProcessInherit":    {Preemptions: 2, Kills: 1, Stateful: true},
	"ProcessDetach":     {Preemptions: 2, Kills: 1, Stateful: true},
}

// reduced is the search of all interleavings with so many deaths.
func reduced(kills int) explore.Options {
	return explore.Options{Preemptions: explore.Unbounded, Kills: kills, Reduce: true}
}

// Checks are all searches of this package within bounds that a check of the evidence can afford. What they
// leave out of the two large programs is searched by make processes.
func Checks() []processes.Check {
	var all []processes.Check
	for _, s := range Searches() {
		all = append(all, processes.Check{Search: s, Options: bounds[s.Name], Missing: missing(s.Name)})
	}
	return all
}

// Check runs all of them.
func Check(ctx context.Context, say func(what string)) []processes.Result {
	return processes.RunAll(ctx, Checks(), say)
}

// about is what has to happen in the executions of a program, by the names of counts.
var about = map[string][]string{
	"ProcessInherit": {"inherited", "reused", "finished", "refused"},
	"ProcessThreads": {"inherited", "reused", "finished"},
	"ProcessDetach":  {"left", "reused"},
	"ProcessRivals":  {"inherited", "reused", "refused"},
	"ProcessReturns": {"finished", "left"},
	"ProcessClear":   {"cleared", "reused", "finished"},
}

// counts are the counts of a tally by name.
func (t Tally) counts() map[string]int {
	return map[string]int{"inherited": t.Inherited, "reused": t.Reused, "finished": t.Finished,
		"refused": t.Refused, "left": t.Left, "cleared": t.Cleared}
}

// missing tells what a program is about and has not happened in its executions; "" if all has.
func missing(name string) func(fmt.Stringer) string {
	return func(happened fmt.Stringer) string {
		switch t := happened.(type) {
		case interface{ Missing() string }:
			return t.Missing()
		case Tally:
			counts := t.counts()
			for _, w := range about[name] {
				if counts[w] == 0 {
					return "nothing counts as " + w
				}
			}
			return ""
		}
		return fmt.Sprintf("%T is no tally", happened)
	}
}
