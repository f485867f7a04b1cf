package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/tlc"
)

var (
	reSuspicion = regexp.MustCompile(`^H-\d\d$`)
	reCode      = regexp.MustCompile("`([^`]+)`")
	reTotal     = regexp.MustCompile(`(?m)^\d+ confirmed, \d+ refuted, \d+ subsumed, \d+ open\.`)
	reCommand   = regexp.MustCompile("samecycle spec (\\w+)(?:$|`)")
	reDistinct  = regexp.MustCompile(`([\d,]+) distinct states`)
)

// findings compares the tables of results/hopscotch/findings/README.md with the manifests, and returns what
// does not agree: a verdict without a run that bears it, a run that does not exist, figures that
// TLC does not count, a sum that is not the number of rows.
func findings(text string, runs map[string]tlc.Entry) (bad []string) {
	count := map[string]int{}
	for _, line := range strings.Split(text, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		switch {
		case len(cells) == 5 && reSuspicion.MatchString(cells[0]):
			count[cells[2]]++
			bad = append(bad, suspicion(cells, runs)...)
		case len(cells) >= 5 && strings.HasPrefix(cells[1], "violates: "):
			bad = append(bad, violations(cells, runs)...)
		case len(cells) >= 5 && strings.HasPrefix(cells[1], "holds: "):
			bad = append(bad, clean(cells[1], cells[3], runs)...)
		}
		if len(cells) == 6 && cells[5] != "distinct states" && !strings.HasPrefix(cells[5], "--") {
			bad = append(bad, clean(cells[4], cells[5], runs)...)
		}
	}
	sum := fmt.Sprintf("%d confirmed, %d refuted, %d subsumed, %d open.", count["confirmed"],
		count["refuted"], count["subsumed"], count["open"])
	if total := reTotal.FindString(text); total != sum {
		bad = append(bad, fmt.Sprintf("the rows are %s, the text says %q", sum, total))
	}
	return bad
}

// suspicion judges one row: a confirmed one names a run that must fail, a refuted one a run that
// holds, unless it points to the row above.
func suspicion(cells []string, runs map[string]tlc.Entry) (bad []string) {
	want, ok := map[string]tlc.Outcome{
		"confirmed": "", "refuted": tlc.OK, "subsumed": "", "open": ""}[cells[2]]
	if !ok {
		return []string{cells[0] + ": " + cells[2] + " is no verdict"}
	}
	borne := cells[2] == "open" || cells[2] == "subsumed" || strings.HasPrefix(cells[3], "the same")
	for _, m := range reCode.FindAllStringSubmatch(cells[3], -1) {
		e, ok := runs[m[1]]
		if !ok && strings.Contains(m[1], "_") {
			bad = append(bad, cells[0]+": the manifests have no run "+m[1])
		}
		borne = borne || ok && (e.Expect == want || want == "" && e.Kind == tlc.MustFail)
	}
	if !borne {
		bad = append(bad, cells[0]+": no run bears the word "+cells[2])
	}
	return bad
}

// violations judges one row of the tables of states and mechanisms: runs, what each violates, and
// after how many distinct states.
func violations(cells []string, runs map[string]tlc.Entry) (bad []string) {
	names := reCode.FindAllStringSubmatch(cells[1], -1)
	properties, figures := strings.Split(cells[2], " / "), strings.Split(cells[3], " / ")
	if len(names) != len(properties) || len(names) != len(figures) {
		return []string{cells[0] + ": as many properties and figures as runs, please"}
	}
	for i, m := range names {
		e, ok := runs[m[1]]
		bad = append(bad, figure(m[1], figures[i], runs)...)
		property := strings.Trim(properties[i], "`")
		switch {
		case !ok || e.Kind != tlc.MustFail:
			bad = append(bad, m[1]+": no run of this name must fail")
		case property != e.Property && (e.Property != "" || property != string(e.Expect)):
			bad = append(bad, fmt.Sprintf("%s: violates %q, not %s", m[1], e.Property, property))
		}
	}
	return bad
}

// clean judges the runs of one cell, which must hold, and their figures.
func clean(cell, figures string, runs map[string]tlc.Entry) (bad []string) {
	names, each := reCode.FindAllStringSubmatch(cell, -1), strings.Split(figures, " / ")
	if len(names) != len(each) || len(names) == 0 {
		return []string{cell + ": as many figures as runs, please"}
	}
	for i, m := range names {
		bad = append(bad, figure(m[1], each[i], runs)...)
		if runs[m[1]].Expect != tlc.OK {
			bad = append(bad, m[1]+": no run of this name holds")
		}
	}
	return bad
}

// figure compares what a page says of a run with the manifest.
func figure(name, says string, runs map[string]tlc.Entry) []string {
	n, err := strconv.ParseInt(strings.ReplaceAll(says, ",", ""), 10, 64)
	if err == nil && n == runs[name].Distinct {
		return nil
	}
	return []string{fmt.Sprintf("%s: %d distinct states, not %s", name, runs[name].Distinct, says)}
}

// figures judges a page: the first figure after the command of a run is that run's.
func figures(page string, runs map[string]tlc.Entry) (bad []string) {
	name := ""
	for _, line := range strings.Split(page, "\n") {
		if m := reCommand.FindStringSubmatch(line); m != nil {
			if name = m[1]; runs[name].Name == "" {
				bad = append(bad, name+": the manifests have no such run")
			}
		}
		if m := reDistinct.FindStringSubmatch(line); m != nil && name != "" {
			bad = append(bad, figure(name, m[1], runs)...)
			name = ""
		}
	}
	return bad
}

func findingsOf(t *testing.T) (string, map[string]tlc.Entry) {
	t.Helper()
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "results", "hopscotch", "findings", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := tlc.LoadManifests(allSpecFolders(root)...)
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]tlc.Entry{}
	for _, e := range m.Entries {
		runs[e.Name] = e
	}
	return string(text), runs
}

func TestFindings(t *testing.T) {
	text, runs := findingsOf(t)
	for _, complaint := range findings(text, runs) {
		t.Errorf("results/hopscotch/findings/README.md: %s", complaint)
	}
	pages, err := filepath.Glob(filepath.Join("..", "..", "results", "hopscotch", "findings", "[A-Z]*.md"))
	if err != nil || len(pages) < 2 {
		t.Fatalf("pages %v, %v", pages, err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(page) == "README.md" {
			continue
		}
		for _, complaint := range figures(string(text), runs) {
			t.Errorf("%s: %s", filepath.Base(page), complaint)
		}
	}
}

// TestFindings_CanFail spoils the page in one place at a time.
func TestFindings_CanFail(t *testing.T) {
	text, runs := findingsOf(t)
	for _, c := range []struct{ old, new, says string }{
		{"`Sleepers_Lost`; ", "; ", "H-75: "},
		{"`FreeList_Aba`; ", "`FreeList_Gone`; ", "no run FreeList_Gone"},
		{"`Queue_Producers` `Queue_Twice`", "`Queue_Producers` `Queue_One`", "Queue_One: no run"},
		{"3,325", "3,326", "Tiers_Fixed: 3325 distinct states, not 3,326"},
		{"`FreeList_Fixed` |", "`FreeList_Aba` |", "FreeList_Aba: no run of this name holds"},
		{"| every | 30 |", "| every | 31 |", "not 31"},
		{"2,246 / 51", "2,246 / 52", "Queue_Full: 51 distinct states, not 52"},
		{"deadlock / `Rests` / deadlock", "deadlock / `Rests` / `Served`", "not Served"},
		{" confirmed, ", "1 confirmed, ", "the rows are"},
	} {
		spoiled := strings.Replace(text, c.old, c.new, 1)
		if spoiled == text {
			t.Fatalf("the page does not hold %q", c.old)
		}
		all := strings.Join(findings(spoiled, runs), "; ")
		if !strings.Contains(all, c.says) {
			t.Errorf("%q: complaints %q do not say %q", c.new, all, c.says)
		}
	}
	page := "    samecycle spec Timer_Dies\n\nDeadlock after 11 distinct states.\n| `samecycle spec Gone` | |"
	all := strings.Join(figures(page, runs), "; ")
	if !strings.Contains(all, "Timer_Dies: 10 distinct states, not 11") || !strings.Contains(all, "Gone: ") {
		t.Errorf("complaints %q of a page", all)
	}
}
