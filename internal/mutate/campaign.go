package mutate

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Outcome is a mutant with its verdict.
type Outcome struct {
	Name string `json:"name"`
	Line int    `json:"line"`
	Hash string `json:"hash"` // of the function
	Found
	Killer string `json:"killer,omitempty"` // hash of the program or test that killed it, see Killers
	Reason string `json:"reason,omitempty"` // why it is equivalent
	Quick  bool   `json:"quick,omitempty"`  // not killed, and only the cheapest judges have run

	Operator string `json:"-"`
	File     string `json:"-"`
	Diff     string `json:"-"`
}

// Options say how mutants are judged.
type Options struct {
	Root    string             // folder of the repository
	Folder  string             // folder for what is built; it is made if it does not exist
	Workers int                // number of mutants that are judged at the same time
	Quick   bool               // only the cheapest judges
	Deep    bool               // all judges, with the bounds of samecycle check
	Keep    bool               // keep what was built for mutants that are built alone
	Known   map[string]Outcome // earlier outcomes: the judge that killed a mutant then runs first
	Ended   func(Outcome)      // called for each outcome, one at a time
	Note    func(string)       // called with what is going on

	stages []stage // of tests of this package; nil: all
}

// Run judges the mutants. The judges must first accept the engine without a mutant; otherwise the error is
// ErrBaseline. When the context ends, the outcomes so far have been passed to Ended.
func (p *Package) Run(ctx context.Context, mutants []*Mutant, o Options) error {
	o.Note(fmt.Sprintf("building %d mutants into one program", len(mutants)))
	over, err := p.together(o.Root, filepath.Join(o.Folder, "all"), mutants)
	if err != nil {
		return err
	}
	all := &bench{overlay: over, p: p, places: placesOf(mutants)}
	if err := p.baseline(ctx, all, mutants, o); err != nil {
		return err
	}
	return each(ctx, mutants, o, func(ctx context.Context, m *Mutant) (Outcome, error) {
		return p.judgeOne(ctx, all, m, o)
	})
}

// Confirm runs, for each mutant, only the judge that killed it before according to o.Known, with the search
// that killed it. It is for mutants that scenarios have killed. The programs must first accept the engine
// without a mutant.
func (p *Package) Confirm(ctx context.Context, mutants []*Mutant, o Options) error {
	o.Note("building the mutants of the engine")
	over, err := p.together(o.Root, filepath.Join(o.Folder, "all"), mutants)
	if err != nil {
		return err
	}
	b := &bench{overlay: over, p: p, places: placesOf(mutants)}
	f, err := b.try(ctx, stages[0], subject{reached: os.DevNull})
	if err != nil {
		return err
	}
	if f.Verdict != "" {
		return fmt.Errorf("%w: %s: %s", ErrBaseline, f.Judge, f.Why)
	}
	o.stages = []stage{}
	return each(ctx, mutants, o, func(ctx context.Context, m *Mutant) (Outcome, error) {
		return p.judgeOne(ctx, b, m, o)
	})
}

// each judges the mutants with the requested number of workers.
func each(ctx context.Context, mutants []*Mutant, o Options,
	judge func(context.Context, *Mutant) (Outcome, error)) error {
	queue := make(chan *Mutant)
	var failure error
	var mu sync.Mutex
	var wg sync.WaitGroup
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for range max(1, o.Workers) {
		wg.Go(func() {
			for m := range queue {
				out, err := judge(ctx, m)
				mu.Lock()
				if err != nil {
					failure = errors.Join(failure, err)
					cancel()
				} else {
					o.Ended(out)
				}
				mu.Unlock()
			}
		})
	}
	for _, m := range o.ordered(mutants) {
		select {
		case queue <- m:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(queue)
	wg.Wait()
	return failure
}

// ordered returns the mutants in the order in which they are judged. Mutants that take long come last, so an
// interrupt loses less. These are the mutants that nothing has killed before, for which all judges run;
// before them come the mutants that need a build each.
func (o Options) ordered(mutants []*Mutant) []*Mutant {
	rank := func(m *Mutant) int {
		switch before := o.Known[m.Name].Verdict; {
		case before == Survived || before == NotCovered || before == Equivalent:
			return 2
		case m.Alone():
			return 1
		}
		return 0
	}
	ordered := slices.Clone(mutants)
	slices.SortStableFunc(ordered, func(a, b *Mutant) int { return rank(a) - rank(b) })
	return ordered
}

// rounds returns the stages that judge every mutant.
func (o Options) rounds(e *Engine) []stage {
	switch {
	case o.stages != nil:
		return o.stages
	case o.Quick:
		return e.stages[:quickStages]
	case o.Deep:
		return slices.Concat(e.stages, e.extra)
	}
	return e.stages
}

// baseline runs, without a mutant, all stages that judge one of the mutants.
func (p *Package) baseline(ctx context.Context, b *bench, mutants []*Mutant, o Options) error {
	o.Note("building the judges")
	if err := b.measure(ctx); err != nil {
		return err
	}
	for _, s := range o.rounds(p.engine) {
		if s.full || s.isTests() || !slices.ContainsFunc(mutants, s.judges) {
			continue // samecycle check has run it already; measure has run the tests
		}
		o.Note("judging the engine without a mutant: " + s.String())
		if s.search != nil {
			if err := b.collect(ctx, s); err != nil {
				return err
			}
			continue
		}
		f, err := b.try(ctx, s, subject{reached: os.DevNull})
		if err != nil {
			return err
		}
		if f.Verdict != "" {
			return fmt.Errorf("%w: %s %s: %s", ErrBaseline, f.Judge, f.Test, f.Why)
		}
	}
	return nil
}

// String is the stage in a few words.
func (s stage) String() string {
	switch {
	case s.full:
		return "programs, the bounds of samecycle check"
	case s.search != nil && s.search.Program != "":
		return "program " + s.search.String()
	case s.search != nil && s.search.Walks > 0:
		return fmt.Sprintf("%d drawn programs, %d drawn executions each, kills %d", s.search.Drawn,
			s.search.Walks, s.search.Kills)
	case s.search != nil && s.search.Drawn > 0:
		return fmt.Sprintf("%d drawn programs, preemptions %d, kills %d, executions %d",
			s.search.Drawn, s.search.Preemptions, s.search.Kills, s.search.Executions)
	case s.explored != nil:
		return s.explored.judge + ": " + s.explored.About
	case s.search != nil:
		return fmt.Sprintf("programs, preemptions %d, kills %d, executions %d", s.search.Preemptions,
			s.search.Kills, s.search.Executions)
	case s.slow:
		return "slow tests"
	}
	return "tests"
}

// judgeOne runs the stages until one kills the mutant.
func (p *Package) judgeOne(ctx context.Context, all *bench, m *Mutant, o Options) (Outcome, error) {
	out := Outcome{Name: m.Name, Line: m.Line, Hash: m.Hash, Operator: m.Operator, File: m.File,
		Diff: p.Diff(m)}
	// Each program runs first for its share of the mutants, chosen by the name of the mutant.
	first := fnv.New32a()
	_, _ = first.Write([]byte(m.Name)) // never fails
	x := subject{mutant: m.Number, first: int(first.Sum32() >> 1),
		place: place{m.File, m.probe}, alone: m.Alone()}
	b := all
	if m.Alone() {
		folder := filepath.Join(o.Folder, m.folder())
		if !o.Keep {
			defer os.RemoveAll(folder)
		}
		over, err := p.single(o.Root, folder, m)
		if err != nil {
			return out, err
		}
		b, x.mutant = &bench{overlay: over, p: p, slow: all.slow, names: all.names, took: all.took}, 0
	}
	x.reached = filepath.Join(o.Folder, fmt.Sprintf("reached%d", m.Number))
	defer os.Remove(x.reached)
	covered := m.Alone() // without a switch this cannot be told
	unknown := Found{}
	for _, s := range order(p.engine, m, o) {
		f, err := b.try(ctx, s, x)
		if err != nil {
			return out, err
		}
		if _, err := os.Stat(x.reached); err == nil {
			covered = true
		}
		if f.Verdict.Noticed() {
			out.Found = f
			return out, all.accepts(ctx, s)
		}
		if f.Verdict == Unknown && unknown.Verdict == "" {
			unknown = f
		}
	}
	out.Quick = o.Quick
	switch {
	case unknown.Verdict != "":
		out.Found = unknown
	case covered:
		out.Verdict = Survived
	default:
		out.Verdict = NotCovered
	}
	return out, nil
}

// order returns the stages that judge the mutant. The one that killed it before comes first. Declarations
// need a build each, so the tests come first for them.
func order(e *Engine, m *Mutant, o Options) []stage {
	var list []stage
	if k, ok := o.Known[m.Name]; ok && k.Verdict == Killed && k.Search != nil {
		list = append(list, stage{search: k.Search, limit: stages[0].limit})
	}
	rest := slices.DeleteFunc(slices.Clone(o.rounds(e)), func(s stage) bool { return !s.judges(m) })
	if len(rest) > 1 && rest[0].search != nil && (m.Alone() || testKilled(o.Known[m.Name])) {
		rest[0], rest[1] = rest[1], rest[0]
	}
	return append(list, rest...)
}

// judges reports whether the stage judges the mutant. The tests of its package judge each mutant, the
// programs judge mutants of searched files, and tests of the scenarios judge mutants of the files that they
// name. A mutant that must be built alone may be in any file.
func (s stage) judges(m *Mutant) bool {
	switch {
	case s.isTests():
		return true
	case s.search != nil:
		return m.searched()
	}
	x := s.explored
	named := func(file string) bool { return len(x.Files) == 0 || slices.Contains(x.Files, file) }
	return x.Target == m.target.Dir && (slices.ContainsFunc(m.files(), named) || m.Alone() && m.searched())
}

// testKilled reports whether a test has killed the mutant before.
func testKilled(k Outcome) bool { return k.Verdict.Noticed() && k.Test != "" }
