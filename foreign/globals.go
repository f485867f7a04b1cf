package foreign

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// globalsFile is the file of a copied package that tells the explorer the variables of the package.
const globalsFile = "samecycle_globals.go"

// tellGlobals adds that file to each package of the copies, so all executions begin with the same values.
func (w *Work) tellGlobals(ctx context.Context) error {
	packages, err := list(ctx, w.Folder)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return fmt.Errorf("%w: the copy of %v: %w", ErrBuild, w.Target, err)
	}
	for _, p := range packages {
		folder, own := w.copyOf(p)
		if !own {
			continue
		}
		text, err := p.globals()
		if err == nil && text != "" {
			err = os.WriteFile(filepath.Join(folder, globalsFile), []byte(text), 0o644)
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrSource, err)
		}
	}
	return nil
}

// globals returns the text of the file. It is empty for a package without variables.
func (p listed) globals() (string, error) {
	var names []string
	name, files := "", token.NewFileSet()
	for _, path := range p.GoFiles {
		file, err := parser.ParseFile(files, filepath.Join(p.Dir, path), nil, parser.SkipObjectResolution)
		if err != nil {
			return "", err
		}
		name = file.Name.Name
		names = append(names, variables(file)...)
	}
	if len(names) == 0 {
		return "", nil
	}
	return fmt.Sprintf("package %s\n\nimport samecycleGlobals %q\n\n"+
		"func init() { samecycleGlobals.Add(%q, &%s) }\n", name, shims+"globals", p.ImportPath,
		strings.Join(names, ", &")), nil
}

// variables returns the names of the variables that a file declares for its package.
func variables(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			for _, id := range s.(*ast.ValueSpec).Names {
				if id.Name != "_" {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}
