package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/tlc"
	"github.com/samecycle/samecycle/scenarios/engines"
	"github.com/spf13/cobra"
)

// allSpecFolders are those of all engines.
func allSpecFolders(root string) []string {
	var out []string
	for _, e := range engines.All() {
		out = append(out, e.Specs.Folders(root)...)
	}
	return out
}

type specFlags struct {
	update, list, trace, large, table, schedules, config bool
	parallel                                             int
}

// check refuses what would be asked for and not be done.
func (f specFlags) check() error {
	switch {
	case f.config && (f.list || f.table || f.update || f.trace || f.large || f.schedules):
		return errors.New("--config prints a configuration and runs nothing: leave out --list, --table, " +
			"--update, --trace, --large and --schedules")
	case f.list && (f.table || f.update || f.trace):
		return errors.New("--list runs and writes nothing: leave out --table, --update and --trace")
	case f.table && (f.large || f.update || f.trace):
		return errors.New("--table runs nothing: leave out --large, --update and --trace")
	case f.schedules && (f.list || f.table || f.large || f.update || f.trace):
		return errors.New("--schedules searches for counterexamples and writes who moves in them: " +
			"leave out --list, --table, --large, --update and --trace")
	}
	return atOnce("parallel", f.parallel)
}

func specCommand(a *app) *cobra.Command {
	var f specFlags
	cmd := &cobra.Command{
		Use:   "spec [NAME...]",
		Short: "Run TLC over the manifests of the specifications",
		Long: `spec runs TLC over the entries of spec/tla/ENGINE/manifest.json of each engine, and for
hopscotch also over those of the design as written (its folders written and written/parts).
It compares the outcomes with the manifest: the verdict, the name of the violated property,
and for clean runs the number of distinct states and the depth. A witness that is not
violated is red, and so is a run that must fail and passes.

A run that must violate a property, and a mutant of the specification, may have a
schedule in schedules.json, which says who moves at each step of a counterexample. TLC
first searches this schedule alone. If it does not lead to the violation any more, TLC
searches everything. So no verdict depends on a schedule.

The configuration of a run is made when TLC needs it, from the run's row in the
manifest and from the recipes in configurations.json beside it. --config prints it.
To run it in the TLA+ Toolbox or by hand, put it into a file:

  samecycle spec --config S04AddCollisionEmpty > spec/tla/hopscotch/My.cfg
  java -cp tla2tools.jar tlc2.TLC -config My.cfg MCHopscotch    # in spec/tla/hopscotch

NAME is an entry of the manifest, or a state, which runs all of its entries.`,
		Example: `  samecycle spec                       every entry
  samecycle spec S04                   the entries of one state
  samecycle spec --list                the entries, without running them
  samecycle spec --large               the entries that take minutes
  samecycle spec --table               which of those are of files that have changed
  samecycle spec --config NAME         print the configuration that TLC gets
  samecycle spec --trace NAME          print the counterexample, step by step
  samecycle spec --update NAME         record new counts, printing the change
  samecycle spec --schedules           search all states where a schedule would do`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if f.config {
				return a.specConfig(names)
			}
			return a.spec(cmd.Context(), f, names)
		},
	}
	cmd.Flags().BoolVar(&f.update, "update", false,
		"write the counts of the clean runs, and how deep the others are violated, into the manifest")
	cmd.Flags().BoolVar(&f.large, "large", false,
		"run the large entries (all, or those named) that results/hopscotch/spec lacks, and no other")
	cmd.Flags().BoolVar(&f.table, "table", false,
		"write the table of the large runs in results/hopscotch/spec anew and run nothing")
	cmd.Flags().BoolVar(&f.schedules, "schedules", false,
		"search everything in runs that violate a property, and in mutants (all, or those named), "+
			"and write the schedules")
	cmd.Flags().BoolVar(&f.list, "list", false, "list the entries and run nothing")
	cmd.Flags().BoolVar(&f.config, "config", false,
		"print the configuration of one run, with the recipe behind each part, and run nothing")
	cmd.Flags().BoolVar(&f.trace, "trace", false,
		"print each counterexample: its first state, then what each step changes (--json: all states)")
	cmd.Flags().IntVar(&f.parallel, "parallel", 2, "TLC runs at a time")
	return cmd
}

func (a *app) spec(ctx context.Context, f specFlags, names []string) error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	if f.schedules {
		return a.specSchedules(ctx, f, root, names)
	}
	m, err := tlc.LoadManifests(allSpecFolders(root)...)
	if err != nil {
		return failed(err)
	}
	entries, err := m.Select(names)
	if err != nil {
		return err
	}
	if f.large {
		if entries, err = largeOf(m, names); err != nil {
			return err
		}
	}
	if f.list {
		return a.listEntries(entries)
	}
	release, err := f.hold(root)
	if err != nil {
		return failed(err)
	}
	defer release()
	kept, err := f.open(root, m.Large())
	if err != nil {
		return failed(err)
	}
	if f.table {
		return a.nothingRun()
	}
	if f.large {
		all := len(entries)
		if entries, err = a.lacking(root, kept, entries, f.update); err != nil {
			return err
		}
		if len(entries) == 0 {
			fmt.Fprintf(a.err, "spec: all %d large runs are in %s, and their files have not changed\n",
				all, largeDir)
			return a.nothingRun()
		}
	}
	p := newProgress(a.err)
	defer p.close()
	tool, err := tlc.Find(ctx, func(s string) { p.line("%s", s) })
	if err != nil {
		return failed(fmt.Errorf("spec is NOT RUN: %w", err))
	}
	verdicts, err := f.run(ctx, p, tool, entries, kept)
	if err != nil {
		return err
	}
	if f.update && ctx.Err() == nil {
		if verdicts, err = a.updateManifests(root, verdicts); err != nil {
			return err
		}
	}
	if f.trace && !a.json { // there it is a field
		a.printTraces(verdicts)
	}
	return a.reportSpec(verdicts)
}

// run runs the entries, and keeps what comes of those that are large.
func (f specFlags) run(ctx context.Context, p *progress, tool *tlc.Tool, entries []tlc.Entry,
	kept largeRuns) (_ []tlc.Verdict, err error) {
	defer p.close()
	if f.update { // what is counted is everything
		for i, e := range entries {
			entries[i] = e.Whole()
		}
	}
	observe := observeSpec(p)
	verdicts := tool.RunEntries(ctx, entries, tlc.RunOptions{
		Parallel: f.parallel, Observe: func(e tlc.Event) {
			observe(e)
			if e.Verdict != nil && f.large {
				err = errors.Join(err, kept.keep(*e.Verdict, tool.JavaVersion))
			}
		}})
	if err != nil {
		return nil, failed(fmt.Errorf("the large runs cannot be kept: %w", err))
	}
	return verdicts, nil
}

// lacking judges the large runs that are kept, writes their counts into the manifests if asked to, and
// returns the entries that have none.
func (a *app) lacking(root string, kept largeRuns, entries []tlc.Entry, update bool) ([]tlc.Entry, error) {
	if err := kept.judge(entries); err != nil {
		return nil, failed(err)
	}
	if update {
		if _, err := a.updateManifests(root, kept.counted(entries)); err != nil {
			return nil, err
		}
	}
	return kept.missing(entries), nil
}

// observeSpec turns the runner's events into progress: one line that stays per ended run.
func observeSpec(p *progress) func(tlc.Event) {
	return func(e tlc.Event) {
		fraction := float64(e.Done) / float64(e.Total)
		switch {
		case e.Verdict != nil:
			p.line("%s", verdictLine(*e.Verdict))
			p.update(fmt.Sprintf("%d of %d runs", e.Done, e.Total), fraction)
		case e.Stats != nil:
			p.update(fmt.Sprintf("%s: %s", e.Entry.Name, plural.Of(e.Stats.Distinct, "state")), fraction)
		default:
			p.update(e.Entry.Name, fraction)
		}
	}
}

// updateManifests is updateManifest for each folder of the specification.
func (a *app) updateManifests(root string, verdicts []tlc.Verdict) (_ []tlc.Verdict, err error) {
	for _, dir := range allSpecFolders(root) {
		if verdicts, err = a.updateManifest(dir, verdicts); err != nil {
			return nil, err
		}
	}
	return verdicts, nil
}

// updateManifest records the counts of the clean runs of a folder, prints the changes, and judges
// the verdicts again by the new counts.
func (a *app) updateManifest(dir string, verdicts []tlc.Verdict) ([]tlc.Verdict, error) {
	m, err := tlc.LoadManifest(dir)
	if err != nil {
		return nil, failed(err)
	}
	changed, concerned := 0, false
	for _, v := range verdicts {
		concerned = concerned || slices.ContainsFunc(m.Entries, func(e tlc.Entry) bool {
			return e.Name == v.Entry.Name
		})
		if line := m.Record(v); line != "" {
			changed++
			fmt.Fprintln(a.err, line)
		}
	}
	if changed == 0 && !concerned { // none of the runs is of this folder
		return verdicts, nil
	}
	if changed == 0 {
		fmt.Fprintf(a.err, "manifest: nothing to change in %s\n", dir)
		return verdicts, nil
	}
	if err := m.Save(); err != nil {
		return nil, failed(err)
	}
	fmt.Fprintf(a.err, "manifest: entries changed: %d; read the change before you commit it\n", changed)
	for i, v := range verdicts {
		for _, e := range m.Entries {
			if e.Name == v.Entry.Name && v.Err == nil {
				verdicts[i].Entry = e
				verdicts[i].Problems, verdicts[i].Unknown = tlc.Compare(e, v.Result)
			}
		}
	}
	return verdicts, nil
}

// specLine is one run in the JSON output of spec.
type specLine struct {
	Name     string      `json:"name"`
	State    string      `json:"state"`
	Status   string      `json:"status"`
	Outcome  tlc.Outcome `json:"outcome"`
	Property string      `json:"property"`
	Distinct int64       `json:"distinct"`
	Depth    int         `json:"depth"`
	// Scheduled says that the states are those of a schedule, and of no whole search.
	Scheduled bool        `json:"scheduled"`
	Seconds   float64     `json:"seconds"`
	CPU       float64     `json:"cpu_seconds"`
	Problems  []string    `json:"problems"`
	Trace     []tlc.State `json:"trace"`
}

func (a *app) reportSpec(verdicts []tlc.Verdict) error {
	lines := make([]specLine, 0, len(verdicts))
	passed, unknown := 0, 0
	for _, v := range verdicts {
		l := specLine{
			Name: v.Entry.Name, State: v.Entry.State, Status: "fail", Outcome: v.Result.Outcome,
			Property: v.Result.Property, Distinct: v.Result.Distinct, Depth: v.Result.Depth,
			Scheduled: v.Result.Scheduled,
			Seconds:   v.Result.Wall.Round(time.Millisecond).Seconds(),
			CPU:       v.Result.CPU.Round(time.Millisecond).Seconds(),
			Problems:  append([]string{}, v.Problems...), Trace: append([]tlc.State{}, v.Result.Trace...),
		}
		switch {
		case v.Unknown:
			l.Status = "unknown"
			unknown++
		case v.Pass():
			l.Status = "pass"
			passed++
		}
		if v.Err != nil {
			l.Problems = append(l.Problems, v.Err.Error())
		}
		lines = append(lines, l)
	}
	if a.json {
		if err := a.printJSON(lines); err != nil {
			return err
		}
	}
	failures := len(verdicts) - passed - unknown
	fmt.Fprintf(a.err, "spec: %s as the manifest says, %d not, %d without a verdict\n",
		plural.Of(passed, "run"), failures, unknown)
	if passed != len(verdicts) || len(verdicts) == 0 {
		return errRed
	}
	return nil
}

// nothingRun is the result of a command that had nothing to run.
func (a *app) nothingRun() error {
	if !a.json {
		return nil
	}
	return a.printJSON([]specLine{})
}

func (a *app) listEntries(entries []tlc.Entry) error {
	if a.json {
		return a.printJSON(entries)
	}
	for _, e := range entries {
		expect := string(e.Expect)
		if e.Property != "" {
			expect += " " + e.Property
		}
		fmt.Fprintf(a.out, "%-48s %-10s %s\n", e.Name, e.Kind, expect)
	}
	return nil
}
