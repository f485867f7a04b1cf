package foreign

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
)

// becomes replaces a builtin by the corresponding function of flow.
func (r *instrumenter) becomes(fun ast.Expr, name string) {
	r.flow = true
	r.put(fun.Pos(), fun.End(), flowName+"."+name)
}

// isChannel reports whether an expression is a channel, or has a type parameter that allows only channels.
func (r *instrumenter) isChannel(e ast.Expr) bool {
	t := r.info.TypeOf(e)
	return t != nil && allChannels(t)
}

func allChannels(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Interface:
		for i := range u.NumEmbeddeds() {
			if allChannels(u.EmbeddedType(i)) {
				return true
			}
		}
	case *types.Union:
		for i := range u.Len() {
			if !allChannels(u.Term(i).Type()) {
				return false
			}
		}
		return u.Len() > 0
	}
	return false
}

// send makes c <- v the call To(c).Send(v).
func (r *instrumenter) send(s *ast.SendStmt) {
	r.put(s.Pos(), s.End(), r.sends(s, "Send"))
}

// sends returns the call of a method on the channel that a statement sends to.
func (r *instrumenter) sends(s *ast.SendStmt, method string) string {
	r.values(s.Chan, s.Value)
	r.flow = true
	return flowName + ".To(" + strings.Trim(r.take(s.Pos(), s.Arrow), " ") + ")." + method + "(" +
		strings.Trim(r.take(s.Arrow+2, s.End()), " ") + ")"
}

// receive makes <-c the call Receive(c), or ReceiveOK(c) where two values are used.
func (r *instrumenter) receive(x *ast.UnaryExpr) {
	function := "Receive"
	if t, two := r.info.TypeOf(x).(*types.Tuple); two {
		if function = "ReceiveOK"; t.At(1).Type() != types.Typ[types.Bool] {
			r.refuse(x.X)
			return
		}
	}
	r.put(x.Pos(), x.End(), r.receivesBy(x, function))
}

// receivesBy returns the call of a function on the channel that an expression receives from.
func (r *instrumenter) receivesBy(x *ast.UnaryExpr, function string) string {
	r.value(x.X)
	r.flow = true
	return flowName + "." + function + "(" + strings.Trim(r.take(x.OpPos+2, x.End()), " ") + ")"
}

// refuse makes the use of a channel panic inside an exploration, because no call has a second result of a
// boolean type that the program defines.
func (r *instrumenter) refuse(e ast.Expr) {
	r.value(e)
	at := r.files.Position(e.Pos())
	r.flow = true
	r.wrap(e, flowName+".Refuse(", fmt.Sprintf(", \"%s:%d\")", filepath.Base(at.Filename), at.Line))
}

// receives changes for v := range c into the loop for c, v := Over(c); Next(c, &v);. Its variables live as
// long as those of a range in the file's version of the language.
func (r *instrumenter) receives(s *ast.RangeStmt) {
	r.value(s.X)
	r.block(s.Body)
	r.flow = true
	c, v, into := r.variable(), "", ""
	if s.Key != nil && s.Tok == token.DEFINE && !blank(s.Key) {
		v = r.node(s.Key)
	} else {
		v = r.variable()
		if s.Key != nil && !blank(s.Key) {
			t := r.target(s.Key)
			into = " " + r.address(t) + r.store(t, v)
		}
	}
	over := strings.Trim(r.take(s.Range+5, s.X.End()), " ")
	r.put(s.For+3, s.Body.Lbrace+1, fmt.Sprintf(" %s, %s := %s.Over(%s); %s.Next(%s, &%s); {%s", c, v,
		flowName, over, flowName, c, v, into))
}

// selection changes a select statement into a switch over the number of the case that Select has executed.
// The operands of the cases are evaluated once, before everything else, as the language says. Without a
// default case the last case becomes the default, so a function that ends with the statement still ends with
// a terminating statement.
func (r *instrumenter) selection(s *ast.SelectStmt) {
	if len(s.Body.List) == 0 {
		r.flow = true
		r.put(s.Pos(), s.End(), "for { "+flowName+".Never() "+r.take(s.Pos()+6, s.Body.Lbrace)+
			r.take(s.Body.Lbrace+1, s.Body.Rbrace)+"}")
		return
	}
	fallback := false
	for _, c := range s.Body.List {
		comm := c.(*ast.CommClause).Comm
		fallback = fallback || comm == nil
		if a, ok := comm.(*ast.AssignStmt); ok && r.ownBoolean(a) {
			r.refused(s)
			return
		}
	}
	var names, cases []string
	for i, c := range s.Body.List {
		c := c.(*ast.CommClause)
		if c.Comm != nil {
			name := r.variable()
			head := fmt.Sprintf("case %d:", len(names))
			if !fallback && i == len(s.Body.List)-1 {
				head = "default:"
			}
			text, then := r.communication(c.Comm, name)
			r.put(c.Case, c.Colon+1, head+then+r.resume(text, c.Colon))
			names, cases = append(names, name), append(cases, r.moved(text, c.Comm.Pos(), s.Select))
		}
		r.statements(c.Body)
	}
	start := "switch "
	if len(names) > 0 {
		start += strings.Join(names, ", ") + " := " + strings.Join(cases, ", ") + "; "
	}
	r.flow = true
	r.put(s.Select, s.Body.Lbrace+1, start+flowName+".Select("+strings.Join(append([]string{
		fmt.Sprint(fallback)}, names...), ", ")+")"+r.take(s.Select+6, s.Body.Lbrace+1))
}

// communication returns the expression that makes the case, and the statements that its body begins with.
func (r *instrumenter) communication(s ast.Stmt, name string) (text, then string) {
	switch s := s.(type) {
	case *ast.SendStmt:
		return r.sends(s, "Case"), ""
	case *ast.ExprStmt:
		return r.receivesBy(ast.Unparen(s.X).(*ast.UnaryExpr), "Receiving"), ""
	}
	a := s.(*ast.AssignStmt)
	text = r.receivesBy(ast.Unparen(a.Rhs[0]).(*ast.UnaryExpr), "Receiving")
	value := name + ".Value()"
	if len(a.Lhs) > 1 {
		value = name + ".ValueOK()"
	}
	if a.Tok == token.DEFINE {
		return text, " " + r.take(a.Pos(), a.TokPos) + ":= " + value + "; "
	}
	var targets []*target
	then = " "
	for _, l := range a.Lhs {
		t := r.target(l)
		targets = append(targets, t)
		then += r.address(t)
	}
	return text, then + r.assignAll(targets, value)
}

// ownBoolean reports whether a form with ok, such as a receive, assigns to a boolean of a type that the
// program defines. The result of a function cannot be assigned to it.
func (r *instrumenter) ownBoolean(a *ast.AssignStmt) bool {
	if _, call := ast.Unparen(a.Rhs[0]).(*ast.CallExpr); call {
		return false
	}
	t, two := r.info.TypeOf(a.Rhs[0]).(*types.Tuple)
	return two && t.At(1).Type() != types.Typ[types.Bool]
}

// refused makes each case of a select panic inside an exploration.
func (r *instrumenter) refused(s *ast.SelectStmt) {
	for _, c := range s.Body.List {
		c := c.(*ast.CommClause)
		switch s := c.Comm.(type) {
		case *ast.SendStmt:
			r.refuse(s.Chan)
		case *ast.ExprStmt:
			r.refuse(ast.Unparen(s.X).(*ast.UnaryExpr).X)
		case *ast.AssignStmt:
			r.refuse(ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr).X)
		}
		r.statements(c.Body)
	}
}

// moved returns text from one place of the file for use at another place. If it is longer than a line, it
// tells the compiler the lines of its origin, and then the line at which the file continues.
func (r *instrumenter) moved(text string, from, to token.Pos) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	return r.line(from) + text + r.line(to)
}

// resume tells the compiler the line at which the file continues, at a place from which a text of more than
// one line was moved.
func (r *instrumenter) resume(text string, at token.Pos) string {
	if !strings.Contains(text, "\n") {
		return ""
	}
	return r.line(at)
}

func (r *instrumenter) line(at token.Pos) string {
	p := r.files.Position(at)
	return fmt.Sprintf("/*line %s:%d*/", filepath.Base(p.Filename), p.Line)
}
