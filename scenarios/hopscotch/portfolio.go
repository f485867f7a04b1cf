package scenarios

import (
	"context"

	"github.com/samecycle/samecycle/explore"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// PortfolioReport is what the parts of a portfolio found out about one program. The counts of the
// report are those of all parts; its failure is that of the last one.
type PortfolioReport struct {
	Report
	Parts []explore.Part
}

// Portfolio spends the budget of the plan on several ways to search a program, each judged as in
// Explore. Of the options it takes Kills, Stateless, Seed, Context and Progress. Errors:
// explore.ErrOptions for a plan without a limit, else those of Explore.
func Portfolio(p model.Program, plan explore.Portfolio, o Options) (PortfolioReport, error) {
	r, program, err := prepare(p, o)
	if err != nil {
		return PortfolioReport{}, err
	}
	ctx := o.Context
	if ctx == nil {
		ctx = context.Background()
	}
	var sum explore.Stats
	parts, err := plan.Run(ctx, r.options(), func(eo explore.Options) (explore.Report, error) {
		got, err := explore.Explore(program, eo)
		add(&sum, got.Stats)
		return got, err
	})
	if err != nil {
		return PortfolioReport{}, err
	}
	decided := parts[0].Report
	if last := parts[len(parts)-1].Report; last.Failure != nil {
		decided = last
	}
	decided.Stats = sum
	return PortfolioReport{Report: r.report(decided), Parts: parts}, nil
}

// add sums up what two searches did.
func add(sum *explore.Stats, s explore.Stats) {
	sum.Executions += s.Executions
	sum.Complete += s.Complete
	sum.Pruned += s.Pruned
	sum.Blocked += s.Blocked
	sum.StepBound += s.StepBound
	sum.Killed += s.Killed
	sum.Audited += s.Audited
	sum.Steps += s.Steps
	sum.States = max(sum.States, s.States)
	sum.MaxDepth = max(sum.MaxDepth, s.MaxDepth)
	sum.MaxSteps = max(sum.MaxSteps, s.MaxSteps)
	sum.MaxPreemptions = max(sum.MaxPreemptions, s.MaxPreemptions)
	sum.Elapsed += s.Elapsed
}

// Estimate draws executions of the program within the options and tells how many a search is
// likely to have; see explore.EstimateSize. The judges see the drawn executions, too.
func Estimate(p model.Program, o Options, samples uint64) (explore.Estimate, error) {
	r, program, err := prepare(p, o)
	if err != nil {
		return explore.Estimate{}, err
	}
	return explore.EstimateSize(program, r.options(), samples)
}
