package foreign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/samecycle/samecycle/internal/disk"
)

// Errors of finding and copying a target's source.
var (
	ErrToolchain = errors.New("go command")
	ErrDownload  = errors.New("module not available")
	ErrSource    = errors.New("source unusable")
	ErrRoot      = errors.New("project folder not found")
)

// waitDelay is how long the children of a cancelled command may keep its output open.
const waitDelay = 2 * time.Second

// goCommand runs the go command in the folder, as if there were no go.work, and returns its standard output.
func goCommand(ctx context.Context, folder string, args ...string) ([]byte, error) {
	return runGo(ctx, folder, []string{"GOWORK=off"}, args...)
}

// runGo is goCommand in the user's environment with some changes.
func runGo(ctx context.Context, folder string, env []string, args ...string) ([]byte, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("%w: not found: install Go and put it on the PATH (%v)",
			ErrToolchain, err)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.WaitDelay = folder, waitDelay
	cmd.Env = append(append(os.Environ(), "GO111MODULE=on"), env...)
	out, err := cmd.Output()
	if err == nil {
		return out, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	text := strings.TrimSpace(string(out))
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
		text = strings.TrimSpace(string(exit.Stderr)) // a partial list is of no use
	}
	return out, fmt.Errorf("%w: %w", ErrToolchain, disk.OfGo("go "+strings.Join(args, " "), err, text))
}

// toolchain is the Go that builds the driver.
type toolchain struct{ GOROOT, GOVERSION string }

func findToolchain(ctx context.Context, folder string) (toolchain, error) {
	var t toolchain
	out, err := goCommand(ctx, folder, "env", "-json", "GOROOT", "GOVERSION")
	if err != nil {
		return t, err
	}
	if err := json.Unmarshal(out, &t); err != nil {
		return t, fmt.Errorf("%w: go env: %v", ErrToolchain, err)
	}
	return t, nil
}

// module is what go mod download prints for one module.
type module struct{ Version, Dir, Sum, Error string }

// download finds a module in the module cache, or downloads it with the user's own settings.
func (a adapter) download(ctx context.Context, folder, version string) (module, error) {
	var m module
	spec := a.target + "@" + version
	out, err := goCommand(ctx, folder, "mod", "download", "-json", spec)
	if ctx.Err() != nil {
		return m, ctx.Err()
	}
	if e := json.Unmarshal(out, &m); e != nil || m.Error != "" || err != nil {
		why := m.Error
		if why == "" {
			why = fmt.Sprint(errors.Join(err, e))
		}
		why = strings.TrimPrefix(why, spec+": ")
		return m, fmt.Errorf("%w: %s: %s; check the version and the network, or fetch it first "+
			"with: go mod download %s", ErrDownload, spec, why, spec)
	}
	if want := a.sums[m.Version]; want != "" && want != m.Sum {
		return m, fmt.Errorf("%w: %s has the checksum %s, not %s: this is not the code that the "+
			"adapter is for", ErrSource, spec, m.Sum, want)
	}
	return m, nil
}

// copier writes changed copies of source files into the work folder.
type copier struct {
	changes map[string]string
	edit    func(name string, text []byte) []byte // used by tests to break the copy; nil for none
	files   []copied
	notes   []note

	instrumented bool // a file has statements that must be changed for the explorer to see or control them

	// doubts, if not nil, collects the doubts about the folders of the copy. If it is nil, a refused import
	// ends the copying, and notes collects the rest.
	doubts map[string]*doubt
}

// A doubt is what the explorer does not control in a folder.
type doubt struct {
	notes   []note
	refused error // an import that cannot be explored
	chance  bool  // it imports the clock or a source of random numbers
}

// chances are the shims that give each execution its own numbers, while code outside gets others.
var chances = []string{shims + "time", shims + "rand", shims + "rand2", shims + "crand"}

// linkedChance matches a directive that gives a package the runtime's random numbers. An adapter knows their
// effect.
var linkedChance = regexp.MustCompile(`(?m)^//go:linkname \S+ runtime\.\w*rand`)

// doubt notes what was found about a file of the copy.
func (c *copier) doubt(to string, text []byte, notes []note, refused error) {
	d := c.doubts[filepath.Dir(to)]
	if d == nil {
		d = &doubt{}
		c.doubts[filepath.Dir(to)] = d
	}
	file := filepath.Base(to)
	for _, at := range linkedChance.FindAllIndex(text, -1) {
		const what = "random numbers of the runtime"
		notes = append(notes, note{what: what, text: fmt.Sprintf("%s:%d: %s", file,
			1+bytes.Count(text[:at[0]], []byte("\n")), what)})
	}
	for _, n := range notes {
		n.file = file
		d.notes = append(d.notes, n)
	}
	if d.refused == nil {
		d.refused = refused
	}
	for _, path := range chances {
		d.chance = d.chance || bytes.Contains(text, []byte(strconv.Quote(path)))
	}
}

// A copied file, with the path of its original and that of the copy.
type copied struct{ from, to string }

// file copies one file. Go files get the changed imports.
func (c *copier) file(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	if strings.HasSuffix(from, ".go") {
		var notes []note
		c.instrumented = c.instrumented || flows(text) || c.doubts != nil && (ranges(text) || mayAsk(text))
		original := text
		text, notes, err = changeImports(filepath.Base(from), text, c.changesOf(text))
		switch {
		case c.doubts != nil:
			if err != nil {
				text = original
			}
			if errors.Is(err, errImport) {
				err = fmt.Errorf("%w: explore a copy of the module that does without", err)
			}
			text = ownChance(text)
			c.doubt(to, text, notes, err)
		case errors.Is(err, errImport):
			return fmt.Errorf("%w: write a deterministic shim and add it to the adapter's imports", err)
		case err != nil:
			return err
		}
		c.notes = append(c.notes, notes...)
		c.files = append(c.files, copied{from, to})
	}
	if c.edit != nil {
		text = c.edit(filepath.ToSlash(from), text)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	if err := os.WriteFile(to, text, 0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	return nil
}

// module copies a module: the files that an importer of the module can build, and its go.mod, go.sum and
// licence. If wanted is not nil, Go files are copied only from these folders.
func (c *copier) module(from, to string, wanted map[string]bool) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("%w: %w", ErrSource, err)
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrSource, err)
		}
		name := d.Name()
		switch {
		case rel == ".":
			return nil
		case d.IsDir() && skipped(path, name):
			return fs.SkipDir
		case d.IsDir() || !d.Type().IsRegular() || strings.HasPrefix(name, "."):
			return nil
		case strings.HasSuffix(name, "_test.go"):
			return nil
		case strings.HasSuffix(name, ".go") && (wanted != nil && !wanted[filepath.Dir(path)] || isMain(path)):
			return nil
		}
		return c.file(path, filepath.Join(to, rel))
	})
}

// skipped reports whether a folder below a module does not belong to it, or is not needed.
func skipped(path, name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" ||
		name == "vendor" || exists(filepath.Join(path, "go.mod"))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// standard copies the files of a target in the standard library and adds the adapter's.
func (a adapter) standard(c *copier, t toolchain, folder string) error {
	for from, to := range a.files {
		from = filepath.Join(t.GOROOT, "src", filepath.FromSlash(from))
		if !exists(from) {
			return fmt.Errorf("%w: %s of %s is not in %s: %s is laid out as of Go 1.24, use that or "+
				"a later one", ErrSource, filepath.Base(from), t.GOVERSION, filepath.Dir(from), a.target)
		}
		if err := c.file(from, filepath.Join(folder, filepath.FromSlash(to))); err != nil {
			return err
		}
	}
	return writeTexts(folder, a.added)
}

// writeTexts writes files of adapters/ into the folder.
func writeTexts(folder string, names map[string]string) error {
	for to, from := range names {
		text, err := texts.ReadFile("adapters/" + from)
		if err != nil {
			return fmt.Errorf("%w: adapter: %w", ErrSource, err)
		}
		to = filepath.Join(folder, filepath.FromSlash(to))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return fmt.Errorf("%w: %w", ErrSource, err)
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return fmt.Errorf("%w: %w", ErrSource, err)
		}
	}
	return nil
}

// findRoot returns the folder of this project: the given one, the one around the working folder, or the one
// from which this program was built.
func findRoot(given string) (string, error) {
	starts := []string{given}
	if given == "" {
		here, err := os.Getwd()
		if err != nil {
			return "", fmt.Errorf("%w: %w", ErrRoot, err)
		}
		_, file, _, _ := runtime.Caller(0)
		starts = []string{here, filepath.Dir(file)}
	}
	for _, start := range starts {
		folder, err := filepath.Abs(start)
		if err != nil {
			return "", fmt.Errorf("%w: %w", ErrRoot, err)
		}
		for {
			text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
			if err == nil && strings.HasPrefix(string(text), "module "+project+"\n") {
				return folder, nil
			}
			up := filepath.Dir(folder)
			if up == folder {
				break
			}
			folder = up
		}
	}
	return "", fmt.Errorf("%w: no go.mod of %s in or above %s: run this in a clone of the project",
		ErrRoot, project, starts[0])
}
