package foreign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/samecycle/samecycle/scenarios/explore"
	"github.com/samecycle/samecycle/scenarios/foreign/driver"
)

// Errors of building and running a driver.
var (
	ErrBuild  = errors.New("driver not built")
	ErrDriver = errors.New("driver failed")
	ErrToken  = errors.New("token of no foreign program")
)

// Options say how to explore. The zero value is good.
type Options struct {
	// Preemptions is the last bound of the search, driver.DefaultPreemptions if it is zero.
	Preemptions int

	// Root is the folder of this project; empty for the one around the working folder.
	Root string

	// Races reports the plain accesses of the copy to the explorer, which finds those that race.
	Races bool

	// Log, if not nil, gets a line for each stage: download, build, each suite.
	Log io.Writer
}

func (o Options) log(format string, args ...any) {
	if o.Log != nil {
		fmt.Fprintf(o.Log, format+"\n", args...)
	}
}

// Work is a built driver in its temporary folder. Its methods may be called one after the other.
type Work struct {
	Target Target // with the version that was found
	Folder string
	Notes  []string      // what the explorer does not control in the copied source
	Took   time.Duration // to download, copy and build

	o     Options
	exe   string
	files []copied
}

// edits are what tests change: the canaries.
type edits struct {
	source func(name string, text []byte) []byte // in each file of the copy
	driver func(name string, text []byte) []byte // in each file of the driver
}

// Prepare copies and builds a target. It needs the go command, and the network if the module
// is not in the module cache yet. The caller closes the work.
func Prepare(ctx context.Context, t Target, o Options) (*Work, error) {
	return prepare(ctx, t, o, edits{})
}

func prepare(ctx context.Context, t Target, o Options, e edits) (*Work, error) {
	began := time.Now()
	a, err := t.adapter()
	if err != nil {
		return nil, err
	}
	root, err := findRoot(o.Root)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "samecycle-foreign-")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBuild, err)
	}
	w := &Work{Target: t, Folder: folder, o: o, exe: filepath.Join(folder, "driver.exe")}
	if err := w.build(ctx, a, root, e); err != nil {
		return nil, errors.Join(err, w.Close())
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
	var require string
	var sums []byte
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
		if err := a.standard(c, t, w.Folder); err != nil {
			return err
		}
	} else {
		w.o.log("finding %v", w.Target)
		m, err := a.download(ctx, w.Folder, w.Target.Version)
		if err != nil {
			return err
		}
		w.Target.Version = m.Version
		if err := c.module(m.Dir, filepath.Join(w.Folder, "copy")); err != nil {
			return err
		}
		require = fmt.Sprintf("\nrequire %s %s\n\nreplace %s => ./copy\n", a.target, m.Version, a.target)
		if sums, err = os.ReadFile(filepath.Join(m.Dir, "go.sum")); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("%w: %w", ErrSource, err)
		}
	}
	w.files, w.Notes = c.files, c.notes
	if err := w.moduleFiles(root, require, sums); err != nil {
		return err
	}
	if err := w.driverFiles(a, e); err != nil {
		return err
	}
	if w.o.Races || c.instrumented {
		if err := w.instrumentation(ctx); err != nil {
			return err
		}
	}
	w.o.log("building the driver of %v", w.Target)
	if _, err := goCommand(ctx, w.Folder, "list", "-mod=mod", "-deps", "."); err != nil {
		if ctx.Err() != nil {
			return err
		}
		return fmt.Errorf("%w: what the driver of %v imports: %w", ErrDownload, w.Target, err)
	}
	_, err := goCommand(ctx, w.Folder, "build", "-mod=mod", "-buildvcs=false", "-o", w.exe, ".")
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %v: %w", ErrBuild, w.Target, err)
	}
	return err
}

// instrumentation changes the copy by its types, so after it can be built.
func (w *Work) instrumentation(ctx context.Context) error {
	w.o.log("changing the copy of %v", w.Target)
	if err := raiseLanguage(filepath.Join(w.Folder, "copy")); err != nil {
		return err
	}
	return w.instrumentCopy(ctx, w.o.Races)
}

// moduleFiles writes go.mod and go.sum. The versions of what this project needs come from its own
// go.mod by the replacement, those of the target from the target's.
func (w *Work) moduleFiles(root, require string, sums []byte) error {
	ours, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRoot, err)
	}
	goLines := ""
	for line := range strings.Lines(string(ours)) {
		if strings.HasPrefix(line, "go ") || strings.HasPrefix(line, "toolchain ") {
			goLines += line
		}
	}
	text := fmt.Sprintf("module %s\n\n%s\nrequire %s v0.0.0\n\nreplace %s => %s\n%s",
		driverModule, goLines, project, project, strconv.Quote(root), require)
	oursSums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRoot, err)
	}
	err = errors.Join(
		os.WriteFile(filepath.Join(w.Folder, "go.mod"), []byte(text), 0o644),
		os.WriteFile(filepath.Join(w.Folder, "go.sum"), append(oursSums, sums...), 0o644))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBuild, err)
	}
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

// Explore runs all of the adapter's programs.
func (w *Work) Explore(ctx context.Context) (Report, error) {
	bound := w.o.Preemptions
	if bound == 0 {
		bound = driver.DefaultPreemptions
	}
	return w.run(ctx, "-preemptions="+strconv.Itoa(bound), "-races="+strconv.FormatBool(w.o.Races))
}

// Replay runs the one schedule of a token.
func (w *Work) Replay(ctx context.Context, token string) (Report, error) {
	return w.again(ctx, token)
}

// Minimise takes calls, then actors, then switches away from the failing schedule of a token, as long
// as the failure stays one of its kind, and reports what is left.
func (w *Work) Minimise(ctx context.Context, token string) (Report, error) {
	return w.again(ctx, token, "-minimise")
}

func (w *Work) again(ctx context.Context, token string, flags ...string) (Report, error) {
	t, err := TokenTarget(token)
	if err != nil {
		return Report{}, err
	}
	if t != w.Target {
		return Report{}, fmt.Errorf("%w: it belongs to %v, this is %v", ErrToken, t, w.Target)
	}
	return w.run(ctx, append(flags, "-replay="+token)...)
}

// run runs the driver and reads its report.
func (w *Work) run(ctx context.Context, args ...string) (Report, error) {
	r := Report{Notes: slices.Clone(w.Notes), Prepared: w.Took}
	cmd := exec.CommandContext(ctx, w.exe, append([]string{"-target=" + w.Target.String()}, args...)...)
	cmd.Dir, cmd.WaitDelay = w.Folder, waitDelay
	var out, notices bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &notices
	if w.o.Log != nil {
		cmd.Stderr = io.MultiWriter(&notices, w.o.Log)
	}
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case err != nil:
		return r, fmt.Errorf("%w: %v: %v: %s", ErrDriver, w.Target, err, lastLines(notices.String()))
	}
	if err := json.Unmarshal(out.Bytes(), &r.Report); err != nil {
		return r, fmt.Errorf("%w: %v: report not readable: %w", ErrDriver, w.Target, err)
	}
	if r.Target != w.Target.String() || len(r.Results) == 0 {
		return r, fmt.Errorf("%w: %v: report of %q with %d results", ErrDriver, w.Target, r.Target,
			len(r.Results))
	}
	return r, nil
}

// lastLines keeps the end of what a driver wrote before it failed.
func lastLines(text string) string {
	const most = 4000
	text = strings.TrimSpace(text)
	return text[max(0, len(text)-most):]
}

// Explore prepares the target of the spec (see ParseTarget) and explores it.
func Explore(ctx context.Context, spec string, o Options) (Report, error) {
	t, err := ParseTarget(spec)
	if err != nil {
		return Report{}, err
	}
	return with(ctx, t, o, (*Work).Explore)
}

// Replay prepares the target that a token belongs to and runs the token's schedule.
func Replay(ctx context.Context, token string, o Options) (Report, error) {
	t, err := TokenTarget(token)
	if err != nil {
		return Report{}, err
	}
	o.Races = explore.TokenRaces(token)
	return with(ctx, t, o, func(w *Work, ctx context.Context) (Report, error) {
		return w.Replay(ctx, token)
	})
}

// Minimise prepares the target that a token belongs to and minimises its failure.
func Minimise(ctx context.Context, token string, o Options) (Report, error) {
	t, err := TokenTarget(token)
	if err != nil {
		return Report{}, err
	}
	o.Races = explore.TokenRaces(token)
	return with(ctx, t, o, func(w *Work, ctx context.Context) (Report, error) {
		return w.Minimise(ctx, token)
	})
}

func with(ctx context.Context, t Target, o Options,
	do func(*Work, context.Context) (Report, error)) (Report, error) {
	w, err := Prepare(ctx, t, o)
	if err != nil {
		return Report{}, err
	}
	r, err := do(w, ctx)
	return r, errors.Join(err, w.Close())
}

// TokenTarget returns the target of a token, which is part of its program's name. The error
// wraps ErrToken if the token is one of a program of this project.
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
