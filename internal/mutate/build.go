package mutate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/samecycle/samecycle/internal/disk"
)

// judgePackage is the program that runs the programs of the scenarios.
const judgePackage = "./internal/mutate/judge/program"

// errTests means that the tests do not compile although the package does, because they pin a constant.
var errTests = errors.New("tests do not compile")

// hitsText replaces the judge's hits.go.
const hitsText = `package main

import %q

func hits() []byte { return %s.MutantHits() }
`

// overlay is the package with mutants in it, in the form that the go command accepts.
type overlay struct {
	root, folder string
	path         string // of the package
}

// together puts the mutants behind a switch, except those that must be built alone.
func (p *Package) together(root, folder string, mutants []*Mutant) (overlay, error) {
	if err := p.separate(mutants); err != nil {
		return overlay{}, err
	}
	return p.overlay(root, folder, p.schema(mutants, unmarked))
}

// single puts one mutant into the package, without a switch.
func (p *Package) single(root, folder string, m *Mutant) (overlay, error) {
	change := m.patch
	if change == nil {
		change = &patch{texts: map[string][]byte{m.File: []byte(p.Text(m))}}
	}
	changed, err := p.patched(change)
	if err != nil {
		return overlay{}, err
	}
	texts := changed.schema(nil, unmarked)
	for name, text := range change.texts {
		if _, ok := texts[name]; !ok {
			texts[name] = string(text)
		}
	}
	return p.overlay(root, folder, texts)
}

func (p *Package) overlay(root, folder string, texts map[string]string) (overlay, error) {
	o := overlay{root, folder, p.Path}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return o, fmt.Errorf("%w: %w", ErrBuild, err)
	}
	var list struct{ Replace map[string]string }
	list.Replace = map[string]string{}
	for name, text := range texts {
		if text == "" { // the mutant removes it
			list.Replace[filepath.Join(p.Dir, name)] = ""
			continue
		}
		to := filepath.Join(folder, name)
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			return o, fmt.Errorf("%w: %w", ErrBuild, err)
		}
		list.Replace[filepath.Join(p.Dir, name)] = to
	}
	to := filepath.Join(folder, "judge_hits.go")
	if err := os.WriteFile(to, fmt.Appendf(nil, hitsText, p.Path, p.typed.Name()), 0o644); err != nil {
		return o, fmt.Errorf("%w: %w", ErrBuild, err)
	}
	list.Replace[filepath.Join(root, filepath.FromSlash(judgePackage), "hits.go")] = to
	text, err := json.Marshal(list)
	if err == nil {
		err = os.WriteFile(o.list(), text, 0o644)
	}
	if err != nil {
		return o, fmt.Errorf("%w: %w", ErrBuild, err)
	}
	return o, nil
}

func (o overlay) list() string { return filepath.Join(o.folder, "overlay.json") }

// compiles builds the package, with the explorer and without it.
func (o overlay) compiles(ctx context.Context) error {
	for _, tag := range []string{"explore", "none"} {
		if err := o.program(ctx, filepath.Join(o.folder, tag), "build", "-buildvcs=false", "-tags", tag,
			"-overlay", o.list(), o.path); err != nil {
			return err
		}
	}
	return nil
}

// judge builds the program that runs the scenarios, unless it was built before.
func (o overlay) judge(ctx context.Context) (string, error) {
	to := filepath.Join(o.folder, "judge")
	return to, o.program(ctx, to, "build", "-buildvcs=false", "-tags", "explore", "-ldflags=-s -w",
		"-overlay", o.list(), "-o", to, judgePackage)
}

// tests builds the package's tests, unless they were built before.
func (o overlay) tests(ctx context.Context) (string, error) {
	to := filepath.Join(o.folder, "tests")
	return to, o.testProgram(ctx, to, o.path)
}

// others builds tests of another package, unless they were built before.
func (o overlay) others(ctx context.Context, x *explored) (string, error) {
	folder, _ := testsOf(x.judge, "")
	to := filepath.Join(o.folder, testProgram(folder))
	return to, o.testProgram(ctx, to, "-tags", cmp.Or(x.Tags, "none"), "./"+x.Folder)
}

func (o overlay) testProgram(ctx context.Context, to string, what ...string) error {
	err := o.program(ctx, to, append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w",
		"-overlay", o.list(), "-o", to}, what...)...)
	if err != nil && !errors.Is(err, disk.ErrFull) && strings.Contains(err.Error(), "_test.go:") {
		return fmt.Errorf("%w: %w", errTests, err)
	}
	return err
}

func (o overlay) program(ctx context.Context, to string, args ...string) error {
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = o.root
	text, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", ErrBuild, disk.OfGo("go "+args[0], err, string(text)))
}
