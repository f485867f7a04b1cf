package foreign

import (
	"os"
	"path/filepath"
	"testing"
)

// TestShares: a package that goes over maps does not share memory for that.
func TestShares(t *testing.T) {
	p := listed{ImportPath: "p", Dir: t.TempDir(), GoFiles: []string{"p.go"}}
	for text, want := range map[string]bool{
		"package p\n\nimport \"maps\"\n\nfunc f(m map[int]int) {\n\tfor range m {\n\t}\n}\n": false,
		"package p\n\nimport \"sync\"\n": true,
		"package p\n\nvar c chan int\n":  true,
	} {
		if err := os.WriteFile(filepath.Join(p.Dir, "p.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := p.shares(); got != want || err != nil {
			t.Errorf("%q: %t, %v", text, got, err)
		}
	}
	for text, want := range map[string]bool{"range m": true, "i := range len(m)": true, "range 3": false,
		";;": false} {
		if got := ranges([]byte("package p\n\nfunc f() {\n\tfor " + text + " {\n\t}\n}\n")); got != want {
			t.Errorf("for %s: %t", text, got)
		}
	}
}
