package foreign

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlaces: files of the copy are named as those of the user, at the beginning of a line of the go command
// and in a stack; what is called copy besides stays.
func TestPlaces(t *testing.T) {
	w := &Work{Folder: filepath.FromSlash("a/work"), module: origin{dir: "own",
		copy: filepath.FromSlash("a/work/copy")}, others: []origin{{dir: "other",
		copy: filepath.FromSlash("a/work/required/1")}}}
	text := strings.ReplaceAll("# a\ncopy/b.go:7:65: wrong\n\tcopy/c.go:1\nmain.go:3: in copy/d.go\n"+
		"        a/work/copy/e/f.go:9 a/work/required/1/g.go:1\n"+
		"required/1/h.go:2\nrequired/2/i.go:3\n", "/", string(filepath.Separator))
	want := strings.ReplaceAll("# a\nown/b.go:7:65: wrong\n\town/c.go:1\nmain.go:3: in copy/d.go\n"+
		"        own/e/f.go:9 other/g.go:1\n"+
		"other/h.go:2\nrequired/2/i.go:3\n", "/", string(filepath.Separator))
	if got := w.places(text); got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
	if got := (&Work{Folder: w.Folder}).places(text); got != text {
		t.Errorf("of the standard library it is\n%s", got)
	}
}

// TestPlaces_Broken: an error of the compiler names the user's file.
func TestPlaces_Broken(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/broken\n\ngo 1.26\n",
		"broken.go": "package broken\n\ntype T struct{}\n\nfunc (*T) Do() int { return nil }\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Explore(t.Context(), folder, Options{Subject: Subject{Type: "T"}})
	if want := "\n" + filepath.Join(folder, "broken.go") + ":5:"; !errors.Is(err, ErrBuild) ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestPlaces_BrokenTests: so does one in a file of tests, in either package.
func TestPlaces_BrokenTests(t *testing.T) {
	for _, pkg := range []string{"broken", "broken_test"} {
		folder := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module example.com/broken\n\ngo 1.26\n",
			"broken.go": "package broken\n",
			"a_test.go": "package " + pkg + "\n\nimport \"testing\"\n\n" +
				"func TestIt(*testing.T) { missing() }\n"} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Explore(t.Context(), folder, Options{Test: "TestIt"})
		if want := "\n" + filepath.Join(folder, "a_test.go") + ":5:"; !errors.Is(err, ErrBuild) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("package %s: %v, want %s", pkg, err, want)
		}
	}
}
