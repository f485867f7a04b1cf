//go:build !explore

package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// rowEdits each change what belongs to one state in a table of programs, budgets or recipes, and name the
// links of that state that must turn: of another state none does.
var rowEdits = []struct{ file, old, new, state, links string }{
	{"scenarios/hopscotch/states/states.go", `"S04AddCollisionEmpty_Near", All,`,
		`"S04AddCollisionEmpty_Near", 2,`, "S04", explored},
	{"scenarios/hopscotch/states/states.go", "Recipe{Cells: 6, Window: 4, Keys: 4,",
		"Recipe{Cells: 7, Window: 4, Keys: 4,", "S04", "volume"},
	{"scenarios/shardmap/states/states.go", `"M06GetInvalidate", 3`, `"M06GetInvalidate", 2`, "M06",
		explored},
	{"scenarios/basket/programs.go", `"C09EvictColliding_Reuse", bound: 2`,
		`"C09EvictColliding_Reuse", bound: 1`, "C09", explored},
	{"scenarios/slots/programs.go", `"B04BellSleep", bound: 4`, `"B04BellSleep", bound: 3`, "B04", explored},
	{"scenarios/control/programs.go", `"P04LeaseRunLowered", bound: 3`, `"P04LeaseRunLowered", bound: 2`,
		"P04", explored},
	{"scenarios/shardmap/states/states.go", "Mix{Get: 8, Put: 8,", "Mix{Get: 7, Put: 8,", "M06", "volume"},
}

// TestScopes_Rows edits the row of one state, and sees its cells turn and those of no other state.
func TestScopes_Rows(t *testing.T) {
	tree := closure.Open(repositoryRoot)
	for _, s := range scopesOf(t, tree) {
		cells := func(tree *closure.Tree) map[string]string {
			out := map[string]string{}
			for _, state := range s.engine.States {
				for link, hash := range s.code(t, tree, state) {
					out[link+"/"+state.Short()] = hash
				}
			}
			return out
		}
		before := cells(tree)
		for _, e := range rowEdits {
			if _, of := s.engine.StateByID(e.state); !of {
				continue
			}
			text := textOf(t, filepath.Join(repositoryRoot, filepath.FromSlash(e.file)))
			if n := strings.Count(text, e.old); n != 1 {
				t.Errorf("%s has %q %d times, want once", e.file, e.old, n)
				continue
			}
			var want []string
			for link := range strings.FieldsSeq(e.links) {
				want = append(want, link+"/"+e.state)
			}
			now := cells(edited(t, tree, e.file, strings.Replace(text, e.old, e.new, 1)))
			if got := turned(before, now); got != strings.Join(want, " ") {
				t.Errorf("%s, %s: these cells turn: %q, want %q", e.file, e.new, got, want)
			}
		}
	}
}

// TestScopes_Registered: what an engine's registration says of its specification counts, though the links
// that TLC judges rest on nothing else of the package that has it.
func TestScopes_Registered(t *testing.T) {
	for _, c := range allChains() {
		for _, l := range c.links {
			var other evidence.Runner
			switch l := l.(type) {
			case specLink:
				l.specs = slices.Clone(l.specs)
				l.specs[0].Again = []string{"X"}
				other = l
			case mutantsLink:
				e := *l.Engine
				e.Specs = slices.Clone(e.Specs)
				e.Specs[0].Again = []string{"X"}
				other = mutantsLink{&e}
			default:
				continue
			}
			var texts []map[string]string
			for _, l := range []evidence.Runner{l, other} {
				scope, err := l.Scope(evidence.Env{Root: repositoryRoot, Engine: c.engine})
				if err != nil {
					t.Fatal(err)
				}
				of, err := scope.Texts(c.some().ID)
				if err != nil {
					t.Fatal(err)
				}
				texts = append(texts, of)
			}
			if maps.Equal(texts[0], texts[1]) {
				t.Errorf("%s of %s: another registration changes nothing", l.Link(), c.engine.Name)
			}
		}
	}
}

// moduleEdits each change the version of a module, and name the links of each engine that rest on it.
var moduleEdits = []struct{ old, new, hopscotch, shardmap, basket, slots, control string }{
	{"anishathalye/porcupine v1.3.1", "anishathalye/porcupine v1.3.0", shipped, shipped, shipped,
		shipped, shipped},
	{"bluekeyes/go-gitdiff v0.9.0", "bluekeyes/go-gitdiff v0.8.0", "mutants", "mutants", "mutants",
		"mutants", "mutants"},
	{"\ngo 1.26.0", "\ngo 1.26.1", all, all, all, all, all},
}

// TestScopes_Modules changes go.mod in a copy. A version that is not there is an error of the cells that
// rest on the module: none of them is green then.
func TestScopes_Modules(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	root := t.TempDir()
	for _, name := range repositoryFiles(t) {
		compiled := slices.Contains(append(codeExtensions, ".mod", ".sum"), filepath.Ext(name))
		if compiled && !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "bench/") ||
			strings.HasPrefix(name, "spec/tla/") || strings.HasPrefix(name, "results/hopscotch/mutants") {
			put(t, root, name, textOf(t, filepath.Join(repositoryRoot, filepath.FromSlash(name))))
		}
	}
	text := textOf(t, filepath.Join(root, "go.mod"))
	rests := func(s scopedEngine, tree *closure.Tree) map[string]string {
		out := map[string]string{}
		for link, scope := range s.scopes {
			scope.Texts = nil
			list, err := tree.Of(t.Context(), scope, s.some().ID)
			if out[link] = list.Hash(); err != nil {
				out[link] = err.Error()
			}
		}
		return out
	}
	engines := withColumn(t, scopesOf(t, closure.Open(root)))
	first := closure.Open(root)
	for _, e := range moduleEdits {
		if strings.Count(text, e.old) != 1 {
			t.Errorf("go.mod has %q not once", e.old)
		}
		put(t, root, "go.mod", strings.Replace(text, e.old, e.new, 1))
		now := closure.Open(root)
		for i, s := range engines {
			want := []string{e.hopscotch, e.shardmap, e.basket, e.slots, e.control}[i]
			put(t, root, "go.mod", text)
			before := rests(s, first)
			put(t, root, "go.mod", strings.Replace(text, e.old, e.new, 1))
			if got := turned(before, rests(s, now)); got != want {
				t.Errorf("%s: of %s these links turn: %q, want %q", e.new, s.engine.Name, got, want)
			}
		}
	}
}
