package foreign

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (r *instrumenter) block(b *ast.BlockStmt) {
	if b != nil {
		r.statements(b.List)
	}
}

func (r *instrumenter) statements(list []ast.Stmt) {
	for _, s := range list {
		r.statement(s)
	}
}

func (r *instrumenter) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		r.block(s)
	case *ast.LabeledStmt:
		if loop, ok := s.Stmt.(*ast.RangeStmt); ok {
			r.loop(loop, s.Pos(), r.gotos[s.Label.Name])
			return
		}
		r.statement(s.Stmt)
	case *ast.DeclStmt:
		r.declaration(s.Decl.(*ast.GenDecl))
	case *ast.ReturnStmt:
		r.returns(s)
	case *ast.IfStmt:
		r.simple(s.Init)
		r.value(s.Cond)
		r.block(s.Body)
		r.statement(s.Else)
	case *ast.ForStmt:
		r.simple(s.Init)
		r.value(s.Cond)
		r.simple(s.Post)
		r.block(s.Body)
	case *ast.RangeStmt:
		r.loop(s, s.Pos(), false)
	case *ast.SwitchStmt:
		r.simple(s.Init)
		r.value(s.Tag)
		r.block(s.Body)
	case *ast.TypeSwitchStmt:
		r.simple(s.Init)
		r.simple(s.Assign)
		r.block(s.Body)
	case *ast.CaseClause:
		r.values(s.List...)
		r.statements(s.Body)
	case *ast.SelectStmt:
		r.selection(s)
	case *ast.GoStmt:
		r.spawn(s)
	case *ast.DeferStmt:
		if !r.info.Types[s.Call.Fun].IsBuiltin() || len(s.Call.Args) > 0 { // recover has no effect here
			r.call(s.Call)
			r.later(s.Call)
		}
	case *ast.AssignStmt, *ast.IncDecStmt:
		r.assignment(s, false)
	default:
		r.simple(s)
	}
}

// simple changes a statement that must stay a simple statement.
func (r *instrumenter) simple(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		r.value(s.X)
	case *ast.SendStmt:
		r.send(s)
	case *ast.AssignStmt, *ast.IncDecStmt:
		r.assignment(s, true)
	}
}

func (r *instrumenter) declaration(d *ast.GenDecl) {
	for _, s := range d.Specs {
		if v, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
			r.values(v.Values...)
		}
	}
}

func blank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// spawn changes a go statement into a call that makes an actor. The function and its operands are evaluated
// before the call, as the language says.
func (r *instrumenter) spawn(s *ast.GoStmt) {
	r.call(s.Call)
	r.flow = true
	before := ""
	keep := func(e ast.Expr) {
		if r.inline(e) {
			return
		}
		v := r.variable()
		before += v + " := " + r.node(e) + "; "
		r.put(e.Pos(), e.End(), v)
	}
	fun := ast.Unparen(s.Call.Fun)
	if !r.declared(fun) {
		keep(s.Call.Fun)
	}
	tuple := false
	if len(s.Call.Args) == 1 {
		_, tuple = r.info.TypeOf(s.Call.Args[0]).(*types.Tuple)
	}
	if tuple {
		n := r.info.TypeOf(s.Call.Args[0]).(*types.Tuple).Len()
		var names []string
		for range n {
			names = append(names, r.variable())
		}
		list := strings.Join(names, ", ")
		before += list + " := " + r.node(s.Call.Args[0]) + "; "
		r.put(s.Call.Args[0].Pos(), s.Call.Args[0].End(), list)
	} else {
		for i, a := range s.Call.Args {
			keep(a)
			if i == 0 && r.changes(s.Call) {
				r.memory = true
				r.put(a.Pos(), a.End(), memoryName+".Change("+r.node(a)+", "+r.name(a)+")")
			}
		}
	}
	text := r.node(s.Call)
	r.put(s.Pos(), s.End(), "{ "+before+flowName+".Go(func() { "+text+" }) }")
}

// declared reports whether an expression is the name of a function, so that its evaluation has no effect.
func (r *instrumenter) declared(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		_, builtin := r.info.Uses[x].(*types.Builtin)
		_, is := r.info.Uses[x].(*types.Func)
		return is || builtin
	case *ast.SelectorExpr:
		_, is := r.info.Uses[x.Sel].(*types.Func)
		return is && r.info.Selections[x] == nil
	case *ast.IndexExpr:
		return r.declared(x.X)
	case *ast.IndexListExpr:
		return r.declared(x.X)
	}
	return false
}

// inline reports whether an expression must stay in its place because its type depends on the place. Such an
// expression is harmless: it contains almost no calls.
func (r *instrumenter) inline(e ast.Expr) bool {
	tv := r.info.Types[e]
	if tv.Value != nil || tv.IsNil() || r.declared(ast.Unparen(e)) {
		return true
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok {
		return u.Op != token.AND && u.Op != token.ARROW && r.inline(u.X)
	}
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	switch b.Op {
	case token.SHL, token.SHR:
		return r.inline(b.X)
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
		return tv.Type != types.Typ[types.Bool] && tv.Type != types.Typ[types.UntypedBool]
	}
	return r.inline(b.X) && r.inline(b.Y)
}
