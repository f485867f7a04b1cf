package foreign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/explore"
)

// ErrTypes means that a target is explored by one of its types, and none was named. The error lists the
// types.
var ErrTypes = fmt.Errorf("%w: name a type", ErrTarget)

// isLocal reports whether a target is a folder of the user.
func isLocal(name string) bool {
	return name == "." || name == ".." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") ||
		filepath.IsAbs(name)
}

// An origin is where the source of a module is.
type origin struct {
	path, dir, version string
	below              string        // path of the named package below that of the module
	replaced           []replacement // replacements by its go.mod, or its go.work
	sums               []string      // files with sums, in addition to its own
	language           string        // version of the language in its go.mod, or its go.work
	work               string        // the go.work that uses it
	vendor             string        // the vendor folder that the go command uses for it
	vendored           []vendored    // the modules there
	copy               string        // the folder of the copy
}

// moduleAbove returns the folder of the module that contains a folder. A go.mod that cannot be read is an
// error, and not treated as absent, because a module further up would be a different one.
func moduleAbove(folder string) (string, error) {
	for dir := folder; ; dir = filepath.Dir(dir) {
		switch _, err := os.Stat(filepath.Join(dir, "go.mod")); {
		case err == nil:
			return dir, nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("%w: %w; name a folder that can be read", ErrTarget, err)
		case dir == filepath.Dir(dir):
			return "", fmt.Errorf("%w: no go.mod in or above %s: make it a module with go mod init",
				ErrTarget, folder)
		}
	}
}

// localModule finds the module around a folder.
func localModule(ctx context.Context, name string) (origin, error) {
	if filepath.Base(name) == "..." {
		return origin{}, fmt.Errorf("%w: %s names several packages, whose tests are explored with --test: "+
			"add that, or name one folder, as %s", ErrTarget, name, strings.TrimSuffix(name, "..."))
	}
	folder, err := filepath.Abs(name)
	if err != nil {
		return origin{}, fmt.Errorf("%w: %w", ErrTarget, err)
	}
	if s, err := os.Stat(folder); err != nil {
		return origin{}, fmt.Errorf("%w: %w; name a folder that can be read", ErrTarget, err)
	} else if !s.IsDir() {
		return origin{}, fmt.Errorf("%w: %s is no folder; name the one that it is in", ErrTarget, name)
	}
	dir, folder, err := moduleOf(folder)
	if err != nil {
		return origin{}, err
	}
	mod, err := readMod(ctx, dir, "")
	if err != nil {
		return origin{}, err
	}
	if mod.Module.Path == project {
		return origin{}, fmt.Errorf("%w: %s is this project, which is explored by the names of its "+
			"operation states", ErrTarget, name)
	}
	o := origin{path: mod.Module.Path, dir: dir, version: anyVersion(mod.Module.Path), language: mod.Go}
	if rel, err := filepath.Rel(dir, folder); err == nil && rel != "." {
		o.below = filepath.ToSlash(rel)
	}
	o.replaced = mod.replacements(dir)
	if err := o.joinWorkspace(ctx); err != nil {
		return o, err
	}
	return o, o.useVendor(ctx)
}

var majorVersion = regexp.MustCompile(`[/.]v([0-9]+)$`)

// anyVersion returns a version that a module with that path can have.
func anyVersion(path string) string {
	if m := majorVersion.FindStringSubmatch(path); m != nil {
		return "v" + m[1] + ".0.0"
	}
	return "v0.0.0"
}

// typesByPackage lists the types that each package of the copy exports, by their source text. Each package
// is named by the part of its path after that of the module. broken is the error of a file that does not
// parse; that file may have the type that is missing.
func (w *Work) typesByPackage() (all map[string][]string, broken, err error) {
	root := filepath.Join(w.Folder, "copy")
	all = map[string][]string{}
	for _, c := range w.files {
		f, wrong := parser.ParseFile(token.NewFileSet(), c.from, nil, parser.SkipObjectResolution)
		if wrong != nil {
			broken = fmt.Errorf("%w: %w", ErrSource, wrong)
			continue
		}
		rel, err := filepath.Rel(root, filepath.Dir(c.to))
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrSource, err)
		}
		if rel = filepath.ToSlash(rel); rel == "." {
			rel = ""
		}
		all[rel] = append(all[rel], declaredTypes(f)...)
	}
	return all, broken, nil
}

func declaredTypes(f *ast.File) []string {
	var all []string
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			for _, s := range g.Specs {
				if name := s.(*ast.TypeSpec).Name; name.IsExported() {
					all = append(all, name.Name)
				}
			}
		}
	}
	return all
}

// choosePackage finds the package of the type.
func (w *Work) choosePackage(s Subject) (string, error) {
	all, broken, err := w.typesByPackage()
	if err != nil {
		return "", err
	}
	if s.Package != "" {
		below := cleanPackage(s.Package)
		if _, ok := all[below]; !ok {
			return "", cmp.Or(broken, w.inMain(below, ""), fmt.Errorf("%w: %v has no package %s; it has: %s",
				ErrTarget, w.Target, s.Package, strings.Join(packageNames(all), ", ")))
		}
		return below, nil
	}
	var has []string
	for p, names := range all {
		if slices.Contains(names, s.Type) {
			has = append(has, p)
		}
	}
	slices.Sort(has)
	switch {
	case len(has) == 0:
		return "", cmp.Or(broken, w.inMain("", s.Type), fmt.Errorf("%w: %v exports no type %s; %s",
			ErrTarget, w.Target, s.Type, typeList(all)))
	case len(has) > 1 && has[0] != "":
		return "", fmt.Errorf("%w: several packages of %v have a type %s: choose one by --package: %s",
			ErrTarget, w.Target, s.Type, strings.Join(has, ", "))
	}
	return has[0], nil
}

// cleanPackage returns a package below a module as this package names it: the package at the root is empty;
// in a list of types it is a dot.
func cleanPackage(below string) string {
	if below = path.Clean(below); below == "." {
		return ""
	}
	return below
}

func packageNames(all map[string][]string) []string {
	var names []string
	for _, p := range slices.Sorted(maps.Keys(all)) {
		names = append(names, cmp.Or(p, "the one at its root"))
	}
	return names
}

// typeList lists the types by package, one package a line.
func typeList(all map[string][]string) string {
	var lines []string
	for _, p := range slices.Sorted(maps.Keys(all)) {
		if names := slices.Sorted(slices.Values(all[p])); len(names) > 0 {
			lines = append(lines, "  "+cmp.Or(p, ".")+": "+strings.Join(slices.Compact(names), ", "))
		}
	}
	if len(lines) == 0 {
		return "there is none in a package that others can import, as main is not"
	}
	return "it has:\n" + strings.Join(lines, "\n")
}

// importPath returns the import path of a package of the copy.
func (w *Work) importPath(below string) string { return path.Join(w.module.path, below) }

// driverPath returns the path for the module of the driver. A module with that path may import the package,
// even if the package is internal.
func driverPath(importPath string) string {
	if i := strings.LastIndex("/"+importPath+"/", "/internal/"); i > 0 {
		return importPath[:i-1] + "/" + driverModule
	}
	return driverModule
}

// stub writes a program that imports packages of the copy.
func (w *Work) stub(paths ...string) error {
	stub := "package main\n\nimport (\n"
	for _, p := range paths {
		stub += fmt.Sprintf("\t_ %q\n", p)
	}
	// The shims are imported, so go.sum has everything that a driver needs.
	stub += fmt.Sprintf("\t_ %q\n)\n\nfunc main() {}\n", driverPackage)
	if err := os.WriteFile(filepath.Join(w.Folder, "main.go"), []byte(stub), 0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrBuild, err)
	}
	return nil
}

// loadTypes returns the types of packages of the copy, which the program in the folder imports.
func (w *Work) loadTypes(ctx context.Context, paths ...string) (map[string]*types.Package, []listed, error) {
	packages, err := list(ctx, w.Folder, "-export")
	if err != nil {
		if ctx.Err() == nil {
			err = fmt.Errorf("%w: the copy of %v: %w", ErrBuild, w.Target, err)
		}
		return nil, nil, err
	}
	if err := w.onlyVendored(packages, paths); err != nil {
		return nil, nil, err
	}
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	imp := compiled(token.NewFileSet(), exports)
	all := map[string]*types.Package{}
	for _, p := range paths {
		if all[p], err = imp.Import(p); err != nil {
			return nil, nil, fmt.Errorf("%w: %s: %w", ErrSource, p, err)
		}
	}
	return all, packages, nil
}

// used checks what the driver uses from the copies. It reports whether a value has to be made inside each
// execution, because making it may read the clock or draw random numbers. It also notes which code the
// explorer does not control.
func (w *Work) used(packages []listed, c *copier, paths ...string) (inside bool, err error) {
	w.Notes, w.uncontrolled = nil, nil
	for _, p := range packages {
		folder, is := w.copyOf(p)
		d := c.doubts[folder]
		if !is || d == nil {
			continue
		}
		if d.refused != nil {
			return false, d.refused
		}
		for _, n := range d.notes {
			if !slices.Contains(p.GoFiles, n.file) && !slices.Contains(p.CgoFiles, n.file) {
				continue // the file is for another system, or needs a tag
			}
			if p.Module != nil && p.Module.Path != w.module.path { // its files may have the same names
				n.text = p.ImportPath + "/" + n.text
			}
			w.note(n)
		}
		inside = inside || d.chance
	}
	w.noteUncopied(packages, c.changes, paths)
	return inside, nil
}

// typedDriver chooses the package of the type, and writes go.mod and the driver.
func (w *Work) typedDriver(ctx context.Context, c *copier, root string, e edits) error {
	s := w.o.Subject
	if s.Type == "" {
		return w.withTests(w.listTypes(ctx, root))
	}
	if name, _, generic := strings.Cut(s.Type, "["); generic {
		return fmt.Errorf("%w: %s: type arguments are chosen by the search, out of uint32, int, uint64, "+
			"string and any: write --type %s", ErrTarget, s.Type, name)
	}
	w.o.log("finding %s in %v", s.Type, w.Target)
	if s.Package == "" {
		s.Package = w.module.below
	}
	below, err := w.choosePackage(s)
	if err != nil {
		return err
	}
	importPath := w.importPath(below)
	if err := w.moduleFiles(root, driverPath(importPath)); err != nil {
		return err
	}
	if err := errors.Join(w.stub(importPath), w.copyRequired(ctx, c, importPath)); err != nil {
		return err
	}
	all, packages, err := w.loadTypes(ctx, importPath)
	if err != nil {
		return err
	}
	f, err := find(all[importPath], s)
	if err != nil {
		return cmp.Or(w.notBuilt(s.Type, importPath, packages), err)
	}
	inside, err := w.used(packages, c, importPath)
	if err != nil {
		return err
	}
	w.subject = f
	text := f.source(objectName(below, s.Type), inside)
	if e.driver != nil {
		text = e.driver("main.go", text)
	}
	if err := os.WriteFile(filepath.Join(w.Folder, "main.go"), text, 0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrBuild, err)
	}
	return nil
}

// mostListed bounds the number of packages whose types are listed with their methods.
const mostListed = 12

// listTypes returns an error that says which types can be explored, and how.
func (w *Work) listTypes(ctx context.Context, root string) error {
	all, broken, err := w.typesByPackage()
	if err != nil {
		return err
	}
	// One driver imports all packages. So it is at the place of the wanted package. For a module of the
	// user, it is at a place from which the packages in internal/ can be imported.
	wanted, own := cleanPackage(cmp.Or(w.o.Subject.Package, w.module.below)), driverModule
	switch {
	case wanted != "":
		own = driverPath(w.importPath(wanted))
	case isLocal(w.Target.Name):
		own = driverPath(w.importPath("internal"))
	}
	var below []string
	for _, p := range slices.Sorted(maps.Keys(all)) {
		seen := driverPath(w.importPath(p))
		if (wanted == "" || wanted == p) && len(all[p]) > 0 && (seen == own || seen == driverModule) {
			below = append(below, p)
		}
	}
	if len(below) == 0 {
		return cmp.Or(broken, fmt.Errorf("%w: %v exports no types here; %s", ErrTypes, w.Target,
			typeList(all)))
	}
	if err := w.moduleFiles(root, own); err != nil {
		return err
	}
	var paths []string
	for _, p := range below[:min(mostListed, len(below))] {
		paths = append(paths, w.importPath(p))
	}
	if err := w.stub(paths...); err != nil {
		return err
	}
	packages, _, err := w.loadTypes(ctx, paths...)
	if err != nil {
		return err
	}
	var can, cannot []string
	for i, p := range paths {
		for _, name := range exportedTypes(packages[p]) {
			f, err := find(packages[p], Subject{Type: name})
			if err != nil || slices.Equal(f.methodNames(), []string{"Error"}) {
				cannot = append(cannot, objectName(below[i], name))
				continue
			}
			command := fmt.Sprintf("samecycle explore %v --type %s", w.Target, name)
			if below[i] != w.module.below {
				command += " --package " + below[i]
			}
			can = append(can, f.describe(command))
		}
	}
	text := fmt.Sprintf("%v has no adapter, but these types can be explored:\n%s", w.Target,
		strings.Join(can, "\n"))
	if len(can) == 0 {
		text = fmt.Sprintf("%v has no type that can be explored", w.Target)
	}
	if len(cannot) > 0 {
		text += "\nothers have no method that can be called, or nothing makes a value of them (--type says " +
			"why): " + strings.Join(cannot, ", ")
	}
	if more := len(below) - len(paths); more > 0 {
		text += fmt.Sprintf("\nand %d packages more, whose types --package lists: %s", more,
			strings.Join(below[len(paths):], ", "))
	}
	return fmt.Errorf("%w: %s", ErrTypes, text)
}

// objectName is the name of the type in tokens.
func objectName(below, name string) string {
	if below == "" {
		return name
	}
	return below + "." + name
}

// tokenSubject reads the subject of a token; the result is false if the program is that of an adapter.
func tokenSubject(token string) (Subject, bool) {
	name, err := explore.TokenProgram(token)
	if err != nil {
		return Subject{}, false
	}
	f := strings.Split(name, "#")
	if len(f) < 3 {
		return Subject{}, false
	}
	var s Subject
	s.Package, s.Type = "", f[1]
	if i := strings.LastIndexByte(f[1], '.'); i >= 0 {
		s.Package, s.Type = f[1][:i], f[1][i+1:]
	}
	if s.New, _, _ = strings.Cut(f[2], "("); strings.HasSuffix(s.New, "{}") {
		s.New = zeroValue
	}
	return s, true
}
