package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/evidence"
)

// statesTest is the test of a model that compares its states with TLC's, one by one; see package samestates.
const statesTest = "TestSameStatesAsTLC"

// A comparer has the tests of a model compare the states of runs with those that TLC reaches now.
type comparer struct {
	folder string // where the tests are built
	tests  []stateTest
}

// A stateTest is the built test of a package.
type stateTest struct{ file, folder string }

// modelFolder is that of the engine's model: it has the name of the specification's.
func (l modelLink) modelFolder() string { return "model/" + filepath.Base(l.specs[0].Dir) }

// stateTests returns the folders of the model's packages, below the root, that have such a test.
func (l modelLink) stateTests(root string) (folders []string, err error) {
	err = filepath.WalkDir(filepath.Join(root, l.modelFolder()), func(path string, d fs.DirEntry,
		err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && bytes.Contains(text, []byte("\nfunc "+statesTest+"(")) {
			var folder string
			folder, err = filepath.Rel(root, filepath.Dir(path))
			folders = append(folders, filepath.ToSlash(folder))
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return folders, err
}

// comparer builds the tests. It is nil if the model has none.
func (l modelLink) comparer(ctx context.Context, env evidence.Env, progress evidence.Progress) (*comparer,
	error) {
	folders, err := l.stateTests(env.Root)
	if err != nil || len(folders) == 0 {
		return nil, err
	}
	if _, err := findTLC(ctx, progress); err != nil {
		return nil, err
	}
	progress("building the tests of "+l.modelFolder(), 0)
	c := &comparer{}
	if c.folder, err = os.MkdirTemp("", "samecycle-model-"); err != nil {
		return nil, err
	}
	for i, folder := range folders {
		x := stateTest{filepath.Join(c.folder, fmt.Sprintf("%d.test", i)), filepath.Join(env.Root, folder)}
		build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-o", x.file, "./"+folder)
		build.Dir = env.Root
		if out, err := build.CombinedOutput(); err != nil {
			err = fmt.Errorf("the tests of %s do not build: %w\n%s", folder, err, out)
			return nil, errors.Join(err, c.close())
		}
		c.tests = append(c.tests, x)
	}
	return c, nil
}

func (c *comparer) close() error {
	if c == nil {
		return nil
	}
	return os.RemoveAll(c.folder)
}

// mostSaid bounds what is kept of a test that fails, in bytes.
const mostSaid = 2000

// A comparison is what the tests say of runs.
type comparison struct {
	same []string // runs whose states are the same
	said string   // what a test says that fails
}

// compare compares the states of the runs of these names with TLC's.
func (c *comparer) compare(ctx context.Context, names []string) (found comparison, err error) {
	if len(names) == 0 {
		return comparison{}, nil
	}
	file := filepath.Join(c.folder, "equal")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		return found, err
	}
	for _, x := range c.tests {
		test := exec.CommandContext(ctx, x.file, "-test.run=^"+statesTest+"$", "-test.timeout=60m",
			"-runs="+strings.Join(names, ","), "-equal="+file)
		test.Dir = x.folder
		test.Env = append(os.Environ(), "GOGC=400")
		if out, err := test.CombinedOutput(); err != nil {
			found.said += string(out[:min(len(out), mostSaid)])
		}
		if err := ctx.Err(); err != nil {
			return found, err
		}
	}
	text, err := os.ReadFile(file)
	found.same = strings.Fields(string(text))
	return found, err
}

// holds reports whether the states of the run are the same.
func (x comparison) holds(run string) bool { return slices.Contains(x.same, run) }
