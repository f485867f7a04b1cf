package lint

import (
	"os"
	"path/filepath"
	"testing"
)

// TestStyle holds the repository against every rule.
func TestStyle(t *testing.T) {
	tree, err := Load(os.DirFS(root(t)))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Go) == 0 || tree.Files["go.mod"] == nil {
		t.Fatal("the repository has no Go files: the root was not found")
	}
	for _, c := range Checks() {
		t.Run(c.Name, func(t *testing.T) {
			for _, f := range c.Run(tree) {
				t.Error(f)
			}
		})
	}
}

// root is the folder of the module: the first one above that has a go.mod.
func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no folder above has a go.mod: run the test inside the repository")
		}
		dir = up
	}
}
