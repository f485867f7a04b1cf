package foreign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A listed package is what go list prints for one package.
type listed struct {
	ImportPath, Dir, Export    string
	GoFiles, CgoFiles, Imports []string
	Standard                   bool
	Module                     *struct{ Path, Dir, GoVersion string }
}

// list returns the packages of which the driver in the folder is made. With the flag -export it also returns
// the files with the types that they export.
func list(ctx context.Context, folder string, flags ...string) ([]listed, error) {
	out, err := goCommand(ctx, folder, slices.Concat([]string{"list", "-mod=mod", "-deps"}, flags,
		[]string{"-json=ImportPath,Dir,Export,GoFiles,CgoFiles,Imports,Standard,Module", "."})...)
	if err != nil {
		return nil, err
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("%w: go list: %w", ErrToolchain, err)
		}
		all = append(all, p)
	}
}

// instrumentCopy changes the packages of the copies in the folder: see instrumenter.
func (w *Work) instrumentCopy(ctx context.Context, races bool) error {
	packages, err := list(ctx, w.Folder, "-export")
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return fmt.Errorf("%w: the copy of %v: %w", ErrBuild, w.Target, err)
	}
	exports, own := map[string]string{}, map[string]bool{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
		_, own[p.ImportPath] = w.copyOf(p)
	}
	bubbles := slices.ContainsFunc(packages, func(p listed) bool {
		return own[p.ImportPath] && slices.Contains(p.Imports, shims+"synctest")
	})
	for _, p := range packages {
		if own[p.ImportPath] {
			plain := races && !(p.Module != nil && p.Module.Path == standardModule)
			named := w.o.Test != "" && p.Module != nil &&
				(p.Module.Path == w.module.path || p.Module.Path == standardModule)
			if err := p.instrument(exports, plain, bubbles, named); err != nil {
				return err
			}
		}
	}
	return nil
}

// copies returns the modules that are copied, beginning with the target's, and the packages.
func (w *Work) copies() []origin { return slices.Concat([]origin{w.module}, w.others, w.sorting) }

// copyOf returns the folder, below the work folder, of the copy that has the package; is is false if no copy
// has it.
func (w *Work) copyOf(p listed) (folder string, is bool) {
	for _, m := range w.copies() {
		root, err := filepath.EvalSymlinks(m.copy)
		if err == nil && within(p.Dir, root) {
			rel, err := filepath.Rel(root, p.Dir)
			return filepath.Join(m.copy, rel), err == nil
		}
	}
	return "", false
}

func within(path, folder string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// instrument type-checks and changes the files of a package in place. With bubbles the changed files tell in
// which bubble they make a channel; with named they tell of calls that ask for names.
func (p listed) instrument(exports map[string]string, races, bubbles, named bool) error {
	if len(p.CgoFiles) > 0 && races {
		return fmt.Errorf("%w: %s uses C, whose accesses are not seen: explore it without races",
			ErrSource, p.ImportPath)
	}
	files := token.NewFileSet()
	var parsed []*ast.File
	var texts [][]byte
	for _, name := range p.GoFiles {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return fmt.Errorf("%w: %w", ErrSource, err)
		}
		file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), text,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrSource, err)
		}
		parsed, texts = append(parsed, file), append(texts, text)
	}
	info, pkg, err := p.check(files, parsed, exports)
	if err != nil && len(p.CgoFiles) > 0 { // it builds, so those files declare what is missing
		return fmt.Errorf("%w: %s uses C in %s: what is declared there is not known, so the other files "+
			"cannot be changed, and neither tests of the package nor code beside C is explored; move what "+
			"is to be explored to a package without C", ErrSource, p.ImportPath,
			strings.Join(p.CgoFiles, ", "))
	}
	if err != nil {
		return err
	}
	for i, file := range parsed {
		r := &instrumenter{files: files, info: info, pkg: pkg, text: texts[i], races: races,
			tells: named}
		out := r.instrument(file)
		if bubbles {
			out = tellMade(out)
		}
		if bytes.Equal(out, texts[i]) {
			continue
		}
		if err := os.WriteFile(filepath.Join(p.Dir, p.GoFiles[i]), out, 0o644); err != nil {
			return fmt.Errorf("%w: %w", ErrSource, err)
		}
	}
	return nil
}

// compiled returns an importer that reads the files with the types that packages export.
func compiled(files *token.FileSet, exports map[string]string) types.Importer {
	return importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no types of package %s", path)
		}
		return os.Open(exports[path])
	})
}

func (p listed) check(files *token.FileSet, parsed []*ast.File, exports map[string]string) (
	*types.Info, *types.Package, error) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	c := types.Config{Importer: compiled(files, exports)}
	if p.Module != nil && p.Module.GoVersion != "" {
		c.GoVersion = "go" + p.Module.GoVersion
	}
	pkg, err := c.Check(p.ImportPath, files, parsed, info)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrSource, err)
	}
	return info, pkg, nil
}

// leastMinor is the first version of the language, go1.20, in which a file can call the shims, because from
// then on an interface as the key of a map is comparable.
const leastMinor = 20

var goLine = regexp.MustCompile(`(?m)^go 1\.(\d+)[^\n]*$`)

// raiseLanguage makes the copy's go.mod ask for the version of the language that the changed files need. Up
// to that version, no version changed the meaning of a program.
func raiseLanguage(folder string) error {
	path := filepath.Join(folder, "go.mod")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	line := fmt.Sprintf("go 1.%d", leastMinor)
	if m := goLine.FindSubmatch(text); m == nil {
		text = slices.Concat(text, []byte("\n"+line+"\n"))
	} else if minor, err := strconv.Atoi(string(m[1])); err == nil && minor < leastMinor {
		text = goLine.ReplaceAll(text, []byte(line))
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	return nil
}
