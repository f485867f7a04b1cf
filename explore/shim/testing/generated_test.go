package testing

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	std "testing"
)

// exported returns the exported functions and types of a folder of source text, and the methods of T and M.
func exported(t *std.T, folder string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	add := func(before, name string) {
		if ast.IsExported(name) {
			all[before+name] = true
		}
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add("", d.Name.Name)
				} else if star, is := d.Recv.List[0].Type.(*ast.StarExpr); is {
					switch of, _ := star.X.(*ast.Ident); of.Name {
					case "T", "M":
						add(of.Name+".", d.Name.Name)
					case "common": // which T has within it
						add("T.", d.Name.Name)
					}
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, is := s.(*ast.TypeSpec); is {
						add("", s.Name.Name)
					}
				}
			}
		}
	}
	return all
}

// TestGenerated_Names: there is nothing in the original that is not here.
func TestGenerated_Names(t *std.T) {
	own := exported(t, ".")
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range exported(t, filepath.Join(strings.TrimSpace(string(root)), "src", "testing")) {
		if !own[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// TestGenerated_RunTests: the tests that match are run, and one that fails is told.
func TestGenerated_RunTests(t *std.T) {
	ran := ""
	tests := []InternalTest{
		{"A", func(t *T) { ran += t.Name() }},
		{"B", func(t *T) { ran += t.Name(); t.FailNow() }},
		{"C", func(t *T) { ran += t.Name(); t.Skip("NOT RUN: it has nothing to do") }},
	}
	but := func(out string) func(pat, str string) (bool, error) {
		return func(_, name string) (bool, error) { return name != out, nil }
	}
	if RunTests(but("A"), tests) || ran != "BC" {
		t.Errorf("%q were run, and passed", ran)
	}
	if ran = ""; !RunTests(but("B"), tests) || ran != "AC" {
		t.Errorf("%q were run, and failed", ran)
	}
	if RunTests(func(string, string) (bool, error) { return false, errors.New("bad") }, tests) {
		t.Error("a pattern that is wrong matches")
	}
	if code := MainStart(nil, tests, nil, nil, nil).Run(); code != 1 {
		t.Errorf("the code is %d", code)
	}
	if code := MainStart(nil, tests[:1], nil, nil, nil).Run(); code != 0 {
		t.Errorf("the code is %d", code)
	}
}
