package foreign

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// driverPackage is the package with which a driver is made.
const driverPackage = project + "/foreign/driver"

// A requiredError is the error of a target that cannot be explored with copies of all modules that its module
// requires.
type requiredError struct {
	modules []string // those that are the reason; none: it is not known
	err     error
}

func (e *requiredError) Error() string { return "with copies of what it requires: " + e.err.Error() }

func (e *requiredError) Unwrap() error { return e.err }

// uncopied says which of the modules that a target's module requires are not copied.
type uncopied struct {
	all     bool
	modules []string
}

func (u uncopied) has(path string) bool { return u.all || slices.Contains(u.modules, path) }

// without returns what is not to be copied the next time, and whether that may help.
func (u uncopied) without(err error) (next uncopied, helps bool) {
	e, is := errors.AsType[*requiredError](err)
	if !is || u.all {
		return u, false
	}
	for _, m := range e.modules {
		if !u.has(m) {
			return uncopied{modules: slices.Concat(u.modules, e.modules)}, true
		}
	}
	return uncopied{all: true}, true
}

// what names the modules that are not copied.
func (u uncopied) what() string {
	if u.all {
		return "what it requires"
	}
	return strings.Join(u.modules, ", ")
}

// modulesOf returns the copied modules to which the functions belong.
func (w *Work) modulesOf(functions []string) (all []string) {
	for _, f := range functions {
		found := ""
		for _, o := range w.others {
			is := strings.HasPrefix(f, o.path+".") || strings.HasPrefix(f, o.path+"/")
			if is && len(o.path) > len(found) {
				found = o.path
			}
		}
		if found != "" && !slices.Contains(all, found) {
			all = append(all, found)
		}
	}
	return all
}

// copyRequired copies, in addition to the target's module, the modules that it requires, if the packages at
// the paths depend on them and they concern what actors share. Then it makes go.mod use the copies. Modules
// that cannot be copied are noted in outside.
func (w *Work) copyRequired(ctx context.Context, c *copier, importPaths ...string) error {
	packages, err := list(ctx, w.Folder)
	if err != nil {
		if ctx.Err() == nil {
			err = fmt.Errorf("%w: what %v requires: %w", ErrDownload, w.Target, err)
		}
		return err
	}
	modules, err := w.required(packages, importPaths)
	if err != nil {
		return err
	}
	var changed []string // changes of go.mod
	for _, m := range modules {
		at := fmt.Sprint("required/", len(w.others)+1)
		o := origin{path: m.path, dir: m.dir, copy: filepath.Join(w.Folder, filepath.FromSlash(at))}
		w.o.log("copying %s, which %v requires", m.path, w.Target)
		if err := c.module(o.dir, o.copy, m.folders); err != nil {
			return err
		}
		if err := nameModule(o.copy, o.path); err != nil {
			return err
		}
		for _, r := range w.module.replaced { // one of a single version would take precedence
			if r.path == m.path && r.version != "" {
				changed = append(changed, "-dropreplace="+r.path+"@"+r.version)
			}
		}
		w.others = append(w.others, o)
		changed = append(changed, "-replace="+m.path+"=./"+at)
	}
	w.files = c.files
	if len(changed) > 0 {
		if _, err = goCommand(ctx, w.Folder, append([]string{"mod", "edit"}, changed...)...); err != nil {
			return err
		}
	}
	if w.o.Test == "" || w.uncopied.all {
		return nil
	}
	return w.copyLogging(ctx, c, packages, importPaths)
}

// A requirement is a module that another one requires.
type requirement struct {
	path, dir string
	folders   map[string]bool // of the packages that are needed
	shares    []string        // packages that concern what actors share
	calls     bool            // some packages use C
	machine   bool            // the driver itself depends on some of the packages
}

// required returns the modules to copy, in the order of their paths.
func (w *Work) required(packages []listed, importPaths []string) ([]requirement, error) {
	byPath := map[string]listed{}
	for _, p := range packages {
		byPath[p.ImportPath] = p
	}
	needed, machine := map[string]bool{}, reached(byPath, driverPackage)
	for _, p := range importPaths {
		maps.Copy(needed, reached(byPath, p))
	}
	modules := map[string]*requirement{}
	for _, p := range packages { // in the order of dependency, which is always the same
		if !needed[p.ImportPath] || p.Standard || p.Module == nil || p.Module.Path == project ||
			p.Module.Path == w.module.path || p.Module.Path == sortingModule {
			continue
		}
		m := modules[p.Module.Path]
		if m == nil {
			m = &requirement{path: p.Module.Path, dir: p.Module.Dir, folders: map[string]bool{}}
			modules[p.Module.Path] = m
		}
		shares, err := p.shares()
		if err != nil {
			return nil, err
		}
		if m.folders[p.Dir] = true; shares || w.o.Races {
			m.shares = append(m.shares, p.ImportPath)
		}
		m.calls, m.machine = m.calls || len(p.CgoFiles) > 0, m.machine || machine[p.ImportPath]
	}
	var all []requirement
	for _, m := range modules {
		switch {
		case len(m.shares) == 0:
		case m.calls || m.machine || w.uncopied.has(m.path):
			w.outside = append(w.outside, m.shares...)
		default:
			all = append(all, *m)
		}
	}
	slices.Sort(w.outside)
	slices.SortFunc(all, func(a, b requirement) int { return strings.Compare(a.path, b.path) })
	return all, nil
}

// reached returns the packages on which one depends, and that one itself. The shims, with which this project
// replaces packages, are not included.
func reached(all map[string]listed, from string) map[string]bool {
	seen := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		if seen[path] || path != from && strings.HasPrefix(path, project+"/") && from != driverPackage {
			return
		}
		seen[path] = true
		for _, i := range all[path].Imports {
			visit(i)
		}
	}
	visit(from)
	return seen
}

// shares reports whether a package concerns what actors share: whether it imports a package that has a shim,
// starts goroutines or uses channels.
func (p listed) shares() (bool, error) {
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return false, fmt.Errorf("%w: %w", ErrSource, err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return false, fmt.Errorf("%w: %s: %w", ErrSource, p.ImportPath, err)
		}
		for _, i := range file.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err == nil && imports[path] != "" && path != "maps" { // maps shares nothing
				return true, nil
			}
		}
		if flows(text) {
			return true, nil
		}
	}
	return false, nil
}
