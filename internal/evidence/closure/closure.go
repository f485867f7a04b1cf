// Package closure computes what the verdict of a cell of the matrix depends on: the Go code that produced
// it, everything that this code imports, the versions of other modules among these packages, and named
// texts such as parts of a specification.
//
// Go code counts as its tokens: a comment, a blank line or the layout change nothing, directives such as
// //go:embed do. Of a package that is named as a root all files count that the build tags choose, and of each
// package of this module that it imports, directly or not. The standard library stands for itself by the
// version of Go that a record names. Of one package only some declarations may count, with the declarations
// that they use; see [Scope].Declarations.
//
// # Rows
//
// Tables of programs, budgets and the like have a row for each state. In the packages that [Scope].Rows
// names, an element of a composite literal belongs to a state if the first string in it is the identifier of
// the state, or begins with it and an underscore. It counts for that state and no other. Of a row that is a
// struct with the names of its fields those do not count that [Scope].Unread names.
package closure

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// ErrClosure says that it cannot be told what a cell rests on.
var ErrClosure = errors.New("the code that a cell rests on cannot be determined")

// Module is the import path of this module.
const Module = "github.com/samecycle/samecycle"

// List is what something rests on: the hash of each file, row, module or text, by name.
type List map[string]string

// Scope says what a link rests on.
type Scope struct {
	Platform string   // as [Platform]; empty: that of this program
	Tags     string   // build tags, with commas between them
	Packages []string // roots: folders below the repository's root
	Rows     []string // folders of packages whose tables have a row for each state
	Unread   []string // fields of these rows that the link does not read
	// Without are folders of packages that the registration of an engine imports and that the link does not
	// run.
	Without []string
	Files   []string // other files, which count as they are: names, or patterns as path.Match has them

	// Declarations are roots within a package of which the rest does not count: folder -> names.
	Declarations map[string][]string

	// Texts are parts of files by name, for a state. The names begin with that of the file.
	Texts func(state string) (map[string]string, error)
}

// With is both scopes together. The tags are those that one of the two has.
func (s Scope) With(o Scope) Scope {
	declared := map[string][]string{}
	for _, all := range []map[string][]string{s.Declarations, o.Declarations} {
		for folder, names := range all {
			declared[folder] = append(declared[folder], names...)
		}
	}
	texts := s.Texts
	if o.Texts != nil {
		texts = o.Texts
	}
	return Scope{Platform: cmp.Or(s.Platform, o.Platform), Tags: s.Tags + o.Tags,
		Packages: slices.Concat(s.Packages, o.Packages), Rows: slices.Concat(s.Rows, o.Rows),
		Unread: slices.Concat(s.Unread, o.Unread), Without: slices.Concat(s.Without, o.Without),
		Files:        slices.Concat(s.Files, o.Files),
		Declarations: declared, Texts: texts}
}

// keepers are packages that keep verdicts and show them, and make none: what a link rests on ends at them,
// and does not have what they import.
var keepers = []string{"internal/evidence", "internal/evidence/closure"}

// Tree is the repository at one time. It reads each file once. It is safe for concurrent use.
type Tree struct {
	root string

	mu      sync.Mutex
	graphs  map[string]*graph
	files   map[string]*file
	reached map[string]part // of some declarations: what counts of their package
}

// Open makes a tree of the repository at root.
func Open(root string) *Tree {
	return &Tree{root: root, graphs: map[string]*graph{}, files: map[string]*file{},
		reached: map[string]part{}}
}

// Edited is the tree with another text of one of its files, which imports the same as before. It tells what
// would become stale. Errors wrap ErrClosure.
func (t *Tree) Edited(name string, text []byte) (*Tree, error) {
	f, err := read(name, text)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	out := &Tree{root: t.root, graphs: maps.Clone(t.graphs), files: maps.Clone(t.files),
		reached: maps.Clone(t.reached)}
	out.files[name] = f
	maps.DeleteFunc(out.reached, func(_ string, p part) bool { return p.folder == path.Dir(name) })
	return out, nil
}

// Platform is the system and the processor of this program, as linux/amd64: they choose files of a package.
func Platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

// Root is the folder of the repository.
func (t *Tree) Root() string { return t.root }

// Of returns what the scope rests on for a state. Errors wrap ErrClosure.
func (t *Tree) Of(ctx context.Context, s Scope, state string) (List, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := List{}
	if len(s.Packages)+len(s.Declarations) > 0 {
		if err := t.code(ctx, s, state, out); err != nil {
			return nil, err
		}
	}
	for _, pattern := range s.Files {
		if err := t.match(pattern, out); err != nil {
			return nil, err
		}
	}
	if s.Texts != nil {
		texts, err := s.Texts(state)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrClosure, err)
		}
		for name, text := range texts {
			out[name] = digest(text)
		}
	}
	return out, nil
}

// code puts what the scope has of Go into the list.
func (t *Tree) code(ctx context.Context, s Scope, state string, out List) error {
	g, err := t.graph(ctx, cmp.Or(s.Platform, Platform()), s.Tags)
	if err != nil {
		return err
	}
	out["go.mod (Go)"] = digest(g.language)
	roots := slices.Clone(s.Packages)
	for _, folder := range slices.Sorted(maps.Keys(s.Declarations)) {
		p, err := t.part(g, folder, s.Declarations[folder])
		if err != nil {
			return err
		}
		maps.Copy(out, p.files)
		roots = append(roots, p.imports...)
	}
	for _, p := range g.closure(roots, slices.Concat(s.Without, keepers)) {
		if p.missing != nil {
			return p.missing
		}
		if err := t.add(p, s, state, out); err != nil {
			return err
		}
	}
	return nil
}

// match puts the files that a pattern means into the list. Hidden files do not count: editors and interrupted
// writers leave them behind.
func (t *Tree) match(pattern string, out List) error {
	found, err := filepath.Glob(filepath.Join(t.root, filepath.FromSlash(pattern)))
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrClosure, pattern, err)
	}
	some := false
	for _, path := range found {
		name, err := filepath.Rel(t.root, path)
		if err != nil || strings.HasPrefix(filepath.Base(path), ".") {
			continue
		}
		f, err := t.file(filepath.ToSlash(name))
		if err != nil {
			return err
		}
		some = true
		out[filepath.ToSlash(name)] = f.whole
	}
	if !some {
		return fmt.Errorf("%w: %s means no file", ErrClosure, pattern)
	}
	return nil
}

// add puts the files of a package into the list, or the version of the module that it is of.
func (t *Tree) add(p *pkg, s Scope, state string, out List) error {
	if p.module != "" {
		out["module "+p.module] = digest(p.version)
		return nil
	}
	for _, name := range p.files {
		f, err := t.file(name)
		if err != nil {
			return err
		}
		if !slices.Contains(s.Rows, p.folder) {
			out[name] = f.whole
			continue
		}
		out[name] = f.common
		if row := f.row(state, s.Unread); row != "" {
			out[name+" "+state] = row
		}
	}
	return nil
}

// file reads a file of the repository once.
func (t *Tree) file(name string) (*file, error) {
	if f, ok := t.files[name]; ok {
		return f, nil
	}
	text, err := os.ReadFile(filepath.Join(t.root, filepath.FromSlash(name)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrClosure, err)
	}
	f, err := read(name, text)
	if err != nil {
		return nil, err
	}
	t.files[name] = f
	return f, nil
}

// read hashes a file of any kind.
func read(name string, text []byte) (*file, error) {
	switch path.Ext(name) {
	case ".go":
		return parse(name, text)
	case ".s", ".h":
		sum := digest(withoutComments(string(text)))
		return &file{whole: sum, common: sum}, nil
	}
	sum := digest(string(text))
	return &file{whole: sum, common: sum}, nil
}

// digest is short: a list has hundreds of them, and nobody chooses the files for one that is the same.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// Hash is that of the whole list.
func (l List) Hash() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(l)) {
		fmt.Fprintf(h, "%s\x00%s\n", name, l[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Differences says in one line each how a list differs from an earlier one, sorted by name.
func (l List) Differences(before List) []string {
	var all []string
	for name, was := range before {
		switch now, there := l[name]; {
		case !there:
			all = append(all, name+" is gone")
		case now != was:
			all = append(all, name+" has changed")
		}
	}
	for name := range l {
		if _, there := before[name]; !there {
			all = append(all, name+" is new")
		}
	}
	slices.Sort(all)
	return all
}

// Files returns the files of the list, without the names of rows and parts.
func (l List) Files() []string {
	seen := map[string]bool{}
	for name := range l {
		first, _, _ := strings.Cut(name, " ")
		if first == "module" {
			first = "go.mod"
		}
		seen[first] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// write feeds a token to a hash so that no two sequences run into one another.
func write(w io.Writer, token, literal string) {
	fmt.Fprintf(w, "%s\x00%d\x00%s\n", token, len(literal), literal)
}
