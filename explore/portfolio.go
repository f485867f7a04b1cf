package explore

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/samecycle/samecycle/internal/plural"
)

// Endless as Options.Walks draws executions until Options.Context or MaxExecutions ends it.
const Endless = math.MaxUint64

// A Portfolio is a plan that spends one budget on several ways to search a program. Preemption bounds in
// ascending order end with a statement about all schedules within a bound. Random executions reach further,
// and end with a statement about probabilities.
type Portfolio struct {
	Time       time.Duration // for all parts together; 0: no limit
	Executions uint64        // for all parts together; 0: no limit
	MaxBound   int           // highest preemption bound; Unbounded: as far as the budget goes
	Depth      int           // PCT is run with depth 1 to Depth; 0: not at all
}

// ascendingShare is the part of the budget for the ascending bounds. The random parts share the rest evenly,
// with what the bounds leave unused.
const ascendingShare = 0.5

// A Part is one part of a portfolio that was run.
type Part struct {
	Name     string // ascending, pct 2, uniform, reversing, plain
	Report   Report // of an ascending part: of the highest bound that was searched to its end
	Promise  string // what the part covers, or with which chance it finds what
	Finished bool   // an ascending part: it reached MaxBound or covered everything
}

// Run runs the parts on a program. It calls try, which searches the program with the given options, and
// returns the parts that were run. The parts take all options from o except Preemptions, Walks, Strategy,
// Depth, MaxExecutions and Context, which they change. Run ends at the first failure, which is that of the
// last part; when ctx is done; and at the first error of try.
func (f Portfolio) Run(ctx context.Context, o Options, try func(Options) (Report, error)) ([]Part, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	r := portfolioRun{Portfolio: f, o: o, try: try, began: time.Now()}
	part, err := r.ascending(ctx)
	parts := []Part{part}
	plan := r.random()
	for i := 0; i < len(plan) && err == nil && part.Report.Failure == nil && ctx.Err() == nil; i++ {
		if part.Finished && part.Report.Everything() {
			break // nothing is left to find
		}
		var next Part
		if next, err = r.walk(ctx, plan[i], len(plan)-i); err == nil && next.Report.Executions > 0 {
			parts = append(parts, next)
		}
		if next.Report.Failure != nil {
			break
		}
	}
	return parts, err
}

func (f Portfolio) check() error {
	switch {
	case f.Time < 0 || f.Time == 0 && f.Executions == 0:
		return fmt.Errorf("%w: Portfolio with Time %v and Executions %d; its random parts never end "+
			"by themselves: limit one of the two", ErrOptions, f.Time, f.Executions)
	case f.MaxBound < Unbounded:
		return fmt.Errorf("%w: MaxBound is %d; use Unbounded or a bound from 0", ErrOptions, f.MaxBound)
	case f.Depth < 0 || f.Depth > maxDepth:
		return fmt.Errorf("%w: Depth is %d; use 0 to %d", ErrOptions, f.Depth, maxDepth)
	}
	return nil
}

// portfolioRun is a portfolio that runs.
type portfolioRun struct {
	Portfolio
	o     Options
	try   func(Options) (Report, error)
	began time.Time
	spent uint64
}

// slice returns a context and a number of executions for a part that gets the given share of the remaining
// budget. It also reports whether the part gets anything.
func (r *portfolioRun) slice(ctx context.Context, share float64) (context.Context,
	context.CancelFunc, uint64, bool) {
	cancel, executions, ok := context.CancelFunc(func() {}), uint64(0), ctx.Err() == nil
	if r.Executions > 0 {
		left := r.Executions - min(r.spent, r.Executions)
		executions = max(1, uint64(float64(left)*share))
		ok = ok && left > 0
	}
	if r.Time > 0 {
		left := r.Time - time.Since(r.began)
		ctx, cancel = context.WithTimeout(ctx, time.Duration(float64(left)*share))
		ok = ok && left > 0
	}
	return ctx, cancel, executions, ok
}

// ascending searches the bounds from 0. The report is that of a failure, or otherwise that of the highest
// bound that was searched to its end; its counts are the sums over all bounds.
func (r *portfolioRun) ascending(ctx context.Context) (Part, error) {
	ctx, cancel, executions, _ := r.slice(ctx, ascendingShare)
	defer cancel()
	limit := r.spent + executions
	var best, sum Report
	highest := r.MaxBound
	if highest == Unbounded {
		highest = math.MaxInt32 // Climb stops at the first bound that no execution needs
	}
	last, err := Climb(highest, func(bound int) (Report, error) {
		o := r.o
		o.Preemptions, o.Walks, o.Strategy, o.Depth, o.Context = bound, 0, Plain, 0, ctx
		if o.MaxExecutions = 0; executions > 0 {
			o.MaxExecutions = max(1, limit-min(limit, r.spent))
		}
		got, err := r.try(o)
		r.spent += got.Executions
		sum.Executions += got.Executions
		sum.Steps += got.Steps
		sum.Elapsed += got.Elapsed
		if got.Exhaustive || got.Failure != nil || best.Program == "" {
			best = got
		}
		return got, err
	})
	if last.Failure != nil {
		best = last
	}
	part := Part{Name: "ascending", Finished: last.Exhaustive, Report: best}
	part.Promise = promise(best, last)
	part.Report.Executions, part.Report.Steps, part.Report.Elapsed = sum.Executions, sum.Steps, sum.Elapsed
	return part, err
}

// promise says in words what the ascending bounds covered.
func promise(best, last Report) string {
	switch {
	case best.Failure != nil:
		return best.Bound
	case !best.Exhaustive:
		return "no bound was searched to its end, so nothing is covered"
	case best.Everything():
		return "all schedules: " + best.Bound
	}
	s := fmt.Sprintf("all schedules with at most %s: %s", plural.Of(best.Preemptions, "preemption"),
		best.Bound)
	if !last.Exhaustive {
		s += fmt.Sprintf("; the bound of %s was not searched to its end",
			plural.Of(last.Preemptions, "preemption"))
	}
	return s
}

// random returns the options of the random parts, in the order in which they are run.
func (r *portfolioRun) random() []Options {
	var all []Options
	add := func(s Strategy, depth int) {
		o := r.o
		o.Preemptions, o.Stateful, o.SplitBegin = Unbounded, false, false
		o.Walks, o.Strategy, o.Depth = Endless, s, depth
		all = append(all, o)
	}
	for d := range r.Depth {
		add(PCT, d+1)
	}
	add(Uniform, 0)
	if r.o.Coverage != nil {
		add(Reversing, 0)
	}
	add(Plain, 0)
	return all
}

// walk runs one of the random parts; left is how many of them are left.
func (r *portfolioRun) walk(ctx context.Context, o Options, left int) (Part, error) {
	name := o.Strategy.String()
	if o.Strategy == PCT {
		name += fmt.Sprintf(" %d", o.Depth)
	}
	ctx, cancel, executions, ok := r.slice(ctx, 1/float64(left))
	defer cancel()
	if !ok {
		return Part{Name: name}, nil
	}
	o.Context = ctx
	if o.MaxExecutions = 0; executions > 0 {
		o.MaxExecutions = executions
	}
	got, err := r.try(o)
	r.spent += got.Executions
	return Part{Name: name, Report: got, Promise: got.Bound}, err
}
