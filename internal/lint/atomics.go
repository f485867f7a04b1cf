package lint

import (
	"go/ast"
	"strconv"
	"strings"
)

// rawAtomic lists the folders and files that may import sync/atomic, each with the reason. Tests may too:
// their counters are not the engine's words.
var rawAtomic = map[string]string{
	"internal/seam":                  "is the seam",
	"explore/shim/...":               "stands in for sync and sync/atomic of explored code",
	"stress/memory.go":               "is the clock, the rounds and the logs of clients, outside of engines",
	"stress/memory_linux.go":         "maps the same",
	"internal/cachestorm":            "is the clock and the journals of processes, outside of the cache",
	"explore":                        "talks to its watchdog and its progress report",
	"internal/history/concurrent.go": "the common clock of the clients, outside of the engine",
	"service":                        "counts what a service has done, outside of the engine",
	"scenarios/shardmap/volume":      "watches the words of locks from outside of the engine",
	"cmd/samecycle/progress.go":      "counts what the workers have done",
	"foreign/driver/sequential.go":   "asks which call has not come back of an actor that has not",
	"linearizability/budget.go":      "shares one budget of memory between the judge's goroutines",
}

// rawAtomics finds uses of sync/atomic, and ways around it, outside of the list.
func rawAtomics(t *Tree) []Finding {
	var found list
	for _, s := range t.Go {
		if s.File == nil || t.nested(s.Dir) != "" {
			continue
		}
		for _, imp := range s.File.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			if blank(imp) {
				continue // names nothing: it can make no access
			}
			if name == "sync/atomic" && !s.Test && !mayUseAtomics(s) {
				found.add(s.Path, s.Line(imp.Pos()), "import of sync/atomic outside of the seam: use "+
					"internal/seam, or add a reason to internal/lint/atomics.go")
			}
		}
		for _, group := range s.File.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:linkname ") {
					found.add(s.Path, s.Line(c.Pos()), "go:linkname reaches into another package: "+
						"use what it exports")
				}
			}
		}
	}
	return found
}

// blank reports whether the import gives the file no name to use.
func blank(imp *ast.ImportSpec) bool { return imp.Name != nil && imp.Name.Name == "_" }

func mayUseAtomics(s *Source) bool {
	for place := range rawAtomic {
		if s.Path == place || within(s.Dir, place) {
			return true
		}
	}
	return false
}
