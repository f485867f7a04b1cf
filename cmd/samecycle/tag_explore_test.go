//go:build explore

package main

import (
	"encoding/json"
	"strings"
	"testing"

	model "github.com/samecycle/samecycle/model/hopscotch"
)

// TestExplore_TokensReplay follows a passing schedule from explore to replay, in both forms.
func TestExplore_TokensReplay(t *testing.T) {
	root := repositoryWith(t)
	code, out, errOut := call("explore", "S05", "--json", "--root", root)
	var found []exploration
	if err := json.Unmarshal([]byte(out), &found); err != nil || code != exitOK || len(found) == 0 {
		t.Fatalf("status %d, %v\n%s%s", code, err, out, errOut)
	}
	tokens := 0
	for _, e := range found {
		tokens += len(e.Tokens)
		if len(e.Tokens) != len(e.Outcomes) || len(e.Outcomes) == 0 {
			t.Errorf("%s: %d tokens of %d outcomes", e.Program, len(e.Tokens), len(e.Outcomes))
		}
		for outcome, token := range e.Tokens {
			code, out, errOut := call("replay", token, "--steps", "--root", root)
			if code != exitOK || !strings.Contains(out, outcome) ||
				!strings.Contains(out, "AddClaimEmpty") || !strings.Contains(out, ".go:") {
				t.Errorf("replay %s: status %d, want %q\n%s%s", token, code, outcome, out, errOut)
			}
			code, out, _ = call("replay", token, "--json", "--root", root)
			if r := asJSON[replayed](t, out); code != exitOK || len(r.Tokens) != 1 ||
				r.Tokens[outcome] != token {
				t.Errorf("replay %s: status %d, tokens %v, want that of %q", token, code, r.Tokens, outcome)
			}
		}
	}
	_, out, _ = call("explore", "S05", "--tokens", "--root", root)
	if strings.Count(out, "samecycle replay 'sx1~") != tokens {
		t.Errorf("not one token for each outcome:\n%s", out)
	}
	if _, out, _ = call("explore", "S05", "--root", root); strings.Contains(out, "sx1~") {
		t.Errorf("tokens that nobody asked for:\n%s", out)
	}
}

// TestExplore_Program: a program's own name searches it and no other of its state, split as well.
func TestExplore_Program(t *testing.T) {
	const name = "S04AddCollisionEmpty_SameKey"
	root := repositoryWith(t)
	t.Setenv(asMain, "yes")
	for _, split := range []string{"1", "2"} {
		code, out, errOut := call("explore", name, "--bound", "0", "--stateless", "--processes", split,
			"--json", "--root", root)
		var found []exploration
		if err := json.Unmarshal([]byte(out), &found); err != nil || code != exitOK || len(found) != 1 ||
			found[0].Program != name || found[0].Executions == 0 {
			t.Errorf("in %s: status %d, %v: want %s alone\n%s%s", split, code, err, name, out, errOut)
		}
	}
	if code, _, errOut := call("explore", name+"s"); code != exitUsage ||
		!strings.Contains(errOut, "or a program that their search prints") {
		t.Errorf("a wrong name: status %d: %s", code, errOut)
	}
	for _, token := range []string{"nonsense", ""} {
		code, _, errOut := call("replay", token, "--root", root)
		if code != exitUsage || !strings.Contains(errOut, `"`+token+`": token: starts with `) ||
			!strings.Contains(errOut, "copy it whole and in quotes") {
			t.Errorf("token %q: status %d: %s", token, code, errOut)
		}
	}
}

// TestExplore_BoundAndEnd: the default ascends to the program's own bound, --bound fixes it, and
// a search that ended early is not green.
func TestExplore_BoundAndEnd(t *testing.T) {
	root := repositoryWith(t)
	programs := len(model.ProgramsOf("S06AddCollisionGet"))
	for _, c := range []struct {
		line string
		code int
		says string
		n    int
	}{
		{"explore S06", exitOK, "; at most 2 preemptions;", 1},
		{"explore S06 --bound 1", exitOK, "; at most 1 preemption;", programs},
		{"explore S06 --bound 0 --executions 1", exitRed, "NOT FINISHED", programs},
	} {
		code, out, errOut := call(append(strings.Fields(c.line), "--root", root)...)
		if code != c.code || strings.Count(out, c.says) != c.n {
			t.Errorf("%s: status %d, want %d and %d times %q\n%s%s", c.line, code, c.code, c.n, c.says,
				out, errOut)
		}
	}
}

// TestExplore_Exact: a program that has the name of its state is searched alone; of a state that is no
// program's name it is told which names there are.
func TestExplore_Exact(t *testing.T) {
	root := repositoryWith(t)
	for line, programs := range map[string]int{
		"S04AddCollisionEmpty --bound 0":         len(model.ProgramsOf("S04AddCollisionEmpty")),
		"S04AddCollisionEmpty --exact --bound 0": 1,
	} {
		code, out, errOut := call(strings.Fields("explore --json --root " + root + " " + line)...)
		all := asJSON[[]exploration](t, out)
		if code != exitOK || len(all) != programs || all[0].Program != "S04AddCollisionEmpty" {
			t.Errorf("%s: status %d, %d programs, want %d\n%s", line, code, len(all), programs, errOut)
		}
	}
	code, _, errOut := call("explore", "S04", "--exact")
	if code != exitUsage || !strings.Contains(errOut, "S04AddCollisionEmpty, S04AddCollisionEmpty_Same") {
		t.Errorf("a state's number: status %d\n%s", code, errOut)
	}
}

// TestElsewhere: the engine is explored from any folder, without a repository around it.
func TestElsewhere(t *testing.T) {
	t.Chdir(t.TempDir())
	if code, out, errOut := call("explore", "S01"); code != exitOK {
		t.Errorf("status %d\n%s%s", code, out, errOut)
	}
	if code, _, errOut := call("replay", "nonsense"); code != exitUsage ||
		!strings.Contains(errOut, "token") {
		t.Errorf("status %d: %s", code, errOut)
	}
}
