package harness

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
	"github.com/samecycle/samecycle/internal/hook"
)

// ErrPasses says that the execution of a token does not fail.
var ErrPasses = errors.New("execution does not fail")

// Bounds of a minimisation, if nothing else is asked for.
const (
	DefaultReductionExecutions = 20_000 // of each search for a smaller program
	DefaultReductionReplays    = 2_000  // of schedules with fewer switches
)

// Reduction says how a failure is made smaller. The zero value suits most failures.
type Reduction struct {
	Context    context.Context // ends it early; nil: never
	Executions uint64          // limit of each search
	Replays    int             // limit of schedules that are tried at the end
	Say        func(format string, args ...any)

	Options Options // of the judges; for canaries
}

// Minimal is a failure of a program from which everything was removed that the failure does not need.
type Minimal struct {
	Report
	Notes []string // what was done, and what it is worth
}

func withDefaults(d Reduction) Reduction {
	if d.Context == nil {
		d.Context = context.Background()
	}
	if d.Executions == 0 {
		d.Executions = DefaultReductionExecutions
	}
	if d.Replays == 0 {
		d.Replays = DefaultReductionReplays
	}
	if d.Say == nil {
		d.Say = func(string, ...any) {}
	}
	return d
}

// Minimise removes operations, then actors, then switches from the failing execution of a token, as long as
// the verdict stays: the same kind of failure, with the same name (see Broken). Each smaller program is
// searched with ascending preemption bounds up to that of the failure, each search within the limit of
// executions. So a smaller failure may be missed; the notes say so. Errors: explore.ErrToken, ErrPasses.
func (e *Engine) Minimise(token string, d Reduction) (Minimal, error) {
	d = withDefaults(d)
	name, apart, err := OfToken(token)
	if err != nil {
		return Minimal{}, err
	}
	p, err := e.named(name)
	if err != nil {
		return Minimal{}, err
	}
	d.Options.Apart = apart
	if d.Options.Solo, d.Options.LockFree, err = explore.TokenClaims(token); err != nil {
		return Minimal{}, err
	}
	first, err := p.replayed(token, d.Options)
	if err != nil {
		return Minimal{}, err
	}
	if first.Failure == nil || first.Failure.Kind == explore.Diverged {
		return Minimal{}, fmt.Errorf("%w: nothing to make smaller in %s", ErrPasses, name)
	}
	m := &minimiser{Reduction: d, engine: e, best: first, verdict: Verdict(first.Failure)}
	return m.run(name)
}

// minimiser is one minimisation.
type minimiser struct {
	Reduction
	engine   *Engine
	best     Report
	verdict  string
	whole    string // name of the program with all operations
	searches int
	limited  bool // some search ended before it had covered its bounds
	other    string
	notes    []string
}

func (m *minimiser) note(format string, args ...any) {
	m.notes = append(m.notes, fmt.Sprintf(format, args...))
	m.Say("%s", m.notes[len(m.notes)-1])
}

func (m *minimiser) run(name string) (Minimal, error) {
	whole, dropped := failure.Split(name)
	p, err := m.engine.named(whole)
	if err != nil {
		return Minimal{}, err
	}
	m.whole = whole
	sizes := p.Sizes
	before := m.best.Failure
	m.Say("%s: making the failure smaller, verdict %q, %d switches; an interrupt keeps the best so far",
		name, m.verdict, before.Switches())
	replays, err := m.fewer() // first, so that the searches have a low bound
	if err != nil {
		return Minimal{}, err
	}
	m.Say("%s: %d switches left after %d replays\nsamecycle replay '%s'", name, m.best.Failure.Switches(),
		replays, m.best.Failure.Token)
	left, err := failure.Reduce(m.Context, sizes, dropped, m.fails)
	if err != nil {
		return Minimal{}, err
	}
	m.note("operations: %d of %d taken away in %d searches", len(left)-len(dropped),
		total(sizes)-len(dropped), m.searches)
	if len(left) == len(dropped) { // the program is the same: its switches were not searched yet
		if _, err := m.fails(left); err != nil {
			return Minimal{}, err
		}
	}
	more, err := m.fewer()
	if err != nil {
		return Minimal{}, err
	}
	f := m.best.Failure
	m.note("switches: %d of %d left, preemptions: %d of %d, after %d replays", f.Switches(),
		before.Switches(), f.Preemptions, before.Preemptions, replays+more)
	if m.limited {
		m.note("some searches ended at %d executions: a smaller failure may exist", m.Executions)
	}
	if m.other != "" {
		m.note("a smaller program fails in another way: %s", m.other)
	}
	if m.Context.Err() != nil {
		m.note("interrupted: a smaller failure may exist")
	}
	return Minimal{Report: m.best, Notes: m.notes}, nil
}

// fails searches the program without the operations for the same verdict, and keeps what it finds.
func (m *minimiser) fails(d failure.Dropped) (bool, error) {
	p, err := m.engine.named(m.whole + d.Suffix())
	if err != nil {
		return false, nil // nothing is left
	}
	o, f := m.Options, m.best.Failure
	o.Preemptions, o.Executions, o.Context = f.Preemptions, m.Executions, m.Context
	o.Kills = kills(f)
	if p.Name == m.best.Program {
		if o.Preemptions--; o.Preemptions < 0 {
			return false, nil // it has as few as any
		}
	}
	m.searches++
	rep, err := p.Ascend(o)
	if err != nil {
		return false, err
	}
	m.limited = m.limited || rep.Failure == nil && !rep.Exhaustive
	switch {
	case rep.Failure == nil:
		m.Say("%s: no failure: %s", p.Name, rep.Bound)
		return false, nil
	case Verdict(rep.Failure) != m.verdict:
		m.other = fmt.Sprintf("%s, token %s", Verdict(rep.Failure), rep.Failure.Token)
		m.Say("%s: fails in another way: %s", p.Name, Verdict(rep.Failure))
		return false, nil
	}
	m.best = rep
	m.Say("%s: fails so, too, with %d preemptions\nsamecycle replay '%s'", p.Name,
		rep.Failure.Preemptions, rep.Failure.Token)
	return true, nil
}

// fewer takes switches away from the best schedule.
func (m *minimiser) fewer() (int, error) {
	p, err := m.engine.named(m.best.Program)
	if err != nil {
		return 0, err
	}
	o := m.Options
	o.Preemptions, o.Kills = explore.Unbounded, p.deaths()
	r, err := p.Open(o)
	if err != nil {
		return 0, err
	}
	same := func(f *explore.Failure) bool { return Verdict(f) == m.verdict }
	f, n, err := explore.FewerSwitches(m.Context, r.Program, m.best.Failure, r.Options, same, m.Replays)
	m.best.Failure = f
	m.limited = m.limited || n == m.Replays
	return n, err
}

func total(sizes []int) int {
	n := 0
	for _, s := range sizes {
		n += s
	}
	return n
}

// kills counts the deaths of an execution.
func kills(f *explore.Failure) int {
	n := 0
	for _, s := range f.Steps {
		if s.Kind == hook.Kill {
			n++
		}
	}
	return n
}

// Verdict is what a smaller failure must share with the first: its kind, and the first name of what
// it violates.
func Verdict(f *explore.Failure) string {
	text := string(f.Kind)
	if broken := Broken(f); len(broken) > 0 {
		text += ": " + broken[0]
	}
	return strings.TrimSpace(text)
}
