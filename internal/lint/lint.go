// Package lint is the project's style as tests: each check reads the files of the repository and
// reports what breaks a rule, where, and what to do about it.
//
// The checks parse files and never compile them, so they say something useful about a tree that does not
// build. The rules that are lists (which package may import which, which may use raw atomics) are data.
// Each exception has its reason. To allow something new, add a line with a reason.
package lint

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Module is the path of the module that the tree is.
const Module = "github.com/samecycle/samecycle"

// ErrTree says that a tree cannot be read as a repository.
var ErrTree = errors.New("tree is unreadable")

// Finding is one breach of a rule.
type Finding struct {
	File string // below the root, with slashes
	Line int    // from 1; 0 when the whole file, or its absence, is meant
	Text string // what is wrong, and what to do
}

// String prints file:line: text, as compilers do.
func (f Finding) String() string {
	if f.Line == 0 {
		return fmt.Sprintf("%s: %s", f.File, f.Text)
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
}

// Check is one rule.
type Check struct {
	Name string
	Run  func(*Tree) []Finding
}

// Checks returns all rules.
func Checks() []Check {
	return []Check{
		{"ImportEdges", importEdges},
		{"EngineBorder", engineBorder},
		{"ImplLibraries", implLibraries},
		{"StateNames", stateNames},
		{"ActionNames", actionNames},
		{"EngineSteps", engineSteps},
		{"EngineOutside", engineOutside},
		{"PlainMemory", plainMemory},
		{"RawAtomics", rawAtomics},
		{"Sizes", sizes},
		{"BannedText", bannedText},
		{"SkipReasons", skipReasons},
		{"DocComments", docComments},
		{"Documents", documents},
		{"Gofmt", gofmt},
		{"Records", records},
	}
}

// Source is one parsed Go file.
type Source struct {
	Path string // below the root
	Dir  string // folder of Path, "." for the root
	Test bool   // the name ends in _test.go
	Text []byte
	File *ast.File // nil when the file does not parse
	Err  error     // why it does not

	fset *token.FileSet
}

// Line is the line of a position in the file.
func (s *Source) Line(p token.Pos) int { return s.fset.Position(p).Line }

// Tree is a repository as the checks see it. Its text files are in memory, by path.
type Tree struct {
	Files   map[string][]byte
	Go      []*Source // sorted by path
	Modules []string  // folders of nested modules: each has its own go.mod

	Engines []*Engine
}

// sizeMax is the size in bytes from which on a file is data, not text that a person wrote.
const sizeMax = 1 << 20

// Load reads the text files of fsys. It leaves out folders whose name starts with a dot (.ci
// and .github excepted), and what the .gitignore of the root names without a pattern.
// Errors: ErrTree.
func Load(fsys fs.FS) (*Tree, error) {
	t := &Tree{Files: map[string][]byte{}, Engines: registered()}
	ignored := ignoredNames(fsys)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went away while we were walking
		}
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && (hidden(d.Name()) || ignored(name)) {
				return fs.SkipDir
			}
			return nil
		}
		if !isText(name) || ignored(name) {
			return nil
		}
		return t.read(fsys, name)
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTree, err)
	}
	slices.SortFunc(t.Go, func(a, b *Source) int { return cmp.Compare(a.Path, b.Path) })
	slices.Sort(t.Modules)
	t.addEngines()
	return t, nil
}

func (t *Tree) read(fsys fs.FS, name string) error {
	text, err := fs.ReadFile(fsys, name)
	if errors.Is(err, fs.ErrNotExist) || len(text) > sizeMax {
		return nil
	}
	if err != nil {
		return err
	}
	t.Files[name] = text
	switch {
	case path.Base(name) == "go.mod" && name != "go.mod":
		t.Modules = append(t.Modules, path.Dir(name))
	case strings.HasSuffix(name, ".go") && !strings.Contains(name, "testdata/"):
		t.Go = append(t.Go, parse(name, text))
	}
	return nil
}

func parse(name string, text []byte) *Source {
	s := &Source{Path: name, Dir: path.Dir(name), Text: text, fset: token.NewFileSet(),
		Test: strings.HasSuffix(name, "_test.go")}
	f, err := parser.ParseFile(s.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		s.Err = err
		return s
	}
	s.File = f
	return s
}

func hidden(base string) bool {
	return strings.HasPrefix(base, ".") && base != ".ci" && base != ".github"
}

// isText tells whether a file is one that people read, by its name.
func isText(name string) bool {
	switch path.Base(name) {
	case "Makefile", "LICENSE", "run", ".gitignore":
		return true
	}
	switch path.Ext(name) {
	case ".go", ".mod", ".md", ".tla", ".cfg", ".json", ".ndjson", ".sh", ".yml", ".yaml", ".txt",
		".xml", ".html", ".java", ".svg", ".c", ".h", ".py":
		return true
	}
	return false
}

// ignoredNames understands the lines of .gitignore that have no pattern in them.
func ignoredNames(fsys fs.FS) func(name string) bool {
	text, _ := fs.ReadFile(fsys, ".gitignore") // none is as good as an empty one
	var rooted, anywhere []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(strings.TrimSpace(line), "/")
		if line == "" || strings.ContainsAny(line, "#*?[!") {
			continue
		}
		if strings.Contains(line, "/") {
			rooted = append(rooted, strings.TrimPrefix(line, "/"))
		} else {
			anywhere = append(anywhere, line)
		}
	}
	return func(name string) bool {
		return slices.Contains(rooted, name) || slices.Contains(anywhere, path.Base(name))
	}
}

// sources iterates over the files of a folder that parse, nested folders included when the
// folder ends in "/...".
func (t *Tree) sources(folder string) func(yield func(*Source) bool) {
	return func(yield func(*Source) bool) {
		for _, s := range t.Go {
			if s.File != nil && within(s.Dir, folder) && !yield(s) {
				return
			}
		}
	}
}

// within tells whether a folder is the one that the pattern names, or below it if the pattern
// ends in "/...".
func within(folder, pattern string) bool {
	if root, ok := strings.CutSuffix(pattern, "/..."); ok {
		return folder == root || strings.HasPrefix(folder, root+"/")
	}
	return folder == pattern
}

// nested is the nested module that a folder belongs to, or "".
func (t *Tree) nested(folder string) string {
	for _, m := range t.Modules {
		if within(folder, m+"/...") {
			return m
		}
	}
	return ""
}

// list collects findings.
type list []Finding

func (l *list) add(file string, line int, format string, args ...any) {
	*l = append(*l, Finding{file, line, fmt.Sprintf(format, args...)})
}
