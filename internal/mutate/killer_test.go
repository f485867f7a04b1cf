package mutate

import (
	"errors"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// killerFolder is that of tests that have a target.
var killerFolder = engine.Code().Dir

// killersOf is those of a repository with such a test in both folders, and one program.
func killersOf(t *testing.T, test, explored, program string) Killers {
	t.Helper()
	root := t.TempDir()
	for folder, text := range map[string]string{killerFolder: test, scenariosDir: explored} {
		dir := filepath.Join(root, folder)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "a_test.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	k, err := engine.Killers(root, func(name string) string {
		if name != "S99" {
			return ""
		}
		return program
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// An outcome of an earlier run holds while what killed the mutant is the same.
func TestKillers(t *testing.T) {
	const test = "package a\n// TestA tests.\nfunc TestA() { f(1) }\nfunc TestB() {}\n"
	const other, commented = "package a\nfunc TestA() { f(2) }\n", "package a\n\nfunc TestA() {\n\tf(1)\n}\n"
	before := killersOf(t, test, test, "add 1")
	byTest := Outcome{Found: Found{Verdict: Killed, Test: "TestA/deep", Judge: "tests"}}
	byExplored := Outcome{Found: Found{Verdict: Killed, Test: "TestA", Judge: scenarioTests}}
	byProgram := Outcome{Found: Found{Verdict: Killed, Search: &Search{Program: "S99"}}}
	for name, c := range map[string]struct {
		of       Outcome
		today    Killers
		outlived bool
	}{
		"test, same":              {byTest, before, false},
		"test, comment":           {byTest, killersOf(t, commented, "package a", ""), false},
		"test, changed":           {byTest, killersOf(t, other, test, "add 1"), true},
		"test, gone":              {byTest, killersOf(t, "package a", test, "add 1"), true},
		"test, the other one":     {byTest, killersOf(t, test, other, "add 2"), false},
		"explored test, same":     {byExplored, killersOf(t, other, test, ""), false},
		"explored test, changed":  {byExplored, killersOf(t, test, other, ""), true},
		"program, same":           {byProgram, killersOf(t, other, other, "add 1"), false},
		"program, changed":        {byProgram, killersOf(t, test, test, "add 2"), true},
		"program, gone":           {byProgram, killersOf(t, test, test, ""), true},
		"nobody has killed it":    {Outcome{Found: Found{Verdict: Survived}}, Killers{}, false},
		"nothing that has a name": {Outcome{Found: Found{Verdict: Killed}}, Killers{}, false},
	} {
		o := c.of
		o.Killer = before.Hash(o)
		if got := c.today.Outlived(o); got != c.outlived {
			t.Errorf("%s: outlived %t, hash %q, today %q", name, got, o.Killer, c.today.Hash(o))
		}
		if o.Killer = ""; c.today.Outlived(o) {
			t.Errorf("%s: of an outcome without a hash nobody can tell", name)
		}
	}
}

// A test is another one as soon as anything that it reaches in the files of tests is.
func TestKillers_TakeInWhatATestReaches(t *testing.T) {
	const test = `package a
type judge struct{ most int }
func (j judge) String() string { return "judge" }
const limit, spare = 3, 4
var table = []int{limit}
func helper(n int) bool { return deeper(n) }
func deeper(n int) bool { return n < table[0] }
func other() {}
func init() { other() }
func TestMain() { started() }
func started() {}
var _ = limit
func again() { again() }
func TestA() { helper(1) }
func TestB() { println(judge{}) }
func TestC() { _ = 1; again() }
`
	hash := func(text, name string) string {
		return killersOf(t, text, "package a", "").Hash(Outcome{
			Found: Found{Verdict: Killed, Test: name, Judge: "tests"}})
	}
	for change, c := range map[string]struct{ from, to, outlives string }{
		"the helper":             {"return deeper(n)", "return !deeper(n)", "A"},
		"the helper's helper":    {"n < table[0]", "n <= table[0]", "A"},
		"a variable":             {"[]int{limit}", "[]int{limit, 1}", "A"},
		"a constant":             {"spare = 3, 4", "spare = 5, 4", "A"},
		"a field":                {"most int", "most uint", "B"},
		"a method that is meant": {`"judge"`, `"judges"`, "B"},
		"one that calls itself":  {"{ again() }", "{ again(); again() }", "C"},
		"what runs with each":    {"other() {}", "other() { println() }", "ABC"},
		"what begins all":        {"started() {}", "started() { println() }", "ABC"},
		"what nobody can name":   {"_ = limit", "_ = spare", ""},
		"a comment":              {"func helper", "// Helper helps.\nfunc helper", ""},
		"what nobody reaches":    {"func other", "func unknown() {}\nfunc other", ""},
		"layout":                 {"{ return deeper(n) }", "{\n\treturn deeper(n)\n}", ""},
	} {
		for _, name := range []string{"A", "B", "C"} {
			today := strings.Replace(test, c.from, c.to, 1)
			changed := hash(test, "Test"+name) != hash(today, "Test"+name)
			if today == test || changed != strings.Contains(c.outlives, name) {
				t.Errorf("%s: Test%s is another one: %t", change, name, changed)
			}
		}
	}
	// The hash of a test that reaches nothing is that of its function, as ledgers have it.
	alone := "package a\nfunc TestA() {}\n"
	f, err := parser.ParseFile(token.NewFileSet(), "", alone, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	want := hashOf(f.Decls[0])
	if a, b := hash(alone, "TestA"), hash(alone+"func unknown() {}\n", "TestA"); a != want || b != want {
		t.Errorf("a test that reaches nothing: %s, then %s, want %s", a, b, want)
	}
}

// Whoever has been outlived is judged again, and has no verdict until then.
func TestKillers_OfTheLedger(t *testing.T) {
	m := &Mutant{Name: "a.go:f#1 negate", Hash: "0123456789ab"}
	o := Outcome{Name: m.Name, Hash: m.Hash, Found: Found{Verdict: Killed, Judge: "histories",
		Search: &Search{Program: "S99"}}}
	before := killersOf(t, "package a", "package a", "add 1")
	o.Killer = before.Hash(o)
	if _, holds := Resume(o, m, before, nil); !holds {
		t.Error("it does not hold while nothing has changed")
	}
	if p := Pending(o, m, before, nil); p.Verdict != Killed || p.Killer != o.Killer {
		t.Errorf("pending while nothing has changed: %+v", p)
	}
	today := killersOf(t, "package a", "package a", "add 2")
	if _, holds := Resume(o, m, today, nil); holds {
		t.Error("it holds although the program is another one")
	}
	if p := Pending(o, m, today, nil); p.Verdict != Unknown || p.Killer != "" {
		t.Errorf("pending with another program: %+v", p)
	}
}

func TestKillers_RefusesWhatIsNoGo(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, scenariosDir), 0o755); err != nil {
		t.Fatal(err)
	}
	err := os.WriteFile(filepath.Join(root, scenariosDir, "a_test.go"), []byte("package"), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Killers(root, nil); !errors.Is(err, ErrKillers) {
		t.Errorf("%v, want %v", err, ErrKillers)
	}
}
