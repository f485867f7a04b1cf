package tlc

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	rePosition   = regexp.MustCompile(`^line (\d+), .* of module (\w+)$`)
	reDefinition = regexp.MustCompile(`^(\w+)(?:\([^)]*\))?\s*==(.*)$`)
	reOfInstance = regexp.MustCompile(`^(\w+)!(\w+)$`)
	reRuler      = regexp.MustCompile(`^(?:----|====)`)
	reTemporal   = regexp.MustCompile(`<>|~>|\b[WS]F_`)
)

// definition is one definition of a module's text, comments left out.
type definition struct {
	module, name string
	first, last  int    // lines, from 1
	text         string // what is behind ==
}

// definitionsOf are those of a module, in the order of its text. A file that cannot be read has none.
func definitionsOf(path string) (list []definition) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	module := strings.TrimSuffix(filepath.Base(path), ".tla")
	blank := func(comment string) string { return strings.Repeat("\n", strings.Count(comment, "\n")) }
	for i, line := range strings.Split(reComment.ReplaceAllStringFunc(string(text), blank), "\n") {
		if m := reDefinition.FindStringSubmatch(line); m != nil {
			list = append(list, definition{module: module, name: m[1], first: i + 1, text: m[2]})
		} else if len(list) > 0 && !reRuler.MatchString(line) {
			list[len(list)-1].text += "\n" + line
		}
		if len(list) > 0 {
			list[len(list)-1].last = i + 1
		}
	}
	return list
}

// definitionsIn are those of all modules of a folder.
func definitionsIn(dir string) (all []definition) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.tla")) // the pattern is well formed
	for _, f := range files {
		all = append(all, definitionsOf(f)...)
	}
	return all
}

// folders are the definitions of the folders that were read.
type folders map[string][]definition

// isTemporal reports whether a property of a folder says that something happens.
func (f folders) isTemporal(dir, property string) bool {
	if _, read := f[dir]; !read {
		f[dir] = definitionsIn(dir)
	}
	return isTemporal(f[dir], property)
}

// nameProperty fills in the name of a violated property where TLC gives none, or the position of a
// formula: that of a refinement is in the module that is refined. Without a single property of the
// configuration, of which this is the text, that it can be the name stays empty.
func (r *Result) nameProperty(dir, config string) {
	if r.Outcome != Liveness && r.Outcome != Invariant || isIdentifier(r.Property) {
		return
	}
	where := rePosition.FindStringSubmatch(r.Property)
	r.Property = ""
	c := parseConfig(config)
	if len(c.properties) == 1 {
		r.Property = c.properties[0]
		return
	}
	all := definitionsIn(dir)
	var can []string
	for _, p := range c.properties {
		if r.Outcome == Liveness && isTemporal(all, p) || where != nil && isAt(all, p, where) {
			can = append(can, p)
		}
	}
	if len(can) == 1 {
		r.Property = can[0]
	}
}

// isTemporal reports whether a property says that something happens, not only what may.
func isTemporal(all []definition, property string) bool {
	return slices.ContainsFunc(all, func(d definition) bool {
		return d.name == property && reTemporal.MatchString(d.text)
	})
}

// isAt reports whether a property is defined at the position that TLC gives, as line and module: by
// itself, or as the instance of the definition that is there.
func isAt(all []definition, property string, where []string) bool {
	line, err := strconv.Atoi(where[1])
	i := slices.IndexFunc(all, func(d definition) bool {
		return d.module == where[2] && d.first <= line && line <= d.last
	})
	if err != nil || i < 0 {
		return false
	}
	if all[i].name == property {
		return true
	}
	return slices.ContainsFunc(all, func(d definition) bool {
		m := reOfInstance.FindStringSubmatch(strings.TrimSpace(d.text))
		return d.name == property && m != nil && m[2] == all[i].name &&
			slices.ContainsFunc(all, func(of definition) bool {
				return of.name == m[1] && strings.TrimSpace(of.text) == "INSTANCE "+all[i].module
			})
	})
}
