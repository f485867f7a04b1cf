//go:build !explore

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/harness"
	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/mutate"
)

func TestMutants_RefusesBadFlags(t *testing.T) {
	for want, args := range map[string][]string{
		"--limit -1":                      {"--limit", "-1"},
		`"nowhere": use one of hopscotch`: {"--engine", "nowhere"},
		"--workers 0":                     {"--workers", "0"},
		"--filter":                        {"--filter", "("},
		"leave out --filter":              {"--filter", "a", "--only", "b"},
		"only --filter may":               {"--again", "--limit", "5"},
		"no mutant":                       {"--filter", "^nowhere$", "--root", repositoryRoot},
		"no mutant has such ":             {"--only", "add.go:nobody#1 literal", "--root", repositoryRoot},
		"leave out --only":                {"--patch", "a", "--only", "b"},
		"a is given twice":                {"--patch", "a", "--patch", "b", "--patch", "a"},
		"open nowhere.diff: no such file or directory; name a file that git diff wrote\n": {"--patch",
			"nowhere.diff", "--root", repositoryRoot},
	} {
		code, _, errOut := call(append([]string{"mutants"}, args...)...)
		if code != exitUsage || !strings.Contains(errOut, want) {
			t.Errorf("%v: exit %d, want %d and %q:\n%s", args, code, exitUsage, want, errOut)
		}
	}
}

func TestMutants_List(t *testing.T) {
	code, out, errOut := call("mutants", "--root", repositoryRoot, "--list", "--filter", "cell.updateSwap")
	if code != exitOK || !strings.Contains(out, "update.go:cell.updateSwap#1 cas-to-store (line ") {
		t.Errorf("exit %d:\n%s%s", code, out, errOut)
	}
	code, all, _ := call("mutants", "--root", repositoryRoot, "--list", "--json", "--limit", "3",
		"--filter", "^check.go:checker.enough")
	if code != exitOK || strings.Count(all, `"Name"`) != 3 {
		t.Errorf("exit %d, want three:\n%s", code, all)
	}
	code, out, _ = call("mutants", "--root", repositoryRoot, "--list", "--filter", "#1 return-early$")
	for _, want := range []string{" print.go:",
		" impl/region/bell.go:Region.Ring#1", " service/service.go:"} {
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("exit %d, without%s:\n%s", code, want, out)
		}
	}
}

// TestMutants_ListReadsNothing: what is in --out is of no use to a list of what there is.
func TestMutants_ListReadsNothing(t *testing.T) {
	folder := t.TempDir() // which cannot be read as a file
	code, out, errOut := call("mutants", "--root", repositoryRoot, "--list", "--filter", "cell.updateSwap",
		"--out", folder)
	if code != exitOK || !strings.Contains(out, "update.go:cell.updateSwap#1 ") {
		t.Errorf("exit %d:\n%s%s", code, out, errOut)
	}
	code, _, errOut = call("mutants", "--root", repositoryRoot, "--list", "--again", "--out", folder)
	if code != exitRed || !strings.Contains(errOut, folder) {
		t.Errorf("--again is of what is there: exit %d:\n%s", code, errOut)
	}
}

// savedLedger is a ledger of mutants with such names, all killed, about the names that match the filter.
func savedLedger(t *testing.T, filter string, names ...string) string {
	t.Helper()
	l := mutate.Ledger{Seed: 1, Filter: filter}
	for _, name := range names {
		l.Outcomes = append(l.Outcomes, mutate.Outcome{Name: name, Hash: "0123456789ab",
			Found: mutate.Found{Verdict: mutate.Killed}})
	}
	path := filepath.Join(t.TempDir(), "mutants.json")
	if err := l.Save(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Of a ledger that the engine has left behind, --again tells what is gone and completes what is lacking.
func TestMutants_AgainTellsWhatTheLedgerLacks(t *testing.T) {
	const known, gone = "update.go:cell.updateSwap#1 cas-to-store", "update.go:cell.forgotten#1 negate"
	path := savedLedger(t, `^update\.go:cell\.`, known, gone)
	code, out, errOut := call("mutants", "--root", repositoryRoot, "--list", "--again", "--out", path)
	if code != exitOK || !strings.Contains(out, known+" (line ") || strings.Contains(out, gone) {
		t.Errorf("exit %d: the known one is judged again, the one that is gone cannot be:\n%s", code, out)
	}
	if !strings.Contains(errOut, "exist no more, and loses them: update.go:cell.forgotten 1") {
		t.Errorf("nobody is told what is gone:\n%s", errOut)
	}
	_, drawn, _ := strings.Cut(errOut, "so some are drawn: ")
	drawn, _, _ = strings.Cut(drawn, "\n")
	for _, function := range strings.Split(drawn, ", ") {
		name, _, _ := strings.Cut(function, " ")
		if !strings.HasPrefix(name, "update.go:cell.") || !strings.Contains(out, name+"#") {
			t.Errorf("%q is drawn, by the filter of the ledger, and listed:\n%s", name, out)
		}
	}
	if _, more, _ := call("mutants", "--root", repositoryRoot, "--list", "--again", "--out", path,
		"--filter", "^words.go:Map.Rest#"); !strings.Contains(more, known) ||
		!strings.Contains(more, "words.go:Map.Rest#1 literal") {
		t.Errorf("--filter adds to what --out has:\n%s", more)
	}
}

// A ledger of another engine is not judged again, and not overwritten.
func TestMutants_RefusesALedgerOfAnotherEngine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mutants.json")
	l := mutate.Ledger{Command: "c", Packages: []string{"github.com/samecycle/samecycle/impl/shardmap"}}
	if err := l.Save(path); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--again", "--list"}, {"--filter", "^words.go:Map.Rest#1 literal$"}} {
		args = append([]string{"mutants", "--root", repositoryRoot, "--out", path}, args...)
		code, _, errOut := call(args...)
		if code != exitRed || !strings.Contains(errOut, "impl/shardmap, and not of impl/hopscotch") ||
			!strings.Contains(errOut, "name the engine by --engine") {
			t.Errorf("%v: exit %d:\n%s", args, code, errOut)
		}
	}
}

// An engine that registers no mutants has none to judge, and says so, as its link does.
func TestMutants_OfAnEngineWithoutTargets(t *testing.T) {
	bare := &harness.Engine{Engine: &catalog.Engine{Name: "toy"}}
	if _, err := mutationOf(bare); !errors.Is(err, mutate.ErrEngine) ||
		!strings.Contains(err.Error(), "engine toy: it names no package") {
		t.Errorf("%v", err)
	}
	bare.Specs = catalog.Specs{{Dir: "spec/tla/shardmap"}}
	env := evidence.Env{Root: repositoryRoot}
	if _, err := (mutantsLink{bare}).Scope(env); err != nil {
		t.Errorf("its link has mutants of the specification: %v", err)
	}
	bare.Mutation = &catalog.Mutation{}
	if _, err := (mutantsLink{bare}).Scope(env); !errors.Is(err, mutate.ErrEngine) {
		t.Errorf("a registration without packages: %v", err)
	}
}

// A run that judges a part does not overwrite a ledger of more.
func TestMutants_RefusesToLoseOutcomes(t *testing.T) {
	const kept = "add.go:noHalf#1 literal"
	path := savedLedger(t, "", kept)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	code, _, errOut := call("mutants", "--root", repositoryRoot, "--out", path, "--filter",
		"^words.go:Map.Rest#1 literal$")
	if code != exitUsage || !strings.Contains(errOut, kept) || !strings.Contains(errOut, "--again") {
		t.Errorf("exit %d:\n%s", code, errOut)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the ledger has changed: %v\n%s", err, after)
	}
	m, toy := &mutate.Mutant{Name: kept}, toyMutation(t)
	for _, f := range []mutantFlags{{out: path, filter: "noHalf"}, {out: path},
		{out: defaultLedger, limit: 1}} {
		c := &mutantRun{flags: f, engine: toy, known: map[string]mutate.Outcome{kept: {Name: kept}}}
		sample := []*mutate.Mutant{m}
		if f.out == defaultLedger || f.filter == "" {
			sample = nil // whole runs judge all there is, and the default file is anybody's
		}
		if err := c.loses(sample); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// TestMutants_JudgesAChangeOfYourOwn: one that breaks the service and one that does not, each by itself.
func TestMutants_JudgesAChangeOfYourOwn(t *testing.T) {
	const line = "\t\ts.passes.Add(1)"
	text, err := os.ReadFile(filepath.Join(repositoryRoot, "service/service.go"))
	if err != nil {
		t.Fatal(err)
	}
	n := slices.Index(strings.Split(string(text), "\n"), line) + 1
	patch := func(after string) string {
		name := filepath.Join(t.TempDir(), "mine.diff")
		text := "--- a/service/service.go\n+++ b/service/service.go\n" +
			fmt.Sprintf("@@ -%[1]d +%[1]d @@\n-%[2]s\n+%[3]s\n", n, line, after)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	broken, same := patch("\t\ts.passes.Add(2)"), patch("\t\t_ = s.passes.Add(1)")
	for _, c := range []struct {
		patches []string
		code    int
		want    []string
	}{
		{[]string{broken}, exitOK, []string{broken + ": killed by tests in TestService_", "1 killed"}},
		{[]string{broken, same}, exitRed, []string{broken + ": killed", same + ": survived the cheapest",
			"1 killed, 0 hangs, 0 equivalent, 1 survived"}},
	} {
		args := []string{"mutants", "--root", repositoryRoot, "--quick"}
		for _, name := range c.patches {
			args = append(args, "--patch", name)
		}
		code, out, errOut := call(args...)
		for _, want := range c.want {
			if code != c.code || !strings.Contains(out, want) {
				t.Errorf("%v: exit %d, want %d and %q:\n%s%s", c.patches, code, c.code, want, out, errOut)
			}
		}
	}
}
