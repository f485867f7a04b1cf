package tlc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/samecycle/samecycle/internal/catalog"
)

// Kind is what a manifest entry is for.
type Kind string

const (
	Safety     Kind = "safety"     // invariants and step properties of a program
	Witness    Kind = "witness"    // the negated mark of a race: must be violated
	LiveRun    Kind = "liveness"   // temporal properties under fairness, deadlock checking on
	MustFail   Kind = "must-fail"  // one repair switched off: must not pass
	Exhaustive Kind = "exhaustive" // a whole state space, for comparing sets or counts
)

// ManifestName is the file of a spec folder that lists its runs.
const ManifestName = "manifest.json"

// Entry is one run of the manifest and what must come of it.
//
// Distinct and Depth are what TLC counts. A run that expects ok must have them. A run that must
// fail may have them, up to the violation, if it has one worker: then the search is the same each
// time. TLC looks for a liveness counterexample at the end, in the whole graph. A witness has the depth
// alone, which is the length of a shortest counterexample: where another one is reached its claim is
// another one.
//
// Temporal is the temporal property of a safety run that is a liveness run at the same time: one
// search of the states for both.
type Entry struct {
	Name           string  `json:"name"`                     // unique; what the command line names
	State          string  `json:"state"`                    // a state of the catalog, or "" for all
	Module         string  `json:"module"`                   // root module, without .tla
	Config         Recipe  `json:"config,omitzero"`          // how its configuration is made
	Kind           Kind    `json:"kind"`                     //
	Expect         Outcome `json:"expect"`                   // ok, invariant, liveness, deadlock
	Property       string  `json:"property,omitempty"`       // what must be violated, if anything
	Temporal       string  `json:"temporal,omitempty"`       // checked by a safety run, too; see below
	Distinct       int64   `json:"distinct,omitempty"`       // distinct states, see below
	Depth          int     `json:"depth,omitempty"`          // in states, see below
	Workers        int     `json:"workers,omitempty"`        // 0 means 1; more leave depth unchecked
	TimeoutSeconds int     `json:"timeoutSeconds,omitempty"` // 0 means 600
	MemoryMB       int     `json:"memoryMB,omitempty"`       // Java heap in MiB; 0 means 1024
	Large          bool    `json:"large,omitempty"`          // runs only when it is asked for
	Note           string  `json:"note,omitempty"`           // what the run is about, one sentence
	// Hazards are the known suspects of the source text that the run decides: H-16.
	Hazards []string `json:"hazards,omitempty"`
	// Story tells what happens in the run, line by line; it stands at the head of the configuration.
	Story []string `json:"story,omitempty"`

	dir      string         // the spec folder that the entry belongs to
	made     *configuration // nil if the configuration is written by hand
	text     string         // of the configuration
	schedule schedule
}

// Manifest is the list of a spec folder's runs, in the order of the file.
type Manifest struct {
	Dir     string // the spec folder
	reach   *reacher
	Entries []Entry
}

// ErrManifest is what every complaint about a manifest wraps.
var ErrManifest = errors.New("manifest is wrong")

// LoadManifest reads and validates DIR/manifest.json. The error lists all complaints.
func LoadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("manifest cannot be read: %w", err)
	}
	m := &Manifest{Dir: dir}
	if err := decodeList(text, &m.Entries); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrManifest, path, err)
	}
	schedules, err := LoadSchedules(dir)
	if err != nil {
		return nil, err
	}
	b, err := loadRecipes(dir, m.Entries)
	if err != nil {
		return nil, err
	}
	var all []error
	seen := map[string]bool{}
	for i := range m.Entries {
		m.Entries[i].dir, m.Entries[i].schedule = dir, schedules.of(m.Entries[i].Name)
		e := &m.Entries[i]
		if seen[e.Name] {
			all = append(all, fmt.Errorf("%w: %s: the name is used twice", ErrManifest, e.Name))
		}
		seen[e.Name] = true
		for _, complaint := range m.complaints(e, b) {
			all = append(all, fmt.Errorf("%w: %s: %s: %s", ErrManifest, path, e.Name, complaint))
		}
	}
	for _, name := range b.unused() {
		all = append(all, fmt.Errorf("%w: %s: no run is like the recipe %s: take it out", ErrManifest,
			filepath.Join(dir, RecipesName), name))
	}
	if len(all) > 0 {
		return nil, errors.Join(all...)
	}
	return m, nil
}

// decodeList reads a JSON list without fields that nobody knows, and with nothing behind it.
func decodeList(text []byte, list any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(list); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("there is something behind the list, at byte %d: keep one list",
			dec.InputOffset())
	}
	return nil
}

// complaints returns what is wrong with an entry: its fields, its files, and a configuration
// that could not show what the entry is for. It makes the configuration.
func (m *Manifest) complaints(e *Entry, b *recipes) (bad []string) {
	no := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	if e.Name == "" || strings.ContainsAny(e.Name, " /\\") {
		no("name %q: give it one word", e.Name)
	}
	if e.State != "" && !catalog.IsStateID(e.State) {
		no("state %q is no state; write its full identifier, as S04AddCollisionEmpty, or \"\"", e.State)
	}
	if e.Module != filepath.Base(e.Module) || strings.Contains(e.Module, `\`) {
		no("%q is a path: name a file of the folder itself", e.Module)
		return bad
	}
	if _, err := os.Stat(filepath.Join(m.Dir, e.Module+".tla")); err != nil {
		no("module %s.tla is not in the folder", e.Module)
	}
	for _, c := range expectationComplaints(*e) {
		no("%s", c)
	}
	if err := b.configure(m.Dir, e); err != nil {
		no("%v", err)
		return bad
	}
	return append(bad, configComplaints(*e, parseConfig(e.text))...)
}

func expectationComplaints(e Entry) (bad []string) {
	switch e.Kind {
	case Safety, LiveRun, Exhaustive:
		if e.Expect != OK {
			bad = append(bad, fmt.Sprintf("a %s run must expect ok, not %q", e.Kind, e.Expect))
		}
	case Witness:
		if e.Expect != Invariant || e.Property == "" {
			bad = append(bad, "a witness must expect invariant and name the property")
		}
	case MustFail:
		switch e.Expect {
		case Invariant, Liveness:
			if e.Property == "" {
				bad = append(bad, "a must-fail run must name the property that it violates")
			}
		case Deadlock:
		default:
			bad = append(bad, fmt.Sprintf("a must-fail run cannot expect %q", e.Expect))
		}
	default:
		bad = append(bad, fmt.Sprintf("kind %q is none of safety, witness, liveness, "+
			"must-fail, exhaustive", e.Kind))
	}
	exact := e.Expect == OK || e.Kind == MustFail && e.Workers <= 1
	if !exact && e.Distinct != 0 || e.Expect != OK && e.Workers > 1 && e.Depth != 0 {
		bad = append(bad, "distinct is for runs that expect ok, or must fail with one worker, depth for "+
			"those and witnesses with one: another search for a counterexample may stop anywhere")
	}
	return bad
}

func configComplaints(e Entry, c config) (bad []string) {
	switch steps := slices.DeleteFunc(slices.Clone(c.properties), func(p string) bool {
		return p == e.Temporal
	}); {
	case e.Kind == Safety && len(c.invariants)+len(c.properties) == 0:
		bad = append(bad, "the configuration has neither INVARIANT nor PROPERTY: nothing is checked")
	case e.Kind == Safety && len(c.invariants)+len(steps) == 0:
		bad = append(bad, "a safety run must check an INVARIANT, or a PROPERTY of steps, besides "+e.Temporal+
			": nothing says what no state may be")
	}
	if e.Temporal != "" {
		if e.Kind != Safety {
			bad = append(bad, "temporal is for a safety run that checks liveness, too")
		}
		if !contains(c.properties, e.Temporal) {
			bad = append(bad, "property "+e.Temporal+" is not in the configuration")
		}
	}
	if e.Is(LiveRun) {
		if len(c.properties) == 0 {
			bad = append(bad, "the configuration of a liveness run has no PROPERTY")
		}
		if c.deadlockIgnored {
			bad = append(bad, "a liveness run must leave CHECK_DEADLOCK on")
		}
	}
	if (e.Is(LiveRun) || e.Expect == Liveness) && c.symmetry {
		bad = append(bad, "SYMMETRY is unsound for liveness")
	}
	if e.Property != "" && !contains(c.invariants, e.Property) && !contains(c.properties, e.Property) {
		bad = append(bad, "property "+e.Property+" is not in the configuration")
	}
	if e.Expect == Liveness && len(c.properties) > 1 {
		bad = append(bad, "TLC does not name a violated temporal property: "+
			"keep one PROPERTY in the configuration")
	}
	return bad
}

// Is reports whether the entry is of the kind; a safety run may be a liveness run at the same time.
func (e Entry) Is(k Kind) bool { return e.Kind == k || k == LiveRun && e.Temporal != "" }

// Whole is the entry without a schedule: its run searches everything.
func (e Entry) Whole() Entry {
	e.schedule = schedule{}
	return e
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// LoadManifests reads the manifests of several folders as one, in the order of the folders. It
// can be selected from and run, not saved. A folder without a manifest is an error, and so is a
// name in two of them.
func LoadManifests(dirs ...string) (*Manifest, error) {
	all := &Manifest{}
	seen := map[string]string{}
	for _, dir := range dirs {
		m, err := LoadManifest(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range m.Entries {
			if first, ok := seen[e.Name]; ok {
				return nil, fmt.Errorf("%w: %s: the name is used in %s and in %s",
					ErrManifest, e.Name, first, dir)
			}
			seen[e.Name] = dir
			all.Entries = append(all.Entries, e)
		}
	}
	return all, nil
}

// Everyday returns the entries that are not large.
func (m *Manifest) Everyday() []Entry { return m.size(false) }

// Large returns the entries that run only when they are asked for.
func (m *Manifest) Large() []Entry { return m.size(true) }

func (m *Manifest) size(large bool) (out []Entry) {
	for _, e := range m.Entries {
		if e.Large == large {
			out = append(out, e)
		}
	}
	return out
}

// Select returns the entries with one of the given names, in the manifest's order; no names mean
// all that are not large. A name may also be a state (S04AddCollisionEmpty, S04): all entries of
// that state that are not large.
func (m *Manifest) Select(names []string) ([]Entry, error) {
	if len(names) == 0 {
		return m.Everyday(), nil
	}
	wanted := map[int]bool{}
	for _, name := range names {
		hit := false
		for i, e := range m.Entries {
			if e.Name == name || catalog.Names(name, e.State) && !e.Large {
				wanted[i], hit = true, true
			}
		}
		if !hit {
			return nil, fmt.Errorf("run %q is not in the manifest; list them: samecycle spec --list", name)
		}
	}
	var out []Entry
	for i, e := range m.Entries {
		if wanted[i] {
			out = append(out, e)
		}
	}
	return out, nil
}

// Named returns the run of that name.
func (m *Manifest) Named(name string) (Entry, error) {
	for _, e := range m.Entries {
		if e.Name == name {
			return e, nil
		}
	}
	return Entry{}, fmt.Errorf("run %q is not in the manifest; list them: samecycle spec --list", name)
}

// Save writes the manifest back, atomically.
func (m *Manifest) Save() error {
	if err := writeJSON(filepath.Join(m.Dir, ManifestName), m.Entries); err != nil {
		return fmt.Errorf("manifest cannot be written: %w", err)
	}
	return nil
}

// writeJSON writes a value into a file, atomically.
func writeJSON(path string, value any) error {
	text, err := plainJSON(value)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	if err := layOut(&buf, text, "", 1); err != nil {
		return err
	}
	buf.WriteByte('\n')
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(buf.Bytes())
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	return err
}

// Record sets the counts of an entry from a run that ended ok, and the depth of an entry from a run that
// violated the invariant that it must. It returns one line that describes the change, or "" if there is
// none. Depth is left alone for more than one worker, and the states up to a violation that are not
// counted.
func (m *Manifest) Record(v Verdict) string {
	for i := range m.Entries {
		e := &m.Entries[i]
		asExpected := v.Result.Outcome == e.Expect && v.Result.Property == e.Property
		if e.Name != v.Entry.Name || !asExpected || e.Expect != OK && e.Expect != Invariant {
			continue
		}
		distinct, depth := e.Distinct, e.Depth
		if e.Expect == OK || e.Distinct != 0 {
			e.Distinct = v.Result.Distinct
		}
		if e.Workers <= 1 {
			e.Depth = v.Result.Depth
		}
		if e.Distinct == distinct && e.Depth == depth {
			return ""
		}
		return fmt.Sprintf("%s: distinct %d -> %d, depth %d -> %d",
			e.Name, distinct, e.Distinct, depth, e.Depth)
	}
	return ""
}
