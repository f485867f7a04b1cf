package foreign

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestSystem: a driver for another system is not built, and the error names both systems.
func TestSystem(t *testing.T) {
	other := "windows"
	if runtime.GOOS == other {
		other = "linux"
	}
	t.Setenv("GOOS", other)
	var log strings.Builder
	_, err := Explore(t.Context(), shelf, Options{Subject: Subject{Type: "Safe"}, Log: &log})
	want := "it builds for " + other + "/" + runtime.GOARCH + ", and what is explored runs here, on " +
		runtime.GOOS + "/" + runtime.GOARCH
	if !errors.Is(err, ErrToolchain) || !strings.Contains(err.Error(), want) || log.Len() > 0 {
		t.Errorf("%v\n%s", err, log.String())
	}
}

// TestLinks: a symbolic link to a module, to a package of it, and from a module to a package of another one
// is followed.
func TestLinks(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"own/go.mod": "module example.com/own\n\ngo 1.24\n",
		"own/count/count.go": "package count\n\nimport \"sync/atomic\"\n\n" +
			"type Count struct{ n atomic.Int32 }\n\nfunc (c *Count) Add() int32 { return c.n.Add(1) }\n",
		"other/go.mod": "module example.com/other\n\ngo 1.24\n"})
	for name, to := range map[string]string{"module": "own", "count": "own/count",
		"other/count": "own/count"} {
		err := os.Symlink(filepath.Join(folder, filepath.FromSlash(to)),
			filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			t.Skipf("NOT RUN: no symbolic links: %v", err)
		}
	}
	for _, name := range []string{"module", "module/count", "count", "other/count"} {
		_, r := typedIn(t, filepath.Join(folder, filepath.FromSlash(name)), Subject{Type: "Count"},
			Options{Executions: 200})
		if r.Status() != driver.Clean {
			t.Errorf("%s: %s", name, r.Verdict())
		}
	}
	if module, inside, err := moduleOf(filepath.Join(folder, "own", "count")); err != nil ||
		module != filepath.Join(folder, "own") || inside != filepath.Join(module, "count") {
		t.Errorf("without a link: %s, %s, %v", module, inside, err)
	}
	_, _, err := moduleOf(folder)
	if !errors.Is(err, ErrTarget) || !strings.Contains(err.Error(), "no go.mod in or above "+folder) {
		t.Errorf("without a module: %v", err)
	}
}
