package lint

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/samecycle/samecycle/internal/catalog"
)

// sound is a tiny repository that breaks no rule. Each canary changes one file of it.
var sound = map[string]string{
	"go.mod":          "module " + Module + "\n",
	"README.md":       "# samecycle\n\n| S01AddEmpty | 46 |\n\nSee [the layers](ARCHITECTURE.md#layers).\n",
	"ARCHITECTURE.md": "# Layers\n\nSee [model](model/hopscotch/) and [the web](https://example.org).\n",
	"CONTRIBUTING.md": "# Commands\n",
	"LICENSE":         "Apache\n",

	"spec/tla/hopscotch/Scenarios.tla": "S01AddEmpty == {}\n",
	"spec/tla/hopscotch/Hopscotch.tla": "ClientCall(t) ==\n  /\\ loc[t].pc = \"ClientCall\"\n",
	"spec/tla/hopscotch/Add.tla": "AddClaimEmpty(t) ==\n  /\\ l.pc = \"AddClaimEmpty\"\n" +
		"  /\\ l' = [l EXCEPT !.pc = \"Dead\"]\n" +
		"HelpFlip(t) ==\n  /\\ l.pc = \"HelpFlip\"\n",
	"spec/tla/hopscotch/Owner.tla": "OwnerHead(a) == LET l == loc[a] IN\n  /\\ l.pc = \"OwnerHead\"\n" +
		"CallCrash(a) == TRUE\nStep(a) == \\/ OwnerHead(a) \\/ CallCrash(a)\n",
	"spec/tla/hopscotch/Bell.tla": "BellRing(a) == LET l == loc[a] IN\n  /\\ l.pc = \"BellRing\"\n" +
		"Step(a) == \\/ BellRing(a)\n",
	"service/service.go": "// Package service rings.\npackage service\n\n" +
		"func ring() {}\n",
	"spec/tla/hopscotch/manifest.json": `[
{"name": "S01AddEmpty", "state": "S01AddEmpty", "kind": "safety"},
{"name": "S01AddEmptyWitness", "state": "S01AddEmpty", "kind": "witness"},
{"name": "S01AddEmptyLive", "state": "S01AddEmpty", "kind": "liveness"}]
`,
	"model/hopscotch/programs.go": "package model\n\nvar programs = []string{\"S01AddEmpty\"}\n",
	"model/hopscotch/actions.go": "package model\n\nconst (\n\tClientCall = iota\n\tAddClaimEmpty\n" +
		"\tHelpFlip\n)\n",
	"scenarios/hopscotch/programs.go": "package scenarios\n\nvar programs = []string{\"S01AddEmpty\"}\n",
	"impl/hopscotch/add.go":           soundEngine,
	"results/hopscotch/records/spec/S01AddEmpty.json": `{"engine": "hopscotch", "link": "spec",
"state": "S01AddEmpty"}
`,
	"results/hopscotch/records/spec/shared-0123456789ab.json": "{}\n",

	"spec/tla/shardmap/Programs.tla": "P(name) == CASE\n     name = \"M01ReaderWriter\" -> 1\n",
	"spec/tla/shardmap/ShardMap.tla": "ClientCall(a) == LET l == loc[a] IN\n  /\\ l.pc = \"ClientCall\"\n",
	"spec/tla/shardmap/Lock.tla": "ReadWait(a) == LET l == loc[a] IN\n  /\\ l.pc = \"ReadWait\" /\\ TRUE\n" +
		"ShardLook(a) == LET l == loc[a] IN\n  /\\ l.pc = \"ShardLook\"\n  /\\ At(l, \"ReadWait\")\n",
	"spec/tla/shardmap/README.md": "| M01ReaderWriter | 1 |\n",
	"spec/tla/shardmap/manifest.json": `[{"state": "M01ReaderWriter", "kind": "safety", "temporal": "Ends",
"name": "M01ReaderWriter"}, {"state": "M01ReaderWriter", "kind": "witness", "name": "M01ReaderWriterWitness"}]
`,
	"model/shardmap/programs.go": "package shardmap\n\nconst m01 = \"M01ReaderWriter\"\n",
	"model/shardmap/actions.go": "package shardmap\n\nconst (\n\tClientCall = iota\n\tReadWait\n" +
		"\tShardLook\n)\n",
	"impl/shardmap/steps.go": soundShards,
	"bench/go.mod":           "module " + Module + "/bench\n",
	"bench/peer.go":          "package bench\n\nimport _ \"github.com/puzpuzpuz/xsync/v4\"\n",
}

const soundEngine = `// Package hopscotch is a table.
package hopscotch

import "github.com/samecycle/samecycle/internal/seam"

type cell struct{ word0 seam.Uint64 }

func (c *cell) addClaimEmpty() bool { return c.word0.CompareAndSwap(0, 1) }

func (c *cell) searchTouch() { c.word0.Load() }

func (c *cell) searchRequest() { seam.Request(&c.word0) }

func (c *cell) ownerHead() uint64 { return c.word0.Load() }
`

const soundShards = `// Package shardmap is a map.
package shardmap

import "github.com/samecycle/samecycle/internal/seam"

type shard struct {
	word  seam.Uint32
	guard seam.Guarded
}

func (s *shard) readWait() uint32 { return s.word.Load() }

func (s *shard) shardLook() { s.guard.Look(nil) }
`

func soundTree(t *testing.T, changed map[string]string) *Tree {
	t.Helper()
	files := maps.Clone(sound)
	maps.Copy(files, changed)
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	tree.Engines = slices.DeleteFunc(tree.Engines, func(e *Engine) bool {
		return slices.Contains([]string{"basket", "slots", "control"}, e.Name)
	})
	table, shards := tree.Engines[0], tree.Engines[1]
	table.States, shards.States = table.States[:1], shards.States[:1]
	table.Actions = []catalog.Action{
		{Name: "ClientCall", Module: "Client"}, {Name: "AddClaimEmpty", Module: "Add"},
		{Name: "HelpFlip", Module: "Add"},
	}
	table.Missing = []string{"HelpFlip"}
	table.Parts[0].Actions = []catalog.PartAction{{Name: "OwnerHead", Folder: "impl/hopscotch",
		Functions: []string{"ownerHead"}, Access: true}, {Name: "CallCrash"}}
	table.Parts[1].Actions = []catalog.PartAction{
		{Name: "BellRing", Folder: "service", Functions: []string{"ring"}}}
	table.Parts[2].Actions = nil
	shards.Actions = []catalog.Action{
		{Name: "ClientCall", Module: "Client"}, {Name: "ReadWait", Module: "Lock"},
		{Name: "ShardLook", Module: "Lock"},
	}
	return tree
}

// TestSound shows that no canary is refused for something else than its change.
func TestSound(t *testing.T) {
	tree := soundTree(t, nil)
	for _, c := range Checks() {
		for _, f := range c.Run(tree) {
			t.Errorf("%s refuses the sound tree: %v", c.Name, f)
		}
	}
}

// canary is a tree that a check must refuse.
type canary struct {
	check string
	file  string // the one that differs from the sound tree
	text  string // its content; what comes after "+" is added to that of the sound tree
	want  string // part of the finding, its place included
}

// TestCanaries shows of every check that it can fail.
func TestCanaries(t *testing.T) {
	all := slices.Concat(goCanaries, otherCanaries, engineCanaries)
	seen := map[string]bool{}
	for _, c := range all {
		seen[c.check] = true
		t.Run(c.check+"/"+c.want, func(t *testing.T) { c.run(t) })
	}
	for _, c := range Checks() {
		if !seen[c.Name] {
			t.Errorf("check %s has no canary: nobody knows whether it can fail", c.Name)
		}
	}
}

func (c canary) run(t *testing.T) {
	text := c.text
	if more, ok := strings.CutPrefix(text, "+"); ok {
		text = sound[c.file] + more
	}
	tree := soundTree(t, map[string]string{c.file: text})
	for _, check := range Checks() {
		if check.Name != c.check {
			continue
		}
		found := check.Run(tree)
		for _, f := range found {
			if strings.Contains(f.String(), c.want) {
				return
			}
		}
		t.Fatalf("check %s does not report %q; it reports %v", c.check, c.want, found)
	}
	t.Fatalf("there is no check %s", c.check)
}

// engine is a file of the engine with the code.
func engine(code string) string {
	return "package hopscotch\n\nimport \"" + Module + "/internal/seam\"\n\n" +
		"var _ seam.Uint64\n\n" + code + "\n"
}

// shares is a file of the engine with a type that has shared words and plain memory, and a method of it.
func shares(statement string) string {
	return engine("type ring[V any] struct {\n\thead seam.Uint64\n\tdata [2]V\n\tlast int }\n\n" +
		"func (c *ring[V]) put() { " + statement + " }")
}

func imports(pkg, path string) string {
	return "package " + pkg + "\n\nimport _ \"" + path + "\"\n"
}

var goCanaries = []canary{
	{"ImportEdges", "model/hopscotch/x.go", imports("model", Module+"/impl/hopscotch"),
		"model/hopscotch/x.go:3: import of impl/hopscotch from model/hopscotch goes against the layers"},
	{"ImportEdges", "stress/x.go", imports("stress", Module+"/impl/hopscotch"),
		"stress/x.go:3: import of impl/hopscotch from stress goes against the layers"},
	{"ImportEdges", "stress/x.go", imports("stress", Module+"/impl/region"),
		"stress/x.go:3: import of impl/region from stress goes against the layers"},
	{"ImportEdges", "stress/x.go", imports("stress", Module+"/scenarios/hopscotch/volume"),
		"stress/x.go:3: import of scenarios/hopscotch/volume from stress goes against the layers"},
	{"ImportEdges", "linearizability/x.go", imports("linearizability", Module+"/linearizability/mapmodel"),
		"linearizability/x.go:3: import of linearizability/mapmodel from linearizability goes against"},
	{"ImportEdges", "linearizability/x_test.go", imports("linearizability", Module+"/impl/hopscotch"),
		"linearizability/x_test.go:3: import of impl/hopscotch from linearizability goes against the layers"},
	{"ImportEdges", "internal/history/x.go", imports("history", Module+"/linearizability/mapmodel"),
		"internal/history/x.go:3: import of linearizability/mapmodel from internal/history goes against"},
	{"ImportEdges", "model/hopscotch/x_test.go", imports("model", Module+"/impl/hopscotch"),
		"model/hopscotch/x_test.go:3: import of impl/hopscotch"},
	{"ImportEdges", "model/hopscotch/x.go", imports("model", Module+"/internal/tlc"),
		"model/hopscotch/x.go:3: import of internal/tlc from model/hopscotch goes against the layers: move " +
			"the code to a layer that may see both (tests may"},
	{"ImportEdges", "scenarios/hopscotch/x.go", imports("scenarios", Module+"/bench"),
		"import of bench, which is a module of its own"},
	{"ImportEdges", "impl/hopscotch/x.go", imports("hopscotch", "github.com/spf13/cobra"),
		"import of github.com/spf13/cobra, which impl/hopscotch may not use"},
	{"ImportEdges", "impl/hopscotch/x.go", imports("hopscotch", "github.com/alphadose/haxmap"),
		"benchmark peer github.com/alphadose/haxmap"},
	{"ImportEdges", "internal/new/x.go", "package new\n", "package internal/new is in no row"},
	{"ImportEdges", "go.mod", "+\nrequire (\n\tgithub.com/puzpuzpuz/xsync/v4 v4.5.0\n)\n",
		"go.mod:4: the benchmark peer"},
	{"ImplLibraries", "impl/hopscotch/x.go", "package hopscotch\n\nimport (\n" +
		"\t_ \"github.com/cespare/xxhash/v2\"\n\t_ \"github.com/zeebo/xxh3\"\n)\n",
		"impl/hopscotch/x.go:5: import of github.com/zeebo/xxh3"},

	{"EngineSteps", "impl/hopscotch/x.go", engine("func f(c *cell) { c.word0.Store(1) }"),
		"impl/hopscotch/x.go:7: f accesses a shared word"},
	{"EngineSteps", "impl/hopscotch/x.go", engine("func f(c *cell) { c.word0.Add(1) }"),
		"f accesses a shared word"},
	{"EngineSteps", "impl/hopscotch/x.go", engine("func f(c *cell) *seam.Uint64 { return &c.word0 }"),
		"f accesses a shared word"},
	{"EngineSteps", "impl/hopscotch/x.go", engine("func addPeek(c *cell) { c.word0.Load() }"),
		"addPeek accesses a shared word and is no action"},
	{"EngineSteps", "impl/hopscotch/x.go", engine("var old = (&cell{}).word0.Load()"),
		"outside of a function"},
	{"EngineSteps", "impl/hopscotch/add.go", strings.Replace(soundEngine, "return c.word0",
		"return c.word0.Load() == 0 && c.word0", 1), "step addClaimEmpty makes 2 accesses"},
	{"EngineSteps", "impl/hopscotch/add.go", strings.Replace(soundEngine, "{ c.word0.Load() }",
		"{\n\tfor range 2 {\n\t\tc.word0.Load()\n\t}\n}", 1), "add.go:11: step searchTouch loops"},
	{"EngineOutside", "impl/hopscotch/x.go", "package hopscotch\n\nimport \"time\"\n",
		"impl/hopscotch/x.go:3: import of time into the engine"},
	{"EngineOutside", "impl/hopscotch/x.go", engine("func f() { seam.Sleep(1) }"),
		"impl/hopscotch/x.go:7: Sleep sleeps, and no call of this engine does"},
	{"EngineOutside", "impl/basket/x.go", "package basket\n\nfunc f() { seam.Gosched() }\n",
		"impl/basket/x.go:3: Gosched sleeps, and no call of this engine does"},
	{"EngineOutside", "impl/hopscotch/x.go", engine("func f(t *Table) { t.region.SleepUntilRung(0, 1) }"),
		"SleepUntilRung sleeps"},
	{"EngineOutside", "impl/hopscotch/x.go", "package hopscotch\n\nfunc f() { go f() }\n",
		"impl/hopscotch/x.go:3: the engine uses goroutines"},
	{"EngineOutside", "impl/hopscotch/x.go", "package hopscotch\n\nfunc f() { select {} }\n",
		"impl/hopscotch/x.go:3: the engine uses goroutines or channels"},
	{"EngineOutside", "impl/hopscotch/x.go", "package hopscotch\n\nvar bell chan bool\n",
		"impl/hopscotch/x.go:3: the engine uses goroutines or channels"},
	{"EngineOutside", "impl/hopscotch/x.go", "package hopscotch\n\nfunc f() { bell <- true }\n",
		"impl/hopscotch/x.go:3: the engine uses goroutines or channels"},
	{"PlainMemory", "impl/hopscotch/x.go", shares("c.last++"),
		"impl/hopscotch/x.go:12: put writes last, plain memory of a type that goroutines share"},
	{"PlainMemory", "impl/hopscotch/x.go", shares("c.data[0] = 1"), "x.go:12: put writes data"},
	{"PlainMemory", "impl/hopscotch/x.go", shares("copy(c.data[1:], c.data[:1])"),
		"x.go:12: put writes data"},
	{"RawAtomics", "model/hopscotch/x.go", "package model\n\nimport \"sync/atomic\"\n",
		"model/hopscotch/x.go:3: import of sync/atomic outside of the seam"},
	{"RawAtomics", "impl/hopscotch/x.go", "package hopscotch\n\nimport \"sync/atomic\"\n",
		"impl/hopscotch/x.go:3: import of sync/atomic outside of the seam"},
	{"RawAtomics", "linearizability/x.go", "package linearizability\n\nimport \"sync/atomic\"\n",
		"linearizability/x.go:3: import of sync/atomic outside of the seam"},
	{"RawAtomics", "model/hopscotch/x.go", "package model\n\n//go:linkname f runtime.f\nfunc f()\n",
		"model/hopscotch/x.go:3: go:linkname"},

	{"Sizes", "model/hopscotch/x.go", "package model\n" + strings.Repeat("\n", 500),
		"the file has 501 lines"},
	{"Sizes", "model/hopscotch/x_test.go", "package model\n" + strings.Repeat("\n", 500),
		"the file has 501 lines"},
	{"Sizes", "model/hopscotch/x.go", "package model\n\n// " + strings.Repeat("x", 108) + "\n",
		"model/hopscotch/x.go:3: the line has 111 columns"},
	{"Sizes", "model/hopscotch/x.go", "package model\n\nfunc f() {\n" + strings.Repeat("\n", 69) + "}\n",
		"model/hopscotch/x.go:3: function f has 71 lines"},
	{"Sizes", "model/hopscotch/x.go", "package model\n\nfunc f(a, b, c, d int, e, f, g string) {}\n",
		"function f has 7 parameters"},
	{"SkipReasons", "model/hopscotch/x_test.go", "package model\n\nfunc f(t *testing.T) { t.Skip() }\n",
		"model/hopscotch/x_test.go:3: the test skips itself"},
	{"SkipReasons", "model/hopscotch/x_test.go", "package model\n\nfunc f(t *testing.T) { t.SkipNow() }\n",
		"model/hopscotch/x_test.go:3: the test skips itself"},
	{"SkipReasons", "model/hopscotch/x_test.go",
		"package model\n\nfunc f(t *testing.T) { t.Skipf(\"no %s\", \"java\") }\n",
		"model/hopscotch/x_test.go:3: the reason of a skipped test does not begin with \"NOT RUN: \""},

	{"DocComments", "impl/hopscotch/x.go", "package hopscotch\n\nfunc F() {}\n",
		"impl/hopscotch/x.go:3: F is exported and has no doc comment"},
	{"DocComments", "linearizability/x.go", "package linearizability\n",
		"linearizability: the package has no comment"},
	{"DocComments", "impl/hopscotch/x.go", "package hopscotch\n\nconst (\n\tA = 1\n\tB = 2 // two\n)\n",
		"impl/hopscotch/x.go:4: A is exported"},
	{"DocComments", "impl/hopscotch/x.go", "package hopscotch\n\n// Types.\ntype (\n\tA int\n)\n",
		"impl/hopscotch/x.go:5: A is exported"},
	{"Gofmt", "model/hopscotch/x.go", "package model\n\nvar  x int\n",
		"model/hopscotch/x.go:3: gofmt would change"},
	{"Gofmt", "model/hopscotch/x.go", "package model\n\nfunc {\n",
		"model/hopscotch/x.go: the file does not parse"},
}

var otherCanaries = []canary{
	{"StateNames", "spec/tla/hopscotch/Scenarios.tla", "+S01AddEmpty_Two == {}\n",
		"model/hopscotch/programs.go: program S01AddEmpty_Two of Scenarios.tla is missing"},
	{"StateNames", "spec/tla/hopscotch/Scenarios.tla", "+S99Other == {}\n",
		"spec/tla/hopscotch/Scenarios.tla:2: program S99Other belongs to no state"},
	{"StateNames", "spec/tla/hopscotch/Scenarios.tla", "+S01AddEmpty_Two == {}\n",
		"scenarios/hopscotch: program S01AddEmpty_Two of the specification is missing, another one"},
	{"StateNames", "spec/tla/hopscotch/ThreeActors.tla", "  S01AddEmpty_Three |->\n    [program |-> {}]\n",
		"model/hopscotch/three.go: program S01AddEmpty_Three of ThreeActors.tla is missing"},
	{"StateNames", "spec/tla/hopscotch/ThreeActors.tla",
		"OfThree == [\n  S99Other_Three |->\n    [program |-> {}]]\n",
		"spec/tla/hopscotch/ThreeActors.tla:2: program S99Other_Three belongs to no state"},
	{"StateNames", "README.md", "# samecycle\n", "README.md: state S01AddEmpty is built and has no row"},
	{"StateNames", "spec/tla/hopscotch/manifest.json", "[]",
		"state S01AddEmpty has no run of the kind witness"},
	{"StateNames", "spec/tla/hopscotch/manifest.json",
		`[{"state": "S01AddEmpty", "kind": "safety", "name": "Another"}]`,
		"the safety run of S01AddEmpty has the name \"Another\""},

	{"ActionNames", "spec/tla/hopscotch/Add.tla", "AddClaim(t) ==\n  /\\ l.pc = \"AddClaimEmpty\"\n",
		"spec/tla/hopscotch/Add.tla: action AddClaimEmpty of the catalog has no operator"},
	{"ActionNames", "spec/tla/hopscotch/Add.tla", "AddClaimEmpty(t) == TRUE\n",
		"spec/tla/hopscotch/Add.tla: action AddClaimEmpty has no guard"},
	{"ActionNames", "spec/tla/hopscotch/Add.tla", "+\nAddWrong(t) ==\n  /\\ l.pc = \"AddClaimEmpty\"\n",
		"spec/tla/hopscotch/Add.tla:8: the guard names the action AddClaimEmpty"},
	{"ActionNames", "spec/tla/hopscotch/Add.tla", "+\nAddMore(t) ==\n  /\\ l.pc = \"AddMore\"\n",
		"spec/tla/hopscotch/Add.tla:8: the program counter AddMore is no action"},
	{"ActionNames", "model/hopscotch/actions.go", "package model\n\nconst ClientCall = 0\n",
		"model/hopscotch/actions.go: action AddClaimEmpty of the catalog is missing"},
	{"ActionNames", "model/hopscotch/actions.go", "+\nconst HelpMore = 3\n",
		"model/hopscotch/actions.go: action HelpMore is not in the catalog"},
	{"ActionNames", "impl/hopscotch/add.go", "package hopscotch\n",
		"impl/hopscotch: action AddClaimEmpty of the catalog has no function addClaimEmpty"},
	{"ActionNames", "impl/hopscotch/add.go", "package hopscotch\n",
		"impl/hopscotch: stutter SearchTouch of the catalog has no function"},

	{"ActionNames", "impl/hopscotch/add.go",
		"+\nfunc (c *cell) helpFlip() { c.word0.Load() }\n",
		"internal/catalog/hopscotch/actions.go: action HelpFlip is said to be not in the engine, which has"},

	{"ActionNames", "spec/tla/hopscotch/Owner.tla", "Step(a) == \\/ OwnerHead(a) \\/ CallCrash(a)\n",
		"spec/tla/hopscotch/Owner.tla: action OwnerHead of the catalog has no operator"},
	{"ActionNames", "spec/tla/hopscotch/Owner.tla", "OwnerHead(a) == TRUE\nCallCrash(a) == TRUE\n" +
		"Step(a) == CallCrash(a)\n",
		"spec/tla/hopscotch/Owner.tla: action OwnerHead is no part of the next-state relation"},
	{"ActionNames", "spec/tla/hopscotch/Owner.tla", "+More(a) == At(l, \"OwnerMore\")\n",
		"spec/tla/hopscotch/Owner.tla:5: the program counter OwnerMore is no action"},
	{"ActionNames", "impl/hopscotch/add.go", "package hopscotch\n",
		"impl/hopscotch: action OwnerHead of spec/tla/hopscotch/Owner.tla has no function ownerHead"},
	{"ActionNames", "spec/tla/hopscotch/Bell.tla", "BellRing(a) == TRUE\n",
		"spec/tla/hopscotch/Bell.tla: action BellRing is no part of the next-state relation"},
	{"ActionNames", "spec/tla/hopscotch/Bell.tla", "+Less(a) == At(l, \"ServiceLess\")\n",
		"spec/tla/hopscotch/Bell.tla:4: the program counter ServiceLess is no action"},
	{"ActionNames", "service/service.go", "// Package service is mute.\npackage service\n",
		"service: action BellRing of spec/tla/hopscotch/Bell.tla has no function ring"},
	{"EngineSteps", "impl/hopscotch/add.go", "+\nfunc (c *cell) ownerMore() { c.word0.Load() }\n",
		"ownerMore accesses a shared word and is no action"},

	{"Sizes", "spec/tla/hopscotch/Add.tla", "+" + strings.Repeat("\n", 400), "the module has 405 lines"},
	{"BannedText", "README.md", "+\nTO" + "DO: more\n", "README.md:7: \"TO" + "DO\""},
	{"BannedText", "Makefile", "all:\n\techo not imple" + "mented\n", "Makefile:2: \"not imple"},
	{"BannedText", "README.md", "+See `/wo" + "rk/main`.\n", "README.md:6: \"`/wo"},
	{"BannedText", "model/hopscotch/x.go", "package model\n\nconst dir = \"/t" + "mp/x\"\n",
		"model/hopscotch/x.go:3: "},
	{"BannedText", "spec/tla/hopscotch/x.cfg", "\\* from https://go" + "proxy.example.org/x\n", "x.cfg:1: "},
	{"BannedText", "README.md", "+\nSet GOPROXY to proxy.go" + "lang.org.\n", "README.md:7: \"proxy.go"},

	{"Documents", "README.md", "See [more](docs/more.md).\n",
		"README.md:1: the link to docs/more.md leads nowhere"},
	{"Documents", "ARCHITECTURE.md", strings.Repeat("x\n", 121), "it has 121 lines"},
	{"Documents", "CONTRIBUTING.md", "[x](../up.md)\n", "CONTRIBUTING.md:1: the link to ../up.md"},

	{"Records", "results/hopscotch/records/spec/S01AddEmpty.json", "{", "the record does not parse"},
	{"Records", "results/hopscotch/records/spec/x.json", `{"link": "spec", "state": "S01AddEmpty"}`,
		"results/hopscotch/records/spec/x.json: the record is the one of spec/S01AddEmpty: move it"},
	{"Records", "results/hopscotch/records/spec/x.json", `{"link": "Spec", "state": "S01"}`,
		`the link "Spec", which is not in the catalog`},
	{"Records", "results/hopscotch/records/spec/x.json", `{"link": "spec", "state": "S01"}`,
		`the state "S01", which is not in the catalog`},
	{"Records", "results/shardmap/records/spec/M01ReaderWriter.json",
		`{"engine": "hopscotch", "link": "spec", "state": "M01ReaderWriter"}`,
		`the record names the engine "hopscotch" and lies in the folder of shardmap`},
	{"Records", "results/shardmap/records/spec/S01AddEmpty.json",
		`{"engine": "shardmap", "link": "spec", "state": "S01AddEmpty"}`,
		`the state "S01AddEmpty", which is not in the catalog`},
	{"Records", "results/other/records/spec/S01AddEmpty.json", "{}",
		`the engine "other", which is not in the catalog`},
	{"Records", "results/hopscotch/records/spec/shared-1.json", "{", "the list does not parse"},
	{"Records", "results/hopscotch/records/shared-1.json", "{}", `the list belongs to the link "."`},
}

// TestMissingPages is the canary of pages that are not there at all.
func TestMissingPages(t *testing.T) {
	tree := soundTree(t, nil)
	delete(tree.Files, "README.md")
	found := documents(tree)
	if len(found) != 1 || found[0].File != "README.md" {
		t.Errorf("a missing README.md is reported as %v", found)
	}
}

// TestLoad_LeavesOut holds what the checks do not look at.
func TestLoad_LeavesOut(t *testing.T) {
	tree := soundTree(t, map[string]string{
		".gitignore":        "# made by make\n/build/\ndeep/cache\n*.tmp\n",
		".git/config.md":    "x",
		"build/x.go":        "package build",
		"deep/cache/x.go":   "package cache",
		"deep/build.md":     "x",
		".ci/run":           "x",
		"x/testdata/odd.go": "package",
		"picture.png":       "x",
	})
	for name, want := range map[string]bool{".git/config.md": false, "build/x.go": false,
		"deep/cache/x.go": false, "deep/build.md": true, ".ci/run": true, "picture.png": false,
		"x/testdata/odd.go": true} {
		if got := tree.Files[name] != nil; got != want {
			t.Errorf("%s is read: %v, want %v", name, got, want)
		}
	}
	for _, s := range tree.Go {
		if s.Path == "x/testdata/odd.go" {
			t.Error("Go files of testdata are data, not code")
		}
	}
}

// TestPlainMemory_Allows: words, what a function makes itself, handles, and what a comment has a reason for.
func TestPlainMemory_Allows(t *testing.T) {
	for _, statement := range []string{"c.head.Store(1)", "d := ring[int]{}; d.last = 1",
		"h := &handle{}; h.last = c.last", "\n\t// plain: nobody has it yet.\n\tc.last = 1\n",
		"\n\tc.last = 1 // plain: nobody has it yet.\n"} {
		tree := soundTree(t, map[string]string{
			"impl/hopscotch/x.go": shares(statement) + "\ntype handle struct{ last int }\n"})
		if found := plainMemory(tree); len(found) > 0 {
			t.Errorf("%s: %v", statement, found)
		}
	}
}
