package foreign

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// doubtful are imports whose use the explorer does not control. They start goroutines that are not actors,
// or let others than actors run, such as processes, C or the network, and wait for them. A package of the
// standard library that is not rewritten is in this list if it has go statements or channels, or uses a
// package in the list, unless TestDoubtful_Standard says why it does no harm.
var doubtful = map[string]string{
	"time": "reads the clock or waits", "C": "calls C, whose accesses are not seen",
	"os": "asks the system", "os/signal": "sends on channels unseen",

	"crypto/tls":        goes,
	"database/sql":      goes,
	"expvar":            goes,
	"go/build":          runs,
	"go/importer":       runs,
	"io/ioutil":         asks,
	"log/syslog":        waits,
	"net":               goes,
	"net/http":          goes,
	"net/http/cgi":      runs,
	"net/http/fcgi":     goes,
	"net/http/httptest": goes,
	"net/http/httputil": goes,
	"net/http/pprof":    goes,
	"net/rpc":           goes,
	"net/rpc/jsonrpc":   goes,
	"net/smtp":          waits,
	"net/textproto":     waits,
	"os/exec":           runs,
	"os/user":           asks,
	"plugin":            "loads code that is in no copy",
	"runtime/pprof":     goes,
	"runtime/trace":     goes,
	"syscall":           asks,
	"testing":           goes, // a search of tests rewrites it, and also testing/synctest
	"testing/synctest":  goes,
}

// The reasons why an import is doubtful.
const (
	goes  = "starts goroutines that are no actors"
	runs  = "runs other processes and waits for them"
	waits = "waits for others than actors"
	asks  = "asks the system"
)

// doubtfulNames are such functions in packages that are not doubtful as a whole.
var doubtfulNames = map[[2]string]string{
	{"io", "Pipe"}:              "waits unseen",
	{"runtime", "AddCleanup"}:   "lets a goroutine of the runtime call a function",
	{"runtime", "SetFinalizer"}: "lets a goroutine of the runtime call a function",
}

// A note describes something that the explorer does not control: what it is, where and why, and in which
// file of a copy, if any.
type note struct{ what, text, file string }

// noteImport returns the note of an import at a place, if the import is doubtful.
func noteImport(place, path string) []note {
	if doubtful[path] == "" {
		return nil
	}
	return []note{{what: path, text: fmt.Sprintf("%s: import of %s, which %s", place, path,
		doubtful[path])}}
}

// noteName returns the note of a name of a package at a place, if the name is doubtful.
func noteName(place token.Position, path, name string) []note {
	why, is := doubtfulNames[[2]string{path, name}]
	if !is {
		return nil
	}
	what := path + "." + name
	return []note{{what: what, text: fmt.Sprintf("%v: %s, which %s", place, what, why)}}
}

// note keeps a note for the report.
func (w *Work) note(all ...note) {
	for _, n := range all {
		w.Notes, w.uncontrolled = append(w.Notes, n.text), append(w.uncontrolled, n.what)
	}
	slices.Sort(w.uncontrolled)
	w.uncontrolled = slices.Compact(w.uncontrolled)
}

// noteUncopied notes the doubtful imports of packages without a copy that the packages at the paths depend
// on. It skips imports that a copy would have changed: see Report.Outside.
func (w *Work) noteUncopied(packages []listed, changes map[string]string, paths []string) {
	byPath, needed := map[string]listed{}, map[string]bool{}
	for _, p := range packages {
		byPath[p.ImportPath] = p
	}
	for _, p := range paths {
		maps.Copy(needed, reached(byPath, p))
	}
	for _, p := range packages { // in the order of dependency, which is always the same
		_, copied := w.copyOf(p)
		if !needed[p.ImportPath] || p.Standard || copied || strings.HasPrefix(p.ImportPath, project+"/") {
			continue
		}
		for _, i := range slices.Sorted(slices.Values(p.Imports)) {
			if _, changed := changes[i]; !changed {
				w.note(noteImport(p.ImportPath, i)...)
			}
		}
	}
}
