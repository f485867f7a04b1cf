package closure

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// declared is a declaration of a package: a function, a method, a type, constants, a variable.
type declared struct {
	file     string
	node     ast.Node
	receiver string // of a method: its type
	name     string // of a method
}

// reaching finds what some declarations of a package use.
type reaching struct {
	table   map[string][]declared        // what is no method, by name
	methods []declared                   // all of them
	inits   []declared                   // functions that run by themselves
	imports map[string]map[string]string // file -> name -> folder or import path
	roots   map[string]bool

	names     map[string]bool // identifiers that may be of the package
	selectors map[string]bool // names behind a dot
	reached   map[ast.Node]declared
}

// part is what counts of a package of which only some declarations do.
type part struct {
	folder  string
	files   List     // the declarations of each file
	imports []string // folders of packages
}

// part finds it once for each graph and names.
func (t *Tree) part(g *graph, folder string, names []string) (part, error) {
	key := strings.Join(append([]string{g.key, folder}, names...), " ")
	if p, known := t.reached[key]; known {
		return p, nil
	}
	p := part{folder: folder, files: List{}}
	var err error
	if p.imports, err = t.declarations(g, folder, names, p.files); err != nil {
		return p, err
	}
	t.reached[key] = p
	return p, nil
}

// declarations puts the declarations of those names into the list, with all declarations of the package
// that they use, and returns the folders of packages that they import. What is used is found by name: an
// identifier that is not declared within its function stands for each declaration of its name. A type that
// is a root counts with all of its methods. Another type counts with its exported methods, because an
// interface may have them, and with those whose name stands after a dot in the code that counts. So there
// may be one too many, never one too few.
func (t *Tree) declarations(g *graph, folder string, names []string, out List) ([]string, error) {
	p, ok := g.packages[importPath(folder)]
	if !ok {
		return nil, fmt.Errorf("%w: there is no package %s", ErrClosure, folder)
	}
	r := &reaching{table: map[string][]declared{}, imports: map[string]map[string]string{},
		roots: map[string]bool{}, names: map[string]bool{}, selectors: map[string]bool{},
		reached: map[ast.Node]declared{}}
	for _, name := range p.files {
		f, err := t.file(name)
		if err != nil {
			return nil, err
		}
		if f.syntax == nil {
			continue
		}
		r.imports[name] = g.importsOf(f.syntax)
		for _, d := range f.syntax.Decls {
			r.declare(name, d)
		}
	}
	for _, name := range names {
		if len(r.table[name]) == 0 {
			return nil, fmt.Errorf("%w: %s declares no %s", ErrClosure, folder, name)
		}
		r.roots[name], r.names[name] = true, true
	}
	for r.grow() {
	}
	return t.collect(r, out)
}

// grow adds what the names of now stand for, and reports whether that was anything new.
func (r *reaching) grow() bool {
	before := len(r.reached)
	for _, name := range slices.Collect(maps.Keys(r.names)) {
		for _, d := range r.table[name] {
			r.reach(d)
		}
	}
	for _, m := range r.methods {
		if r.names[m.receiver] && (r.roots[m.receiver] || ast.IsExported(m.name) || r.selectors[m.name]) {
			r.reach(m)
		}
	}
	for _, d := range r.inits {
		for name := range assigned(d.node) {
			if r.names[name] && len(r.table[name]) > 0 {
				r.reach(d)
			}
		}
	}
	return len(r.reached) > before
}

func (r *reaching) reach(d declared) {
	if _, known := r.reached[d.node]; known {
		return
	}
	r.reached[d.node] = d
	ast.Inspect(d.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			r.selectors[n.Sel.Name] = true
			ast.Inspect(n.X, func(n ast.Node) bool { return r.note(n) })
			return false
		default:
			return r.note(n)
		}
	})
}

// note takes a name that may be one of the package: one that is not declared within its function.
func (r *reaching) note(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		r.selectors[n.Sel.Name] = true
		ast.Inspect(n.X, func(n ast.Node) bool { return r.note(n) })
		return false
	case *ast.Ident:
		if n.Obj == nil || len(r.table[n.Name]) > 0 && r.top(n) {
			r.names[n.Name] = true
		}
	}
	return true
}

// top reports whether an identifier is one of the package's own.
func (r *reaching) top(id *ast.Ident) bool {
	for _, d := range r.table[id.Name] {
		if d.node == id.Obj.Decl {
			return true
		}
		if g, ok := d.node.(*ast.GenDecl); ok { // constants
			for _, s := range g.Specs {
				if s == id.Obj.Decl {
					return true
				}
			}
		}
	}
	return false
}

// collect puts what was reached into the list, a file each, and returns what these declarations import.
func (t *Tree) collect(r *reaching, out List) ([]string, error) {
	parts := map[string][]string{}
	folders := map[string]bool{}
	for _, d := range r.reached {
		f, err := t.file(d.file)
		if err != nil {
			return nil, err
		}
		parts[d.file] = append(parts[d.file], f.part(d.node))
		used := identifiers(d.node)
		for name, from := range r.imports[d.file] {
			if name == "_" || name == "." || used[name] {
				folders[from] = true
			}
		}
	}
	for file, hashes := range parts {
		slices.Sort(hashes)
		out[file+" (declarations)"] = digest(strings.Join(hashes, " "))
	}
	return slices.Sorted(maps.Keys(folders)), nil
}

// declare enters a declaration under each of its names.
func (r *reaching) declare(file string, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && len(d.Recv.List) == 1 {
			r.methods = append(r.methods, declared{file, d, receiver(d.Recv.List[0].Type), d.Name.Name})
			return
		}
		if d.Name.Name == "init" {
			r.inits = append(r.inits, declared{file: file, node: d})
			return
		}
		r.table[d.Name.Name] = append(r.table[d.Name.Name], declared{file: file, node: d})
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				r.table[s.Name.Name] = append(r.table[s.Name.Name], declared{file: file, node: s})
			case *ast.ValueSpec:
				var node ast.Node = s
				if d.Tok == token.CONST {
					node = d // the value of a constant may rest on those before it
				}
				for _, n := range s.Names {
					r.table[n.Name] = append(r.table[n.Name], declared{file: file, node: node})
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

// assigned are the names of what statements in a node set, or set a part of.
func assigned(n ast.Node) map[string]bool {
	all := map[string]bool{}
	note := func(e ast.Expr) {
		for name := range identifiers(e) {
			all[name] = true
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				note(e)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.RangeStmt:
			if n.Key != nil {
				note(n.Key)
			}
			if n.Value != nil {
				note(n.Value)
			}
		case *ast.UnaryExpr: // its address may be set by what it is handed to
			if n.Op == token.AND {
				note(n.X)
			}
		}
		return true
	})
	return all
}

// identifiers are the names in a node.
func identifiers(n ast.Node) map[string]bool {
	all := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			all[id.Name] = true
		}
		return true
	})
	return all
}

// importsOf are the names that a file's imports have in it, and the folders or import paths.
func (g *graph) importsOf(f *ast.File) map[string]string {
	all := map[string]string{}
	for _, imp := range f.Imports {
		from, _ := strconv.Unquote(imp.Path.Value)
		if first, _, _ := strings.Cut(from, "/"); !strings.Contains(first, ".") {
			continue // of the standard library
		}
		name := path.Base(from)
		if p, ok := g.packages[from]; ok && p.name != "" {
			name = p.name
		}
		if imp.Name != nil {
			name = imp.Name.Name
		}
		all[name] = strings.TrimPrefix(from, Module+"/")
	}
	return all
}
