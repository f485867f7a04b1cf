package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/samecycle/samecycle/internal/plural"
	"github.com/samecycle/samecycle/internal/tlc"
)

// scheduling is what --schedules searches of one folder, and what comes of it.
type scheduling struct {
	dir       string
	schedules tlc.Schedules
	entries   []tlc.Entry
	mutants   []tlc.Mutant
	known     map[string]bool // what may have a schedule, asked for or not
}

// specSchedules searches all states of the runs that must violate something, and of the mutants of the
// specification, and writes down who moves in the counterexamples.
func (a *app) specSchedules(ctx context.Context, f specFlags, root string, names []string) error {
	folders, err := schedulings(root, names)
	if err != nil {
		return err
	}
	release, err := f.hold(root)
	if err != nil {
		return failed(err)
	}
	defer release()
	p := newProgress(a.err)
	defer p.close()
	tool, err := tlc.Find(ctx, func(s string) { p.line("%s", s) })
	if err != nil {
		return failed(fmt.Errorf("spec is NOT RUN: %w", err))
	}
	var verdicts []tlc.Verdict
	for _, s := range folders {
		verdicts = append(verdicts, s.run(ctx, f, tool, p)...)
		if len(names) == 0 && ctx.Err() == nil {
			maps.DeleteFunc(s.schedules.Moves, func(name, _ string) bool { return !s.known[name] })
		}
		if len(s.schedules.Moves) > 0 {
			err = errors.Join(err, s.schedules.Save(s.dir))
		}
	}
	p.close()
	if err != nil {
		return failed(err)
	}
	return a.reportSpec(verdicts)
}

// schedulings are the folders with what is to be searched: what is named, or everything.
func schedulings(root string, names []string) (out []*scheduling, err error) {
	hit := map[string]bool{}
	wanted := func(name string) bool {
		hit[name] = true
		return len(names) == 0 || slices.Contains(names, name)
	}
	for _, dir := range allSpecFolders(root) {
		s := &scheduling{dir: dir, known: map[string]bool{}}
		if s.schedules, err = tlc.LoadSchedules(dir); err != nil {
			return nil, failed(err)
		}
		if s.schedules.Local == "" {
			continue // its runs are too small
		}
		m, err := tlc.LoadManifest(dir)
		if err != nil {
			return nil, failed(err)
		}
		for _, e := range m.Everyday() {
			if (e.Expect == tlc.Invariant || e.Expect == tlc.Liveness) && wanted(e.Name) {
				s.entries = append(s.entries, e.Whole())
			}
		}
		mutants, err := tlc.LoadMutants(dir)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, failed(err)
		}
		for _, x := range mutants {
			if wanted(x.Name) {
				s.mutants = append(s.mutants, x.Whole())
			}
		}
		s.known = hit
		out = append(out, s)
	}
	for _, name := range names {
		if !hit[name] {
			return nil, fmt.Errorf("%s is no run that violates a property, and no mutant: list the runs "+
				"with samecycle spec --list, the mutants are in %s", name,
				tlc.MutantsName+" of its folder")
		}
	}
	return out, nil
}

// run searches, and learns from each counterexample.
func (s *scheduling) run(ctx context.Context, f specFlags, tool *tlc.Tool, p *progress) []tlc.Verdict {
	learn := func(v *tlc.Verdict) {
		line, err := s.schedules.Learn(v.Entry.Name, v.Result)
		if err == nil && line != "" {
			p.line("%s", line)
			err = s.schedules.Save(s.dir) // an interrupt keeps it
		}
		if err != nil {
			v.Problems = append(v.Problems, err.Error())
		}
	}
	observe := observeSpec(p)
	verdicts := tool.RunEntries(ctx, s.entries, tlc.RunOptions{
		Parallel: f.parallel, Observe: func(e tlc.Event) {
			if e.Verdict != nil && e.Verdict.Pass() {
				learn(e.Verdict)
			}
			observe(e)
		}})
	killed := tool.RunMutants(ctx, s.mutants, func(k tlc.Killed, done int) {
		v := verdictOf(k)
		if v.Pass() {
			learn(&v)
		}
		p.line("%s", verdictLine(v))
		p.update(plural.Of(done, "mutant"), float64(done)/float64(len(s.mutants)))
	})
	for _, k := range killed {
		verdicts = append(verdicts, verdictOf(k))
	}
	return verdicts
}

// verdictOf is what became of a mutant, as the verdict on a run.
func verdictOf(k tlc.Killed) tlc.Verdict {
	v := tlc.Verdict{Entry: tlc.Entry{Name: k.Mutant.Name, State: k.Mutant.State}, Result: k.Result,
		Unknown: k.Unknown, Err: k.Err}
	if k.Problem != "" && k.Err == nil {
		v.Problems = []string{k.Problem}
	}
	return v
}
