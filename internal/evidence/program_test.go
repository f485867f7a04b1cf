package evidence

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// TestOutdated: what is in the files decides, when they were written does not, nor what the program is called
// and where it is.
func TestOutdated(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "lib", "lib.go")
	for name, text := range map[string]string{"go.mod": "module m.test/m\n\ngo 1.26\n",
		"cmd/tool/main.go": "package main\n\nimport \"m.test/m/lib\"\n\nfunc main() { println(lib.One()) }\n",
		"lib/lib.go":       "package lib\n\nfunc One() int { return 1 }\n"} {
		path := filepath.Join(root, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(t.TempDir(), "another name")
	build := exec.Command("go", "build", "-buildvcs=false", "-tags", "explore,odd", "-o", program,
		"./cmd/tool")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	judged := func() error { return Env{Root: root, Program: program}.Outdated(t.Context()) }
	write := func(text string, at time.Time) {
		t.Helper()
		if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), os.Chtimes(file, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := judged(); err != nil {
		t.Errorf("just built: %v", err)
	}
	write("package lib\n\nfunc One() int { return 2 }\n", time.Now().Add(-time.Hour))
	err := judged()
	if err == nil || errors.Is(err, ErrNotRun) || !strings.Contains(err.Error(), "make build") {
		t.Errorf("another file with an old time: %v", err)
	}
	write("package lib\n\nfunc One() int { return 1 }\n", time.Now().Add(time.Hour))
	if err := judged(); err != nil {
		t.Errorf("the same file with a new time: %v", err)
	}
	write("package lib\n\nfunc One() {\n", time.Now())
	if err := judged(); err == nil {
		t.Error("a file that does not compile")
	}
	if err := (Env{Root: root, Program: file}).Outdated(t.Context()); !errors.Is(err, ErrNotRun) {
		t.Errorf("no program: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if err := judged(); !errors.Is(err, ErrNotRun) || !strings.Contains(err.Error(), "Go") {
		t.Errorf("without Go: %v", err)
	}
}

// TestOtherBuild: what has changed is named: the files, or how Go is set up where a package of Go is stale.
func TestOtherBuild(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "CGO_ENABLED", Value: "1"}}}
	for why, want := range map[string]string{
		"stale dependency: runtime/cgo":                 "was built, CGO_ENABLED=1 (stale dependency: ",
		"stale dependency: example.org/module/package":  "was not built of the files",
		"build ID mismatch":                             "was not built of the files",
		"not installed but available in build cache: x": "was not built of the files",
	} {
		err := otherBuild(why, info)
		if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "make build") {
			t.Errorf("%s: %v", why, err)
		}
	}
}
