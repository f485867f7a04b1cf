package foreign

import (
	"fmt"
	"go/ast"
	"go/types"
)

// converts makes a conversion, whose operand is done, report the elements of a slice that it copies into a
// text or an array.
func (r *instrumenter) converts(x *ast.CallExpr) {
	if !r.races || !r.info.Types[x.Fun].IsType() || len(x.Args) != 1 {
		return
	}
	from := x.Args[0]
	switch to := r.under(x).(type) {
	case *types.Basic:
		switch {
		case !isText(to):
		case r.isSlice(from):
			r.reads(from, "Elements", "")
		case r.textual(from):
			r.reads(from, "Bytes", "")
		}
	case *types.Array:
		if r.isSlice(from) {
			r.reads(from, "First", fmt.Sprintf("%d, ", to.Len()))
		}
	}
}

// reads makes an expression, whose operands are done, the operand of a function of memory that reports reads.
func (r *instrumenter) reads(e ast.Expr, function, more string) {
	r.memory = true
	r.wrap(e, memoryName+"."+function+"(", ", "+more+r.name(e)+")")
}

// appends makes a call of append report what it copies and what it writes.
func (r *instrumenter) appends(x *ast.CallExpr) {
	first := x.Args[0]
	if !x.Ellipsis.IsValid() {
		r.reads(first, "Grow", fmt.Sprintf("%d, ", len(x.Args)-1))
		return
	}
	function := "AppendAll"
	if !r.isSlice(x.Args[1]) {
		if function = "AppendText"; !r.isTextual(x.Args[1]) {
			return
		}
	}
	r.memory = true
	r.put(x.Fun.Pos(), x.Fun.End(), memoryName+"."+function)
	r.put(x.Ellipsis, x.Ellipsis+3, ", "+r.name(first)+", "+r.name(x.Args[1]))
}

// copies makes a call of copy report the same.
func (r *instrumenter) copies(x *ast.CallExpr) {
	function := "Copy"
	if !r.isSlice(x.Args[1]) {
		if function = "CopyText"; !r.isTextual(x.Args[1]) {
			return
		}
	}
	r.memory = true
	r.put(x.Fun.Pos(), x.Fun.End(), memoryName+"."+function)
	r.put(x.Args[1].End(), x.Args[1].End(), ", "+r.name(x.Args[0])+", "+r.name(x.Args[1]))
}

// isTextual reports whether an expression is a text, or may be one by its type parameter.
func (r *instrumenter) isTextual(e ast.Expr) bool { return isText(r.under(e)) || r.textual(e) }

func (r *instrumenter) isSlice(e ast.Expr) bool {
	_, ok := r.under(e).(*types.Slice)
	return ok
}
