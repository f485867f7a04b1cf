package foreign

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Names under which the changed files import the shims.
const (
	memoryName = "samecycleMemory"
	flowName   = "samecycleFlow"
	orderName  = "samecycleOrder"
)

// An instrumenter changes one file so that the explorer sees more of it. Go statements make actors, uses of
// channels become calls of flow, loops over maps get an order, and with Races plain accesses are reported.
// The instrumenter edits the text, so every line keeps its number.
//
// It does not report local variables that do not escape, the first value of a variable, embedded pointers of
// other packages that this one cannot name, accesses of the runtime inside a map (a map is one object), and
// the read of a named result behind deferred calls.
type instrumenter struct {
	files *token.FileSet
	info  *types.Info
	pkg   *types.Package
	text  []byte
	base  int // of the file's positions
	races bool
	tells bool // calls that ask for names are reported

	edits   []edit // they do not overlap
	shared  map[types.Object]bool
	written map[ast.Expr]bool // operands behind which the embedded fields were written out
	gotos   map[string]bool   // labels that a goto names
	results *results          // of the function
	fresh   int
	memory  bool // the file needs the import
	flow    bool
	order   bool
	keeps   map[string]string // functions that flow replaces, as written, to keep their imports used
}

// An edit replaces the text from one offset to another.
type edit struct {
	from, to int
	text     string
}

// instrument returns the changed text of a file that was type-checked.
func (r *instrumenter) instrument(file *ast.File) []byte {
	r.base = r.files.File(file.Pos()).Base()
	r.findShared(file)
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				r.function(d.Type, d.Body)
			}
		case *ast.GenDecl:
			r.declaration(d)
		}
	}
	imports := ""
	for _, need := range []struct {
		yes        bool
		name, path string
	}{{r.memory, memoryName, shims + "memory"}, {r.flow, flowName, shims + "flow"},
		{r.order, orderName, shims + "order"}} {
		if need.yes {
			imports += fmt.Sprintf("; import %s %q", need.name, need.path)
		}
	}
	r.put(file.Name.End(), file.Name.End(), imports)
	for _, pkg := range slices.Sorted(maps.Keys(r.keeps)) { // ahead of comments that end the file
		end := file.Decls[len(file.Decls)-1].End()
		r.put(end, end, "; var _ = "+r.keeps[pkg])
	}
	return []byte(r.take(file.FileStart, file.FileEnd))
}

func (r *instrumenter) offset(p token.Pos) int { return int(p) - r.base }

// put replaces the text between two positions. Edits inside must have been taken before.
func (r *instrumenter) put(from, to token.Pos, text string) {
	r.edits = append(r.edits, edit{r.offset(from), r.offset(to), text})
}

// take returns the text between two positions with the edits inside, and removes these edits.
func (r *instrumenter) take(from, to token.Pos) string {
	a, b := r.offset(from), r.offset(to)
	var inside []edit
	r.edits = slices.DeleteFunc(r.edits, func(e edit) bool {
		if e.from < a || e.to > b {
			return false
		}
		inside = append(inside, e)
		return true
	})
	slices.SortStableFunc(inside, func(x, y edit) int { return cmp.Or(x.from-y.from, x.to-y.to) })
	var out strings.Builder
	for _, e := range inside {
		out.Write(r.text[a:e.from])
		out.WriteString(e.text)
		a = e.to
	}
	out.Write(r.text[a:b])
	return out.String()
}

func (r *instrumenter) node(n ast.Node) string { return r.take(n.Pos(), n.End()) }

// wrap puts text around a node.
func (r *instrumenter) wrap(n ast.Node, before, after string) {
	r.put(n.Pos(), n.End(), before+r.node(n)+after)
}

// name returns the name of an expression in reports, or of a field in it.
func (r *instrumenter) name(e ast.Node, field ...string) string {
	const most = 40
	s := strings.Join(strings.Fields(string(r.text[r.offset(e.Pos()):r.offset(e.End())])), " ")
	s += strings.Join(field, "")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return strconv.Quote(s)
}

func (r *instrumenter) variable() string {
	r.fresh++
	return fmt.Sprint("samecycle", r.fresh)
}

// loads changes an addressable expression, whose operands are done, into a reported read.
func (r *instrumenter) loads(e ast.Expr) {
	r.memory = true
	r.wrap(e, memoryName+".Load(&", ", "+r.name(e)+")")
}

// maps makes a map expression, whose operands are done, report that the map is read or changed.
func (r *instrumenter) maps(e ast.Expr, how string) {
	if !r.races {
		return
	}
	r.memory = true
	r.wrap(e, memoryName+"."+how+"(", ", "+r.name(e)+")")
}

// findShared finds the local variables that other goroutines may see: those that a function without a
// name captures, and those whose address is taken.
func (r *instrumenter) findShared(file *ast.File) {
	r.shared, r.gotos, r.written = map[types.Object]bool{}, map[string]bool{}, map[ast.Expr]bool{}
	ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			v, ok := r.info.Uses[n].(*types.Var)
			if !ok || v.IsField() {
				break
			}
			for i, s := range stack {
				if r.isBody(s, append(stack, n)[i+1]) && (v.Pos() < s.Pos() || v.Pos() > s.End()) {
					r.shared[v] = true
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				r.share(n.X)
			}
		case *ast.SliceExpr:
			r.share(n.X)
		case *ast.SelectorExpr:
			s := r.info.Selections[n]
			if s != nil && s.Kind() == types.MethodVal && pointerReceiver(s) {
				r.share(n.X)
			}
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				r.gotos[n.Label.Name] = true
			}
		}
		return true
	})
}

// isBody reports whether part, which is in n, is in the body of a function without a name: that of a
// literal, or what a range over a function does for each value, which that function may call in another
// goroutine.
func (r *instrumenter) isBody(n, part ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		return true
	case *ast.RangeStmt:
		_, calls := r.under(n.X).(*types.Signature)
		return calls && part != n.X
	}
	return false
}

// share notes that the address of a place, or of a part of it, is taken.
func (r *instrumenter) share(e ast.Expr) {
	if id, ok := r.root(e).(*ast.Ident); ok {
		if v, ok := r.info.Uses[id].(*types.Var); ok {
			r.shared[v] = true
		}
	}
}

// root returns the variable, indirection or other expression of which an addressable expression is a part.
func (r *instrumenter) root(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return r.root(x.X)
	case *ast.SelectorExpr:
		s := r.info.Selections[x]
		if s == nil {
			return x.Sel // of a package
		}
		if s.Kind() == types.FieldVal && !s.Indirect() {
			return r.root(x.X)
		}
	case *ast.IndexExpr:
		if _, ok := r.under(x.X).(*types.Array); ok {
			return r.root(x.X)
		}
	}
	return e
}

// under returns the underlying type of an expression. For one of a type parameter, it is that which all types
// have that the parameter allows, if there is such a type.
func (r *instrumenter) under(e ast.Expr) types.Type {
	if t := r.info.TypeOf(e); t != nil {
		return core(t)
	}
	return types.Typ[types.Invalid]
}

// visible reports whether other goroutines may access an addressable expression.
func (r *instrumenter) visible(e ast.Expr) bool {
	if !r.races || !r.info.Types[e].Addressable() {
		return false
	}
	switch x := r.root(e).(type) {
	case *ast.Ident:
		v, ok := r.info.Uses[x].(*types.Var)
		if !ok {
			return false
		}
		if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() { // also one of a package without a copy
			return true
		}
		return r.shared[v]
	case *ast.CompositeLit:
		return false
	}
	return true
}

func pointerReceiver(s *types.Selection) bool {
	f, ok := s.Obj().(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return false
	}
	_, pointer := f.Signature().Recv().Type().Underlying().(*types.Pointer)
	return pointer
}
