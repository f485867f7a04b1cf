package disk

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestCheck: a folder that takes a file has space, and one that does not has none.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	err := Check(dir)
	left, e := os.ReadDir(dir)
	if err = errors.Join(err, e); err != nil || len(left) > 0 {
		t.Errorf("%v, left %v", err, left)
	}
	if Check(filepath.Join(dir, "missing")) == nil {
		t.Error("a file was written where there is no folder")
	}
}

// TestOfGo: a go command that had no space says so in other words, or says something else: then its folders
// tell. What has another cause names the command and ends in what it has printed.
func TestOfGo(t *testing.T) {
	tmp, cache := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("GOCACHE", cache)
	const linker = "link: mapping output file failed: No space left on device"
	const unkept = "strings/reader.go:9:2: package io is not in std (/usr/local/go/src/io)"
	failed := errors.New("exit status 1")
	for _, c := range []struct {
		name, text string
		folder     string // the one that takes no file
		cause      error
		says       string
	}{
		{"printed", linker, "", nil, "the build had no space for its files: no space left on device: " +
			tmp + " or " + cache + "; free some, or set TMPDIR and GOCACHE to folders that have more: " +
			"go build: exit"},
		{"printed, and seen", linker, cache, syscall.ENOSPC, "its files: write " + cache + ": no space"},
		{"full cache", unkept, cache, syscall.ENOSPC, "had no space for its files: write " + cache},
		{"no more quota", unkept, tmp, syscall.EDQUOT, "had no space for its files: write " + tmp},
		{"no right to write", unkept, cache, syscall.EACCES, ""},
		{"space", unkept, "", nil, ""},
	} {
		err := ofGo("go build", failed, c.text, func(folder string) error {
			if folder != c.folder {
				return nil
			}
			return &fs.PathError{Op: "write", Path: folder, Err: c.cause}
		})
		if plain := "go build: exit status 1: " + c.text; c.says == "" && err.Error() != plain {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.says != "" && (!errors.Is(err, ErrFull) || !errors.Is(err, failed) ||
			!strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
	if err := OfGo("go build", nil, linker); err != nil {
		t.Errorf("of a command that did not fail: %v", err)
	}
}

// TestPrinted: an error ends in what the program has printed, or says that it has printed nothing; one of a
// program that could not be started stays as it is.
func TestPrinted(t *testing.T) {
	failed := errors.New("exit status 1")
	for text, says := range map[string]string{"": "exit status 1", " \n": "exit status 1",
		"\nno such package\n": "exit status 1: no such package"} {
		if err := Printed(failed, text); !errors.Is(err, failed) || err.Error() != says {
			t.Errorf("%q: %q, want %q", text, err, says)
		}
	}
	ended := exec.CommandContext(t.Context(), "sh", "-c", "exit 3").Run()
	if err := Printed(ended, " \n"); err == nil || err.Error() != "exit status 3, and it printed nothing" {
		t.Errorf("of a program that ended without a word: %v", err)
	}
}
