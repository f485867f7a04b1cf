package mutate

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// Mutant is one seeded fault.
type Mutant struct {
	Name     string // [FOLDER/]FILE:FUNCTION#N OPERATOR; stable while the function does not change
	File     string
	Func     string // with the receiver's type; for a declaration outside functions, its first name
	Operator string
	Line     int
	Hash     string // of the function or declaration
	Number   int    // from 1, in the order of the enumeration: the value of the switch

	target Target // package of the mutant
	decl   ast.Decl
	edits  []edit // by offset
	probe  int    // offset of the statement with the change; -1 outside functions
	alone  bool   // does not compile behind a switch
	patch  *patch // of a user's mutant; otherwise nil
}

// edit replaces the bytes from..to of a file.
type edit struct {
	from, to int
	text     string
}

// Outside reports whether the mutant is of a declaration outside functions.
func (m *Mutant) Outside() bool { return m.probe < 0 }

// Alone reports whether the mutant is built alone, because it does not fit behind a switch.
func (m *Mutant) Alone() bool { return m.Outside() || m.alone }

// files returns the names of the files that the mutant changes.
func (m *Mutant) files() []string {
	if m.patch != nil {
		return m.patch.files()
	}
	return []string{m.File}
}

// searched reports whether the programs of the scenarios judge the mutant.
func (m *Mutant) searched() bool { return slices.ContainsFunc(m.files(), m.target.searches) }

// folder returns the folder in which the mutant is built, if it is built alone.
func (m *Mutant) folder() string { return fmt.Sprintf("m%d", m.Number) }

// apply returns the part from..to of a text after edits, which are within it.
func apply(text []byte, from, to int, edits []edit) string {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	var b strings.Builder
	at := from
	for _, e := range edits {
		b.Write(text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(text[at:to])
	return b.String()
}

// Text returns the whole file with the mutant in it.
func (p *Package) Text(m *Mutant) string {
	text := p.texts[m.File]
	return apply(text, 0, len(text), m.edits)
}

// Diff shows the mutant: removed lines with a minus, added lines with a plus, and two lines around them.
func (p *Package) Diff(m *Mutant) string {
	if m.patch != nil {
		return m.patch.diff
	}
	before := strings.Split(string(p.texts[m.File]), "\n")
	after := strings.Split(p.Text(m), "\n")
	head, tail := 0, 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	for tail < min(len(before), len(after))-head &&
		before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	const around = 2
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d\n", m.File, head+1)
	for _, l := range before[max(0, head-around):head] {
		fmt.Fprintf(&b, "  %s\n", l)
	}
	for _, l := range before[head : len(before)-tail] {
		fmt.Fprintf(&b, "- %s\n", l)
	}
	for _, l := range after[head : len(after)-tail] {
		fmt.Fprintf(&b, "+ %s\n", l)
	}
	end := len(before) - tail
	for _, l := range before[end:min(len(before), end+around)] {
		fmt.Fprintf(&b, "  %s\n", l)
	}
	return b.String()
}

// Enumerated are the mutants of a package.
type Enumerated struct {
	Mutants  []*Mutant // in the order of files, functions and operators
	Invalid  int       // candidates that do not compile, and so are not mutants
	Repeated int       // candidates with the same text as another one
}

// Mutants enumerates the mutants of the package whose names are wanted. The same source gives the same list.
// The name of a mutant does not depend on which others are wanted.
func (p *Package) Mutants(wanted func(name string) bool) Enumerated {
	var all Enumerated
	for _, name := range p.names {
		for _, d := range p.files[name].Decls {
			e := &enumeration{p: p, file: name, decl: d, hash: hashOf(d), seen: map[string]bool{},
				count: map[string]int{}, wanted: wanted}
			e.run()
			all.Mutants = append(all.Mutants, e.found...)
			all.Invalid += e.invalid
			all.Repeated += e.repeated
		}
	}
	renumber(all.Mutants)
	return all
}

// Names enumerates like Mutants, but does not check whether a mutant compiles, which takes the most time. So
// some elements of the list may not be mutants.
func (p *Package) Names(wanted func(name string) bool) []*Mutant {
	quick := *p
	quick.untried = true
	return quick.Mutants(wanted).Mutants
}

// enumeration collects the mutants of one declaration.
type enumeration struct {
	p                 *Package
	file              string
	decl              ast.Decl
	hash              string
	name              string
	found             []*Mutant
	wanted            func(name string) bool
	seen              map[string]bool // texts, without white space
	count             map[string]int  // by operator
	invalid, repeated int
	stack             []ast.Node // from the declaration to the current node
}

func (e *enumeration) run() {
	switch d := e.decl.(type) {
	case *ast.FuncDecl:
		if d.Body == nil {
			return
		}
		e.name = functionName(d)
	case *ast.GenDecl:
		if d.Tok != token.CONST && d.Tok != token.VAR {
			return
		}
		e.name = d.Specs[0].(*ast.ValueSpec).Names[0].Name
	}
	from, to := e.p.offset(e.decl.Pos()), e.p.offset(e.decl.End())
	e.seen[squeezed(string(e.p.texts[e.file][from:to]))] = true
	for _, op := range operators {
		ast.Inspect(e.decl, func(n ast.Node) bool {
			if n == nil {
				e.stack = e.stack[:len(e.stack)-1]
				return true
			}
			e.stack = append(e.stack, n)
			if _, isType := n.(*ast.FuncType); isType || n == receiver(e.decl) {
				e.stack = e.stack[:len(e.stack)-1]
				return false
			}
			op.find(e, op.Name, n)
			return true
		})
	}
}

func receiver(d ast.Decl) ast.Node {
	if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
		return fn.Recv
	}
	return nil
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// add keeps a mutant, unless it does not compile or has the same text as another one.
func (e *enumeration) add(operator string, at ast.Node, edits ...edit) {
	e.count[operator]++
	m := &Mutant{
		Name: fmt.Sprintf("%s%s:%s#%d %s", e.p.target.prefix, e.file, e.name, e.count[operator], operator),
		File: e.file, Func: e.name, Operator: operator, Line: e.p.fset.Position(at.Pos()).Line,
		Hash: e.hash, target: e.p.target, decl: e.decl, edits: edits, probe: -1,
	}
	if fn, ok := e.decl.(*ast.FuncDecl); ok {
		m.probe = e.p.offset(e.statement(fn))
	}
	text := e.p.texts[e.file]
	key := squeezed(apply(text, e.p.offset(e.decl.Pos()), e.p.offset(e.decl.End()), edits))
	if e.seen[key] {
		e.repeated++
		return
	}
	e.seen[key] = true
	if !e.wanted(m.Name) {
		return
	}
	function := e.name
	if m.Outside() {
		function = ""
	}
	if !e.p.untried && !e.p.compiles(e.file, function, []byte(e.p.Text(m))) {
		e.invalid++
		return
	}
	e.found = append(e.found, m)
}

// statement returns the begin of the innermost statement of a list that contains the current node. For the
// function as a whole, it is the place before the first statement.
func (e *enumeration) statement(fn *ast.FuncDecl) token.Pos {
	for i := len(e.stack) - 1; i > 0; i-- {
		s, ok := e.stack[i].(ast.Stmt)
		if !ok {
			continue
		}
		if slices.Contains(listOf(e.stack[i-1]), s) {
			return s.Pos()
		}
	}
	return fn.Body.Lbrace + 1
}

// listOf returns the statements of a block or a case. The block of a switch or a select has cases, so it
// returns none for it.
func listOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		if len(n.List) > 0 && isClause(n.List[0]) {
			return nil
		}
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

func isClause(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}
