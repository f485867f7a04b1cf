package foreign

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// loop changes a range over anything but a map or a channel. Each element of a slice, or of an array by its
// address, is read when its iteration begins. The operand is then stored in a variable before the loop; from
// is where that statement can be. Variables to which the loop assigns are written at the same place.
func (r *instrumenter) loop(s *ast.RangeStmt, from token.Pos, jumped bool) {
	switch {
	case r.isChannel(s.X):
		r.receives(s)
		return
	case mapOf(r.info.TypeOf(s.X)) != nil:
		r.walks(s)
		return
	}
	if _, array := r.under(s.X).(*types.Array); !array || s.Value != nil {
		r.value(s.X)
	}
	var targets []*target // nil for _
	if s.Tok == token.ASSIGN {
		targets = append(targets, r.target(s.Key), r.targetOf(s.Value))
	}
	r.block(s.Body)
	if !r.races {
		return
	}
	indexed := !jumped && s.Value != nil && !blank(s.Value) && r.indexed(s.X)
	seen := slices.ContainsFunc(targets, func(t *target) bool { return t != nil && (t.memory || t.keys) })
	if !indexed && !seen || s.Tok == token.ASSIGN && !r.plain(s) {
		return
	}
	key, into := "", ""
	if s.Tok == token.ASSIGN {
		key, into = r.assigns(s, targets)
	} else if key = r.node(s.Key); blank(s.Key) {
		key = r.variable()
		r.put(s.Key.Pos(), s.Key.End(), key)
	}
	if indexed {
		r.memory = true
		operand, name := r.variable(), r.name(s.X)
		r.put(from, from, "{ "+operand+" := "+r.node(s.X)+"; ")
		r.put(s.X.Pos(), s.X.End(), operand)
		into = fmt.Sprintf(" %s.Read(&%s[%s], %s); ", memoryName, operand, key, name) + into
		r.put(s.End(), s.End(), " }")
	}
	r.put(s.Body.Lbrace+1, s.Body.Lbrace+1, into)
}

// indexed reports whether a range over an expression reads elements that others may see.
func (r *instrumenter) indexed(e ast.Expr) bool {
	switch t := r.under(e).(type) {
	case *types.Slice:
		return true
	case *types.Pointer:
		_, array := core(t.Elem()).(*types.Array)
		return array
	}
	return false
}

// plain reports whether variables of the range alone would have types that can be assigned to those to which
// it assigns. The number in for i = range 3 gets the type of i, if i is a variable.
func (r *instrumenter) plain(s *ast.RangeStmt) bool {
	tv := r.info.Types[s.X]
	if tv.Value == nil || isText(tv.Type.Underlying()) || tv.Type == types.Typ[types.Int] {
		return true
	}
	i, is := s.Key.(*ast.Ident)
	if is && !blank(i) {
		r.memory = true
		r.wrap(s.X, memoryName+".Like(&"+i.Name+", ", ")")
	}
	return is && !blank(i)
}

func (r *instrumenter) targetOf(e ast.Expr) *target {
	if e == nil {
		return nil
	}
	return r.target(e)
}

// assigns changes for K, V = range X into for k, v := range X, and returns the name of the key, and what the
// body begins with.
func (r *instrumenter) assigns(s *ast.RangeStmt, targets []*target) (key, into string) {
	names, used := []string{r.variable()}, targets[:1]
	if s.Value != nil {
		names, used = append(names, r.variable()), targets
	}
	into = r.into(used, names)
	from, to := s.Key.Pos(), s.TokPos+1
	r.take(from, to)
	r.put(from, to, strings.Join(names, ", ")+" :="+r.lines(from, to))
	return names[0], into
}

// into returns statements that store values in targets.
func (r *instrumenter) into(targets []*target, names []string) (text string) {
	for _, t := range targets {
		text += " " + r.address(t)
	}
	for i, t := range targets {
		text += r.store(t, names[i])
	}
	return text
}
