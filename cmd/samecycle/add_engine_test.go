//go:build !explore

package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/samecycle/samecycle/internal/lint"
	"github.com/samecycle/samecycle/internal/samestates"
)

// addEnginePage is the page that TestAddAnEngine follows.
const addEnginePage = "docs/add-an-engine.md"

// pageLines is the most that the page may have: it is one short page.
const pageLines = 120

// TestAddAnEngine does in a copy of the repository what the page says: it runs its commands and puts in each
// of its faults. The house rules hold and the cells are green, but for those that a fault turns red. Then the
// engine has a second state, by the rows of the other page, and faults are seeded into its code.
func TestAddAnEngine(t *testing.T) {
	root := copyOfRepository(t)
	page := textOf(t, filepath.Join(root, filepath.FromSlash(addEnginePage)))
	if n := strings.Count(page, "\n"); n > pageLines {
		t.Errorf("%s has %d lines, want %d at most", addEnginePage, n, pageLines)
	}
	commands := commandsOf(page)
	const words = "make build|bin/samecycle new-engine counter|make build|" +
		"bin/samecycle check --engine counter|go test ./internal/lint"
	if strings.Join(commands, "|") != words {
		t.Fatalf("the page has the commands %q, want %q: correct one of them", commands, words)
	}
	written := newEngine(t, root, strings.Fields(commands[1])[1:], commands[2:])
	tree := engineTree(t, root, written)
	rowsOfEngine(t, page, written, tree)
	plainMemory(t, root, tree)

	rules := rulesOfCopy(t, root) // beside the build and TLC
	buildCopy(t, root)
	cells, code := checkCopy(t, root, toyLetter+"01", strings.Fields(commands[3])[2:]...)
	rules()
	greenCells(t, cells, code)

	faults := rowsOf(page, "cell that turns red")
	if len(faults) != 2 {
		t.Errorf("the page has the faults %q, want 2", faults)
	}
	for _, f := range faults {
		redCell(t, root, unquoted(f[0]), unquoted(f[1]), unquoted(f[2]), unquoted(f[3]))
	}
	record := textOf(t, filepath.Join(root, "results", "counter", "records", "engine",
		toyLetter+"01TwoIncrements.json"))
	const says = "the actor is at IncrementSwap, a CompareAndSwap; the engine made a Store in IncrementSwap"
	if !strings.Contains(record, says) {
		t.Errorf("the record does not say what the engine did, which is %q:\n%s", says, record)
	}
	addState(t, root, tree)
	faultsOfCode(t, root)
}

// commandsOf are the command lines of a page: those that are set in.
func commandsOf(page string) (all []string) {
	for line := range strings.Lines(page) {
		if command, in := strings.CutPrefix(line, "    "); in {
			all = append(all, strings.TrimSpace(command))
		}
	}
	return all
}

// rowsOf are the rows of the table of a page whose last column has that title, cell by cell.
func rowsOf(page, title string) (rows [][]string) {
	in := false
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			in = false
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		switch {
		case cells[len(cells)-1] == title:
			in = true
		case in && !strings.HasPrefix(line, "|---"):
			rows = append(rows, cells)
		}
	}
	return rows
}

// unquoted is a cell of a table that is one text of a file.
func unquoted(cell string) string { return strings.Trim(cell, "`") }

// newEngine runs the page's command line, and returns the files that the page may speak of. Once more it is
// refused, and nothing is changed.
func newEngine(t *testing.T, root string, args, next []string) []string {
	t.Helper()
	args = append(args, "--root", root, "--json")
	code, out, errOut := call(args...)
	var e struct {
		Engine, Letter      string
		Files, Edited, Next []string
	}
	if err := json.Unmarshal([]byte(out), &e); err != nil || code != exitOK {
		t.Fatalf("%q: %v, status %d\n%s%s", args, err, code, out, errOut)
	}
	if e.Engine != args[1] || e.Letter != toyLetter || !slices.Equal(e.Next, next) {
		t.Errorf("the command has made %+v, want the next commands %q", e, next)
	}
	code, _, errOut = call(args...)
	if code != exitUsage || !strings.Contains(errOut, "internal/catalog/counter is there") {
		t.Errorf("a second time: status %d, %s", code, errOut)
	}
	code, _, errOut = call("new-engine", "tally", "--letter", toyLetter, "--root", root)
	if code != exitUsage || !strings.Contains(errOut, "belongs to the states of counter") {
		t.Errorf("another engine with its letter: status %d, %s", code, errOut)
	}
	return append(e.Files, e.Edited...)
}

// rowsOfEngine wants a row of the page for each file that was written, and no other. Where the row says that
// lint turns red, lint finds something without the file, and without what it is about.
func rowsOfEngine(t *testing.T, page string, written []string, tree fstest.MapFS) {
	t.Helper()
	var named []string
	for _, row := range rowsOf(page, "what turns red if you forget it") {
		name := unquoted(row[0])
		named = append(named, name)
		without := maps.Clone(tree)
		delete(without, name)
		found := nameFindings(t, without)
		if says := strings.Contains(row[2], "`go test ./internal/lint`"); says != (len(found) > 0) {
			t.Errorf("%s says that lint finds something without %s: %v; it finds %q", addEnginePage, name,
				says, found)
		}
		const want = "impl/counter: action IncrementSwap of the catalog has no function incrementSwap: " +
			"the access of an action is made by the function of its name"
		if name == "impl/counter/counter.go" && !slices.Contains(found, want) {
			t.Errorf("without the code of the engine lint finds %q, want %q", found, want)
		}
	}
	slices.Sort(named)
	if want := slices.Sorted(slices.Values(written)); !slices.Equal(named, want) {
		t.Errorf("%s has rows of %q, the command has written %q", addEnginePage, named, want)
	}
	if found := nameFindings(t, tree); len(found) > 0 {
		t.Errorf("lint finds %q", found)
	}
}

// engineTree is a repository that has just the files of the engine.
func engineTree(t *testing.T, root string, files []string) fstest.MapFS {
	t.Helper()
	tree := fstest.MapFS{}
	for _, name := range append(files, "README.md") {
		tree[name] = &fstest.MapFile{Data: []byte(textOf(t, filepath.Join(root, filepath.FromSlash(name))))}
	}
	return tree
}

// nameFindings are the findings of lint about the names of the toy engine.
func nameFindings(t *testing.T, tree fstest.MapFS) (all []string) {
	t.Helper()
	loaded, err := lint.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range lint.Checks() {
		if !slices.Contains([]string{"StateNames", "ActionNames", "EngineSteps", "EngineBorder",
			"PlainMemory"}, c.Name) {
			continue
		}
		for _, f := range c.Run(loaded) {
			if strings.Contains(f.File, "counter") {
				all = append(all, f.String())
			}
		}
	}
	return all
}

// greenCells wants all cells green that can be without what TLC needs, and with it all but the stress.
func greenCells(t *testing.T, cells map[string]string, code int) {
	t.Helper()
	for _, link := range []string{"model", "engine", "histories"} {
		if got := cells[link]; got != "pass" {
			t.Errorf("the cell %s is %s, want pass", link, got)
		}
	}
	if cells["volume"] != "not-built" {
		t.Errorf("the cell volume is %s, though the engine has no volume", cells["volume"])
	}
	t.Run("TLC", func(t *testing.T) {
		samestates.Tool(t)
		if cells["spec"] != "pass" || cells["mutants"] != "pass" || code != exitOK {
			t.Errorf("spec is %s, mutants is %s, the status is %d: want pass, pass and 0", cells["spec"],
				cells["mutants"], code)
		}
	})
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
	cells, code := checkCopy(t, root, toyLetter+"01", "--link", link, "--state", toyLetter+"01")
	put(t, root, file, text)
	if cells[link] != "fail" || code != exitRed {
		t.Errorf("with %q in %s the cell %s is %s, the status %d", fault, file, link, cells[link], code)
	}
}

// rulesOfCopy begins to look for findings of the whole lint test about the new engine. What it returns waits
// for it, and wants none.
func rulesOfCopy(t *testing.T, root string) (wait func()) {
	var all []string
	var broken error
	done := make(chan struct{})
	go func() {
		defer close(done)
		tree, err := lint.Load(os.DirFS(root))
		if broken = err; err != nil {
			return
		}
		for _, c := range lint.Checks() {
			for _, f := range c.Run(tree) {
				s := f.String()
				if strings.Contains(s, "counter") || strings.Contains(s, "scenarios/engines") {
					all = append(all, s)
				}
			}
		}
	}()
	return func() {
		t.Helper()
		<-done
		if broken != nil {
			t.Error(broken)
		}
		for _, f := range all {
			t.Error(f)
		}
	}
}

// buildCopy builds the program of the copy. Without the path of the copy in what is built, Go finds what it
// built in earlier runs, each of which had a copy elsewhere.
func buildCopy(t *testing.T, root string) {
	t.Helper()
	build := exec.CommandContext(t.Context(), "make", "build")
	build.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath")
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// checkCopy runs the check of the copy, and returns the status of each cell of a state, by link.
func checkCopy(t *testing.T, root, state string, args ...string) (cells map[string]string, code int) {
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
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatalf("check printed %s (%v)\n%s", text, err, errs.String())
	}
	t.Log(errs.String())
	cells = map[string]string{}
	for _, row := range rows {
		if strings.HasPrefix(row.State, state) {
			for link, cell := range row.Links {
				cells[link] = cell.Status
			}
		}
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
