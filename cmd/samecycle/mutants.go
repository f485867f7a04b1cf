package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/mutate"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type mutantFlags struct {
	engine, filter, only, out              string
	patch                                  []string
	list, resume, deep, quick, keep, again bool
	limit, workers                         int
	seed                                   uint64
}

func mutantsCommand(a *app) *cobra.Command {
	var f mutantFlags
	cmd := &cobra.Command{
		Use:   "mutants",
		Short: "Seed faults into an engine's code and see which judge finds each",
		Long: `mutants makes small changes to the source of one engine, one at a time, and runs the
judges until one refuses the change. The judges of the engine's own code are the
programs of the scenarios, under ascending bounds, and its tests. For files that only
report, for other packages, and for the cache, which is no engine, they are the tests of
the package. All mutants of a package's functions are compiled into one program, which
chooses one when it starts; no source is changed. The packages, by engine:

` + targetFolders() + `

A mutant that no judge refuses shows a gap in the judges, or is equivalent to the
original; then it is listed with the reason in
internal/catalog/ENGINE/mutants/equivalent.txt. A mutant hangs when the tests take many
times as long as without it. The exit status is 1 unless every mutant is killed, hangs or
is equivalent.

The outcomes are written to --out as JSON, and as a page for readers beside it. They are
kept when the run is interrupted. Two runs at the same time need two files. --resume
keeps the outcomes that still hold and judges the other mutants. An outcome holds if the
function is the same, and the mutant was killed or is listed as equivalent.

--limit draws a sample by --seed. The page then says of how many mutants it is, and which
share of all of them is found by it, with an interval. A larger sample of the same seed
has the smaller one in it, so --resume goes on with it. The same command draws its sample
again when the code has changed.

--again judges the mutants that --out has. It names those that no longer exist, and draws
new ones, so that one in ten mutants of each function is there, and at least one;
--filter adds those whose names match. Without --again, a run that judges only some of
the mutants refuses an --out that has others, because their outcomes would be lost. Only
` + defaultLedger + ` is overwritten by each run.

--patch judges a change of your own: a file that git diff has written, which may change
any number of lines and files of one package, but no tests. It may be given several
times; each patch is one mutant, built by itself and not kept in a ledger. Your files
do not change.`,
		Example: `  samecycle mutants                         every mutant of ` + defaultEngine + `
  samecycle mutants --engine shardmap       every mutant of another engine
  samecycle mutants --limit 200 --seed 7    a sample
  samecycle mutants --engine cache --limit 200 --seed 35 --out results/cache/mutants.json --resume
  samecycle mutants --filter '^help.go'     those whose names match
  samecycle mutants --filter '^impl/region/' --limit 200
  samecycle mutants --filter drop --list    their names, without judging
  samecycle mutants --only 'help.go:operation.undo#2 drop-statement' --keep
  samecycle mutants --out results/hopscotch/mutants.json --again --resume    what has changed since
  git diff impl/hopscotch >mine.diff && git stash && samecycle mutants --patch mine.diff`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.patchesOnly(cmd.Flags()); err != nil {
				return err
			}
			return a.mutants(cmd.Context(), f)
		},
	}
	f.bind(cmd.Flags())
	return cmd
}

// bind makes the flags of the command those of f.
func (f *mutantFlags) bind(flags *pflag.FlagSet) {
	flags.StringVar(&f.engine, "engine", defaultEngine, "the engine: "+strings.Join(mutableEngines(), ", "))
	flags.StringVar(&f.filter, "filter", "", "regular expression on the names of mutants")
	flags.StringVar(&f.only, "only", "", "judge the mutant of this name, and show the change")
	flags.StringArrayVar(&f.patch, "patch", nil, "a change of your own to judge: a file that git diff wrote")
	flags.StringVar(&f.out, "out", defaultLedger, "file for the outcomes")
	flags.BoolVar(&f.list, "list", false, "print the names and judge nothing")
	flags.BoolVar(&f.resume, "resume", false, "keep the outcomes in --out that still hold, judge the others")
	flags.BoolVar(&f.again, "again", false,
		"judge the mutants that --out has, and some of functions that it lacks")
	flags.BoolVar(&f.quick, "quick", false, "use the cheapest judges only; the others later with --resume")
	flags.BoolVar(&f.deep, "deep", false, "use all judges, also slow tests and the bounds of check (long)")
	flags.BoolVar(&f.keep, "keep", false, "keep the programs with the mutants, and print how to run them")
	flags.IntVar(&f.limit, "limit", 0, "judge a sample of this size; 0: all")
	flags.IntVar(&f.workers, "workers", min(runtime.NumCPU(), mostAtOnce), "mutants judged at the same time")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the sample")
}

// wanted turns the flags into a choice of names.
func (f mutantFlags) wanted() (func(string) bool, error) {
	if f.limit < 0 {
		return nil, fmt.Errorf("--limit %d: use 0 for all, or more", f.limit)
	}
	if err := atOnce("workers", f.workers); err != nil {
		return nil, err
	}
	if f.again && (f.only != "" || f.limit > 0) {
		return nil, errors.New("--again takes its mutants from --out; only --filter may add some")
	}
	if f.only != "" && f.filter != "" {
		return nil, errors.New("--only names the mutant; leave out --filter")
	}
	if filepath.Ext(f.out) == ".md" {
		return nil, fmt.Errorf("--out %s: that is the name of the page beside it; use one that ends in .json",
			f.out)
	}
	if f.quick && f.deep {
		return nil, errors.New("--quick leaves out what --deep adds to; use one of them")
	}
	re, err := regexp.Compile(f.filter)
	if err != nil {
		return nil, fmt.Errorf("--filter: %s", plainLine(err.Error()))
	}
	return func(name string) bool {
		return (f.only == "" || name == f.only) && re.MatchString(name)
	}, nil
}

func (a *app) mutants(ctx context.Context, f mutantFlags) error {
	wanted, err := f.wanted()
	if err != nil {
		return err
	}
	c := &mutantRun{app: a, flags: f}
	if c.registered, c.engine, err = f.resolve(); err != nil {
		return err
	}
	root, err := a.repository()
	if err != nil {
		return err
	}
	p := newProgress(a.err)
	defer p.close()
	c.root, c.progress = root, p
	if len(f.patch) > 0 {
		return c.patches(ctx)
	}
	if !f.list {
		release, err := c.hold()
		if err != nil {
			return failed(err)
		}
		defer release()
	}
	if err := c.remember(); err != nil {
		return failed(err)
	}
	p.line("mutants of %s, seed %d", c.engine.Folders(), f.seed)
	p.update("enumerating", 0)
	all, err := c.engine.LoadAll(ctx, root)
	if err != nil {
		return failed(err)
	}
	c.all = all
	if wanted, err = c.choice(wanted); err != nil {
		return err
	}
	// Most of the time goes into compiling what is wanted: after an interrupt nothing is.
	c.find(func(name string) bool { return ctx.Err() == nil && wanted(name) })
	if ctx.Err() != nil {
		return failed(fmt.Errorf("stopped before any mutant was judged: %w", context.Cause(ctx)))
	}
	found := c.found
	if len(found.Mutants) == 0 {
		return fmt.Errorf("no mutant has such a name%s; --list prints the names", f.named())
	}
	sample := mutate.Sample(found.Mutants, f.limit, f.seed)
	c.tellGone()
	if f.list {
		return a.listMutants(sample)
	}
	if err := c.loses(sample); err != nil {
		return err
	}
	return c.run(ctx, sample)
}

func (f mutantFlags) named() string {
	switch {
	case f.only != "":
		return " as " + f.only
	case f.filter != "":
		return " as --filter '" + f.filter + "' asks for"
	}
	return ""
}

func (a *app) listMutants(list []*mutate.Mutant) error {
	if a.json {
		return a.printJSON(list)
	}
	for _, m := range list {
		fmt.Fprintf(a.out, "%s %s (line %d)\n", m.Hash, m.Name, m.Line)
	}
	return nil
}

// mutantRun is one judging of mutants.
type mutantRun struct {
	app        *app
	flags      mutantFlags
	registered *harness.Engine
	engine     *mutate.Engine
	root       string
	all        mutate.Packages
	found      mutate.Enumerated
	population int // how many mutants there are of which these may be a sample
	progress   *progress

	old     mutate.Ledger
	known   map[string]mutate.Outcome // of old
	gone    []string                  // known names that no mutant has any more
	drawn   []string                  // names that come to those known
	ledger  mutate.Ledger
	list    []mutate.Entry // of equivalent mutants
	killers mutate.Killers
	ended   map[string]mutate.Outcome
	counts  mutate.Counts
	saved   time.Time
	failure error // of saving
}

func (c *mutantRun) run(ctx context.Context, sample []*mutate.Mutant) error {
	f := c.flags
	var err error
	if c.list, err = c.engine.Equivalents(c.root); err != nil {
		return failed(err)
	}
	if c.killers, err = c.engine.Killers(c.root, c.registered.ProgramText); err != nil {
		return failed(err)
	}
	inputs, err := evidence.Judge(c.root, ledgerInputs(c.registered, c.engine)...)
	if err != nil {
		return failed(err)
	}
	commit, err := judgedCommit(ctx, c.root, c.engine, inputs.Files)
	if err != nil {
		return failed(err)
	}
	c.ended, c.counts = map[string]mutate.Outcome{}, mutate.Counts{}
	c.ledger = mutate.Ledger{Command: f.command(), Seed: f.seed, Inputs: inputs.SHA256,
		Commit: commit, Packages: c.all.Paths(),
		Scope:  c.scope(len(sample)),
		Filter: f.pattern(), Invalid: c.found.Invalid, Repeated: c.found.Repeated,
		Tools: map[string]string{"go": runtime.Version()}}
	if f.again {
		c.ledger.Command, c.ledger.Scope, c.ledger.Seed = c.old.Command, c.old.Scope, c.old.Seed
		c.ledger.Invalid, c.ledger.Repeated = c.old.Invalid, c.old.Repeated
		c.ledger.Filter = c.old.Filter
	}
	if err := judgeBriefly(); err != nil {
		return failed(err)
	}
	var rest []*mutate.Mutant
	for _, m := range sample {
		if o, ok := mutate.Resume(c.known[m.Name], m, c.killers, c.list); ok && f.resume &&
			(o.Verdict.Noticed() || !f.deep) { // --deep asks more of what survives
			c.take(o)
			continue
		}
		rest = append(rest, m)
	}
	if f.limit > 0 {
		rest = ranked(rest, f.seed)
	}
	folder, err := c.folder()
	if err != nil {
		return failed(err)
	}
	if !f.keep {
		defer os.RemoveAll(folder)
	}
	err = c.all.Run(ctx, rest, mutate.Options{Root: c.root, Folder: folder, Workers: f.workers,
		Deep: f.deep, Quick: f.quick, Known: c.known,
		Ended: func(o mutate.Outcome) { c.end(o, sample) },
		Note:  func(s string) { c.progress.update(s, 0) }})
	c.save(sample)
	c.progress.close()
	if err = errors.Join(err, c.failure); err != nil && !errors.Is(err, context.Canceled) {
		return failed(err)
	}
	return c.report(sample, folder, ctx.Err() != nil)
}

// command is the line that judges the same mutants again.
func (f mutantFlags) command() string {
	s := "samecycle mutants"
	if f.engine != defaultEngine {
		s += " --engine " + f.engine
	}
	if f.filter != "" {
		s += " --filter '" + f.filter + "'"
	}
	if f.only != "" {
		s += " --only '" + f.only + "'"
	}
	if f.quick {
		s += " --quick"
	}
	if f.deep {
		s += " --deep"
	}
	if f.limit > 0 {
		s += fmt.Sprintf(" --limit %d --seed %d", f.limit, f.seed)
	}
	return s
}

// scope says in words which mutants are judged: so many of about as many as there are.
func (c *mutantRun) scope(sample int) string {
	f := c.flags
	s := "all files"
	if f.filter != "" || f.only != "" {
		s += ", part of the mutants"
	}
	if f.limit > 0 {
		s += fmt.Sprintf(", a sample of %d of about %d", sample, c.population)
	}
	return s
}

func (c *mutantRun) folder() (string, error) {
	if c.flags.keep {
		return c.kept(), os.RemoveAll(c.kept())
	}
	return os.MkdirTemp("", "samecycle-mutants-")
}

// take counts an outcome.
func (c *mutantRun) take(o mutate.Outcome) mutate.Outcome {
	o = mutate.Excuse(o, c.list)
	c.ended[o.Name] = o
	c.counts[o.Verdict]++
	return o
}

// saveEvery is how often an unfinished run is written down.
const saveEvery = 10 * time.Second

func (c *mutantRun) end(o mutate.Outcome, sample []*mutate.Mutant) {
	of := len(sample)
	o.Killer = c.killers.Hash(o)
	o = c.take(o)
	if !o.Verdict.Noticed() && o.Verdict != mutate.Equivalent {
		c.progress.line("%s: %s %s\n%s", strings.ToUpper(string(o.Verdict)), o.Name, o.Why, o.Diff)
	}
	c.progress.update(fmt.Sprintf("%d of %d: %v", len(c.ended), of, c.counts),
		float64(len(c.ended))/float64(of))
	if time.Since(c.saved) > saveEvery {
		c.save(sample)
	}
}

// interrupted is what the scope of an unfinished run ends with.
const interrupted = ", interrupted: "

// save writes what has ended, in the order of the sample.
func (c *mutantRun) save(sample []*mutate.Mutant) {
	c.saved = time.Now()
	l := c.ledger
	for _, m := range sample {
		o, ok := c.ended[m.Name]
		if !ok && (c.flags.again || c.flags.resume) {
			o, ok = c.known[m.Name] // as it was, until it is judged again
			o = mutate.Pending(o, m, c.killers, c.list)
		}
		if ok {
			l.Outcomes = append(l.Outcomes, o)
		}
	}
	if l.Scope, _, _ = strings.Cut(l.Scope, interrupted); len(c.ended) < len(sample) {
		l.Scope += fmt.Sprintf(interrupted+"%d of %d judged", len(c.ended), len(sample))
	}
	c.ledger.Outcomes = nil
	c.failure = errors.Join(c.failure, c.put(l))
}

func (c *mutantRun) report(sample []*mutate.Mutant, folder string, interrupted bool) error {
	var outcomes []mutate.Outcome
	hashes := map[string]string{}
	for _, m := range sample {
		if o, ok := c.ended[m.Name]; ok {
			outcomes = append(outcomes, o)
		}
		hashes[m.Name] = m.Hash
	}
	list := c.list
	if c.flags.again { // of the whole list it can be said whether functions are the same
		for _, m := range c.all.Names(func(string) bool { return true }) {
			hashes[m.Name] = m.Hash
		}
	} else if f := c.flags; f.pattern() != "" || f.limit > 0 {
		// Only of mutants that are in the sample can anything be said.
		list = slices.DeleteFunc(slices.Clone(list), func(e mutate.Entry) bool {
			_, there := hashes[e.Name]
			return !there
		})
	}
	stale := mutate.Stale(list, hashes, outcomes)
	red := !c.counts.Good() || len(stale) > 0 || interrupted
	return c.app.deliver(report{Red: red, Data: map[string]any{"outcomes": listed(outcomes),
		"stale": listed(stale), "gone": listed(c.gone), "drawn": listed(c.drawn)},
		Text: func(w io.Writer) error {
			for _, s := range stale {
				fmt.Fprintf(w, "STALE in %s: %s\n", c.engine.EquivalentFile(), s)
			}
			if c.flags.only != "" || c.flags.keep {
				c.explain(w, outcomes, sample, folder)
			}
			_, err := fmt.Fprintf(w, "mutants: %v; outcomes in %s\n", c.counts, c.flags.out)
			return err
		}}, nil)
}

// judged says what came of a mutant, and by whom.
func (f *mutantFlags) judged(o mutate.Outcome) string {
	switch {
	case o.Judge != "":
		return fmt.Sprintf("%s by %s", o.Verdict, o.KilledBy())
	case o.Verdict != mutate.Survived:
		return string(o.Verdict)
	case f.quick:
		return "survived the cheapest judges; the others: leave --quick out"
	case !f.deep:
		return "survived all judges but the slow ones; those, too: --deep"
	}
	return "survived all judges"
}

// explain shows the change, the judgement, and how to see it again.
func (c *mutantRun) explain(w io.Writer, outcomes []mutate.Outcome, sample []*mutate.Mutant, folder string) {
	for _, o := range outcomes {
		fmt.Fprintf(w, "%s\n%s%s\n", o.Name, o.Diff, c.flags.judged(o))
		if o.Why != "" {
			fmt.Fprintf(w, "  %s\n", o.Why)
		}
		if !c.flags.keep {
			continue
		}
		for _, m := range sample {
			if m.Name == o.Name && !m.Alone() {
				fmt.Fprintf(w, "run it again: %s\n", mutate.RunAgain(o, m, folder))
			}
		}
	}
}
