//go:build unix

package mutate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestErrors_EndInTheirCause: of a go command that is not there, or fails without a word, the error ends in
// that, and not in the colon ahead of what was printed.
func TestErrors_EndInTheirCause(t *testing.T) {
	silent := t.TempDir()
	if err := os.WriteFile(filepath.Join(silent, "go"), []byte("#!/bin/sh\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		"": "not found in $PATH", silent: "exit status 3, and it printed nothing",
	} {
		t.Setenv("PATH", path)
		_, loaded := load(context.Background(), t.TempDir(), engine, engine.Targets()[0])
		none := filepath.Join(silent, "none")
		built := overlay{root: t.TempDir()}.program(context.Background(), none, "build")
		for what, err := range map[string]error{"load": loaded, "build": built} {
			if err == nil || !strings.HasSuffix(err.Error(), says) {
				t.Errorf("%s with the path %q: %q, want %q at the end", what, path, err, says)
			}
		}
		if !errors.Is(loaded, ErrSource) || !errors.Is(built, ErrBuild) {
			t.Errorf("%v; %v", loaded, built)
		}
	}
}
