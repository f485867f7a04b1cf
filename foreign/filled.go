package foreign

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// fills makes a call, whose operands are done, report the bytes of a slice that it reads into, or writes
// from. It is one of a method such as Read of io.Reader, whatever the type, or of io.ReadFull. A call by go
// or defer is left out.
func (r *instrumenter) fills(x *ast.CallExpr) {
	fun, is := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !is || !r.races || x.Ellipsis.IsValid() || len(x.Args) == 0 {
		return
	}
	if _, several := r.info.TypeOf(x.Args[0]).(*types.Tuple); several {
		return
	}
	f, is := r.info.Uses[fun.Sel].(*types.Func)
	if !is || f.Pkg() == nil {
		return
	}
	s := r.info.Selections[fun]
	name := strings.TrimPrefix(f.Pkg().Path(), shims) + "." + f.Name()
	switch {
	case s == nil && name == "io.ReadFull" && r.isSlice(x.Args[1]):
		r.filledBy(x, "FilledFrom", x.Args[1])
	case s == nil || s.Kind() != types.MethodVal || !r.isSlice(x.Args[0]) || !likeIO(f):
	case f.Name() == "Write" && r.dynamic(fun.X):
		r.replaced(x, fun, "WriteTo")
	case f.Name() == "Write" && slices.Contains(writers, receiverName(f)):
		if _, own := ast.Unparen(x.Args[0]).(*ast.CompositeLit); !own {
			r.reads(x.Args[0], "Elements", "")
		}
	case f.Name() == "Read" || f.Name() == "ReadAt":
		if r.dynamic(fun.X) {
			r.replaced(x, fun, map[string]string{"Read": "ReadFrom", "ReadAt": "ReadFromAt"}[f.Name()])
		} else if f.Pkg() != r.pkg {
			r.filledBy(x, map[string]string{"Read": "Filled", "ReadAt": "FilledAt"}[f.Name()], x.Args[0])
		}
	}
}

// writers are types of the standard library whose Write reads all that it is given.
var writers = []string{"bufio.Writer", "bytes.Buffer", "strings.Builder"}

// receiverName is the type of a method's receiver, without a pointer.
func receiverName(f *types.Func) string {
	return strings.TrimPrefix(f.Signature().Recv().Type().String(), "*")
}

// likeIO reports whether a method has the operands and results of one of the interfaces Reader, ReaderAt and
// Writer of package io.
func likeIO(f *types.Func) bool {
	p, q := f.Signature().Params(), f.Signature().Results()
	is := func(t *types.Tuple, names ...string) bool {
		for i, name := range names {
			if t.Len() != len(names) || t.At(i).Type().String() != name {
				return false
			}
		}
		return true
	}
	if f.Name() == "ReadAt" {
		return is(p, "[]byte", "int64") && is(q, "int", "error")
	}
	return is(p, "[]byte") && is(q, "int", "error")
}

// dynamic reports whether what is called is known only at run time, or a file: an operand of a type that has
// the method by an interface, or of *os.File.
func (r *instrumenter) dynamic(e ast.Expr) bool {
	t := r.info.TypeOf(e)
	_, abstract := t.Underlying().(*types.Interface)
	_, parameter := types.Unalias(t).(*types.TypeParam)
	return abstract && !parameter || t.String() == "*os.File"
}

// filledBy makes the function that is called, and its operands, those of a function of memory.
func (r *instrumenter) filledBy(x *ast.CallExpr, function string, p ast.Expr) {
	r.memory = true
	r.put(x.Fun.Pos(), x.Fun.Pos(), memoryName+"."+function+"(")
	r.put(x.Lparen, x.Lparen+1, ", ")
	r.named(x, p)
}

// replaced does so with the operand of a method.
func (r *instrumenter) replaced(x *ast.CallExpr, fun *ast.SelectorExpr, function string) {
	r.memory = true
	r.put(x.Pos(), fun.X.Pos(), memoryName+"."+function+"(")
	r.put(fun.X.End(), x.Lparen+1, ", "+r.lines(fun.X.End(), x.Lparen))
	r.named(x, x.Args[0])
}

// named adds the name of the slice to the operands of a call.
func (r *instrumenter) named(x *ast.CallExpr, p ast.Expr) {
	last := x.Args[len(x.Args)-1].End()
	lines := r.lines(last, x.Rparen)
	if lines != "" {
		lines = "," + lines
	}
	r.put(last, x.Rparen+1, ", "+r.name(p)+lines+")")
}

// reflected are the methods of a reflect.Value that read the variable which it stands for, or write it.
var reflected = map[string]string{
	"Bool": "Gets", "Bytes": "Gets", "Complex": "Gets", "Elem": "Gets", "Float": "Gets", "Int": "Gets",
	"Interface": "Gets", "IsNil": "Gets", "IsZero": "Gets", "Pointer": "Gets", "Slice": "Gets",
	"Uint": "Gets", "UnsafePointer": "Gets",
	"Clear": "SetsMap", "Grow": "Sets", "Set": "Sets", "SetBool": "Sets", "SetBytes": "Sets",
	"SetCap": "Sets", "SetComplex": "Sets", "SetFloat": "Sets", "SetInt": "Sets", "SetLen": "Sets",
	"SetPointer": "Sets", "SetString": "Sets", "SetUint": "Sets", "SetZero": "Sets",
	"MapIndex": "GetsMap", "MapKeys": "GetsMap", "SetMapIndex": "SetsMap",
}

// throughReflect makes a call of such a method, whose operands are done, report that.
func (r *instrumenter) throughReflect(x *ast.CallExpr) {
	fun, is := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !is || !r.races || r.info.TypeOf(fun.X) == nil || r.info.TypeOf(fun.X).String() != "reflect.Value" {
		return
	}
	if function := reflected[fun.Sel.Name]; function != "" {
		r.behind(x.Args, fun.X, memoryName+"."+function+"(")
	}
	if fun.Sel.Name == "Set" && len(x.Args) == 1 && !r.loud(x.Args[0]) {
		r.reads(x.Args[0], "Gets", "")
	}
}
