package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
)

// TestUpdateManifests_Quiet: of the folders of the specification only those are told whose runs were made.
func TestUpdateManifests_Quiet(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	m, err := tlc.LoadManifest(filepath.Join(root, "spec/tla/shardmap"))
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	a := &app{out: io.Discard, err: &told}
	if _, err := a.updateManifests(root, []tlc.Verdict{{Entry: m.Entries[0]}}); err != nil {
		t.Fatal(err)
	}
	want := "manifest: nothing to change in " + filepath.Join(root, "spec/tla/shardmap") + "\n"
	if text := told.String(); text != want {
		t.Errorf("an update of a run of shardmap tells\n%swant\n%s", text, want)
	}
}
