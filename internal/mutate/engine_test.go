package mutate

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/catalog/hopscotch/mutants"
)

// The engine of the tests has all that can be registered. Its mutants are examples.
var engine = registered()

const (
	regionDir    = "impl/region"
	scenariosDir = "scenarios/hopscotch"
)

func registered() *Engine {
	e, err := NewEngine("hopscotch", mutants.Mutation(), Programs{Deaths: true, Drawn: true})
	if err != nil {
		panic(err)
	}
	return e
}

// registeredTests is the stage of tests that are about that.
func registeredTests(about string) stage {
	for _, s := range engine.stages {
		if s.explored != nil && strings.HasPrefix(s.explored.About, about) {
			return s
		}
	}
	panic("no tests are about " + about)
}

// What cannot be used of a registration is named, with what to do.
func TestNewEngine_RefusesWhatIsOfNoUse(t *testing.T) {
	toy := catalog.MutationTarget{Folder: "impl/toy"}
	for says, m := range map[string]*catalog.Mutation{
		"engine toy: it names no package whose mutants are judged": nil,
		"give harness.Engine a Mutation with Targets":              {Ledger: "results/toy/mutants.json"},
		`target 1 has no folder, or that of another one: ""`:       {Targets: []catalog.MutationTarget{{}}},
		`that of another one: "impl/toy"`: {
			Targets: []catalog.MutationTarget{toy, toy}},
		`the tests ^TestA$ of x judge "impl/other", which is none of impl/toy`: {
			Targets: []catalog.MutationTarget{toy},
			Tests:   []catalog.MutationTests{{Folder: "x", Run: "^TestA$", Target: "impl/other"}}},
	} {
		if _, err := NewEngine("toy", m, Programs{}); !errors.Is(err, ErrEngine) ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	e, err := NewEngine("toy", &catalog.Mutation{Targets: []catalog.MutationTarget{toy}}, Programs{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = e.LoadAll(t.Context(), "../.."); !errors.Is(err, ErrEngine) ||
		!strings.Contains(err.Error(), "engine toy: the package impl/toy") {
		t.Errorf("a package that is not there: %v", err)
	}
}

// An engine whose actors cannot die, and that has no drawn programs, is not judged by either; what judges it
// deeply has no death.
func TestNewEngine_HasTheJudgesOfItsPrograms(t *testing.T) {
	e, err := NewEngine("toy", &catalog.Mutation{Targets: []catalog.MutationTarget{
		{Folder: "impl/toy", Searched: true}, {Folder: "impl/other"}},
		Tests: []catalog.MutationTests{{Folder: "scenarios/toy/volume", Run: "^TestA$", Target: "impl/toy"}},
	}, Programs{})
	if err != nil {
		t.Fatal(err)
	}
	m := &Mutant{Name: "toy.go:f#1 negate", File: "toy.go", target: e.targets[0]}
	var got []string
	for _, s := range order(e, m, Options{Deep: true}) {
		got = append(got, s.String())
	}
	want := []string{"programs, preemptions 0, kills 0, executions 0", "tests",
		"programs, preemptions 1, kills 0, executions 200",
		"slow tests", "tests of scenarios/toy/volume: ",
		"programs, preemptions 3, kills 0, executions 3000", "programs, the bounds of samecycle check"}
	if !slices.Equal(got, want) {
		t.Errorf("judged by %q\nwant %q", got, want)
	}
	m = &Mutant{Name: "impl/other/o.go:f#1 negate", File: "o.go", target: e.targets[1]}
	if list := order(e, m, Options{}); len(list) != 2 || !list[0].isTests() || !list[1].isTests() {
		t.Errorf("a package that no program searches is judged by %v", list)
	}
}

// The list of equivalent mutants is read from the file that the engine names, and one that is not there is an
// error: without it each mutant of the list would have survived.
func TestEngine_Equivalents(t *testing.T) {
	toy := catalog.Mutation{Targets: []catalog.MutationTarget{{Folder: "impl/toy"}}}
	of := func() *Engine {
		e, err := NewEngine("toy", &toy, Programs{})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	root := t.TempDir()
	if list, err := of().Equivalents(root); err != nil || list != nil {
		t.Errorf("an engine without a list: %v, %v", list, err)
	}
	toy.Equivalent = "equivalent.txt"
	if _, err := of().Equivalents(root); !errors.Is(err, ErrLedger) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a list that is not there: %v", err)
	}
	for text, want := range map[string]string{"0123456789ab a.go:f#1 negate: so\n": "",
		"x\n": "equivalent.txt:1"} {
		if err := os.WriteFile(filepath.Join(root, toy.Equivalent), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := of().Equivalents(root)
		if want == "" && (err != nil || len(list) != 1) ||
			want != "" && (!errors.Is(err, ErrLedger) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
}

// A ledger of another engine has names of functions that this one does not have, or has as well.
func TestLedger_OfAnother(t *testing.T) {
	const module = "github.com/samecycle/samecycle/"
	for path, other := range map[string]bool{"impl/hopscotch": false, "impl/shardmap": true} {
		l := Ledger{Packages: []string{module + path, module + regionDir}}
		if err := l.OfAnother(engine); (err != nil) != other || other && !errors.Is(err, ErrLedger) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := (Ledger{}).OfAnother(engine); err != nil {
		t.Errorf("a ledger that is empty: %v", err)
	}
}
