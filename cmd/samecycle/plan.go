package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/plural"
)

// chain is the links of one engine.
type chain struct {
	engine *catalog.Engine
	links  []evidence.Runner

	// promised holds what the links cover against what the catalog promises, as harness.Engine does. nil:
	// nothing is promised.
	promised func(covered evidence.Coverage, asked func(link, state string) bool) error
}

// matrices reads the records of the engines of a part, and holds them against the files of now. The error
// says that a runner cannot tell what it covers, or that a promise of a catalog is not kept; the matrices are
// there all the same.
func matrices(ctx context.Context, env evidence.Env, p part) ([]*evidence.Matrix, error) {
	var out []*evidence.Matrix
	var all []error
	for _, c := range chains {
		if len(p.engines) > 0 && !slices.Contains(p.engines, c.engine.Name) {
			continue
		}
		env.Engine = c.engine
		covered, err := evidence.CoverageOf(env, c.links)
		if all = append(all, err); err == nil && c.promised != nil {
			asked := func(link, state string) bool { return p.has(c.engine.Name, link, state) }
			all = append(all, c.promised(covered, asked))
		}
		now := evidence.NowOf(ctx, env, c.links)
		out = append(out, evidence.BuildMatrix(env.Root, c.engine, covered, now))
	}
	return out, errors.Join(all...)
}

// red reports whether a part of one of the matrices is, or nothing of it is there.
func red(all []*evidence.Matrix, p part) bool {
	for _, m := range all {
		if p.of(m).Red() {
			return true
		}
	}
	return len(all) == 0
}

// plan chooses the cells to run: all that are covered, or those that are not green. The error is that of
// matrices.
func (c *checkRun) plan(ctx context.Context, all bool) error {
	shown, err := matrices(ctx, c.env, c.part)
	for _, m := range shown {
		for _, chain := range chains {
			if chain.engine.Name != m.Engine {
				continue
			}
			for _, r := range chain.links {
				if j := (job{chain.engine, r, c.chosen(m, chain.engine, r.Link(), all)}); len(j.states) > 0 {
					c.jobs = append(c.jobs, j)
				}
			}
		}
	}
	return err
}

// chosen are the states of a link that are to be run.
func (c *checkRun) chosen(m *evidence.Matrix, e *catalog.Engine, link string, all bool) []catalog.State {
	var out []catalog.State
	for i, s := range e.States {
		cell := m.Rows[i].Links[link]
		switch {
		case !c.part.has(e.Name, link, s.ID) || cell.Status == evidence.NotBuilt || cell.Uncovered:
		case cell.Status == evidence.Pass && !all:
			c.kept++
		default:
			out = append(out, s)
		}
	}
	return out
}

// refuse is why nothing is to be judged, or nil. Of each link a part is compiled into this program: what
// judges, or what reads a judge's verdict. A program that is not of the files of now would leave records that
// name files which nobody ran, or would put "unknown" in the place of records that are green, though it has
// judged nothing.
func (c *checkRun) refuse(ctx context.Context) error {
	if len(c.jobs) == 0 {
		return nil
	}
	if err := c.env.Outdated(ctx); err != nil {
		return fmt.Errorf("nothing was judged, and all records are as they were: %w", err)
	}
	return nil
}

// judgingProgram is the file of the program that judges; empty: this one. Tests name another.
var judgingProgram string

// tell says what is about to run, what is kept, and how long it will take by the times of earlier runs.
func (c *checkRun) tell() {
	cells := 0
	for _, j := range c.jobs {
		cells += len(j.states)
	}
	if cells == 0 {
		c.progress.line("nothing to run: %s green and of these files; --all runs them again",
			plural.Of(c.kept, "cell"))
		return
	}
	text := fmt.Sprintf("running %s of %s", plural.Of(cells, "cell"), plural.Of(len(c.jobs), "link"))
	if c.kept > 0 {
		text += fmt.Sprintf(", keeping %d that are green and of these files", c.kept)
	}
	c.progress.line("%s", text)
	c.progress.line("%s", c.estimate())
}

// lanes are the jobs that run beside one another: those of links that start programs, and those of links that
// keep one core busy. Those that must be alone run when both lanes have ended.
func (c *checkRun) lanes() (others, beside, alone []job) {
	for _, j := range c.jobs {
		switch {
		case oneThread[j.runner.Link()]:
			beside = append(beside, j)
		case j.runner.Link() == aloneLink:
			alone = append(alone, j)
		default:
			others = append(others, j)
		}
	}
	return others, beside, alone
}

// estimate says which links run beside one another, and how long all will take: as long as the longer lane,
// and then the links that are alone. Where a link has not run here before, it says so, and no time.
func (c *checkRun) estimate() string {
	others, beside, alone := c.lanes()
	var unknown []string
	took := func(jobs []job) (sum time.Duration) {
		for _, j := range jobs {
			d := durationsOf(c.env.Root, j.engine.Name)[j.runner.Link()]
			if d.Cells == 0 {
				unknown = append(unknown, j.name())
				continue
			}
			seconds := d.Seconds / float64(d.Cells) * float64(len(j.states))
			sum += time.Duration(seconds * float64(time.Second))
		}
		return sum
	}
	total := max(took(others), took(beside)) + took(alone)
	var order []string
	for _, lane := range []struct {
		jobs  []job
		where string
	}{{others, ""}, {beside, "beside them "}, {alone, "then alone "}} {
		if len(lane.jobs) > 0 {
			order = append(order, lane.where+jobNames(lane.jobs))
		}
	}
	text := strings.TrimPrefix(strings.Join(order, "; "), "beside them ")
	text = strings.TrimPrefix(text, "then alone ")
	if len(unknown) > 0 {
		return text + "; how long it takes is not known: " + strings.Join(unknown, ", ") +
			" has not run on this machine before"
	}
	return text + fmt.Sprintf("; about %v, by the last runs", total.Round(time.Second))
}

func jobNames(jobs []job) string {
	var names []string
	for _, j := range jobs {
		names = append(names, j.name())
	}
	return strings.Join(names, ", ")
}

// duration is how long a link took the last time it ran.
type duration struct {
	Seconds float64 `json:"seconds"` // on the wall
	Cells   int     `json:"cells"`   // that it judged
}

// durationsFile is where the durations of an engine's links are: of this machine, and so no result.
func durationsFile(root, engine string) string {
	return filepath.Join(root, "bin", "durations-"+engine+".json")
}

func durationsOf(root, engine string) map[string]duration {
	all := map[string]duration{}
	text, err := os.ReadFile(durationsFile(root, engine))
	if err != nil || json.Unmarshal(text, &all) != nil {
		return map[string]duration{}
	}
	return all
}

// remember keeps how long a link took, unless it was interrupted. It is a convenience: what goes wrong is not
// told.
func (c *checkRun) remember(ctx context.Context, j job, took time.Duration) {
	if ctx.Err() != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	all := durationsOf(c.env.Root, j.engine.Name)
	all[j.runner.Link()] = duration{took.Seconds(), len(j.states)}
	if text, err := json.Marshal(all); err == nil {
		_ = evidence.WriteFile(durationsFile(c.env.Root, j.engine.Name), append(text, '\n'))
	}
}
