package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	register "github.com/samecycle/samecycle/internal/catalog/hopscotch"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/tlc"
)

// largeDir keeps what the large runs of the specification found, relative to the repository.
const largeDir = "results/hopscotch/spec"

// specDir is the folder of the specification that has large runs.
const specDir = "spec/tla/hopscotch"

// largeRun is one large run as results/hopscotch/spec keeps it. The time is that of the machine it ran on
// and says nothing but the order of magnitude; everything else comes out the same each time.
type largeRun struct {
	Name      string          `json:"name"`
	State     string          `json:"state"`
	Kind      tlc.Kind        `json:"kind"`
	Outcome   tlc.Outcome     `json:"outcome"`
	Distinct  int64           `json:"distinct"`
	Generated int64           `json:"generated"`
	Depth     int             `json:"depth"`
	Workers   int             `json:"workers"`
	Seconds   float64         `json:"seconds"`
	TLC       string          `json:"tlc"`
	Java      string          `json:"java"`
	Commit    string          `json:"commit"`
	Inputs    evidence.Inputs `json:"inputs"`
}

// largeRuns are the large entries of a repository and their kept runs, by name, and the files of the
// runs to come as they were before the first of those began, and their commit then.
type largeRuns struct {
	root    string
	entries []tlc.Entry
	runs    map[string]largeRun
	judged  map[string]evidence.Inputs
	commits map[string]string
}

// largeOf returns the large entries that have one of the names or belong to a state that has;
// without names, all there are.
func largeOf(m *tlc.Manifest, names []string) (out []tlc.Entry, err error) {
	for _, e := range m.Large() {
		if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool {
			s, ok := register.StateByID(n)
			return e.Name == n || ok && s.ID == e.State
		}) {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s names no large entry: leave --large out", strings.Join(names, " "))
	}
	return out, nil
}

// loadLargeRuns loads what is kept of the large entries.
func loadLargeRuns(root string, entries []tlc.Entry) (largeRuns, error) {
	l := largeRuns{root, entries, map[string]largeRun{}, map[string]evidence.Inputs{},
		map[string]string{}}
	text, err := os.ReadFile(filepath.Join(root, largeDir, "large.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return l, err
	}
	var list []largeRun
	if err := json.Unmarshal(text, &list); err != nil {
		return l, fmt.Errorf("%s/large.json is damaged: %w; remove it, the runs write it again",
			largeDir, err)
	}
	for _, r := range list {
		l.runs[r.Name] = r
	}
	return l, nil
}

// hold keeps other processes from writing what these runs are to write, until release is called.
func (f specFlags) hold(root string) (release func(), err error) {
	var held []func()
	release = func() {
		for _, r := range held {
			r()
		}
	}
	take := func(flag, file string) {
		if err == nil {
			var r func()
			if r, err = holdWritable(flag, file); err == nil {
				held = append(held, r)
			}
		}
	}
	if f.large {
		take("--large", filepath.Join(root, largeDir, "large.json"))
	}
	if f.update {
		for _, dir := range allSpecFolders(root) {
			take("--update", filepath.Join(dir, tlc.ManifestName))
		}
	}
	if f.schedules {
		for _, dir := range allSpecFolders(root) {
			take("--schedules", filepath.Join(dir, tlc.SchedulesName))
		}
	}
	if err != nil {
		release()
	}
	return release, err
}

// open loads what is kept of the large entries, and writes their table if that is asked for.
func (f specFlags) open(root string, entries []tlc.Entry) (largeRuns, error) {
	l, err := loadLargeRuns(root, entries)
	if err == nil && f.table {
		err = l.writeTable()
	}
	return l, err
}

// judge notes the files that the entries are about to judge: their modules and configurations.
func (l largeRuns) judge(entries []tlc.Entry) error {
	for _, e := range entries {
		in, err := l.filesOf(e)
		if err != nil {
			return err
		}
		l.judged[e.Name] = in
		l.commits[e.Name] = evidence.CommitOf(l.root, in.Files) // now: a run takes long
	}
	return nil
}

// filesOf is what a run of the entry judges: its module, those that this one uses, and its configuration,
// which is no file but counts for the hash.
func (l largeRuns) filesOf(e tlc.Entry) (evidence.Inputs, error) {
	files, err := tlc.ModulesOf(filepath.Join(l.root, specDir), e.Module)
	if err != nil {
		return evidence.Inputs{}, err
	}
	for i := range files {
		files[i] = specDir + "/" + files[i]
	}
	in, err := evidence.Judge(l.root, files...)
	sum := sha256.Sum256([]byte(in.SHA256 + "\n" + e.Configuration()))
	in.SHA256 = hex.EncodeToString(sum[:])
	return in, err
}

// missing returns those of the judged entries whose run is not kept, or was of other files.
func (l largeRuns) missing(entries []tlc.Entry) (out []tlc.Entry) {
	for _, e := range entries {
		if !l.has(e, l.judged[e.Name]) {
			out = append(out, e)
		}
	}
	return out
}

// has reports whether the run of an entry is kept, of these files, and came out as the manifest says.
func (l largeRuns) has(e tlc.Entry, files evidence.Inputs) bool {
	r, ok := l.runs[e.Name]
	return ok && r.Inputs.SHA256 == files.SHA256 && r.Outcome == e.Expect &&
		(e.Distinct == 0 || r.Distinct == e.Distinct)
}

// counted returns the kept runs of those of the judged entries whose count the manifest lacks, as
// verdicts: a run whose command was interrupted has its count in the record, and need not be made again.
func (l largeRuns) counted(entries []tlc.Entry) (out []tlc.Verdict) {
	lacking := l.missing(entries)
	for _, e := range entries {
		made := !slices.ContainsFunc(lacking, func(x tlc.Entry) bool { return x.Name == e.Name })
		if e.Distinct == 0 && e.Expect == tlc.OK && made {
			r := l.runs[e.Name]
			out = append(out, tlc.Verdict{Entry: e, Result: tlc.Result{Outcome: r.Outcome,
				Stats: tlc.Stats{Distinct: r.Distinct, Generated: r.Generated, Depth: r.Depth}}})
		}
	}
	return out
}

// keep adds a run that came to a verdict, and writes the runs and their table anew.
func (l largeRuns) keep(v tlc.Verdict, java string) error {
	if v.Err != nil || v.Unknown || v.Result.Outcome != v.Entry.Expect {
		return nil
	}
	in := l.judged[v.Entry.Name]
	l.runs[v.Entry.Name] = largeRun{
		Name: v.Entry.Name, State: v.Entry.State, Kind: v.Entry.Kind, Outcome: v.Result.Outcome,
		Distinct: v.Result.Distinct, Generated: v.Result.Generated, Depth: v.Result.Depth,
		Workers: max(1, v.Entry.Workers), Seconds: v.Result.Wall.Round(time.Second).Seconds(),
		TLC: v.Result.Version, Java: java,
		Commit: l.commits[v.Entry.Name], Inputs: in,
	}
	text, err := json.MarshalIndent(l.sorted(), "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Join(l.root, largeDir)
	if err := evidence.WriteFile(filepath.Join(dir, "large.json"), append(text, '\n')); err != nil {
		return err
	}
	return l.writeTable()
}

func (l largeRuns) sorted() []largeRun {
	return slices.SortedFunc(maps.Values(l.runs), func(a, b largeRun) int {
		return strings.Compare(a.Name, b.Name)
	})
}

// largeHead is what the table begins with, and the commit whose files it compares with.
const largeHead = `# The large runs of the specification

Programs of the operation states that take TLC minutes each; ` + "`make check`" + ` leaves them out.
` + "`make spec-large`" + ` runs those whose files have changed since, and writes this table. No run draws
anything at random. Seconds are those of two shared cores with other work beside: an order of magnitude.
Each is complete for its program at the constants of its configuration (4 cells a half, window 3); larger
constants are not covered.

The last column compares the modules and the configuration of the run with those of commit %s: *the same*, or
*changed*. A run of changed files says nothing about the present ones until it is made again.
` + "`samecycle spec --table`" + ` compares anew.

The column *commit* is that of the files which TLC has read. The record of a run, in ` + "`large.json`" + `,
names them by the paths that they had at that commit, and ` + "`git show COMMIT:PATH`" + ` prints them.

| run | kind | verdict | distinct states | generated | depth | seconds | commit | files |
|---|---|---|--:|--:|--:|--:|---|---|
`

// writeTable renders the kept runs for a person, and names the large entries without one.
func (l largeRuns) writeTable() error {
	var b strings.Builder
	fmt.Fprintf(&b, largeHead, evidence.CommitOf(l.root, []string{specDir}))
	tools, states, same := map[string]bool{}, map[string]bool{}, 0
	for _, r := range l.sorted() {
		i := slices.IndexFunc(l.entries, func(e tlc.Entry) bool { return e.Name == r.Name })
		if i < 0 {
			continue // no run of the manifest any more
		}
		now, err := l.filesOf(l.entries[i])
		if err != nil {
			return err
		}
		files := "changed"
		if now.SHA256 == r.Inputs.SHA256 {
			files = "the same"
			same++
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %d | %.0f | %s | %s |\n", r.Name, r.Kind, r.Outcome,
			evidence.Thousands(r.Distinct), evidence.Thousands(r.Generated), r.Depth, r.Seconds,
			r.Commit, files)
		tools[fmt.Sprintf("%s, Java %s, %d worker", r.TLC, r.Java, r.Workers)] = true
		states[r.State] = true
	}
	for _, e := range l.entries {
		if _, ok := l.runs[e.Name]; !ok {
			fmt.Fprintf(&b, "| %s | %s | not run | | | | | | |\n", e.Name, e.Kind)
		}
	}
	fmt.Fprintf(&b, "\n%s. %d of the %d states have a large run; the files of %d runs of %d are the same.\n",
		strings.Join(slices.Sorted(maps.Keys(tools)), "; "), len(states), len(register.States()),
		same, len(l.entries))
	if same == 0 {
		b.WriteString("\nNo run of this table is of the present files. `make spec-large` makes them again.\n")
	}
	return evidence.WriteFile(filepath.Join(l.root, largeDir, "README.md"), []byte(b.String()))
}
