package foreign

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"strings"
	"testing"
)

// frame is what the statements of the table below stand in. Everything that p leads to may be seen
// by others, and so may v, which is captured; i and local are the function's own. Of a type parameter are gm,
// gs and gb.
const frame = `package p

import ("bytes"; "encoding/json"; "fmt"
	"net/url"
	"os"
	"runtime"; "strings"
)

type item struct {
	n    int; name string; names []string
	next *item
	list []int
	grid [4]int
	m    map[string]int
	set  map[*item]bool
	any  interface{ M() }
	in   inner
	fn   func(int) int
	buf  bytes.Buffer
	to   *bytes.Buffer
	form url.Values
	kept struct{ bytes.Buffer }
}

type inner struct{ k int }

type whether bool

func (t *item) M()  {}
func (t inner) V()  {}
func (t *inner) P() {}

var global int

func g(...int) int { return 0 }

func two() (int, error) { return 0, nil }

func f[M ~map[string]int, S ~[]int, B []byte | string](p *item, c chan int, i int, gm M, gs S, gb B) (n int) {
	var v int
	var own whether
	var local item
	use := func() { v++ }
	_, _, _, _, _, _ = use, runtime.NumCPU, local, v, own, os.Args
	_, _, _ = json.Marshal, fmt.Sprint, strings.Join
LINE
	return
}
`

var (
	files    = token.NewFileSet()
	standard = importer.ForCompiler(files, "source", nil)
)

// instrumented returns what becomes of the statement.
func instrumented(t *testing.T, statement string, races bool) string {
	t.Helper()
	text := strings.Replace(frame, "LINE", "\t"+statement, 1)
	out := instrumentedFile(t, text, races)
	line := strings.Count(text[:strings.Index(text, "\t"+statement)], "\n")
	n := strings.Count(statement, "\n") + 1
	got := strings.Join(strings.Split(out, "\n")[line:line+n], "\n")
	got = strings.ReplaceAll(strings.TrimPrefix(got, "\t"), memoryName, "M")
	return strings.ReplaceAll(strings.ReplaceAll(got, flowName, "F"), orderName, "O")
}

// instrumentedFile returns what becomes of a file.
func instrumentedFile(t *testing.T, text string, races bool) string {
	t.Helper()
	file, err := parser.ParseFile(files, "f.go", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	c := types.Config{Importer: standard}
	pkg, err := c.Check("p", files, []*ast.File{file}, info)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	r := &instrumenter{files: files, info: info, pkg: pkg, text: []byte(text), races: races}
	out := string(r.instrument(file))
	if strings.Count(out, "\n") != strings.Count(text, "\n") {
		t.Errorf("the lines have moved:\n%s", out)
	}
	if _, err := parser.ParseFile(files, "f.go", out, 0); err != nil {
		t.Errorf("%v in\n%s", err, out)
	}
	return out
}

// TestInstrumentEnd: an import whose uses were all changed stays used, whatever comment ends the file.
func TestInstrumentEnd(t *testing.T) {
	const begin = "package p\n\nimport \"runtime\"\n\nfunc f() { runtime.Gosched() }"
	for _, end := range []string{"", "\n", " // end", "\n// end\n", "\n/* end */\n", "\n/*\n*/"} {
		out := instrumentedFile(t, begin+end, false)
		want := "func f() { " + flowName + ".Gosched() }; var _ = runtime.Gosched" + end
		if !strings.HasSuffix(out, want) {
			t.Errorf("ends with\n%s\nwant\n%s", out[max(0, len(out)-len(want)):], want)
		}
	}
}

// renumber counts the new variables of a line from 1, as if nothing came before.
func renumber(s string) string {
	n := 0
	names := map[string]string{}
	return regexp.MustCompile(`samecycle\d+`).ReplaceAllStringFunc(s, func(v string) string {
		if names[v] == "" {
			n++
			names[v] = fmt.Sprint("samecycle", n)
		}
		return names[v]
	})
}

// TestInstrument: testdata/constructs.txt has each construct and, indented, what must become of it.
func TestInstrument(t *testing.T) {
	text, err := os.ReadFile("testdata/constructs.txt")
	if err != nil {
		t.Fatal(err)
	}
	construct, n := "", 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		want, expected := strings.CutPrefix(line, "\t")
		if !expected {
			construct = line
			continue
		}
		n++
		if got := renumber(instrumented(t, construct, true)); got != want {
			t.Errorf("%s becomes\n\t%s\nwant\n\t%s", construct, got, want)
		}
	}
	if n < 60 {
		t.Errorf("only %d constructs", n)
	}
}

// TestInstrumentFlow: without races nothing changes but what starts actors, yields, or waits for a
// channel.
func TestInstrumentFlow(t *testing.T) {
	for statement, want := range map[string]string{
		"p.n = g(p.n)": "p.n = g(p.n)",
		"p.m[\"a\"]++": "p.m[\"a\"]++",
		"for k, x := range p.m { _, _ = k, x }": "for samecycle1, k, x := O.Over(p.m); " +
			"samecycle1.Next(&k, &x); { _, _ = k, x }",
		"for range p.m { i++ }": "for samecycle1, _, _ := O.Over(p.m); samecycle1.Next(nil, nil); { i++ }",
		"for _ = range p.m { }": "for samecycle1, _, _ := O.Over(p.m); samecycle1.Next(nil, nil); { }",
		"for _, i = range p.m { }": "for samecycle1, _, samecycle2 := O.Over(p.m); " +
			"samecycle1.Next(nil, &samecycle2); { i = samecycle2;  }",
		"p.set[p] = true":                 "p.set[O.Seen(p)] = true",
		"p.set[nil] = p.set[p.next]":      "p.set[nil] = p.set[p.next]",
		"_ = map[any]int{p: 1, \"a\": 2}": "_ = map[any]int{O.Seen(p): 1, \"a\": 2}",
		"go g(p.n)":                       "{ samecycle1 := p.n; F.Go(func() { g(samecycle1) }) }",
		"for _, x := range p.list { go g(x) }": "for _, x := range p.list { { samecycle1 := x; " +
			"F.Go(func() { g(samecycle1) }) } }",
		"runtime.Gosched(); runtime.Goexit()": "F.Gosched(); F.Goexit()",
		"defer runtime.Goexit()":              "defer F.Goexit()",
		"x := runtime.Goexit; x()":            "x := F.Goexit; x()",
		"os.Exit(i)":                          "F.Exit(i)",
		"defer func() { recover() }()": "defer func() { F.Recovered(F.Leaving() == nil && " +
			"F.Keep(recover())) }()",
		"defer recover()": "defer recover()",
		"if x := recover(); x != nil { panic(x) }": "if x := F.Recovered(F.Leaving() == nil && " +
			"F.Keep(recover())); x != nil { panic(x) }",
		"<-c":          "F.Receive(c)",
		"i = <-c":      "i = F.Receive(c)",
		"i = len(c)":   "i = F.Len(c)",
		"c <- i":       "F.To(c).Send(i)",
		"_, own = <-c": "_, own = <-F.Refuse(c, \"f.go:46\")",
	} {
		if got := instrumented(t, statement, false); got != want {
			t.Errorf("%s becomes %s, want %s", statement, got, want)
		}
	}
}

// TestInstrumentMapLines: so does a loop over a map.
func TestInstrumentMapLines(t *testing.T) {
	const statement = "for k, // one\n\t\tx := range map[string]int{\n\t\t\"a\": 1,\n\t} { _, _ = k, x }"
	const want = "for samecycle1, k, x := \nO.Over(map[string]int{\n" +
		"\t\t\"a\": 1,\n\t}); samecycle1.Next(&k, &x); { _, _ = k, x }"
	if got := instrumented(t, statement, false); renumber(got) != want {
		t.Errorf("becomes\n%s\nwant\n%s", got, want)
	}
}

// TestInstrumentLines: a statement of several lines keeps them, with the comments that end them.
func TestInstrumentLines(t *testing.T) {
	const statement = "p.n = g( // one\n\t\tp.n, // two\n\t\ti)"
	const want = "{ samecycle1 := &p.n; samecycle2 := g( // one\n" +
		"\t\tM.Load(&p.n, \"p.n\"), // two\n" +
		"\t\ti); *M.Store(samecycle1, \"p.n\") = samecycle2 }"
	if got := instrumented(t, statement, true); renumber(got) != want {
		t.Errorf("becomes\n%s\nwant\n%s", got, want)
	}
}
