package mutate

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

const killerFolder = "impl/table"

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
	k, err := KillersOf(root, killerFolder, func(name string) string {
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

func TestKillersOf_RefusesWhatIsNoGo(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, scenariosDir), 0o755); err != nil {
		t.Fatal(err)
	}
	err := os.WriteFile(filepath.Join(root, scenariosDir, "a_test.go"), []byte("package"), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := KillersOf(root, killerFolder, nil); !errors.Is(err, ErrKillers) {
		t.Errorf("%v, want %v", err, ErrKillers)
	}
}
