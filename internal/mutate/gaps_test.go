package mutate

import (
	"slices"
	"strings"
	"testing"
)

// rewritten is a package of three functions that have mutants, one that has none, and a constant.
const rewritten = `package toy

const width = 3

func kept(a, b int) bool { return a < b }

func changed(a, b int) int { return a + b*width }

func moved(a, b int) bool { return a == b }

func bare() {}
`

func everything(string) bool { return true }

// A ledger of before a rewrite lacks the function that is new, and the one that is another now.
func TestGaps(t *testing.T) {
	p := packageOf(t, rewritten)
	first := map[string]*Mutant{}
	var whole Ledger
	for _, m := range p.Mutants(everything).Mutants {
		if first[m.Func] == nil {
			first[m.Func] = m
		}
		whole.Outcomes = append(whole.Outcomes, Outcome{Name: m.Name, Hash: m.Hash,
			Found: Found{Verdict: Killed}})
	}
	if len(first) != 4 {
		t.Fatalf("want mutants of three functions and of the constant: %v", first)
	}
	if g := p.Gaps(whole, everything); len(g.Gone)+len(g.Unjudged) > 0 {
		t.Errorf("a whole ledger has gaps: %+v", g)
	}
	of := func(function, hash string, v Verdict) Outcome {
		m := first[function]
		if hash == "" {
			hash = m.Hash
		}
		return Outcome{Name: m.Name, Hash: hash, Found: Found{Verdict: v}}
	}
	before := Ledger{Outcomes: []Outcome{of("kept", "", Killed), of("changed", "0123456789ab", Killed),
		of("width", "", Unknown), {Name: "toy.go:was#1 negate", Found: Found{Verdict: Killed}}}}
	g := p.Gaps(before, everything)
	if want := []string{"toy.go:was#1 negate"}; !slices.Equal(g.Gone, want) {
		t.Errorf("gone: %v, want %v", g.Gone, want)
	}
	want := []string{"toy.go:width", "toy.go:changed", "toy.go:moved"}
	if !slices.Equal(g.Unjudged, want) {
		t.Errorf("unjudged: %v, want %v", g.Unjudged, want)
	}
	if g := p.Gaps(before, func(n string) bool { return strings.Contains(n, ":kept#") }); g.Unjudged != nil {
		t.Errorf("functions that are not asked for: %v", g.Unjudged)
	}
}

// What is drawn gives each function its share, and leaves out what the sample has.
func TestDraw(t *testing.T) {
	if share(1) != 1 || share(19) != 1 || share(20) != 2 || share(205) != 20 {
		t.Error("the share is one in ten, and one at least")
	}
	long := "func long(a, b int) bool {\n" +
		strings.Repeat("\tif a < b || a == 7 {\n\t\ta += b\n\t\tb--\n\t}\n", 9) + "\treturn a > b\n}\n"
	p := packageOf(t, rewritten+long)
	all := p.Mutants(everything).Mutants
	n := 0
	for _, m := range all {
		if m.Func == "long" {
			n++
		}
	}
	if share(n) < 5 {
		t.Fatalf("long has %d mutants: too few to tell", n)
	}
	has := func(name string) bool {
		return strings.HasPrefix(name, "toy.go:kept#") || strings.HasPrefix(name, "toy.go:long#1 ")
	}
	drawn := p.Draw(has, everything, 1)
	got, have := map[string]int{}, 0
	for _, m := range all {
		if has(m.Name) && m.Func == "long" {
			have++
		}
		if slices.Contains(drawn, m.Name) {
			if got[m.Func]++; has(m.Name) {
				t.Errorf("%s is in the sample already", m.Name)
			}
		}
	}
	for function, want := range map[string]int{"kept": 0, "changed": 1, "moved": 1, "width": 1,
		"long": max(0, share(n)-have)} {
		if function == "long" && want == 0 {
			t.Fatal("the sample has the share of long; take less")
		}
		// Candidates that do not compile raise the share by one in ten of them.
		if got[function] < want || got[function] > want+1 {
			t.Errorf("%d drawn of %s, want %d: %v", got[function], function, want, drawn)
		}
	}
	sample := func(name string) bool { return has(name) || slices.Contains(drawn, name) }
	if again := p.Draw(sample, everything, 1); len(again) > 0 {
		t.Errorf("a sample that is complete lacks %v", again)
	}
	if twice := p.Draw(has, everything, 1); !slices.Equal(twice, drawn) {
		t.Errorf("the same seed draws %v, then %v", drawn, twice)
	}
}
