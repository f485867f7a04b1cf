package driver

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/samecycle/samecycle/explore"
)

// goalExecutions bounds the sequential runs of one order, with one bound on preemptions, that are made to
// explain one result that clients saw. goalPreemptions is how many preemptions more than the search these
// runs may have. They are preemptions of goroutines of the type. A sequential order may lack preemptions
// that concurrent calls cause.
const (
	goalExecutions  = 20_000
	goalPreemptions = 2
)

// mostDoubts bounds the doubts of one program that are examined again. Further doubts are not judged.
const mostDoubts = 100

// A doubted is what clients saw, with the error if nothing explains it, and the token of an execution.
type doubted struct {
	key   string
	goal  *goal
	err   error
	token string
}

// settle decides the doubts of a report of the program. The first doubt that nothing explains becomes its
// failure. token is the token of a replay.
func (s *subject) settle(p explore.Program, j *objectJudge, report explore.Report, token string) (
	explore.Report, error) {
	doubts := j.doubts
	j.doubts = nil
	if report.Failure != nil {
		ofIdle(report.Failure)
		return report, nil
	}
	for _, d := range doubts {
		found, all, err := s.reach(j, d.goal)
		switch {
		case errors.Is(err, errEnded):
			return report, err
		case err == nil && found != nil:
			j.sequences = append(j.sequences, *found)
			continue
		case err == nil && all && !d.goal.waits():
			d.err = settled(d.err)
		}
		j.known[d.key] = d.err
		again, err := explore.Replay(p, cmp.Or(d.token, token), explore.Options{Strays: true})
		if err != nil {
			return report, err
		}
		report.Failure, report.Exhaustive = again.Failure, false
		ofIdle(again.Failure)
		report.Bound = fmt.Sprintf("up to an execution that %d sequential runs do not explain",
			len(j.sequences))
		return report, nil
	}
	return report, nil
}

// ofIdle makes a failure of what clients saw one of the verdict, if all of their calls have returned:
// goroutines of the type that wait for the next call are no failure.
func ofIdle(f *explore.Failure) {
	if f == nil || f.Kind != explore.Deadlock && f.Kind != explore.Livelock {
		return
	}
	if e, is := errors.AsType[*unexplainedError](f.Err); is && e.returned {
		f.Kind, f.Message = explore.Verdict, e.Error()
	}
}

// A goal is what clients saw, for which a sequential run is sought. A run is abandoned when it differs from
// the goal. A nil goal accepts all runs.
type goal struct {
	byActor [][]performed[*Invocation, string]
	calls   []performed[*Invocation, string]
	after   []string // results of the probe
	sizes   []int
}

func newGoal(p objectProgram, calls []performed[*Invocation, string], after []string) *goal {
	g := &goal{calls: slices.Clone(calls), after: slices.Clone(after), sizes: sizesOf(p.actors)}
	g.byActor = make([][]performed[*Invocation, string], len(p.actors))
	for _, c := range g.calls {
		g.byActor[c.actor] = append(g.byActor[c.actor], c)
	}
	return g
}

// waits reports whether a call waits for ever. Whether that is right is decided by other runs than those
// that agree with what was seen. So it says nothing if none of these does.
func (g *goal) waits() bool {
	for a, calls := range g.byActor {
		if len(calls) < g.sizes[a] || slices.ContainsFunc(calls, func(c performed[*Invocation, string]) bool {
			return c.returned == 0
		}) {
			return true
		}
	}
	return false
}

// executions bounds the executions of a search.
func (g *goal) executions() uint64 {
	if g == nil {
		return sequentialExecutions
	}
	return goalExecutions
}

// refuses reports whether, by the goal, the actor does not make its next call at this point of a run.
func (g *goal) refuses(r sequentialRun, actor int) bool {
	if g == nil {
		return false
	}
	made := make([]int, len(g.sizes))
	for _, a := range r.calls() {
		made[a]++
	}
	return g.early(made, actor)
}

// early reports whether the next call of the actor was not made, or was made only after the return of a call
// that is still to be made. made counts the calls of each actor.
func (g *goal) early(made []int, actor int) bool {
	if made[actor] >= len(g.byActor[actor]) {
		return true
	}
	called := g.byActor[actor][made[actor]].called
	for a, calls := range g.byActor {
		if a != actor && made[a] < len(calls) && calls[made[a]].returned > 0 &&
			calls[made[a]].returned < called {
			return true
		}
	}
	return false
}

// differs reports whether the n-th call of the actor had another result.
func (g *goal) differs(actor, n int, result string) bool {
	if g == nil {
		return false
	}
	c := g.byActor[actor][n]
	return c.returned == 0 || c.answer != result
}

// differsAfter reports whether the probe saw something else at its beginning.
func (g *goal) differsAfter(results []string) bool {
	return g != nil && (len(results) > len(g.after) || !slices.Equal(results, g.after[:len(results)]))
}

// allows reports whether an order of the calls agrees with real time.
func (g *goal) allows(order []int) bool {
	made := make([]int, len(g.sizes))
	for _, a := range order {
		if made[a] < len(g.byActor[a]) && g.early(made, a) {
			return false
		}
		made[a]++
	}
	return true
}

// errReached ends a search that has found what it sought.
var errReached = errors.New("a run explains it")

// reach looks for a sequential run of the program that explains what clients saw, among the runs that were
// not made because there are too many. It tries runs with only a few preemptions by goroutines of the type.
// found is nil if there is none. all says that each of these runs was made, and that no run has more
// preemptions.
func (s *subject) reach(j *objectJudge, g *goal) (found *sequentialRun, all bool, err error) {
	explains := func(r sequentialRun) bool {
		runs := append(slices.Clone(j.sequences), r)
		return refusal(runs, g.sizes, g.calls, g.after) == ""
	}
	hearing, all = true, true
	defer func() { hearing = false }()
	err = orders(g.sizes, func(order []int) error {
		if !g.allows(order) {
			return nil
		}
		r, whole, err := s.reachIn(j, g, order, explains)
		if all = all && whole; r != nil {
			found = r
			return errReached
		}
		return err
	})
	if err != nil || !j.overtakes {
		if errors.Is(err, errReached) {
			err = nil
		}
		return found, all, err
	}
	partial := s.partial
	s.partial = false
	runs, err := s.overtaking(j.p, j.probe, g)
	all, s.partial = all && !s.partial, partial
	for _, r := range runs {
		if explains(r) {
			return &r, all, err
		}
	}
	return nil, all, err
}

// reachIn is reach in one order.
func (s *subject) reachIn(j *objectJudge, g *goal, order []int, explains func(sequentialRun) bool) (
	found *sequentialRun, all bool, err error) {
	w := &reaching{s: s, j: j, g: g, order: order, explains: explains}
	program := explore.Program{Name: "reaching", Start: w.start, Finish: w.end, Stuck: w.end}
	bounds := explore.Options{MaxExecutions: goalExecutions, MaxSteps: sequentialSteps,
		SpinLimit: longestCall, Audit: -1, Strays: true, Context: s.ctx, Watchdog: s.watchdog}
	r, err := explore.Ascending(program, bounds, s.beyond())
	if w.found == nil && err == nil && !r.Everything() { // independent steps of its goroutines in one order
		w.reduces, bounds.Preemptions, bounds.Reduce = true, explore.Unbounded, true
		r, err = explore.Explore(program, bounds)
	}
	if w.found != nil {
		return w.found, true, nil
	}
	return nil, r.Everything(), errors.Join(s.ended(), notRun(r, err))
}
