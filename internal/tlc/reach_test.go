package tlc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Two modules, of which a run reaches some definitions.
const reachRoot = `---- MODULE Root ----
EXTENDS Base, Naturals
CONSTANT N
ASSUME Positive(N)
\* a comment
Spec == Init /\ [][Next]_x
Other == Helper(2)
Alone == 7
Once(f(_), a) == f(a)
a (+) b == a + b
====
`
const reachBase = `---- MODULE Base ----
VARIABLE x
Init == x = Zero
Zero == 0
Next == LET step == 1 IN x' = Once(Twice, x) + step
Twice(a) == 2 * a
Helper(a) == a
Positive(n) == n > Zero
====
`

// TestReached: what a run can reach counts, and nothing else of its modules: a comment and the layout change
// nothing, a definition that it does not use neither, one that it uses by way of others does.
func TestReached(t *testing.T) {
	texts := func(root, below, cfg string) map[string]string {
		dir := t.TempDir()
		for name, text := range map[string]string{"Root.tla": root, "Base.tla": below} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := Reached(dir, "Root", cfg)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	const module, base = reachRoot, reachBase
	const cfg = "SPECIFICATION Spec\nCONSTANT N = 1\n"
	before := texts(module, base, cfg)
	for name, c := range map[string]struct {
		root, below, cfg string
		turns            string // the files whose text is another one
	}{
		"nothing":   {module, base, cfg, ""},
		"a comment": {strings.Replace(module, "a comment", "another", 1), base, cfg, ""},
		"layout": {module, strings.Replace(base, "x = Zero", "x =\n   Zero", 1),
			cfg, ""},
		"what nobody uses": {strings.Replace(module, "Alone == 7", "Alone == 8", 1), base,
			cfg, ""},
		"a helper of what nobody uses": {module, strings.Replace(base, "(a) == a", "(a) == a + 1", 1),
			cfg, ""},
		"what is used": {module, strings.Replace(base, "step == 1", "step == 2", 1),
			cfg, "Base.tla"},
		"used by the first": {module, strings.Replace(base, "o == 0", "o == 1", 1), cfg, "Base.tla"},
		"used by an assumption": {module, strings.Replace(base, "n > Zero", "n >= Zero", 1),
			cfg, "Base.tla"},
		"with an operator as parameter": {strings.Replace(module, "f(a)", "f(1)", 1), base,
			cfg, "Root.tla"},
		"handed to an operator": {module, strings.Replace(base, "2 * a", "3 * a", 1),
			cfg, "Base.tla"},
		"an infix operator": {strings.Replace(module, "== a + b", "== a", 1), base,
			cfg, "Root.tla"},
		"a declaration":           {strings.Replace(module, "T N", "TS N, M", 1), base, cfg, "Root.tla"},
		"the configuration alone": {module, base, strings.Replace(cfg, "1", "2", 1), ""},
		"what it names is another": {module, base, strings.Replace(cfg, "Spec", "Other", 1),
			"Base.tla Root.tla"},
	} {
		var turned []string
		now := texts(c.root, c.below, c.cfg)
		for _, file := range []string{"Base.tla", "Root.tla"} {
			if now[file] != before[file] {
				turned = append(turned, file)
			}
		}
		if got := strings.Join(turned, " "); got != c.turns {
			t.Errorf("%s: %q has changed, want %q", name, got, c.turns)
		}
	}
}

// TestReached_Rows: the row of a state in a table of programs counts for runs that name the state, and so
// does its name in a set of names; a name in anything else counts for all runs.
func TestReached_Rows(t *testing.T) {
	const module = `---- MODULE Root ----
CONSTANT Scenario
S01AddEmpty == 1
S02AddFull == 2
Selected == CASE Scenario = "S01AddEmpty" -> S01AddEmpty
              [] Scenario = "S02AddFull" -> S02AddFull
              [] OTHER -> 0
Listed == {"S01AddEmpty", "S02AddFull"}
Marked == "S02AddFull" \notin Listed
====
`
	text := func(module string) string {
		dir := t.TempDir()
		const cfg = "CONSTANT Scenario = \"S01AddEmpty\"\nINVARIANTS Selected Marked\n"
		for name, text := range map[string]string{"Root.tla": module} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := Reached(dir, "Root", cfg)
		if err != nil {
			t.Fatal(err)
		}
		return got["Root.tla"]
	}
	before := text(module)
	for _, c := range []struct {
		old, new string
		turns    bool
	}{
		{"S01AddEmpty == 1", "S01AddEmpty == 3", true},
		{"S02AddFull == 2", "S02AddFull == 3", false},
		{`-> S02AddFull`, `-> S02AddFull + 1`, false},
		{`-> S01AddEmpty`, `-> S01AddEmpty + 1`, true},
		{"OTHER -> 0", "OTHER -> 1", true},
		{`, "S02AddFull"}`, "}", false},
		{`{"S01AddEmpty", `, "{", true},
		{`"S02AddFull" \notin`, `"S03AddMore" \notin`, true},
	} {
		if n := strings.Count(module, c.old); n != 1 {
			t.Fatalf("%q is there %d times", c.old, n)
		}
		if got := text(strings.Replace(module, c.old, c.new, 1)) != before; got != c.turns {
			t.Errorf("%s in place of %s: turns %v, want %v", c.new, c.old, got, c.turns)
		}
	}
}
