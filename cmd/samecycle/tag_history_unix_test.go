//go:build explore && unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExploreHistory_PipeInterrupted: the first interrupt ends a search that waits at a pipe for its history,
// whether nobody has opened the other end, nobody writes there, or somebody has written a part of it.
func TestExploreHistory_PipeInterrupted(t *testing.T) {
	root := repositoryWith(t)
	for name, begin := range map[string]string{"nobody has it open": "", "nobody writes": " ",
		"there is a part": `{"note":`} {
		fifo := makeFIFO(t)
		if begin != "" {
			f, err := os.OpenFile(fifo, os.O_RDWR, 0)
			if err == nil {
				_, err = f.WriteString(begin)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
		}
		said := endedBy(t, "explore", "--root", root, "--history", fifo)
		if !strings.HasPrefix(said, "status 130: ") || !strings.HasSuffix(said, "samecycle: interrupted\n") {
			t.Errorf("%s: %s", name, said)
		}
	}
}

// TestExploreHistory_Unreadable: another name would not help who may not read the file.
func TestExploreHistory_Unreadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "refused.ndjson")
	if err := os.WriteFile(path, nil, 0); err != nil {
		t.Fatal(err)
	}
	_, err := readHistory(path)
	if err == nil || strings.Contains(err.Error(), "it has no calls") {
		t.Skip("NOT RUN: root may read each file; run it as another user")
	}
	if !strings.HasSuffix(err.Error(), "permission denied; run as a user who may read it") {
		t.Errorf("%v", err)
	}
}
