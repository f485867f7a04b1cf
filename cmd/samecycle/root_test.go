package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRepository_Found: --root goes before the current folder, which goes before the place of the program,
// whose file may be reached by a link; where none of them is in a repository, the error says what to do.
func TestRepository_Found(t *testing.T) {
	clone := func() string {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		put(t, dir, "go.mod", moduleLine+"\n")
		put(t, dir, "bin/samecycle", "")
		return dir
	}
	named, around, own := clone(), clone(), clone()
	outside := t.TempDir()
	put(t, outside, "go.mod", "module example.com/user\n")
	link := filepath.Join(outside, "samecycle")
	if err := os.Symlink(filepath.Join(own, "bin", "samecycle"), link); err != nil {
		t.Skip("NOT RUN: this system makes no symbolic links: ", err)
	}
	before := executable
	t.Cleanup(func() { executable = before })
	in := filepath.Join(own, "bin", "samecycle")
	for _, c := range []struct{ root, here, program, want string }{
		{named, around, in, named},
		{"", filepath.Join(around, "bin"), in, around},
		{"", outside, in, own},
		{"", outside, link, own},
		{"", outside, filepath.Join(outside, "nowhere"), ""},
		{"", outside, "", ""},
		{outside, around, in, ""},
	} {
		t.Chdir(c.here)
		executable = func() (string, error) {
			if c.program == "" {
				return "", errors.New("not known")
			}
			return c.program, nil
		}
		got, err := (&app{root: c.root}).repository()
		if c.want != "" && (got != c.want || err != nil) || c.want == "" && (err == nil ||
			!strings.Contains(err.Error(), "name ")) {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}
