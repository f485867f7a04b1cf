package foreign

import (
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// ErrTarget means that a target cannot be explored as requested: the target is unknown, or its type is.
var ErrTarget = errors.New("nothing to explore")

//go:embed adapters/*.go.txt
var texts embed.FS

const (
	project = "github.com/samecycle/samecycle"
	shims   = project + "/explore/shim/"
	stdlib  = project + "/foreign/shim/"

	driverModule = "samecycle.foreign" // the module that is built in the work folder
	standardMap  = "sync.Map"
)

// An adapter says how to explore one target.
type adapter struct {
	target string // the module's path, or a part of the standard library
	about  string

	// main maps the driver's files to their texts in adapters/.
	main map[string]string

	// For a target in the standard library: the files to copy, from GOROOT/src to the work folder, and the
	// files from adapters/ to add to the copy.
	files, added map[string]string

	// imports are changed in addition to those that are always changed.
	imports map[string]string

	// sums are the checksums of the versions that were explored here, as in go.sum. Another version is
	// explored as well, but not one of these versions with another checksum.
	sums map[string]string
}

// adapters is the table of targets.
var adapters = []adapter{
	{
		target: standardMap,
		about:  "the map of the Go toolchain that runs",
		main:   map[string]string{"main.go": "syncmap.go.txt", "suites.go": "syncmap_suites.go.txt"},
		files: map[string]string{
			"sync/map.go":                  "copy/sync/map.go",
			"internal/sync/hashtriemap.go": "copy/isync/hashtriemap.go",
		},
		added: map[string]string{
			"copy/sync/companion.go": "syncmap_companion.go.txt",
			"copy/isync/mutex.go":    "syncmap_mutex.go.txt",
		},
		imports: map[string]string{
			"internal/sync":   driverModule + "/copy/isync",
			"internal/abi":    stdlib + "abi",
			"internal/goarch": stdlib + "goarch",
		},
	},
	{
		target: "github.com/alphadose/haxmap",
		about:  "a lock-free hash map on a linked list",
		main:   map[string]string{"main.go": "haxmap.go.txt"},
		sums:   map[string]string{"v1.4.1": "h1:VtD6VCxUkjNIfJk/aWdYFfOzrRddDFjmvmRmILg7x8Q="},
	},
	{
		target: "github.com/puzpuzpuz/xsync/v4",
		about:  "its Map: a hash table with a lock per bucket and lock-free readers",
		main:   map[string]string{"main.go": "xsync.go.txt"},
		sums:   map[string]string{"v4.5.0": "h1:vOSWu6b57/emh+L/Cw0BeQfvxa/cogFywXHeGUxQxAg="},
	},
}

// imports are the import paths that are changed in every copy.
var imports = map[string]string{
	"sync":         shims + "sync",
	"sync/atomic":  shims + "atomic",
	"time":         shims + "time",
	"math/rand":    shims + "rand",
	"math/rand/v2": shims + "rand2",
	"crypto/rand":  shims + "crand",
	"hash/maphash": shims + "maphash",
	"context":      shims + "context",
	"maps":         shims + "maps",
	"os/signal":    shims + "signal",
}

// changes returns all imports that are changed in the adapter's copy.
func (a adapter) changes() map[string]string {
	all := map[string]string{}
	for _, m := range []map[string]string{imports, a.imports} {
		for from, to := range m {
			all[from] = to
		}
	}
	return all
}

// A Target is what is explored: a module, a folder, or "sync.Map".
type Target struct {
	Name    string // module path, folder, or "sync.Map"
	Version string // for a module v1.2.3 or latest; for sync.Map "" or the toolchain's, go1.26.0
}

// String returns the target as ParseTarget reads it.
func (t Target) String() string {
	if t.Version == "" {
		return t.Name
	}
	return t.Name + "@" + t.Version
}

// relative reports whether the meaning of the target depends on the working folder.
func (t Target) relative() bool { return isLocal(t.Name) && !filepath.IsAbs(t.Name) }

// ParseTarget reads a target: sync.Map, MODULE@VERSION, or a folder of the user: ./folder.
func ParseTarget(spec string) (Target, error) {
	t := Target{Name: spec}
	if !isLocal(spec) {
		t.Name, t.Version, _ = strings.Cut(spec, "@")
	}
	if _, err := t.adapter(); err != nil {
		return Target{}, err
	}
	return t, nil
}

// Targets lists the targets that have an adapter, each with a description.
func Targets() []string {
	var all []string
	for _, a := range adapters {
		name := a.target
		if a.files == nil {
			name += "@VERSION"
		}
		all = append(all, name+" ("+a.about+")")
	}
	return all
}

// adapter returns the adapter of the target. For a module that is explored by its types, it is one without a
// driver.
func (t Target) adapter() (adapter, error) {
	if isLocal(t.Name) {
		return adapter{target: t.Name}, nil
	}
	i := slices.IndexFunc(adapters, func(a adapter) bool { return a.target == t.Name })
	switch {
	case i >= 0 && adapters[i].files != nil:
		return adapters[i], nil
	case !strings.Contains(t.Name, "/"):
		return adapter{}, fmt.Errorf("%w: %q is no module; name one as MODULE@VERSION, a folder as "+
			"./FOLDER, or one that has an adapter: %s", ErrTarget, t.String(), strings.Join(Targets(), ", "))
	case t.Version == "":
		return adapter{}, fmt.Errorf("%w: %s lacks a version: write %s@v1.2.3, or @latest; a folder begins "+
			"with ./", ErrTarget, t.Name, t.Name)
	case i >= 0:
		return adapters[i], nil
	}
	return adapter{target: t.Name}, nil
}
