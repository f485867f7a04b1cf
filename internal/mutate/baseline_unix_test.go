//go:build unix

package mutate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// scripts makes a folder with the programs of a bench, which are scripts.
func scripts(t *testing.T, folder string, programs map[string]string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, script := range programs {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

// What the judges say without a mutant, in place of the judge.
const (
	accepts = `echo '{"found":{}}'` + "\n"
	refuses = `echo '{"found":{"verdict":"killed","judge":"histories","why":"always"}}'` + "\n"
	unsure  = `echo '{"found":{"verdict":"unknown","judge":"step bound","why":"long"}}'` + "\n"
	passes  = "echo '--- PASS: TestA (0.00s)'\n"
)

// TestBaseline_Refuses: judges that refuse the engine as it is, or do not come to a verdict on it, judge no
// mutant: all of them would be killed, by what is wrong without them.
func TestBaseline_Refuses(t *testing.T) {
	p, err := engine.Load(t.Context(), "../..", engine.Code())
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	const one = "help.go:operation.displace#8 drop-statement"
	mutants := p.Mutants(func(n string) bool { return n == one }).Mutants
	if len(mutants) != 1 {
		t.Fatalf("%d mutants are %s", len(mutants), one)
	}
	x := *registeredTests("long rings").explored
	x.Files = nil // they judge each file
	other := stage{explored: &x, limit: exploredLimit}
	for name, c := range map[string]struct{ tests, judge, says string }{
		"tests fail":         {"echo '--- FAIL: TestA (0.00s)'\nexit 1\n", accepts, "tests: exit status 1"},
		"no test is run":     {"echo PASS\n", accepts, "no test has run"},
		"a program fails":    {passes, refuses, "histories: always"},
		"no verdict":         {passes, unsure, "step bound: long"},
		"the judge is quiet": {passes, "", "ends early"},
		"the judge fails":    {passes, accepts + "exit 3\n", "exit status 3"},
		"other tests fail":   {passes, accepts, "tests of the scenarios TestB"},
	} {
		o := Options{Root: root, Folder: t.TempDir(), Note: func(string) {},
			Ended:  func(Outcome) { t.Errorf("%s: a mutant is judged", name) },
			stages: []stage{{search: &Search{}, limit: explorer[0].limit}, other}}
		scripts(t, filepath.Join(o.Folder, "all"), map[string]string{"tests": c.tests, "judge": c.judge,
			"scenarios": "echo '--- FAIL: TestB (0.00s)'\nexit 1\n"})
		if err := p.Run(t.Context(), mutants, o); !errors.Is(err, ErrBaseline) ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
		if c.judge != refuses && c.judge != unsure {
			continue // Confirm asks the programs alone
		}
		if err := p.Confirm(t.Context(), mutants, o); !errors.Is(err, ErrBaseline) {
			t.Errorf("%s, to confirm: %v", name, err)
		}
	}
}
