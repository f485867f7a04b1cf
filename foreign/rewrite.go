package foreign

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// refused are imports that make a schedule depend on chance, each with what the explorer would need.
var refused = map[string]string{
	"math/rand": "random numbers", "math/rand/v2": "random numbers",
	"crypto/rand": "random numbers", "hash/maphash": "a hash with a random seed",
}

// errImport is wrapped by the errors of code that the explorer cannot handle without a shim.
var errImport = fmt.Errorf("%w: not explored", ErrSource)

// renamed are functions that a shim has under another name, where both do the same. The two empty contexts
// differ only in how they print.
var renamed = map[[2]string]string{{"context", "TO" + "DO"}: "Background"}

// changeImports returns the file with the given import paths changed, and with the functions in renamed.
// Nothing else changes, so every line keeps its number. An import of another internal package of the
// standard library, or of a source of random numbers, is an error, because the copy would not build, or not
// replay. Notes name what the explorer does not control.
func changeImports(name string, text []byte, changes map[string]string) (
	out []byte, notes []note, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrSource, err)
	}
	at := 0
	replace := func(from, to token.Pos, by string) {
		out = append(append(out, text[at:files.Position(from).Offset]...), by...)
		at = files.Position(to).Offset
	}
	changed := map[string]string{}      // by the name of the import
	kept := map[string]string{}         // not changed; also by name
	var dotted []string                 // also changed; their names belong to the file
	for _, spec := range file.Imports { // in the order of the text
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %s: import %s", ErrSource, name, spec.Path.Value)
		}
		where := files.Position(spec.Pos())
		to, ok := changes[path]
		if !ok {
			kept[importName(spec, path)] = path
			notes = append(notes, noteImport(where.String(), path)...)
		}
		if why := refused[path]; !ok && (why != "" || strings.HasPrefix(path, "internal/")) {
			if why == "" {
				why = "an internal package of the standard library"
			}
			return nil, nil, fmt.Errorf("%w: %v: import of %s, %s", errImport, where, path, why)
		}
		if ok {
			replace(spec.Path.Pos(), spec.Path.End(), strconv.Quote(to))
			if name := importName(spec, path); name == "." {
				dotted = append(dotted, path)
			} else {
				changed[name] = path
			}
		}
	}
	rename := func(id *ast.Ident, paths ...string) {
		for _, path := range paths {
			if by := renamed[[2]string{path, id.Name}]; by != "" {
				replace(id.Pos(), id.End(), by)
			}
		}
	}
	unresolved := map[*ast.Ident]bool{} // names of the package or of an import with a dot, never both
	for _, id := range file.Unresolved {
		unresolved[id] = true
	}
	ast.Inspect(file, func(n ast.Node) bool { // in the order of the text
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, is := n.X.(*ast.Ident); is && id.Obj == nil {
				rename(n.Sel, changed[id.Name])
				notes = append(notes, noteName(files.Position(n.Pos()), kept[id.Name], n.Sel.Name)...)
			}
		case *ast.Ident:
			if unresolved[n] {
				rename(n, dotted...)
			}
		}
		return true
	})
	return append(out, text[at:]...), notes, nil
}

// piped are the names of package io that its shim replaces. A file that uses none of them keeps the original
// import, so as few copies as possible differ from code that is not copied.
var piped = regexp.MustCompile(`\b(Pipe|PipeReader|PipeWriter)\b`)

// changesOf returns the changes of the import paths in a file with that text.
func (c *copier) changesOf(text []byte) map[string]string {
	if c.doubts == nil || !piped.Match(text) {
		return c.changes
	}
	changes := maps.Clone(c.changes)
	changes["io"] = shims + "io"
	return changes
}

// importName returns the name that a file gives to an import.
func importName(spec *ast.ImportSpec, imported string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return path.Base(imported)
}

// flowing are functions of the standard library that flow replaces, or that make channels.
var flowing = map[string]bool{
	"Gosched": true, "Goexit": true, "After": true, "Tick": true, "NewTimer": true, "NewTicker": true,
	"Select": true, "NumGoroutine": true, "ReadMemStats": true, "SetFinalizer": true, "AddCleanup": true,
	"LockOSThread": true, "UnlockOSThread": true,
	"Stack": true, "GoroutineProfile": true, // see asking
}

// flows reports whether a file has statements that flow replaces: go statements, uses of channels, which
// have a type or come from package time, reflect.Select, and functions of package runtime. The result is
// false for a file that does not parse, which is reported elsewhere.
func flows(text []byte) (found bool) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.SelectorExpr:
			found = found || flowing[n.Sel.Name]
		}
		return !found
	})
	return found
}

// isMain reports whether a file belongs to a program. The result is false for a file that does not parse,
// which is reported when it is copied.
func isMain(path string) bool {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly)
	return err == nil && file.Name.Name == "main"
}

// linkedDraw matches the directive of a function that is linked to a random number function of the runtime.
var linkedDraw = regexp.MustCompile(`^//go:linkname \w+ runtime\.\w*rand`)

// ownChance gives such functions a body that draws from a source which starts with the same numbers in each
// execution. Each line keeps its number. A function without an integer result, or without a name for its
// limit, is not changed.
func ownChance(text []byte) []byte {
	const source = "samecycleChance"
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return text // the error is reported by the build
	}
	out, at := []byte(nil), 0
	put := func(from, to token.Pos, with string) {
		out = append(append(out, text[at:files.Position(from).Offset]...), with...)
		at = files.Position(to).Offset
	}
	put(file.Name.End(), file.Name.End(), fmt.Sprintf("; import %s %q", source, shims+"rand2"))
	drawn := false
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body != nil || f.Doc == nil || f.Type.Results.NumFields() != 1 {
			continue
		}
		linked := func(c *ast.Comment) bool { return linkedDraw.MatchString(c.Text) }
		if !slices.ContainsFunc(f.Doc.List, linked) {
			continue
		}
		draw := ".Uint64()"
		switch p := f.Type.Params; {
		case p.NumFields() == 1 && len(p.List[0].Names) == 1:
			draw = ".Uint64N(uint64(" + p.List[0].Names[0].Name + "))"
		case p.NumFields() > 0:
			continue
		}
		result, ok := f.Type.Results.List[0].Type.(*ast.Ident)
		if !ok || !strings.HasPrefix(result.Name, "uint") {
			continue
		}
		for _, c := range f.Doc.List {
			if strings.HasPrefix(c.Text, "//go:") {
				put(c.Pos(), c.End(), "//")
			}
		}
		put(f.End(), f.End(), fmt.Sprintf(" { return %s(%s%s) }", result.Name, source, draw))
		drawn = true
	}
	if !drawn {
		return text
	}
	return append(out, text[at:]...)
}
