package foreign

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// standardModule is the module, in the work folder, of the copies of packages of the standard library. Like
// the paths of these packages, its path has no dot.
const standardModule = "samecycle_standard"

// logging are the packages of the standard library that are copied, too, if tests use them. They call
// writers and handlers of the program while they hold a lock.
var logging = []string{"log", "log/slog"}

// errNotCopied is the reason why the original packages are used.
var errNotCopied = errors.New("the original is used")

// loggingName is the name under which these copies import the shim that is made for them.
const loggingName = "samecycleLogging"

// unseen makes a file of these packages use that shim: for the clock, and for pools. Each line keeps its
// number.
func unseen(_ string, text []byte) []byte {
	out := strings.ReplaceAll(string(text), "time.Now()", loggingName+".Now()")
	clock := out != string(text)
	out = strings.ReplaceAll(out, "sync.Pool{", loggingName+".Pool{")
	pools := strings.Contains(out, loggingName+".Pool{")
	if clock {
		out += "var _ time.Time\n" // keeps the import used
	}
	if pools {
		out += "var _ sync.Mutex\n"
	}
	if !clock && !pools {
		return text
	}
	name := packageClause.FindString(out)
	return []byte(strings.Replace(out, name, fmt.Sprintf("%s; import %s %q", name, loggingName,
		shims+"logging"), 1))
}

// packageClause matches the package clause of a file, up to its name.
var packageClause = regexp.MustCompile(`(?m)^package \w+`)

// copyLogging copies packages log and log/slog of the toolchain, so that their locks are explored, and makes
// the copies use them. It does nothing if a package without a copy uses one of them, because such a package
// has other types and other variables, or if the copies cannot be made.
func (w *Work) copyLogging(ctx context.Context, c *copier, packages []listed, importPaths []string) error {
	byPath, needed := map[string]listed{}, map[string]bool{}
	for _, p := range packages {
		byPath[p.ImportPath] = p
	}
	for _, p := range importPaths {
		maps.Copy(needed, reached(byPath, p))
	}
	used := false
	for _, p := range packages {
		logs := slices.ContainsFunc(p.Imports, func(i string) bool { return slices.Contains(logging, i) })
		if !logs || !needed[p.ImportPath] || slices.Contains(logging, p.ImportPath) {
			continue
		}
		if p.Module == nil || !slices.ContainsFunc(w.copies(), func(m origin) bool {
			return m.path == p.Module.Path
		}) {
			return nil
		}
		used = true
	}
	if !used {
		return nil
	}
	t, err := findToolchain(ctx, w.Folder)
	if err != nil {
		return err
	}
	o := origin{path: standardModule, dir: filepath.Join(t.GOROOT, "src"),
		copy: filepath.Join(w.Folder, "standard")}
	s, err := standardCopy(c.changes, t, o, needed)
	if errors.Is(err, errNotCopied) {
		return os.RemoveAll(o.copy)
	}
	if err != nil {
		return err
	}
	for _, f := range c.files {
		if err := relink(f.to, s.changes); err != nil {
			return err
		}
	}
	w.o.log("copying %s, which %v uses", strings.Join(logging, " and "), w.Target)
	w.others = append(w.others, o)
	_, err = goCommand(ctx, w.Folder, "mod", "edit", "-require="+standardModule+"@v0.0.0",
		"-replace="+standardModule+"=./"+filepath.Base(o.copy))
	return err
}

// release matches the version of a toolchain.
var release = regexp.MustCompile(`^go1\.(\d+)`)

// standardCopy copies those of the packages that are needed, and the internal packages that they share.
func standardCopy(changes map[string]string, t toolchain, o origin, needed map[string]bool) (*copier, error) {
	version := release.FindString(t.GOVERSION)
	if version == "" {
		return nil, fmt.Errorf("%w: the toolchain has the version %s", errNotCopied, t.GOVERSION)
	}
	c := &copier{changes: maps.Clone(changes), edit: unseen}
	var all []string
	for p := range needed {
		if p == "log" || strings.HasPrefix(p, "log/") {
			all = append(all, p)
			c.changes[p] = path.Join(standardModule, p)
		}
	}
	for _, p := range slices.Sorted(slices.Values(all)) {
		from := filepath.Join(o.dir, filepath.FromSlash(p))
		files, err := os.ReadDir(from)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrSource, err)
		}
		for _, f := range files {
			if err := c.standardFile(filepath.Join(from, f.Name()), f, filepath.Join(o.copy, p)); err != nil {
				return nil, err
			}
		}
	}
	mod := fmt.Sprintf("module %s\n\ngo %s\n", standardModule, strings.TrimPrefix(version, "go"))
	if err := os.WriteFile(filepath.Join(o.copy, "go.mod"), []byte(mod), 0o644); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSource, err)
	}
	return c, nil
}

// standardFile copies a file of a package of the standard library, if the package is made of it. A file that
// depends on the rest of the library in a way that a copy cannot is an error.
func (c *copier) standardFile(from string, f fs.DirEntry, folder string) error {
	if f.IsDir() || !strings.HasSuffix(from, ".go") || strings.HasSuffix(from, "_test.go") {
		return nil
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), from, text, parser.ImportsOnly)
	if err != nil || strings.Contains(string(text), "\n//go:linkname ") {
		return fmt.Errorf("%w: %s: it is linked to others, %w", errNotCopied, from, err)
	}
	for _, i := range file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil || c.changes[p] == "" && slices.Contains(strings.Split(p, "/"), "internal") {
			return fmt.Errorf("%w: %s imports %s", errNotCopied, from, p)
		}
	}
	return c.file(from, filepath.Join(folder, f.Name()))
}

// relink changes the imports of a file that was copied before, if there is a change for them.
func relink(name string, changes map[string]string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ImportsOnly)
	if err != nil {
		return nil // the error is reported by the build, if the file is a part of it
	}
	var out []byte
	at := 0
	for _, i := range file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		to := changes[p]
		if err != nil || !strings.HasPrefix(to, standardModule+"/") {
			continue
		}
		out = append(append(out, text[at:files.Position(i.Path.Pos()).Offset]...), strconv.Quote(to)...)
		at = files.Position(i.Path.End()).Offset
	}
	if at == 0 {
		return nil
	}
	if err := os.WriteFile(name, append(out, text[at:]...), 0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	return nil
}
