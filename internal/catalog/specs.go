package catalog

import (
	"path/filepath"
	"slices"
)

// Spec is one folder of an engine's specification, with a manifest of its runs.
type Spec struct {
	Dir string // below the repository's root

	// Again are modules whose runs search states of other runs once more: they do not count twice.
	Again []string
}

// Specs are the folders of an engine's specification. The first one is the protocol as it is built.
type Specs []Spec

// Folders returns them as paths.
func (s Specs) Folders(root string) []string {
	var out []string
	for _, spec := range s {
		out = append(out, filepath.Join(root, filepath.FromSlash(spec.Dir)))
	}
	return out
}

// Main returns the path of the first folder; ok is false if there is none.
func (s Specs) Main(root string) (folder string, ok bool) {
	if len(s) == 0 {
		return "", false
	}
	return s.Folders(root)[0], true
}

// Again reports whether the runs of a module search states of other runs once more.
func (s Specs) Again(module string) bool {
	return slices.ContainsFunc(s, func(x Spec) bool { return slices.Contains(x.Again, module) })
}
