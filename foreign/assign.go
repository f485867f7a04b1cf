package foreign

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A target is the left side of an assignment.
type target struct {
	e      ast.Expr
	memory bool   // other goroutines may see it
	keys   bool   // it is an element of a map
	at     string // the variable with its address, or with the map
	key    string
}

func (r *instrumenter) target(e ast.Expr) *target {
	t := &target{e: e}
	if blank(e) {
		return t
	}
	if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		if m := mapOf(r.info.TypeOf(x.X)); m != nil {
			_, is := r.under(x.X).(*types.Map)
			r.values(x.X, x.Index)
			r.seen(x.Index, m)
			t.keys = is && r.races
			return t
		}
	}
	r.place(e)
	t.memory = r.visible(e)
	return t
}

// assignment changes an assignment to memory that other goroutines may see. The changed code evaluates the
// assigned values first, then reports the write, and then writes. In place of a simple statement it becomes
// a call.
func (r *instrumenter) assignment(s ast.Stmt, simple bool) {
	a, ok := s.(*ast.AssignStmt)
	if !ok {
		x := s.(*ast.IncDecStmt)
		op := token.ADD
		if x.Tok == token.DEC {
			op = token.SUB
		}
		if t := r.target(x.X); t.memory || t.keys {
			r.become(s, simple, r.address(t)+r.update(t, op, "1"))
		}
		return
	}
	if a.Tok == token.DEFINE {
		r.definition(a, simple)
		return
	}
	var targets []*target
	seen := false
	for _, l := range a.Lhs {
		t := r.target(l)
		targets = append(targets, t)
		seen = seen || t.memory || t.keys
	}
	r.values(a.Rhs...)
	switch {
	case !seen, r.ownBoolean(a):
	case a.Tok != token.ASSIGN:
		r.become(s, simple, r.operation(targets[0], a))
	case len(targets) == 1 && r.quick(targets[0], a.Rhs[0]):
	default:
		r.become(s, simple, r.assign(targets, a.Rhs))
	}
}

// operations are the operators of assignments such as +=.
var operations = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL,
	token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND,
	token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.SHL_ASSIGN: token.SHL,
	token.SHR_ASSIGN: token.SHR, token.AND_NOT_ASSIGN: token.AND_NOT,
}

func (r *instrumenter) operation(t *target, a *ast.AssignStmt) string {
	before, operand := r.address(t), ""
	if r.inline(a.Rhs[0]) {
		operand = "(" + r.node(a.Rhs[0]) + ")"
	} else {
		operand = r.variable()
		before += operand + " := " + r.node(a.Rhs[0]) + "; "
	}
	return before + r.update(t, operations[a.Tok], operand)
}

// quick changes an assignment in place, if its right side contains no call.
func (r *instrumenter) quick(t *target, right ast.Expr) bool {
	text := r.node(right)
	r.put(right.Pos(), right.End(), text)
	if strings.Contains(text, "(") {
		return false
	}
	if t.keys {
		x := ast.Unparen(t.e).(*ast.IndexExpr)
		r.maps(x.X, "Change")
		return true
	}
	r.memory = true
	r.wrap(t.e, "*"+memoryName+".Store(&", ", "+r.name(t.e)+")")
	return true
}

// become replaces a statement by others.
func (r *instrumenter) become(s ast.Stmt, simple bool, text string) {
	r.take(s.Pos(), s.End())
	text = strings.TrimSuffix(text, "; ")
	if simple {
		text = "func() { " + text + " }()"
	} else {
		text = "{ " + text + " }"
	}
	lines := strings.Count(string(r.text[r.offset(s.Pos()):r.offset(s.End())]), "\n")
	if missing := lines - strings.Count(text, "\n"); missing > 0 {
		text += strings.Repeat("\n", missing)
	}
	r.put(s.Pos(), s.End(), text)
}

// address stores the place of a target in a variable.
func (r *instrumenter) address(t *target) string {
	switch {
	case t.memory:
		t.at = r.variable()
		return t.at + " := &" + r.node(t.e) + "; "
	case t.keys:
		x := ast.Unparen(t.e).(*ast.IndexExpr)
		t.at = r.variable()
		s := t.at + " := " + r.node(x.X) + "; "
		if t.key = r.node(x.Index); !r.inline(x.Index) {
			key := r.variable()
			s += key + " := " + t.key + "; "
			t.key = key
		}
		return s
	}
	return ""
}

// store writes a value to a target whose address was stored.
func (r *instrumenter) store(t *target, value string) string {
	switch {
	case t.memory:
		r.memory = true
		return fmt.Sprintf("*%s.Store(%s, %s) = %s; ", memoryName, t.at, r.name(t.e), value)
	case t.keys:
		r.memory = true
		m := ast.Unparen(t.e).(*ast.IndexExpr).X
		return fmt.Sprintf("%s.Change(%s, %s)[%s] = %s; ", memoryName, t.at, r.name(m), t.key, value)
	}
	return r.node(t.e) + " = " + value + "; "
}

// update reads a target, applies an operator, and writes it.
func (r *instrumenter) update(t *target, op token.Token, operand string) string {
	v := r.variable()
	load := fmt.Sprintf("%s.Load(%s, %s)", memoryName, t.at, r.name(t.e))
	if t.keys {
		m := ast.Unparen(t.e).(*ast.IndexExpr).X
		load = fmt.Sprintf("%s.Look(%s, %s)[%s]", memoryName, t.at, r.name(m), t.key)
	}
	return fmt.Sprintf("%s := %s %s %s; ", v, load, op, operand) + r.store(t, v)
}

// assign evaluates the operands and the right side, and then writes from left to right.
func (r *instrumenter) assign(targets []*target, right []ast.Expr) string {
	before, after := "", ""
	for _, t := range targets {
		before += r.address(t)
	}
	if len(right) == 1 && len(targets) > 1 { // a call, or a form with a second result ok
		return before + r.assignAll(targets, r.node(right[0]))
	}
	for i, t := range targets {
		value := r.node(right[i])
		if !r.inline(right[i]) {
			name := r.variable()
			before += name + " := " + value + "; "
			value = name
		}
		after += r.store(t, value)
	}
	return before + after
}

// assignAll evaluates an expression that has as many values as there are targets, whose addresses were
// stored, and then writes the values from left to right.
func (r *instrumenter) assignAll(targets []*target, right string) string {
	var names []string
	after, define := "", " = "
	for _, t := range targets {
		name := "_"
		if !blank(t.e) {
			name, define = r.variable(), " := "
			after += r.store(t, name)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ") + define + right + "; " + after
}

// definition changes a := b. A variable that exists already, and that other goroutines may see, is reported
// directly after the write, if a statement can follow there.
func (r *instrumenter) definition(a *ast.AssignStmt, simple bool) {
	r.values(a.Rhs...)
	if simple {
		return
	}
	after := ""
	for _, l := range a.Lhs {
		id, ok := l.(*ast.Ident)
		if ok && r.races && r.shared[r.info.Uses[id]] {
			r.memory = true
			after += fmt.Sprintf("; %s.Write(&%s, %s)", memoryName, id.Name, r.name(id))
		}
	}
	r.put(a.End(), a.End(), after)
}
