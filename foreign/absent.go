package foreign

import (
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"slices"
)

// inMain returns an error if the package below the module is main and, unless the type has no name, declares
// the type.
func (w *Work) inMain(below, typeName string) error {
	files, err := filepath.Glob(filepath.Join(w.module.dir, filepath.FromSlash(below), "*.go"))
	if err != nil {
		return nil // another message is enough
	}
	for _, name := range files {
		if !isMain(name) || typeName != "" && !declares(name, typeName) {
			continue
		}
		file := filepath.Join(filepath.FromSlash(below), filepath.Base(name))
		return fmt.Errorf("%w: %s is of package main, which nobody can import: move what is to be explored "+
			"to a package of its own", ErrTarget, file)
	}
	return nil
}

// notBuilt returns an error if the type is only in a file of the package that is not built here.
func (w *Work) notBuilt(typeName, importPath string, packages []listed) error {
	i := slices.IndexFunc(packages, func(p listed) bool { return p.ImportPath == importPath })
	if i < 0 {
		return nil
	}
	built := slices.Concat(packages[i].GoFiles, packages[i].CgoFiles)
	folder, is := w.copyOf(packages[i])
	file := ""
	for _, c := range w.files {
		if !is || filepath.Dir(c.to) != folder || !declares(c.from, typeName) {
			continue
		}
		if slices.Contains(built, filepath.Base(c.to)) {
			return nil
		}
		file = filepath.Base(c.from)
	}
	if file == "" {
		return nil
	}
	return fmt.Errorf("%w: type %s is in %s, which is not built here, on %s/%s: if it has a build tag, name "+
		"the tag by GOFLAGS=-tags=TAG", ErrTarget, typeName, file, runtime.GOOS, runtime.GOARCH)
}

// declares reports whether a file declares a type that others can name.
func declares(file, typeName string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	return err == nil && slices.Contains(declaredTypes(f), typeName)
}
