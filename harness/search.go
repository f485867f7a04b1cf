package harness

import (
	"context"
	"maps"

	"github.com/samecycle/samecycle/explore"
)

// Ascend is Explore with preemption bounds 0, 1, 2, ... up to that of the options, so that a failure has
// the fewest possible preemptions; see explore.Climb. The report is that of the bound that decided, counts
// included; its tokens are those of the lowest bound that has the outcome. Options.Executions limits each
// bound.
func (p Program) Ascend(o Options) (Report, error) {
	byBound := map[int]Report{}
	tokens := map[string]string{}
	decided, err := explore.Climb(o.Preemptions, func(bound int) (explore.Report, error) {
		o.Preemptions = bound
		r, err := p.Explore(o)
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

// Check explores the program within its budget.
func (p Program) Check(ctx context.Context, progress func(explore.Stats)) (Report, error) {
	o := Options{Preemptions: p.Budget.Preemptions, Kills: p.Budget.Kills, Reduce: p.Budget.Reduce,
		Context: ctx, Progress: progress}
	if o.Reduce {
		o.Preemptions = explore.Unbounded
	}
	return p.Explore(o)
}

// PortfolioReport is what the parts of a portfolio found about one program. Its counts are sums over all
// parts; its failure is that of the last part.
type PortfolioReport struct {
	Report
	Parts []explore.Part
}

// Portfolio spends the budget of the plan on several ways to search a program, each judged as in
// Explore. Of the options it takes Kills, Stateless, Seed, Context and Progress. Errors:
// explore.ErrOptions for a plan without a limit, else those of Explore.
func (p Program) Portfolio(plan explore.Portfolio, o Options) (PortfolioReport, error) {
	r, err := p.Open(o)
	if err != nil {
		return PortfolioReport{}, err
	}
	ctx := o.Context
	if ctx == nil {
		ctx = context.Background()
	}
	var sum explore.Stats
	parts, err := plan.Run(ctx, r.Options, func(eo explore.Options) (explore.Report, error) {
		got, err := explore.Explore(r.Program, eo)
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
	return PortfolioReport{Report: r.Report(decided), Parts: parts}, nil
}

// add sums up what two searches did.
func add(sum *explore.Stats, s explore.Stats) {
	sum.Executions += s.Executions
	sum.Complete += s.Complete
	sum.Pruned += s.Pruned
	sum.Blocked += s.Blocked
	sum.StepBound += s.StepBound
	sum.Crowded += s.Crowded
	sum.Starved += s.Starved
	sum.Killed += s.Killed
	sum.Audited += s.Audited
	sum.Steps += s.Steps
	sum.States = max(sum.States, s.States)
	sum.MaxDepth = max(sum.MaxDepth, s.MaxDepth)
	sum.MaxSteps = max(sum.MaxSteps, s.MaxSteps)
	sum.MaxPreemptions = max(sum.MaxPreemptions, s.MaxPreemptions)
	sum.Elapsed += s.Elapsed
}

// Estimate draws executions of the program within the options and estimates how many a search has; see
// explore.EstimateSize. The drawn executions are judged, too.
func (p Program) Estimate(o Options, samples uint64) (explore.Estimate, error) {
	r, err := p.Open(o)
	if err != nil {
		return explore.Estimate{}, err
	}
	return explore.EstimateSize(r.Program, r.Options, samples)
}
