//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign"
	"github.com/samecycle/samecycle/internal/disk"
)

// TestGoCommand_DiskFull: whatever is built on a full disk, the error says so, and what to do, before what
// the go command makes of it.
func TestGoCommand_DiskFull(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir()
	script := "#!/bin/sh\necho 'link: mapping output file failed: no space left on device' >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(path, "go"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", path)
	for name, build := range map[string]func() error{
		"a driver": func() error {
			_, err := foreign.Explore(t.Context(), "sync.Map", foreign.Options{Root: root})
			return err
		},
		"the packages of mutants": func() error {
			_, e, err := mutantFlags{engine: defaultEngine}.resolve()
			if err != nil {
				return err
			}
			_, err = e.LoadAll(t.Context(), root)
			return err
		},
		"the engine that ships": func() error {
			_, _, err := plainProgram(t.Context(), root)
			return err
		},
	} {
		err := build()
		if !errors.Is(err, disk.ErrFull) || !strings.Contains(err.Error(), "set TMPDIR and GOCACHE to") ||
			!strings.Contains(err.Error(), "mapping output file failed") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
