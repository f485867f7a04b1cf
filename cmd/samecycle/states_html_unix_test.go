//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestWriteResults_NoFile: what is no file is refused at once, and named.
func TestWriteResults_NoFile(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("NOT RUN: no pipe can be made here: ", err)
	}
	for path, want := range map[string]string{dir: "it is a folder; name a file in it",
		pipe: "it is no regular file; name another one"} {
		done := make(chan error, 1)
		go func() { done <- writeResults(repositoryRoot, nil, path) }()
		select {
		case err := <-done:
			if err == nil || !strings.HasPrefix(err.Error(), "--html: "+path) ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", path, err, want)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s: it waits for a writer", path)
		}
	}
}
