package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/scenarios/engines"
	"github.com/spf13/cobra"
)

type checkFlags struct {
	engines, links, states []string
	all                    bool
	seed                   uint64
}

func checkCommand(a *app) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Run the links of evidence whose records are stale, print the matrix",
		Long: `check runs the chain of evidence: for each engine, each link for each state that the
link covers. It runs the cells that are stale, have failed, or have no verdict or no
record, and keeps the others; --all runs every cell. It writes a record of each cell
below results/ENGINE/records, and prints a matrix for each engine.

The exit status is 1 if a cell fails, has no verdict, could not run or is stale, or if an
engine promises a link for which it has no material. A cell of a link that an engine does
not promise is NOT BUILT and does not count.

Links that use one core run beside the others. The link volume measures times, so it
runs alone at the end.

At its start check says which links run beside one another, and how long they will
take by the times of earlier runs on this machine. All cells of all engines take ten
to twenty minutes on 2 cores.

An interrupt stops the links. Records that are finished are kept.`,
		Example: `  samecycle check
  samecycle check --all
  samecycle check --engine hopscotch --link spec
  samecycle check --state S04
  samecycle check --state S04,M03 --link spec,model
  samecycle check --json > matrix.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.check(cmd.Context(), f) },
	}
	cmd.Flags().BoolVar(&f.all, "all", false, "run every cell, green ones as well")
	cmd.Flags().StringSliceVar(&f.engines, "engine", nil, "run these engines only, by comma: "+engineNames())
	cmd.Flags().StringSliceVar(&f.links, "link", nil, "run these links only, by comma: "+linkNames())
	cmd.Flags().StringSliceVar(&f.states, "state", nil,
		"run these states only, by comma: S04 or S04AddCollisionEmpty, ...")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the random choices, kept in the records")
	return cmd
}

func (a *app) check(ctx context.Context, f checkFlags) error {
	part, err := f.resolve()
	if err != nil {
		return err
	}
	root, err := a.repository()
	if err != nil {
		return err
	}
	env := evidence.Env{Root: root, Program: judgingProgram, Seed: f.seed, Tree: closure.Open(root)}
	run := &checkRun{app: a, env: env, part: part, progress: newProgress(a.err)}
	defer run.progress.close()
	coverErr := run.plan(ctx, f.all)
	if coverErr != nil {
		fmt.Fprintf(a.err, "samecycle: %v\n", coverErr)
	}
	if err := run.refuse(ctx); err != nil {
		return failed(err)
	}
	run.tell()
	saveErr := run.links(ctx)
	run.progress.close()

	env.Tree = nil // files may have changed meanwhile
	shown, err := matrices(ctx, env, part)
	if err != nil && coverErr == nil {
		return failed(err)
	}
	for _, m := range shown {
		for link, reasons := range run.reasons[m.Engine] {
			m.Overlay(link, reasons)
		}
	}
	if err := a.printMatrices(shown, part); err != nil {
		return err
	}
	if saveErr != nil {
		return failed(saveErr)
	}
	if red(shown, part) || coverErr != nil {
		return errRed
	}
	return nil
}

// part is what a check is about: an empty list means all.
type part struct{ engines, links, states []string }

func (f checkFlags) resolve() (part, error) {
	p := part{engines: f.engines, links: f.links}
	for _, name := range f.engines {
		if _, ok := engines.ByName(name); !ok {
			return p, fmt.Errorf("--engine %s is none of %s", name, engineNames())
		}
	}
	for _, id := range f.links {
		if _, ok := catalog.LinkByID(id); !ok {
			return p, fmt.Errorf("--link %s is none of %s", id, linkNames())
		}
	}
	for _, id := range f.states {
		e, s, err := engineState(id)
		if err != nil {
			return p, fmt.Errorf("--state %w", err)
		}
		if len(f.engines) > 0 && !slices.Contains(f.engines, e.Name) {
			return p, fmt.Errorf("--state %s is a state of %s: leave --engine %s out", id, e.Name,
				strings.Join(f.engines, ","))
		}
		p.states = append(p.states, s.ID)
		if len(f.engines) == 0 && !slices.Contains(p.engines, e.Name) {
			p.engines = append(p.engines, e.Name)
		}
	}
	return p, nil
}

// of returns what the part is about of a matrix. The check of a part has the verdict of that.
func (p part) of(m *evidence.Matrix) *evidence.Matrix {
	return m.Keep(func(link, state string) bool { return p.has(m.Engine, link, state) })
}

// has reports whether the part is about that cell.
func (p part) has(engine, link, state string) bool {
	in := func(all []string, x string) bool { return len(all) == 0 || slices.Contains(all, x) }
	return in(p.engines, engine) && in(p.links, link) && in(p.states, state)
}

func engineNames() string {
	var names []string
	for _, e := range engines.All() {
		names = append(names, e.Name)
	}
	return strings.Join(names, ", ")
}

func linkNames() string {
	var names []string
	for _, l := range catalog.Links() {
		names = append(names, l.ID)
	}
	return strings.Join(names, ", ")
}

// engineState reads a state from the command line, and returns the engine that has it.
func engineState(id string) (*harness.Engine, catalog.State, error) {
	names, s, err := catalog.Find(engines.Names(), id)
	if err != nil {
		return nil, s, err
	}
	e, _ := engines.ByName(names.Name)
	return e, s, nil
}

// cpu is the time of the processors that this program has used, and the programs that it has started and
// waited for.
type cpu struct{ self, programs time.Duration }

func (c cpu) sum() time.Duration { return c.self + c.programs }

// checkRun is one run of the links.
type checkRun struct {
	app      *app
	env      evidence.Env
	part     part
	progress *progress
	jobs     []job
	total    int // links to run
	kept     int // cells that are green

	mu      sync.Mutex
	ended   int
	shares  map[string]float64                               // of each link, from 0 to 1: how much is done
	within  map[string]map[string]bool                       // who works now, and who has worked since
	reasons map[string]map[string]map[string]evidence.Reason // by engine, link and state
	errs    []error
}

// job is one link of an engine with the states that it judges.
type job struct {
	engine *catalog.Engine
	runner evidence.Runner
	states []catalog.State
}

// name tells the job from others; with one engine the link does.
func (j job) name() string {
	if len(chains) == 1 {
		return j.runner.Link()
	}
	return j.engine.Name + " " + j.runner.Link()
}

// oneThread are the links that keep one core busy, whatever there is: the explorer takes one step at a
// time. They run beside the links that start several programs, one after the other since the second
// judges what the first has found.
var oneThread = map[string]bool{"engine": true, "histories": true}

// aloneLink measures how long operations take: nothing else may run meanwhile.
const aloneLink = "volume"

// starting are the links whose work is done by programs that they start.
var starting = map[string]bool{"spec": true, "mutants": true}

// links runs the links: those of one thread beside the others, then the one that must be alone. The
// error says that records could not be written.
func (c *checkRun) links(ctx context.Context) error {
	c.reasons = map[string]map[string]map[string]evidence.Reason{}
	c.shares, c.within = map[string]float64{}, map[string]map[string]bool{}
	for _, j := range c.jobs {
		c.reasons[j.engine.Name] = map[string]map[string]evidence.Reason{}
	}
	others, beside, alone := c.lanes()
	c.total = len(c.jobs)
	var wait sync.WaitGroup
	for _, lane := range [][]job{others, beside} {
		wait.Go(func() { c.lane(ctx, lane) })
	}
	wait.Wait()
	c.lane(ctx, alone)
	wall := time.Since(c.progress.start).Round(time.Second)
	c.progress.line("all in %s%s", wall, cpuText(cpuTime().sum(), nil))
	return errors.Join(c.errs...)
}

// lane runs some links one after the other.
func (c *checkRun) lane(ctx context.Context, jobs []job) {
	for _, j := range jobs {
		name, link, start, before := j.name(), j.runner.Link(), time.Now(), cpuTime()
		c.begin(name, link)
		env := c.env
		env.Engine = j.engine
		reasons, err := evidence.RunLink(ctx, j.runner, env, j.states, func(what string, share float64) {
			c.progress.update(name+": "+what, c.share(name, share))
		})
		c.share(name, 1)
		c.mu.Lock()
		c.ended++
		c.reasons[j.engine.Name][link] = reasons
		c.errs = append(c.errs, err)
		c.progress.line("%s: %s in %s%s (%d of %s)", name, plural.Of(len(j.states), "state"),
			time.Since(start).Round(time.Second), c.cost(name, link, before), c.ended,
			plural.Of(c.total, "link"))
		c.mu.Unlock()
		c.remember(ctx, j, time.Since(start))
		for _, text := range distinctReasons(j.states, reasons) {
			c.progress.line("%s: %s", name, text)
		}
	}
}

// share notes how much of a link is done, and returns how much of all links is.
func (c *checkRun) share(link string, done float64) (all float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shares[link] = min(max(done, 0), 1)
	for _, share := range c.shares {
		all += share
	}
	return all / float64(c.total)
}

// begin notes a link that works in this program, and with whom it shares the program.
func (c *checkRun) begin(name, link string) {
	if starting[link] {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	beside := map[string]bool{}
	for other, seen := range c.within {
		beside[other], seen[name] = true, true
	}
	c.within[name] = beside
}

// cost tells the CPU time of a link that ends. That of this program cannot be told apart when two links
// work in it; the programs that are started belong to the link whose work they do. It is called with the
// lock held.
func (c *checkRun) cost(name, link string, before cpu) string {
	now := cpuTime()
	self, programs := now.self-before.self, now.programs-before.programs
	beside := slices.Sorted(maps.Keys(c.within[name]))
	delete(c.within, name)
	switch {
	case starting[link]:
		return cpuText(programs, nil)
	case link == aloneLink:
		return cpuText(self+programs, nil)
	}
	return cpuText(self, beside)
}

// cpuText is empty where the system does not tell CPU time.
func cpuText(d time.Duration, with []string) string {
	if (cpuTime() == cpu{}) {
		return ""
	}
	text := fmt.Sprintf(", with %s of CPU time", d.Round(time.Second))
	if len(with) > 0 {
		text += " together with " + strings.Join(with, " and ")
	}
	return text
}

// distinctReasons returns each reason once, in the order of the states.
func distinctReasons(states []catalog.State, reasons map[string]evidence.Reason) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range states {
		if why, ok := reasons[s.ID]; ok && !seen[why.Text] {
			seen[why.Text] = true
			out = append(out, fmt.Sprintf("%s: %s", why.Status, why.Text))
		}
	}
	return out
}
