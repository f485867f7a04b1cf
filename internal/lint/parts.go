package lint

import (
	"regexp"
	"slices"
)

const (
	ownerFile  = specFolder + "Owner.tla"
	ownersFile = "internal/catalog/owners.go"
)

// reOwnerCounter is a program counter of Owner.tla; those of an actor that is at rest are none of an
// action, and have one word.
var reOwnerCounter = regexp.MustCompile(`"((?:Process|Owner|Table|Call)[A-Z]\w*)"`)

// ownerActions holds the actions of the owner word against Owner.tla and the engine: each is an
// operator, which Step or Next uses; each has its functions; each program counter is one of them.
func ownerActions(t *Tree) []Finding {
	var found list
	text := t.Files[ownerFile]
	known := map[string]bool{}
	for _, a := range t.Owners {
		known[a.Name] = true
		if !regexp.MustCompile(`(?m)^` + a.Name + `\(a\) ==`).Match(text) {
			found.add(ownerFile, 0, "action %s of the catalog has no operator %s(a): write it, or "+
				"correct %s", a.Name, a.Name, ownersFile)
		}
		if !regexp.MustCompile(`\\/ ` + a.Name + `\(a\)`).Match(text) {
			found.add(ownerFile, 0, "action %s is no part of the next-state relation: add it to "+
				"Step or Next", a.Name)
		}
		for _, name := range a.Functions {
			if !t.hasFunction(a.Folder, name) {
				found.add(a.Folder, 0, "action %s of %s has no function %s: write it, or correct %s",
					a.Name, ownerFile, name, ownersFile)
			}
		}
		if a.Access && !slices.Contains(a.Functions, stepName(a.Name)) {
			found.add(ownersFile, 0, "action %s makes an access: its function is %s", a.Name,
				stepName(a.Name))
		}
	}
	for _, m := range reOwnerCounter.FindAllSubmatchIndex(text, -1) {
		if name := string(text[m[2]:m[3]]); !known[name] {
			found.add(ownerFile, lineAt(text, m[2]), "the program counter %s is no action of the "+
				"catalog: add it to %s", name, ownersFile)
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
