//go:build !explore

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// declaration is put behind a Go file, comment as well: the one changes it, the other does not.
const (
	declaration = "\n\nvar turned = 1\n"
	remark      = "\n\n// A remark.\n"
)

// scopeEdits each change one file, and name the cells that must turn: links of the state S04, and those of
// S05, another state.
var scopeEdits = []struct {
	file     string
	old, new string // what is replaced; old empty: new is put at the end
	mine     string // links of S04
	others   string // links of S05
}{
	{"docs/protocol.md", "", "\nmore\n", "", ""},
	{"bench/plan.go", "", declaration, "", ""},
	{"impl/hopscotch/print.go", "", remark, "", ""},
	{"internal/evidence/render.go", "", declaration, "", ""},
	{"cmd/samecycle/dump.go", "", declaration, "", ""},
	{"impl/hopscotch/add.go", "", declaration, "engine histories mutants volume",
		"engine histories mutants volume"},
	{"impl/region/region.go", "", declaration, "engine histories mutants volume",
		"engine histories mutants volume"},
	{"internal/seam/doc.go", "", declaration, "engine histories mutants volume",
		"engine histories mutants volume"},
	{"service/service.go", "", declaration, "mutants", "mutants"},
	{"explore/engine.go", "", declaration, "engine histories mutants", "engine histories mutants"},
	{"explore/hostile/stage.go", "", declaration, "engine histories mutants", "engine histories mutants"},
	{"explore/processes/check.go", "", declaration, "engine histories mutants", "engine histories mutants"},
	{"scenarios/hopscotch/processes/judge.go", "", declaration, "engine histories mutants",
		"engine histories mutants"},
	{"scenarios/hopscotch/hostile/judge.go", "", declaration, "engine histories mutants",
		"engine histories mutants"},
	{"scenarios/hopscotch/clients.go", "", declaration, "engine histories mutants",
		"engine histories mutants"},
	{"scenarios/hopscotch/volume/audit.go", "", declaration, "volume", "volume"},
	{"harness/link.go", "", declaration, "engine histories mutants", "engine histories mutants"},
	{"linearizability/check.go", "", declaration, "engine histories mutants volume",
		"engine histories mutants volume"},
	{"stress/window.go", "", declaration, "volume", "volume"},
	{"internal/tlc/parse.go", "", declaration, "model mutants spec", "model mutants spec"},
	{"internal/mutate/search.go", "", declaration, "mutants", "mutants"},
	{"model/search/search.go", "", declaration, "engine histories model mutants",
		"engine histories model mutants"},
	{"model/hopscotch/owner/machine.go", "", declaration, "engine histories model mutants",
		"engine histories model mutants"},
	{"cmd/samecycle/link_model.go", "known = known &&", "known = known && true &&", "model", "model"},
	{"cmd/samecycle/link_spec.go", "v.Unknown && r.Status", "v.Unknown && true && r.Status", "spec", "spec"},
	{"cmd/samecycle/link_volume.go", "volumeThreads   = 6", "volumeThreads   = 7", "volume", "volume"},
	{"cmd/samecycle/link_mutants_engine.go", "engineMutants = 6", "engineMutants = 7", "mutants", "mutants"},
	{"scenarios/hopscotch/states/states.go", `"S04AddCollisionEmpty_Near", All,`,
		`"S04AddCollisionEmpty_Near", 2,`, "engine histories mutants", ""},
	{"scenarios/hopscotch/states/states.go", "Recipe{Cells: 6, Window: 4, Keys: 4,",
		"Recipe{Cells: 7, Window: 4, Keys: 4,", "volume", ""},
	{"spec/tla/hopscotch/MCHopscotch_S04AddCollisionEmpty.cfg", "", "\nCONSTRAINT Never\n",
		"mutants spec", ""}, // a mutant of the state is judged in this run
	{"spec/tla/hopscotch/Help.tla", "HelpFlip(t) ==",
		"HelpFlip(t) == TRUE /\\", "mutants spec", "mutants spec"},
	{"spec/tla/hopscotch/Help.tla", "", "\n\\* A remark.\n", "", ""},
	{"spec/tla/hopscotch/Scenarios.tla", "S04AddCollisionEmpty ==", "S04AddCollisionEmpty == TRUE /\\",
		"mutants spec", ""},
	{"go.mod", "github.com/anishathalye/porcupine v1.3.1", "github.com/anishathalye/porcupine v1.3.0",
		"engine histories mutants volume", "engine histories mutants volume"},
}

// TestScopes edits one file at a time in a copy of the repository, and sees just the right cells turn.
func TestScopes(t *testing.T) {
	root := copyOfRepository(t)
	tree := closure.Open(root)
	before := restsOn(t, tree)
	for state, links := range before {
		for link, hash := range links {
			if len(hash) != 64 || strings.Contains(hash, " ") {
				t.Fatalf("%s/%s: %s", state, link, hash)
			}
		}
	}
	for _, e := range scopeEdits {
		path := filepath.Join(root, filepath.FromSlash(e.file))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		edited := string(text) + e.new
		if e.old != "" {
			if n := strings.Count(string(text), e.old); n != 1 {
				t.Errorf("%s has %q %d times, want once", e.file, e.old, n)
				continue
			}
			edited = strings.Replace(string(text), e.old, e.new, 1)
		}
		write := func(s string) {
			if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(edited)
		now := tree.Reread()
		if e.file == "go.mod" {
			now = closure.Open(root)
		}
		after := restsOn(t, now)
		write(string(text))
		for _, c := range []struct{ state, want string }{
			{"S04AddCollisionEmpty", e.mine}, {"S05AddEmptyGet", e.others}} {
			var turned []string
			for link, hash := range after[c.state] {
				if hash != before[c.state][link] {
					turned = append(turned, link)
				}
			}
			slices.Sort(turned)
			if got := strings.Join(turned, " "); got != c.want {
				t.Errorf("%s (%.20q): of %s these turn: %q, want %q", e.file, e.new, c.state, got, c.want)
			}
		}
	}
}

// restsOn is the hash of what each cell of two states rests on, by state and link.
func restsOn(t *testing.T, tree *closure.Tree) map[string]map[string]string {
	t.Helper()
	c := allChains()[0]
	env := evidence.Env{Root: tree.Root(), Engine: c.engine, Tree: tree}
	now := evidence.NowOf(context.Background(), env, c.links)
	out := map[string]map[string]string{}
	for _, state := range []string{"S04AddCollisionEmpty", "S05AddEmptyGet"} {
		out[state] = map[string]string{}
		for _, l := range c.links {
			list, err := now(l.Link(), state, "")
			out[state][l.Link()] = list.Hash()
			if err != nil {
				out[state][l.Link()] = err.Error() // as of a module that is not there: no cell is green then
			}
		}
	}
	return out
}

// copyOfRepository copies the files that git knows, and those that it does not ignore.
func copyOfRepository(t *testing.T) string {
	t.Helper()
	git := exec.CommandContext(t.Context(), "git", "ls-files", "-co", "--exclude-standard")
	git.Dir = repositoryRoot
	out, err := git.Output()
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		text, err := os.ReadFile(filepath.Join(repositoryRoot, name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		put(t, root, name, string(text))
	}
	return root
}
