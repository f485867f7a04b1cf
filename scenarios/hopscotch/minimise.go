package scenarios

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/explore/failure"
	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/hook"
	model "github.com/samecycle/samecycle/model/hopscotch"
)

// ErrPasses is a token whose execution does not fail.
var ErrPasses = errors.New("execution does not fail")

// Bounds of a minimisation, if nothing else is asked for.
const (
	DefaultReductionExecutions = 20_000 // of each search for a smaller program
	DefaultReductionReplays    = 2_000  // of schedules with fewer switches
)

// Reduction says how a failure is made smaller; Minimal is what comes of it.
type (
	Reduction = harness.Reduction
	Minimal   = harness.Minimal
)

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

// Minimise takes operations, then actors, then switches away from the failing execution of a token,
// as long as the verdict stays: the same kind of failure, of the same name (see Broken). Each smaller
// program is searched with ascending preemption bounds up to that of the failure, each search within
// the limit of executions, so a smaller one may be missed; the notes say so. Errors: explore.ErrToken,
// ErrPasses.
func Minimise(token string, d Reduction) (Minimal, error) {
	d = withDefaults(d)
	name, err := explore.TokenProgram(token)
	if err != nil {
		return Minimal{}, err
	}
	p, err := programNamed(name)
	if err != nil {
		return Minimal{}, err
	}
	_, d.Options.Apart, _ = harness.OfToken(token)
	name = p.Name
	if d.Options.Solo, d.Options.LockFree, err = explore.TokenClaims(token); err != nil {
		return Minimal{}, err
	}
	first, err := replayProgram(p, token, d.Options)
	if err != nil {
		return Minimal{}, err
	}
	if first.Failure == nil || first.Failure.Kind == explore.Diverged {
		return Minimal{}, fmt.Errorf("%w: nothing to make smaller in %s", ErrPasses, name)
	}
	m := &minimiser{Reduction: d, best: first, verdict: verdictOf(first.Failure)}
	return m.run(name)
}

// minimiser is one minimisation.
type minimiser struct {
	Reduction
	best     Report
	verdict  string
	whole    model.Program
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
	m.whole, _ = ProgramNamed(whole)
	var sizes []int
	for _, ops := range m.whole.Ops {
		sizes = append(sizes, len(ops))
	}
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
	p, ok := without(m.whole, d)
	if !ok {
		return false, nil
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
	rep, err := Ascend(p, o)
	if err != nil {
		return false, err
	}
	m.limited = m.limited || rep.Failure == nil && !rep.Exhaustive
	switch {
	case rep.Failure == nil:
		m.Say("%s: no failure: %s", p.Name, rep.Bound)
		return false, nil
	case verdictOf(rep.Failure) != m.verdict:
		m.other = fmt.Sprintf("%s, token %s", verdictOf(rep.Failure), rep.Failure.Token)
		m.Say("%s: fails in another way: %s", p.Name, verdictOf(rep.Failure))
		return false, nil
	}
	m.best = rep
	m.Say("%s: fails so, too, with %d preemptions\nsamecycle replay '%s'", p.Name,
		rep.Failure.Preemptions, rep.Failure.Token)
	return true, nil
}

// fewer takes switches away from the best schedule.
func (m *minimiser) fewer() (int, error) {
	p, err := programNamed(m.best.Program)
	if err != nil {
		return 0, err
	}
	o := m.Options
	o.Preemptions, o.Kills = explore.Unbounded, len(p.Ops)
	_, r, err := prepare(p, o)
	if err != nil {
		return 0, err
	}
	same := func(f *explore.Failure) bool { return verdictOf(f) == m.verdict }
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

// without is the program less some operations, under a name that tells them.
func without(p model.Program, d failure.Dropped) (model.Program, bool) {
	ops, ok := failure.Keep(p.Ops, d)
	p.Ops, p.Name = ops, p.Name+d.Suffix()
	return p, ok
}

// ProgramNamed finds a program by its name, which may be its text.
func ProgramNamed(name string) (model.Program, bool) {
	if p, ok := parseText(name); ok {
		return p, true
	}
	if p, ok := drawnNamed(name); ok {
		return p, true
	}
	return model.ProgramByName(name)
}

// programNamed finds a program, or one of those that Minimise makes of it.
func programNamed(name string) (model.Program, error) {
	whole, dropped := failure.Split(strings.TrimSuffix(name, harness.ApartMark))
	p, ok := ProgramNamed(whole)
	if !ok {
		return p, fmt.Errorf("%w: no scenario has a program %q; it is of another version",
			explore.ErrToken, name)
	}
	if p, ok = without(p, dropped); !ok {
		return p, fmt.Errorf("%w: program %q lacks operations that %s does not have", explore.ErrToken,
			name, whole)
	}
	return p, nil
}

// verdictOf is what a smaller failure must share with the first: its kind, and the first name of what
// it violates.
func verdictOf(f *explore.Failure) string {
	text := string(f.Kind)
	if broken := harness.Broken(f); len(broken) > 0 {
		text += ": " + broken[0]
	}
	return strings.TrimSpace(text)
}
