package lint

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/catalog/shardmap"
)

// Engine is an engine as the checks see it: its names, and by convention its folders, spec/tla/NAME,
// model/NAME, impl/NAME and scenarios/NAME.
type Engine struct {
	*catalog.Engine
	Missing []string // actions that the implementation does not have
	Parts   []Part   // of the protocol that have a specification of their own
}

// Part is a part of a protocol with a specification of its own.
type Part struct {
	Module  string // without .tla
	Actions []catalog.PartAction

	// counter is a program counter; those of an actor that is at rest belong to no action, and have one word.
	counter *regexp.Regexp
}

var (
	reOwnerCounter = regexp.MustCompile(`"((?:Process|Owner|Table|Call)[A-Z]\w*)"`)
	reBellCounter  = regexp.MustCompile(`"((?:Bell|Service|Work|Call)[A-Z]\w*)"`)
)

// registered are the engines whose names are checked. A new register of names below internal/catalog gets a
// line here; the check EngineBorder reports one that has none.
func registered() []*Engine {
	return []*Engine{
		{Engine: hopscotch.Engine(), Missing: hopscotch.NotInEngine(), Parts: []Part{
			{"Owner", hopscotch.OwnerActions(), reOwnerCounter},
			{"Bell", hopscotch.BellActions(), reBellCounter},
		}},
		{Engine: shardmap.Engine()},
	}
}

func (e *Engine) spec() string      { return "spec/tla/" + e.Name + "/" }
func (e *Engine) model() string     { return "model/" + e.Name }
func (e *Engine) impl() string      { return "impl/" + e.Name }
func (e *Engine) scenarios() string { return "scenarios/" + e.Name }
func (e *Engine) register() string  { return "internal/catalog/" + e.Name }

func (e *Engine) actionsFile() string { return e.register() + "/actions.go" }
func (e *Engine) partsFile() string   { return e.register() + "/parts.go" }
func (e *Engine) statesFile() string  { return e.register() + "/states.go" }

// letter begins the identifiers of the engine's states.
func (e *Engine) letter() string { return e.States[0].ID[:1] }

// general are the packages that take any engine and know none. impl/region counts as general: engines that
// live in shared memory share it.
var general = []string{
	"explore/...", "foreign/...", "harness/...", "impl/region", "model/search", "stress/...",
	"linearizability", "internal/history", "internal/tlc/...", "internal/mutate", "internal/evidence/...",
	"internal/catalog", "internal/samestates", "internal/seam", "internal/hook", "internal/plural",
	"internal/disk", "internal/testlog",
}

// engineBorder holds the border between the harness and the engines: no general package imports one. Tests of
// general packages may use the names of an engine as examples, and nothing else of it.
func engineBorder(t *Tree) []Finding {
	var found list
	for _, s := range t.Go {
		inside := func(p string) bool { return within(s.Dir, p) }
		if s.File == nil || t.nested(s.Dir) != "" || !slices.ContainsFunc(general, inside) ||
			strings.HasPrefix(s.Dir, "internal/catalog/") {
			continue
		}
		for _, imp := range s.File.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			folder, ours := strings.CutPrefix(name, Module+"/")
			if e := t.engineOf(folder); ours && e != "" && !(s.Test && folder == "internal/catalog/"+e) {
				found.add(s.Path, s.Line(imp.Pos()), "import of %s, which belongs to the engine %s, into "+
					"the general package %s: take what it needs from harness.Engine", folder, e, s.Dir)
			}
		}
	}
	return append(found, unregistered(t)...)
}

// engineOf is the name of the engine that a folder belongs to, or "". The service works for the hopscotch
// table.
func (t *Tree) engineOf(folder string) string {
	if within(folder, "service/...") {
		return "hopscotch"
	}
	for _, e := range t.Engines {
		for _, own := range []string{e.impl(), e.model(), e.scenarios(), e.register()} {
			if within(folder, own+"/...") {
				return e.Name
			}
		}
	}
	return ""
}

// unregistered finds registers of names that no check looks at.
func unregistered(t *Tree) []Finding {
	var found list
	seen := map[string]bool{}
	for s := range t.sources("internal/catalog/...") {
		name := path.Base(s.Dir)
		if s.Dir == "internal/catalog" || seen[name] {
			continue
		}
		seen[name] = true
		if !slices.ContainsFunc(t.Engines, func(e *Engine) bool { return e.Name == name }) {
			found.add(s.Dir, 0, "the names of the engine %s are checked nowhere: add it to "+
				"internal/lint/engines.go", name)
		}
	}
	return found
}
