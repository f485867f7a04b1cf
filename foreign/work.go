package foreign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/samecycle/samecycle/explore"
)

// Errors of building and running a driver.
var (
	ErrBuild  = errors.New("driver not built")
	ErrDriver = errors.New("driver failed")
	ErrToken  = errors.New("token of no foreign program")
)

// Options say how to explore. The zero value suits most searches.
type Options struct {
	// Preemptions is the highest bound of the search, or explore.Unbounded. Zero stands for
	// driver.DefaultPreemptions; tests are then searched with higher bounds as long as there is Time.
	Preemptions int

	// Root is the folder of this project. If it is empty, the folder is found: the one around the working
	// folder, or the one from which this program was built.
	Root string

	// Races reports the plain accesses of the copy to the explorer, which finds those that race.
	Races bool

	// Subject is the type to explore. The target may have an adapter or not.
	Subject Subject

	// Test, if not empty, is a regular expression for the names of the tests to explore, in the package that
	// Subject.Package names, or in the target itself. A second expression after a slash is for the names of
	// subtests, each of which is then explored alone.
	Test string

	// Leaks makes a test fail if it leaves goroutines that wait for ever. Goroutines that wait for the clock
	// continue.
	Leaks bool

	// These options are for the search of a type, and, except Actors, for that of tests: the time of all
	// programs together, the largest number of executions of one program with one bound, the largest number
	// of actors of a random program, and the seed of random choices. Zero stands for the default of the
	// driver.
	Time       time.Duration
	Executions uint64
	Actors     int
	Seed       uint64

	// Log, if not nil, gets a line for each stage: download, build, each suite.
	Log io.Writer
}

func (o Options) log(format string, args ...any) {
	if o.Log != nil {
		fmt.Fprintf(o.Log, format+"\n", args...)
	}
}

// Work is a built driver in its temporary folder. Call its methods only one after the other.
type Work struct {
	Target Target // with the version that was found
	Folder string
	Notes  []string      // what the explorer does not control in the copied source
	Took   time.Duration // to download, copy and build

	uncontrolled []string // the subjects of Notes, each once

	o        Options
	uncopied uncopied
	exe      string
	files    []copied
	module   origin   // of a target that is a module
	others   []origin // modules that it requires and that are copied, too
	sorting  []origin // packages of the standard library that are copied, too
	outside  []string // packages without a copy that may share memory or start goroutines
	subject  *found   // the type, if there is one
	subtests string   // if not empty, only subtests with matching names are explored
	noTests  []string // matching functions that are not explored
	runsIn   string   // the folder in which tests run; empty: that of the copy
}

// edits are the changes that tests make: the canaries.
type edits struct {
	source func(name string, text []byte) []byte // in each file of the copy
	driver func(name string, text []byte) []byte // in each file of the driver

	adapter *adapter // replaces the adapter of the target
}

// Prepare copies and builds a target. It needs the go command, and the network if the module is not yet in
// the module cache. The caller closes the Work.
func Prepare(ctx context.Context, t Target, o Options) (*Work, error) {
	return prepare(ctx, t, o, edits{})
}

func prepare(ctx context.Context, t Target, o Options, e edits) (*Work, error) {
	u := uncopied{}
	for {
		w, err := prepareWith(ctx, t, o, e, u)
		next, helps := u.without(err)
		if !helps {
			return w, err
		}
		u = next
	}
}

// prepareWith is prepare without copies of some modules that the target's module requires. If copies of
// others are the reason of the failure, the error is a requiredError.
func prepareWith(ctx context.Context, t Target, o Options, e edits, u uncopied) (*Work, error) {
	began := time.Now()
	a, err := t.adapter()
	if err != nil {
		return nil, err
	}
	if e.adapter != nil {
		a = *e.adapter
	}
	if o.Subject.Type != "" || o.Test != "" {
		if a.files != nil {
			return nil, fmt.Errorf("%w: %v has no types but itself, and no tests: leave --type and --test "+
				"out", ErrTarget, t)
		}
		a = adapter{target: t.Name}
	}
	if o.Test != "" {
		a.imports = map[string]string{"testing": shims + "testing",
			"testing/synctest": shims + "synctest", "testing/quick": shims + "quick",
			"go.uber.org/goleak": shims + "goleak"}
	}
	root, err := findRoot(o.Root)
	if err != nil {
		return nil, err
	}
	if err := checkSystem(ctx, root); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "samecycle-foreign-")
	if err != nil {
		return nil, fmt.Errorf("%w: no temporary folder: %w; set TMPDIR to one that can be written", ErrBuild,
			err)
	}
	w := &Work{Target: t, Folder: folder, o: o, uncopied: u, exe: filepath.Join(folder, "driver.exe")}
	if err := w.build(ctx, a, root, e); err != nil {
		if len(w.others) > 0 && (errors.Is(err, ErrBuild) || errors.Is(err, ErrSource)) {
			o.log("not built with copies of what %v requires: trying without", t)
			err = &requiredError{err: err}
		}
		return nil, errors.Join(w.placed(w.vendorOnly(err)), w.Close())
	}
	w.Took = time.Since(began)
	return w, nil
}

// Close removes the work folder.
func (w *Work) Close() error {
	if err := os.RemoveAll(w.Folder); err != nil {
		return fmt.Errorf("work folder not removed: %w", err)
	}
	return nil
}

// build fills the work folder and builds the driver.
func (w *Work) build(ctx context.Context, a adapter, root string, e edits) error {
	c := &copier{changes: a.changes(), edit: e.source}
	if a.main == nil {
		c.doubts = map[string]*doubt{}
	}
	if w.o.Races && a.files == nil {
		if err := w.copySorting(ctx, c, root); err != nil {
			return err
		}
	}
	if err := w.copySource(ctx, a, c, root); err != nil {
		return err
	}
	w.files = c.files
	if w.o.Test != "" {
		if err := w.testsDriver(ctx, c, root); err != nil {
			return err
		}
	} else if a.main == nil {
		if err := w.typedDriver(ctx, c, root, e); err != nil {
			return err
		}
	} else if err := w.adaptedDriver(ctx, a, c, root, e); err != nil {
		return err
	}
	if w.o.Races || c.instrumented || w.o.Test != "" { // a test may end its goroutine
		if err := w.instrumentation(ctx); err != nil {
			return err
		}
	}
	if w.o.Test != "" || a.main == nil {
		if err := w.tellGlobals(ctx); err != nil {
			return err
		}
	}
	w.o.log("building the driver of %v", w.Target)
	// Drivers are not debugged. Without debug information the link takes half the time.
	link := "-ldflags=-w"
	if w.module.path != "" && (w.o.Test != "" || a.main == nil) {
		link += " -X " + shims + "flow.module=" + w.module.path
	}
	_, err := goCommand(ctx, w.Folder, "build", "-mod=mod", "-buildvcs=false", link, "-o", w.exe, ".")
	if err == nil || ctx.Err() != nil {
		return err
	}
	if _, missing := goCommand(ctx, w.Folder, "list", "-mod=mod", "-deps", "."); missing != nil {
		if ctx.Err() != nil {
			return missing
		}
		return fmt.Errorf("%w: what the driver of %v imports: %w", ErrDownload, w.Target, missing)
	}
	return fmt.Errorf("%w: %v: %w", ErrBuild, w.Target, err)
}

// copySource copies the source of the target into the work folder.
func (w *Work) copySource(ctx context.Context, a adapter, c *copier, root string) error {
	defer func() { w.module.copy = filepath.Join(w.Folder, "copy") }()
	if a.files != nil {
		t, err := findToolchain(ctx, root)
		if err != nil {
			return err
		}
		if w.Target.Version != "" && w.Target.Version != t.GOVERSION {
			return fmt.Errorf("%w: %v is wanted, the toolchain is %s: run with "+
				"GOTOOLCHAIN=%s, or leave the version out", ErrTarget, w.Target, t.GOVERSION,
				w.Target.Version)
		}
		w.Target.Version = t.GOVERSION
		return a.standard(c, t, w.Folder)
	}
	if isLocal(w.Target.Name) {
		var err error
		if w.module, err = localModule(ctx, w.Target.Name); err != nil {
			return err
		}
	} else {
		w.o.log("finding %v", w.Target)
		m, err := a.download(ctx, w.Folder, w.Target.Version)
		if err != nil {
			return err
		}
		w.Target.Version = m.Version
		w.module = origin{path: a.target, dir: m.Dir, version: m.Version}
	}
	to := filepath.Join(w.Folder, "copy")
	if err := c.module(w.module.dir, to, nil); err != nil {
		return err
	}
	return errors.Join(nameModule(to, w.module.path), w.copyVendored())
}

// instrumentation changes the copy by its types, which is possible only when it can be built.
func (w *Work) instrumentation(ctx context.Context) error {
	w.o.log("changing the copy of %v", w.Target)
	for _, m := range w.copies() {
		if err := raiseLanguage(m.copy); err != nil {
			return err
		}
	}
	return w.instrumentCopy(ctx, w.o.Races)
}

// adaptedDriver writes go.mod and the driver of an adapter, and copies what the target's module requires.
func (w *Work) adaptedDriver(ctx context.Context, a adapter, c *copier, root string, e edits) error {
	if err := errors.Join(w.moduleFiles(root, driverModule), w.driverFiles(a, e)); err != nil {
		return err
	}
	if w.module.path == "" { // of the standard library
		w.note(c.notes...)
		return nil
	}
	if err := w.copyRequired(ctx, c, w.module.path); err != nil {
		return err
	}
	w.note(c.notes...)
	return nil
}

func (w *Work) driverFiles(a adapter, e edits) error {
	if err := writeTexts(w.Folder, a.main); err != nil {
		return err
	}
	if e.driver == nil {
		return nil
	}
	for name := range a.main {
		path := filepath.Join(w.Folder, name)
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, e.driver(name, text), 0o644)
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrBuild, err)
		}
	}
	return nil
}

// Explore prepares the target of the spec (see ParseTarget) and explores it.
func Explore(ctx context.Context, spec string, o Options) (Report, error) {
	t, err := ParseTarget(spec)
	if err != nil {
		return Report{}, err
	}
	return with(ctx, t, o, (*Work).Explore)
}

// Replay prepares the target to which a token belongs and runs the token's schedule. For a damaged token it
// fetches and builds nothing; the error wraps explore.ErrToken.
func Replay(ctx context.Context, token string, o Options) (Report, error) {
	return withToken(ctx, token, o, (*Work).Replay)
}

// Minimise prepares the target to which a token belongs, and minimises its failure. For a damaged token see
// Replay.
func Minimise(ctx context.Context, token string, o Options) (Report, error) {
	return withToken(ctx, token, o, (*Work).Minimise)
}

func withToken(ctx context.Context, token string, o Options,
	do func(*Work, context.Context, string) (Report, error)) (Report, error) {
	if err := intact(token); err != nil {
		return Report{}, err
	}
	t, err := TokenTarget(token)
	if err != nil {
		return Report{}, err
	}
	if o, err = o.ofToken(t, token); err != nil {
		return Report{}, err
	}
	r, err := with(ctx, t, o, func(w *Work, ctx context.Context) (Report, error) { return do(w, ctx, token) })
	if errors.Is(err, ErrTarget) && t.relative() {
		err = fmt.Errorf("%w; the token is of %s as seen from the folder in which explore ran: replay it "+
			"there", err, t.Name)
	}
	return r, err
}

// intact refuses a damaged token. Only the driver can tell whether the token fits its program.
func intact(token string) error {
	name, err := explore.TokenProgram(token)
	if err != nil {
		return err
	}
	// This program has no actors to run. A token that is whole is read, and then the program is refused.
	_, err = explore.Replay(explore.Program{Name: name}, token, explore.Options{})
	if errors.Is(err, explore.ErrToken) {
		return fmt.Errorf("%.60q: %w", token, err)
	}
	return nil
}

// ofToken returns the options of a token's program.
func (o Options) ofToken(t Target, token string) (Options, error) {
	o.Races = explore.TokenRaces(token)
	name, err := explore.TokenProgram(token)
	if err != nil {
		return o, err
	}
	typed := false
	if o.Test, o.Subject.Package, typed = tokenTest(name); typed {
		return o, nil
	}
	if o.Subject, typed = tokenSubject(token); !typed {
		if a, err := t.adapter(); err != nil || a.main == nil {
			return o, fmt.Errorf("%w: %v has no adapter, and the token names no type", ErrTarget, t)
		}
	}
	return o, nil
}

func with(ctx context.Context, t Target, o Options,
	do func(*Work, context.Context) (Report, error)) (Report, error) {
	once := func(w *Work, err error) (Report, error) {
		if err != nil {
			return Report{}, err
		}
		r, err := do(w, ctx)
		return r, errors.Join(w.placed(err), w.Close())
	}
	r, err := once(Prepare(ctx, t, o))
	for u := (uncopied{}); ; {
		next, helps := u.without(err)
		if !helps {
			return r, err
		}
		u = next
		o.log("trying %v without a copy of %s: %v", t, u.what(), err)
		r, err = once(prepareWith(ctx, t, o, edits{}, u))
	}
}

// TokenTarget returns the target of a token, which is part of the name of its program. The error wraps
// ErrToken if the token is of a program of this project.
func TokenTarget(token string) (Target, error) {
	name, err := explore.TokenProgram(token)
	if err != nil {
		return Target{}, err
	}
	spec, _, ok := strings.Cut(name, "#")
	if !ok {
		return Target{}, fmt.Errorf("%w: program %q names no target", ErrToken, name)
	}
	return ParseTarget(spec)
}
