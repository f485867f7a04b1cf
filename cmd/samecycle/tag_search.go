//go:build explore

package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/plural"
)

// samples is how many executions an estimate draws: some tenths of a second.
const samples = 200

// options are the request's for one program; share is how much of the whole is done.
func (r exploreRequest) options(ctx context.Context, p harness.Program, share float64) harness.Options {
	var coverage *explore.Coverage
	if r.Coverage || r.Strategy == explore.Reversing.String() {
		coverage = &explore.Coverage{}
	}
	return harness.Options{
		Coverage:    coverage,
		Preemptions: explore.Unbounded, Kills: min(r.Kills, len(p.Actors)), Context: ctx,
		Executions: uint64(r.Executions), Seed: r.Seed, Stateless: r.Stateless,
		Shard: r.Shard, Shards: r.Shards, Checkpoints: r.Checkpoint,
		Solo: r.Solo, LockFree: r.LockFree, Reduce: r.Reduce, Apart: r.Apart,
		Progress: func(s explore.Stats) {
			r.Progress(fmt.Sprintf("%s: %s, %s", p.Name, plural.Of(s.Executions, "execution"),
				plural.Of(s.States, "state")), share)
		},
	}
}

// search explores one program in the way that was asked for.
func (r exploreRequest) search(ctx context.Context, p harness.Program, share float64) (exploration, error) {
	o := r.options(ctx, p, share)
	e, err := r.searchWith(ctx, p, o)
	e.cut = ctx.Err() != nil
	if r.Coverage {
		e.Coverage = &coverage{}
		e.Coverage.Both, e.Coverage.OneWay = o.Coverage.Pairs()
	}
	return e, err
}

// coverage is what --coverage lists.
type coverage struct {
	Both   int            `json:"both"` // pairs that were seen in both orders
	OneWay []explore.Pair `json:"one_way"`
}

func (c *coverage) write(w io.Writer) {
	fmt.Fprintf(w, "  pairs of conflicting accesses of two actors: %d seen in both orders, %d in one only:\n",
		c.Both, len(c.OneWay))
	for _, p := range c.OneWay {
		fmt.Fprintf(w, "    %v, then %v\n", p.First, p.Then)
	}
}

func (r exploreRequest) searchWith(ctx context.Context, p harness.Program,
	o harness.Options) (exploration, error) {
	if r.Strategy == strategyPortfolio {
		return r.portfolio(ctx, p, o)
	}
	if r.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Time)
		defer cancel()
	}
	o.Context = ctx
	if r.random() {
		return r.walk(p, o)
	}
	search := p.Ascend
	o.Preemptions = p.Budget.Preemptions
	if r.Fixed {
		search, o.Preemptions = p.Explore, r.Bound
	}
	var est *estimate
	var err error
	if r.Reduce {
		search, o.Preemptions = p.Explore, explore.Unbounded
	}
	if r.Stateless { // what others will leave out is not known before
		if est, err = r.estimate(p, o); err != nil {
			return exploration{}, err
		}
	}
	rep, err := search(o)
	e := summarise(r.Failures, rep)
	e.Estimate = est
	e.covers(rep.Report, p)
	return e, err
}

// estimate is what was known of a search before it, in executions.
type estimate struct {
	Executions float64 `json:"executions"`
	StdErr     float64 `json:"std_err"`
	Low        float64 `json:"low"` // half of the samples lie between low and high
	High       float64 `json:"high"`
	Samples    uint64  `json:"samples"`
	Seed       uint64  `json:"seed"`
}

// estimate says how long a search is likely to take.
func (r exploreRequest) estimate(p harness.Program, o harness.Options) (*estimate, error) {
	o.Progress, o.Coverage = nil, nil
	est, err := p.Estimate(o, samples)
	if err != nil {
		return nil, err
	}
	bound := "no bound on preemptions"
	if o.Preemptions != explore.Unbounded {
		bound = "at most " + plural.Of(o.Preemptions, "preemption")
	}
	told := est.String()
	if ends := est.Limits(o.Executions, r.Time); ends != "" {
		told += "; " + ends
	}
	r.Say("%s, %s: estimate: %s", p.Name, bound, told)
	if est.Failure != nil {
		r.Say("%s: a drawn execution fails already; the search looks for one with fewer switches\n"+
			"samecycle replay '%s'", p.Name, est.Failure.Token)
	}
	if est.Samples < 2 { // interrupted or failed: there is no spread
		return nil, nil
	}
	return &estimate{est.Executions, est.StdErr, est.Low, est.High, est.Samples, est.Seed}, nil
}

// walk draws executions of one strategy.
func (r exploreRequest) walk(p harness.Program, o harness.Options) (exploration, error) {
	o.Walks = explore.Endless
	switch r.Strategy {
	case strategyPCT:
		o.Strategy, o.Depth = explore.PCT, r.Depth
	case explore.Uniform.String():
		o.Strategy = explore.Uniform
	case explore.Reversing.String():
		o.Strategy = explore.Reversing
	}
	if r.Fixed {
		o.Preemptions = r.Bound
	}
	rep, err := p.Explore(o)
	e := summarise(r.Failures, rep)
	e.drawn, e.Seed = true, r.Seed
	e.covers(rep.Report, p)
	return e, err
}

// partResult is a part of a portfolio in the result of --json.
type partResult struct {
	Name       string  `json:"name"`
	Executions uint64  `json:"executions"`
	Seconds    float64 `json:"seconds"`
	Promise    string  `json:"promise"`
}

// portfolio spends the budget on all strategies.
func (r exploreRequest) portfolio(ctx context.Context, p harness.Program,
	o harness.Options) (exploration, error) {
	plan := explore.Portfolio{Time: r.Time, Executions: uint64(r.Executions), Depth: r.Depth,
		MaxBound: explore.Unbounded}
	if r.Fixed {
		plan.MaxBound = r.Bound
	}
	o.Context, o.Executions = ctx, 0
	rep, err := p.Portfolio(plan, o)
	e := summarise(r.Failures, rep.Report)
	e.drawn, e.Seed = true, r.Seed
	e.covers(rep.Report.Report, p)
	for _, x := range rep.Parts {
		e.Parts = append(e.Parts,
			partResult{x.Name, x.Report.Executions, x.Report.Elapsed.Seconds(), x.Promise})
	}
	return e, err
}

// covers notes what the search covered.
func (e *exploration) covers(r explore.Report, p harness.Program) {
	e.Covered = coveredBy(r)
	e.size(p)
}

// coveredBy says what a search covered of all schedules.
func coveredBy(r explore.Report) string {
	switch {
	case r.Failure == nil && r.Below > 0:
		return within(r.Below-1) + " and part of the others"
	case r.Failure != nil || !r.Exhaustive:
		return aPart
	case r.Shard():
		return "a shard only"
	case r.Classes > 0:
		return oneOfEach
	case r.Everything():
		return within(explore.Unbounded)
	}
	return within(r.Preemptions)
}

// What a search may cover, besides what within says.
const (
	aPart     = "part of the schedules"
	oneOfEach = "all schedules but for the order of independent steps"
)

// within names the schedules within a bound.
func within(bound int) string {
	if bound == explore.Unbounded {
		return "all schedules"
	}
	return "all schedules with at most " + plural.Of(bound, "preemption")
}

// size notes how large the program is.
func (e *exploration) size(p harness.Program) {
	e.actors, e.operations = len(p.Actors), p.Operations()
}

// trust sums up in one sentence what a passing result stands for, and what it does not.
func trust(all []exploration, kills int, apart bool) string {
	programs, actors, operations, executions := map[string]uint64{}, 0, 0, uint64(0)
	for _, e := range all {
		programs[e.Covered]++
		actors, operations = max(actors, e.actors), max(operations, e.operations)
		executions += e.Executions
	}
	var covered []string
	for _, c := range sortedKeys(programs) {
		covered = append(covered, c+" of "+plural.Of(programs[c], "program"))
	}
	deaths := "no deaths"
	switch {
	case kills > 0 && apart:
		deaths = fmt.Sprintf("death of up to %d of them, each from its first step to its end", kills)
	case kills > 0:
		deaths = fmt.Sprintf("death of up to %s, each after any step of its own", plural.Of(kills, "actor"))
	}
	if apart {
		deaths = "each in a process of its own with its own mapping; " + deaths
	}
	left := "not covered: weak memory, races of plain memory, other programs and sizes"
	if programs[within(explore.Unbounded)]+programs[oneOfEach] < uint64(len(all)) {
		left += ", all other schedules"
		if all[0].drawn {
			left += " but for those drawn"
		}
	}
	return fmt.Sprintf("covered: %s; up to %s with up to %s each; %s; %s\n%s",
		strings.Join(covered, ", "), plural.Of(actors, "actor"), plural.Of(operations, "operation"), deaths,
		plural.Of(executions, "execution"), left)
}

// writeParts prints what each part of a portfolio covers.
func (e exploration) writeParts(w io.Writer) {
	for _, p := range e.Parts {
		elapsed := time.Duration(p.Seconds * float64(time.Second)).Round(time.Millisecond)
		fmt.Fprintf(w, "  %-10s %s in %v\n             %s\n", p.Name,
			plural.Of(p.Executions, "execution"), elapsed, p.Promise)
	}
}
