package closure

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// declared is one declaration of a package, or one name of it: a function, a type with its methods, a variable.
type declared struct {
	file string
	node ast.Node
}

// declarations puts the declarations of those names into the list, with all declarations of the package that they
// use, and returns the folders of packages that they import. What is used is found by name: an identifier stands for
// each declaration of its name, and a type for its methods. So there may be one too many, never one too few.
func (t *Tree) declarations(g *graph, folder string, names []string, out List) ([]string, error) {
	p, ok := g.packages[importPath(folder)]
	if !ok {
		return nil, fmt.Errorf("%w: there is no package %s", ErrClosure, folder)
	}
	table := map[string][]declared{}
	imports := map[string]map[string]string{} // file -> name -> path
	for _, name := range p.files {
		f, err := t.file(name)
		if err != nil {
			return nil, err
		}
		if f.syntax == nil {
			continue
		}
		imports[name] = importsOf(f.syntax)
		for _, d := range f.syntax.Decls {
			declare(table, name, d)
		}
	}
	reached := map[declared]bool{}
	used := map[string]bool{}
	for todo := slices.Clone(names); len(todo) > 0; {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if used[name] {
			continue
		}
		used[name] = true
		for _, d := range table[name] {
			if !reached[d] {
				reached[d] = true
				todo = append(todo, identifiers(d.node)...)
			}
		}
	}
	for _, name := range names {
		if len(table[name]) == 0 {
			return nil, fmt.Errorf("%w: %s declares no %s", ErrClosure, folder, name)
		}
	}
	return t.collect(table, reached, imports, out)
}

// collect puts what was reached into the list, a file each, and returns what these declarations import.
func (t *Tree) collect(table map[string][]declared, reached map[declared]bool,
	imports map[string]map[string]string, out List) ([]string, error) {
	parts := map[string][]string{}
	var folders []string
	seen := map[ast.Node]bool{}
	for _, all := range table {
		for _, d := range all {
			if !reached[d] || seen[d.node] {
				continue
			}
			seen[d.node] = true
			f, err := t.file(d.file)
			if err != nil {
				return nil, err
			}
			parts[d.file] = append(parts[d.file], f.part(d.node))
			for name, from := range imports[d.file] {
				if name == "_" || name == "." || slices.Contains(identifiers(d.node), name) {
					folders = append(folders, from)
				}
			}
		}
	}
	for file, hashes := range parts {
		slices.Sort(hashes)
		out[file+" (declarations)"] = digest(strings.Join(hashes, " "))
	}
	slices.Sort(folders)
	return slices.Compact(folders), nil
}

// declare enters a declaration under each of its names; methods under that of their type.
func declare(table map[string][]declared, file string, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil && len(d.Recv.List) == 1 {
			name = receiver(d.Recv.List[0].Type)
		}
		table[name] = append(table[name], declared{file, d})
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				table[s.Name.Name] = append(table[s.Name.Name], declared{file, s})
			case *ast.ValueSpec:
				var node ast.Node = s
				if d.Tok == token.CONST {
					node = d // the value of a constant may rest on those before it
				}
				for _, n := range s.Names {
					table[n.Name] = append(table[n.Name], declared{file, node})
				}
			}
		}
	}
}

// receiver is the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// identifiers are the names in a node, those behind a dot as well.
func identifiers(n ast.Node) []string {
	var all []string
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			all = append(all, id.Name)
		}
		return true
	})
	return all
}

// importsOf are the names that a file's imports have in it, and the folders or import paths. An import for its
// effects counts under its path.
func importsOf(f *ast.File) map[string]string {
	all := map[string]string{}
	for _, imp := range f.Imports {
		from, _ := strconv.Unquote(imp.Path.Value)
		name := path.Base(from)
		if v := strings.LastIndex(from, "/v"); v > 0 && strings.Trim(from[v+2:], "0123456789") == "" {
			name = path.Base(from[:v])
		}
		if imp.Name != nil {
			name = imp.Name.Name
		}
		all[name] = strings.TrimPrefix(from, Module+"/")
	}
	return all
}
