package foreign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/foreign/driver"
)

// inTests is the folder, in a copy, for the tests of a package that are in a package of their own.
const inTests = "samecycle_tests"

// copiedTest returns the name of a test file in the copy, because go build ignores files whose names end
// like those of tests. The name has the same length as before, so columns in messages do not change.
func copiedTest(path string) string {
	const end = "_test.go"
	name := strings.TrimSuffix(filepath.Base(path), end) + ".go"
	for _, first := range []string{"test_", "test0", "test1"} { // a name that no original has
		if !exists(filepath.Join(filepath.Dir(path), first+name)) {
			return first + name
		}
	}
	return "samecycle_" + name
}

// A testFile is a file with tests, by its text.
type testFile struct {
	path, pkg string
	tests     []string
	others    []string // fuzz tests, examples and benchmarks, which are not explored
	main      bool     // it has a TestMain
}

// testFiles returns the files with tests of the module, by folder below it.
func (w *Work) testFiles() (map[string][]testFile, error) {
	all := map[string][]testFile{}
	err := filepath.WalkDir(w.module.dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && at != w.module.dir && skipped(at, d.Name()):
			return fs.SkipDir
		case d.IsDir() || !d.Type().IsRegular() || !strings.HasSuffix(at, "_test.go"):
			return nil
		}
		rel, err := filepath.Rel(w.module.dir, filepath.Dir(at))
		if err != nil {
			return err
		}
		if is, err := build.Default.MatchFile(filepath.Dir(at), filepath.Base(at)); err == nil && !is {
			return nil // the file is for another system, or needs a tag
		}
		f, err := parser.ParseFile(token.NewFileSet(), at, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		x := testFile{path: at, pkg: f.Name.Name}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				x.main = x.main || fn.Name.Name == "TestMain"
				switch {
				case isTest(fn):
					x.tests = append(x.tests, fn.Name.Name)
				case otherTest.MatchString(fn.Name.Name):
					x.others = append(x.others, fn.Name.Name)
				}
			}
		}
		below := cleanPackage(filepath.ToSlash(rel))
		all[below] = append(all[below], x)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSource, err)
	}
	return all, nil
}

// isTest reports whether a function is a test by the rules of the go command.
func isTest(fn *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(fn.Name.Name, "Test")
	p := fn.Type.Params.List
	if !ok || rest != "" && rest[0] >= 'a' && rest[0] <= 'z' || fn.Type.Results != nil ||
		fn.Type.TypeParams != nil || len(p) != 1 || len(p[0].Names) > 1 {
		return false
	}
	star, ok := p[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch x := star.X.(type) {
	case *ast.SelectorExpr:
		return x.Sel.Name == "T"
	case *ast.Ident:
		return x.Name == "T"
	}
	return false
}

// otherTest matches the names of functions that go test runs besides tests.
var otherTest = regexp.MustCompile(`^(Fuzz|Example|Benchmark)([^a-z].*)?$`)

// leaveOut notes the functions whose names match but that are not explored.
func (w *Work) leaveOut(files []testFile, m *regexp.Regexp) {
	for _, f := range files {
		for _, name := range f.others {
			if m.MatchString(name) {
				w.noTests = append(w.noTests, name+": it is no test function; call what it does from one")
			}
		}
	}
}

// matching are the tests of files that match, in the order of the files.
func matching(files []testFile, m *regexp.Regexp) (names []string) {
	for _, f := range files {
		for _, name := range f.tests {
			if m.MatchString(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// testList lists the tests by package, one package a line.
func testList(all map[string][]testFile) string {
	var lines []string
	for _, p := range slices.Sorted(maps.Keys(all)) {
		if names := matching(all[p], anyTest); len(names) > 0 {
			lines = append(lines, "  "+cmp.Or(p, ".")+": "+strings.Join(names, ", "))
		}
	}
	if len(lines) == 0 {
		return "it has none"
	}
	return "it has:\n" + strings.Join(lines, "\n")
}

// withTests adds a list of the tests to the error that lists types: of the package that was asked for, or
// else of the whole module.
func (w *Work) withTests(err error) error {
	all, broken := w.testFiles()
	if !errors.Is(err, ErrTypes) || broken != nil || !slices.ContainsFunc(slices.Collect(maps.Values(all)),
		func(files []testFile) bool { return len(matching(files, anyTest)) > 0 }) {
		return err
	}
	command := fmt.Sprintf("samecycle explore %v", w.Target)
	switch below := w.below(); {
	case below != "" && len(matching(all[below], anyTest)) > 0:
		all = map[string][]testFile{below: all[below]}
		if below != w.module.below {
			command += " --package " + below
		}
	case below != "":
		command += " --package PACKAGE"
	}
	return fmt.Errorf("%w\ntests can be explored as they are: %s --test NAME\n%s", err, command,
		strings.TrimPrefix(testList(all), "it has:\n"))
}

// below is the package that was asked for, below the module.
func (w *Work) below() string { return cleanPackage(cmp.Or(w.o.Subject.Package, w.module.below)) }

var anyTest = regexp.MustCompile("")

// chooseTests finds the package with the requested tests, below the module.
func (w *Work) chooseTests(all map[string][]testFile, m *regexp.Regexp) (below string, err error) {
	below = w.below()
	if len(matching(all[below], m)) > 0 {
		return below, nil
	}
	var has []string
	for _, p := range slices.Sorted(maps.Keys(all)) {
		if len(matching(all[p], m)) > 0 {
			has = append(has, cmp.Or(p, "."))
		}
	}
	switch {
	case below != "":
		text := testList(map[string][]testFile{below: all[below]})
		if len(has) > 0 {
			text += "\ntests of other packages match: choose one by --package: " + strings.Join(has, ", ")
		}
		in := ""
		if w.o.Subject.Package != "" {
			in = " in " + below
		}
		return "", fmt.Errorf("%w: no test of %v%s matches %s; %s", ErrTarget, w.Target, in, m, text)
	case len(has) == 0:
		return "", fmt.Errorf("%w: no test of %v matches %s; %s", ErrTarget, w.Target, m, testList(all))
	case len(has) > 1:
		return "", fmt.Errorf("%w: tests of several packages match %s: choose one by --package, or all by "+
			"%s: %s", ErrTarget, m, strings.TrimSuffix(w.Target.String(), "/")+everywhere,
			strings.Join(has, ", "))
	}
	return cleanPackage(has[0]), nil
}

// testsDriver copies the test files of a package, and writes go.mod and a driver for the tests that match.
func (w *Work) testsDriver(ctx context.Context, c *copier, root string) error {
	function, subtests, _ := strings.Cut(w.o.Test, "/")
	w.subtests = subtests
	m, err := regexp.Compile(function)
	if err != nil {
		return fmt.Errorf("%w: --test: %w", ErrTarget, err)
	}
	all, err := w.testFiles()
	if err != nil {
		return err
	}
	below, err := w.chooseTests(all, m)
	if err != nil {
		return err
	}
	w.leaveOut(all[below], m)
	w.o.log("finding tests of %s in %v", cmp.Or(below, "the package at the root"), w.Target)
	if w.runsIn, err = filepath.Abs(filepath.Join(w.module.dir, filepath.FromSlash(below))); err != nil {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	paths, err := w.copyTests(c, all[below], below)
	if err != nil {
		return err
	}
	if err := w.moduleFiles(root, driverPath(paths[0])); err != nil {
		return err
	}
	if err := errors.Join(w.stub(paths...), w.copyRequired(ctx, c, paths...)); err != nil {
		return err
	}
	_, packages, err := w.loadTypes(ctx, paths...)
	if err != nil {
		return err
	}
	if _, err := w.used(packages, c, paths...); err != nil {
		return err
	}
	text := testsSource(paths, all[below], m, below)
	if err := os.WriteFile(filepath.Join(w.Folder, "main.go"), text, 0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrBuild, err)
	}
	return nil
}

// copyTests copies the test files of a package so that they can be imported. It returns the path of the
// package, and the path of its tests if some of them are in a package of their own.
func (w *Work) copyTests(c *copier, files []testFile, below string) (paths []string, err error) {
	folder := filepath.Join(w.Folder, "copy", filepath.FromSlash(below))
	paths = []string{w.importPath(below)}
	for _, f := range files {
		if f.pkg == "main" {
			return nil, fmt.Errorf("%w: the tests of %s are of a package main, which nobody can import: "+
				"move what they test into a package of its own", ErrTarget, cmp.Or(below, "the root"))
		}
		to := filepath.Join(folder, copiedTest(f.path))
		if strings.HasSuffix(f.pkg, "_test") {
			to = filepath.Join(folder, inTests, filepath.Base(to))
			paths = append(paths, path.Join(paths[0], inTests))
		}
		if err := c.file(f.path, to); err != nil {
			return nil, err
		}
	}
	w.files = c.files
	if paths = slices.Compact(paths); len(paths) > 1 && !slices.ContainsFunc(c.files, func(f copied) bool {
		return filepath.Dir(f.to) == folder
	}) {
		paths = paths[1:] // all tests are in a package of their own
	}
	return paths, nil
}

// testsSource is a driver for the tests that match.
func testsSource(paths []string, files []testFile, m *regexp.Regexp, below string) []byte {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	for i, p := range paths {
		fmt.Fprintf(&b, "\t%s%d %q\n", targetName, i, p)
	}
	used := map[int]bool{}
	of := func(f testFile) string {
		i := 0
		if strings.HasSuffix(f.pkg, "_test") {
			i = len(paths) - 1
		}
		used[i] = true
		return fmt.Sprint(targetName, i, ".")
	}
	testMain := "nil"
	for _, f := range files {
		if f.main {
			testMain = of(f) + "TestMain"
		}
	}
	fmt.Fprintf(&b, "\n\t. %q\n)\n\nfunc main() {\n\tMainTests(%s, []Test{\n", driverPackage, testMain)
	for _, f := range files {
		for _, name := range matching([]testFile{f}, m) {
			fmt.Fprintf(&b, "\t\t{%q, %s%s},\n", objectName(below, name), of(f), name)
		}
	}
	b.WriteString("\t})\n}\n")
	text := b.String()
	for i := range paths {
		if !used[i] {
			text = strings.Replace(text, fmt.Sprintf("\t%s%d ", targetName, i), "\t_ ", 1)
		}
	}
	return []byte(text)
}

// tokenTest reads the test of a token, and the package of the test; is is false if the program is not a
// test.
func tokenTest(program string) (test, pkg string, is bool) {
	f := strings.SplitN(program, "#", 3)
	if len(f) != 3 || !driver.IsTest(f[1]) {
		return "", "", false
	}
	m := titled.FindStringSubmatch(f[2])
	if m == nil {
		return "", "", false
	}
	return "^" + regexp.QuoteMeta(m[2]) + "$", m[1], true
}

// titled matches a test as tokens name it: sub/path.TestName/subtest.
var titled = regexp.MustCompile(`(?s)^(?:(.*?)\.)??(Test[^./]*)(?:/.*)?$`)
