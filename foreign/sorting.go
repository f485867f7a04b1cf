package foreign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// sortingModule is the module of the copies of packages of the standard library.
const sortingModule = "samecycle.sorting"

// sorting are packages of the standard library that are copied like modules if races are looked for,
// because their functions access what their callers share. They have no variables that change, and values of
// their interfaces are those of the original as well.
var sorting = []string{"slices", "sort"}

// copySorting copies these packages, and makes the copies of all others import the copies.
func (w *Work) copySorting(ctx context.Context, c *copier, root string) error {
	t, err := findToolchain(ctx, root)
	if err != nil {
		return err
	}
	own := &copier{changes: map[string]string{"internal/reflectlite": shims + "reflectlite"},
		doubts: map[string]*doubt{}}
	for _, path := range sorting {
		c.changes[path], own.changes[path] = sortingModule+"/"+path, sortingModule+"/"+path
	}
	at := filepath.Join(w.Folder, "sorting")
	for _, path := range sorting {
		from := filepath.Join(t.GOROOT, "src", path)
		o := origin{path: path, dir: from, copy: filepath.Join(at, path)}
		if err := own.module(from, o.copy, nil); err != nil {
			return err
		}
		w.sorting = append(w.sorting, o)
	}
	lines, err := languageOf(root)
	if err != nil {
		return err
	}
	text := "module " + sortingModule + "\n\n" + lines
	if err := os.WriteFile(filepath.Join(at, "go.mod"), []byte(text), 0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	return nil
}
