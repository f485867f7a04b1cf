package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Operators on the order and the number of accesses, and on what they expect. They come after the other
// operators, so that the names of the other mutants do not change.

func casReread(e *enumeration, name string, n ast.Node) {
	if call, on := swapped(n); call != nil {
		e.add(name, n, e.with(call.Args[0], e.text(on)+".Load()"))
	}
}

func casFails(e *enumeration, name string, n ast.Node) {
	if call, _ := swapped(n); call != nil {
		e.add(name, n, e.with(n, "("+e.text(n)+" && false)"))
	}
}

// swapApart exchanges a statement with the one after the next.
func swapApart(e *enumeration, name string, n ast.Node) {
	list := listOf(n)
	for i := 2; i < len(list); i++ {
		a, b := list[i-2], list[i]
		e.within(a, func() { e.add(name, a, e.with(a, e.text(b)), e.with(b, e.text(a))) })
	}
}

// callBefore repeats a call before the statement that contains it. It does so only for methods that access
// shared words, because a second call of another method makes no difference. For calls that are statements
// themselves there is repeat-call.
func callBefore(e *enumeration, name string, n ast.Node) {
	fn, inside := e.decl.(*ast.FuncDecl)
	call, ok := n.(*ast.CallExpr)
	if !inside || !ok || e.typeOf(call) == nil {
		return
	}
	if _, alone := e.parent(1).(*ast.ExprStmt); alone {
		return
	}
	if f := e.p.called(call); f != nil && e.p.accesses(f, map[*types.Func]bool{}) {
		e.add(name, n, e.at(e.statement(fn), e.text(n)+"; "))
	}
}

// called returns the function or method that a call names, or nil for a function value or a conversion.
func (p *Package) called(call *ast.CallExpr) *types.Func {
	switch x := call.Fun.(type) {
	case *ast.SelectorExpr:
		f, _ := p.info.Uses[x.Sel].(*types.Func)
		return f
	case *ast.Ident:
		f, _ := p.info.Uses[x].(*types.Func)
		return f
	}
	return nil
}

// accesses reports whether a function loads, stores or swaps a shared word, or calls a function that does.
// For a function in asked it returns false.
func (p *Package) accesses(f *types.Func, asked map[*types.Func]bool) (found bool) {
	switch f.Name() {
	case "Load", "Store", "StoreOwn", "CompareAndSwap":
		return true
	}
	if asked[f] || f.Pkg() != p.typed {
		return false
	}
	asked[f] = true
	for _, file := range p.files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && p.info.Defs[fn.Name] == f {
				ast.Inspect(fn, func(n ast.Node) bool {
					if call, ok := n.(*ast.CallExpr); ok && !found {
						inner := p.called(call)
						found = inner != nil && p.accesses(inner, asked)
					}
					return !found
				})
			}
		}
	}
	return found
}

// callAgain changes x.M() to x.M().M(), if the types allow it.
func callAgain(e *enumeration, name string, n ast.Node) {
	if call, sel := e.stepped(n); sel != nil && len(call.Args) == 0 {
		e.add(name, n, e.with(n, e.text(n)+"."+sel.Sel.Name+"()"))
	}
}

// constantBefore is like constant, with the constant before.
func constantBefore(e *enumeration, name string, n ast.Node) {
	if id, ok := n.(*ast.Ident); ok {
		if all, i := e.constants(id); len(all) > 2 {
			e.add(name, n, e.with(n, all[(i+len(all)-1)%len(all)].Name()))
		}
	}
}

func dropElse(e *enumeration, name string, n ast.Node) {
	if s, ok := n.(*ast.IfStmt); ok && s.Else != nil {
		e.add(name, s.Else, edit{e.p.offset(s.Body.End()), e.p.offset(s.Else.End()), ""})
	}
}

// otherHalf uses the other one of the two halves, wherever a half is named.
func otherHalf(e *enumeration, name string, n ast.Node) {
	x, ok := n.(ast.Expr)
	if !ok || !e.basic(x, types.IsInteger) || e.fixed(x) || e.assigned(n) {
		return
	}
	named := ""
	switch x := x.(type) {
	case *ast.Ident:
		named = x.Name
		if _, use := e.p.info.Uses[x].(*types.Var); !use {
			return
		}
		if sel, ok := e.parent(1).(*ast.SelectorExpr); ok && sel.Sel == x {
			return
		}
		if field, ok := e.parent(1).(*ast.KeyValueExpr); ok && field.Key == x {
			return
		}
	case *ast.SelectorExpr:
		named = x.Sel.Name
	case *ast.CallExpr:
		if sel, ok := x.Fun.(*ast.SelectorExpr); ok {
			named = sel.Sel.Name
		}
	}
	if named == "half" || named == "Half" {
		e.add(name, n, e.with(n, "(1-"+e.text(n)+")"))
	}
}

// assigned reports whether the node is the target of an assignment, of a count, or of an address operator.
func (e *enumeration) assigned(n ast.Node) bool {
	switch parent := e.parent(1).(type) {
	case *ast.AssignStmt:
		for _, x := range parent.Lhs {
			if x == n {
				return true
			}
		}
	case *ast.IncDecStmt:
		return true
	case *ast.RangeStmt:
		return parent.Key == n || parent.Value == n
	case *ast.UnaryExpr:
		return parent.Op == token.AND
	}
	return false
}

// oneLess is off-by-one in the other direction, and in both directions for the bound of a loop and for
// operands of comparisons.
func oneLess(e *enumeration, name string, n ast.Node) {
	less := func(x ast.Expr) {
		if e.basic(x, types.IsInteger) && !e.fixed(x) {
			e.add(name, x, e.with(x, "("+e.text(x)+")-1"))
		}
	}
	more := func(x ast.Expr) {
		if e.basic(x, types.IsInteger) && !e.fixed(x) {
			e.add(name, x, e.with(x, "("+e.text(x)+")+1"))
		}
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		if !e.p.info.Types[n.Fun].IsType() {
			for _, x := range n.Args {
				less(x)
			}
		}
	case *ast.IndexExpr:
		less(n.Index)
	case *ast.RangeStmt:
		less(n.X)
		more(n.X)
	case *ast.BinaryExpr:
		if _, compares := relations[n.Op]; compares {
			less(n.Y)
			more(n.Y)
		}
	}
}

// zeroArgument passes zero instead of an argument.
func zeroArgument(e *enumeration, name string, n ast.Node) {
	call, ok := n.(*ast.CallExpr)
	if !ok || e.p.info.Types[call.Fun].IsType() {
		return
	}
	for _, x := range call.Args {
		if e.basic(x, types.IsInteger) && !e.fixed(x) {
			e.add(name, x, e.with(x, "0"))
		}
	}
}

// compareHalf compares only one half of two words.
func compareHalf(e *enumeration, name string, n ast.Node) {
	b, ok := n.(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ {
		return
	}
	for _, x := range []ast.Expr{b.X, b.Y} {
		t := e.typeOf(x)
		if t == nil {
			return
		}
		if u, ok := t.Underlying().(*types.Basic); !ok || u.Kind() != types.Uint64 || e.fixed(x) {
			return
		}
	}
	e.add(name, n, e.with(b.X, "uint32("+e.text(b.X)+")"), e.with(b.Y, "uint32("+e.text(b.Y)+")"))
	e.add(name, n, e.with(b.X, "("+e.text(b.X)+")>>32"), e.with(b.Y, "("+e.text(b.Y)+")>>32"))
}
