package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/samecycle/samecycle/internal/catalog"
	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/tlc"
)

// largeDir keeps what the large runs of the specification found, relative to the repository.
const largeDir = "results/spec"

// largeRun is one large run as results/spec keeps it. The time is that of the machine it ran on
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

// largeRuns are the kept runs of a repository, by name, and the files of the runs to come as they
// were before the first of those began, and their commit then.
type largeRuns struct {
	root    string
	runs    map[string]largeRun
	judged  map[string]evidence.Inputs
	commits map[string]string
}

// largeOf returns the large entries that have one of the names or belong to a state that has;
// without names, all there are.
func largeOf(m *tlc.Manifest, names []string) (out []tlc.Entry, err error) {
	for _, e := range m.Large() {
		if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool {
			s, ok := catalog.StateByID(n)
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

func loadLargeRuns(root string) (largeRuns, error) {
	l := largeRuns{root, map[string]largeRun{}, map[string]evidence.Inputs{}, map[string]string{}}
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

// judge notes the files that the entries are about to judge: their modules and configuration.
func (l largeRuns) judge(entries []tlc.Entry) error {
	for _, e := range entries {
		in, err := evidence.Judge(l.root, specDir+"/*.tla", specDir+"/"+e.Cfg)
		if err != nil {
			return err
		}
		l.judged[e.Name] = in
		l.commits[e.Name] = evidence.CommitOf(l.root, in.Files) // now: a run takes long
	}
	return nil
}

// missing returns those of the judged entries whose run is not kept, or was of other files.
func (l largeRuns) missing(entries []tlc.Entry) (out []tlc.Entry) {
	for _, e := range entries {
		r, ok := l.runs[e.Name]
		if !ok || r.Inputs.SHA256 != l.judged[e.Name].SHA256 || r.Outcome != e.Expect ||
			e.Distinct != 0 && r.Distinct != e.Distinct {
			out = append(out, e)
		}
	}
	return out
}

// keep adds a run that came to a verdict, and writes both files anew.
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
	list := make([]largeRun, 0, len(l.runs))
	for _, r := range l.runs {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b largeRun) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Join(l.root, largeDir)
	if err := evidence.WriteFile(filepath.Join(dir, "large.json"), append(text, '\n')); err != nil {
		return err
	}
	return evidence.WriteFile(filepath.Join(dir, "README.md"), largeTable(list))
}

// largeTable renders the kept runs for a person.
func largeTable(list []largeRun) []byte {
	var b strings.Builder
	b.WriteString(`# The large runs of the specification

Programs of the 24 operation states that take TLC minutes each; ` + "`make check`" + ` leaves them out.
` + "`make spec-large`" + ` runs those whose files have changed since, and writes this table. No run draws
anything at random. Seconds are those of two shared cores with other work beside: an order of magnitude.
Each is complete for its program at the constants of its cfg file (4 cells a half, window 3); larger
constants are not covered.

| run | kind | verdict | distinct states | generated | depth | seconds | commit |
|---|---|---|--:|--:|--:|--:|---|
`)
	tools := map[string]bool{}
	for _, r := range list {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %d | %.0f | %s |\n", r.Name, r.Kind, r.Outcome,
			evidence.Thousands(r.Distinct), evidence.Thousands(r.Generated), r.Depth, r.Seconds, r.Commit)
		tools[fmt.Sprintf("%s, Java %s, %d worker", r.TLC, r.Java, r.Workers)] = true
	}
	names := make([]string, 0, len(tools))
	for t := range tools {
		names = append(names, t)
	}
	slices.Sort(names)
	fmt.Fprintf(&b, "\n%s. %d of the %d states have a large run.\n", strings.Join(names, "; "),
		states(list), len(catalog.States()))
	return []byte(b.String())
}

func states(list []largeRun) int {
	seen := map[string]bool{}
	for _, r := range list {
		seen[r.State] = true
	}
	return len(seen)
}
