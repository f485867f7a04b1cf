// Package goker explores the kernels of GoBench (Yuan, Li, Lu, Liu, Li, Xue: CGO 2021): tests of a hundred
// lines, each with one fault that was in a large program.
package goker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/samecycle/samecycle/foreign"
	"github.com/samecycle/samecycle/foreign/driver"
)

// ErrClone is a folder that has no kernels.
var ErrClone = errors.New("no kernels: name a clone of https://github.com/timmyyuan/gobench")

// Options say what to explore.
type Options struct {
	Root, Clone     string
	Commit, Kernels string // commits of the two
	Only            string // part of the names; empty: all
	Time            time.Duration
	Seed            uint64
	Say             func(format string, args ...any)
}

// A Kernel is one test with a fault, and what was found in it.
type Kernel struct {
	Name        string        `json:"name"` // blocking/moby/17176
	Flaky       string        `json:"flaky,omitempty"`
	Status      driver.Status `json:"status"`
	Kind        string        `json:"kind,omitempty"`
	Message     string        `json:"message,omitempty"`
	Races       bool          `json:"races"` // plain accesses were looked at
	Executions  uint64        `json:"executions"`
	Preemptions int           `json:"preemptions"`
}

// Blocking reports whether the fault is that somebody waits for ever.
func (k Kernel) Blocking() bool { return strings.HasPrefix(k.Name, "blocking/") }

// Run explores the kernels. Those whose fault is no wait are explored with races; so are the others, if
// nothing was found in them without.
func Run(ctx context.Context, o Options) (all []Kernel, err error) {
	base := filepath.Join(o.Clone, "gobench", "goker")
	folders, err := filepath.Glob(filepath.Join(base, "*blocking", "*", "*"))
	if err != nil || len(folders) == 0 {
		return nil, fmt.Errorf("%s: %w", o.Clone, ErrClone)
	}
	for _, folder := range folders {
		rel, err := filepath.Rel(base, folder)
		if err != nil {
			return nil, err
		}
		k := Kernel{Name: filepath.ToSlash(rel)}
		k.Races = !k.Blocking()
		if !strings.Contains(k.Name, o.Only) {
			continue
		}
		err = k.explore(ctx, folder, o)
		if err == nil && k.Status != driver.Found && !k.Races {
			k.Races = true
			err = k.explore(ctx, folder, o)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.Name, err)
		}
		o.Say("%s: %s %s after %d executions", k.Name, k.Status, k.Kind, k.Executions)
		all = append(all, k)
	}
	return all, nil
}

// flaky is how often the authors of the kernels saw the fault in so many runs.
var flaky = regexp.MustCompile(`Flaky: *([0-9]+/[0-9]+)`)

// explore explores the kernel in a module of its own.
func (k *Kernel) explore(ctx context.Context, folder string, o Options) (err error) {
	dir, err := os.MkdirTemp("", "goker-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.CopyFS(filepath.Join(dir, "kernel"), os.DirFS(folder)); err != nil {
		return err
	}
	const mod = "module kernel\n\ngo 1.21\n" // with loop variables as the authors knew them
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600); err != nil {
		return err
	}
	texts, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil || len(texts) == 0 {
		return fmt.Errorf("%s: %w", folder, ErrClone)
	}
	text, err := os.ReadFile(texts[0])
	if err != nil {
		return err
	}
	if m := flaky.FindSubmatch(text); m != nil {
		k.Flaky = string(m[1])
	}
	r, err := foreign.Explore(ctx, dir, foreign.Options{Root: o.Root, Test: ".", Leaks: true, Races: k.Races,
		Time: o.Time, Seed: o.Seed, Subject: foreign.Subject{Package: "kernel"},
		Preemptions: driver.DefaultPreemptions}) // and no more, so that figures can be compared
	if err != nil {
		return err
	}
	k.take(r)
	return ctx.Err()
}

// take takes the first failure of a report over, or its first result that is not clean.
func (k *Kernel) take(r foreign.Report) {
	i := slices.IndexFunc(r.Results, func(s driver.Result) bool { return s.Status == driver.Found })
	if i < 0 {
		i = slices.IndexFunc(r.Results, func(s driver.Result) bool { return s.Status != driver.Clean })
	}
	s := r.Results[max(i, 0)]
	k.Status, k.Kind, k.Executions, k.Preemptions = s.Status, s.Kind, s.Schedules, s.Preemptions
	k.Message, _, _ = strings.Cut(s.Message, ";")
	k.Message, _, _ = strings.Cut(k.Message, "\n")
}
