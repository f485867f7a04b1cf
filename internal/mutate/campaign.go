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
	Killer string `json:"killer,omitempty"` // hash of what killed it, see Killers
	Reason string `json:"reason,omitempty"` // of an equivalent one
	Quick  bool   `json:"quick,omitempty"`  // not killed, and only the cheapest judges were asked

	Operator string `json:"-"`
	File     string `json:"-"`
	Diff     string `json:"-"`
}

// Options say how mutants are judged.
type Options struct {
	Root    string             // folder of the repository
	Folder  string             // for what is built; made if it is not there
	Workers int                // judging at the same time
	Quick   bool               // only the cheapest judges
	Deep    bool               // all judges, as far as samecycle check goes
	Keep    bool               // what is built of mutants that are built by themselves stays
	Known   map[string]Outcome // earlier outcomes: who killed a mutant then is asked first
	Ended   func(Outcome)      // called for each, one at a time
	Note    func(string)       // what is going on

	stages []stage // of tests of this package; nil: all
}

// Run judges the mutants. The judges must accept the engine without a mutant first, else the error
// is ErrBaseline. When the context ends, the outcomes so far have been handed to Ended.
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

// Confirm asks only who killed a mutant before, by o.Known, each in the search of then. It is for
// mutants that scenarios have killed. The programs must accept the engine without a mutant first.
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

// each judges the mutants with as many workers as asked for.
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

// ordered are the mutants in the order in which they are judged: an interrupt loses less where those come
// last that take long. Those are the ones that nobody has killed before, of which all judges are asked, and
// ahead of them those that need a build each.
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

// rounds are the stages that every mutant is for.
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

// baseline runs without a mutant all stages that judge one of those.
func (p *Package) baseline(ctx context.Context, b *bench, mutants []*Mutant, o Options) error {
	o.Note("building the judges")
	if err := b.measure(ctx); err != nil {
		return err
	}
	for _, s := range o.rounds(p.engine) {
		if s.full || s.isTests() || !slices.ContainsFunc(mutants, s.judges) {
			continue // samecycle check itself has run it; measure has run the tests
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

// judgeOne runs the stages until one kills.
func (p *Package) judgeOne(ctx context.Context, all *bench, m *Mutant, o Options) (Outcome, error) {
	out := Outcome{Name: m.Name, Line: m.Line, Hash: m.Hash, Operator: m.Operator, File: m.File,
		Diff: p.Diff(m)}
	// Every program gets its share of the mutants: which one is asked first depends on the name.
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
	covered := m.Alone() // without a switch nobody can tell
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

// order is what judges the mutant: who killed it before comes first, and declarations, which need a
// build each, are for the tests first.
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

// judges reports whether the stage is for the mutant: its package's tests judge each, the programs what is
// searched, and tests of the scenarios the files that they name. What must be built alone may be in any file.
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
