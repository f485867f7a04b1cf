package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
)

// TestWriteResults: the page has each state of each engine with the text of its finding, replaces itself, and
// nothing else.
func TestWriteResults(t *testing.T) {
	var all []*evidence.Matrix
	for _, c := range allChains() {
		all = append(all, evidence.BuildMatrix(t.TempDir(), c.engine, nil, nil))
	}
	file := filepath.Join(t.TempDir(), "results.html")
	for range 2 {
		if err := writeResults(repositoryRoot, all, file); err != nil {
			t.Fatal(err)
		}
	}
	text := textOfPage(t, file)
	for _, c := range allChains() {
		for _, s := range c.engine.States {
			if !strings.Contains(text, ">"+s.ID+"<") {
				t.Errorf("%s of %s is not on the page", s.ID, c.engine.Name)
			}
		}
	}
	for _, want := range []string{"S04AddCollisionEmpty: Add Collision and Empty in the Same Cycle</summary>",
		"the loser of the race for an empty cell is lost", `alt="diagram cell.svg`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	other := filepath.Join(t.TempDir(), "mine.html")
	put(t, filepath.Dir(other), "mine.html", "<p>mine")
	if err := writeResults(repositoryRoot, all, other); err == nil || textOfPage(t, other) != "<p>mine" {
		t.Errorf("another page is overwritten: %v", err)
	}
}

func textOfPage(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
