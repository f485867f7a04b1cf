package modules

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/samecycle/samecycle/foreign/driver"
)

// tests are those of a module, with what a search says of them.
const tests = `package queue

import (
	"sync"
	"sync/atomic"
	"testing"
)

func twice(f func()) {
	var all sync.WaitGroup
	for range 2 {
		all.Go(f)
	}
	all.Wait()
}

func TestA_Right(t *testing.T) {
	var n atomic.Int32
	twice(func() { n.Add(1) })
}

// It fails in few orders, so go test passes.
func TestB_Lost(t *testing.T) {
	var n atomic.Int32
	twice(func() { n.Store(n.Load() + 1) })
	if n.Load() != 2 {
		t.Error("lost | one")
	}
}

func TestC_Always(t *testing.T) { t.Fatal("always") }

func TestD_Counts(t *testing.T) {
	if testing.AllocsPerRun(1, func() {}) == 0 {
		t.Error("none")
	}
}

func TestE_Skipped(t *testing.T) { t.Skip("NOT RUN: not here") }
`

// TestSearch: the tests of all packages are explored, go test is asked about failures, and a package that
// does not build keeps no other out. The page has it all.
func TestSearch(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/queue\n\ngo 1.26\n",
		"queue_test.go":     tests,
		"deep/deep_test.go": strings.Replace(tests, "package queue", "package deep", 1),
		"bad/bad_test.go": "package bad\n\nimport \"testing\"\n\n" +
			"func TestBad(t *testing.T) { missing() }\n"} {
		at := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Root: "../..", Time: time.Minute, Seed: 1, Commit: "c0ffee", Say: t.Logf}
	m, err := search(t.Context(), "example.com/queue@v1", folder, o)
	if err != nil || len(m.Tests) != 10 || m.NotExplored["./bad"] == "" || len(m.NotExplored) != 1 {
		t.Fatalf("%+v, %v", m, err)
	}
	for i, want := range []Test{
		{Status: driver.Clean, All: true}, {Status: driver.Found, Kind: "verdict", GoTest: "passes"},
		{Status: driver.Found, Kind: "verdict", GoTest: "fails, too"},
		{Status: driver.Unknown, Kind: "unexplored"}, {Status: driver.Skipped},
	} {
		for _, got := range []Test{m.Tests[i], m.Tests[5+i]} {
			if got.Status != want.Status || got.Kind != want.Kind || got.GoTest != want.GoTest ||
				got.All != want.All {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
	}
	results := t.TempDir()
	if err := Write(results, o, []Module{m}); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(results, "modules.md"))
	for _, want := range []string{"Commit c0ffee", "| **all** | 10 | 2 | 0 | 0 | 4 | 2 | 0 | 2 |",
		"| deep.TestB_Lost | verdict |",
		"| passes | not judged | the test fails: deep_test.go:27: lost / one | - |",
		"| fails, too | not judged | the test fails: queue_test.go:31: always | - |",
		"- **not judged**, 4: nobody has judged it since it was found.",
		"| all of ./bad | ", "| TestD_Counts | this may be no failure"} {
		if err != nil || !strings.Contains(string(page), want) {
			t.Errorf("%v: %q is missing in\n%s", err, want, page)
		}
	}
}

// TestJudgments: what was judged is read, and is said of the failure with that name and kind. A line with
// another number of fields, or a verdict that there is not, is named.
func TestJudgments(t *testing.T) {
	judged, err := judgments("# a comment\nm@v1\tp.TestA\trace\tbug\tIt is not locked.\n")
	if err != nil || len(judged) != 1 {
		t.Fatal(judged, err)
	}
	r := Result{Modules: []Module{{Name: "m@v1", Tests: []Test{
		{Package: "p", Name: "TestA", Status: driver.Found, Kind: "race"},
		{Package: "p", Name: "TestA", Status: driver.Found, Kind: "panic"}}}}}
	page := r.page(judged)
	for _, want := range []string{"- **bug**, 1: the code under test is wrong.",
		"| bug | - | It is not locked. |",
		"| p.TestA | panic | 0 | 0 |  | not judged | - | - |"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing in\n%s", want, page)
		}
	}
	for text, want := range map[string]string{"m\tTestA\trace\tbug": "judged.tsv:1 has 4 fields",
		"m\tTestA\trace\twrong\twhy": `has the verdict "wrong"`} {
		if _, err := judgments(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := judgments(judgedText); err != nil {
		t.Error(err)
	}
}

// TestRun_NoModule: a module that cannot be had is named.
func TestRun_NoModule(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	_, err := Run(t.Context(), Options{Modules: []string{"example.com/none@v1.2.3"}, Say: t.Logf})
	if !errors.Is(err, ErrModule) || !strings.Contains(err.Error(), "example.com/none@v1.2.3") {
		t.Error(err)
	}
}
