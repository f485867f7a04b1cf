package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/mutate"
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

// TestOut_Link: of a symbolic link the target is written, whether or not it is there; and who writes it by
// its own name waits for the other one.
func TestOut_Link(t *testing.T) {
	for _, there := range []bool{true, false} {
		dir := t.TempDir()
		link, target := filepath.Join(dir, "link"), filepath.Join(dir, "target")
		if err := os.Symlink("target", link); err != nil {
			t.Fatal(err)
		}
		release, err := holdWritable("--out", link)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := holdWritable("--out", target); err == nil {
			t.Error("the target of a file that is held is held once more")
		}
		release()
		c := &mutantRun{flags: mutantFlags{engine: "cache", out: link}}
		if c.registered, c.engine, err = c.flags.resolve(); err != nil {
			t.Fatal(err)
		}
		for name, write := range map[string]func() error{
			"figures": func() error { return evidence.WriteFile(link, []byte("figures\n")) },
			"ledger":  func() error { return c.put(mutate.Ledger{}) },
			"results": func() error { return writeResults(repositoryRoot, nil, link) },
			"page":    func() error { return writeTopPage(topFrame{}, link) },
		} {
			err := os.RemoveAll(target)
			if there {
				err = errors.Join(err, os.WriteFile(target, nil, 0o600))
			}
			err = errors.Join(err, write())
			info, e := os.Lstat(link)
			if err = errors.Join(err, e); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Fatalf("%s: %v, the link is no link any more: %v", name, err, info)
			}
			if text, err := os.ReadFile(target); err != nil || len(text) == 0 {
				t.Errorf("%s: %v, %d bytes in the target", name, err, len(text))
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
