package mutate

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// unmarked is the mark for a schema whose bodies have no marks.
func unmarked(*Mutant) string { return "" }

// Environment variables that a program with compiled-in mutants reads.
const (
	EnvMutant  = "SAMECYCLE_MUTANT"         // the number of the mutant; 0 or empty: none
	EnvReached = "SAMECYCLE_MUTANT_REACHED" // file that is created when the mutant's statement is reached
)

// rounds is more than the number of rounds that any loop of the engine may make within one call: four times
// the bound of its operations (Options.Patience, the retry limit). A mutant that makes more rounds runs for
// ever.
const rounds = 1 << 22

// switchFile is added to the package.
const switchFile = "mutant_switch.go"

// switchText reads the switch once. It is plain memory, so reading it is not a scheduling point.
const switchText = `package %s

import (
	"os"
	"strconv"
)

var activeMutant = func() int {
	n, _ := strconv.Atoi(os.Getenv(%q))
	return n
}()

var mutantReached bool

// mutantHits are the places of mutants that have been reached without one.
var mutantHits [%d]byte

// MutantHits is for the judge.
func MutantHits() []byte { return mutantHits[:] }

// reachMutant makes the file on another thread: tests may refuse, or count, the system calls of theirs.
func reachMutant() {
	if !mutantReached {
		mutantReached = true
		made := make(chan struct{})
		go func() {
			defer close(made)
			_ = os.WriteFile(os.Getenv(%q), nil, 0o600)
		}()
		<-made
	}
}
`

// separate finds the mutants that do not compile in a branch of their function, because a := that sets a
// named result would declare a new variable there. They are built alone.
func (p *Package) separate(mutants []*Mutant) error {
	const mark = "mutant"
	texts := p.schema(mutants, func(m *Mutant) string {
		if m == nil {
			return "/*line original:1:1*/"
		}
		return fmt.Sprintf("/*line %s%d:1:1*/", mark, m.Number)
	})
	// The package's importer does not know the packages that the switch imports.
	texts[switchFile] = "package " + p.typed.Name() + "\n\nvar activeMutant int\n\n" +
		"var mutantHits []byte\n\nfunc reachMutant() {}\n"
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f, err := parser.ParseFile(fset, name, texts[name], parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrBuild, err)
		}
		files = append(files, f)
	}
	var other error
	conf := types.Config{Importer: p.imports, Error: func(err error) {
		var e types.Error
		errors.As(err, &e)
		at, ok := strings.CutPrefix(fset.Position(e.Pos).Filename, mark)
		if n, bad := strconv.Atoi(at); ok && bad == nil && n >= 1 && n <= len(mutants) {
			mutants[n-1].alone = true
		} else {
			other = errors.Join(other, err)
		}
	}}
	_, _ = conf.Check(p.Path, fset, files, nil) // its error is the first one passed to conf.Error
	if other != nil {
		return fmt.Errorf("%w: %w", ErrBuild, other)
	}
	return nil
}

// schema returns the package with the mutants behind a switch in each function: file name to text. Loops
// count their rounds, so a loop that runs for ever is reported.
func (p *Package) schema(mutants []*Mutant, mark func(*Mutant) string) map[string]string {
	places := placesOf(mutants)
	texts := map[string]string{
		switchFile: fmt.Sprintf(switchText, p.files[p.names[0]].Name.Name, EnvMutant,
			len(places)+1, EnvReached),
	}
	byFunction := map[ast.Decl][]*Mutant{}
	for _, m := range mutants {
		if !m.Alone() {
			byFunction[m.decl] = append(byFunction[m.decl], m)
		}
	}
	for _, name := range p.names {
		var edits []edit
		for _, d := range p.files[name].Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			from, to := p.offset(fn.Body.Lbrace)+1, p.offset(fn.Body.Rbrace)
			edits = append(edits, edit{from, to, p.switched(name, fn, byFunction[d], places, mark)})
		}
		if len(edits) > 0 {
			text := p.texts[name]
			texts[name] = strings.ReplaceAll(apply(text, 0, len(text), edits), noStackCheck, "\n//\n")
		}
	}
	return texts
}

// noStackCheck is the directive that makes a function not check whether the stack is large enough. With its
// mutants the function needs more stack than such a function may use.
const noStackCheck = "\n//go:nosplit\n"

// place is where a mutant begins to differ.
type place struct {
	file  string
	probe int
}

// placesOf numbers the places of the mutants behind the switch.
func placesOf(mutants []*Mutant) map[place]int {
	places := map[place]int{}
	for _, m := range mutants {
		if at := (place{m.File, m.probe}); !m.Alone() {
			if _, known := places[at]; !known {
				places[at] = len(places)
			}
		}
	}
	return places
}

// switched returns the body of a function with its mutants.
func (p *Package) switched(file string, fn *ast.FuncDecl, mutants []*Mutant, places map[place]int,
	mark func(*Mutant) string) string {
	text := p.texts[file]
	from, to := p.offset(fn.Body.Lbrace)+1, p.offset(fn.Body.Rbrace)
	counts := p.counted(fn)
	var b strings.Builder
	if len(counts) > 0 {
		b.WriteString("\nvar mutantRounds int")
	}
	if len(mutants) == 0 {
		b.WriteString(apply(text, from, to, counts))
		return b.String()
	}
	b.WriteString("\nswitch activeMutant {\n")
	for _, m := range mutants {
		edits := append([]edit{{m.probe, m.probe, "reachMutant(); "}}, counts...)
		fmt.Fprintf(&b, "case %d:\n%s%s\n", m.Number, mark(m), apply(text, from, to, merged(edits, m.edits)))
	}
	for at := range placesOf(mutants) {
		counts = append(counts, edit{at.probe, at.probe,
			fmt.Sprintf("mutantHits[%d] = 1; ", places[at])})
	}
	fmt.Fprintf(&b, "default:\n%s%s\n}\n", mark(nil), apply(text, from, to, counts))
	return b.String()
}

// merged returns the edits of a mutant together with those that are made to every body. If an edit of every
// body inserts text into a part that the mutant replaces, it is dropped, or made in the new text.
func merged(common, own []edit) []edit {
	all := common[:0:0]
	for _, c := range common {
		inside := false
		for _, o := range own {
			inside = inside || o.from < c.from && c.from < o.to
		}
		if !inside {
			all = append(all, c)
		}
	}
	return append(all, own...)
}

// counted makes each loop of a function count its rounds.
func (p *Package) counted(fn *ast.FuncDecl) []edit {
	var edits []edit
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		var brace token.Pos
		switch n := n.(type) {
		case *ast.ForStmt:
			brace = n.Body.Lbrace
		case *ast.RangeStmt:
			brace = n.Body.Lbrace
		default:
			return true
		}
		at := p.offset(brace) + 1
		edits = append(edits, edit{at, at, fmt.Sprintf(" if mutantRounds++; mutantRounds > %d "+
			"{ panic(\"a loop of the mutant does not end\") };", rounds)})
		return true
	})
	return edits
}
