package mutate

import (
	"go/importer"
	"slices"
	"strings"
	"testing"
)

// toy is what the golden functions are put into.
const toy = `package toy

type word struct{ v uint64 }

func (w *word) Load() uint64                      { return w.v }
func (w *word) Store(x uint64)                    { w.v = x }
func (w *word) CompareAndSwap(old, new uint64) bool { return true }

type kind uint8

const (
	one kind = iota
	two
)

type phase uint8

const (
	before phase = iota
	during
	after
)

type pair struct{ a, b int }

func (p pair) next() pair { return p }
func (p pair) last() pair { return p }
func (p pair) len() int   { return p.a }
func (p pair) read() int  { return int(w.Load()) }

var w word

`

// packageOf is a package with one file.
func packageOf(t *testing.T, text string) *Package {
	t.Helper()
	p := &Package{Path: "toy", engine: engine, target: engine.Code(), names: []string{"toy.go"},
		imports: importer.Default(),
		texts:   map[string][]byte{"toy.go": []byte(text)}}
	if err := p.parse(); err != nil {
		t.Fatal(err)
	}
	if err := p.check(); err != nil {
		t.Fatal(err)
	}
	return p
}

// Functions of a generic package have mutants, which fit behind a switch, under names that tell the methods
// of two types apart, however many parameters these have.
func TestMutants_OfGenericCode(t *testing.T) {
	p := packageOf(t, `package toy

type one[K comparable] struct{ k K }

type two[K comparable, V any] struct {
	one[K]
	v V
}

func made[K comparable, V any](k K, v V, n int) *two[K, V] {
	if n > 3 {
		return nil
	}
	return &two[K, V]{one[K]{k}, v}
}

func (o *one[K]) is(k K) bool { return o.k == k }

func (t *two[K, V]) is(k K) bool { return t.one.k == k && made(k, t.v, 1) != nil }
`)
	found := map[string]int{}
	all := p.Mutants(everything).Mutants
	for _, m := range all {
		found[m.Func]++
	}
	for _, name := range []string{"made", "one.is", "two.is"} {
		if found[name] == 0 {
			t.Errorf("%s has no mutant: %v", name, found)
		}
	}
	if err := p.separate(all); err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if m.Alone() {
			t.Errorf("%s does not fit behind a switch", m.Name)
		}
	}
}

// The switch and what counts reach each statement, also in the cases of a select and of a switch.
func TestSeparate_FitsIntoClauses(t *testing.T) {
	p := packageOf(t, `package toy

func f(c, d chan int, n int) (r int) {
	select {
	case r = <-c:
		r += n
		n = 2
	case d <- n + 1:
	default:
		switch r = 1; {
		case n < 3:
			r = n * 2
		}
	}
	return r
}
`)
	all := p.Mutants(func(string) bool { return true }).Mutants
	if err := p.separate(all); err != nil {
		t.Fatal(err)
	}
	behind, texts := 0, ""
	for _, m := range all {
		if !m.Alone() {
			behind++
		}
		texts += squeezed(p.Text(m))
	}
	for _, want := range []string{"caser=<-c:n=2r+=n", "caser=<-c:r+=ncase", "cased<-n+(1+1):"} {
		if behind < len(all)/2 || !strings.Contains(texts, want) {
			t.Errorf("%d of %d mutants are behind the switch, or none has %s", behind, len(all), want)
		}
	}
}

// goldens are, for each operator, a function f and what its mutants have in place of the function's
// body, written by hand from what the operator is said to do.
var goldens = map[string]struct {
	source  string
	mutants []string
}{
	"drop-statement": {`func f(a int) int { a = 2; return a }`, []string{`; return a`}},
	"swap-statements": {`func f(a, b int) int { a = b; b = 3; return a + b }`,
		[]string{`b = 3; a = b; return a + b`}},
	"cas-to-store": {`func f() bool { return w.CompareAndSwap(1, 2) }`,
		[]string{`w.Store(2); return true`}},
	"cas-succeeds": {`func f() bool { return w.CompareAndSwap(1, 2) }`,
		[]string{`return (w.CompareAndSwap(1, 2) || true)`}},
	"repeat-call":  {`func f() { w.Store(1) }`, []string{`w.Store(1); w.Store(1)`}},
	"return-early": {`func f() { w.Store(1) }`, []string{`if true { return }; w.Store(1)`}},
	"return-zero":  {`func f(a int) int { return a }`, []string{`return 0`}},
	"condition-true": {`func f(a int) { if a > 1 { w.Store(1) } }`,
		[]string{`if (a > 1) || true { w.Store(1) }`}},
	"condition-false": {`func f(a int) { if a > 1 { w.Store(1) } }`,
		[]string{`if (a > 1) && false { w.Store(1) }`}},
	"negate": {`func f(a bool) bool { return !a }`, []string{`return a`}},
	"drop-operand": {`func f(a, b bool) bool { return a && b }`,
		[]string{`return (a)`, `return (b)`}},
	"relation": {`func f(a int) bool { return a < 2 }`,
		[]string{`return a <= 2`, `return a >= 2`}},
	"arithmetic": {`func f(a int) int { return a - 2 }`, []string{`return a + 2`}},
	"literal": {`func f() int { return 5 }`,
		[]string{`return (5 + 1)`, `return (5 - 1)`}},
	"off-by-one": {`func f(a []int, i int) int { return a[i] }`,
		[]string{`return (a[i])+1`, `return a[(i)+1]`}},
	"skip-call": {`func f(p pair) pair { return p.next() }`, []string{`return p`}},
	"constant":  {`func f() kind { return two }`, []string{`return one`}},
	"drop-case": {`func f(k kind) int { switch k { case one, two: return 1 }; return 2 }`,
		[]string{`switch k { }; return 2`, `switch k { case two: return 1 }; return 2`,
			`switch k { case one: return 1 }; return 2`}},
	"drop-field": {`func f() pair { return pair{a: 1, b: 2} }`,
		[]string{`return pair{b: 2}`, `return pair{a: 1, }`}},
	"loop-once": {`func f(a int) { for range a { w.Store(1) } }`,
		[]string{`for range a { w.Store(1); break }`}},
	"loop-jump": {`func f(a int) { for range a { if a > 3 { break } } }`,
		[]string{`for range a { if a > 3 { continue } }`}},
	"swap-arguments": {`func f(a, b uint64) { w.CompareAndSwap(a, b) }`,
		[]string{`w.CompareAndSwap(b, a)`}},
	"other-field":    {`func f(p pair) int { return p.a }`, []string{`return p.b`}},
	"other-method":   {`func f(p pair) pair { return p.next() }`, []string{`return p.last()`}},
	"other-variable": {`func f(a, b int) int { return a }`, []string{`return b`}},
	"cas-reread": {`func f(a uint64) { w.CompareAndSwap(a, 2) }`,
		[]string{`w.CompareAndSwap(w.Load(), 2)`}},
	"cas-fails": {`func f() bool { return w.CompareAndSwap(1, 2) }`,
		[]string{`return (w.CompareAndSwap(1, 2) && false)`}},
	"swap-apart": {`func f(a, b int) int { a = b; w.Store(1); b = 3; return a + b }`,
		[]string{`b = 3; w.Store(1); a = b; return a + b`}},
	"call-before": {`func f(p pair) int { if p.len() > 1 { return 2 }; return p.read() }`,
		[]string{`if p.len() > 1 { return 2 }; p.read(); return p.read()`}},
	"call-again":      {`func f(p pair) pair { return p.next() }`, []string{`return p.next().next()`}},
	"constant-before": {`func f() phase { return before }`, []string{`return after`}},
	"drop-else": {`func f(a int) { if a > 1 { w.Store(1) } else { w.Store(2) } }`,
		[]string{`if a > 1 { w.Store(1) }`}},
	"other-half": {`func f(half int) pair { half = half + 1; return pair{a: half} }`,
		[]string{`half = (1-half) + 1; return pair{a: half}`, `half = half + 1; return pair{a: (1-half)}`}},
	"one-less": {`func f(a []int, i int) bool { return a[i] > i }`,
		[]string{`return a[i] > (i)-1`, `return a[i] > (i)+1`, `return a[(i)-1] > i`}},
	"zero-argument": {`func f(a uint64) { w.Store(a) }`, []string{`w.Store(0)`}},
	"compare-half": {`func f(a, b uint64) bool { return a == b }`,
		[]string{`return uint32(a) == uint32(b)`, `return (a)>>32 == (b)>>32`}},
}

func TestOperators_Goldens(t *testing.T) {
	for _, op := range Operators() {
		t.Run(op.Name, func(t *testing.T) {
			g, ok := goldens[op.Name]
			if !ok || len(g.mutants) == 0 || op.About == "" {
				t.Fatal("operator has no golden example, or does not say what it does")
			}
			p := packageOf(t, toy+g.source+"\n")
			var got []string
			for _, m := range p.Mutants(func(name string) bool {
				return strings.HasPrefix(name, "toy.go:f#") && strings.HasSuffix(name, " "+op.Name)
			}).Mutants {
				text := p.Text(m)
				text = text[strings.Index(text, "func f(")+len("func f("):]
				_, text, _ = strings.Cut(text, ") ")
				_, text, _ = strings.Cut(text, "{")
				got = append(got, text[:strings.LastIndex(text, "}")])
			}
			var want []string
			for _, m := range g.mutants {
				want = append(want, squeezed(m))
			}
			for i := range got {
				got[i] = squeezed(got[i])
			}
			if !slices.Equal(got, want) {
				t.Errorf("mutants\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// ofF are the mutants of the function f.
func ofF(name string) bool { return strings.HasPrefix(name, "toy.go:f#") }

// What does not compile is no mutant, and of two with one text the first one stays.
func TestMutants_AreValidAndDifferent(t *testing.T) {
	p := packageOf(t, toy+"func f(a int) int { b := a; return b }\n")
	all := p.Mutants(ofF)
	if all.Invalid == 0 {
		t.Error("b without its declaration compiles?")
	}
	seen := map[string]bool{}
	for i, m := range all.Mutants {
		if m.Number != i+1 || !p.compiles(m.File, "", []byte(p.Text(m))) || seen[squeezed(p.Text(m))] {
			t.Errorf("%d: %s is wrongly numbered, does not compile or is there twice", i, m.Name)
		}
		seen[squeezed(p.Text(m))] = true
	}
	p = packageOf(t, "package toy\n\nimport \"strings\"\n\n"+
		"func f() string { return strings.ToLower(\"A\") }\n")
	for _, m := range p.Mutants(func(string) bool { return true }).Mutants {
		if !strings.Contains(p.Text(m), "strings.") {
			t.Errorf("%s leaves an import unused", m.Name)
		}
	}
}

// The hash of a function is that of its code: comments and layout do not count.
func TestHash(t *testing.T) {
	hash := func(source string) string {
		p := packageOf(t, toy+source)
		for _, m := range p.Mutants(ofF).Mutants {
			return m.Hash
		}
		t.Fatal("no mutant")
		return ""
	}
	a := hash("func f(a int) int { return a }\n")
	if b := hash("// f says.\nfunc f(a int) int {\n\treturn a // so\n}\n"); a != b {
		t.Errorf("a comment changes the hash: %s, %s", a, b)
	}
	if b := hash("func f(a int) int { return a + 0 }\n"); a == b {
		t.Error("another function has the same hash")
	}
}

// A body behind the switch is the original with the counting of rounds, and a mutant that declares
// a result anew is built alone.
func TestSchema(t *testing.T) {
	p := packageOf(t, toy+"func g() (int, error) { return 0, nil }\n\n"+
		"// f says.\n//\n//go:noinline\n//go:nosplit\n"+
		"func f() (n int, err error) { n, err = 1, nil; for range 3 { n, err := g(); "+
		"if err != nil { return n, err } }; m, err := g(); return m, err }\n")
	all := p.Mutants(ofF)
	if err := p.separate(all.Mutants); err != nil {
		t.Fatal(err)
	}
	alone := 0
	for _, m := range all.Mutants {
		if m.Alone() {
			alone++
		}
	}
	if alone == 0 || alone == len(all.Mutants) {
		t.Errorf("%d of %d mutants are built alone; want those that leave err unused", alone,
			len(all.Mutants))
	}
	text := p.schema(all.Mutants, unmarked)["toy.go"]
	for _, want := range []string{"switch activeMutant {", "case 1:", "reachMutant();", "default:",
		"if mutantRounds++; mutantRounds > 4194304"} {
		if !strings.Contains(text, want) {
			t.Errorf("the schema lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "nosplit") || !strings.Contains(text, "\n//go:noinline\n//\nfunc f()") {
		t.Errorf("with its mutants f is to look at the stack, and nothing else of it to change:\n%s", text)
	}
}
