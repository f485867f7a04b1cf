package caches

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/samecycle/samecycle/bench"
)

// Options say what to measure.
type Options struct {
	Root     string   // of the repository
	Dir      string   // where the results are
	Only     []string // beginnings of names of comparisons; none: all
	Subjects []string // names of caches, beside the reference; none: all
	Rounds   int      // of each comparison
	Entries  int      // of 8+64 bytes; of larger ones there are fewer
	Ops      int      // of a pass
	Say      func(format string, args ...any)
}

var (
	errOnly    = errors.New("no comparison has such a name")
	errSubject = errors.New("no cache has such a name")
)

// Quick makes the comparisons small: caches that fit into the processor's own, and few rounds.
func (o *Options) Quick() { o.Rounds, o.Entries, o.Ops = 3, 1<<18, 1<<15 }

// runner is a run.
type runner struct {
	Options
	kinds []kind
	facts Facts
	held  held
}

// Names are those of all comparisons.
func Names() (all []string) {
	for _, c := range cells() {
		all = append(all, c.name)
	}
	return all
}

// chosen are the cells whose names begin with one of those.
func chosen(all []cell, only []string) ([]cell, error) {
	for _, o := range only {
		if !slices.ContainsFunc(all, func(c cell) bool { return strings.HasPrefix(c.name, o) }) {
			return nil, fmt.Errorf("%w: %q; there are %s", errOnly, o, strings.Join(Names(), " "))
		}
	}
	return slices.DeleteFunc(all, func(c cell) bool {
		return len(only) > 0 &&
			!slices.ContainsFunc(only, func(o string) bool { return strings.HasPrefix(c.name, o) })
	}), nil
}

// subjectsOf are the kinds that take part.
func subjectsOf(some []string) ([]kind, error) {
	for _, name := range some {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("%w: %q; there are %s", errSubject, name, strings.Join(names, " "))
		}
	}
	return slices.DeleteFunc(kinds(), func(k kind) bool {
		return len(some) > 0 && k.name != reference && !slices.Contains(some, k.name)
	}), nil
}

// Run measures. Each comparison is written when it is complete, so an interrupt loses only the one that runs;
// page and pictures are written at the end, also after an interrupt.
func Run(ctx context.Context, o Options) error {
	todo, err := chosen(cells(), o.Only)
	if err != nil {
		return err
	}
	r := runner{Options: o}
	if r.kinds, err = subjectsOf(o.Subjects); err != nil {
		return err
	}
	r.facts = r.describe()
	err = r.each(ctx, todo)
	return errors.Join(err, r.held.release(), Page(o.Dir))
}

func (r *runner) each(ctx context.Context, todo []cell) error {
	began := time.Now()
	for i, c := range todo {
		r.Say("[%2d/%d] %5s  %s", i+1, len(todo), time.Since(began).Round(time.Second), c.name)
		row, err := r.cell(ctx, c)
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted in %s: the comparisons before it are written", c.name)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if err := keep(r.Dir, row); err != nil {
			return err
		}
	}
	return nil
}

// cell makes one comparison.
func (r *runner) cell(ctx context.Context, c cell) (row Comparison, err error) {
	spin, load := bench.Digits(bench.Spin().Scaling), loadAverage()
	if c.goroutines > 1 {
		if err := twoFree(); err != nil {
			row.NotRun = oneLine(err)
		}
	}
	switch {
	case row.NotRun != "":
	case c.work == processes:
		row, err = r.processes(ctx, c)
	case c.work == space:
		row, err = r.space(ctx, c)
	case c.work == latencyGet || c.work == latencySet:
		row, err = r.latency(ctx, c)
	default:
		row, err = r.timing(ctx, c)
	}
	if !c.reads() && row.NotRun == "" {
		err = errors.Join(err, r.held.release())
	}
	row.Name, row.Goroutines, row.Spin, row.Load, row.Facts = c.name, c.goroutines, spin, load, r.facts
	return row, err
}

// gateLooks is how often a comparison on two processors looks for two that are free before it loads anything.
const gateLooks = 3

// twoFree says that they are not.
func twoFree() (err error) {
	var gate bench.SpinGate
	for range gateLooks {
		if err = gate.Gate(); err == nil {
			return nil
		}
	}
	return err
}

// describe tells all that the figures of this run have in common.
func (r *runner) describe() Facts {
	command := fmt.Sprintf("go -C bench run ./cmd/cache -rounds %d -entries %d -ops %d", r.Rounds, r.Entries,
		r.Ops)
	for _, flag := range []struct {
		name   string
		values []string
	}{{"only", r.Only}, {"subjects", r.Subjects}} {
		if len(flag.values) > 0 {
			command += " -" + flag.name + " " + strings.Join(flag.values, ",")
		}
	}
	f := Facts{Command: command, Commit: bench.Commit(r.Root), Go: runtime.Version(),
		Machine: bench.Machine(), Date: time.Now().UTC().Format(time.DateOnly),
		Entries: r.Entries, Ops: r.Ops}
	for _, k := range r.kinds {
		if len(k.modules) > 0 {
			f.Versions = append(f.Versions, bench.Versions(k.modules...)...)
		}
		if k.version != nil {
			f.Versions = append(f.Versions, k.version())
		}
	}
	return f
}

// loadAverage is how many threads wanted a processor in the last minute; "" where the system does not tell.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	minute, _, _ := strings.Cut(string(text), " ")
	return minute
}
