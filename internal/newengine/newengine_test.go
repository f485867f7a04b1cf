package newengine

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// state is how the registers write a state.
func state(id string) string { return "package x\n\nvar states = []string{\"" + id + "\"}\n" }

// repository is a small one: the list of engines as it is, two engines that have letters, and a general
// package with a text.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	list, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(listFile)))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range slices.Concat(general, []string{"impl/old", "spec/tla/early", "results/gone"}) {
		put(t, root, dir+"/keep", "")
	}
	put(t, root, listFile, string(list))
	put(t, root, "internal/catalog/old/states.go", state("Q01Old"))
	put(t, root, "spec/tla/early/manifest.json", `[{"name": "E01Early_Two", "state": "E01Early"}]`)
	put(t, root, "harness/x.go", "package harness\n\n// not \"inhere\"\nconst kind = \"waiter\"\n")
	put(t, root, "harness/x_test.go", "package harness\n\nconst example = \"example\"\n")
	return root
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err = errors.Join(err, os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// everything is all files and folders below root, with the texts of the files.
func everything(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			all[name+"/"] = ""
			return err
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestWrite: the files are new, no word of the templates is left in them, no line is too long even with the
// longest name, and what was there stays, but for the list of engines.
func TestWrite(t *testing.T) {
	root := repository(t)
	before := everything(t, root)
	name := "q" + strings.Repeat("u", nameMost-1)
	e, err := Write(root, name, "")
	if err != nil {
		t.Fatal(err)
	}
	if e.Letter != "U" { // Q is taken
		t.Errorf("the letter is %s", e.Letter)
	}
	now := everything(t, root)
	for _, path := range e.Files {
		text := now[path]
		if _, old := before[path]; old || text == "" || strings.Contains(text+path, "__") {
			t.Errorf("%s was there, is empty, or has a word of the templates:\n%s", path, text)
		}
		for line := range strings.Lines(text) {
			if columns := utf8.RuneCountInString(line) - 1 + 3*strings.Count(line, "\t"); columns > 110 &&
				strings.HasSuffix(path, ".go") {
				t.Errorf("%s has a line of %d columns: %s", path, columns, line)
			}
		}
		delete(now, path)
	}
	for _, dir := range folders(name) {
		if _, made := now[dir+"/"]; !made {
			t.Errorf("%s is not there", dir)
		}
		delete(now, dir+"/")
	}
	list := now[listFile]
	for _, want := range []string{"/scenarios/" + name + "\"\n", "\t\t" + name + ".Engine(),\n\t}\n}\n"} {
		if strings.Count(list, want) != 1 {
			t.Errorf("the list of engines has %q not once:\n%s", want, list)
		}
	}
	now[listFile] = before[listFile]
	if !maps.Equal(now, before) || !slices.IsSorted(e.Files) || len(e.Files) < 15 {
		t.Errorf("other files than %q are changed", e.Files)
	}
}

// TestWrite_Refuses: what cannot be had is an error that says why, and changes nothing.
func TestWrite_Refuses(t *testing.T) {
	root := repository(t)
	before := everything(t, root)
	for _, c := range []struct{ name, letter, says string }{
		{"", "", `"" is no name of an engine: use small letters and digits`},
		{"Queue", "", "use small letters"},
		{"my_queue", "", "use small letters"},
		{"../queue", "", "use small letters"},
		{"2queue", "", "use small letters"},
		{strings.Repeat("q", nameMost+1), "", "has 21 letters: use 20 at most"},
		{"range", "", "range is a word of Go"},
		{"append", "", "append is a word of Go"},
		{"internal", "", "internal is a word of Go"},
		{"integers", "", "would take the place of a standard module"},
		{"naturals", "", "would take the place of a standard module"},
		{"peano", "", "would take the place of a standard module"},
		{"reals", "", "would take the place of a standard module"},
		{"realtime", "", "would take the place of a standard module"},
		{"programs", "", "the name Programs, which is used in it"},
		{"next", "", "the name Next, which is used in it"},
		{"old", "", "internal/catalog/old is there"},
		{"early", "", "spec/tla/early is there"},
		{"gone", "", "results/gone is there"},
		{"region", "", "impl/region is there"},
		{"waiter", "", `harness/x.go has the text "waiter"`},
		{"slices", "", "slices means something else in " + listFile},
		{"made", "", "made means something else in " + listFile},
		{"queue", "Q", "the letter Q belongs to the states of old"},
		{"queue", "E", "the letter E belongs to the states of early"},
		{"queue", "x", `the letter "x": use one from A to Z`},
		{"queue", "XY", `the letter "XY"`},
	} {
		_, err := Write(root, c.name, c.letter)
		if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q %q: %v, want %q", c.name, c.letter, err, c.says)
		}
	}
	if now := everything(t, root); !maps.Equal(now, before) {
		t.Error("what is refused has changed files")
	}
	for _, name := range []string{"example", "inhere"} { // in a test, and in a comment
		if _, err := Write(root, name, ""); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWrite_TakesBack what it has written when it fails: between two folders, at the end, and ahead of all.
func TestWrite_TakesBack(t *testing.T) {
	for _, spoil := range []func(root string) error{
		func(root string) error { return os.RemoveAll(filepath.Join(root, "spec")) },
		func(root string) error { return os.WriteFile(filepath.Join(root, listFile+".new"), nil, 0o600) },
		func(root string) error { return os.WriteFile(filepath.Join(root, listFile), []byte("x"), 0o600) },
		func(root string) error {
			return os.WriteFile(filepath.Join(root, listFile), []byte("package engines\n"), 0o600)
		},
	} {
		root := repository(t)
		if err := spoil(root); err != nil {
			t.Fatal(err)
		}
		before := everything(t, root)
		_, err := Write(root, "queue", "")
		if err == nil || errors.Is(err, ErrRefused) {
			t.Errorf("the error is %v", err)
		}
		if now := everything(t, root); !maps.Equal(now, before) {
			t.Errorf("after %v there are other files than before", err)
		}
	}
}

// TestWrite_Letters: the first free one of the name, one of the alphabet if the name has none, and no other
// one than that which was asked for. I and O, which look like digits, are for those who ask.
func TestWrite_Letters(t *testing.T) {
	root := repository(t)
	for _, c := range []struct{ name, letter, want string }{
		{"ring", "", "R"}, {"rope", "", "P"}, {"qe2", "", "A"}, {"io", "", "B"}, {"io2", "I", "I"},
	} {
		e, err := Write(root, c.name, c.letter)
		if err != nil || e.Letter != c.want {
			t.Errorf("%s: %s, %v, want %s", c.name, e.Letter, err, c.want)
		}
	}
}
