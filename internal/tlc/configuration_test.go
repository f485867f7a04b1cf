package tlc

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// withRecipes is a folder with recipes and runs.
func withRecipes(t *testing.T, recipes string, runs ...string) string {
	t.Helper()
	dir := copySpec(t, "["+strings.Join(runs, ",")+"]")
	if err := os.WriteFile(filepath.Join(dir, RecipesName), []byte(recipes), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// runWith is a row of the manifest that must violate the property I.
func runWith(name, config string) string {
	return `{"name": "` + name + `", "state": "S01AddEmpty", "module": "Tiny", "config": ` + config +
		`, "kind": "must-fail", "expect": "invariant", "property": "I"}`
}

const someRecipes = `{
	"base": {"specification": "Spec", "set": {"Name": "$state", "N": 4, "Off": false, "Set": [],
		"Two": ["a", "b c"]},
		"replace": {"Keys": "MCKeys"}, "invariants": ["TypeOK"], "properties": ["P"]},
	"claim": {"like": "base", "invariants": ["$property"]}
}`

// A configuration is what the recipe has that it is like, with what it says itself, wherever that is.
func TestRecipes_Make(t *testing.T) {
	dir := withRecipes(t, someRecipes, runWith("plain", `"claim"`), runWith("other", `{"like": "plain",
		"specification": "FairSpec", "set": {"N": 5, "Name": "x", "New": [[1], true]},
		"replace": {"Keys": "Few", "Next": "Slow"}, "properties": ["Q"], "deadlock": false,
		"drop": ["Two", "TypeOK", "P"]}`))
	m, err := LoadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`SPECIFICATION Spec
CONSTANTS
  Name = "S01AddEmpty"
  N = 4
  Off = FALSE
  Set = {}
  Two = {"a", "b c"}
  Keys <- MCKeys
INVARIANTS
  TypeOK
  I
PROPERTIES
  P
`, `SPECIFICATION FairSpec
CONSTANTS
  Name = "x"
  N = 5
  Off = FALSE
  Set = {}
  New = {{1}, TRUE}
  Keys <- Few
  Next <- Slow
INVARIANTS
  I
PROPERTIES
  Q
CHECK_DEADLOCK FALSE
`} {
		if got := m.Entries[i].Configuration(); got != want {
			t.Errorf("%s is\n%swant\n%s", m.Entries[i].Name, got, want)
		}
	}
	says := m.Entries[1].Explained(dir)
	for _, line := range []string{`N = 5 \* other`, `Off = FALSE \* base`, `I \* claim`, `Q \* other`} {
		if !strings.Contains(strings.Join(strings.Fields(says), " "), " "+line+" ") {
			t.Errorf("it does not say %q:\n%s", line, says)
		}
	}
	if got := withoutComments(says); got != withoutComments(m.Entries[1].Configuration()) {
		t.Errorf("for a reader it is another configuration: %s", got)
	}
}

// What is wrong with a recipe is told with the run, the recipe, and the place in it; so is what
// changes nothing.
func TestRecipes_Refuses(t *testing.T) {
	const claim = `"claim": {"like": "base", "invariants": ["$property"]}`
	more := func(recipe string) string { return strings.Replace(someRecipes, claim, claim+", "+recipe, 1) }
	for name, c := range map[string]struct{ recipes, config, says string }{
		"nothing":   {`{}`, `{}`, "manifest.json: run: config is missing"},
		"null":      {`{}`, `null`, "config is missing"},
		"unknown":   {`{}`, `"gone"`, `recipe run: like "gone", which is neither a recipe`},
		"of itself": {`{}`, `{"like": "run"}`, "the recipes go round: run is like run"},
		"round":     {`{"a": {"like": "b"}, "b": "a"}`, `"a"`, "run is like a is like b is like a"},
		"like a file": {`{"a": "TinyOk.cfg"}`, `"a"`,
			"recipe a: the file TinyOk.cfg is written by hand"},
		"unknown part":   {`{"a": {"lik": "b"}}`, `"a"`, `unknown field "lik"`},
		"unknown in run": {`{}`, `{"sett": {}}`, `unknown field "sett"`},
		"set twice":      {`{}`, `{"set": {"N": 1, "N": 2}}`, "N is there twice"},
		"fraction":       {`{}`, `{"set": {"N": 1.5}}`, "N: 1.5 is no string"},
		"quote":          {`{}`, `{"set": {"N": "a\"b"}}`, "is no string without quotes"},
		"object":         {`{}`, `{"set": {"N": {"a": 1}}}`, "is no string without quotes"},
		"no constant":    {`{}`, `{"set": {"N M": 1}}`, `set N M: "N M" is no name of TLA+`},
		"no operator":    {`{}`, `{"replace": {"N": "a b"}}`, `replace N: "a b" is no name`},
		"no property":    {`{}`, `{"invariants": ["a b"]}`, `"a b" is no name`},
		"unknown field": {`{}`, `{"set": {"N": "$nam"}}`,
			"set N: $nam is no field of a run: there are $name"},
		"empty field": {`{}`, `{"properties": ["$temporal"]}`,
			"$temporal: the run has no such field"},
		"set as it is": {someRecipes, `{"like": "claim", "set": {"N": 4}}`,
			"set N: it has = 4 already, by base"},
		"filled as it is": {someRecipes, `{"like": "claim", "set": {"Name": "S01AddEmpty"}}`,
			"already, by base"},
		"recipe as it is": {more(`"a": {"like": "claim", "set": {"Name": "$state"}}`), `"a"`,
			"recipe a: set Name"},
		"replaced and set": {someRecipes, `{"like": "claim", "set": {"Keys": 1}}`,
			"Keys has <- MCKeys by base: drop that first"},
		"specification as it is": {someRecipes, `{"like": "claim", "specification": "Spec"}`,
			"is Spec already"},
		"deadlock as it is": {someRecipes, `{"like": "claim", "deadlock": true}`,
			"deadlock is true already"},
		"checked twice": {someRecipes, `{"like": "claim", "properties": ["TypeOK"]}`,
			"TypeOK is checked already"},
		"nothing to drop": {someRecipes, `{"like": "claim", "drop": ["Q"]}`,
			"drop Q: there is no such"},
		"unused": {someRecipes, `{"invariants": ["I"]}`,
			"no run is like the recipe base"},
		"of a run's name": {`{"run": {}}`, `"run"`, "a recipe and a run have the name run"},
		"no object":       {`[]`, `"a"`, "is no object of names"},
		"two objects":     {`{} {}`, `"a"`, "something behind the object"},
		"a path":          {`{}`, `"a/TinyOk.cfg"`, "is a path"},
		"no such file":    {`{}`, `"No.cfg"`, "configuration No.cfg is not in the folder"},
		"not the property": {`{}`, `{"invariants": ["J"]}`,
			"property I is not in the configuration"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := LoadManifest(withRecipes(t, c.recipes, runWith("run", c.config)))
			if !errors.Is(err, ErrManifest) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
		})
	}
}

// A manifest is written as it was read, recipes too, and a short list is on one line.
func TestManifest_Layout(t *testing.T) {
	for _, dir := range specFolders {
		m, err := LoadManifest(dir)
		if err != nil {
			t.Fatal(err)
		}
		was, err := os.ReadFile(filepath.Join(dir, ManifestName))
		if err != nil {
			t.Fatal(err)
		}
		m.Dir = t.TempDir()
		if err := m.Save(); err != nil {
			t.Fatal(err)
		}
		is, err := os.ReadFile(filepath.Join(m.Dir, ManifestName))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(was), "\n")
		for i, line := range strings.Split(string(is), "\n") {
			if i >= len(lines) || line != lines[i] {
				t.Errorf("%s: line %d of the manifest is written as %q by samecycle spec --update: write "+
					"it so by hand", dir, i+1, line)
				break
			}
		}
	}
}

// everySpecFolder are those with a manifest, also where no engine has registered it.
func everySpecFolder(t *testing.T) (dirs []string) {
	t.Helper()
	for _, below := range []string{"*", "*/*", "*/*/*"} {
		// The pattern is well formed.
		files, _ := filepath.Glob(filepath.Join("../../spec/tla", below, ManifestName))
		for _, f := range files {
			dirs = append(dirs, filepath.Dir(f))
		}
	}
	for _, dir := range specFolders {
		if !slices.Contains(dirs, dir) {
			t.Fatalf("%s is not among the folders %v", dir, dirs)
		}
	}
	return dirs
}

// specFolders are those of the engines.
var specFolders = []string{"../../spec/tla/hopscotch", "../../spec/tla/hopscotch/written",
	"../../spec/tla/hopscotch/written/parts", "../../spec/tla/shardmap"}

var reSpecName = regexp.MustCompile(`^(?:SPECIFICATION )?(?:  )?(\w+)(?: <- (\w+))?`)

// wordsOf are the words in the modules that a root module consists of.
func wordsOf(t *testing.T, dir, module string) map[string]bool {
	t.Helper()
	files, err := ModulesOf(dir, module)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"": true}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range reWord.FindAllString(reComment.ReplaceAllString(string(text), " "), -1) {
			known[word] = true
		}
	}
	return known
}

// undefined are the names in a configuration that are not among those of the modules.
func undefined(configuration string, known map[string]bool) (list []string) {
	for line := range strings.Lines(configuration) {
		names := reSpecName.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if names == nil || configKeywords[names[1]] {
			continue
		}
		for _, name := range names[1:] {
			if !known[name] {
				list = append(list, name)
			}
		}
	}
	return list
}

// Each run has a configuration of its own, of names that its modules have, and each one that is written by
// hand is that of a run: none has been forgotten, or taken for another one. A violation is told by how deep
// it is, where nothing else tells it.
func TestEveryRunHasAConfiguration(t *testing.T) {
	for _, dir := range everySpecFolder(t) {
		m, err := LoadManifest(dir)
		if err != nil {
			t.Fatal(err)
		}
		byHand, _ := filepath.Glob(filepath.Join(dir, "*"+handWritten)) // the pattern is well formed
		other, known := map[string]string{}, map[string]map[string]bool{}
		for _, e := range m.Entries {
			byHand = slices.DeleteFunc(byHand,
				func(f string) bool { return filepath.Base(f) == e.Config.File })
			what := e.Module + " " + withoutComments(e.text)
			if other[what] != "" {
				t.Errorf("%s and %s are the same run", other[what], e.Name)
			}
			other[what] = e.Name
			if known[e.Module] == nil {
				known[e.Module] = wordsOf(t, dir, e.Module)
			}
			if list := undefined(e.text, known[e.Module]); len(list) > 0 {
				t.Errorf("%s: no module has %v", e.Name, list)
			}
			if e.Expect == Invariant && e.Depth == 0 {
				t.Errorf("%s has no depth: samecycle spec --update %s", e.Name, e.Name)
			}
		}
		if len(byHand) > 0 {
			t.Errorf("no run of %s has the configurations %v", dir, byHand)
		}
		e := m.Entries[0]
		list := undefined(e.text+"  Forgotten\n", known[e.Module])
		if !slices.Equal(list, []string{"Forgotten"}) {
			t.Errorf("with a property that no module has: %v", list)
		}
	}
}

// What the recipes come to is among what a cell rests on, under the name of the run; a recipe that says the
// same in other words changes nothing.
func TestReach_Configurations(t *testing.T) {
	reach := func(recipes, config string) map[string]string {
		dir := withRecipes(t, recipes, runWith("run", config))
		m, err := LoadManifest(dir)
		if err != nil {
			t.Fatal(err)
		}
		texts, err := m.Reach(dir, "S01AddEmpty")
		if err != nil {
			t.Fatal(err)
		}
		return texts
	}
	before := reach(someRecipes, `"claim"`)
	const name = "manifest.json (configuration of run)"
	if !strings.HasPrefix(before[name], "SPECIFICATION Spec CONSTANTS Name =") {
		t.Fatalf("the cell rests on %v", before)
	}
	for _, c := range []struct {
		recipes, config string
		turns           []string
	}{
		{someRecipes, `{"like": "claim"}`, nil},
		{someRecipes, `{"like": "claim", "set": {"N": 5}}`, []string{name}},
		{strings.Replace(someRecipes, `"N": 4`, `"N": 5`, 1), `"claim"`, []string{name}},
		{strings.Replace(someRecipes, `["TypeOK"]`, `[]`, 1), `"claim"`, []string{name}},
	} {
		var turned []string
		for file, text := range reach(c.recipes, c.config) {
			if text != before[file] {
				turned = append(turned, file)
			}
		}
		if !slices.Equal(turned, c.turns) {
			t.Errorf("%s: %v turn, want %v", c.config, turned, c.turns)
		}
	}
}
