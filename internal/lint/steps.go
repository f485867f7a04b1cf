package lint

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// free are the files of engines whose functions access shared words without being actions.
var free = map[string]string{
	"impl/hopscotch/check.go":  "reads a table that is at rest, and finds what is wrong with it",
	"impl/hopscotch/print.go":  "reads a table for a person; every word is shown as it was when it was read",
	"impl/shardmap/inspect.go": "tells the explorer where the words are, and reads a map that is at rest",
}

// accessMethods are the methods of a shared word.
var accessMethods = []string{"Load", "Store", "CompareAndSwap", "Swap", "Add", "And", "Or", "Look", "Change"}

// ambiguous are those that other types have too: they count only on a known word.
var ambiguous = []string{"Add", "Look", "Change"}

// stepName is the engine's function of an action.
func stepName(action string) string { return strings.ToLower(action[:1]) + action[1:] }

// functions are the declared functions and methods of a file.
func functions(s *Source) []*ast.FuncDecl {
	var all []*ast.FuncDecl
	for _, d := range s.File.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			all = append(all, fn)
		}
	}
	return all
}

// engineSteps holds each engine against "one function, one access": the function of an action or
// stutter makes exactly one access of a shared word, outside of any loop, and no other function
// makes one.
func engineSteps(t *Tree) []Finding {
	var found list
	for _, e := range t.Engines {
		found = append(found, stepsOf(t, e)...)
	}
	return found
}

// steps are the functions of an engine that make an access, by name.
func (e *Engine) steps() map[string]bool {
	steps := map[string]bool{}
	for _, a := range e.Actions {
		if a.Module != client {
			steps[stepName(a.Name)] = true
		}
	}
	for _, name := range e.Stutters {
		steps[stepName(name)] = true
	}
	for _, p := range e.Parts {
		for _, a := range p.Actions {
			if a.Access && slices.Contains(a.Functions, stepName(a.Name)) {
				steps[stepName(a.Name)] = true
			}
		}
	}
	return steps
}

func stepsOf(t *Tree, e *Engine) []Finding {
	var found list
	steps := e.steps()
	o := owner{e, steps, map[string]bool{}, seamFields(t, e)}
	for name := range steps {
		o.actors[firstWord(name)] = true
	}
	for s := range t.code(e) {
		if s.Test || free[s.Path] != "" {
			continue
		}
		for _, d := range s.File.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				for _, p := range accesses(d, o.words) {
					found.add(s.Path, s.Line(p), "a shared word is accessed outside of a function")
				}
				continue
			}
			found = append(found, o.stepFindings(s, fn)...)
		}
	}
	return found
}

// owner is an engine with what its functions are held against.
type owner struct {
	engine *Engine
	steps  map[string]bool
	actors map[string]bool // first words of the steps
	words  map[string]bool // fields that are shared words
}

func (o owner) stepFindings(s *Source, fn *ast.FuncDecl) []Finding {
	var found list
	name, at := fn.Name.Name, accesses(fn, o.words)
	switch {
	case o.steps[name]:
		if slices.ContainsFunc(o.engine.Elsewhere, func(a string) bool { return stepName(a) == name }) {
			if len(at) > 1 { // one may be a method of another engine that has the name of an access
				found.add(s.Path, s.Line(fn.Pos()), "step %s makes %d accesses, and is said to leave its "+
					"one to another engine: call that one once", name, len(at))
			}
			break
		}
		if len(at) != 1 {
			found.add(s.Path, s.Line(fn.Pos()), "step %s makes %d accesses of shared words: an "+
				"action is exactly one, give each its own function and catalog entry", name, len(at))
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				found.add(s.Path, s.Line(n.Pos()), "step %s loops: an action happens once, loop in "+
					"its caller", name)
			}
			return true
		})
	case len(at) == 0:
	case o.actors[firstWord(name)]:
		found.add(s.Path, s.Line(fn.Pos()), "%s accesses a shared word and is no action: add it to "+
			"%s, as an action or a stutter", name, o.engine.actionsFile())
	default:
		for _, p := range at {
			found.add(s.Path, s.Line(p), "%s accesses a shared word: only the functions of actions "+
				"do; call one, or add an action", name)
		}
	}
	return found
}

// seamFields are the names of the fields of the engine's structures that are shared words.
func seamFields(t *Tree, e *Engine) map[string]bool {
	fields := map[string]bool{}
	for s := range t.code(e) {
		ast.Inspect(s.File, func(n ast.Node) bool {
			if f, ok := n.(*ast.Field); ok && isWord(f.Type) {
				for _, name := range f.Names {
					fields[name.Name] = true
				}
			}
			return true
		})
	}
	return fields
}

// wordTypes are those of internal/seam whose values are shared.
var wordTypes = []string{"Uint64", "Uint32", "Guarded"}

// isWord tells whether a type is one of wordTypes or an array of them.
func isWord(e ast.Expr) bool {
	if a, ok := e.(*ast.ArrayType); ok {
		return a.Len != nil && isWord(a.Elt)
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || !slices.Contains(wordTypes, sel.Sel.Name) {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && (pkg.Name == "seam" || pkg.Name == "atomic")
}

// accesses are the places in a node where a shared word is accessed, or its address is taken:
// whoever has the address could access it out of sight.
func accesses(n ast.Node, words map[string]bool) []token.Pos {
	var at []token.Pos
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if ok && slices.Contains(accessMethods, sel.Sel.Name) &&
				(!slices.Contains(ambiguous, sel.Sel.Name) || words[lastName(sel.X)]) {
				at = append(at, sel.Sel.Pos())
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && words[lastName(n.X)] {
				at = append(at, n.Pos())
			}
		}
		return true
	})
	return at
}

// lastName is the field that an expression ends in: word0 of c.word0, spare of d.spare[1].
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		return lastName(e.X)
	case *ast.ParenExpr:
		return lastName(e.X)
	}
	return ""
}

// outside are the packages through which code reaches what the seam must see: locks, time,
// randomness, the scheduler.
var outside = []string{"sync", "sync/atomic", "time", "math/rand", "math/rand/v2", "runtime",
	"crypto/rand", "context", "os/signal"}

// waitless are the engines that promise that nobody waits.
var waitless = []string{"impl/hopscotch", "impl/basket"}

// waits are the ways to sleep, or to leave the processor to others, that internal/seam and impl/region have.
// The table uses none of them: the native runs take the processor time of an operation for all the time
// that others could hold it up (stress/meter.go).
var waits = []string{"Sleep", "Gosched", "Await", "AttachWithin", "SleepUntilRung"}

// beside are the packages below impl that are no engines: they make no step of a protocol themselves, so the
// explorer has nothing to see there. They may ask for the time and start goroutines.
var beside = map[string]string{
	"impl/cache": "calls the engines below it on behalf of programs: it lends them handles, asks the " +
		"clock, and has a janitor",
	"impl/filestore": "keeps entries in files, and has no word of a region",
	"impl/remote":    "calls the slots on behalf of programs: it has their contexts, and asks the clock",
}

// engineOutside holds the engine against decision D3: it reaches atomics, locks, waits, time and
// randomness through internal/seam only, and starts nothing that runs beside its callers. The table
// waits for nobody.
func engineOutside(t *Tree) []Finding {
	var found list
	for s := range t.sources("impl/...") {
		if s.Test || beside[s.Dir] != "" {
			continue
		}
		for _, imp := range s.File.Imports {
			if blank(imp) {
				continue // names nothing: it can make no access
			}
			if name, _ := strconv.Unquote(imp.Path.Value); slices.Contains(outside, name) {
				found.add(s.Path, s.Line(imp.Pos()), "import of %s into the engine, where the "+
					"explorer cannot see it: go through internal/seam", name)
			}
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if slices.Contains(waitless, s.Dir) && slices.Contains(waits, n.Sel.Name) {
					found.add(s.Path, s.Line(n.Pos()), "%s sleeps, and no call of this engine does: "+
						"finish the operation that is in the way", n.Sel.Name)
				}
			case *ast.GoStmt, *ast.SelectStmt, *ast.ChanType, *ast.SendStmt:
				found.add(s.Path, s.Line(n.Pos()), "the engine uses goroutines or channels, which "+
					"the explorer cannot see: leave it to callers, or go through internal/seam")
			}
			return true
		})
	}
	return found
}
