//go:build !explore

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/internal/evidence"
	"github.com/samecycle/samecycle/internal/mutate"
)

// The public interface of the cache is none of the engines, and its mutants are judged like theirs.
func TestMutants_OfTheCache(t *testing.T) {
	code, out, errOut := call("mutants", "--root", repositoryRoot, "--engine", "cache", "--list", "--filter",
		`^hash\.go:hashLow#1 literal$`)
	if code != exitOK || strings.Count(out, "\n") != 1 ||
		!strings.Contains(out, " hash.go:hashLow#1 literal (line ") {
		t.Errorf("exit %d:\n%s%s", code, out, errOut)
	}
	if _, help, _ := call("mutants", "--help"); !strings.Contains(help, "  cache: impl/cache\n") {
		t.Errorf("the help does not name its package:\n%s", help)
	}
	c := cacheRun(t)
	if list, err := c.engine.Equivalents(repositoryRoot); err != nil {
		t.Errorf("%d equivalent ones, %v", len(list), err)
	}
	inputs, err := evidence.Judge(repositoryRoot, ledgerInputs(c.registered, c.engine)...)
	if err != nil || len(inputs.Files) == 0 {
		t.Errorf("%v, %v", inputs.Files, err)
	}
	for _, e := range mutables() {
		if m, err := mutationOf(e); err != nil {
			t.Error(err)
		} else if _, err := evidence.Judge(repositoryRoot, ledgerInputs(e, m)...); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
}

// cacheRun is a run that judges mutants of the cache.
func cacheRun(t *testing.T) *mutantRun {
	t.Helper()
	c := &mutantRun{flags: mutantFlags{engine: "cache"}}
	var err error
	if c.registered, c.engine, err = c.flags.resolve(); err != nil {
		t.Fatal(err)
	}
	return c
}

// The page of code that no program searches names no program as a judge; that of an engine does. Nothing else
// of the page goes.
func TestMutants_PageWithoutPrograms(t *testing.T) {
	l := mutate.Ledger{Command: "c", Outcomes: []mutate.Outcome{outcome("a.go:f#1 negate", mutate.Killed)}}
	c := cacheRun(t)
	page := c.pageOf(l)
	for _, not := range []string{"programs", "samecycle check", "\n\n\n"} {
		if strings.Contains(page, not) {
			t.Errorf("%q is on the page:\n%s", not, page)
		}
	}
	for _, want := range []string{"\n- tests\n", "\n- slow tests\n", "its tests alone judge it",
		"| a.go | 1 | 1 |"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page:\n%s", want, page)
		}
	}
	if strings.Contains(page, "What the sample says") {
		t.Errorf("all were judged, and the page tells of a sample:\n%s", page)
	}
	c.flags.engine = "shardmap"
	var err error
	if c.registered, c.engine, err = c.flags.resolve(); err != nil {
		t.Fatal(err)
	}
	if page := c.pageOf(l); page != l.Markdown(c.engine) || !strings.Contains(page, "\n- programs, ") {
		t.Errorf("of an engine:\n%s", page)
	}
}

func outcome(name string, v mutate.Verdict) mutate.Outcome {
	return mutate.Outcome{Name: name, Hash: "0123456789ab", Found: mutate.Found{Verdict: v}}
}

// A sample says how many it is of, and what it tells of them.
func TestMutants_PageOfASample(t *testing.T) {
	c := cacheRun(t)
	c.flags.limit, c.flags.seed = 10, 7
	c.population = 1000
	l := mutate.Ledger{Command: "c"}
	for i, v := range []mutate.Verdict{mutate.Killed, mutate.Killed, mutate.Killed, mutate.Killed,
		mutate.Killed, mutate.Killed, mutate.Hangs, mutate.Equivalent, mutate.Survived, mutate.NotCovered,
		mutate.Unknown} {
		l.Outcomes = append(l.Outcomes, outcome(strings.Repeat("x", i)+".go:f#1 negate", v))
	}
	page := c.pageOf(l)
	for _, want := range []string{"drawn from about 1000 mutants by seed 7",
		"10 of them are judged, 1 was not judged to the end, and about 989 are not judged",
		"written for survivors of this sample",
		"| killed, or hang: 7 of 10 | 70.00 % | 39.68 % to 89.22 % |",
		"| killed, hang, or are listed as equivalent: 8 of 10 | 80.00 % | 49.02 % to 94.33 % |",
		"| killed, or hang, of those that are not equivalent: 7 of 9 | 77.78 % |"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page:\n%s", want, page)
		}
	}
	l.Outcomes = nil
	if page := c.pageOf(l); strings.Contains(page, "NaN") || strings.Contains(page, "What the sample says") {
		t.Errorf("nothing is judged:\n%s", page)
	}
	if scope := c.scope(10); scope != "all files, a sample of 10 of about 1000" {
		t.Errorf("the scope is %q", scope)
	}
}

// A sample is the same whether all mutants are enumerated first or only those that it may have.
func TestFind_TheSameSample(t *testing.T) {
	whole, part := cacheRun(t), cacheRun(t)
	root, err := filepath.Abs(repositoryRoot)
	if err != nil {
		t.Fatal(err)
	}
	if whole.all, err = whole.engine.LoadAll(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	part.all, part.flags.seed = whole.all, 7
	wanted := func(name string) bool {
		return strings.HasPrefix(name, "events.go:") || strings.HasPrefix(name, "hash.go:")
	}
	whole.find(wanted)
	for _, limit := range []int{1, 30, 100_000} {
		part.flags.limit = limit
		part.find(wanted)
		a := mutate.Sample(whole.found.Mutants, limit, 7)
		b := mutate.Sample(part.found.Mutants, limit, 7)
		if !slices.EqualFunc(a, b, func(x, y *mutate.Mutant) bool { return x.Name == y.Name }) {
			t.Errorf("%d of %d: the samples are of %d and %d, and differ", limit, whole.population, len(a),
				len(b))
		}
		if n := part.population; n < whole.population*8/10 || n > whole.population*12/10 {
			t.Errorf("%d in all, want about %d", n, whole.population)
		}
	}
}

// Each beginning of the ranked list is the sample of that size.
func TestRanked(t *testing.T) {
	var all []*mutate.Mutant
	for i := range 100 {
		all = append(all, &mutate.Mutant{Name: fmt.Sprintf("a.go:f#%d negate", i), Number: i + 1})
	}
	list := ranked(slices.Clone(all), 7)
	for n := 1; n <= len(all); n++ {
		for _, m := range mutate.Sample(all, n, 7) {
			if !slices.Contains(list[:n], m) {
				t.Fatalf("%s is in the sample of %d, and not among the first %d", m.Name, n, n)
			}
		}
	}
}

// The values are those that Wilson's score has in tables.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{0, 10, 0, 0.2775}, {8, 10, 0.4902, 0.9433}, {10, 10, 0.7225, 1}, {950, 1000, 0.9347, 0.9619}} {
		low, high := interval(c.k, c.n)
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.k, c.n, low, high, c.low, c.high)
		}
	}
}

// The same command draws its sample again of code that has changed: what is not in it any more may go.
// Another sample would lose what is there.
func TestMutants_TheSameSampleAgain(t *testing.T) {
	c := cacheRun(t)
	c.flags.limit, c.flags.seed = 10, 7
	c.flags.out = filepath.Join(t.TempDir(), "mutants.json")
	c.known = map[string]mutate.Outcome{"a.go:gone#1 negate": outcome("a.go:gone#1 negate", mutate.Killed)}
	c.old.Command = c.flags.command()
	if err := c.loses(nil); err != nil {
		t.Errorf("the same command: %v", err)
	}
	c.flags.seed++
	if err := c.loses(nil); err == nil || !strings.Contains(err.Error(), "a.go:gone#1 negate") {
		t.Errorf("another seed: %v", err)
	}
}

// Tests that judge mutants are told so, also those that run without one; a mutant that somebody has chosen
// remains.
func TestMutants_JudgesBriefly(t *testing.T) {
	for before, want := range map[string]string{"": "0", "3": "3"} {
		t.Setenv(mutate.EnvMutant, before)
		if err := judgeBriefly(); err != nil {
			t.Fatal(err)
		}
		if got := os.Getenv(mutate.EnvMutant); got != want {
			t.Errorf("%q becomes %q, want %q", before, got, want)
		}
	}
}
