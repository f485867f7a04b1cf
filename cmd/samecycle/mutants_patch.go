package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/mutate"
	"github.com/spf13/pflag"
)

// besidePatch are the flags that have a meaning for changes of one's own.
const besidePatch = " patch quick deep keep workers json root help "

// patchesOnly refuses flags that choose among the mutants of the tool.
func patchesOnly(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if !strings.Contains(besidePatch, " "+f.Name+" ") {
			err = errors.Join(err, fmt.Errorf("--patch says what is judged; leave out --%s", f.Name))
		}
	})
	return err
}

// patches judges changes of one's own. They are in no ledger.
func (a *app) patches(ctx context.Context, f mutantFlags) error {
	if _, err := f.wanted(); err != nil {
		return err
	}
	root, err := a.repository()
	if err != nil {
		return err
	}
	p := newProgress(a.err)
	defer p.close()
	all, err := mutate.LoadAll(ctx, root)
	if err != nil {
		return failed(err)
	}
	var mutants []*mutate.Mutant
	for _, name := range f.patch {
		m, err := all.Patch(root, name)
		if err != nil {
			return err
		}
		mutants = append(mutants, m)
	}
	c := &mutantRun{app: a, flags: f, root: root, progress: p}
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
	err = all.RunPatches(ctx, mutants, mutate.Options{Root: root, Folder: folder, Workers: f.workers,
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
	return a.deliver(report{Red: lives || len(outcomes) < len(mutants),
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

// tellPatches says what came of each, and how to see it again.
func (c *mutantRun) tellPatches(w io.Writer, outcomes []mutate.Outcome, mutants []*mutate.Mutant,
	folder string) {
	for _, m := range mutants {
		for _, o := range outcomes {
			if o.Name != m.Name {
				continue
			}
			fmt.Fprintf(w, "%s: %s\n", o.Name, c.flags.judged(o))
			if o.Why != "" {
				fmt.Fprintf(w, "  %s\n", o.Why)
			}
			if c.flags.keep && (o.Search != nil || o.Test != "") {
				fmt.Fprintf(w, "  run it again: %s\n", mutate.RunAgain(o, m, folder))
			}
		}
	}
}
