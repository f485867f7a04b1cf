package foreign

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// workspace writes a go.work and the modules a, b, c and d below a folder. The module a, which its go.work
// uses, requires b, which is used, and c, which that replaces; d is not used.
func workspace(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	count := func(name string) string {
		return "package " + name + "\n\nimport \"sync/atomic\"\n\ntype Count struct{ n atomic.Int32 }\n\n" +
			"func (c *Count) Add() int32 {\n\tn := c.n.Load()\n\tc.n.Store(n + 1)\n\treturn n + 1\n}\n"
	}
	for name, text := range map[string]string{
		"go.work":  "go 1.24\n\nuse (\n\t./a\n\t./b\n)\n\nreplace example.com/c => ./c\n",
		"a/go.mod": "module example.com/a\n\ngo 1.24\n\nreplace example.com/c => ./none\n",
		"a/a.go": "package a\n\nimport (\n\t\"example.com/b\"\n\t\"example.com/c\"\n)\n\n" +
			"type Both struct {\n\tb b.Count\n\tc c.Count\n}\n\n" +
			"func (x *Both) AddB() int32 { return x.b.Add() }\n\n" +
			"func (x *Both) AddC() int32 { return x.c.Add() }\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestLost(t *testing.T) {\n\tvar x Both\n" +
			"\tdone := make(chan int32)\n\tgo func() { done <- x.AddB() }()\n" +
			"\tif n := x.AddB(); n+<-done != 3 {\n\t\tt.Error(\"lost\")\n\t}\n}\n",
		"b/go.mod": "module example.com/b\n\ngo 1.24\n\nreplace example.com/a => ./none\n",
		"b/b.go":   count("b"),
		"c/go.mod": "module example.com/c\n\ngo 1.24\n", "c/c.go": count("c"),
		"d/go.mod": "module example.com/d\n\ngo 1.24\n", "d/d.go": count("d"),
	} {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
			os.WriteFile(file, []byte(text), 0o444)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestWorkspace: tests and types of a module in a workspace are explored with the other modules as go.work
// has them, without a network. A module that the workspace does not use is explored without it, and so is
// each one with GOWORK=off.
func TestWorkspace(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	folder := workspace(t)
	w, r := exploredIn(t, filepath.Join(folder, "a"), Options{Test: "."})
	if s := r.Results[0]; s.Status != driver.Found || !strings.Contains(s.Message, "lost") {
		t.Errorf("the test: %s, %s", s.Status, s.Message)
	}
	if len(w.others) != 2 {
		t.Errorf("copied are %+v", w.others)
	}
	_, r = typedIn(t, filepath.Join(folder, "a"), Subject{Type: "Both"}, Options{Executions: 200})
	var found []string
	for _, s := range r.Results {
		if s.Status == driver.Found {
			found = append(found, s.Name)
		}
	}
	if slices.Sort(found); !slices.Equal(found, []string{"AddB", "AddC"}) {
		t.Errorf("found are %q", found)
	}
	_, r = typedIn(t, filepath.Join(folder, "d"), Subject{Type: "Count"}, Options{Executions: 200})
	if r.Status() != driver.Found {
		t.Errorf("a module that is not used: %s", r.Status())
	}
	if o, err := localModule(t.Context(), filepath.Join(folder, "d")); err != nil || len(o.replaced) != 0 {
		t.Errorf("a module that is not used: %+v, %v", o, err)
	}
	t.Setenv("GOWORK", "off")
	if o, err := localModule(t.Context(), filepath.Join(folder, "a")); err != nil || len(o.replaced) != 1 {
		t.Errorf("without: %+v, %v", o, err)
	}
}

// TestWorkspace_Broken: a module that go.work uses and that is not there is named.
func TestWorkspace_Broken(t *testing.T) {
	folder := workspace(t)
	if err := os.Remove(filepath.Join(folder, "b", "go.mod")); err != nil {
		t.Fatal(err)
	}
	_, err := Explore(t.Context(), filepath.Join(folder, "a"), Options{Test: "."})
	if !errors.Is(err, ErrSource) || !strings.Contains(err.Error(), filepath.Join(folder, "go.work")+
		" uses "+filepath.Join(folder, "b")) {
		t.Error(err)
	}
}
