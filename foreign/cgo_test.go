package foreign

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCgo: that a package uses C is said in one line, with what it means, where a test of it would need what
// its files with C declare. Otherwise it is explored, and the report says that C is not controlled.
func TestCgo(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("NOT RUN: it needs a compiler of C, and there is no gcc")
	}
	t.Setenv("CGO_ENABLED", "1")
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/c\n\ngo 1.24\n",
		"c.go": "package c\n\n// int one(void) { return 1; }\nimport \"C\"\n\n" +
			"func One() int { return int(C.one()) }\n",
		"c_test.go": "package c\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) { _ = One() }\n",
		"u/u.go":    "package u\n",
		"u/u_test.go": "package u\n\nimport (\n\t\"testing\"\n\n\t\"example.com/c\"\n)\n\n" +
			"func TestUse(t *testing.T) {\n\tif c.One() != 1 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
			os.WriteFile(file, []byte(text), 0o444)); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Explore(t.Context(), folder, Options{Test: "TestOne"})
	const want = "source unusable: example.com/c uses C in c.go: "
	if !errors.Is(err, ErrSource) || !strings.HasPrefix(err.Error(), want) ||
		strings.Contains(err.Error(), "undefined") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
	r, err := Explore(t.Context(), folder, Options{Test: "TestUse", Subject: Subject{Package: "u"}})
	if err != nil || !strings.Contains(r.Text(), ": clean as far as searched: without control of C\n") {
		t.Errorf("%v\n%s", err, r.Text())
	}
}
