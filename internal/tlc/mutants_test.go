package tlc

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withMutants is the test spec in a folder of its own, with the given mutants.
func withMutants(t *testing.T, mutants ...Mutant) string {
	t.Helper()
	manifest, err := os.ReadFile(filepath.Join("testdata", ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	dir := copySpec(t, string(manifest))
	text, err := json.Marshal(mutants)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, MutantsName), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// tiny is a mutant of testdata/Tiny.tla that its safety run kills: the counter goes down.
func tiny(change func(*Mutant)) Mutant {
	x := Mutant{Name: "Down", State: "S01AddEmpty", Run: "ok", Property: "I1Nat",
		Edits: []Edit{{"Tiny", "= x + 1", "= x - 1"}}, Note: "the counter goes down"}
	change(&x)
	return x
}

func TestLoadMutants_Refuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Mutant)
		says   string
	}{
		"no name":           {func(x *Mutant) { x.Name = "" }, "one word"},
		"short state":       {func(x *Mutant) { x.State = "S01" }, "full identifier"},
		"no edits":          {func(x *Mutant) { x.Edits = nil }, "no edits"},
		"absent text":       {func(x *Mutant) { x.Edits[0].Old = "gone" }, "occurs 0 times"},
		"no change":         {func(x *Mutant) { x.Edits[0].New = x.Edits[0].Old }, "once and change"},
		"absent module":     {func(x *Mutant) { x.Edits[0].Module = "Gone" }, "Gone.tla is not in"},
		"absent run":        {func(x *Mutant) { x.Run = "gone" }, "not in the manifest"},
		"run that fails":    {func(x *Mutant) { x.Run = "witness" }, "violated without it"},
		"property unlisted": {func(x *Mutant) { x.Property = "Gone" }, "not in the configuration"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := LoadMutants(withMutants(t, tiny(c.change)))
			if !errors.Is(err, ErrManifest) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
		})
	}
	if _, err := LoadMutants(withMutants(t, tiny(func(*Mutant) {}), tiny(func(*Mutant) {}))); err == nil ||
		!strings.Contains(err.Error(), "twice") {
		t.Errorf("two mutants of one name: %v", err)
	}
}

// TestTool_RunMutants kills one mutant, and sees one survive and one die of another property.
func TestTool_RunMutants(t *testing.T) {
	tool := needTLC(t)
	mutants, err := LoadMutants(withMutants(t, tiny(func(*Mutant) {}),
		tiny(func(x *Mutant) { x.Name, x.Edits[0].New = "Same", "= 1 + x" })))
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	got := tool.RunMutants(context.Background(), mutants, func(_ Killed, n int) { ended = n })
	if got[0].Problem != "" || got[0].Result.Property != "I1Nat" {
		t.Errorf("the mutant lives: %+v", got[0])
	}
	if !strings.Contains(got[1].Problem, "SURVIVES") || got[1].Unknown {
		t.Errorf("an equivalent mutant counts as killed: %+v", got[1])
	}
	if ended != 2 {
		t.Errorf("%d ends observed, want 2", ended)
	}
	x := mutants[0]
	x.Property = "Other"
	if problem, _ := x.judge(got[0].Result); !strings.Contains(problem, "the list says Other") {
		t.Errorf("death by another property: %q", problem)
	}
	if _, unknown := x.judge(Result{Outcome: TimedOut}); !unknown {
		t.Error("a timeout must be unknown")
	}
}
