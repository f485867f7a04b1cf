package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/seam"
)

// TestWorkerProgram_Progress: while the program of the processes is built, that is what the progress says,
// and not what was done before.
func TestWorkerProgram_Progress(t *testing.T) {
	if !seam.Explored {
		t.Skip("NOT RUN: this program is the one of the processes, and none is built")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // it need not be built
	p := newProgress(new(bytes.Buffer))
	defer p.close()
	p.update("making a trace", 0)
	if _, _, err := (&app{root: repositoryRoot}).workerProgram(ctx, p); err == nil {
		t.Error("it was built")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !strings.Contains(p.what, "building the program") {
		t.Errorf("the progress says %q", p.what)
	}
}

// TestTrace_PictureInANewFolder: the folder of a picture is made, as those of other files are.
func TestTrace_PictureInANewFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "folder", "x.svg")
	code, out, errOut := call("trace", "--scan", "500", "--requests", "2000", "--svg", path)
	text, err := os.ReadFile(path)
	if code != exitRed || err != nil || !bytes.Contains(text, []byte("<svg")) {
		t.Errorf("status %d, %v, %q\n%s%s", code, err, text, out, errOut)
	}
	_, out, _ = call("trace", "--help")
	if want := "the folder is made if there is none"; !strings.Contains(out, want) {
		t.Errorf("the help does not say %q:\n%s", want, out)
	}
}
