//go:build !explore

package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/scenarios/engines"
)

// statePlaces are the folders in which the sections of the page about states have their files and words, by
// how the headings begin. What the last section but one has is done by TestAddAnEngine.
var statePlaces = map[string][]string{
	"# How to add": {"spec/tla/hopscotch"},
	"## 1.":        {"internal/catalog/hopscotch", "cmd/samecycle"},
	"## 2.":        {"spec/tla/hopscotch"},
	"## 3.":        {"model/hopscotch", "spec/tla/hopscotch"},
	"## 4.":        {"impl/hopscotch"},
	"## 5.":        {"scenarios/hopscotch", "scenarios/hopscotch/states", "harness"},
	"## 6.":        {"results/hopscotch/findings"},
	"## What differs for": {"internal/catalog/basket", "model/basket", "scenarios/basket",
		"spec/tla/basket", "spec/tla/hopscotch", "scenarios/hopscotch", "scenarios/hopscotch/states"},
	"## What differs for an engine of": nil,
	"## 7.":                            nil,
}

// reNamed finds what a page names: texts between back quotes, and command lines, which are set in.
var reNamed = regexp.MustCompile("(?m)`([^`\n]+)`|^    (.+)$")

// missingNames are those names of the page about states that are not there, each with its heading. A name
// with a state that there is not yet is there if it is with any state of the engine.
func missingNames(t *testing.T, page string) (missing []string, seen int) {
	t.Helper()
	tests := testNames(t)
	for _, section := range regexp.MustCompile(`(?m)^#+ `).Split("\n"+page, -1)[1:] {
		heading := "## " + strings.SplitN(section, "\n", 2)[0]
		if strings.HasPrefix(heading, "## How to add") {
			heading = heading[1:]
		}
		places, known := placesOf(heading)
		if !known {
			missing = append(missing, heading+": no rule for this heading")
		}
		for _, m := range reNamed.FindAllStringSubmatch(section, -1) {
			name := m[1] + m[2]
			if places == nil && !isCommand(name) {
				continue
			}
			seen++
			there := func(example string) bool { return isThere(example, places, tests) }
			if !slices.ContainsFunc(examples(name), there) {
				missing = append(missing, fmt.Sprintf("%.40s: %s", heading, name))
			}
		}
	}
	return missing, seen
}

// placesOf are the folders of a heading: those of the longest beginning that fits.
func placesOf(heading string) (places []string, known bool) {
	longest := ""
	for begin := range statePlaces {
		if strings.HasPrefix(heading, begin) && len(begin) >= len(longest) {
			longest, known = begin, true
		}
	}
	return statePlaces[longest], known
}

// examples are the name with states that are there in place of those that the page has as its examples.
func examples(name string) (all []string) {
	name = strings.ReplaceAll(name, `pc = "Name"`, `pc = "ClientCall"`)
	for _, e := range engines.All() {
		for _, s := range e.States {
			r := strings.NewReplacer("S28Name", s.ID, "C19Name", s.ID, "U02GetBeside", s.ID, "S28", s.Short(),
				"U02", s.Short())
			all = append(all, r.Replace(name))
		}
	}
	return slices.Compact(all)
}

func isCommand(name string) bool {
	return slices.ContainsFunc([]string{"bin/samecycle ", "samecycle ", "go test ", "make "},
		func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// isThere reports whether the name is a command line, a test, a link, a command, a flag, a file, or a text of
// a file in one of the folders.
func isThere(name string, places, tests []string) bool {
	_, link := catalog.LinkByID(name)
	_, engine := engines.ByName(name)
	switch {
	case isCommand(name):
		return commandIsThere(name, tests)
	case strings.HasPrefix(name, "Test"):
		return slices.Contains(tests, name)
	case strings.HasPrefix(name, "--"):
		return tried("samecycle mutants "+name+" x") == nil
	case link, engine, tried("samecycle "+name) == nil:
		return true
	case strings.Contains(name, "/") || len(path.Ext(name)) > 2 && !strings.Contains(name, " "):
		return slices.ContainsFunc(append([]string{"."}, places...), func(dir string) bool {
			found, err := filepath.Glob(filepath.Join(repositoryRoot, dir, name))
			return err == nil && len(found) > 0
		})
	}
	return slices.ContainsFunc(places, func(dir string) bool {
		files, _ := filepath.Glob(filepath.Join(repositoryRoot, dir, "*.*"))
		return slices.ContainsFunc(files, func(file string) bool {
			text, err := os.ReadFile(file)
			return err == nil && bytes.Contains(text, []byte(name))
		})
	})
}

// commandIsThere reports whether a command line names what is there: a command with its flags, packages and a
// test, or a target.
func commandIsThere(line string, tests []string) bool {
	words := strings.Fields(strings.TrimPrefix(line, "bin/"))
	switch words[0] {
	case "samecycle":
		return tried(strings.Join(words, " ")) == nil
	case "make":
		makefile, err := os.ReadFile(filepath.Join(repositoryRoot, "Makefile"))
		return err == nil && bytes.Contains(makefile, []byte("\n"+words[1]+": "))
	}
	for i, word := range words {
		dir, below := strings.CutPrefix(strings.TrimSuffix(word, "/..."), "./")
		if info, err := os.Stat(filepath.Join(repositoryRoot, dir)); below && (err != nil || !info.IsDir()) {
			return false
		}
		if i > 0 && words[i-1] == "-run" && !slices.Contains(tests, strings.TrimSuffix(word, "$")) {
			return false
		}
	}
	return true
}

// testNames are the names of all tests of the repository.
func testNames(t *testing.T) (all []string) {
	t.Helper()
	test := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, name := range repositoryFiles(t) {
		if strings.HasSuffix(name, "_test.go") {
			text := textOf(t, filepath.Join(repositoryRoot, filepath.FromSlash(name)))
			for _, m := range test.FindAllStringSubmatch(text, -1) {
				all = append(all, m[1])
			}
		}
	}
	return all
}

// TestAddAState_Names: each place, name, test and command that the page about states names is there. A page
// that names others is found out, name by name.
func TestAddAState_Names(t *testing.T) {
	page := textOf(t, filepath.Join(repositoryRoot, filepath.FromSlash(addStatePage)))
	missing, seen := missingNames(t, page)
	for _, m := range missing {
		t.Errorf("%s is not there", m)
	}
	if seen < 100 {
		t.Errorf("the page has %d names, want 100", seen)
	}
	for old, other := range map[string]string{
		"`states/states.go`":                       "`states/rows.go`",
		"`TestRows_AreTheModels`":                  "`TestRows_AreTheModel`",
		"`bin/samecycle explore S28`":              "`bin/samecycle explore S28 --bounds 1`",
		"-run TestScenario$":                       "-run TestScenarios$",
		"`make states`":                            "`make matrix`",
		"./internal/catalog/...":                   "./internal/catalogue/...",
		"`markS28Name`":                            "`markOfS28Name`",
		"`OfThreeWithoutRoom`":                     "`OfThreeWithoutRooms`",
		"## 4. The engine":                         "## 8. The engine",
		"`model/basket/view*.go`":                  "`model/basket/look*.go`",
		"bin/samecycle check --state U02":          "bin/samecycle check --states U02",
		"`NoS28Name == \"S28Name\" \\notin marks`": "`NoS28Name == \"S28Name\" \\in marks`",
	} {
		if missing, _ := missingNames(t, strings.ReplaceAll(page, old, other)); len(missing) == 0 {
			t.Errorf("with %s in place of %s the page names nothing that is missing", other, old)
		}
	}
}
