package lint

import (
	"bytes"
	"encoding/json"
	"go/format"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
)

// gofmt finds Go files that do not parse or that gofmt would change.
func gofmt(t *Tree) []Finding {
	var found list
	for _, s := range t.Go {
		if s.Err != nil {
			found.add(s.Path, 0, "the file does not parse: %v", s.Err)
			continue
		}
		want, err := format.Source(s.Text)
		if err != nil {
			found.add(s.Path, 0, "the file cannot be formatted: %v", err)
			continue
		}
		if !bytes.Equal(want, s.Text) {
			found.add(s.Path, firstDifference(want, s.Text), "gofmt would change the file: run "+
				"gofmt -w %s", s.Path)
		}
	}
	return found
}

// firstDifference is the first line in which two texts differ.
func firstDifference(a, b []byte) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return lineAt(b, i)
}

// reRecord is the place of a record of a cell, or of a list that several cells rest on.
var reRecord = regexp.MustCompile(`^results/([^/]+)/records/(.+)\.json$`)

// sharedPrefix begins the name of a list that the records of a link share.
const sharedPrefix = "shared-"

// records looks at the results' records: each parses, and the file's place says the same engine, link
// and state as its content, all of the catalog. What a record claims is judged elsewhere.
func records(t *Tree) []Finding {
	var found list
	for _, name := range sortedNames(t.Files) {
		m := reRecord.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		at := slices.IndexFunc(t.Engines, func(e *Engine) bool { return e.Name == m[1] })
		if at < 0 {
			found.add(name, 0, "the record is one of the engine %q, which is not in the catalog: delete it",
				m[1])
			continue
		}
		if strings.HasPrefix(path.Base(m[2]), sharedPrefix) {
			found = append(found, sharedList(t, name, m[2])...)
			continue
		}
		found = append(found, t.record(name, t.Engines[at], m[2])...)
	}
	return found
}

// record looks at one record of an engine, whose place below the engine's records is given.
func (t *Tree) record(name string, e *Engine, place string) []Finding {
	var found list
	var r struct{ Engine, Link, State, Status string }
	if err := json.Unmarshal(t.Files[name], &r); err != nil {
		found.add(name, 0, "the record does not parse: %v; run the link again", err)
		return found
	}
	if r.Engine != e.Name {
		found.add(name, 0, "the record names the engine %q and lies in the folder of %s: delete it, and run "+
			"the link again", r.Engine, e.Name)
	}
	if _, ok := catalog.LinkByID(r.Link); !ok {
		found.add(name, 0, "the record names the link %q, which is not in the catalog: delete it", r.Link)
	}
	if !slices.ContainsFunc(e.States, func(s catalog.State) bool { return s.ID == r.State }) {
		found.add(name, 0, "the record names the state %q, which is not in the catalog: delete it", r.State)
	}
	if want := r.Link + "/" + r.State; place != want {
		found.add(name, 0, "the record is the one of %s: move it to results/%s/records/%s.json, or run the "+
			"link again", want, e.Name, want)
	}
	return found
}

// sharedList looks at a list that records of a link share: it parses, and is in the folder of a link.
func sharedList(t *Tree, name, place string) []Finding {
	var found list
	if !json.Valid(t.Files[name]) {
		found.add(name, 0, "the list does not parse; run the link again")
	}
	if _, ok := catalog.LinkByID(path.Dir(place)); !ok {
		found.add(name, 0, "the list belongs to the link %q, which is not in the catalog: delete it",
			path.Dir(place))
	}
	return found
}
