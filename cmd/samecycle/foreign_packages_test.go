package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestExplore_Packages: the tests of all packages below a folder are explored, one package after the other.
// One that fails and one that cannot be built are told, and keep none of the others out.
func TestExplore_Packages(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT RUN: it builds a driver for each of some packages: run it without -short")
	}
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		at := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	test := func(body string) string {
		return "package p\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {\n" + body + "\n}\n"
	}
	write("go.mod", "module example.com/m\n\ngo 1.24\n")
	write("clean/p_test.go", test("c := make(chan int)\ngo func() { c <- 1 }()\n<-c"))
	write("found/p_test.go", test("c := make(chan int)\ngo func() { c <- 1 }()\nselect {\ncase <-c:\n"+
		"default:\nt.Error(\"nobody sends\")\n}"))
	write("skipped/p_test.go", test("t.Skip(\"not today\")"))

	code, out, errOut := call("explore", folder+"/...", "--test", ".")
	for _, want := range []string{folder + "/clean", "nobody sends",
		"3 packages: 1 clean, 1 skipped, 1 with a failure, 0 unknown or not explored\n",
		folder + "/skipped  all of its tests skip themselves  -\n",
		folder + "/found    found                             TestIt (found)\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if code != exitRed || t.Failed() {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}

	if err := os.Remove(filepath.Join(folder, "found/p_test.go")); err != nil {
		t.Fatal(err)
	}
	if code, out, errOut := call("explore", folder+"/...", "--test", "."); code != 0 ||
		!strings.Contains(out, "2 packages: 1 clean, 1 skipped, 0 with a failure, 0 unknown or ") {
		t.Errorf("without one that fails: status %d\n%s%s", code, out, errOut)
	}

	write("broken/p_test.go", test("return 1"))
	code, out, errOut = call("explore", folder+"/...", "--test", ".", "--json")
	var all []struct{ Package, Verdict, Error string }
	if err := json.Unmarshal([]byte(out), &all); err != nil || code != exitRed || len(all) != 3 {
		t.Fatalf("status %d, %v\n%s%s", code, err, out, errOut)
	}
	if x := all[0]; x.Package != folder+"/broken" || x.Verdict != "not explored" ||
		!strings.Contains(x.Error, "too many return values") {
		t.Errorf("%+v", x)
	}
	if x := all[1]; x.Package != folder+"/clean" || !strings.HasPrefix(x.Verdict, "clean") || x.Error != "" {
		t.Errorf("%+v", x)
	}

	code, out, errOut = call("explore", folder+"/...", "--test", ".", "--package", "clean")
	if code != exitUsage || out != "" || !strings.Contains(errOut, "it chooses one of several packages") {
		t.Errorf("with a package: status %d\n%s%s", code, out, errOut)
	}
}

// TestPackages_NotClean: tests are named as go test names them, those of the package at the root as well.
func TestPackages_NotClean(t *testing.T) {
	for _, c := range []struct{ of, name, want string }{
		{"./", "TestA", "TestA (found)"},
		{".", "TestA/of.two", "TestA/of.two (found)"},
		{"./queue", "queue.TestA", "TestA (found)"},
		{"./deep/queue", "deep/queue.TestA/of.two", "TestA/of.two (found)"},
		{"../m/queue", "queue.TestA", "TestA (found)"},
		{"./", "TestA/of.TestB", "TestA/of.TestB (found)"},
	} {
		p := packageReport{Package: c.of}
		p.Report.Results = []driver.Result{{Name: c.name, Status: driver.Found},
			{Name: c.name, Status: driver.Clean}}
		if got := p.notClean(); got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.of, c.name, got, c.want)
		}
	}
}
