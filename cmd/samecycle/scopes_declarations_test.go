//go:build !explore

package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// linkRoots are where the links that this package has begin: their types, and what a program that they start
// does ahead of the packages of the engine. This is said here once more, apart from their scopes.
var linkRoots = map[string][]string{
	"spec": {"specLink"}, "model": {"modelLink"}, "mutants": {"mutantsLink"},
	"volume": {"volumeLink", "bindStress", "stressOptions", "stressWorkerCommand"},
}

// byName are declarations that the link model turns by, and does not use: the closure goes by names, and
// modelVerdict has a field and methods of the same ones. So a cell may be stale too early, and never too
// late.
var byName = []string{"spec_large.go largeRuns.counted", "spec_large.go largeRuns.judge",
	"spec_large.go largeRuns.missing", "trace_print.go counted", "trace_print.go thousands"}

// TestScopes_Declarations edits each declaration of this package, one at a time. What a link uses, by the
// types that the compiler finds, turns it, and nothing else does.
func TestScopes_Declarations(t *testing.T) {
	t.Parallel()
	p := typed(t, "cmd/samecycle")
	tree := closure.Open(repositoryRoot)
	engine := scopesOf(t, tree)[0]
	state := engine.some()
	before := engine.code(t, tree, state)
	uses := map[string]map[types.Object]bool{}
	for link, roots := range linkRoots {
		uses[link] = p.reached(roots)
		if len(uses[link]) < 5 {
			t.Fatalf("%s uses %d declarations", link, len(uses[link]))
		}
	}
	names := slices.Sorted(maps.Keys(p.edits))
	inParallel(names, func(name string) {
		e := p.edits[name]
		var want []string
		for link := range linkRoots {
			if slices.ContainsFunc(e.objects, func(o types.Object) bool { return uses[link][o] }) ||
				link == "model" && slices.Contains(byName, name) {
				want = append(want, link)
			}
		}
		slices.Sort(want)
		text := p.texts[e.file]
		changed := text[:e.at] + e.insert + text[e.at:]
		now := engine.code(t, edited(t, tree, "cmd/samecycle/"+e.file, changed), state)
		if got, want := turned(before, now), strings.Join(want, " "); got != want {
			t.Errorf("%s: these links turn: %q, want %q", name, got, want)
		}
	}, func(string) {})
	if len(names) < 400 {
		t.Errorf("%d declarations were edited, want those of the whole command", len(names))
	}
}

// typedPackage is a package with the types that the compiler finds.
type typedPackage struct {
	own   *types.Package
	info  *types.Info
	nodes map[types.Object]ast.Node // of what is declared at the top, and of methods
	texts map[string]string         // by file
	edits map[string]edit           // by the name of the declaration
}

// edit changes one declaration, and no name in it.
type edit struct {
	file    string
	at      int
	insert  string
	objects []types.Object // what is declared there
}

// typed reads the package of a folder, without the explorer.
func typed(t *testing.T, folder string) *typedPackage {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps",
		"-json=ImportPath,Export,GoFiles", "./"+folder)
	list.Dir = repositoryRoot
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports, files := map[string]string{}, []string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var one struct {
			ImportPath, Export string
			GoFiles            []string
		}
		if err := dec.Decode(&one); err != nil {
			t.Fatal(err)
		}
		if exports[one.ImportPath] = one.Export; strings.HasSuffix(one.ImportPath, "/"+folder) {
			files = one.GoFiles
		}
	}
	p := &typedPackage{nodes: map[types.Object]ast.Node{}, texts: map[string]string{},
		edits: map[string]edit{}}
	p.info = &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	fset := token.NewFileSet()
	var syntax []*ast.File
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(repositoryRoot, folder, name))
		if err != nil {
			t.Fatal(err)
		}
		p.texts[name] = string(text)
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		syntax = append(syntax, f)
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc",
		func(what string) (io.ReadCloser, error) { return os.Open(exports[what]) })}
	if p.own, err = config.Check(folder, fset, syntax, p.info); err != nil {
		t.Fatal(err)
	}
	for _, f := range syntax {
		for _, d := range f.Decls {
			p.declare(fset, d)
		}
	}
	return p
}

// declare notes a declaration, and how it is edited.
func (p *typedPackage) declare(fset *token.FileSet, d ast.Decl) {
	note := func(name string, at token.Pos, insert string, node ast.Node, idents ...*ast.Ident) {
		where := fset.Position(at)
		e := edit{file: where.Filename, at: where.Offset, insert: insert}
		for _, id := range idents {
			o := p.info.Defs[id]
			e.objects = append(e.objects, o)
			p.nodes[o] = node
		}
		p.edits[where.Filename+" "+name] = e
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			name = types.ExprString(d.Recv.List[0].Type) + "." + name
		}
		if name != "init" {
			note(name, d.Body.Lbrace+1, " _ = 0; ", d, d.Name)
		}
	case *ast.GenDecl:
		if d.Tok == token.CONST { // the value of one may rest on those before it
			var idents []*ast.Ident
			for _, s := range d.Specs {
				idents = append(idents, s.(*ast.ValueSpec).Names...)
			}
			note("const "+idents[0].Name, d.Specs[0].(*ast.ValueSpec).Values[0].Pos(), "0 + ", d, idents...)
			return
		}
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				note("type "+s.Name.Name, s.Type.Pos(), "[1]", s, s.Name)
			case *ast.ValueSpec:
				at, insert := s.Names[len(s.Names)-1].End(), " [1]"
				if s.Type == nil {
					at, insert = s.Values[0].Pos(), "0 + "
				}
				note("var "+s.Names[0].Name, at, insert, s, s.Names...)
			}
		}
	}
}

// reached are the package's own declarations that some of them use, directly or not. Those of the names are
// used with all methods, as those of an interface are; of another one those that are named, or exported, for
// an interface of another package may have them.
func (p *typedPackage) reached(names []string) map[types.Object]bool {
	seen := map[types.Object]bool{}
	var reach func(types.Object)
	methods := func(o types.Object, all bool) {
		named, ok := o.Type().(*types.Named)
		if _, isType := o.(*types.TypeName); !ok || !isType {
			return
		}
		for m := range named.Methods() {
			if all || m.Exported() {
				reach(m)
			}
		}
	}
	reach = func(o types.Object) {
		if f, ok := o.(*types.Func); ok {
			o = f.Origin()
		}
		node, declared := p.nodes[o]
		if !declared || seen[o] {
			return
		}
		seen[o] = true
		methods(o, false)
		ast.Inspect(node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && p.info.Uses[id] != nil {
				reach(p.info.Uses[id])
			}
			return true
		})
	}
	for _, name := range names {
		o := p.own.Scope().Lookup(name)
		reach(o)
		methods(o, true)
	}
	return seen
}
