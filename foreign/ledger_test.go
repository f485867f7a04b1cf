package foreign

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/explore"
	"github.com/samecycle/samecycle/foreign/driver"
)

// main of the module in testdata, changed or not: what it prints without an exploration, and what
// the explorer finds.
const ledgerMain = `package main

import (
	"fmt"
	"os"

	"example.com/ledger"

	"github.com/samecycle/samecycle/explore"
)

func try(name string, bodies ...func()) {
	var as []explore.Actor
	for _, b := range bodies {
		as = append(as, explore.Actor{Body: b})
	}
	p := explore.Program{Name: name, Start: func(*explore.Execution) []explore.Actor { return as }}
	r, err := explore.Explore(p, explore.Options{Preemptions: 2, Races: true})
	if r.Failure != nil {
		fmt.Println(name, r.Failure.Message)
		return
	}
	fmt.Println(name, "clean", r.Exhaustive, r.Executions > 1, err)
}

func main() {
	l := ledger.New()
	fmt.Println(l.Add(3, "a"), l.Add(-1), l.Add(4, "b", "a"), l.Report(), l.Peek(), l.Close(), l.Close())
	fmt.Println(ledger.Sum([]int{1, 2, 3}), ledger.Mixture(), ledger.Draw(9) < 9)
	if len(os.Args) < 2 {
		return // its goroutines are no actors
	}
	try("guarded", func() { l.Add(1, "a") }, func() { l.Report() })
	try("peeked", func() { l.Add(1, "a") }, func() { l.Peek() })
	try("closed", func() { l.Close() }, func() { l.Close() })
	try("sum", func() {
		if n := ledger.Sum([]int{1, 2}); n != 3 {
			panic(n)
		}
	})
	try("careless", func() { ledger.Careless([]int{1, 2}) })
}
`

// moduleOutput builds the program on a copy of a module in testdata, changed or not, and returns its lines.
func moduleOutput(t *testing.T, name, main string, change, races bool, args ...string) []string {
	t.Helper()
	w := &Work{Target: Target{Name: "example.com/" + name}, Folder: t.TempDir(), o: Options{Races: races}}
	root, err := findRoot("")
	if err != nil {
		t.Fatal(err)
	}
	c := &copier{changes: imports}
	if err := c.module(filepath.Join("testdata", name), filepath.Join(w.Folder, "copy"), nil); err != nil {
		t.Fatal(err)
	}
	if !c.instrumented {
		t.Error("nobody sees the go statements")
	}
	w.module = origin{path: w.Target.Name, version: "v0.0.0", copy: filepath.Join(w.Folder, "copy")}
	if err := w.moduleFiles(root, driverModule); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.Folder, "main.go"), []byte(main), 0o644); err != nil {
		t.Fatal(err)
	}
	if change {
		if err := w.instrumentation(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	out, err := goCommand(t.Context(), w.Folder, append([]string{"run", "-mod=mod", "."}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", out)
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// ledgerOutput is that of the program above.
func ledgerOutput(t *testing.T, change bool, args ...string) []string {
	t.Helper()
	return moduleOutput(t, "ledger", ledgerMain, change, change, args...)
}

// TestLedger: a module that uses most of the language compiles when it is changed, does what it did,
// and the explorer finds its two races and no other.
func TestLedger(t *testing.T) {
	plain, changed := ledgerOutput(t, false), ledgerOutput(t, true, "explore")
	if len(plain) != 2 || len(changed) != 7 {
		t.Fatalf("%d and %d lines", len(plain), len(changed))
	}
	for i := range 2 {
		if plain[i] != changed[i] {
			t.Errorf("without an exploration:\n%s\nwant\n%s", changed[i], plain[i])
		}
	}
	for i, want := range map[int][]string{
		2: {"guarded clean true true <nil>"}, 4: {"closed clean true true <nil>"},
		3: {"peeked ", "write of t.sum", "read of l.sum", "ledger.go:29", "ledger.go:100"},
		5: {"sum clean true true <nil>"}, 6: {"careless ", "of total", "actor0.1", "at ledger.go:130"},
	} {
		for _, s := range want {
			if !strings.Contains(changed[i], s) {
				t.Errorf("%q is missing in %s", s, changed[i])
			}
		}
	}
}

// TestModuleRaces: a rewritten module finds its faults as before and has no race in the programs; when
// one of its loads is no atomic any more, the race is found and replayed.
func TestModuleRaces(t *testing.T) {
	for name, s := range explored(t, preparedWith(t, haxmap, Options{Races: true}, edits{})) {
		want := driver.Found
		if name == "set-get" || name == "swap" {
			want = driver.Clean
		}
		if s.Status != want || s.Kind == string(explore.Race) {
			t.Errorf("%s is %s: %s", name, s.Status, s.Message)
		}
	}
	plain := func(_ string, text []byte) []byte {
		return bytes.Replace(text, []byte("return (*T)(atomic.LoadPointer(&p.ptr))"),
			[]byte("return (*T)(p.ptr)"), 1)
	}
	e, changed := watched(edits{source: plain})
	w := preparedWith(t, haxmap, Options{Races: true}, e)
	if !*changed {
		t.Fatalf("the place to break is not in the source of %v: write the canary anew", w.Target)
	}
	found := false
	for name, s := range explored(t, w) {
		if s.Kind != string(explore.Race) {
			continue
		}
		found = true
		for _, want := range []string{"read of p.ptr by actor", "at atomic.go:38", "nothing orders"} {
			if !strings.Contains(s.Message, want) {
				t.Errorf("%s: %q is missing in %s", name, want, s.Message)
			}
		}
		again, err := w.Replay(t.Context(), s.Token)
		if err != nil || again.Results[0].Message != s.Message || !explore.TokenRaces(s.Token) {
			t.Errorf("%s: the replay says %+v, %v", name, again.Results, err)
		}
	}
	if !found {
		t.Error("no suite finds the race")
	}
}
