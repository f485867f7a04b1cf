package closure

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repository is a module with a program of which some declarations count, a package that they use under
// another name than its folder has, a table with rows of states, assembly, and a module that is not there.
var repository = map[string]string{
	"go.mod": "module " + Module + "\n\ngo 1.24 // of the language\n\nrequire example.org/other v1.2.3\n",
	"cmd/tool/main.go": `package main

import (
	"` + Module + `/lib"
	"` + Module + `/unused"
)

type judge struct{ limit int }

func (j judge) run() int { return j.helper() + limit + named.Of(1) }
func (j judge) helper() int { return 1 }

type other struct{}

func (other) Shown() int  { return unused.One() }
func (other) hidden() int { return 2 }

var limit = 3

func main() { _ = other{} }
`,
	"cmd/tool/init.go": `package main

func init() { limit = 4 }
`,
	"cmd/tool/init_other.go": `package main

var elsewhere int

func init() { elsewhere = 4 }
`,
	"lib/lib.go": `package named

//go:noinline
func Of(n int) int { return n }

var Table = []row{
	{"S01AddEmpty", 1},
	{"S01AddEmpty_More", 2}, {"S02AddFull", 3},
	{name: "S01AddEmpty_Named", n: 4},
}

type row struct {
	name string
	n    int
}
`,
	"lib/lib_amd64.s": "#include \"textflag.h\"\n\n// a comment\n" +
		"TEXT ·nothing(SB), NOSPLIT, $0-0 /* more */\n\tRET\n",
	"lib/lib_linux.go":  "package named\n\nconst system = 1\n",
	"lib/lib_darwin.go": "package named\n\nconst system = 2\n",
	"lib/lib_test.go":   "package named\n",
	"unused/unused.go":  "package unused\n\nfunc One() int { return 1 }\n",
	"data/a.txt":        "a",
}

// scope of the judge of the tool.
var scope = Scope{Platform: "linux/amd64", Rows: []string{"lib"}, Files: []string{"data/*.txt"},
	Declarations: map[string][]string{"cmd/tool": {"judge"}}}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func of(t *testing.T, root string, s Scope, state string) List {
	t.Helper()
	list, err := Open(root).Of(t.Context(), s, state)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestOf edits one file at a time and sees just the right things turn.
func TestOf(t *testing.T) {
	root := t.TempDir()
	for name, text := range repository {
		put(t, root, name, text)
	}
	before := of(t, root, scope, "S01AddEmpty")
	for name, c := range map[string]struct {
		file, old, new string
		turns          string
	}{
		"a method of the root": {"cmd/tool/main.go", "j.helper()", "2*j.helper()",
			"cmd/tool/main.go (declarations)"},
		"a helper": {"cmd/tool/main.go", "{ return 1 }", "{ return 2 }",
			"cmd/tool/main.go (declarations)"},
		"a variable that is used": {"cmd/tool/main.go", "limit = 3", "limit = 5",
			"cmd/tool/main.go (declarations)"},
		"what sets it at the start": {"cmd/tool/init.go", "4", "5",
			"cmd/tool/init.go (declarations)"},
		"what sets another one":             {"cmd/tool/init_other.go", "4", "5", ""},
		"a type that nobody uses":           {"cmd/tool/main.go", "return 2", "return 3", ""},
		"the program itself":                {"cmd/tool/main.go", "_ = other{}", "println(1)", ""},
		"a package that only others import": {"unused/unused.go", "1", "2", ""},
		"a package of another name":         {"lib/lib.go", "return n", "return n + 1", "lib/lib.go"},
		"a directive":                       {"lib/lib.go", "//go:noinline\n", "", "lib/lib.go"},
		"a comment":                         {"lib/lib.go", "type row", "// Row is one.\ntype row", ""},
		"the layout":                        {"lib/lib.go", "type row", "\n\ntype  row", ""},
		"a row of the state":                {"lib/lib.go", `More", 2`, `More", 5`, "lib/lib.go S01AddEmpty"},
		"a field of a row":                  {"lib/lib.go", "n: 4", "n: 5", "lib/lib.go S01AddEmpty"},
		"a row of another state":            {"lib/lib.go", `Full", 3`, `Full", 5`, ""},
		"assembly":                          {"lib/lib_amd64.s", "RET", "NOP; RET", "lib/lib_amd64.s"},
		"a comment in assembly":             {"lib/lib_amd64.s", "// a comment", "// another\n\n", ""},
		"one within a line":                 {"lib/lib_amd64.s", " /* more */", "", ""},
		"a file of the platform":            {"lib/lib_linux.go", "1", "2", "lib/lib_linux.go"},
		"a file of another one":             {"lib/lib_darwin.go", "2", "3", ""},
		"a test":                            {"lib/lib_test.go", "named", "named\n\nvar x int", ""},
		"data":                              {"data/a.txt", "a", "b", "data/a.txt"},
		"the language":                      {"go.mod", "go 1.24", "go 1.25", "go.mod (Go)"},
		"a comment of go.mod":               {"go.mod", "// of the language", "", ""},
	} {
		if n := strings.Count(repository[c.file], c.old); n != 1 && c.old != "1" && c.old != "a" {
			t.Errorf("%s: %q is there %d times", name, c.old, n)
		}
		put(t, root, c.file, strings.Replace(repository[c.file], c.old, c.new, 1))
		now := of(t, root, scope, "S01AddEmpty")
		put(t, root, c.file, repository[c.file])
		var turned []string
		for _, d := range now.Differences(before) {
			turned = append(turned, strings.TrimSuffix(d, " has changed"))
		}
		got, same := strings.Join(turned, ", "), now.Hash() == before.Hash()
		if got != c.turns || same != (c.turns == "") {
			t.Errorf("%s: %q turns, want %q", name, got, c.turns)
		}
	}
}

// TestOf_Platform: a platform chooses files, so that a record can be held against those of where it was made.
func TestOf_Platform(t *testing.T) {
	root := t.TempDir()
	for name, text := range repository {
		put(t, root, name, text)
	}
	elsewhere := scope
	elsewhere.Platform = "darwin/arm64"
	files := of(t, root, elsewhere, "").Files()
	if !slices.Contains(files, "lib/lib_darwin.go") || slices.Contains(files, "lib/lib_linux.go") ||
		slices.Contains(files, "lib/lib_amd64.s") {
		t.Errorf("on another platform these count: %q", files)
	}
}

// TestOf_CannotTell: where it cannot be told what counts there is an error, which names the thing.
func TestOf_CannotTell(t *testing.T) {
	uses := "package named\n\nimport _ \"example.org/other\"\n"
	for name, c := range map[string]struct {
		file, text string
		scope      Scope
		says       string
	}{
		"a root that is not declared": {"", "",
			Scope{Declarations: map[string][]string{"cmd/tool": {"gone"}}},
			"cmd/tool declares no gone"},
		"a package that is not there": {"", "", Scope{Packages: []string{"gone"}}, "no package"},
		"a pattern without a file": {"", "", Scope{Files: []string{"data/*.csv"}},
			"data/*.csv means no file"},
		"a file that does not parse": {"lib/lib.go", "package named\n\nfunc {\n", scope, "lib/lib.go"},
		"a module that is not there": {"lib/other.go", uses, scope, "example.org/other"},
		"a module in a folder": {"go.mod", repository["go.mod"] +
			"replace example.org/other => ./other\n", scope,
			"take the replacement out"},
	} {
		root := t.TempDir()
		for name, text := range repository {
			put(t, root, name, text)
		}
		if c.file == "go.mod" {
			put(t, root, "lib/other.go", uses)
			put(t, root, "other/go.mod", "module example.org/other\n\ngo 1.24\n")
			put(t, root, "other/other.go", "package other\n")
		}
		if c.file != "" {
			put(t, root, c.file, c.text)
		}
		_, err := Open(root).Of(t.Context(), c.scope, "S01AddEmpty")
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// TestEdited: a tree with another text of a file is another one, whether all of the file counts or some
// declarations do; the first one stays as it is.
func TestEdited(t *testing.T) {
	root := t.TempDir()
	for name, text := range repository {
		put(t, root, name, text)
	}
	tree := Open(root)
	sum := func(tree *Tree) string {
		t.Helper()
		list, err := tree.Of(t.Context(), scope, "S01AddEmpty")
		if err != nil {
			t.Fatal(err)
		}
		return list.Hash()
	}
	first := sum(tree)
	for _, e := range []struct{ file, old, new string }{
		{"lib/lib.go", "return n", "return n + 1"}, {"cmd/tool/main.go", "limit = 3", "limit = 5"},
		{"data/a.txt", "a", "b"},
	} {
		other, err := tree.Edited(e.file, []byte(strings.Replace(repository[e.file], e.old, e.new, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if sum(other) == first || sum(tree) != first {
			t.Errorf("%s: the edited tree must differ, and the first one must not", e.file)
		}
		put(t, root, e.file, strings.Replace(repository[e.file], e.old, e.new, 1))
		if sum(Open(root)) != sum(other) {
			t.Errorf("%s: a tree of the edited file must equal the edited tree", e.file)
		}
		put(t, root, e.file, repository[e.file])
	}
	if _, err := tree.Edited("lib/lib.go", []byte("package named\n\nfunc {\n")); !errors.Is(err, ErrClosure) {
		t.Errorf("a file that does not parse: %v", err)
	}
}

// TestOf_Unread: a field that the link does not read counts for nothing, the others of its row and the rows
// without names do.
func TestOf_Unread(t *testing.T) {
	root := t.TempDir()
	for name, text := range repository {
		put(t, root, name, text)
	}
	without := scope
	without.Unread = []string{"n"}
	before := of(t, root, without, "S01AddEmpty")
	for old, c := range map[string]struct {
		now   string
		turns bool
	}{
		"n: 4":                {"n: 5", false},
		`"S01AddEmpty_Named"`: {`"S01AddEmpty_Other"`, true},
		`"S01AddEmpty", 1`:    {`"S01AddEmpty", 2`, true},
	} {
		put(t, root, "lib/lib.go", strings.Replace(repository["lib/lib.go"], old, c.now, 1))
		now := of(t, root, without, "S01AddEmpty")
		if changed := len(now.Differences(before)) > 0; changed != c.turns {
			t.Errorf("%s becomes %s: turned %v, want %v", old, c.now, changed, c.turns)
		}
	}
}
