//go:build !explore

package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// addStatePage is the page about states.
const addStatePage = "docs/add-a-state.md"

// toyLetter begins the states of the engine that the page has as its example.
const toyLetter = "U"

// stateEdits give the engine a second state. They are in the order of the page, and each adds a text ahead of
// another one, or at the end.
var stateEdits = []struct{ file, add, ahead string }{
	{"internal/catalog/counter/states.go", `		{ID: "U02GetBeside", Number: 2, Title: "A get beside one",
			Claim: "a get returns the number ahead of the increment or behind it"},
`, "\t},\n\tActions:"},
	{"internal/catalog/counter/catalog_test.go", "1+", "1) }"},
	{"internal/catalog/counter/actions.go", `, States: "U02GetBeside"`, "},\n}\n"},
	{"spec/tla/counter/Programs.tla",
		`U02GetBeside == << <<"Increment">>, <<"Get", "Get">> >>` + "\n", "===="},
	{"spec/tla/counter/MCCounter.tla",
		`NoU02GetBeside == ~\E a, b \in Actors : loc[a].pc = "GetLoad" /\ loc[b].pc = "IncrementSwap"` + "\n",
		"===="},
	{"spec/tla/counter/manifest.json", `,
  {
    "name": "U02GetBeside", "state": "U02GetBeside", "module": "MCCounter",
    "config": {"like": "U01TwoIncrements", "replace": {"Program": "U02GetBeside"}},
    "kind": "safety", "expect": "ok", "temporal": "EverybodyEnds",
    "distinct": 49, "depth": 11, "note": "a get beside an increment"
  },
  {
    "name": "U02GetBesideWitness", "state": "U02GetBeside", "module": "MCCounter",
    "config": {"like": "U02GetBeside", "specification": "Spec",
      "drop": ["NothingLost", "EverybodyEnds"], "invariants": ["$property"]},
    "kind": "witness", "expect": "invariant",
    "property": "NoU02GetBeside", "note": "the race is reachable"
  }`, "\n]\n"},
	{"spec/tla/counter/mutants.json", `,
  {
    "name": "SwapAddsTwo", "state": "U02GetBeside",
    "edits": [{"module": "Counter", "old": "word' = l.seen + 1", "new": "word' = l.seen + 2"}],
    "run": "U02GetBeside", "property": "NothingLost", "note": "an increment adds two"
  }`, "\n]\n"},
	{"spec/tla/counter/README.md", "| U02GetBeside | one actor increments, the other reads twice |\n", ""},
	{"model/counter/programs.go",
		"\t\t" + `{"U02GetBeside", "U02GetBeside", [][]Op{{Increment}, {Get, Get}}},` + "\n",
		"\t}\n}\n\ntype ("},
	{"model/counter/programs.go", "\t\t" + `{Name: "NoU02GetBeside", State: noGetBeside},` + "\n",
		"\t}\n}\n\n// noTwoIncrements:"},
	{"model/counter/programs.go", `
func noGetBeside(_ *Machine, s *State) bool {
	at := func(action Action) bool { return s.Loc[0].PC == action || s.Loc[1].PC == action }
	return !at(GetLoad) || !at(IncrementSwap)
}
`, ""},
}

// addState gives the engine in the copy a second state, as the page says: the files of its rows, in their
// order. All its cells are green then. Where a row says that lint turns red, it does if that file stays as it
// was.
func addState(t *testing.T, root string, tree fstest.MapFS) {
	t.Helper()
	edited := maps.Clone(tree)
	var files []string
	for _, e := range stateEdits {
		text := string(edited[e.file].Data)
		at := strings.Index(text, e.ahead)
		if e.ahead == "" {
			at = len(text)
		}
		if at < 0 {
			t.Fatalf("%s does not hold %q", e.file, e.ahead)
		}
		text = text[:at] + e.add + text[at:]
		edited[e.file] = &fstest.MapFile{Data: []byte(text)}
		put(t, root, e.file, text)
		files = append(files, e.file)
	}
	var rows []string
	for _, row := range rowsOf(textOf(t, filepath.Join(root, addStatePage)), "what fails without it") {
		for place := range strings.SplitSeq(row[0], ", ") {
			name := unquoted(place)
			rows = append(rows, name)
			without := maps.Clone(edited)
			without[name] = tree[name]
			found := nameFindings(t, without)
			if says := strings.Contains(row[2], "lint"); says != (len(found) > 0) {
				t.Errorf("%s says that lint finds something if %s stays: %v; it finds %q", addStatePage, name,
					says, found)
			}
		}
	}
	if files = slices.Compact(files); !slices.Equal(rows, files) {
		t.Errorf("the rows of %s are %q, want %q", addStatePage, rows, files)
	}
	if found := nameFindings(t, edited); len(found) > 0 {
		t.Errorf("lint finds %q", found)
	}
	buildCopy(t, root)
	cells, code := checkCopy(t, root, "U02", "--state", "U02")
	t.Run("state", func(t *testing.T) { greenCells(t, cells, code) })
}
