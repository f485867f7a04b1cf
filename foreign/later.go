package foreign

import (
	"go/ast"
	"go/token"
	"strings"
)

// changes reports whether a call is one of delete or clear that changes a map, which is to be reported where
// the call is made.
func (r *instrumenter) changes(x *ast.CallExpr) bool {
	fun, is := ast.Unparen(x.Fun).(*ast.Ident)
	return is && r.races && r.info.Types[fun].IsBuiltin() && (fun.Name == "delete" || fun.Name == "clear") &&
		mapOf(r.info.TypeOf(x.Args[0])) != nil
}

// clears reports whether a call is one of clear that changes the elements of a slice, which is to be reported
// where the call is made.
func (r *instrumenter) clears(x *ast.CallExpr) bool {
	fun, is := ast.Unparen(x.Fun).(*ast.Ident)
	return is && r.races && r.info.Types[fun].IsBuiltin() && fun.Name == "clear" && r.isSlice(x.Args[0])
}

// later makes a deferred call of delete or clear, whose operands are done, report the change when it is made:
// delete(m, k) becomes Deleting(m, name)(k).
func (r *instrumenter) later(x *ast.CallExpr) {
	if !r.changes(x) && !r.clears(x) {
		return
	}
	m := x.Args[0]
	r.memory = true
	if len(x.Args) == 1 {
		function := ".Clear"
		if r.isSlice(m) {
			function = ".ClearAll"
		}
		r.put(x.Fun.Pos(), x.Fun.End(), memoryName+function)
		r.put(m.End(), m.End(), ", "+r.name(m))
		return
	}
	lines := r.lines(x.Pos(), m.Pos()) + r.lines(m.End(), x.Args[1].Pos())
	r.put(x.Pos(), x.Args[1].Pos(), memoryName+".Deleting("+r.node(m)+", "+r.name(m)+")("+lines)
}

// lines returns the ends of lines that are between two positions.
func (r *instrumenter) lines(from, to token.Pos) string {
	return strings.Repeat("\n", strings.Count(string(r.text[r.offset(from):r.offset(to)]), "\n"))
}
