package mutate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Files and lines that the patches of these tests are about.
const (
	stepsFile   = "impl/hopscotch/help_steps.go"
	serviceFile = "service/service.go"
	stillHeld   = "func (o *operation) helpStillHeld() bool { " +
		"return Word0(o.home().word0.Load()) == o.oldBase() }"
	passLine = "\t\ts.passes.Add(1)"
)

// diffOf is what git writes of one line of a file that becomes another one.
func diffOf(t *testing.T, file, before, after string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	n := slices.Index(strings.Split(string(text), "\n"), before) + 1
	if n == 0 {
		t.Fatalf("%s has no line %q any more; take another one", file, before)
	}
	return fmt.Sprintf("diff --git a/%[1]s b/%[1]s\n--- a/%[1]s\n+++ b/%[1]s\n"+
		"@@ -%[2]d +%[2]d @@\n-%[3]s\n+%[4]s\n", file, n, before, after)
}

// added is what git writes of a new file of one line.
func added(file, line string) string {
	return fmt.Sprintf("diff --git a/%[1]s b/%[1]s\nnew file mode 100644\n--- /dev/null\n+++ b/%[1]s\n"+
		"@@ -0,0 +1 @@\n+%[2]s\n", file, line)
}

// loaded are the packages, and the root of the repository.
func loaded(t *testing.T) (Packages, string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	all, err := engine.LoadAll(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	return all, root
}

// patchOf reads a patch of that text.
func patchOf(t *testing.T, all Packages, root, text string) (*Mutant, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "mine.diff")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return all.Patch(root, name)
}

func TestPatch_RefusesWhatCannotBeJudged(t *testing.T) {
	all, root := loaded(t)
	held := diffOf(t, stepsFile, stillHeld, stillHeld+" // held")
	for want, text := range map[string]string{
		"no change is in it": "hello\n",
		"not in impl/hopscotch, impl/region, service": diffOf(t, "Makefile",
			".DEFAULT_GOAL := help", ".DEFAULT_GOAL := check"),
		"leave tests out": diffOf(t, "service/service_test.go", "const cells = 64",
			"const cells = 9"),
		"is no Go file":              added("service/notes.txt", "so"),
		"a mutant is of one package": held + diffOf(t, serviceFile, passLine, passLine+" // counted"),
		"write it anew":              strings.Replace(held, "-func (o", "-func  (o", 1),
		"no file of impl/hopscotch":  strings.ReplaceAll(held, "help_steps", "help_nowhere"),
		"it changes nothing":         diffOf(t, stepsFile, stillHeld, stillHeld),
		"is there already":           added(stepsFile, "package hopscotch"),
		"expected 'package'":         diffOf(t, stepsFile, "package hopscotch", "pakage hopscotch"),
		"service/service.go:":        diffOf(t, serviceFile, passLine, "\t\tx.passes.Add(1)"),
	} {
		m, err := patchOf(t, all, root, text)
		if err == nil { // then the compiler finds it
			err = all.RunPatches(t.Context(), []*Mutant{m}, Options{Root: root, Folder: t.TempDir(),
				Note: func(string) {}, Ended: func(o Outcome) { t.Errorf("judged: %+v", o) }})
		}
		if !errors.Is(err, ErrPatch) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v\n%s", want, err, text)
		}
	}
	if _, err := all.Patch(root, filepath.Join(root, "nowhere.diff")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestInPackage: wherever the folder is, seen from the root.
func TestInPackage(t *testing.T) {
	for said, folder := range map[string]string{
		"/elsewhere/m1/bell.go:3": "/elsewhere/m1",
		"../m1/bell.go:3":         "/place/m1",
		"./bin/m1/bell.go:3":      "/place/clone/bin/m1",
		"bin/m1/bell.go:3":        "/place/clone/bin/m1",
	} {
		if got := inPackage(said, "/place/clone", folder, regionDir); got != "impl/region/bell.go:3" {
			t.Errorf("%s is %s", said, got)
		}
	}
}

// TestPatch_IsWhatTheFilesBecome: what changes, comes, goes and gets another name is built so.
func TestPatch_IsWhatTheFilesBecome(t *testing.T) {
	all, root := loaded(t)
	held := diffOf(t, stepsFile, stillHeld, "")
	text := held + added("impl/hopscotch/help_held.go", "package hopscotch") +
		"diff --git a/impl/hopscotch/print.go b/impl/hopscotch/tell.go\nsimilarity index 100%\n" +
		"rename from impl/hopscotch/print.go\nrename to impl/hopscotch/tell.go\n"
	m, err := patchOf(t, all, root, text)
	if err != nil {
		t.Fatal(err)
	}
	code := all[0]
	want := strings.Replace(string(code.texts["help_steps.go"]), stillHeld, "", 1)
	got := m.patch.texts
	if string(got["help_steps.go"]) != want || string(got["help_held.go"]) != "package hopscotch\n" ||
		string(got["tell.go"]) != string(code.texts["print.go"]) || got["print.go"] != nil ||
		len(got) != 4 {
		t.Errorf("of %v", slices.Sorted(maps.Keys(got)))
	}
	over, err := code.single(root, filepath.Join(t.TempDir(), "one"), m)
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(over.list())
	if err != nil || !strings.Contains(string(list), `print.go":""`) ||
		!strings.Contains(string(list), "/tell.go") {
		t.Errorf("%v: %s", err, list)
	}
	if p, err := code.patched(m.patch); err != nil || slices.Contains(p.names, "print.go") ||
		!slices.Contains(p.names, "help_held.go") || !slices.Contains(code.names, "print.go") {
		t.Errorf("%v: %v", err, p.names)
	}
	plain := strings.NewReplacer("--- a/", "--- before/", "+++ b/", "+++ after/").Replace(
		strings.SplitAfterN(held, "\n", 2)[1])
	m, err = patchOf(t, all, root, plain)
	if err != nil || !slices.Equal(m.files(), []string{"help_steps.go"}) {
		t.Errorf("as diff writes it, without git: %v", err)
	}
}

// TestPatch_HasTheJudgesOfItsFiles: those of a mutant of the tool that were in one of them.
func TestPatch_HasTheJudgesOfItsFiles(t *testing.T) {
	of := func(target Target, files ...string) *Mutant {
		c := &patch{texts: map[string][]byte{}}
		for _, f := range files {
			c.texts[f] = []byte("x")
		}
		return &Mutant{Name: "mine.diff", File: c.files()[0], target: target, probe: -1, patch: c}
	}
	region := Target{Dir: regionDir}
	for _, c := range []struct {
		m        *Mutant
		programs bool
		lines    bool
		bell     bool
	}{
		{of(engine.Code(), "check.go"), false, false, false},
		{of(engine.Code(), "check.go", "crop.go"), true, true, false},
		{of(engine.Code(), "print.go", "room.go"), true, true, false},
		{of(region, "bell.go"), false, false, true},
		{of(region, "close.go", "bell.go"), false, false, true},
		{of(region, "process.go"), false, false, false},
	} {
		programs, lines := stages[0].judges(c.m), registeredTests("long rings").judges(c.m)
		if bell := registeredTests("the bell").judges(c.m); programs != c.programs || lines != c.lines ||
			bell != c.bell || !stages[1].judges(c.m) {
			t.Errorf("%v of %s: programs %t, lines %t, bell %t", c.m.files(), c.m.target.Dir, programs,
				lines, bell)
		}
	}
}

// TestRunPatches_Canaries: what is wrong is killed, and what does the same lives.
func TestRunPatches_Canaries(t *testing.T) {
	all, root := loaded(t)
	var mutants []*Mutant
	for _, after := range []string{"\t\ts.passes.Add(2)", "\t\t_ = s.passes.Add(1)"} {
		m, err := patchOf(t, all, root, diffOf(t, serviceFile, passLine, after))
		if err != nil {
			t.Fatal(err)
		}
		mutants = append(mutants, m)
	}
	got := map[string]Outcome{}
	folder := t.TempDir()
	err := all.RunPatches(t.Context(), mutants, Options{Root: root, Folder: folder, Workers: 2, Keep: true,
		Note: func(string) {}, Ended: func(o Outcome) { got[o.Name] = o }})
	if err != nil {
		t.Fatal(err)
	}
	killed, lives := got[mutants[0].Name], got[mutants[1].Name]
	if killed.Verdict != Killed || killed.Judge != "tests" ||
		!strings.HasPrefix(killed.Test, "TestService_") {
		t.Errorf("two passes in place of one: %+v", killed)
	}
	if lives.Verdict != Survived {
		t.Errorf("the same in other words: %+v", lives)
	}
	again := RunAgain(killed, mutants[0], folder)
	program := filepath.Join(folder, "service", "m1", "tests")
	if want := program + " -test.run '^" + killed.Test + "$'"; again != want {
		t.Errorf("%s\nwant %s", again, want)
	} else if _, err := os.Stat(program); err != nil {
		t.Error(err)
	}
}

// TestAccepts_AsksTheJudgeWithoutTheMutant: who refuses the engine as it is has killed nobody.
func TestAccepts_AsksTheJudgeWithoutTheMutant(t *testing.T) {
	all, root := loaded(t)
	m, err := patchOf(t, all, root, diffOf(t, stepsFile, stillHeld,
		"func (o *operation) helpStillHeld() bool { return true }"))
	if err != nil {
		t.Fatal(err)
	}
	over, err := all[0].single(root, filepath.Join(t.TempDir(), "broken"), m)
	if err != nil {
		t.Fatal(err)
	}
	s := stage{search: &Search{Program: "S09AddCollisionDeleteMember_OldMap", Kills: 1}, limit: time.Hour}
	b := &bench{overlay: over, p: all[0]}
	if err := b.accepts(t.Context(), s); err != nil {
		t.Errorf("where all were asked before: %v", err)
	}
	b.accepted = map[stage]error{}
	for range 2 { // the second time it is known
		if err := b.accepts(t.Context(), s); !errors.Is(err, ErrBaseline) || len(b.accepted) != 1 {
			t.Errorf("a judge that refuses what is there without a mutant: %v", err)
		}
	}
	if out, err := all[0].judgeOne(t.Context(), b, m, Options{Root: root, Folder: t.TempDir(),
		stages: []stage{s}}); !errors.Is(err, ErrBaseline) || out.Verdict != Killed {
		t.Errorf("a mutant that it refuses, too: %v, %+v", err, out)
	}
	quick := s
	quick.search = &Search{Program: "S01AddEmpty"}
	if err := b.accepts(t.Context(), quick); err != nil {
		t.Errorf("a judge that has nothing against it: %v", err)
	}
}
