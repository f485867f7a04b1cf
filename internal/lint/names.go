package lint

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const (
	specFolder    = "spec/tla/hopscotch/"
	scenariosFile = specFolder + "Scenarios.tla"
	threeFile     = specFolder + "ThreeActors.tla"
	manifestFile  = specFolder + "manifest.json"
	actionsFile   = "internal/catalog/actions.go"
)

// reProgram is a definition of Scenarios.tla, or a field of the table in ThreeActors.tla.
var reProgram = regexp.MustCompile(`(?m)^\s*((S\d\d[A-Za-z]+)(?:_\w+)?)\s*(?:==|\|->)`)

// programFiles are the modules with programs, and the model's files with the same ones.
var programFiles = [...]struct{ spec, model string }{
	{scenariosFile, "model/programs.go"}, {threeFile, "model/three.go"},
}

// manifestRun is what a name check needs of an entry of the manifest.
type manifestRun struct{ State, Module, Cfg, Kind, Temporal string }

// stateNames holds each operation state that is built (it has a program in programFiles)
// against every layer: the same identifier in the specification's runs, in the model's programs,
// in the scenarios and in the README.
func stateNames(t *Tree) []Finding {
	var found list
	if t.Files[scenariosFile] == nil {
		found.add(scenariosFile, 0, "the programs of the operation states are missing")
		return found
	}
	known := map[string]bool{}
	for _, s := range t.States {
		known[s.ID] = true
	}
	var runs []manifestRun
	if err := json.Unmarshal(t.Files[manifestFile], &runs); err != nil {
		found.add(manifestFile, 0, "the list of TLC runs does not parse: %v", err)
	}
	scenarios := t.words("scenarios")
	var built []string
	programs := map[string][]string{}
	for _, file := range programFiles {
		model, spec := t.words(file.model), t.Files[file.spec]
		for _, m := range reProgram.FindAllSubmatchIndex(spec, -1) {
			program, state := string(spec[m[2]:m[3]]), string(spec[m[4]:m[5]])
			if !known[state] {
				found.add(file.spec, lineAt(spec, m[2]), "program %s belongs to no state of the catalog: "+
					"take the spelling of internal/catalog/states.go", program)
				continue
			}
			if !model[program] {
				found.add(file.model, 0, "program %s of %s is missing: add it under the same name", program,
					filepath.Base(file.spec))
			}
			if !slices.Contains(built, state) {
				built = append(built, state)
			}
			programs[state] = append(programs[state], program)
		}
	}
	for _, state := range built {
		found = append(found, stateInScenarios(programs[state], scenarios)...)
		found = append(found, stateInSpec(t, state, runs)...)
		if !regexp.MustCompile(`\b` + state + `\b`).Match(t.Files["README.md"]) {
			found.add("README.md", 0, "state %s is built and has no row in the matrix: add it", state)
		}
	}
	return found
}

// stateInScenarios: the engine runs all programs of a state or, as long as it lacks an action that
// they need, none.
func stateInScenarios(programs []string, scenarios map[string]bool) []Finding {
	var found list
	some := slices.ContainsFunc(programs, func(p string) bool { return scenarios[p] })
	for _, p := range programs {
		if some && !scenarios[p] {
			found.add("scenarios", 0, "program %s of the specification is missing, another one of its "+
				"state is there: add it under the same name", p)
		}
	}
	return found
}

// stateInSpec looks for the three runs of a state and for their configurations.
func stateInSpec(t *Tree, state string, runs []manifestRun) []Finding {
	var found list
	for _, kind := range []string{"safety", "witness", "liveness"} {
		i := slices.IndexFunc(runs, func(r manifestRun) bool {
			also := kind == "liveness" && r.Kind == "safety" && r.Temporal != ""
			return r.State == state && (r.Kind == kind || also)
		})
		if i < 0 {
			found.add(manifestFile, 0, "state %s has no run of the kind %s: add one, and its cfg",
				state, kind)
			continue
		}
		if cfg := specFolder + runs[i].Cfg; t.Files[cfg] == nil {
			found.add(manifestFile, 0, "the %s run of %s names %s, which does not exist",
				kind, state, cfg)
		} else if !strings.Contains(runs[i].Cfg, state) {
			found.add(manifestFile, 0, "the %s run of %s has the configuration %s: put the "+
				"state's name into the file's", kind, state, cfg)
		}
	}
	return found
}

// words are the identifiers and the contents of short string literals in a Go file, or in the
// files of a folder, tests left out.
func (t *Tree) words(place string) map[string]bool {
	words := map[string]bool{}
	for _, s := range t.Go {
		if s.File == nil || s.Test || s.Path != place && s.Dir != place {
			continue
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			switch n := n.(type) {
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

// lineAt is the line of a byte offset.
func lineAt(text []byte, offset int) int {
	return 1 + strings.Count(string(text[:offset]), "\n")
}

// client is the module of the events that are no access of shared memory.
const client = "Client"

// moduleFile is the TLA+ module of an action.
func moduleFile(module string) string {
	if module == client {
		return specFolder + "Hopscotch.tla"
	}
	return specFolder + module + ".tla"
}

// unguarded are actions that may happen at any program counter.
var unguarded = []string{"ClientCrash"}

// deadCounter is the program counter of an actor that takes no action any more.
const deadCounter = "Dead"

var (
	reGuard    = regexp.MustCompile(`(?m)^\s*/\\\s*(?:loc\[t\]|l)\.pc = "(\w+)"\s*(?:\\\*.*)?$`)
	reCounter  = regexp.MustCompile(`pc = "(\w+)"`)
	reOperator = regexp.MustCompile(`(?m)^(\w+)(?:\(.*?\))?\s*==`)
)

// actionNames holds the catalog's actions against the operators of the specification, the
// actions of the model and the functions of the engine, in both directions.
func actionNames(t *Tree) []Finding {
	var found list
	known := map[string]bool{}
	model := t.words("model/actions.go")
	engine := map[string]bool{}
	for s := range t.sources(engineFolder) {
		for _, fn := range functions(s) {
			engine[fn.Name.Name] = engine[fn.Name.Name] || !s.Test
		}
	}
	for _, a := range t.Actions {
		known[a.Name] = true
		file := moduleFile(a.Module)
		operator := regexp.MustCompile(`(?m)^` + a.Name + `\(t\) ==`)
		if !operator.Match(t.Files[file]) {
			found.add(file, 0, "action %s of the catalog has no operator %s(t): write it, or "+
				"correct %s", a.Name, a.Name, actionsFile)
		}
		if !model[a.Name] {
			found.add("model/actions.go", 0, "action %s of the catalog is missing: add it",
				a.Name)
		}
		missing := slices.Contains(t.Missing, a.Name)
		switch has := engine[stepName(a.Name)]; {
		case a.Module == client:
		case has && missing:
			found.add(actionsFile, 0, "action %s is said to be not in the engine, which has the "+
				"function %s: take it out of that list", a.Name, stepName(a.Name))
		case !has && !missing:
			found.add(engineFolder, 0, "action %s of the catalog has no function %s: the access "+
				"of an action is made by the function of its name", a.Name, stepName(a.Name))
		}
	}
	for _, name := range t.Stutters {
		if !engine[stepName(name)] {
			found.add(engineFolder, 0, "stutter %s of the catalog has no function %s: write it, "+
				"or take it out of %s", name, stepName(name), actionsFile)
		}
	}
	found = append(found, modelActions(t, known)...)
	for _, p := range t.parts() {
		for _, a := range p.actions {
			known[a.Name] = true
		}
		found = append(found, partActions(t, p)...)
	}
	return append(found, specActions(t, known)...)
}

// specActions holds the guards and program counters of the specification against the catalog.
func specActions(t *Tree, known map[string]bool) []Finding {
	var found list
	guarded := map[string]bool{}
	for _, file := range sortedNames(t.Files) {
		if !strings.HasPrefix(file, specFolder) || !strings.HasSuffix(file, ".tla") {
			continue
		}
		text := t.Files[file]
		operators := reOperator.FindAllSubmatchIndex(text, -1)
		for _, m := range reGuard.FindAllSubmatchIndex(text, -1) {
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
		for _, m := range reCounter.FindAllSubmatchIndex(text, -1) {
			if name := string(text[m[2]:m[3]]); !known[name] && name != deadCounter {
				found.add(file, lineAt(text, m[2]), "the program counter %s is no action of the "+
					"catalog: add it to %s", name, actionsFile)
			}
		}
	}
	for _, a := range t.Actions {
		if !guarded[a.Name] && !slices.Contains(unguarded, a.Name) {
			found.add(moduleFile(a.Module), 0, `action %s has no guard pc = "%s"`, a.Name, a.Name)
		}
	}
	return found
}

// modelActions finds actions of the model that the catalog lacks: constants of the list in
// model/actions.go whose names start like an actor's.
func modelActions(t *Tree, known map[string]bool) []Finding {
	var found list
	prefixes := map[string]bool{}
	for name := range known {
		prefixes[firstWord(name)] = true
	}
	for _, word := range sortedNames(t.words("model/actions.go")) {
		if prefixes[firstWord(word)] && !known[word] {
			found.add("model/actions.go", 0, "action %s is not in the catalog: add it to %s",
				word, actionsFile)
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
