package lint

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/catalog/basket"
	"github.com/samecycle/samecycle/internal/catalog/control"
	"github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/catalog/shardmap"
	"github.com/samecycle/samecycle/internal/catalog/slots"
)

// Engine is an engine as the checks see it: its names, and by convention its folders, spec/tla/NAME,
// model/NAME, impl/NAME and scenarios/NAME.
type Engine struct {
	*catalog.Engine
	Also  []string // folders with functions of the engine, besides its own
	Parts []Part   // of the protocol that have a specification of their own
}

// Part is a part of a protocol with a specification of its own.
type Part struct {
	Module  string // without .tla
	Actions []catalog.PartAction

	// counter is a program counter; those of an actor that is at rest belong to no action, and have one word.
	counter *regexp.Regexp
}

var (
	reOwnerCounter = regexp.MustCompile(`"((?:Process|Owner|Table|Call)[A-Z]\w*)"`)
	reBellCounter  = regexp.MustCompile(`"((?:Bell|Service|Work|Call)[A-Z]\w*)"`)

	reHandedCounter = regexp.MustCompile(`"((?:Handed|Owner|Call)[A-Z]\w*)"`)
)

// registered are the engines whose registers are no literals, or have parts. The names of another engine are
// read from the source of its register; see namesIn.
func registered() []*Engine {
	return []*Engine{
		{Engine: hopscotch.Engine(), Parts: []Part{
			{"Owner", hopscotch.OwnerActions(), reOwnerCounter},
			{"Bell", hopscotch.BellActions(), reBellCounter},
			{"Handed", hopscotch.HandedActions(), reHandedCounter},
		}},
		{Engine: shardmap.Engine()},
		{Engine: basket.Engine()},
		{Engine: slots.Engine()},
		{Engine: control.Engine(), Also: control.Also()},
	}
}

func (e *Engine) spec() string      { return "spec/tla/" + e.Name + "/" }
func (e *Engine) model() string     { return "model/" + e.Name }
func (e *Engine) impl() string      { return "impl/" + e.Name }
func (e *Engine) scenarios() string { return "scenarios/" + e.Name }
func (e *Engine) register() string  { return "internal/catalog/" + e.Name }

// code are the files of an engine's implementation.
func (t *Tree) code(e *Engine) func(yield func(*Source) bool) {
	return func(yield func(*Source) bool) {
		for _, folder := range append([]string{e.impl()}, e.Also...) {
			for s := range t.sources(folder) {
				if !yield(s) {
					return
				}
			}
		}
	}
}

func (e *Engine) actionsFile() string { return e.register() + "/actions.go" }
func (e *Engine) partsFile() string   { return e.register() + "/parts.go" }
func (e *Engine) statesFile() string  { return e.register() + "/states.go" }

// letter begins the identifiers of the engine's states.
func (e *Engine) letter() string { return e.States[0].ID[:1] }

// general are the packages that take any engine and know none. impl/region counts as general: engines that
// live in shared memory share it.
var general = []string{
	"explore/...", "foreign/...", "harness/...", "impl/region", "model/search/...", "stress/...",
	"linearizability", "internal/history", "internal/tlc/...", "internal/mutate", "internal/mutate/judge",
	"internal/evidence/...",
	"internal/catalog", "internal/catalogtest", "internal/samestates", "internal/seam", "internal/hook",
	"internal/plural",
	"internal/disk", "internal/testlog",
}

// engineBorder holds the border between the harness and the engines: no general package imports one, or has
// the name of one or of its folders as a text. Tests of general packages may use the names of an engine as
// examples, and nothing else of it.
func engineBorder(t *Tree) []Finding {
	var found list
	for _, s := range t.Go {
		inside := func(p string) bool { return within(s.Dir, p) }
		if s.File == nil || t.nested(s.Dir) != "" || !slices.ContainsFunc(general, inside) ||
			strings.HasPrefix(s.Dir, "internal/catalog/") {
			continue
		}
		if !s.Test {
			found = append(found, t.namesEngine(s)...)
		}
		for _, imp := range s.File.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			folder, ours := strings.CutPrefix(name, Module+"/")
			if e := t.engineOf(folder); ours && e != "" && !(s.Test && t.names(folder)) {
				found.add(s.Path, s.Line(imp.Pos()), "import of %s, which belongs to the engine %s, into "+
					"the general package %s: take what it needs from harness.Engine", folder, e, s.Dir)
			}
		}
	}
	return append(found, unregistered(t)...)
}

// namesEngine finds texts of a general package that are the name of an engine, or have that of one of its
// folders.
func (t *Tree) namesEngine(s *Source) []Finding {
	var found list
	folders := map[string]*regexp.Regexp{}
	for _, e := range t.Engines {
		folders[e.Name] = regexp.MustCompile(`\b(impl|model|scenarios|catalog|tla|results)/` +
			regexp.QuoteMeta(e.Name) + `\b`)
	}
	ast.Inspect(s.File, func(n ast.Node) bool {
		if _, imports := n.(*ast.ImportSpec); imports {
			return false
		}
		text, ok := n.(*ast.BasicLit)
		if !ok || text.Kind != token.STRING {
			return true
		}
		word, _ := strconv.Unquote(text.Value)
		for _, e := range t.Engines {
			if word == e.Name || folders[e.Name].MatchString(word) {
				found.add(s.Path, s.Line(text.Pos()), "%s names the engine %s in the general package %s: "+
					"take it from what the engine registers, harness.Engine", text.Value, e.Name, s.Dir)
			}
		}
		return true
	})
	return found
}

// names reports whether a folder has names of an engine and nothing else.
func (t *Tree) names(folder string) bool {
	return slices.ContainsFunc(t.Engines, func(e *Engine) bool {
		return folder == e.register() || folder == e.register()+"/mutants"
	})
}

// engineOf is the name of the engine that a folder belongs to, or "". The service works for the hopscotch
// table.
func (t *Tree) engineOf(folder string) string {
	if within(folder, "service/...") {
		return "hopscotch"
	}
	for _, e := range t.Engines {
		for _, own := range append([]string{e.impl(), e.model(), e.scenarios(), e.register()}, e.Also...) {
			if within(folder, own+"/...") {
				return e.Name
			}
		}
	}
	return ""
}

// unregistered finds registers of names that no check looks at.
func unregistered(t *Tree) []Finding {
	var found list
	for _, dir := range t.registers() {
		if name := path.Base(dir); !t.hasEngine(name) {
			found.add(dir, 0, "the names of the engine %s are checked nowhere: write its states as "+
				"literals of catalog.State and its actions as literals of catalog.Action, or add it to "+
				"internal/lint/engines.go", name)
		}
	}
	return found
}

func (t *Tree) hasEngine(name string) bool {
	return slices.ContainsFunc(t.Engines, func(e *Engine) bool { return e.Name == name })
}

// registers are the folders below internal/catalog, each with the names of one engine.
func (t *Tree) registers() []string {
	var all []string
	for s := range t.sources("internal/catalog/...") {
		if path.Dir(s.Dir) == "internal/catalog" && !slices.Contains(all, s.Dir) {
			all = append(all, s.Dir)
		}
	}
	return all
}

// addEngines adds the engines whose names can be read from the source of their registers.
func (t *Tree) addEngines() {
	for _, dir := range t.registers() {
		name := path.Base(dir)
		if t.hasEngine(name) {
			continue
		}
		if e := (&Engine{Engine: t.namesIn(dir)}); len(e.States) > 0 {
			e.Name = name
			t.Engines = append(t.Engines, e)
		}
	}
}

// namesIn reads names from literals: of states, which have an ID; of actions, which have a Name and a Module;
// of stutters, and of actions that are missing or made elsewhere. So a new engine needs no line in this
// package, and a register that does not compile is read as well.
func (t *Tree) namesIn(dir string) *catalog.Engine {
	var e catalog.Engine
	for s := range t.sources(dir) {
		if s.Test {
			continue
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			f := fieldsOf(lit)
			if len(f["ID"]) == 1 {
				e.States = append(e.States, catalog.State{ID: f["ID"][0]})
			}
			if len(f["Name"]) == 1 && len(f["Module"]) == 1 {
				e.Actions = append(e.Actions, catalog.Action{Name: f["Name"][0], Module: f["Module"][0]})
			}
			e.Stutters = append(e.Stutters, f["Stutters"]...)
			e.Missing = append(e.Missing, f["Missing"]...)
			e.Elsewhere = append(e.Elsewhere, f["Elsewhere"]...)
			return true
		})
	}
	return &e
}

// fieldsOf are the strings that a literal gives its fields: one string, or a list of strings.
func fieldsOf(lit *ast.CompositeLit) map[string][]string {
	fields := map[string][]string{}
	for _, element := range lit.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, _ := pair.Key.(*ast.Ident)
		values := []ast.Expr{pair.Value}
		if inner, ok := pair.Value.(*ast.CompositeLit); ok {
			values = inner.Elts
		}
		for _, v := range values {
			if text, ok := v.(*ast.BasicLit); ok && key != nil && text.Kind == token.STRING {
				word, _ := strconv.Unquote(text.Value)
				fields[key.Name] = append(fields[key.Name], word)
			}
		}
	}
	return fields
}
