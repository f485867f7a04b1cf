package lint

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/samecycle/samecycle/internal/catalog"
)

// reProgram is a definition of a program: an operator, a field of a table, or a case.
var reProgram = regexp.MustCompile(`(?m)^\s*(?:\[\]\s*)?(?:name = ")?(([A-Z])(\d\d[A-Za-z]+)(?:_\w+)?)"?` +
	`\s*(?:==|\|->|->)`)

// programFiles are the modules that may have programs, and the model's files with the same ones. Each engine
// has the first or the last.
var programFiles = [...]struct{ spec, model string }{
	{"Scenarios.tla", "programs.go"}, {"ThreeActors.tla", "three.go"}, {"Programs.tla", "programs.go"},
}

// manifestRun is what a name check needs of an entry of the manifest.
type manifestRun struct{ Name, State, Module, Kind, Temporal string }

// stateNames holds each operation state that is built (it has a program in programFiles)
// against every layer: the same identifier in the specification's runs, in the model's programs,
// in the scenarios and in the page with the engine's matrix.
func stateNames(t *Tree) []Finding {
	var found list
	for _, e := range t.Engines {
		found = append(found, statesOf(t, e)...)
	}
	return found
}

func statesOf(t *Tree, e *Engine) []Finding {
	var found list
	manifest := e.spec() + "manifest.json"
	programs, found := programsOf(t, e)
	if len(programs) == 0 {
		found.add(e.spec(), 0, "the programs of the operation states are missing: %s or %s has none",
			programFiles[0].spec, programFiles[2].spec)
		return found
	}
	var runs []manifestRun
	if err := json.Unmarshal(t.Files[manifest], &runs); err != nil {
		found.add(manifest, 0, "the list of TLC runs does not parse: %v", err)
	}
	scenarios, fromModel := t.words(e.scenarios()), t.takesPrograms(e)
	maps.Copy(scenarios, t.words(e.scenarios()+"/states")) // rows may be in a package of their own
	for _, state := range sortedNames(programs) {
		if !fromModel {
			found = append(found, stateInScenarios(e, programs[state], scenarios)...)
		}
		found = append(found, stateInSpec(t, e, state, runs)...)
		row := regexp.MustCompile(`\b` + state + `\b`)
		if page := pageOf(t, e); !row.Match(t.Files[page]) {
			found.add(page, 0, "state %s is built and has no row in the matrix: add it", state)
		}
	}
	return found
}

// pageOf is where an engine's states are listed: README.md, or the page of its specification if README.md has
// none of them.
func pageOf(t *Tree, e *Engine) string {
	if regexp.MustCompile(`\b`+e.letter()+`\d\d[A-Z]`).Match(t.Files["README.md"]) || e == t.Engines[0] {
		return "README.md"
	}
	return e.spec() + "README.md"
}

// programsOf are the programs of the specification by state, and what is wrong with their names.
func programsOf(t *Tree, e *Engine) (map[string][]string, list) {
	var found list
	programs := map[string][]string{}
	for _, file := range programFiles {
		place, spec := e.model()+"/"+file.model, t.Files[e.spec()+file.spec]
		model := t.words(place)
		for _, m := range reProgram.FindAllSubmatchIndex(spec, -1) {
			program := string(spec[m[2]:m[3]])
			state := string(spec[m[4]:m[7]])
			if string(spec[m[4]:m[5]]) != e.letter() {
				continue // no name of a program
			}
			if !slices.ContainsFunc(e.States, func(s catalog.State) bool { return s.ID == state }) {
				found.add(e.spec()+file.spec, lineAt(spec, m[2]), "program %s belongs to no state of the "+
					"catalog: take the spelling of %s", program, e.statesFile())
				continue
			}
			if !model[program] {
				found.add(place, 0, "program %s of %s is missing: add it under the same name", program,
					file.spec)
			}
			programs[state] = append(programs[state], program)
		}
	}
	return programs, found
}

// takesPrograms reports whether the scenarios of an engine are made of the model's programs: they call a
// function of the model that returns them. Then none can be missing.
func (t *Tree) takesPrograms(e *Engine) bool {
	takes := false
	for s := range t.sources(e.scenarios()) {
		if s.Test {
			continue
		}
		var models []string
		for _, imp := range s.File.Imports {
			if name, _ := strconv.Unquote(imp.Path.Value); name == Module+"/"+e.model() {
				models = append(models, e.Name)
				if imp.Name != nil {
					models = append(models, imp.Name.Name)
				}
			}
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if ok && (sel.Sel.Name == "Programs" || sel.Sel.Name == "ProgramsOf") {
				pkg, _ := sel.X.(*ast.Ident)
				takes = takes || pkg != nil && slices.Contains(models, pkg.Name)
			}
			return true
		})
	}
	return takes
}

// stateInScenarios: the engine runs all programs of a state or, as long as it lacks an action that
// they need, none.
func stateInScenarios(e *Engine, programs []string, scenarios map[string]bool) []Finding {
	var found list
	some := slices.ContainsFunc(programs, func(p string) bool { return scenarios[p] })
	for _, p := range programs {
		if some && !scenarios[p] {
			found.add(e.scenarios(), 0, "program %s of the specification is missing, another one of its "+
				"state is there: add it under the same name", p)
		}
	}
	return found
}

// stateInSpec looks for the three runs of a state. What is wrong with a configuration is told by whoever
// loads the manifest.
func stateInSpec(t *Tree, e *Engine, state string, runs []manifestRun) []Finding {
	var found list
	manifestFile := e.spec() + "manifest.json"
	for _, kind := range []string{"safety", "witness", "liveness"} {
		i := slices.IndexFunc(runs, func(r manifestRun) bool {
			also := kind == "liveness" && r.Kind == "safety" && r.Temporal != ""
			return r.State == state && (r.Kind == kind || also)
		})
		if i < 0 {
			found.add(manifestFile, 0, "state %s has no run of the kind %s: add one",
				state, kind)
			continue
		}
		if !strings.Contains(runs[i].Name, state) {
			found.add(manifestFile, 0, "the %s run of %s has the name %q: put the state's name into it",
				kind, state, runs[i].Name)
		}
	}
	return found
}

// words are the identifiers and the contents of short string literals in a Go file, or in the
// files of a folder, tests left out. A constant and a literal that are added are one word.
func (t *Tree) words(place string) map[string]bool {
	words := map[string]bool{}
	for _, s := range t.Go {
		if s.File == nil || s.Test || s.Path != place && s.Dir != place {
			continue
		}
		constants := stringConstants(s)
		ast.Inspect(s.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				left, _ := n.X.(*ast.Ident)
				right, _ := n.Y.(*ast.BasicLit)
				if n.Op == token.ADD && left != nil && right != nil && right.Kind == token.STRING {
					text, _ := strconv.Unquote(right.Value)
					words[constants[left.Name]+text] = true
				}
			case *ast.Ident:
				words[n.Name] = true
			case *ast.BasicLit:
				if n.Kind == token.STRING {
					text, _ := strconv.Unquote(n.Value)
					words[text] = true
				}
			}
			return true
		})
	}
	return words
}

// stringConstants are the constants of a file whose value is a string literal.
func stringConstants(s *Source) map[string]string {
	values := map[string]string{}
	ast.Inspect(s.File, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, name := range spec.Names {
			if i >= len(spec.Values) {
				break
			}
			if lit, ok := spec.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				values[name.Name], _ = strconv.Unquote(lit.Value)
			}
		}
		return true
	})
	return values
}

// lineAt is the line of a byte offset.
func lineAt(text []byte, offset int) int {
	return 1 + strings.Count(string(text[:offset]), "\n")
}

// client is the module of the events that are no access of shared memory.
const client = "Client"

// moduleFile is the TLA+ module of an action. The client's events are in the module of the engine's name.
func (t *Tree) moduleFile(e *Engine, module string) string {
	if module != client {
		return e.spec() + module + ".tla"
	}
	for name := range t.Files {
		if strings.EqualFold(name, e.spec()+e.Name+".tla") {
			return name
		}
	}
	return e.spec()
}

// unguarded are actions that may happen at any program counter.
var unguarded = []string{"ClientCrash"}

// restCounters are the program counters of an actor that takes no action any more.
var restCounters = []string{"Dead", "Over"}

var (
	reGuard = regexp.MustCompile(`(?m)^\s*/\\\s*(?:(?:loc\[t\]|l)\.pc = |Is\(a, )"(\w+)"\)?\s*` +
		`(?:/\\.*|\\\*.*)?$`)
	// Guards of a part may stand together with a condition in an operator of another name.
	rePartGuard = regexp.MustCompile(`(?m)^\s*/\\\s*(?:loc\[t\]|l)\.pc = "(\w+)"\s*(?:\\\*.*)?$`)
	reCounter   = regexp.MustCompile(`pc = "(\w+)"|\bAt\([^"\n]*"([A-Z][a-z]+[A-Z]\w*)"\)`)
	reOperator  = regexp.MustCompile(`(?m)^(\w+)(?:\(.*?\))?\s*==`)
)

// actionNames holds the catalog's actions against the operators of the specification, the
// actions of the model and the functions of the engine, in both directions.
func actionNames(t *Tree) []Finding {
	var found list
	for _, e := range t.Engines {
		found = append(found, actionsOf(t, e)...)
	}
	return found
}

func actionsOf(t *Tree, e *Engine) []Finding {
	var found list
	known := map[string]bool{}
	modelFile := e.model() + "/actions.go"
	model := t.words(modelFile)
	for _, a := range e.Actions {
		known[a.Name] = true
		file := t.moduleFile(e, a.Module)
		operator := regexp.MustCompile(`(?m)^` + a.Name + `\(\w\) ==`)
		if !operator.Match(t.Files[file]) {
			found.add(file, 0, "action %s of the catalog has no operator with an actor as parameter: write "+
				"it, or correct %s", a.Name, e.actionsFile())
		}
		if !model[a.Name] {
			found.add(modelFile, 0, "action %s of the catalog is missing: add it", a.Name)
		}
	}
	found = append(found, actionFunctions(t, e)...)
	found = append(found, modelActions(t, e, known)...)
	for _, p := range e.Parts {
		for _, a := range p.Actions {
			known[a.Name] = true
		}
		found = append(found, partActions(t, e, p)...)
	}
	return append(found, specActions(t, e, known)...)
}

// actionFunctions holds the functions of an engine against its actions and stutters.
func actionFunctions(t *Tree, e *Engine) []Finding {
	var found list
	engine := map[string]bool{}
	for s := range t.code(e) {
		for _, fn := range functions(s) {
			engine[fn.Name.Name] = engine[fn.Name.Name] || !s.Test
		}
	}
	for _, a := range e.Actions {
		missing := slices.Contains(e.Missing, a.Name)
		switch has := engine[stepName(a.Name)]; {
		case a.Module == client:
		case has && missing:
			found.add(e.actionsFile(), 0, "action %s is said to be not in the engine, which has the "+
				"function %s: take it out of that list", a.Name, stepName(a.Name))
		case !has && !missing:
			found.add(e.impl(), 0, "action %s of the catalog has no function %s: the access "+
				"of an action is made by the function of its name", a.Name, stepName(a.Name))
		}
	}
	for _, name := range e.Stutters {
		if !engine[stepName(name)] {
			found.add(e.impl(), 0, "stutter %s of the catalog has no function %s: write it, "+
				"or take it out of %s", name, stepName(name), e.actionsFile())
		}
	}
	return found
}

// specActions holds the guards and program counters of the specification against the catalog.
func specActions(t *Tree, e *Engine, known map[string]bool) []Finding {
	var found list
	guarded := map[string]bool{}
	for _, file := range sortedNames(t.Files) {
		if !strings.HasPrefix(file, e.spec()) || !strings.HasSuffix(file, ".tla") {
			continue
		}
		text, guard := t.Files[file], reGuard
		if slices.ContainsFunc(e.Parts, func(p Part) bool { return file == e.spec()+p.Module+".tla" }) {
			guard = rePartGuard
		}
		found = append(found, guards(t, file, guard, guarded)...)
		for _, m := range reCounter.FindAllSubmatchIndex(text, -1) {
			from, to := max(m[2], m[4]), max(m[3], m[5])
			if m[4] >= 0 && path.Dir(file)+"/" != e.spec() {
				continue // a specification in a folder of its own has actions of its own
			}
			if name := string(text[from:to]); !known[name] && !slices.Contains(restCounters, name) {
				found.add(file, lineAt(text, from), "the program counter %s is no action of the "+
					"catalog: add it to %s", name, e.actionsFile())
			}
		}
	}
	for _, a := range e.Actions {
		if !guarded[a.Name] && !slices.Contains(unguarded, a.Name) {
			found.add(t.moduleFile(e, a.Module), 0, `action %s has no guard pc = "%s"`, a.Name, a.Name)
		}
	}
	return found
}

// guards notes the actions that a module guards, and finds those whose operator has another name.
func guards(t *Tree, file string, guard *regexp.Regexp, guarded map[string]bool) []Finding {
	var found list
	text := t.Files[file]
	operators := reOperator.FindAllSubmatchIndex(text, -1)
	for _, m := range guard.FindAllSubmatchIndex(text, -1) {
		action := string(text[m[2]:m[3]])
		i := len(operators) - 1
		for i >= 0 && operators[i][0] > m[0] {
			i--
		}
		if i < 0 || string(text[operators[i][2]:operators[i][3]]) != action {
			found.add(file, lineAt(text, m[2]), "the guard names the action %s, and the "+
				"operator around it has another name: use one name for both", action)
		}
		guarded[action] = true
	}
	return found
}

// modelActions finds actions of the model that the catalog lacks: constants of the list in
// its actions.go whose names start like an actor's.
func modelActions(t *Tree, e *Engine, known map[string]bool) []Finding {
	var found list
	prefixes := map[string]bool{}
	for name := range known {
		prefixes[firstWord(name)] = true
	}
	file := e.model() + "/actions.go"
	for _, word := range sortedNames(t.words(file)) {
		if prefixes[firstWord(word)] && !known[word] {
			found.add(file, 0, "action %s is not in the catalog: add it to %s", word, e.actionsFile())
		}
	}
	return found
}

// firstWord is the first word of a name in camel case, "" if it has one word only.
func firstWord(name string) string {
	i := strings.IndexFunc(name[min(1, len(name)):], unicode.IsUpper)
	if i < 0 {
		return ""
	}
	return name[:i+1]
}

func sortedNames[V any](set map[string]V) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
