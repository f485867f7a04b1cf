package newengine

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// module is the path of the module that the engine becomes a part of.
const module = "github.com/samecycle/samecycle"

// listFile is the list of engines.
const listFile = "scenarios/engines/engines.go"

// entered is the list of engines with one more: an import among those of the others, and an entry at the end.
func entered(root, name string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(listFile)))
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, listFile, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%w; correct it first", err)
	}
	if means(f, name) {
		return nil, refused("%s means something else in %s: choose another name", name, listFile)
	}
	imports, entries := places(f)
	if !imports.IsValid() || !entries.IsValid() {
		return nil, fmt.Errorf("%s has no import of an engine, or no function list that returns a literal: "+
			"correct it first", listFile)
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	out := slices.Concat(text[:at(imports)], []byte(strconv.Quote(module+"/scenarios/"+name)+"\n"),
		text[at(imports):at(entries)], []byte(name+".Engine(),\n"), text[at(entries):])
	return format.Source(out)
}

// places are where an import and an entry can be put in. Either may be missing.
func places(f *ast.File) (imports, entries token.Pos) {
	for _, imp := range f.Imports {
		if text, _ := strconv.Unquote(imp.Path.Value); strings.HasPrefix(text, module+"/scenarios/") {
			imports = imp.Pos()
		}
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != "list" {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok && !entries.IsValid() {
				entries = lit.Rbrace
			}
			return true
		})
	}
	return imports, entries
}

// means reports whether the file uses the name: it imports a package of this name, or has an identifier.
func means(f *ast.File, name string) bool {
	used := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			text, _ := strconv.Unquote(n.Path.Value)
			used = used || path.Base(text) == name
		case *ast.Ident:
			used = used || n.Name == name
		}
		return true
	})
	return used
}
