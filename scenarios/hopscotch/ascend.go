package scenarios

import (
	"maps"

	"github.com/samecycle/samecycle/explore"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// Ascend is Explore with preemption bounds 0, 1, 2, ... up to that of the options, so that a
// failure has as few switches as any; see explore.Climb. The report is that of the bound that
// decided, counts included; its tokens are those of the lowest bound that has the outcome.
// Options.Executions limits each bound.
func Ascend(p model.Program, o Options) (Report, error) {
	byBound := map[int]Report{}
	tokens := map[string]string{}
	decided, err := explore.Climb(o.Preemptions, func(bound int) (explore.Report, error) {
		o.Preemptions = bound
		r, err := Explore(p, o)
		byBound[bound] = r
		for outcome, token := range r.Tokens {
			if _, known := tokens[outcome]; !known {
				tokens[outcome] = token
			}
		}
		return r.Report, err
	})
	r := byBound[decided.Preemptions]
	r.Report = decided
	maps.DeleteFunc(tokens, func(outcome, _ string) bool { return r.Outcomes[outcome] == 0 })
	r.Tokens = tokens
	return r, err
}
