package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/impl/remote"
)

// block is what a page has between two marks.
func block(t *testing.T, page, from, to string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, from)
	text, _, end := strings.Cut(rest, to)
	if !ok || !end {
		t.Fatalf("the page has no text between %q and %q", from, to)
	}
	return text
}

// TestDocs_Programs: the programs of docs/slots.md, run as the page says, print what it says.
func TestDocs_Programs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "slots.md"))
	if err != nil {
		t.Fatal(err)
	}
	page, dir := string(text), t.TempDir()
	clone, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for name, mark := range map[string]string{"main.c": "```c\n", "main.py": "```python\n"} {
		program := []byte(block(t, page, mark, "```"))
		if err := os.WriteFile(filepath.Join(dir, name), program, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "slots"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"c", "python"} { // ahead of the service, which a skip would end at once
		languages[language](t) // or it says what is missing
	}
	serving(t, newCache(t), remote.Options{}, filepath.Join(dir, "slots", "alice.slots"))
	lines := strings.Split(block(t, page, "would make it:\n\n", "\n\n"), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], "cache serve") {
		t.Fatalf("the page has the commands %q", lines)
	}
	want := strings.ReplaceAll(block(t, page, "The programs print\n\n    ", "\n\n"), "\n    ", "\n") + "\n"
	out := ""
	for i := range 2 {
		cmd := exec.Command("sh", "-c", strings.ReplaceAll(strings.TrimSpace(lines[1+i]), "CLONE", clone))
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
		printed, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", lines[1+i], err, printed)
		}
		out += string(printed)
	}
	if out != want {
		t.Errorf("the programs print %q, and the page says %q", out, want)
	}
}
