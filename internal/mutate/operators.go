package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Operator makes the mutants of one kind.
type Operator struct {
	Name  string
	About string
	find  func(e *enumeration, name string, n ast.Node)
}

// Operators returns all operators in the order in which a function's mutants are enumerated. The order
// matters: of two mutants with the same text the first one is kept.
func Operators() []Operator { return slices.Clone(operators) }

var operators []Operator

// init breaks an initialisation cycle: operators use the enumeration, and the enumeration uses the
// operators.
func init() {
	operators = []Operator{
		{"drop-statement", "a call, an assignment, a check or a return is left out", dropStatement},
		{"swap-statements", "two neighbouring statements in the other order", swapStatements},
		{"cas-to-store", "a compare-and-swap stores whatever it finds, and has succeeded", casToStore},
		{"cas-succeeds", "a compare-and-swap that fails has succeeded", casSucceeds},
		{"repeat-call", "a call is made twice", repeatCall},
		{"return-early", "the function returns at once", returnEarly},
		{"return-zero", "a result is zero, or the other truth value", returnZero},
		{"condition-true", "a condition is met always", conditionTrue},
		{"condition-false", "a condition is met never", conditionFalse},
		{"negate", "a condition is met in the other cases", negate},
		{"drop-operand", "one side of && || | & + is left out", dropOperand},
		{"relation", "a comparison is another one", relation},
		{"arithmetic", "an operation on numbers or bits is another one", arithmetic},
		{"literal", "a number is one more, or one less", literal},
		{"off-by-one", "an argument, index, result or assigned number is one more", offByOne},
		{"skip-call", "x.M() is x: no bump of a version, no mark, no field set", skipCall},
		{"constant", "a constant is the next one of its type", constant},
		{"drop-case", "a case is left out, so the default is taken", dropCase},
		{"drop-field", "a field of a literal is zero", dropField},
		{"loop-once", "a loop ends after its first round", loopOnce},
		{"loop-jump", "break is continue, and the other way round", loopJump},
		{"swap-arguments", "two neighbouring arguments of one type change places", swapArguments},
		{"other-field", "a field is the next one of its type", otherField},
		{"other-method", "a call of the next method with the same parameters", otherMethod},
		{"other-variable", "a variable is the next one of its type", otherVariable},
		{"cas-reread", "a compare-and-swap expects what it reads just before", casReread},
		{"cas-fails", "a compare-and-swap that has succeeded is taken for one that failed", casFails},
		{"swap-apart", "a statement changes places with the one after the next", swapApart},
		{"call-before", "a call that makes an access is made once before the statement", callBefore},
		{"call-again", "x.M() is x.M().M(): a version goes on twice", callAgain},
		{"constant-before", "a constant is the one before of its type", constantBefore},
		{"drop-else", "an else branch is left out", dropElse},
		{"other-half", "one of the two halves is the other one", otherHalf},
		{"one-less", "an argument or index is one less, a bound one less or one more", oneLess},
		{"zero-argument", "an argument is zero", zeroArgument},
		{"compare-half", "of two words one half is compared", compareHalf},
	}
}

// text returns the source of a node.
func (e *enumeration) text(n ast.Node) string {
	return string(e.p.texts[e.file][e.p.offset(n.Pos()):e.p.offset(n.End())])
}

// with replaces a node by a text.
func (e *enumeration) with(n ast.Node, text string) edit {
	return edit{e.p.offset(n.Pos()), e.p.offset(n.End()), text}
}

func (e *enumeration) at(pos token.Pos, text string) edit {
	at := e.p.offset(pos)
	return edit{at, at, text}
}

// parent returns a node around the current one; level 1 is the nearest.
func (e *enumeration) parent(level int) ast.Node {
	if i := len(e.stack) - 1 - level; i >= 0 {
		return e.stack[i]
	}
	return nil
}

// typeOf returns the type of an expression, or nil if it has none.
func (e *enumeration) typeOf(x ast.Expr) types.Type { return e.p.info.TypeOf(x) }

// basic reports whether the underlying type of the expression has the property.
func (e *enumeration) basic(x ast.Expr, property types.BasicInfo) bool {
	t := e.typeOf(x)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&property != 0
}

// fixed reports whether the compiler knows the expression's value.
func (e *enumeration) fixed(x ast.Expr) bool { return e.p.info.Types[x].Value != nil }

func dropStatement(e *enumeration, name string, n ast.Node) {
	for _, s := range listOf(n) {
		if _, empty := s.(*ast.EmptyStmt); !empty {
			e.within(s, func() { e.add(name, s, e.with(s, "")) })
		}
	}
}

// within makes s the current statement while f runs.
func (e *enumeration) within(s ast.Stmt, f func()) {
	e.stack = append(e.stack, s)
	f()
	e.stack = e.stack[:len(e.stack)-1]
}

func swapStatements(e *enumeration, name string, n ast.Node) {
	list := listOf(n)
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		e.within(a, func() { e.add(name, a, e.with(a, e.text(b)), e.with(b, e.text(a))) })
	}
}

// swapped returns the call, and the receiver and the arguments, of a compare-and-swap.
func swapped(n ast.Node) (call *ast.CallExpr, on ast.Expr) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return nil, nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "CompareAndSwap" {
		return nil, nil
	}
	return call, sel.X
}

// casToStore puts the store before the statement, because a store has no result.
func casToStore(e *enumeration, name string, n ast.Node) {
	call, on := swapped(n)
	fn, inside := e.decl.(*ast.FuncDecl)
	if call == nil || !inside {
		return
	}
	store := e.text(on) + ".Store(" + e.text(call.Args[1]) + ")"
	if _, alone := e.parent(1).(*ast.ExprStmt); alone {
		e.add(name, n, e.with(n, store))
		return
	}
	e.add(name, n, e.at(e.statement(fn), store+"; "), e.with(n, "true"))
}

func casSucceeds(e *enumeration, name string, n ast.Node) {
	if call, _ := swapped(n); call != nil {
		e.add(name, n, e.with(n, "("+e.text(n)+" || true)"))
	}
}

func repeatCall(e *enumeration, name string, n ast.Node) {
	s, ok := n.(*ast.ExprStmt)
	if !ok {
		return
	}
	if _, ok := s.X.(*ast.CallExpr); ok {
		e.add(name, n, e.with(n, e.text(n)+"; "+e.text(n)))
	}
}

// returnEarly is for functions without results, or with named ones; for the others there is return-zero.
func returnEarly(e *enumeration, name string, n ast.Node) {
	fn, ok := n.(*ast.FuncDecl)
	if !ok || len(fn.Body.List) == 0 {
		return
	}
	if fn.Type.Results == nil || len(fn.Type.Results.List[0].Names) > 0 {
		e.add(name, n, e.at(fn.Body.Lbrace+1, " if true { return };"))
	}
}

func returnZero(e *enumeration, name string, n ast.Node) {
	r, ok := n.(*ast.ReturnStmt)
	if !ok {
		return
	}
	for _, x := range r.Results {
		for _, zero := range e.zeros(x) {
			switch {
			case zero == e.text(x):
			case e.is(x, zero):
				e.count[name]++ // not a mutant; the others are numbered by their text alone
			default:
				e.add(name, x, e.with(x, zero))
			}
		}
	}
}

// is reports whether the compiler knows that an expression has that value.
func (e *enumeration) is(x ast.Expr, value string) bool {
	v := e.p.info.Types[x].Value
	return v != nil && v.ExactString() == value
}

// zeros returns the simple values of the type of an expression.
func (e *enumeration) zeros(x ast.Expr) []string {
	switch {
	case e.basic(x, types.IsBoolean):
		return []string{"true", "false"}
	case e.basic(x, types.IsString):
		return []string{`""`}
	case e.basic(x, types.IsNumeric):
		return []string{"0"}
	}
	if t := e.typeOf(x); t != nil {
		switch t.Underlying().(type) {
		case *types.Interface, *types.Slice, *types.Map:
			return []string{"nil"}
		}
	}
	return nil
}

// condition reports whether an expression decides where the code continues, and is not a part of a larger
// such expression; its operands are for drop-operand.
func (e *enumeration) condition(n ast.Node) (ast.Expr, bool) {
	x, ok := n.(ast.Expr)
	if !ok || !e.basic(x, types.IsBoolean) || e.fixed(x) {
		return nil, false
	}
	switch parent := e.parent(1).(type) {
	case *ast.IfStmt, *ast.ForStmt:
		return x, true
	case *ast.CaseClause:
		return x, slices.Contains(parent.List, x)
	}
	return nil, false
}

func conditionTrue(e *enumeration, name string, n ast.Node) {
	if x, ok := e.condition(n); ok {
		e.add(name, n, e.with(n, "("+e.text(x)+") || true"))
	}
}

func conditionFalse(e *enumeration, name string, n ast.Node) {
	if x, ok := e.condition(n); ok {
		e.add(name, n, e.with(n, "("+e.text(x)+") && false"))
	}
}

// negate negates conditions, results, and operands of && and ||; comparisons are for relation.
func negate(e *enumeration, name string, n ast.Node) {
	x, ok := n.(ast.Expr)
	if !ok || !e.basic(x, types.IsBoolean) || e.fixed(x) {
		return
	}
	switch x := x.(type) {
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			e.add(name, n, e.with(n, e.text(x.X)))
		}
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			e.add(name, n, e.with(n, "!("+e.text(x)+")"))
		}
	case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
		if not, ok := e.parent(1).(*ast.UnaryExpr); ok && not.Op == token.NOT {
			return
		}
		e.add(name, n, e.with(n, "!"+e.text(x)))
	}
}

func dropOperand(e *enumeration, name string, n ast.Node) {
	b, ok := n.(*ast.BinaryExpr)
	if !ok {
		return
	}
	switch b.Op {
	case token.LAND, token.LOR, token.OR, token.AND, token.AND_NOT, token.XOR, token.ADD, token.SUB,
		token.SHL, token.SHR, token.REM, token.MUL, token.QUO:
		e.add(name, b.Y, e.with(n, "("+e.text(b.X)+")"))
		if b.Op != token.SHL && b.Op != token.SHR {
			e.add(name, b.X, e.with(n, "("+e.text(b.Y)+")"))
		}
	}
}

var relations = map[token.Token][]token.Token{
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
}

func relation(e *enumeration, name string, n ast.Node) {
	if b, ok := n.(*ast.BinaryExpr); ok {
		for _, other := range relations[b.Op] {
			e.add(name, n, edit{e.p.offset(b.OpPos), e.p.offset(b.OpPos) + len(b.Op.String()),
				other.String()})
		}
	}
}

// others does not have | for ^ or ^ for |, because the fields of a packed word do not overlap, so both give
// the same result.
var others = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL},
	token.REM: {token.QUO}, token.SHL: {token.SHR}, token.SHR: {token.SHL}, token.AND: {token.OR},
	token.OR: {token.AND}, token.AND_NOT: {token.AND, token.OR},
	token.INC: {token.DEC}, token.DEC: {token.INC},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.OR_ASSIGN: {token.AND_ASSIGN, token.ASSIGN}, token.AND_ASSIGN: {token.OR_ASSIGN, token.ASSIGN},
	token.XOR_ASSIGN: {token.OR_ASSIGN, token.ASSIGN}, token.MUL_ASSIGN: {token.ADD_ASSIGN, token.ASSIGN},
	token.SHL_ASSIGN: {token.SHR_ASSIGN}, token.SHR_ASSIGN: {token.SHL_ASSIGN},
}

func arithmetic(e *enumeration, name string, n ast.Node) {
	var op token.Token
	var at token.Pos
	switch n := n.(type) {
	case *ast.BinaryExpr:
		op, at = n.Op, n.OpPos
	case *ast.IncDecStmt:
		op, at = n.Tok, n.TokPos
	case *ast.AssignStmt:
		op, at = n.Tok, n.TokPos
	case *ast.UnaryExpr:
		if n.Op == token.XOR || n.Op == token.SUB {
			e.add(name, n, e.with(n, e.text(n.X)))
		}
		return
	default:
		return
	}
	for _, other := range others[op] {
		from := e.p.offset(at)
		e.add(name, n, edit{from, from + len(op.String()), other.String()})
	}
}
