package mutate

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What judges a mutant depends on its file, on who has killed it before, and on whether it is alone.
func TestOrder(t *testing.T) {
	search := &Search{Program: "S01AddEmpty"}
	known := map[string]Outcome{
		"searched": {Found: Found{Verdict: Killed, Search: search}},
		"tested":   {Found: Found{Verdict: Killed, Test: "TestA"}},
		"survivor": {Found: Found{Verdict: Survived, Test: "TestA", Search: search}},
	}
	stages := engine.stages
	first, tests, slow := stages[0], stages[1], stages[5]
	others := stages[len(stages)-6:]
	ways, bulk, lines := others[0], others[1], others[2]
	hostile, bell, entries := others[3], others[4], others[5]
	programs := slices.DeleteFunc(slices.Clone(stages), func(s stage) bool { return s.search == nil })
	for _, c := range []struct {
		mutant  Mutant
		begins  []stage
		without []stage
	}{
		{Mutant{Name: "new", File: "words.go"}, []stage{first, tests},
			[]stage{ways, bulk, lines, hostile, bell, entries}},
		{Mutant{Name: "new", File: "room.go"}, []stage{first, tests}, []stage{ways, bulk, bell, entries}},
		{Mutant{Name: "new", File: "update.go"}, []stage{first, tests},
			[]stage{bulk, lines, hostile, bell, entries}},
		{Mutant{Name: "new", File: "walk.go"}, []stage{first, tests}, []stage{ways, lines, bell, entries}},
		{Mutant{Name: "new", File: "words.go", alone: true}, []stage{tests, first}, []stage{bell, entries}},
		{Mutant{Name: "tested", File: "room.go"}, []stage{tests, first}, []stage{ways, bulk, bell, entries}},
		{Mutant{Name: "searched", File: "room.go"}, []stage{{search: search, limit: first.limit}, first},
			[]stage{ways, bulk, bell, entries}},
		{Mutant{Name: "impl/region/bell.go:new", File: "bell.go"}, []stage{tests, slow, bell},
			slices.Concat(programs, []stage{ways, bulk, lines, hostile, entries})},
		{Mutant{Name: "impl/region/system.go:new", File: "system.go"}, []stage{tests, slow, entries},
			slices.Concat(programs, []stage{ways, bulk, lines, hostile, bell})},
		{Mutant{Name: "impl/region/room.go:new", File: "room.go", alone: true}, []stage{tests, slow},
			slices.Concat(programs, []stage{ways, bulk, lines, hostile, bell, entries})},
		{Mutant{Name: "check.go:new", File: "check.go", alone: true}, []stage{tests, slow},
			slices.Concat(programs, []stage{ways, bulk, lines, hostile, bell, entries})},
		{Mutant{Name: "survivor", File: "room.go"}, []stage{first, tests},
			[]stage{ways, bulk, bell, entries}},
	} {
		c.mutant.target = engine.targetOf(c.mutant.Name)
		got := order(engine, &c.mutant, Options{Known: known})
		if !slices.Equal(got[:len(c.begins)], c.begins) {
			t.Errorf("%s of %s begins with %v, want %v", c.mutant.Name, c.mutant.File, got[:2], c.begins)
		}
		for _, s := range stages {
			if slices.Contains(got, s) == slices.Contains(c.without, s) {
				t.Errorf("%s of %s: %q is in %t", c.mutant.Name, c.mutant.File, s, slices.Contains(got, s))
			}
		}
	}
}

// The tests that are registered, and the files that they judge, are there: one of another name would judge
// nothing.
func TestRegisteredTests_AreThere(t *testing.T) {
	for _, e := range []*Engine{engine, second(t)} {
		for _, s := range e.stages {
			if s.explored != nil {
				for _, problem := range missing(t, "../..", s) {
					t.Errorf("%s: %s: %s", e.Name, s, problem)
				}
			}
		}
	}
	// The comparison can fail.
	x := *registeredTests("the bell").explored
	x.Run, x.Files = "^Test(Bell|Nobody)_", []string{"bell.go", "gone.go"}
	got := missing(t, "../..", stage{explored: &x})
	if len(got) != 2 || !strings.Contains(got[0], "^TestNobody_") || !strings.Contains(got[1], "gone.go") {
		t.Errorf("of a test and a file that are not there: %q", got)
	}
}

// missing says what is not there of the tests of a stage, and of the files that they judge.
func missing(t *testing.T, root string, s stage) (problems []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, s.explored.Folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var tests []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)`).FindAllStringSubmatch(string(text), -1) {
			tests = append(tests, m[1])
		}
	}
	// Each alternative of the expression is a test.
	for _, name := range alternatives(s.explored.Run) {
		if !slices.ContainsFunc(tests, regexp.MustCompile(name).MatchString) {
			problems = append(problems, "no test is "+name)
		}
	}
	for _, file := range s.explored.Files {
		if _, err := os.Stat(filepath.Join(root, s.explored.Target, file)); err != nil {
			problems = append(problems, err.Error())
		}
	}
	return problems
}

// alternatives are the expressions that one with alternatives in parentheses is made of.
func alternatives(expression string) (all []string) {
	before, rest, some := strings.Cut(expression, "(")
	if !some {
		return []string{expression}
	}
	within, after, _ := strings.Cut(rest, ")")
	for _, x := range strings.Split(within, "|") {
		all = append(all, before+x+after)
	}
	return all
}
