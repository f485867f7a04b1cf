package tlc

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
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
		"no property":       {func(x *Mutant) { x.Property = "" }, "not in the configuration"},
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
	if _, unknown := mutants[0].judge(Result{Outcome: TimedOut}); !unknown {
		t.Error("a timeout must be unknown")
	}
}

// refined is a run of the test spec with a property of each kind: an invariant, one of steps, a
// refinement, of which TLC tells the position in the other module, and a temporal one, of which it tells
// nothing.
const refined = `[{"name": "refines", "state": "S01AddEmpty", "module": "Tiny", "config": "TinyRefines.cfg",
  "kind": "safety", "temporal": "Reaches", "expect": "ok", "distinct": 6, "depth": 6}]`

// A mutant that dies of another property than the one that it names is a fault, of whatever kind either
// is; a deadlock is no property. What never happens is looked for only where a mutant says so: elsewhere it
// lives, a fault as well.
func TestTool_RunMutantsOfAnotherProperty(t *testing.T) {
	tool := needTLC(t)
	properties := []string{"I1Nat", "Climbs", "Refines", "Reaches"}
	var mutants []Mutant
	dies := map[string]string{}
	for _, c := range []struct{ name, old, changed, of string }{
		{"Down", "= x + 1", "= x - 1", "I1Nat"}, {"Back", "= x + 1", "= 1 - x", "Climbs"},
		{"Leap", "= x + 1", "= x + 2", "Refines"}, {"Unfair", "Spec /\\ WF_x(Next)", "Spec", "Reaches"},
		{"Stuck", "x = Max /\\", "x > Max /\\", ""},
	} {
		for _, p := range properties {
			x := Mutant{Name: c.name + p, State: "S01AddEmpty", Run: "refines", Property: p,
				Edits: []Edit{{"Tiny", c.old, c.changed}}}
			mutants, dies[x.Name] = append(mutants, x), c.of
		}
	}
	dir := withMutants(t, mutants...)
	if err := os.WriteFile(filepath.Join(dir, ManifestName), []byte(refined), 0o600); err != nil {
		t.Fatal(err)
	}
	mutants, err := LoadMutants(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range tool.RunMutants(t.Context(), mutants, nil) {
		x, of := k.Mutant, dies[k.Mutant.Name]
		says := "it violates " + of + ", the list says " + x.Property
		switch of {
		case x.Property:
			says = ""
		case "":
			says = "it ends in a deadlock, the list says " + x.Property
		case "Reaches":
			says = "it SURVIVES: refines holds" + temporalAside
		}
		if k.Problem != says || k.Unknown {
			t.Errorf("%s: %q, want %q (%s)", x.Name, k.Problem, says, k.Result.Message)
		}
	}
}

// A mutant's run checks all properties, but what never happens only if the mutant names such a property: it
// needs a JVM of its own then. Alone it checks the one that is named.
func TestMutant_Checks(t *testing.T) {
	m, err := LoadManifest(copySpec(t, refined))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		property string
		alone    bool
		want     []string
	}{
		{"I1Nat", false, []string{"I1Nat", "Climbs", "Refines"}},
		{"Refines", false, []string{"I1Nat", "Climbs", "Refines"}},
		{"Reaches", false, []string{"I1Nat", "Climbs", "Refines", "Reaches"}},
		{"Climbs", true, []string{"Climbs"}}, {"Reaches", true, []string{"Reaches"}},
	} {
		x := Mutant{Property: c.property, Alone: c.alone, entry: m.Entries[0], dir: m.Dir}
		got := parseConfig(x.configuration(folders{}))
		if all := slices.Concat(got.invariants, got.properties); !slices.Equal(all, c.want) {
			t.Errorf("of %s, alone %t, checked are %v, want %v", c.property, c.alone, all, c.want)
		}
	}
}

// With the others left out a mutant dies of a property that breaks later than they do.
func TestTool_RunMutantsAlone(t *testing.T) {
	tool := needTLC(t)
	both := `[{"name": "ok", "state": "", "module": "Tiny", "config": "TinyBoth.cfg", "kind": "safety",
	  "expect": "ok", "distinct": 3, "depth": 3}]`
	later := tiny(func(x *Mutant) { x.Property, x.Edits[0].New = "Reaches", "= 1 - x" })
	alone := later
	alone.Name, alone.Alone = "Alone", true
	dir := withMutants(t, later, alone)
	if err := os.WriteFile(filepath.Join(dir, ManifestName), []byte(both), 0o600); err != nil {
		t.Fatal(err)
	}
	mutants, err := LoadMutants(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := tool.RunMutants(t.Context(), mutants, nil)
	if want := "it violates Climbs, the list says Reaches"; got[0].Problem != want {
		t.Errorf("beside the others: %q, want %q", got[0].Problem, want)
	}
	if got[1].Problem != "" {
		t.Errorf("alone: %q", got[1].Problem)
	}
}

// unseen are the properties of complete runs that neither a mutant nor a run that must fail names:
// nothing shows that they can be red.
func unseen(m *Manifest, mutants []Mutant) (list []string) {
	seen := map[string]bool{}
	for _, x := range mutants {
		seen[x.Property] = true
	}
	for _, e := range m.Entries {
		if e.Kind == MustFail {
			seen[e.Property] = true
		}
	}
	for _, e := range m.Entries {
		if e.Expect != OK {
			continue
		}
		c := parseConfig(e.text)
		for _, p := range slices.Concat(c.invariants, c.properties) {
			if !seen[p] {
				list = append(list, p)
			}
			seen[p] = true
		}
	}
	return list
}

// Each property of the specification is the first to break in some mutant, or in a run that must fail.
func TestEveryPropertyIsNamed(t *testing.T) {
	const dir = "../../spec/tla/hopscotch"
	m, err := LoadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	mutants, err := LoadMutants(dir)
	if err != nil {
		t.Fatal(err)
	}
	if list := unseen(m, mutants); len(list) > 0 {
		t.Errorf("no mutant names %v", list)
	}
	few := slices.DeleteFunc(slices.Clone(mutants), func(x Mutant) bool { return x.Property == "MCTypes" })
	if list := unseen(m, few); !slices.Equal(list, []string{"MCTypes"}) {
		t.Errorf("without those of MCTypes: %v", list)
	}
}
