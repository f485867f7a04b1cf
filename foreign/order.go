package foreign

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// ranges reports whether a file has a loop that may be over a map, which package order would replace.
func ranges(text []byte) (found bool) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, is := n.(*ast.RangeStmt); is {
			_, literal := s.X.(*ast.BasicLit)
			found = found || !literal
		}
		return !found
	})
	return found
}

// mapOf returns the type of a map, or that of the maps that a type parameter allows; it is nil for any other
// type.
func mapOf(t types.Type) *types.Map {
	if t == nil {
		return nil
	}
	m, _ := core(t).(*types.Map)
	return m
}

// walks changes for k, v := range m into the loop for w, k, v := Over(m); w.Next(&k, &v);. Its variables
// live as long as those of a range in the file's version of the language.
func (r *instrumenter) walks(s *ast.RangeStmt) {
	r.value(s.X)
	if _, is := r.under(s.X).(*types.Map); is {
		r.maps(s.X, "Look")
	}
	r.block(s.Body)
	r.order = true
	walk := r.variable()
	names, addresses := []string{walk, "_", "_"}, []string{"nil", "nil"}
	var targets []*target
	var values []string
	for i, e := range []ast.Expr{s.Key, s.Value} {
		switch {
		case e == nil || blank(e):
			continue
		case s.Tok == token.DEFINE:
			names[i+1] = r.node(e)
		default:
			names[i+1] = r.variable()
			targets, values = append(targets, r.target(e)), append(values, names[i+1])
		}
		addresses[i] = "&" + names[i+1]
	}
	into := r.into(targets, values)
	ahead := string(r.text[r.offset(s.For):r.offset(s.Range)])
	over := strings.Trim(r.take(s.Range+5, s.X.End()), " ")
	r.put(s.For+3, s.Body.Lbrace+1, fmt.Sprintf(" %s := %s%s.Over(%s); %s.Next(%s); {%s",
		strings.Join(names, ", "), strings.Repeat("\n", strings.Count(ahead, "\n")), orderName, over, walk,
		strings.Join(addresses, ", "), into))
}

// seen makes a key of a map report the pointers in it, if it may have some, because pointers have no other
// order than that in which they were seen.
func (r *instrumenter) seen(key ast.Expr, m *types.Map) {
	if m == nil || !pointers(m.Key(), 0) {
		return
	}
	lit, is := key.(*ast.CompositeLit)
	if tv := r.info.Types[key]; tv.Value != nil || tv.IsNil() || is && lit.Type == nil {
		return
	}
	r.order = true
	r.wrap(key, orderName+".Seen(", ")")
}

// pointers reports whether a key of a type may contain pointers or channels.
func pointers(t types.Type, depth int) bool {
	const deepest = 10 // for structures that are nested more deeply, the answer is not needed
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return depth < deepest && pointers(u.Elem(), depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if depth < deepest && pointers(u.Field(i).Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}
