package lint

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// importEdges holds the imports of every package against the table of layers. Nested modules
// may import what they like, and nobody imports them.
func importEdges(t *Tree) []Finding {
	var found list
	unlisted := map[string]bool{}
	for _, s := range t.Go {
		if s.File == nil || t.nested(s.Dir) != "" {
			continue
		}
		row, ok := layerOf(s.Dir)
		if !ok {
			if !unlisted[s.Dir] {
				found.add(s.Path, 0, "package %s is in no row of the layer table: add one to "+
					"internal/lint/layers.go, with the imports that it may have", s.Dir)
			}
			unlisted[s.Dir] = true
			continue
		}
		for _, imp := range s.File.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			if text := t.refused(row, s, name); text != "" {
				found.add(s.Path, s.Line(imp.Pos()), "%s", text)
			}
		}
	}
	return append(found, rootRequires(t)...)
}

func layerOf(folder string) (layer, bool) {
	for _, row := range layers {
		if within(folder, row.folder) {
			return row, true
		}
	}
	return layer{}, false
}

// refused says why the file may not import name, or "".
func (t *Tree) refused(row layer, s *Source, name string) string {
	folder, isOurs := strings.CutPrefix(name, Module+"/")
	ours, libs := row.ours, row.libs
	if s.Test {
		ours = slices.Concat(ours, row.testOurs)
		libs = slices.Concat(libs, row.testLibs)
	}
	switch {
	case isOurs && t.nested(folder) != "":
		return "import of " + folder + ", which is a module of its own: nobody imports it"
	case isOurs && within(folder, s.Dir+"/...") && !slices.Contains(row.except, folder):
		return ""
	case isOurs && path.Dir(folder) == path.Dir(s.Dir) && slices.Contains(row.beside, path.Base(folder)):
		return ""
	case isOurs && !slices.ContainsFunc(ours, func(p string) bool { return within(folder, p) }):
		return "import of " + folder + " from " + s.Dir + " goes against the layers: move the " +
			"code to a layer that may see both" + onlyTests(row, s, folder)
	case isOurs || standard(name):
		return ""
	case hasPrefix(name, peers):
		return "import of the benchmark peer " + name + ": only a nested module may have it"
	case !hasPrefix(name, libs):
		return "import of " + name + ", which " + s.Dir + " may not use: do without, or add it " +
			"to the row of internal/lint/layers.go"
	}
	return ""
}

func onlyTests(row layer, s *Source, folder string) string {
	if s.Test || !slices.ContainsFunc(row.testOurs, func(p string) bool { return within(folder, p) }) {
		return ""
	}
	return " (tests may: " + row.why + ")"
}

// standard tells whether an import path is one of the standard library: no dot in its first
// element.
func standard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return !strings.Contains(first, ".")
}

// hasPrefix tells whether name is one of the import paths or below one.
func hasPrefix(name string, paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		return name == p || strings.HasPrefix(name, p+"/")
	})
}

var reRequire = regexp.MustCompile(`^\s*(?:require\s+)?(\S+)\s+v\d`)

// rootRequires keeps the peers out of the module of those who embed the engine.
func rootRequires(t *Tree) []Finding {
	var found list
	n := 0
	for line := range strings.Lines(string(t.Files["go.mod"])) {
		n++
		if m := reRequire.FindStringSubmatch(line); m != nil && hasPrefix(m[1], peers) {
			found.add("go.mod", n, "the benchmark peer %s is required: move its user to a nested "+
				"module and run go mod tidy", m[1])
		}
	}
	return found
}

// implLibraries lets the engine depend on one hash library at most.
func implLibraries(t *Tree) []Finding {
	var found list
	first := ""
	for s := range t.sources("impl/...") {
		if s.Test {
			continue
		}
		for _, imp := range s.File.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			if !hasPrefix(name, hashLibraries) {
				continue
			}
			if first == "" {
				first = name
			}
			if name != first {
				found.add(s.Path, s.Line(imp.Pos()), "import of %s, while other files of impl use "+
					"%s: one hash library is enough, use the same", name, first)
			}
		}
	}
	return found
}
