package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/evidence"
)

// The matrix replaces what is between the comments, and nothing else.
func TestWriteMatrix(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.md")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m := []*evidence.Matrix{evidence.BuildMatrix(t.TempDir(), register.Engine(), nil, nil)}
	write("head\n" + matrixBegin + "old\n" + matrixEnd + "\ntail\n")
	for range 2 {
		if err := writeMatrices(m, file); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := string(text)
	if !strings.HasPrefix(s, "head\n"+matrixBegin+"```\nSTATE") || strings.Contains(s, "old") ||
		!strings.HasSuffix(s, "```\n"+matrixEnd+"\ntail\n") || strings.Count(s, "S24") != 1 {
		t.Errorf("the page is\n%s", s)
	}
	if err := writeMatrices(m, file+".none"); err == nil || !strings.Contains(err.Error(), "that is there") {
		t.Errorf("a page that is not there: %v", err)
	}
	write("no marks\n")
	if err := writeMatrices(m, file); err == nil || !strings.Contains(err.Error(), "no place") {
		t.Errorf("a page without marks: %v", err)
	}
}
