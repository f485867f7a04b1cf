package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Operators on numbers, names and literals.

func literal(e *enumeration, name string, n ast.Node) {
	if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.INT {
		e.add(name, n, e.with(n, "("+lit.Value+" + 1)"))
		e.add(name, n, e.with(n, "("+lit.Value+" - 1)"))
	}
}

// offByOne adds one to a number that is passed on and whose value the compiler does not know.
func offByOne(e *enumeration, name string, n ast.Node) {
	var list []ast.Expr
	switch n := n.(type) {
	case *ast.CallExpr:
		if !e.p.info.Types[n.Fun].IsType() {
			list = n.Args
		}
	case *ast.ReturnStmt:
		list = n.Results
	case *ast.IndexExpr:
		list = []ast.Expr{n.Index}
	case *ast.AssignStmt:
		if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
			list = n.Rhs
		}
	case *ast.KeyValueExpr:
		list = []ast.Expr{n.Value}
	}
	for _, x := range list {
		if e.basic(x, types.IsInteger) && !e.fixed(x) {
			e.add(name, x, e.with(x, "("+e.text(x)+")+1"))
		}
	}
}

// skipCall replaces the call of a method by its receiver, if the types allow it.
func skipCall(e *enumeration, name string, n ast.Node) {
	if _, sel := e.stepped(n); sel != nil {
		e.add(name, n, e.with(n, e.text(sel.X)))
	}
}

// stepped returns the call of a method whose result has the type of its receiver, and the method; both are
// nil for another node.
func (e *enumeration) stepped(n ast.Node) (*ast.CallExpr, *ast.SelectorExpr) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil, nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || e.p.info.Selections[sel] == nil {
		return nil, nil
	}
	a, b := e.typeOf(call), e.typeOf(sel.X)
	if a == nil || b == nil || !types.Identical(a, b) {
		return nil, nil
	}
	return call, sel
}

// constant replaces a named constant by the next one of its type, in the order of the source.
func constant(e *enumeration, name string, n ast.Node) {
	if id, ok := n.(*ast.Ident); ok {
		if all, i := e.constants(id); len(all) > 1 {
			e.add(name, n, e.with(n, all[(i+1)%len(all)].Name()))
		}
	}
}

// constants returns the constants of the named type of an identifier's constant, in the order of the source,
// and its place among them. It returns none if the identifier is not such a constant.
func (e *enumeration) constants(id *ast.Ident) (all []*types.Const, i int) {
	c, ok := e.p.info.Uses[id].(*types.Const)
	if !ok || c.Pkg() != e.p.typed || c.Parent() != e.p.typed.Scope() {
		return nil, 0
	}
	if _, named := c.Type().(*types.Named); !named {
		return nil, 0
	}
	for _, other := range e.p.typed.Scope().Names() {
		if o, ok := e.p.typed.Scope().Lookup(other).(*types.Const); ok &&
			types.Identical(o.Type(), c.Type()) {
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b *types.Const) int { return int(a.Pos() - b.Pos()) })
	return all, slices.Index(all, c)
}

// dropCase leaves out a clause, or one of the values of a clause.
func dropCase(e *enumeration, name string, n ast.Node) {
	c, ok := n.(*ast.CaseClause)
	if !ok {
		return
	}
	e.add(name, n, e.with(n, ""))
	if len(c.List) < 2 {
		return
	}
	for i, x := range c.List {
		from, to := x.Pos(), x.End()
		if i > 0 {
			from = c.List[i-1].End()
		} else {
			to = c.List[1].Pos()
		}
		e.add(name, x, edit{e.p.offset(from), e.p.offset(to), ""})
	}
}

func dropField(e *enumeration, name string, n ast.Node) {
	lit, ok := n.(*ast.CompositeLit)
	if !ok {
		return
	}
	for _, x := range lit.Elts {
		field, ok := x.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		from, to := e.p.offset(field.Pos()), e.p.offset(field.End())
		text := e.p.texts[e.file]
		for to < len(text) && (text[to] == ',' || text[to] == ' ') {
			to++
		}
		e.add(name, field, edit{from, to, ""})
	}
}

func loopOnce(e *enumeration, name string, n ast.Node) {
	var body *ast.BlockStmt
	switch n := n.(type) {
	case *ast.ForStmt:
		body = n.Body
	case *ast.RangeStmt:
		body = n.Body
	default:
		return
	}
	e.add(name, n, e.at(body.Rbrace, "; break "))
}

func loopJump(e *enumeration, name string, n ast.Node) {
	b, ok := n.(*ast.BranchStmt)
	if !ok || b.Label != nil {
		return
	}
	switch b.Tok {
	case token.BREAK:
		e.add(name, n, e.with(n, "continue"))
	case token.CONTINUE:
		e.add(name, n, e.with(n, "break"))
	}
}

func swapArguments(e *enumeration, name string, n ast.Node) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return
	}
	for i := 1; i < len(call.Args); i++ {
		a, b := call.Args[i-1], call.Args[i]
		s, t := e.typeOf(a), e.typeOf(b)
		if s != nil && t != nil && types.Identical(types.Default(s), types.Default(t)) {
			e.add(name, a, e.with(a, e.text(b)), e.with(b, e.text(a)))
		}
	}
}

// otherField replaces x.f by x.g, where g is the next field of the structure with the type of f.
func otherField(e *enumeration, name string, n ast.Node) {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return
	}
	s := e.p.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return
	}
	t := s.Recv()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	fields, ok := t.Underlying().(*types.Struct)
	if !ok || len(s.Index()) != 1 {
		return
	}
	for i := 1; i < fields.NumFields(); i++ {
		other := fields.Field((s.Index()[0] + i) % fields.NumFields())
		if types.Identical(other.Type(), s.Obj().Type()) && (other.Exported() || other.Pkg() == e.p.typed) {
			e.add(name, n, e.with(sel.Sel, other.Name()))
			return
		}
	}
}

// otherMethod replaces x.M(...) by x.N(...), where N is the next method of the type, in the order of the
// source, with the same parameters and results.
func otherMethod(e *enumeration, name string, n ast.Node) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	s := e.p.info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || s.Obj().Pkg() != e.p.typed {
		return
	}
	t := s.Recv()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := t.(*types.Named)
	if !ok {
		return
	}
	var all []*types.Func
	for m := range named.Methods() {
		if m == s.Obj() || types.Identical(m.Type(), s.Obj().Type()) {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b *types.Func) int { return int(a.Pos() - b.Pos()) })
	i := slices.IndexFunc(all, func(m *types.Func) bool { return m == s.Obj() })
	if i >= 0 && len(all) > 1 {
		e.add(name, n, e.with(sel.Sel, all[(i+1)%len(all)].Name()))
	}
}

// otherVariable replaces a local variable by the variable of the same type that is declared next in the
// function. The compiler decides whether that one is in scope.
func otherVariable(e *enumeration, name string, n ast.Node) {
	id, ok := n.(*ast.Ident)
	if !ok {
		return
	}
	if sel, ok := e.parent(1).(*ast.SelectorExpr); ok && sel.Sel == id {
		return
	}
	v, ok := e.p.info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == e.p.typed.Scope() {
		return
	}
	locals := e.locals()
	i := slices.Index(locals, v)
	for k := 1; i >= 0 && k < len(locals); k++ {
		other := locals[(i+k)%len(locals)]
		if other.Name() != v.Name() && types.Identical(other.Type(), v.Type()) {
			e.add(name, n, e.with(n, other.Name()))
			return
		}
	}
}

// locals returns the variables that the function declares, including its parameters, in the order of the
// source.
func (e *enumeration) locals() []*types.Var {
	var all []*types.Var
	ast.Inspect(e.decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name != "_" {
			if v, ok := e.p.info.Defs[id].(*types.Var); ok && !v.IsField() {
				all = append(all, v)
			}
		}
		return true
	})
	return all
}
