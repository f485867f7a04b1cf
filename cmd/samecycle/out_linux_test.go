package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestMutants_NowhereToWrite: what could not be kept is not begun. Nobody makes a file in the
// folder, which only Linux has.
func TestMutants_NowhereToWrite(t *testing.T) {
	const out = "/proc/self/mutants.json"
	code, text, errOut := call("mutants", "--root", repositoryRoot, "--only",
		"update.go:cell.updateSwap#1 cas-to-store", "--out", out)
	if code != exitRed || text != "" || !strings.Contains(errOut, "--out: "+out+" cannot be written: ") ||
		!strings.Contains(errOut, "make its folder writable") {
		t.Errorf("exit %d: %s%s", code, text, errOut)
	}
}

// TestOut_NoRegularFile: nobody waits for a pipe, and no file takes the place of a device.
func TestOut_NoRegularFile(t *testing.T) {
	pipe, device := filepath.Join(t.TempDir(), "pipe"), filepath.Join(t.TempDir(), "device")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Symlink(os.DevNull, device)); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{device, pipe} {
		for _, line := range []string{"mutants --filter undo", "stress --duration 10m",
			"stress --duration 10m --resume"} {
			args := append(strings.Fields(line), "--root", repositoryRoot, "--out", out)
			code, text, errOut := call(args...)
			if code != exitRed || text != "" ||
				!strings.Contains(errOut, out+" cannot be written: it is no regular file") {
				t.Errorf("%s: exit %d: %s%s", line, code, text, errOut)
			}
		}
	}
}

// TestExplore_CheckpointIsNowhere: a search that cannot be saved is not begun.
func TestExplore_CheckpointIsNowhere(t *testing.T) {
	const folder = "/proc/self" // which is there, and takes no file
	code, out, errOut := call("explore", "S04", "--bound", "0", "--checkpoint", folder)
	if code != exitUsage || out != "" || !strings.HasPrefix(errOut, "samecycle: --checkpoint "+folder+": ") ||
		!strings.Contains(errOut, "; name a folder that can be written\n") {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
}
