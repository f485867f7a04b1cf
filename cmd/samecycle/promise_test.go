package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/model/search"
	"github.com/samecycle/samecycle/scenarios/engines"
	"github.com/samecycle/samecycle/scenarios/shardmap"
)

func everything(string, string) bool { return true }

// promise is what Promised says of a registration in this repository.
func promise(t *testing.T, e *harness.Engine, asked func(link, state string) bool) error {
	t.Helper()
	env := evidence.Env{Root: repositoryRoot, Engine: e.Engine}
	covered, err := evidence.CoverageOf(env, linksOf(e))
	if err != nil {
		t.Fatal(err)
	}
	return e.Promised(covered, asked)
}

// TestPromises_AreKept: each engine has something behind each link that its catalog promises.
func TestPromises_AreKept(t *testing.T) {
	for _, e := range engines.All() {
		if err := promise(t, e, everything); err != nil {
			t.Error(err)
		}
	}
}

// TestPromises_Canaries takes out of a registration what is behind a link, and wants an error that names the
// engine, the link, and what to do. Nothing panics.
func TestPromises_Canaries(t *testing.T) {
	for what, c := range map[string]struct {
		spoil func(*harness.Engine)
		want  []string
	}{
		"no specification": {func(e *harness.Engine) { e.Specs = nil },
			[]string{"link spec has nothing behind it for any state", "link model has nothing",
				"link mutants has nothing"}},
		"no folder": {func(e *harness.Engine) { e.Specs[0].Dir = "spec/tla/none" },
			[]string{"link spec has nothing", "write runs of the state into the manifest",
				"link mutants has nothing"}},
		"no model": {func(e *harness.Engine) { e.Model = search.Model{} },
			[]string{"link model has nothing behind it for any state", "give Model a search"}},
		"no programs": {func(e *harness.Engine) { e.Programs = nil },
			[]string{"link engine has nothing", "link histories has nothing", "give Programs a row"}},
		"no program of one state": {func(e *harness.Engine) { e.Programs = e.Programs[2:] },
			[]string{"link engine has nothing behind it for M01ReaderWriter: "}},
		"no world": {func(e *harness.Engine) { e.Programs[1].Open = nil },
			[]string{"no world for the program M01ReaderWriter_Three", "set its Open"}},
		"no stress": {func(e *harness.Engine) { e.Volume = nil },
			[]string{"link volume has nothing behind it for any state: in scenarios/shardmap set Volume",
				"or name the link in NotBuilt of internal/catalog/shardmap"}},
		"more than is said": {func(e *harness.Engine) { e.NotBuilt = []string{"volume"} },
			[]string{"NotBuilt names the link volume, which has something behind it", "take the name out"}},
		"no link": {func(e *harness.Engine) { e.NotBuilt = []string{"speed"} },
			[]string{`NotBuilt names "speed", which is no link`}},
		"no state": {func(e *harness.Engine) { e.States = e.States[:13] },
			[]string{"link model has material for M14CallbackReenters, which is no state",
				"the program M14CallbackReenters, of the links engine and histories, is of the state"}},
	} {
		e := shardmap.Engine() // a copy of its own, to be spoiled
		c.spoil(e)
		err := promise(t, e, everything)
		if !errors.Is(err, harness.ErrPromise) || !strings.Contains(err.Error(), "engine shardmap: ") {
			t.Errorf("%s: %v, want %v of shardmap", what, err, harness.ErrPromise)
			continue
		}
		for _, text := range c.want {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%s: it does not say %q:\n%v", what, text, err)
			}
		}
		e = shardmap.Engine()
		c.spoil(e)
		err = promise(t, e, func(string, string) bool { return false })
		if register := what == "no link" || what == "no state"; (err != nil) != register {
			t.Errorf("%s: of cells that nobody asks for it says: %v", what, err)
		}
	}
}

// TestStates_TellsABrokenPromise: the command that prints the matrix says so, and is red.
func TestStates_TellsABrokenPromise(t *testing.T) {
	before := chains
	t.Cleanup(func() { chains = before })
	e := shardmap.Engine()
	e.Volume = nil
	chains = slices.Clone(chains)
	for i, c := range chains {
		if c.engine.Name == e.Name {
			chains[i] = chain{e.Engine, linksOf(e), e.Promised}
		}
	}
	code, _, errs := call("states", "--engine", "shardmap", "--root", repositoryRoot)
	if code != exitRed || !strings.Contains(errs, "engine shardmap: the link volume has nothing behind it") {
		t.Errorf("status %d, %s", code, errs)
	}
}
