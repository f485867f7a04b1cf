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
	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/scenarios/engines"
	"github.com/spf13/cobra"
)

type checkFlags struct {
	link, state string
	seed        uint64
}

func checkCommand(a *app) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Run the links of evidence, write their records, print the matrix",
		Long: `check runs every link of the chain over every state that the link covers, writes a
record of each cell under results/hopscotch/records, and prints the matrix.

Anything that fails, has no verdict, could not run or is stale makes the exit
status 1. What no link covers yet is NOT BUILT and does not count.

Links that keep one core busy run beside the others; volume, which measures times,
runs alone at the end.

An interrupt stops the links and keeps the records that are finished.`,
		Example: `  samecycle check
  samecycle check --link spec
  samecycle check --state S04
  samecycle check --json > matrix.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.check(cmd.Context(), f) },
	}
	cmd.Flags().StringVar(&f.link, "link", "", "run one link only: spec, model, engine, ...")
	cmd.Flags().StringVar(&f.state, "state", "", "run one state only: S04 or S04AddCollisionEmpty")
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
	if absent := absentLinks(part.link); absent != "" {
		if absent == part.link {
			return failed(fmt.Errorf("%s is NOT RUN: %s", absent, buildHint))
		}
		fmt.Fprintf(a.err, "samecycle: %s is NOT RUN: %s\n", absent, buildHint)
	}
	env := evidence.Env{Root: root, Engine: register.Engine(), Seed: f.seed}
	covered, coverErr := evidence.CoverageOf(env, links)
	if coverErr != nil {
		fmt.Fprintf(a.err, "samecycle: %v\n", coverErr)
	}
	run := &checkRun{app: a, env: env, part: part, covered: covered, progress: newProgress(a.err)}
	saveErr := run.links(ctx)
	run.progress.close()

	m := evidence.BuildMatrix(root, env.Engine, covered)
	for link, reasons := range run.reasons {
		m.Overlay(link, reasons)
	}
	if err := a.printMatrix(m, part); err != nil {
		return err
	}
	if saveErr != nil {
		return failed(saveErr)
	}
	if m.Keep(part.link, part.state).Red() || coverErr != nil {
		return errRed
	}
	return nil
}

// part is what a check is about: empty fields mean all.
type part struct{ link, state string }

func (f checkFlags) resolve() (part, error) {
	p := part{link: f.link}
	if _, ok := catalog.LinkByID(f.link); f.link != "" && !ok {
		return p, fmt.Errorf("--link %s is none of %s", f.link, linkNames())
	}
	if f.state != "" {
		s, err := stateArgument(f.state)
		if err != nil {
			return p, fmt.Errorf("--state %w", err)
		}
		p.state = s.ID
	}
	return p, nil
}

// absentLinks names the links among those asked for that this program was built without.
func absentLinks(asked string) string {
	var names []string
	for _, r := range links {
		if l, absent := r.(absentLink); absent && (asked == "" || asked == l.link) {
			names = append(names, l.link)
		}
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

// stateArgument reads a state from the command line.
func stateArgument(id string) (catalog.State, error) {
	_, s, err := engineState(id)
	return s, err
}

// engineState is stateArgument with the engine that has the state.
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
	covered  evidence.Coverage
	progress *progress
	total    int // links to run

	mu      sync.Mutex
	ended   int
	shares  map[string]float64         // of each link, from 0 to 1: how much is done
	within  map[string]map[string]bool // links that work in this program now, and who did meanwhile
	reasons map[string]map[string]evidence.Reason
	errs    []error
}

// job is one link with the states that it judges.
type job struct {
	runner evidence.Runner
	states []catalog.State
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
	c.reasons = map[string]map[string]evidence.Reason{}
	c.shares, c.within = map[string]float64{}, map[string]map[string]bool{}
	var beside, others, alone []job
	for _, r := range links {
		states := c.states(r)
		switch {
		case len(states) == 0:
		case oneThread[r.Link()]:
			beside = append(beside, job{r, states})
		case r.Link() == aloneLink:
			alone = append(alone, job{r, states})
		default:
			others = append(others, job{r, states})
		}
		if len(states) > 0 {
			c.total++
		}
	}
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
		name, start, before := j.runner.Link(), time.Now(), cpuTime()
		c.begin(name)
		reasons, err := evidence.RunLink(ctx, j.runner, c.env, j.states, func(what string, share float64) {
			c.progress.update(name+": "+what, c.share(name, share))
		})
		c.share(name, 1)
		c.mu.Lock()
		c.ended++
		c.reasons[name] = reasons
		c.errs = append(c.errs, err)
		c.progress.line("%s: %s in %s%s (%d of %s)", name, plural.Of(len(j.states), "state"),
			time.Since(start).Round(time.Second), c.cost(name, before), c.ended, plural.Of(c.total, "link"))
		c.mu.Unlock()
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
func (c *checkRun) begin(link string) {
	if starting[link] {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	beside := map[string]bool{}
	for other, seen := range c.within {
		beside[other], seen[link] = true, true
	}
	c.within[link] = beside
}

// cost tells the CPU time of a link that ends. That of this program cannot be told apart when two links
// work in it; the programs that are started belong to the link whose work they do. It is called with the
// lock held.
func (c *checkRun) cost(link string, before cpu) string {
	now := cpuTime()
	self, programs := now.self-before.self, now.programs-before.programs
	beside := slices.Sorted(maps.Keys(c.within[link]))
	delete(c.within, link)
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

// states returns the states that the check runs of one link.
func (c *checkRun) states(r evidence.Runner) []catalog.State {
	if c.part.link != "" && c.part.link != r.Link() {
		return nil
	}
	var out []catalog.State
	for _, s := range register.States() {
		if c.covered[r.Link()][s.ID] && (c.part.state == "" || c.part.state == s.ID) {
			out = append(out, s)
		}
	}
	return out
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

// printMatrix prints the table of the part, and with --json all 24 rows.
func (a *app) printMatrix(m *evidence.Matrix, p part) error {
	table, options := a.out, a.renderOptions()
	if a.json {
		if err := a.printJSON(m.Rows); err != nil {
			return err
		}
		table, options = a.err, evidence.RenderOptions{}
	} else {
		fmt.Fprintln(a.err)
	}
	return failed(m.Keep(p.link, p.state).Render(table, options))
}
