package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
)

// ErrEngine means that the registration of an engine cannot be used: it has no package to mutate, or a
// package that does not exist.
var ErrEngine = errors.New("registration of mutants unusable")

// Engine is an engine whose mutants are judged.
type Engine struct {
	Name string

	mutation      catalog.Mutation
	targets       []Target
	stages, extra []stage // the latter with Options.Deep
}

// Programs are properties of an engine's programs. Both are true of few engines.
type Programs struct {
	Deaths bool // their actors may die
	Drawn  bool // some programs are drawn by a number
}

// NewEngine takes the registration of an engine. Errors wrap ErrEngine.
func NewEngine(name string, m *catalog.Mutation, has Programs) (*Engine, error) {
	no := func(format string, args ...any) (*Engine, error) {
		return nil, fmt.Errorf("%w: engine %s: %s", ErrEngine, name, fmt.Sprintf(format, args...))
	}
	if m == nil || len(m.Targets) == 0 {
		return no("it names no package whose mutants are judged; give harness.Engine a Mutation with " +
			"Targets, see docs/add-an-engine.md")
	}
	e := &Engine{Name: name, mutation: *m}
	for i, t := range m.Targets {
		if t.Folder == "" || slices.Contains(e.folders(), t.Folder) {
			return no("target %d has no folder, or that of another one: %q", i+1, t.Folder)
		}
		target := Target{Dir: t.Folder, engine: name, searched: t.Searched, reporters: t.Reporters}
		if i > 0 {
			target.prefix = t.Folder + "/"
		}
		e.targets = append(e.targets, target)
	}
	e.stages, e.extra = has.of(stages), has.of(deepStages)
	for _, t := range m.Tests {
		if !slices.Contains(e.folders(), t.Target) {
			return no("the tests %s of %s judge %q, which is none of %s", t.Run, t.Folder, t.Target,
				e.Folders())
		}
		e.stages = append(e.stages, e.explored(t))
	}
	e.stages = append(e.stages, has.of(lastStages)...)
	return e, nil
}

// of returns the stages of the list that the programs have.
func (has Programs) of(list []stage) []stage {
	return slices.DeleteFunc(slices.Clone(list), func(s stage) bool {
		return s.search != nil && (s.search.Kills > 0 && !has.Deaths || s.search.Drawn > 0 && !has.Drawn) ||
			s.living && has.Deaths
	})
}

// explored returns the stage of registered tests.
func (e *Engine) explored(t catalog.MutationTests) stage {
	x := &explored{MutationTests: t, judge: testsBefore + t.Folder}
	if t.Folder == e.scenarios() {
		x.judge = scenarioTests
	}
	return stage{explored: x, limit: exploredLimit}
}

// The judges that are tests of another package than the target. Those of the scenarios have a name of their
// own.
const (
	scenarioTests = "tests of the scenarios"
	testsBefore   = "tests of "
)

// testsOf returns the folder of the tests that are the judge of that name. ok is false if the judge is a
// program, or the target's own tests.
func testsOf(judge, scenarios string) (folder string, ok bool) {
	if judge == scenarioTests {
		return scenarios, true
	}
	return strings.CutPrefix(judge, testsBefore)
}

// testProgram returns the name of the program of the tests in a folder; "" stands for the scenarios.
func testProgram(folder string) string {
	if folder == "" {
		return "scenarios"
	}
	return "scenarios_" + strings.ReplaceAll(folder, "/", "_")
}

// scenarios returns the folder of the engine's scenarios.
func (e *Engine) scenarios() string { return path.Join("scenarios", e.Name) }

// Ledger returns the path of the file with the outcomes, from the root of the repository.
func (e *Engine) Ledger() string { return e.mutation.Ledger }

// EquivalentFile returns the path of the file with the mutants that no judge can refuse.
func (e *Engine) EquivalentFile() string { return e.mutation.Equivalent }

// Open says why mutants that nobody has noticed are left open; "" means that each of them is a failure.
func (e *Engine) Open() string { return e.mutation.Open }

// Targets returns all packages whose mutants are judged.
func (e *Engine) Targets() []Target { return slices.Clone(e.targets) }

// Code returns the package of the engine itself: the first one.
func (e *Engine) Code() Target { return e.targets[0] }

// Folders returns the folders of the packages, separated by commas.
func (e *Engine) Folders() string { return strings.Join(e.folders(), ", ") }

func (e *Engine) folders() (list []string) {
	for _, t := range e.targets {
		list = append(list, t.Dir)
	}
	return list
}

// Judges returns the folders of all code that judges: the packages, and those with tests for them.
func (e *Engine) Judges() []string {
	list := e.folders()
	for _, folder := range append([]string{e.scenarios()}, e.testFolders()...) {
		if !slices.Contains(list, folder) {
			list = append(list, folder)
		}
	}
	return list
}

// testFolders returns the folders of the registered tests.
func (e *Engine) testFolders() (list []string) {
	for _, t := range e.mutation.Tests {
		if !slices.Contains(list, t.Folder) {
			list = append(list, t.Folder)
		}
	}
	return list
}

// targetOf returns the package of a mutant with that name.
func (e *Engine) targetOf(name string) Target {
	for _, t := range e.targets[1:] {
		if strings.HasPrefix(name, t.prefix) {
			return t
		}
	}
	return e.targets[0]
}

// Searched reports whether the programs of the scenarios judge the mutant of that name: whether its file
// belongs to the engine and does more than report. The package's own tests judge every mutant.
func (e *Engine) Searched(name string) bool {
	t := e.targetOf(name)
	file, _, _ := strings.Cut(strings.TrimPrefix(name, t.prefix), ":")
	return t.searches(file)
}

// LoadAll reads the packages of all targets from the repository at root.
func (e *Engine) LoadAll(ctx context.Context, root string) (Packages, error) {
	var all Packages
	for _, t := range e.targets {
		p, err := e.Load(ctx, root, t)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Load reads the package of a target in the repository at root, without its tests, as it is built with the
// explorer. It needs the go command, which compiles the imported packages.
func (e *Engine) Load(ctx context.Context, root string, t Target) (*Package, error) {
	info, err := os.Stat(filepath.Join(root, filepath.FromSlash(t.Dir)))
	if err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%w: engine %s: the package %s, whose mutants are to be judged, is not "+
			"there; correct the Targets of its Mutation", ErrEngine, e.Name, t.Dir)
	}
	return load(ctx, root, e, t)
}

// Equivalents returns the engine's list of mutants that no judge can refuse.
func (e *Engine) Equivalents(root string) ([]Entry, error) {
	if e.mutation.Equivalent == "" {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(e.mutation.Equivalent)))
	if err != nil {
		return nil, fmt.Errorf("%w: list of equivalent mutants of the engine %s: %w; make the file, even if "+
			"it is empty, or name none in the Mutation of the engine", ErrLedger, e.Name, err)
	}
	return parseEquivalents(e.mutation.Equivalent, string(text))
}

// OfAnother returns an error if the ledger is of another engine: if its first package is not the engine's.
func (l Ledger) OfAnother(e *Engine) error {
	if len(l.Packages) == 0 || strings.HasSuffix(l.Packages[0], "/"+e.Code().Dir) {
		return nil
	}
	return fmt.Errorf("%w: it is of the mutants of %s, and not of %s", ErrLedger, l.Packages[0],
		e.Code().Dir)
}
