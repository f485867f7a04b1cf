package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/mutate"
	"github.com/spf13/pflag"
)

// besidePatch are the flags that have a meaning for changes of one's own.
const besidePatch = " engine patch quick deep keep workers json root help "

// patchesOnly refuses, beside --patch, flags that choose among the mutants of the tool, and a file twice.
func (f *mutantFlags) patchesOnly(flags *pflag.FlagSet) (err error) {
	if len(f.patch) == 0 {
		return nil
	}
	flags.Visit(func(x *pflag.Flag) {
		if !strings.Contains(besidePatch, " "+x.Name+" ") {
			err = errors.Join(err, fmt.Errorf("--patch says what is judged; leave out --%s", x.Name))
		}
	})
	for i, name := range f.patch {
		if slices.Contains(f.patch[:i], name) {
			err = errors.Join(err, fmt.Errorf("--patch %s is given twice; leave out one", name))
		}
	}
	return err
}

// patches judges changes of one's own. They are in no ledger.
func (c *mutantRun) patches(ctx context.Context) error {
	f, p := c.flags, c.progress
	all, err := c.engine.LoadAll(ctx, c.root)
	if err != nil {
		return failed(err)
	}
	var mutants []*mutate.Mutant
	for _, name := range f.patch {
		m, err := all.Patch(c.root, name)
		if errors.As(err, new(*fs.PathError)) {
			err = fmt.Errorf("--patch: %w; name a file that git diff wrote", err)
		}
		if err != nil {
			return err
		}
		mutants = append(mutants, m)
	}
	if f.keep {
		release, err := hold("--keep", c.kept())
		if err != nil {
			return failed(err)
		}
		defer release()
	}
	folder, err := c.folder()
	if err != nil {
		return failed(err)
	}
	if !f.keep {
		defer os.RemoveAll(folder)
	}
	var outcomes []mutate.Outcome
	counts := mutate.Counts{}
	err = all.RunPatches(ctx, mutants, mutate.Options{Root: c.root, Folder: folder, Workers: f.workers,
		Deep: f.deep, Quick: f.quick, Keep: f.keep, Note: func(s string) { p.update(s, 0) },
		Ended: func(o mutate.Outcome) {
			outcomes = append(outcomes, o)
			counts[o.Verdict]++
			p.line("%s: %s", o.Name, f.judged(o))
			p.update(fmt.Sprintf("%d of %d: %v", len(outcomes), len(mutants), counts),
				float64(len(outcomes))/float64(len(mutants)))
		}})
	p.close()
	switch {
	case errors.Is(err, mutate.ErrPatch):
		return err
	case err != nil && !errors.Is(err, context.Canceled):
		return failed(err)
	}
	lives := slices.ContainsFunc(outcomes, func(o mutate.Outcome) bool { return !o.Verdict.Noticed() })
	return c.app.deliver(report{Red: lives || len(outcomes) < len(mutants),
		Data: map[string]any{"outcomes": listed(outcomes)},
		Text: func(w io.Writer) error {
			c.tellPatches(w, outcomes, mutants, folder)
			if rest := len(mutants) - len(outcomes); rest > 0 {
				fmt.Fprintf(w, "stopped: %d of %d not judged\n", rest, len(mutants))
			}
			_, err := fmt.Fprintf(w, "mutants: %v\n", counts)
			return err
		}}, nil)
}

// tellPatches says what came of each, in their order, and how to see it again.
func (c *mutantRun) tellPatches(w io.Writer, outcomes []mutate.Outcome, mutants []*mutate.Mutant,
	folder string) {
	for _, m := range mutants {
		i := slices.IndexFunc(outcomes, func(o mutate.Outcome) bool { return o.Name == m.Name })
		if i < 0 {
			continue // stopped
		}
		o := outcomes[i]
		fmt.Fprintf(w, "%s: %s\n", o.Name, c.flags.judged(o))
		if o.Why != "" {
			fmt.Fprintf(w, "  %s\n", o.Why)
		}
		if c.flags.keep && (o.Search != nil || o.Test != "") {
			fmt.Fprintf(w, "  run it again: %s\n", mutate.RunAgain(o, m, folder))
		}
	}
}
