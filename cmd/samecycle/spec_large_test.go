package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/internal/samestates"
	"github.com/samecycle/samecycle/internal/tlc"
)

// A run is kept once, is asked for again when a judged file changes, and is never kept without a
// verdict.
func TestLargeRuns(t *testing.T) {
	root := t.TempDir()
	write := func(path, text string) { put(t, root, path, text) }
	write("spec/tla/hopscotch/M.tla", "one")
	const row = `[{"name": "Run", "state": "S01AddEmpty", "module": "M", "kind": "safety", "expect": "ok",
		"large": true, "config": {"specification": "Spec", "invariants": ["I"]}}]`
	write("spec/tla/hopscotch/manifest.json", row)
	read := func() tlc.Entry { return samestates.RunOf(t, filepath.Join(root, specDir), "Run") }
	e := read()
	load := func() largeRuns {
		l, err := loadLargeRuns(root, []tlc.Entry{e, {Name: "Never", Module: "M", Kind: tlc.LiveRun}})
		if err == nil {
			err = l.judge([]tlc.Entry{e})
		}
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	missing := func(want int) {
		t.Helper()
		if m := load().missing([]tlc.Entry{e}); len(m) != want {
			t.Fatalf("%d runs are missing, want %d", len(m), want)
		}
	}
	missing(1)
	for _, v := range []tlc.Verdict{{Entry: e, Unknown: true}, {Entry: e,
		Result: tlc.Result{Outcome: tlc.TimedOut}}} {
		if err := load().keep(v, "21"); err != nil {
			t.Fatal(err)
		}
	}
	missing(1)
	v := tlc.Verdict{Entry: e, Result: tlc.Result{Outcome: tlc.OK, Version: "2.19",
		Stats: tlc.Stats{Distinct: 1234567, Generated: 3, Depth: 8}, Wall: 61 * time.Second}}
	if err := load().keep(v, "21"); err != nil {
		t.Fatal(err)
	}
	missing(0)
	write("spec/tla/hopscotch/Other.tla", "no module of the run") // the table says that files are the same
	table := func(want string) {
		t.Helper()
		if err := load().writeTable(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(root, largeDir, "README.md"))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("want %q; the table is\n%s%v", want, text, err)
		}
	}
	table("| 1,234,567 | 3 | 8 | 61 | none | the same |\n| Never | liveness | not run |")
	table("have a large run; the files of 1 runs of 2 are the same.")
	e.Distinct = 5
	missing(1)
	write("spec/tla/hopscotch/manifest.json", strings.Replace(row, "I\"]", "I\", \"J\"]", 1))
	e = read()
	missing(1)
	write("spec/tla/hopscotch/manifest.json", row)
	e = read()
	missing(0)
	write("spec/tla/hopscotch/M.tla", "two")
	missing(1)
	table("| 61 | none | changed |")
	table("No run of this table is of the present files.")
	write("results/hopscotch/spec/large.json", "[{")
	_, err := loadLargeRuns(root, nil)
	if err == nil || !strings.Contains(err.Error(), "large.json is damaged") {
		t.Errorf("a damaged file: %v", err)
	}
}

// A kept run gives the manifest the count that it lacks, as long as its files are the same.
func TestLargeCounted(t *testing.T) {
	root := t.TempDir()
	e := tlc.Entry{Name: "Run", Module: "M", Kind: tlc.Safety, Expect: tlc.OK, Large: true}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, specDir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
			os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	counted := func(e tlc.Entry) []tlc.Verdict {
		t.Helper()
		l, err := loadLargeRuns(root, []tlc.Entry{e})
		if err = errors.Join(err, l.judge([]tlc.Entry{e})); err != nil {
			t.Fatal(err)
		}
		return l.counted([]tlc.Entry{e})
	}
	write("M.tla", "one")
	if c := counted(e); len(c) != 0 {
		t.Errorf("a run that was never made gives a count: %+v", c)
	}
	l, err := loadLargeRuns(root, []tlc.Entry{e})
	err = errors.Join(err, l.judge([]tlc.Entry{e}), l.keep(tlc.Verdict{Entry: e, Result: tlc.Result{
		Outcome: tlc.OK, Stats: tlc.Stats{Distinct: 77, Depth: 8}}}, "21"))
	if err != nil {
		t.Fatal(err)
	}
	c := counted(e)
	if len(c) != 1 || c[0].Entry.Name != "Run" || c[0].Result.Distinct != 77 || c[0].Result.Depth != 8 {
		t.Errorf("of a kept run whose count the manifest lacks: %+v", c)
	}
	e.Distinct = 5
	if c := counted(e); len(c) != 0 {
		t.Errorf("a count that the manifest has is replaced: %+v", c)
	}
	e.Distinct = 0
	write("M.tla", "two")
	if c := counted(e); len(c) != 0 {
		t.Errorf("a run of other files gives a count: %+v", c)
	}
}

// --large with names runs the large ones among those, and says so when there is none.
func TestLargeOf(t *testing.T) {
	m := &tlc.Manifest{Entries: []tlc.Entry{{Name: "Small", State: "S01AddEmpty"},
		{Name: "One", State: "S02AddCollision", Large: true},
		{Name: "Two", State: "S03AddFull", Large: true}}}
	for names, want := range map[string]string{"": "One Two", "S03": "Two", "One": "One",
		"S02 Two": "One Two", "S01": "", "Small": ""} {
		entries, err := largeOf(m, strings.Fields(names))
		var got []string
		for _, e := range entries {
			got = append(got, e.Name)
		}
		if strings.Join(got, " ") != want || (err == nil) != (want != "") {
			t.Errorf("%q gives %q, %v; want %q", names, got, err, want)
		}
	}
}
