package lint

import (
	"bytes"
	"encoding/json"
	"go/format"
	"path"
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

const recordsFolder = "results/hopscotch/records/"

// records looks at the results' records: each parses, and the file's place says the same link
// and state as its content, both of the catalog. What a record claims is judged elsewhere.
func records(t *Tree) []Finding {
	var found list
	for _, name := range sortedNames(t.Files) {
		rest, ok := strings.CutPrefix(name, recordsFolder)
		if !ok || path.Ext(name) != ".json" {
			continue
		}
		var r struct{ Link, State, Status string }
		if err := json.Unmarshal(t.Files[name], &r); err != nil {
			found.add(name, 0, "the record does not parse: %v; run the link again", err)
			continue
		}
		if _, ok := catalog.LinkByID(r.Link); !ok {
			found.add(name, 0, "the record names the link %q, which is not in the catalog: delete it",
				r.Link)
		}
		if !slices.ContainsFunc(t.States, func(s catalog.State) bool { return s.ID == r.State }) {
			found.add(name, 0, "the record names the state %q, which is not in the catalog: delete it",
				r.State)
		}
		if want := r.Link + "/" + r.State + ".json"; rest != want {
			found.add(name, 0, "the record is the one of %s: move it to %s%s, or run the link again",
				want, recordsFolder, want)
		}
	}
	return found
}
