package engines

import (
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
)

var (
	update = flag.Bool("update", false, "write the counts of runs that end as they must into the manifest")
	only   = flag.String("spec", "", "runs, states or mutants, separated by commas")
)

// unregistered are the folders of specifications that belong to no engine yet: the links of an engine do not
// run them.
func unregistered(t *testing.T) []string {
	t.Helper()
	const root = "../.."
	manifests, err := filepath.Glob(filepath.Join(root, "spec", "tla", "*", tlc.ManifestName))
	if err != nil || len(manifests) == 0 {
		t.Fatalf("no specification is in %s: %v", root, err)
	}
	var known []string
	for _, e := range All() {
		known = append(known, e.Specs.Folders(root)...)
	}
	var out []string
	for _, path := range manifests {
		if dir := filepath.Dir(path); !slices.Contains(known, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// TestSpecificationsWithoutEngine runs what the link spec will run when the engine is registered: each entry
// of the manifest, and each mutant.
func TestSpecificationsWithoutEngine(t *testing.T) {
	dirs := unregistered(t)
	tool := samestates.Tool(t)
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) { runSpecification(t, tool, dir) })
	}
}

func runSpecification(t *testing.T, tool *tlc.Tool, dir string) {
	m, err := tlc.LoadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	mutants, err := tlc.LoadMutants(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := strings.FieldsFunc(*only, func(r rune) bool { return r == ',' })
	mutants = slices.DeleteFunc(mutants, func(x tlc.Mutant) bool {
		return len(names) > 0 && !slices.Contains(names, x.Name)
	})
	names = slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(mutants, func(x tlc.Mutant) bool { return x.Name == name })
	})
	if *only == "" || len(names) > 0 {
		entries, err := m.Select(names)
		if err != nil {
			t.Fatal(err)
		}
		tool.RunEntries(t.Context(), entries, tlc.RunOptions{Observe: func(e tlc.Event) {
			if e.Verdict != nil {
				judge(t, m, *e.Verdict)
			}
		}})
	}
	tool.RunMutants(t.Context(), mutants, func(k tlc.Killed, _ int) {
		t.Logf("mutant %s: %s %s", k.Mutant.Name, k.Result.Outcome, k.Result.Property)
		if k.Problem != "" {
			t.Errorf("mutant %s: %s", k.Mutant.Name, k.Problem)
		}
	})
}

// judge says what a run came to, and takes its counts over if it is told to.
func judge(t *testing.T, m *tlc.Manifest, v tlc.Verdict) {
	r := v.Result
	t.Logf("%s: %s %s, %d distinct states, depth %d, %.1f s of processor time", v.Entry.Name, r.Outcome,
		r.Property, r.Distinct, r.Depth, r.CPU.Seconds())
	if *update {
		change := m.Record(v)
		if err := m.Save(); err != nil {
			t.Error(err)
		}
		if change != "" {
			t.Log(change)
			return
		}
	}
	if !v.Pass() {
		t.Errorf("%s: %s %v", v.Entry.Name, strings.Join(v.Problems, "; "), v.Err)
	}
}
