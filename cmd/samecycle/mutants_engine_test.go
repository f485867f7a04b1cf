package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence/closure"
	"github.com/samecycle/samecycle/internal/mutate"
)

// The commit of a ledger is the last one that touched any code which the packages and their tests are made
// of, and not only the packages: else a ledger that was just made would be stale.
func TestMutants_CommitOfAllCode(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("NOT RUN: git is missing")
	}
	root := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		args = append([]string{"-C", root, "-c", "user.name=n", "-c", "user.email=e"}, args...)
		out, err := exec.Command("git", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(name, text string) string {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		git("add", ".")
		git("commit", "-q", "-m", "a commit")
		return git("rev-parse", "--short=12", "HEAD")
	}
	e, err := mutate.NewEngine("some", &catalog.Mutation{
		Targets: []catalog.MutationTarget{{Folder: "impl/judged"}}}, mutate.Programs{})
	if err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	commit("go.mod", "module "+closure.Module+"\n\ngo 1.26\n")
	commit("impl/below/below.go", "package below\n\nconst n = 1\n")
	commit("impl/judged/judged.go", "package judged\n\nimport _ \""+closure.Module+"/impl/below\"\n")
	want := commit("impl/judged/judged_test.go", "package judged\n")
	for i, x := range []struct {
		name, text string
		counts     bool
	}{{"impl/other/other.go", "package other\n", false},
		{"impl/below/below.go", "package below\n\nconst n = 2\n", true},
		{"impl/judged/more_test.go", "package judged\n", true},
		{"harness/harness.go", "package harness\n", true}, {"README.md", "text\n", false}} {
		if now := commit(x.name, x.text); x.counts {
			want = now
		}
		got, err := judgedCommit(context.Background(), root, e, []string{"go.mod", "harness"})
		if err != nil || got != want {
			t.Errorf("%d: behind a commit of %s the ledger is of %s (%v), want %s", i, x.name, got, err, want)
		}
	}
}
