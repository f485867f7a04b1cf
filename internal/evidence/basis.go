package evidence

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/samecycle/samecycle/internal/evidence/closure"
)

// Basis is what a record depends on: the hash of everything that could change its verdict, and the list
// behind the hash, which later tells what has changed. The part of the list that all states of a link share
// is in one file beside the records, named by its hash. Own is the part of the state itself.
type Basis struct {
	SHA256 string       `json:"sha256"`
	Shared string       `json:"shared,omitempty"` // the first digits of the shared list's hash
	Own    closure.List `json:"own"`
	// Platform is the platform on which the state was judged, as [closure.Platform]; it selects among the
	// files of a package. On another platform the record is compared with the files of that platform, so
	// looking at it there does not make it stale.
	Platform string `json:"platform"`

	shared closure.List // to be written; nil after a load
}

// sharedDigits is the number of digits of its hash that name a shared list.
const sharedDigits = 12

// reShared is the form of the name of a shared list, which becomes a part of a path.
var reShared = regexp.MustCompile(`^[0-9a-f]{12}$`)

// sharedPrefix is the beginning of the name of the file of a shared list.
const sharedPrefix = "shared-"

// BasisOf returns the basis of a list whose shared part is in a file of its own.
func BasisOf(list, shared closure.List) Basis {
	b := Basis{SHA256: list.Hash(), Own: maps.Clone(list), Platform: closure.Platform(), shared: shared}
	if len(shared) == 0 {
		return b
	}
	b.Shared = shared.Hash()[:sharedDigits]
	maps.DeleteFunc(b.Own, func(name, _ string) bool { _, both := shared[name]; return both })
	return b
}

// sharedFile returns the path of the shared list of that name.
func sharedFile(root, engine, link, name string) string {
	return filepath.Join(Dir(root, engine), link, sharedPrefix+name+".json")
}

// files returns the files that the list names.
func (b Basis) files() []string {
	all := maps.Clone(b.Own)
	maps.Copy(all, b.shared)
	return all.Files()
}

// save writes the shared list, if it does not exist yet.
func (b Basis) save(root, engine, link string) error {
	if b.Shared == "" || b.shared == nil {
		return nil
	}
	path := sharedFile(root, engine, link, b.Shared)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	text, err := json.MarshalIndent(b.shared, "", " ")
	if err != nil {
		return err
	}
	return WriteFile(path, append(text, '\n'))
}

// List reads the whole list behind the hash. Errors: the shared list does not exist, or is another one.
func (b Basis) List(root, engine, link string) (closure.List, error) {
	list := maps.Clone(b.Own)
	if list == nil {
		list = closure.List{}
	}
	if b.Shared != "" {
		path := sharedFile(root, engine, link, b.Shared)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("the list of what the record rests on cannot be read: %w", err)
		}
		var shared closure.List
		if err := json.Unmarshal(text, &shared); err != nil {
			return nil, fmt.Errorf("%s: %w", relative(root, path), err)
		}
		maps.Copy(list, shared)
	}
	if list.Hash() != b.SHA256 {
		return nil, errors.New("the list of what the record rests on is not the one of its hash")
	}
	return list, nil
}

// changed returns one sentence that says how the basis of the record differs from the present files, or "".
func (r *Record) changed(root string, now closure.List) string {
	if now.Hash() == r.Inputs.SHA256 {
		return ""
	}
	all := r.Differences(root, now)
	if len(all) == 1 {
		return all[0]
	}
	return fmt.Sprintf("%s, and %d more of what it rests on (samecycle states --why CELL names all)", all[0],
		len(all)-1)
}

// Differences returns one line for each difference between the basis of the record and the present files.
func (r *Record) Differences(root string, now closure.List) []string {
	before, err := r.Inputs.List(root, r.Engine, r.Link)
	if err != nil {
		return []string{err.Error()}
	}
	return now.Differences(before)
}

// dropUnused removes the shared lists of a link that no record names.
func dropUnused(root, engine, link string) {
	dir := filepath.Join(Dir(root, engine), link)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	used := map[string]bool{}
	for _, e := range entries {
		state, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || strings.HasPrefix(state, sharedPrefix) {
			continue
		}
		r, err := load(root, engine, link, state)
		if err != nil {
			return // it may name any list
		}
		used[r.Inputs.Shared] = true
	}
	for _, e := range entries {
		name, isList := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".json"), sharedPrefix)
		if isList && !used[name] {
			_ = os.Remove(filepath.Join(dir, e.Name())) // the next run tries again
		}
	}
}
