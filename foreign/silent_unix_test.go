//go:build unix

package foreign

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGoCommand_FailsWithoutAWord: the error ends in how the command ended and that it printed nothing, and
// not in the colon ahead of what it would have printed.
func TestGoCommand_FailsWithoutAWord(t *testing.T) {
	silent := t.TempDir()
	if err := os.WriteFile(filepath.Join(silent, "go"), []byte("#!/bin/sh\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", silent)
	_, err := goCommand(t.Context(), silent, "list")
	const says = "go list: exit status 3, and it printed nothing"
	if !errors.Is(err, ErrToolchain) || !strings.HasSuffix(err.Error(), says) {
		t.Errorf("%q", err)
	}
}
