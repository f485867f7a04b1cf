package foreign

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// write writes files, by their names below the folder.
func write(t *testing.T, folder string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
			os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// lostUpdate is a counter that loses updates, in the package dep. It needs Go 1.22, for its loop.
const lostUpdate = "package dep\n\nimport \"sync/atomic\"\n\ntype C struct{ n atomic.Int32 }\n\n" +
	"func (c *C) Inc() (n int32) {\n\tfor range 1 {\n\t\tn = c.n.Load() + 1\n\t\tc.n.Store(n)\n\t}\n" +
	"\treturn n\n}\n"

// vendors writes the module own below a folder, with a vendor folder, and the modules dep and dep/sub, which
// it requires. What the vendor folder has loses updates; what the modules have does not.
func vendors(t *testing.T) (folder string) {
	t.Helper()
	t.Setenv("GOPROXY", "off")
	folder = t.TempDir()
	write(t, folder, map[string]string{
		"go.work": "go 1.24\n\nuse ./own\n",
		"own/go.mod": "module example.com/own\n\ngo 1.24\n\nrequire (\n\texample.com/dep v1.0.0\n" +
			"\texample.com/dep/sub v1.2.0\n\texample.com/none v1.0.0\n)\n\nreplace (\n" +
			"\texample.com/dep => ../dep\n\texample.com/dep/sub => ../dep/sub\n" +
			"\texample.com/none v1.0.0 => ../none\n)\n",
		"own/own.go": "package own\n\nimport (\n\t\"example.com/dep\"\n\t\"example.com/dep/sub\"\n)\n\n" +
			"type T struct{ c dep.C }\n\nfunc (t *T) Inc() int32 { return t.c.Inc() + sub.Zero }\n",
		"own/own_test.go": "package own\n\nimport \"testing\"\n\nfunc TestLost(t *testing.T) {\n\tvar x T\n" +
			"\tdone := make(chan int32)\n\tgo func() { done <- x.Inc() }()\n" +
			"\tif n := x.Inc(); n+<-done != 3 {\n\t\tt.Error(\"lost\")\n\t}\n}\n",
		"dep/go.mod": "module example.com/dep\n\ngo 1.22\n",
		"dep/dep.go": "package dep\n\nimport \"sync/atomic\"\n\ntype C struct{ n atomic.Int32 }\n\n" +
			"func (c *C) Inc() int32 { return c.n.Add(1) }\n",
		"dep/sub/go.mod": "module example.com/dep/sub\n\ngo 1.22\n",
		"dep/sub/sub.go": "package sub\n\nconst Zero = 0\n",
		"none/go.mod":    "module example.com/none\n\ngo 1.22\n",
	})
	own := filepath.Join(folder, "own")
	if _, err := goCommand(t.Context(), own, "mod", "vendor"); err != nil {
		t.Fatal(err)
	}
	write(t, own, map[string]string{"vendor/example.com/dep/dep.go": lostUpdate})
	return folder
}

// TestVendor: tests and types are explored with the vendor folder if the go command uses it, and a fault
// there is told with its place there; otherwise they are explored with the modules.
func TestVendor(t *testing.T) {
	folder := vendors(t)
	own := filepath.Join(folder, "own")
	if _, err := runGo(t.Context(), own, nil, "work", "vendor"); err != nil {
		t.Fatal(err)
	}
	write(t, folder, map[string]string{"vendor/example.com/dep/dep.go": lostUpdate})
	for _, c := range []struct {
		flags, work string
		want        driver.Status
	}{
		{"", "off", driver.Found}, {"-mod=mod", "off", driver.Clean}, {"", "", driver.Found},
		{"-mod=readonly", "", driver.Clean},
	} {
		t.Run(c.flags+c.work, func(t *testing.T) {
			t.Setenv("GOFLAGS", c.flags)
			t.Setenv("GOWORK", c.work)
			_, r := typedIn(t, own, Subject{Type: "T"}, Options{Executions: 200})
			if r.Status() != c.want {
				t.Errorf("the type: %s, want %s", r.Status(), c.want)
			}
			_, r = exploredIn(t, own, Options{Test: ".", Executions: 200})
			if s := r.Results[0]; s.Status != c.want {
				t.Errorf("the test: %s, %s; want %s", s.Status, s.Message, c.want)
			}
		})
	}
}

// TestVendor_Refused: a vendor folder that does not fit the module is refused, and so is one that lacks a
// package; a file there that does not build is named.
func TestVendor_Refused(t *testing.T) {
	t.Setenv("GOWORK", "off")
	own := filepath.Join(vendors(t), "own")
	explore := func() error {
		_, err := Explore(t.Context(), own, Options{Subject: Subject{Type: "T"}})
		return err
	}
	broken := filepath.Join(own, "vendor", "example.com", "dep", "dep.go")
	write(t, own, map[string]string{"vendor/example.com/dep/dep.go": lostUpdate + "\nvar _ int = \"\"\n"})
	if err := explore(); !errors.Is(err, ErrBuild) || !strings.Contains(err.Error(), broken+":15:13") {
		t.Errorf("a file that does not build: %v", err)
	}
	write(t, own, map[string]string{"vendor/example.com/dep/dep.go": lostUpdate,
		"more.go": "package own\n\nimport _ \"example.com/none/more\"\n"})
	if err := explore(); !errors.Is(err, ErrDownload) ||
		!strings.Contains(err.Error(), "run go mod vendor, or set GOFLAGS=-mod=mod") {
		t.Errorf("a package that is missing: %v", err)
	}
	write(t, own, map[string]string{"go.mod": "module example.com/own\n\ngo 1.24\n\n" +
		"require example.com/dep v1.1.0\n"})
	if err := explore(); !errors.Is(err, ErrSource) || !strings.Contains(err.Error(), "inconsistent vendor") {
		t.Errorf("another version: %v", err)
	}
}
