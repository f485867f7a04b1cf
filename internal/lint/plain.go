package lint

import (
	"go/ast"
	"slices"
	"strings"
)

// plainReason begins the comment that allows a write of a plain field of a shared type. It stands on the line
// of the write, or on the one above, and says why no two goroutines are there at once.
const plainReason = "plain: "

// plainMemory holds the engine against the border of the explorer, which schedules the accesses of shared
// words alone. A type that has a shared word among its fields is shared by goroutines itself. A function that
// writes another field of it, through its receiver or a parameter, makes an access that nothing of the chain
// sees. Writes through other variables are left to the race detector of Go, and to the reader.
func plainMemory(t *Tree) []Finding {
	var found list
	for _, e := range t.Engines {
		shared := sharedTypes(t, e)
		for s := range t.code(e) {
			if s.Test || free[s.Path] != "" {
				continue
			}
			allowed := plainReasons(s)
			for _, fn := range functions(s) {
				for _, w := range plainWrites(fn, s.Dir, shared) {
					line := s.Line(w.Pos())
					if allowed[line] || allowed[line-1] {
						continue
					}
					found.add(s.Path, line, "%s writes %s, plain memory of a type that goroutines share, "+
						"which no exploration sees: make it a type of internal/seam, or say in a comment "+
						"why nobody else is there: // %sREASON", fn.Name.Name, w.Sel.Name, plainReason)
				}
			}
		}
	}
	return found
}

// sharedTypes are the structures of an engine that have a shared word among their fields, by folder and
// name, with the names of their fields that are none. Those with a seam.Guarded are left out: it stands for
// plain memory, and its steps show the accesses of that.
func sharedTypes(t *Tree, e *Engine) map[string]map[string]bool {
	shared := map[string]map[string]bool{}
	for s := range t.code(e) {
		ast.Inspect(s.File, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			st, ok := spec.Type.(*ast.StructType)
			if !ok {
				return true
			}
			plain, words, guarded := map[string]bool{}, false, false
			for _, f := range st.Fields.List {
				words = words || isWord(f.Type) || isSlice(f.Type)
				sel, ok := f.Type.(*ast.SelectorExpr)
				guarded = guarded || ok && sel.Sel.Name == "Guarded"
				for _, name := range f.Names {
					plain[name.Name] = !isWord(f.Type)
				}
			}
			if words && !guarded {
				shared[s.Dir+"."+spec.Name.Name] = plain
			}
			return true
		})
	}
	return shared
}

// plainWrites are the plain fields of shared types that a function writes through its receiver or a
// parameter. What a function has made itself is nobody else's yet.
func plainWrites(fn *ast.FuncDecl, dir string,
	shared map[string]map[string]bool) (found []*ast.SelectorExpr) {
	fieldsOf := map[string]map[string]bool{} // of the receiver and of the parameters
	lists := []*ast.FieldList{fn.Type.Params}
	if fn.Recv != nil {
		lists = append(lists, fn.Recv)
	}
	for _, list := range lists {
		for _, p := range list.List {
			star, ok := p.Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			for _, name := range p.Names {
				fieldsOf[name.Name] = shared[dir+"."+typeName(star.X)]
			}
		}
	}
	add := func(to ast.Expr) {
		if sel := writtenField(to); sel != nil && fieldsOf[sel.X.(*ast.Ident).Name][sel.Sel.Name] {
			found = append(found, sel)
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				add(to)
			}
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.CallExpr:
			of, ok := n.Fun.(*ast.Ident)
			if ok && len(n.Args) > 0 && slices.Contains([]string{"clear", "copy", "delete"}, of.Name) {
				add(n.Args[0])
			}
		}
		return true
	})
	return found
}

// typeName is the name of a type of the package, without its type arguments; "" if it is of another one.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	}
	return ""
}

// writtenField is the field x.f that an assignment to x.f, x.f[i], x.f.g and such changes; nil is none.
func writtenField(to ast.Expr) *ast.SelectorExpr {
	for {
		switch e := to.(type) {
		case *ast.IndexExpr:
			to = e.X
		case *ast.ParenExpr:
			to = e.X
		case *ast.SliceExpr:
			to = e.X
		case *ast.SelectorExpr:
			if _, ok := e.X.(*ast.Ident); ok {
				return e
			}
			to = e.X
		default:
			return nil
		}
	}
}

// plainReasons are the lines of a file on which a comment with a reason ends.
func plainReasons(s *Source) map[int]bool {
	lines := map[int]bool{}
	for _, group := range s.File.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "// "+plainReason) {
				lines[s.Line(group.End())] = true
			}
		}
	}
	return lines
}

// isSlice tells whether a type is a slice of shared words.
func isSlice(e ast.Expr) bool {
	a, ok := e.(*ast.ArrayType)
	return ok && a.Len == nil && isWord(a.Elt)
}
