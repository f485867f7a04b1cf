package foreign

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// unvetted lets go test vet nothing.
const unvetted = "-vet=off"

// exportedOf is the replay of the first failure of the report, and the test that it becomes.
func exportedOf(t *testing.T, w *Work, r Report) (again Report, text []byte) {
	t.Helper()
	i := slices.IndexFunc(r.Results, func(s driver.Result) bool { return s.Status == driver.Found })
	again, err := w.Replay(t.Context(), r.Results[i].Token)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = again.Export("user_test"); err != nil {
		t.Fatal(err)
	}
	if got := again.Package(); got != "shelf" {
		t.Errorf("the type is of package %q", got)
	}
	return again, text
}

// usersTest runs a test in a module of its own that requires the shelf in the folder, and returns what the
// test says. It vets the text, but with the flag unvetted, for a text that an earlier call has vetted.
func usersTest(t *testing.T, text []byte, shelf string, flags ...string) (string, error) {
	t.Helper()
	if bytes.Contains(text, []byte("samecycle/")) {
		t.Error("the test imports this project")
	}
	folder := t.TempDir()
	mod := "module user\n\ngo 1.26.0\n\nrequire example.com/shelf v0.0.0\n\n" +
		"replace example.com/shelf => " + shelf + "\n"
	for name, text := range map[string]string{"go.mod": mod, "failure_test.go": string(text)} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Contains(flags, unvetted) {
		if _, err := goCommand(t.Context(), folder, "vet", "-mod=mod", "."); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
	out, err := goCommand(t.Context(), folder, slices.Concat([]string{"test", "-mod=mod", unvetted}, flags,
		[]string{"."})...)
	return string(out), err
}

// TestTypes_Export: the test of a failure of each kind fails in a module that uses the type, by what was
// found, and passes when the type is right. The type that is used takes its time where it goes wrong.
func TestTypes_Export(t *testing.T) {
	for _, c := range []struct {
		name              string
		from, wide, right string // the place where it goes wrong, with time to do so, and made right
		want              string
		flags             []string
	}{
		{"Counter", "c.n.Store(c.n.Load() + d)", "n := c.n.Load(); pause(); c.n.Store(n + d)", "c.n.Add(d)",
			"afterwards there is what no such order leaves", nil},
		{"Torn", "old := t.n.Load()", "old := t.n.Load(); pause()",
			"torn.Lock(); defer torn.Unlock(); old := t.n.Load()", "called with (0, false)", nil},
		{"Deaf", "waiting := d.waiting.Load()\n\td.mu.Lock()",
			"waiting := d.waiting.Load(); pause(); d.mu.Lock()",
			"d.mu.Lock()\n\twaiting := d.waiting.Load()", " Take() never returns, from ", nil},
		{"Teller", "next := t.n.Load() + 1\n\tt.n.Store(next)",
			"next := t.n.Load() + 1; pause(); t.n.Store(next)",
			"next := t.n.Add(1)", "Tell(room) of actor 2 was sent (1)", nil},
		{"Plain", "return p.n }", "pause(); return p.n }", "p.mu.Lock(); defer p.mu.Unlock(); return p.n }",
			"DATA RACE", []string{"-race"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, r := typed(t, Subject{Type: c.name}, Options{Races: c.flags != nil})
			again, text := exportedOf(t, w, r)
			out, err := usersTest(t, text, changedCopy(t, shelf, "shelf.go", c.from, c.wide), c.flags...)
			if err == nil || !strings.Contains(out+err.Error(), c.want) {
				t.Errorf("it passes, or does not say %q: %v\n%s", c.want, err, out)
			}
			if strings.Contains(out, "afterwards: \n") {
				t.Errorf("it tells of calls that were not made:\n%s", out)
			}
			right := changedCopy(t, shelf, "shelf.go", c.from, c.right)
			_, clean := typedIn(t, right, Subject{Type: c.name}, Options{Races: c.flags != nil})
			if slices.ContainsFunc(clean.Results, func(r driver.Result) bool {
				return r.Status != driver.Clean
			}) {
				t.Fatalf("what is to be right is not:\n%s", clean.Text())
			}
			text = bytes.Replace(text, []byte(" = 10 * time"), []byte(" = 1 * time"), 1)
			if out, err := usersTest(t, text, right, append(c.flags, unvetted)...); err != nil {
				t.Errorf("the type that is right fails: %v\n%s", err, out)
			}
			again.Results[0].Status = driver.Unknown
			if _, err := again.Export("user_test"); !errors.Is(err, ErrExport) {
				t.Errorf("nothing is found, yet: %v", err)
			}
		})
	}
}

// changedCopy is a copy of a package with one place of a file changed. What is found may need two goroutines
// within a few instructions of one another, which one processor alone seldom lets them be: with a pause there
// they are, whatever the machine.
func changedCopy(t *testing.T, source, name, from, to string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, name)
	text, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(text, []byte(from)) {
		t.Fatalf("%s lacks %q: %v", name, from, err)
	}
	clause := regexp.MustCompile(`(?m)^package \w+$`).Find(text)
	for name, text := range map[string]string{
		name: string(bytes.Replace(text, []byte(from), []byte(to), 1)),
		"pause.go": string(clause) + "\n\nimport (\n\t\"runtime\"\n\t\"sync\"\n)\n\n" +
			"func pause() { runtime.Gosched() }\n\nvar torn sync.Mutex\n",
	} {
		file := filepath.Join(folder, name)
		if err := os.RemoveAll(file); err != nil { // a file of the module cache cannot be written to
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestTypes_ExportOld: the test builds and vets, and fails, in a module of an older version of the language,
// as one has that uses a module of such a version.
func TestTypes_ExportOld(t *testing.T) {
	w, r := typedIn(t, "./testdata/held", Subject{Type: "Hatch"}, Options{Executions: 500})
	i := slices.IndexFunc(r.Results, func(s driver.Result) bool { return s.Status == driver.Found })
	again, err := w.Replay(t.Context(), r.Results[i].Token)
	if err != nil {
		t.Fatal(err)
	}
	text, err := again.Export("held_test")
	if err != nil {
		t.Fatal(err)
	}
	folder := changedCopy(t, "./testdata/held", "held.go", "\th.n.Add(-1)", "\tpause()\n\th.n.Add(-1)")
	if err := os.WriteFile(filepath.Join(folder, "failure_test.go"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"1.24", "1.19"} { // vet asks for the version of functions from 1.22 on
		if _, err := goCommand(t.Context(), folder, "mod", "edit", "-go="+version); err != nil {
			t.Fatal(err)
		}
		if _, err := goCommand(t.Context(), folder, "vet", "."); err != nil {
			t.Errorf("go%s: %v\n%s", version, err, text)
		}
	}
	out, err := goCommand(t.Context(), folder, "test", ".")
	if err == nil || !strings.Contains(string(out), "negative WaitGroup counter") {
		t.Errorf("it passes, or does not say why not: %v\n%s", err, out)
	}
}
