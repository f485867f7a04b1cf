package foreign

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/scenarios/foreign/driver"
)

// usersTest runs a test in a module of its own that requires the shelf in the folder, vets it, and returns
// what the test says.
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
	if _, err := goCommand(t.Context(), folder, "vet", "-mod=mod", "."); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	out, err := goCommand(t.Context(), folder, append([]string{"test", "-mod=mod"}, append(flags, ".")...)...)
	return string(out), err
}

// TestTypes_Export: the test of a failure of each kind fails in a module that uses the type, by what was
// found, and passes when the type is right.
func TestTypes_Export(t *testing.T) {
	here, err := filepath.Abs(shelf)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, from, to string // what makes the type right
		want           string
		flags          []string
	}{
		{"Counter", "c.n.Store(c.n.Load() + d)", "c.n.Add(d)",
			"afterwards there is what no such order leaves", nil},
		{"Torn", "old := t.n.Load()", "torn.Lock(); defer torn.Unlock(); old := t.n.Load()",
			"called with (0, false)", nil},
		{"Deaf", "waiting := d.waiting.Load()\n\td.mu.Lock()", "d.mu.Lock()\n\twaiting := d.waiting.Load()",
			" Take() never returns, from ", nil},
		{"Teller", "next := t.n.Load() + 1\n\tt.n.Store(next)", "next := t.n.Add(1)", "-> sent (1)", nil},
		{"Plain", "return p.n }", "p.mu.Lock(); defer p.mu.Unlock(); return p.n }", "DATA RACE",
			[]string{"-race"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, r := typed(t, Subject{Type: c.name}, Options{Races: c.flags != nil})
			i := slices.IndexFunc(r.Results, func(s driver.Result) bool { return s.Status == driver.Found })
			again, err := w.Replay(t.Context(), r.Results[i].Token)
			if err != nil {
				t.Fatal(err)
			}
			text, err := again.Export("user_test")
			if err != nil {
				t.Fatal(err)
			}
			// Where others keep the processors busy, two goroutines seldom run at the same time.
			longer := bytes.Replace(text, []byte("tries = 10 *"), []byte("tries = 120 *"), 1)
			out, err := usersTest(t, longer, here, c.flags...)
			if err == nil || !strings.Contains(out+err.Error(), c.want) {
				t.Errorf("it passes, or does not say %q: %v\n%s", c.want, err, out)
			}
			if strings.Contains(out, "afterwards: \n") {
				t.Errorf("it tells of calls that were not made:\n%s", out)
			}
			right := repairedShelf(t, c.from, c.to)
			_, clean := typedIn(t, right, Subject{Type: c.name}, Options{Races: c.flags != nil})
			if slices.ContainsFunc(clean.Results, func(r driver.Result) bool {
				return r.Status != driver.Clean
			}) {
				t.Fatalf("what is to be right is not:\n%s", clean.Text())
			}
			text = bytes.Replace(text, []byte("tries = 10 *"), []byte("tries = 1 *"), 1)
			if out, err := usersTest(t, text, right, c.flags...); err != nil {
				t.Errorf("the type that is right fails: %v\n%s", err, out)
			}
			again.Results[0].Status = driver.Unknown
			if _, err := again.Export("user_test"); !errors.Is(err, ErrExport) {
				t.Errorf("nothing is found, yet: %v", err)
			}
		})
	}
}

// repairedShelf is a copy of the shelf with one place changed.
func repairedShelf(t *testing.T, from, to string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(shelf)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "shelf.go")
	text, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(text, []byte(from)) {
		t.Fatalf("the shelf lacks %q: %v", from, err)
	}
	text = append(bytes.Replace(text, []byte(from), []byte(to), 1), "\nvar torn sync.Mutex\n"...)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}
