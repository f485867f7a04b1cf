package tlc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReached: what a run can reach counts, and nothing else of its modules: a comment and the layout change
// nothing, a definition that it does not use neither, one that it uses by way of others does.
func TestReached(t *testing.T) {
	const module = `---- MODULE Root ----
EXTENDS Base, Naturals
CONSTANT N
ASSUME Positive(N)
\* a comment
Spec == Init /\ [][Next]_x
Other == Helper(2)
Alone == 7
====
`
	const base = `---- MODULE Base ----
VARIABLE x
Init == x = Zero
Zero == 0
Next == LET step == 1 IN x' = x + step
Helper(a) == a
Positive(n) == n > Zero
====
`
	texts := func(root, below, cfg string) map[string]string {
		dir := t.TempDir()
		for name, text := range map[string]string{"Root.tla": root, "Base.tla": below, "Root.cfg": cfg} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := Reached(dir, "Root", "Root.cfg")
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
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
		"a declaration":     {strings.Replace(module, "T N", "TS N, M", 1), base, cfg, "Root.tla"},
		"the configuration": {module, base, strings.Replace(cfg, "1", "2", 1), "Root.cfg"},
		"what it names is another": {module, base, strings.Replace(cfg, "Spec", "Other", 1),
			"Base.tla Root.cfg Root.tla"},
	} {
		var turned []string
		now := texts(c.root, c.below, c.cfg)
		for _, file := range []string{"Base.tla", "Root.cfg", "Root.tla"} {
			if now[file] != before[file] {
				turned = append(turned, file)
			}
		}
		if got := strings.Join(turned, " "); got != c.turns {
			t.Errorf("%s: %q has changed, want %q", name, got, c.turns)
		}
	}
}
