// Package racetests explores the tests of Go's race detector, which come with each Go distribution. Their
// names say what each has to be: TestRace… has a data race, and TestNoRace… has none.
package racetests

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/samecycle/samecycle/foreign"
	"github.com/samecycle/samecycle/foreign/driver"
)

// ErrTests is a folder that has no such tests.
var ErrTests = errors.New("no tests of the race detector: they are in src/runtime/race/testdata of a Go " +
	"distribution")

// Options say what to explore.
type Options struct {
	Root   string // of this repository
	Folder string // of the tests
	Commit string // of this repository
	Only   string // regular expression for the names; empty: all
	Time   time.Duration
	Seed   uint64
	Say    func(format string, args ...any)
}

// A Test is one of them, and what came out.
type Test struct {
	Name       string        `json:"name"`
	Status     driver.Status `json:"status"`
	Kind       string        `json:"kind,omitempty"`
	Message    string        `json:"message,omitempty"`
	Exhaustive bool          `json:"exhaustive"` // all interleavings were searched
	Executions uint64        `json:"executions"`
}

// Race reports whether the test has a data race, as its name says.
func (t Test) Race() bool { return strings.HasPrefix(t.Name, "TestRace") }

// race is the explorer's kind of a data race.
const race = "race"

// Right reports whether the result is what the name says.
func (t Test) Right() bool {
	if t.Race() {
		return t.Status == driver.Found && t.Kind == race
	}
	return t.Status == driver.Clean
}

// Wrong reports whether the result is the opposite of what the name says.
func (t Test) Wrong() bool {
	return t.Status != driver.Unknown && t.Status != driver.Skipped && !t.Right()
}

// A Figure is what came out for all tests.
type Figure struct {
	All     []Test
	LeftOut []string // files and tests that cannot be built outside of the distribution, with the reason
}

// Run explores the tests with races.
func Run(ctx context.Context, o Options) (f Figure, err error) {
	dir, err := os.MkdirTemp("", "racetests-")
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if f.LeftOut, err = copyTests(o.Folder, dir); err != nil {
		return f, err
	}
	only := o.Only
	if only == "" {
		only = "^Test(Race|NoRace)"
	}
	r, err := foreign.Explore(ctx, dir, foreign.Options{Root: o.Root, Test: only, Races: true, Time: o.Time,
		Seed: o.Seed, Log: writer(o.Say)})
	if err != nil {
		return f, err
	}
	for _, x := range r.Results {
		name, _, _ := strings.Cut(x.Message, "\n")
		f.All = append(f.All, Test{x.Name, x.Status, x.Kind, name, x.Exhaustive, x.Schedules})
	}
	return f, ctx.Err()
}

// writer passes lines on.
type writer func(format string, args ...any)

func (w writer) Write(line []byte) (int, error) {
	w("%s", bytes.TrimSuffix(line, []byte("\n")))
	return len(line), nil
}

// copyTests makes a module of the tests. It says what it leaves out.
func copyTests(from, to string) (left []string, err error) {
	names, err := filepath.Glob(filepath.Join(from, "*_test.go"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("%s: %w", from, ErrTests)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		base := filepath.Base(name)
		text, without, err := portable(base, text)
		if err != nil {
			return nil, err
		}
		left = append(left, without...)
		if text == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(to, base), text, 0o600); err != nil {
			return nil, err
		}
	}
	const mod = "module racetests\n\ngo 1.26\n"
	return left, os.WriteFile(filepath.Join(to, "go.mod"), []byte(mod), 0o600)
}

// portable is the text of a file without the tests that only build in the distribution, or nil if it is the
// whole file.
func portable(name string, text []byte) (out []byte, left []string, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	for _, spec := range file.Imports {
		switch path, _ := strconv.Unquote(spec.Path.Value); {
		case strings.HasPrefix(path, "internal/"):
			return nil, []string{name + ": it imports " + path}, nil
		case path == "C":
			return nil, []string{name + ": it uses C"}, nil
		case path == "os/exec":
			return nil, []string{name + ": it runs the other files"}, nil
		}
	}
	var gone []ast.Decl
	for _, d := range file.Decls {
		f, is := d.(*ast.FuncDecl)
		if is && disables(f) {
			gone = append(gone, d)
			left = append(left, f.Name.Name+": runtime.RaceDisable is part of Go only with -race")
		}
	}
	if gone == nil {
		return text, nil, nil
	}
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool { return slices.Contains(gone, d) })
	file.Comments = slices.DeleteFunc(file.Comments, func(c *ast.CommentGroup) bool {
		within := func(d ast.Decl) bool { return d.Pos() <= c.Pos() && c.End() <= d.End() }
		return slices.ContainsFunc(gone, within)
	})
	var b bytes.Buffer
	err = format.Node(&b, files, file)
	return b.Bytes(), left, err
}

// disables reports whether a function calls runtime.RaceDisable.
func disables(f *ast.FuncDecl) (yes bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		x, is := n.(*ast.SelectorExpr)
		yes = yes || is && x.Sel.Name == "RaceDisable"
		return !yes
	})
	return yes
}
