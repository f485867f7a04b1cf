package lint

import (
	"regexp"
	"slices"
)

// partActions holds the actions of a part against its module and the engine: each is an operator, which Step
// or Next uses; each has its functions; each program counter is one of them.
func partActions(t *Tree, e *Engine, p Part) []Finding {
	var found list
	spec, partsFile := e.spec()+p.Module+".tla", e.partsFile()
	text := t.Files[spec]
	known := map[string]bool{}
	for _, a := range p.Actions {
		known[a.Name] = true
		if !regexp.MustCompile(`(?m)^` + a.Name + `\(a\) ==`).Match(text) {
			found.add(spec, 0, "action %s of the catalog has no operator %s(a): write it, or "+
				"correct %s", a.Name, a.Name, partsFile)
		}
		if !regexp.MustCompile(`\\/ ` + a.Name + `\(a\)`).Match(text) {
			found.add(spec, 0, "action %s is no part of the next-state relation: add it to "+
				"Step or Next", a.Name)
		}
		for _, name := range a.Functions {
			if !t.hasFunction(a.Folder, name) {
				found.add(a.Folder, 0, "action %s of %s has no function %s: write it, or correct %s",
					a.Name, spec, name, partsFile)
			}
		}
		if a.Access && !slices.Contains(a.Functions, stepName(a.Name)) {
			found.add(partsFile, 0, "action %s makes an access: its function is %s", a.Name,
				stepName(a.Name))
		}
	}
	for _, m := range p.counter.FindAllSubmatchIndex(text, -1) {
		if name := string(text[m[2]:m[3]]); !known[name] {
			found.add(spec, lineAt(text, m[2]), "the program counter %s is no action of the "+
				"catalog: add it to %s", name, partsFile)
		}
	}
	return found
}

// hasFunction tells whether a folder declares the function or method, outside of its tests.
func (t *Tree) hasFunction(folder, name string) bool {
	for s := range t.sources(folder) {
		if s.Test {
			continue
		}
		for _, fn := range functions(s) {
			if fn.Name.Name == name {
				return true
			}
		}
	}
	return false
}
