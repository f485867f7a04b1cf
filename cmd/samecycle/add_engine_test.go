//go:build !explore

package main

import (
	"encoding/json"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/lint"
	"github.com/samecycle/samecycle/internal/samestates"
)

// addEnginePage is the page that TestAddAnEngine follows.
const addEnginePage = "docs/add-an-engine.md"

// enginesList is the only file that the page changes.
const enginesList = "scenarios/engines/engines.go"

// reFile is a file on a page: its path, and a block with its text.
var reFile = regexp.MustCompile("(?m)^`([^`\\n]+)`:\\n\\n```\\w*\\n((?s:.*?))^```$")

// TestAddAnEngine does in a copy of the repository what the page says, and nothing else: it writes the
// files of the page, which are new, and enters the engine into the list. The copy's chain is green then, the
// house rules hold, and a fault in the engine, and one in its judge of histories, turns a cell red.
func TestAddAnEngine(t *testing.T) {
	root := copyOfRepository(t)
	page := textOf(t, filepath.Join(root, filepath.FromSlash(addEnginePage)))
	files := reFile.FindAllStringSubmatch(page, -1)
	if len(files) < 10 {
		t.Fatalf("%s has %d files, want one of each layer", addEnginePage, len(files))
	}
	for _, f := range files {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(f[1]))); err == nil {
			t.Fatalf("%s has %s, which is no new file", addEnginePage, f[1])
		}
		if !strings.Contains(f[1], "/counter/") {
			t.Errorf("%s has %s, which is in no folder of the engine", addEnginePage, f[1])
		}
		put(t, root, f[1], f[2])
	}
	enterEngine(t, root, page)

	t.Run("rules", func(t *testing.T) { rulesOfCopy(t, root) })

	buildCopy(t, root)
	out, code := checkCopy(t, root, "--all", "--engine", "counter")
	for _, link := range []string{"model", "engine", "histories"} {
		if got := out[link]; got != "pass" {
			t.Errorf("the cell %s is %s, want pass", link, got)
		}
	}
	if out["volume"] != "not-built" {
		t.Errorf("the cell volume is %s, though the engine has no volume", out["volume"])
	}
	t.Run("TLC", func(t *testing.T) {
		samestates.Tool(t)
		if out["spec"] != "pass" || out["mutants"] != "pass" || code != exitOK {
			t.Errorf("spec is %s, mutants is %s, the status is %d: want pass, pass and 0", out["spec"],
				out["mutants"], code)
		}
	})

	for _, f := range []struct{ file, old, new, link string }{
		{"impl/counter/counter.go", "return c.word.CompareAndSwap(seen, seen+1)",
			"c.word.Store(seen + 1); return true", "engine"},
		{"scenarios/counter/world.go", "return n, a == n", "return n, a == n+1", "histories"},
	} {
		redCell(t, root, f.file, f.old, f.new, f.link)
	}
}

// redCell puts a fault into a file of the copy, wants the cell of the link to fail, and takes the fault out.
func redCell(t *testing.T, root, file, old, fault, link string) {
	t.Helper()
	text := textOf(t, filepath.Join(root, filepath.FromSlash(file)))
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not hold %s", file, old)
	}
	put(t, root, file, strings.Replace(text, old, fault, 1))
	buildCopy(t, root)
	cells, code := checkCopy(t, root, "--link", link, "--state", "T01")
	put(t, root, file, text)
	if cells[link] != "fail" || code != exitRed {
		t.Errorf("with %q in %s the cell %s is %s, the status %d", fault, file, link, cells[link], code)
	}
}

// enterEngine enters the engine into the list, with the import and the entry that the page shows.
func enterEngine(t *testing.T, root, page string) {
	t.Helper()
	const imported = "\t\"github.com/samecycle/samecycle/scenarios/counter\"\n"
	const entry = "\t\tcounter.Engine(),\n"
	for _, line := range []string{imported, entry} {
		if !strings.Contains(page, "```\n"+line+"```") {
			t.Fatalf("%s does not show the line %q for %s", addEnginePage, line, enginesList)
		}
	}
	const before, end = "\t\"github.com/samecycle/samecycle/scenarios/basket\"\n", "\t}\n}\n"
	list := textOf(t, filepath.Join(root, filepath.FromSlash(enginesList)))
	at := strings.Index(list, end)
	if at < 0 || !strings.Contains(list, before) {
		t.Fatalf("%s has another form: correct this test", enginesList)
	}
	list = list[:at] + entry + list[at:]
	list = strings.Replace(list, before, before+imported, 1)
	formatted, err := format.Source([]byte(list)) // as the page says: the imports are in their order
	if err != nil {
		t.Fatal(err)
	}
	put(t, root, enginesList, string(formatted))
}

// rulesOfCopy wants no finding of the lint test about the new engine, and sees that there would be some: one
// for each function of an action that is not there.
func rulesOfCopy(t *testing.T, root string) {
	tree, err := lint.Load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	found := func() (all []string) {
		for _, c := range lint.Checks() {
			for _, f := range c.Run(tree) {
				if s := f.String(); strings.Contains(s, "counter") || strings.Contains(s, enginesList) {
					all = append(all, s)
				}
			}
		}
		return all
	}
	for _, f := range found() {
		t.Error(f)
	}
	tree.Go = slices.DeleteFunc(tree.Go, func(s *lint.Source) bool { return s.Dir == "impl/counter" })
	const want = "impl/counter: action IncrementSwap of the catalog has no function incrementSwap"
	if all := strings.Join(found(), "\n"); !strings.Contains(all, want) {
		t.Errorf("without the code of the engine the rules find %q, want %q", all, want)
	}
}

// buildCopy builds the program of the copy.
func buildCopy(t *testing.T, root string) {
	t.Helper()
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-tags", "explore", "-o",
		filepath.Join("bin", "samecycle"), "./cmd/samecycle")
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// checkCopy runs the check of the copy, and returns the status of each cell of the engine's one state, by
// link.
func checkCopy(t *testing.T, root string, args ...string) (cells map[string]string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(root, "bin", "samecycle"),
		append([]string{"check", "--json"}, args...)...)
	cmd.Dir = root
	var errs strings.Builder
	cmd.Stderr = &errs
	text, err := cmd.Output()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	var rows []struct {
		State string
		Links map[string]struct{ Status string }
	}
	if err := json.Unmarshal(text, &rows); err != nil || len(rows) != 1 {
		t.Fatalf("check printed %s (%v)\n%s", text, err, errs.String())
	}
	t.Log(errs.String())
	cells = map[string]string{}
	for link, cell := range rows[0].Links {
		cells[link] = cell.Status
	}
	return cells, cmd.ProcessState.ExitCode()
}

func textOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
