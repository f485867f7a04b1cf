package foreign

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
)

// Results are the named results of a function.
type results struct {
	all    []result
	defers bool // calls may come between a return statement and the end of the function
}

type result struct {
	*types.Var
	shared bool
	at     string // the variable with its address, if a return statement writes it
}

// function changes the body of a function.
func (r *instrumenter) function(t *ast.FuncType, body *ast.BlockStmt) {
	outer := r.results
	r.results = r.resultsOf(t, body)
	r.block(body)
	before := ""
	for _, v := range r.results.all {
		if v.at != "" {
			before += fmt.Sprintf(" %s := &%s;", v.at, v.Name())
		}
	}
	r.put(body.Lbrace+1, body.Lbrace+1, before)
	r.results = outer
}

func (r *instrumenter) resultsOf(t *ast.FuncType, body *ast.BlockStmt) *results {
	f := &results{}
	if !r.races || t.Results == nil {
		return f
	}
	for _, field := range t.Results.List {
		for _, name := range field.Names {
			v, _ := r.info.Defs[name].(*types.Var) // nil for _
			f.all = append(f.all, result{Var: v, shared: r.shared[v]})
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		_, is := n.(*ast.DeferStmt)
		f.defers = f.defers || is
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
	return f
}

// returns changes a return statement, so that it reports the named results that it writes after their values
// are known. A result that is returned as it is, is not written, and not read before the deferred calls.
func (r *instrumenter) returns(s *ast.ReturnStmt) {
	f, reads := r.results, ""
	if len(s.Results) == 0 {
		for _, v := range f.all {
			if v.shared && !f.defers {
				r.memory = true
				reads += fmt.Sprintf("%s.Read(&%s, %q); ", memoryName, v.Name(), v.Name())
			}
		}
		if reads != "" {
			r.become(s, false, reads+"return")
		}
		return
	}
	single, writes := len(s.Results) == len(f.all), ""
	for i := range f.all {
		v := &f.all[i]
		if !v.shared || single && r.is(s.Results[i], v) {
			continue
		}
		if v.at == "" {
			v.at = r.variable()
		}
		r.memory = true
		writes += fmt.Sprintf("%s.Write(%s, %s); ", memoryName, v.at, strconv.Quote(v.Name()))
	}
	for i, e := range s.Results {
		if !single || !f.defers || !r.is(e, &f.all[i]) {
			r.value(e)
		}
	}
	if writes != "" {
		r.become(s, false, r.returned(s, writes))
	}
}

// is reports whether an expression is the result itself.
func (r *instrumenter) is(e ast.Expr, v *result) bool {
	id, is := ast.Unparen(e).(*ast.Ident)
	return is && v.Var != nil && r.info.Uses[id] == v.Var
}

// returned returns the statements that take the place of a return statement, whose values are done.
func (r *instrumenter) returned(s *ast.ReturnStmt, writes string) string {
	before, list := "", ""
	if len(s.Results) < len(r.results.all) {
		for i := range r.results.all {
			if i > 0 {
				list += ", "
			}
			list += r.variable()
		}
		return list + " := " + r.node(s.Results[0]) + "; " + writes + "return " + list
	}
	for i, e := range s.Results {
		text := r.node(e)
		if !r.inline(e) && !r.is(e, &r.results.all[i]) {
			v := r.variable()
			before += v + " := " + text + "; "
			text = v
		}
		if i > 0 {
			list += ", "
		}
		list += text
	}
	return before + writes + "return " + list
}
