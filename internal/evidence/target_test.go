package evidence

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestTarget: links are followed one after the other, to what is there and to what is not.
func TestTarget(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	err = errors.Join(os.MkdirAll(in("far/deep"), 0o700), os.WriteFile(in("far/file"), nil, 0o600),
		os.Symlink("far/deep", in("folder")))
	for link, to := range map[string]string{"a": "b", "b": "far/file", "dangling": "far/none",
		"round": "round", "far/deep/up": "../file", "through": "folder/../file", "whole": in("far/file"),
		"lost": "nowhere/file"} {
		err = errors.Join(err, os.Symlink(to, in(link)))
	}
	if err != nil {
		t.Skipf("NOT RUN: no links here: %v", err)
	}
	for name, want := range map[string]string{"far/file": "far/file", "none": "none", "a": "far/file",
		"dangling": "far/none", "folder/up": "far/file", "through": "far/file", "whole": "far/file",
		"lost": "nowhere/file"} {
		got, err := Target(in(name))
		// What is there is compared as a file, because the path of one may have dots.
		was, missing := os.Stat(in(want))
		is, e := os.Stat(got)
		if err != nil || missing == nil && (e != nil || !os.SameFile(was, is)) ||
			missing != nil && got != in(want) {
			t.Errorf("%s: %s, %v, want %s", name, got, err, want)
		}
	}
	if got, err := Target(in("round")); err == nil {
		t.Errorf("a link to itself: %s", got)
	}
	t.Chdir(dir)
	if got, err := Target("dangling"); err != nil || got != filepath.FromSlash("./far/none") {
		t.Errorf("a link in the current folder: %s, %v", got, err)
	}
}
