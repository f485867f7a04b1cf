package lint

import (
	"slices"
	"strings"
	"testing"
)

// toyRegister is the register of an engine that this package does not list.
const toyRegister = `package toy

import "github.com/samecycle/samecycle/internal/catalog"

var engine = catalog.Engine{
	States:   []catalog.State{{ID: "T01Toy", Number: 1}},
	Actions:  []catalog.Action{{Name: "ToySwap", Module: "Toy"}},
	Stutters: []string{"ToyLook"},
}
`

// engineCanaries break the rules of engines other than the first, and the border between engines and harness.
var engineCanaries = []canary{
	{"StateNames", "model/shardmap/programs.go", "package shardmap\n",
		"model/shardmap/programs.go: program M01ReaderWriter of Programs.tla is missing"},
	{"StateNames", "spec/tla/shardmap/Programs.tla", "+  [] name = \"M99Other\" -> 2\n",
		"spec/tla/shardmap/Programs.tla:3: program M99Other belongs to no state"},
	{"StateNames", "spec/tla/shardmap/Programs.tla", "P == 1\n",
		"spec/tla/shardmap/: the programs of the operation states are missing"},
	{"StateNames", "spec/tla/shardmap/README.md", "# no table\n",
		"spec/tla/shardmap/README.md: state M01ReaderWriter is built and has no row"},
	{"StateNames", "spec/tla/shardmap/manifest.json", "[]",
		"spec/tla/shardmap/manifest.json: state M01ReaderWriter has no run of the kind safety"},
	{"ActionNames", "spec/tla/shardmap/Lock.tla", "ReadWait(a) == TRUE\n",
		"spec/tla/shardmap/Lock.tla: action ShardLook of the catalog has no operator"},
	{"ActionNames", "spec/tla/shardmap/Lock.tla", "+  /\\ At(l, \"ReadMore\")\n",
		"spec/tla/shardmap/Lock.tla:6: the program counter ReadMore is no action"},
	{"ActionNames", "spec/tla/shardmap/Lock.tla", "+Other(a) ==\n  /\\ Is(a, \"ReadWait\")\n",
		"Lock.tla:7: the guard names the action ReadWait, and the operator around it has another name"},
	{"ActionNames", "spec/tla/shardmap/ShardMap.tla", "Call(a) == TRUE\n",
		"spec/tla/shardmap/ShardMap.tla: action ClientCall of the catalog has no operator"},
	{"ActionNames", "model/shardmap/actions.go", "package shardmap\n",
		"model/shardmap/actions.go: action ReadWait of the catalog is missing"},
	{"ActionNames", "model/shardmap/actions.go", "+\nconst ReadMore = 4\n",
		"action ReadMore is not in the catalog: add it to internal/catalog/shardmap/actions.go"},
	{"ActionNames", "impl/shardmap/steps.go", "package shardmap\n",
		"impl/shardmap: action ReadWait of the catalog has no function readWait"},
	{"EngineSteps", "impl/shardmap/steps.go", "+\nfunc (s *shard) peek() { s.guard.Look(nil) }\n",
		"impl/shardmap/steps.go:15: peek accesses a shared word"},
	{"EngineSteps", "impl/shardmap/steps.go", "+\nfunc (s *shard) readMore() { s.word.Or(1) }\n",
		"readMore accesses a shared word and is no action: add it to internal/catalog/shardmap/actions.go"},
	{"EngineSteps", "impl/shardmap/steps.go", strings.Replace(soundShards, "s.guard.Look(nil)",
		"s.guard.Look(nil); s.guard.Change(nil, nil)", 1), "step shardLook makes 2 accesses"},

	{"EngineBorder", "harness/x.go", imports("harness", Module+"/scenarios/hopscotch"),
		"harness/x.go:3: import of scenarios/hopscotch, which belongs to the engine hopscotch"},
	{"EngineBorder", "foreign/driver/x_test.go", imports("driver", Module+"/model/hopscotch/tasks"),
		"foreign/driver/x_test.go:3: import of model/hopscotch/tasks"},
	{"EngineBorder", "explore/processes/x.go", imports("processes", Module+"/impl/shardmap"),
		"import of impl/shardmap, which belongs to the engine shardmap"},
	{"EngineBorder", "internal/tlc/x.go", imports("tlc", Module+"/internal/catalog/shardmap"),
		"import of internal/catalog/shardmap"},
	{"EngineBorder", "internal/catalog/x.go", imports("catalog", Module+"/internal/catalog/hopscotch"),
		"internal/catalog/x.go:3: import of internal/catalog/hopscotch"},
	{"EngineBorder", "internal/mutate/x.go", "package mutate\n\nconst code = \"impl/shardmap\"\n",
		`internal/mutate/x.go:3: "impl/shardmap" names the engine shardmap in the general package`},
	{"EngineBorder", "internal/mutate/judge/x.go", "package judge\n\nvar of = \"hopscotch\"\n",
		`internal/mutate/judge/x.go:3: "hopscotch" names the engine hopscotch`},
	{"EngineBorder", "internal/mutate/x_test.go", imports("mutate", Module+"/scenarios/shardmap"),
		"internal/mutate/x_test.go:3: import of scenarios/shardmap"},
	{"EngineBorder", "impl/region/x.go", imports("region", Module+"/service"), "import of service"},
	{"EngineBorder", "internal/catalog/other/x.go", "package other\n",
		"internal/catalog/other: the names of the engine other are checked nowhere"},
	{"StateNames", "internal/catalog/toy/register.go", toyRegister,
		"spec/tla/toy/: the programs of the operation states are missing"},
	{"ActionNames", "internal/catalog/toy/register.go", toyRegister,
		"spec/tla/toy/Toy.tla: action ToySwap of the catalog has no operator"},
	{"ActionNames", "internal/catalog/toy/register.go", toyRegister,
		"impl/toy: action ToySwap of the catalog has no function toySwap"},
	{"ActionNames", "internal/catalog/toy/register.go", toyRegister,
		"impl/toy: stutter ToyLook of the catalog has no function toyLook"},
	{"EngineBorder", "internal/catalog/toy/register.go", strings.ReplaceAll(toyRegister, "ID:", "Claim:"),
		"internal/catalog/toy: the names of the engine toy are checked nowhere"},
}

// TestElsewhere: an action that is left to another engine may make no access itself, and not two.
func TestElsewhere(t *testing.T) {
	for calls, says := range map[string]string{
		"s.other()": "", "s.word.Load()": "",
		"s.word.Load(); s.word.Load()": "step readWait makes 2 accesses",
	} {
		tree := soundTree(t, map[string]string{"impl/shardmap/steps.go": strings.Replace(soundShards,
			"uint32 { return s.word.Load() }", "{ "+calls+" }", 1)})
		tree.Engines[1].Elsewhere = []string{"ReadWait"}
		found := engineSteps(tree)
		if says == "" && len(found) > 0 || says != "" && (len(found) != 1 ||
			!strings.Contains(found[0].String(), says)) {
			t.Errorf("%s: it reports %v, want %q", calls, found, says)
		}
	}
}

// TestNamesIn: what a register says as literals is read, of what is missing and made elsewhere as well.
func TestNamesIn(t *testing.T) {
	text := strings.Replace(toyRegister, "	Stutters:", "	Missing: []string{\"ToySwap\"},\n"+
		"	Elsewhere: []string{\"ToyTake\", \"ToyGive\"},\n	Stutters:", 1)
	const dir = "internal/catalog/toy"
	e := soundTree(t, map[string]string{dir + "/register.go": text}).namesIn(dir)
	if got := strings.Join(slices.Concat(e.Missing, e.Elsewhere, e.Stutters), " "); len(e.States) != 1 ||
		len(e.Actions) != 1 || got != "ToySwap ToyTake ToyGive ToyLook" {
		t.Errorf("the register is read as %+v", e)
	}
}

// TestAlso: functions of an engine in another folder are its steps, and no other folder's are.
func TestAlso(t *testing.T) {
	const twice = "package more\n\nimport \"" + Module + "/internal/seam\"\n\n" +
		"func readWait(w *seam.Uint64) bool { return w.CompareAndSwap(w.Load(), 1) }\n"
	tree := soundTree(t, map[string]string{"impl/more/steps.go": twice})
	if found := engineSteps(tree); len(found) > 0 {
		t.Errorf("the folder is no engine's, and it reports %v", found)
	}
	tree.Engines[1].Also = []string{"impl/more"}
	if found := engineSteps(tree); !reports(found, "step readWait makes 2 accesses") {
		t.Errorf("it reports %v", found)
	}
	if e := tree.engineOf("impl/more"); e != "shardmap" {
		t.Errorf("the folder belongs to %q", e)
	}
}

// TestPrograms_OfTheModel: a program whose name is a constant and a literal is there, and scenarios that are
// made of the model's programs lack none. Neither hides a program that is missing.
func TestPrograms_OfTheModel(t *testing.T) {
	const spec = "P(name) == CASE\n     name = \"M01ReaderWriter\" -> 1\n" +
		"  [] name = \"M01ReaderWriter_Two\" -> 2\n"
	const model = "package shardmap\n\nconst m01 = \"M01ReaderWriter\"\n\n" +
		"var all = []string{m01, m01 + \"_Two\"}\n"
	const scenarios = "package scenarios\n\nimport model \"" + Module + "/model/shardmap\"\n\n" +
		"var budget = \"M01ReaderWriter\"\n\nvar all = model.Programs()\n"
	for what, c := range map[string]struct{ model, scenarios, want string }{
		"all are there": {model, scenarios, ""},
		"one is not modelled": {strings.Replace(model, "_Two", "_Tow", 1), scenarios,
			"model/shardmap/programs.go: program M01ReaderWriter_Two of Programs.tla is missing"},
		"another constant": {strings.Replace(model, "m01 =", "m02 =", 1), scenarios,
			"model/shardmap/programs.go: program M01ReaderWriter_Two of Programs.tla is missing"},
		"a list of its own": {model, strings.Replace(scenarios, "model.Programs()", "model.Actions()", 1),
			"scenarios/shardmap: program M01ReaderWriter_Two of the specification is missing"},
	} {
		found := stateNames(soundTree(t, map[string]string{"spec/tla/shardmap/Programs.tla": spec,
			"model/shardmap/programs.go": c.model, "scenarios/shardmap/programs.go": c.scenarios}))
		if c.want == "" && found != nil || c.want != "" && !reports(found, c.want) {
			t.Errorf("%s: it reports %v, want %q", what, found, c.want)
		}
	}
}

// reports tells whether one of the findings has that text.
func reports(found []Finding, text string) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return strings.Contains(f.String(), text) })
}

// TestEngineBorder_Allows: tests of general packages may use names of an engine, engines what they like.
func TestEngineBorder_Allows(t *testing.T) {
	tree := soundTree(t, map[string]string{
		"internal/evidence/x_test.go": imports("evidence", Module+"/internal/catalog/hopscotch"),
		"internal/mutate/x_test.go": imports("mutate", Module+"/internal/catalog/hopscotch/mutants") +
			"\nvar of = \"hopscotch\"\n",
		"internal/mutate/x.go":                   "package mutate\n\nvar a = \"see impl/hopscotchers\"\n",
		"internal/catalog/shardmap/mutants/x.go": imports("mutants", Module+"/internal/catalog"),
		"internal/catalog/shardmap/x.go":         imports("shardmap", Module+"/internal/catalog"),
		"scenarios/engines/x.go":                 imports("engines", Module+"/scenarios/shardmap"),
		"harness/x.go":                           imports("harness", Module+"/impl/region"),
	})
	if found := engineBorder(tree); found != nil {
		t.Errorf("it refuses %v", found)
	}
	if general := tree.engineOf("impl/region"); general != "" {
		t.Errorf("impl/region belongs to %s", general)
	}
}
