package modules

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/bench"
	"github.com/samecycle/samecycle/foreign/driver"
)

// A Result is what the page is made of.
type Result struct {
	Commit  string   `json:"commit"`
	Go      string   `json:"go"`
	Seed    uint64   `json:"seed"`
	Time    string   `json:"time"` // for each module
	Modules []Module `json:"modules"`
}

// Write writes modules.json and modules.md into the folder.
func Write(folder string, o Options, all []Module) error {
	return Result{o.Commit, runtime.Version(), o.Seed, o.Time.String(), all}.write(folder)
}

func (r Result) write(folder string) error {
	judged, err := judgments(judgedText)
	if err != nil {
		return err
	}
	return bench.WritePage(folder, "modules", r, r.page(judged))
}

// Render writes modules.md of the modules.json in the folder again: after a failure has been judged.
func Render(folder string) error {
	text, err := os.ReadFile(filepath.Join(folder, "modules.json"))
	if err != nil {
		return err
	}
	var r Result
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	return r.write(folder)
}

const head = `# The tests of other people's modules

    make modules                                     all of them
    go -C bench run ./cmd/modules -only conc         those whose names have this part; the page is not written
    go -C bench run ./cmd/modules -render            write the page again, after a change of judged.tsv

What to expect of your own tests: those of %[4]d modules, explored as they are, as by
"samecycle explore ./... --test . --races --time %[3]s" in a copy of each module. The time is for all tests of
a module together, so many are "unknown" here that are searched to their end if you name one and give it more.
Of each test in which a failure was found, "go test -count=%[6]d" was run: where it passes, the failure needs
an order that does not come by itself, or the explorer is wrong. The table below says which of the two it is.

Commit %[1]s, %[2]s, seed %[5]d. Which tests are unknown depends on the machine. Machine-readable:
[modules.json](modules.json).

- **all**: all interleavings were searched. **bounded**: those with few preemptions were. Of both, "in part"
  says how many use code that the explorer does not control, such as package net.
- **not judged**: the test does what the explorer cannot judge. It waits for a connection, counts allocations,
  or has more goroutines than are explored at a time. The table at the end has the reasons.
- **not ended**: the search was not ended in its part of the time.

`

// A count is what was found in the tests of a module.
type count struct{ all, bounded, partly, found, judged, ended, skipped int }

func (c *count) add(t Test) {
	switch {
	case t.Status == driver.Skipped:
		c.skipped++
	case t.Status == driver.Found:
		c.found++
	case t.Status == driver.Clean && t.All:
		c.all++
	case t.Status == driver.Clean:
		c.bounded++
	case t.Kind != "":
		c.judged++
	default:
		c.ended++
	}
	if t.Partly {
		c.partly++
	}
}

// page is the page for a reader.
func (r Result) page(judged map[[2]string]judgment) string {
	var b strings.Builder
	fmt.Fprintf(&b, head, r.Commit, r.Go, r.Time, len(r.Modules), r.Seed, goTests)
	b.WriteString("| module | tests | all | bounded | in part | found | not judged | not ended | " +
		"skipped |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	var sum count
	row := func(name string, n int, c count) {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d |\n",
			name, n, c.all, c.bounded, c.partly, c.found, c.judged, c.ended, c.skipped)
	}
	tests := 0
	for _, m := range r.Modules {
		var c count
		for _, t := range m.Tests {
			c.add(t)
			sum.add(t)
		}
		tests += len(m.Tests)
		row(m.Name, len(m.Tests), c)
	}
	row("**all**", tests, sum)
	r.found(&b, judged)
	b.WriteString("\n## What cannot be judged\n\n| module | test | why |\n|---|---|---|\n")
	r.each(driver.Unknown, func(m Module, t Test) {
		if t.Kind != "" {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", m.Name, t.title(), cell(t.Message))
		}
	})
	for _, m := range r.Modules {
		for _, pkg := range slices.Sorted(maps.Keys(m.NotExplored)) {
			fmt.Fprintf(&b, "| %s | all of %s | %s |\n", m.Name, pkg, cell(m.NotExplored[pkg]))
		}
	}
	return b.String()
}

// found writes what was found, and how it was judged.
func (r Result) found(b *strings.Builder, judged map[[2]string]judgment) {
	var table strings.Builder
	sum := map[string]int{}
	r.each(driver.Found, func(m Module, t Test) {
		x, known := judged[[2]string{m.Name, t.title()}]
		verdict, why := "not judged", ""
		if known && x.kind == t.Kind {
			verdict, why = x.verdict, x.why
		}
		sum[verdict]++
		fmt.Fprintf(&table, "| %s | %s | %s | %d | %d | %s | %s | %s | %s |\n", m.Name, t.title(), t.Kind,
			t.Executions, t.Preemptions, t.GoTest, verdict, cell(t.Message),
			cmp.Or(strings.ReplaceAll(why, "|", "/"), "-"))
	})
	b.WriteString("\n## What was found\n\nEach failure was judged by reading the code, and by making it " +
		"happen in go test, with a sleep where the\nschedule switches if need be. The judgments are in " +
		"bench/modules/judged.tsv.\n\n")
	for _, v := range []string{"bug", "test", "false", "gone", "not judged"} {
		if sum[v] > 0 {
			fmt.Fprintf(b, "- **%s**, %d: %s.\n", v, sum[v], cmp.Or(verdicts[v],
				"nobody has judged it since it was found"))
		}
	}
	b.WriteString("\n| module | test | kind | executions | preemptions | go test | judged | what | why |\n" +
		"|---|---|---|--:|--:|---|---|---|---|\n" + table.String())
}

// each calls f for each test with that status.
func (r Result) each(s driver.Status, f func(m Module, t Test)) {
	for _, m := range r.Modules {
		for _, t := range m.Tests {
			if t.Status == s {
				f(m, t)
			}
		}
	}
}

// title is the name of the test, with its package if that is not at the root.
func (t Test) title() string {
	title := t.Name
	if p := strings.Trim(strings.TrimPrefix(t.Package, "."), "/"); p != "" {
		title = p + "." + title
	}
	if t.Short {
		title += " (short)"
	}
	return title
}

// mostOfCell is the largest number of characters of a text in a table.
const mostOfCell = 160

// cell is a text for a cell of a table.
func cell(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	text = strings.ReplaceAll(text, "|", "/")
	if runes := []rune(text); len(runes) > mostOfCell {
		text = string(runes[:mostOfCell]) + "…"
	}
	return cmp.Or(strings.TrimSpace(text), "-")
}
