package tlc

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A root module consists of what it extends over several lines with comments in between, of what those
// instantiate, and of nothing else, however the modules refer to one another.
func TestModulesOf(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"Root": "---- MODULE Root ----\nEXTENDS Naturals, \\* numbers\n" +
			"   One, (* of,\n Other *)\n Two\n====\n",
		"One":   "---- MODULE One ----\nEXTENDS Two\nM == INSTANCE \\* of,\n   Three WITH x <- 1\n====\n",
		"Two":   "---- MODULE Two ----\n====\n",
		"Three": "---- MODULE Three ----\nLOCAL INSTANCE Root\n====\n",
		"Other": "---- MODULE Other ----\nEXTENDS Root\n====\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name+".tla"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for root, want := range map[string][]string{
		"Root":  {"One.tla", "Root.tla", "Three.tla", "Two.tla"},
		"Two":   {"Two.tla"},
		"Other": {"One.tla", "Other.tla", "Root.tla", "Three.tla", "Two.tla"},
	} {
		if got, err := ModulesOf(dir, root); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s consists of %v, want %v (%v)", root, got, want, err)
		}
	}
	if _, err := ModulesOf(dir, "None"); err == nil {
		t.Error("a root module without a file has modules")
	}
}
