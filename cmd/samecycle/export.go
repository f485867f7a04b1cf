package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// checkExport refuses a name that the go command would not take for a test, and a file that exists.
func checkExport(path string) error {
	switch _, err := os.Lstat(path); {
	case !strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "_test.go":
		return fmt.Errorf("--export %s: name a file that ends in _test.go", path)
	case err == nil:
		return fmt.Errorf("--export %s: the file exists; remove it, or name another one", path)
	case !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("--export %s: %w; name a file in a folder that can be read", path, err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("--export %s: there is no folder %s; make it first", path, filepath.Dir(path))
	}
	return nil
}

// exportTest writes the source that make returns for the package of the path, or for the other one if the
// folder has none.
func exportTest(path, other string, make func(pkg string) ([]byte, error)) error {
	text, err := make(testPackage(filepath.Dir(path), other))
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("--export: %w; name a file that is not there, in a folder that can be written", err)
	}
	return writeWhole(f, text)
}

// writeWhole writes the text into the new file, or removes it: half a test is none, and would be in the way
// of the next try.
func writeWhole(f *os.File, text []byte) error {
	_, err := f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		return nil
	}
	return fmt.Errorf("--export: %w; free space, or name another file",
		errors.Join(err, os.Remove(f.Name())))
}

// testPackage is the name of a package for tests in the folder, apart from that of its code. If the folder
// has no package, it is that of another one.
func testPackage(folder, other string) string {
	files, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly)
		if err == nil {
			return strings.TrimSuffix(f.Name.Name, "_test") + "_test"
		}
	}
	return cmp.Or(other, "failure") + "_test"
}
