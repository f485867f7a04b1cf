// Package modules explores the tests of modules that many programs use, as they are, and asks go test about
// each failure. So it shows what a user of the explorer may expect of their own tests, and where the explorer
// is wrong.
package modules

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/samecycle/samecycle/foreign"
	"github.com/samecycle/samecycle/foreign/driver"
)

// ErrModule is a module that the go command does not download.
var ErrModule = errors.New("the module cannot be had")

// Options say what to explore.
type Options struct {
	Root    string   // of this repository
	Modules []string // with versions
	Commit  string
	Time    time.Duration // for each module
	Seed    uint64
	Say     func(format string, args ...any)
}

// A Module is a module with what was found in its tests.
type Module struct {
	Name  string `json:"name"` // with its version
	Tests []Test `json:"tests"`

	// NotExplored are packages that could not be explored at all, with the reason.
	NotExplored map[string]string `json:"not_explored,omitempty"`
}

// A Test is a test with what was found in it.
type Test struct {
	Package     string        `json:"package"` // as a folder of the module
	Name        string        `json:"name"`
	Status      driver.Status `json:"status"`
	Partly      bool          `json:"partly,omitempty"` // something is not controlled
	All         bool          `json:"all,omitempty"`    // all interleavings were covered
	Short       bool          `json:"short,omitempty"`  // it was explored in its short form
	Kind        string        `json:"kind,omitempty"`
	Message     string        `json:"message,omitempty"`
	Executions  uint64        `json:"executions"`
	Preemptions int           `json:"preemptions"`
	GoTest      string        `json:"go_test,omitempty"` // of a failure: what go test says in a few runs
}

// Run explores the modules one after the other.
func Run(ctx context.Context, o Options) (all []Module, err error) {
	for _, name := range o.Modules {
		m, err := explore(ctx, name, o)
		if err != nil {
			return all, fmt.Errorf("%s: %w", name, err)
		}
		n := map[driver.Status]int{}
		for _, t := range m.Tests {
			n[t.Status]++
		}
		o.Say("%s: %d clean, %d found, %d unknown, %d skipped", name, n[driver.Clean], n[driver.Found],
			n[driver.Unknown], n[driver.Skipped])
		all = append(all, m)
	}
	return all, nil
}

// explore explores a copy of one module.
func explore(ctx context.Context, name string, o Options) (m Module, err error) {
	folder, err := os.MkdirTemp("", "module-")
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := fetch(ctx, name, folder); err != nil {
		return m, err
	}
	return search(ctx, name, folder, o)
}

// search explores all packages of the module in the folder.
func search(ctx context.Context, name, folder string, o Options) (Module, error) {
	m := Module{Name: name, NotExplored: map[string]string{}}
	targets, err := foreign.TestPackages(ctx, folder+"/...", ".")
	if err != nil {
		m.NotExplored["./..."] = err.Error()
		return m, nil
	}
	end := time.Now().Add(o.Time)
	for i, target := range targets {
		rel := "./" + strings.Trim(strings.TrimPrefix(target, folder), "/")
		most := max(time.Second, time.Until(end)/time.Duration(len(targets)-i))
		r, err := foreign.Explore(ctx, target, foreign.Options{Root: o.Root, Test: ".", Races: true,
			Time: most, Seed: o.Seed})
		if ctx.Err() != nil {
			return m, ctx.Err()
		}
		if err != nil {
			m.NotExplored[rel] = strings.ReplaceAll(err.Error(), folder, ".")
			continue
		}
		for _, s := range r.Results {
			m.Tests = append(m.Tests, testOf(ctx, folder, rel, r, s))
		}
	}
	return m, nil
}

// fetch downloads a module with the go command, and copies it into the folder. One without a go.mod gets one.
func fetch(ctx context.Context, name, folder string) error {
	text, err := run(ctx, folder, "go", "mod", "download", "-json", name)
	if err != nil {
		return fmt.Errorf("%w: %w: %s", ErrModule, err, text)
	}
	var has struct{ Dir string }
	if err := json.Unmarshal(text, &has); err != nil || has.Dir == "" {
		return fmt.Errorf("%w: %w: %s", ErrModule, err, text)
	}
	if err := os.CopyFS(folder, os.DirFS(has.Dir)); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
		return nil
	}
	path, _, _ := strings.Cut(name, "@")
	for _, args := range [][]string{{"mod", "init", path}, {"mod", "tidy"}} {
		if text, err := run(ctx, folder, "go", args...); err != nil {
			return fmt.Errorf("%w: %w: %s", ErrModule, err, text)
		}
	}
	return nil
}

// run runs a command in the folder, and returns its output.
func run(ctx context.Context, folder, name string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env = folder, append(os.Environ(), "GOFLAGS=-mod=mod")
	return c.Output()
}

// goTests is how often go test runs a test in which a failure was found.
const goTests = 3

// testOf is what the report of a package says of one of its tests.
func testOf(ctx context.Context, folder, pkg string, r foreign.Report, s driver.Result) Test {
	name := strings.TrimPrefix(s.Name, strings.TrimPrefix(pkg, "./")+".")
	t := Test{Package: pkg, Name: name, Status: s.Status, Partly: s.Status == driver.Clean && partly(r),
		All: s.Complete == s.Programs, Short: s.Short, Kind: s.Kind, Executions: s.Schedules,
		Preemptions: s.Preemptions}
	t.Message = short(strings.ReplaceAll(s.Message, folder, "."))
	if s.Status != driver.Found {
		return t
	}
	function, _, _ := strings.Cut(name, "/")
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	text, err := run(ctx, folder, "go", "test", fmt.Sprint("-count=", goTests), "-run", "^"+function+"$", pkg)
	switch {
	case ctx.Err() != nil:
		t.GoTest = "takes more than a minute"
	case err == nil:
		t.GoTest = "passes"
	case strings.Contains(string(text), "--- FAIL: "+function):
		t.GoTest = "fails, too"
	default:
		t.GoTest = "does not run"
	}
	return t
}

// partly reports whether something runs beside the goroutines that are explored.
func partly(r foreign.Report) bool {
	return len(r.Uncontrolled)+len(r.Beside)+len(r.Outside)+len(r.NotRun) > 0
}

// short is the first line of a message, with the next one that is not empty if the first only says that the
// test fails.
func short(message string) string {
	first, rest, _ := strings.Cut(message, "\n")
	if strings.HasSuffix(first, "the test fails") {
		next, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		first += ": " + next
	}
	return first
}
