package foreign

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// parts is a package with many kinds of constructors, methods and parameters.
const parts = `package parts

import (
	"context"
	"fmt"
	"io"
	"time"
	"unsafe"
)

type Map[K comparable, V any] struct{ v V; k K }
type Option func(*int)
func NewMap[K comparable, V any](options ...Option) *Map[K, V] { return nil }
func NewStringMap[V any]() *Map[string, V] { return nil }
func (m *Map[K, V]) Set(k K, v V) {}
func (m *Map[K, V]) Get(k K) (V, bool) { return m.v, false }
func (m *Map[K, V]) Compute(k K, f func(old V, ok bool) (V, bool)) V { return m.v }
func (m *Map[K, V]) Each(f func(K, V) bool) {}
func (m *Map[K, V]) All() func(func(K) bool) { return nil }
func (m *Map[K, V]) Watch() <-chan K { return nil }
func (m *Map[K, V]) AddAll(ks ...K) int { return 0 }
func (m *Map[K, V]) hidden() {}

type Ring struct{}
type Config struct{ Size, limit int }
func Open(size uint8, name string) (Ring, error) { return Ring{}, nil }
func MakeRing(c Config, bytes []byte, pair [2]bool) Ring { return Ring{} }
func (r *Ring) Put(any, error) {}
func (r *Ring) Read(l Lock) {}
func (r *Ring) Borrow(h *Handle) {}
func (r *Ring) Watch(p unsafe.Pointer) {}
func (r *Ring) Fill(c chan<- Config) {}
func (r *Ring) Drain(c <-chan uint8) int { return 0 }
func (r *Ring) Pass(c Bytes) {}
func (r *Ring) Odd(c <-chan Lock) {}
type Bytes chan uint8
type Handle struct { n int }

type Pool struct{}
type Level int
const ( least Level = 1; High Level = 2; Low Level = 3; Lower = Low; Absent Level = 0; Other = 4 )
func NewPool(c *Config, onEvict func(uint32)) *Pool { return nil }
func (p *Pool) Wait(c context.Context) error { return nil }
func (p *Pool) Merge(m map[int]bool) {}
func (p *Pool) Dump(w io.Writer) (int64, error) { return 0, nil }
func (p *Pool) Fill(r io.Reader) {}
func (p *Pool) Name(s fmt.Stringer) {}
func (p *Pool) Swap(n *uint8) *uint8 { return n }
func (p *Pool) Set(l Level) {}
func (p *Pool) Do(f func() (string, error)) (string, error) { return f() }
func (r *Ring) Len() int { return 0 }

type Lock interface{ Acquire(c Config) bool; secret() }
type held struct{}
func New() Lock { return held{} }
func (held) Acquire(c Config) bool { return true }
func (held) secret() {}

type Only[S interface{ Less(S) bool }] struct{}
func (o Only[S]) Do() {}

type Short[T ~string] struct{}
func (s Short[T]) Do(t T) T { return t }

type Alone interface{ Do() }

type Shy struct{}
func (s *Shy) Call(func(held)) {}
func (s *Shy) Deep([][][][]int) {}
func (s *Shy) Give(func() held) {}
func (s *Shy) Inside(Map[int, held]) {}
func (s *Shy) Keys(map[held]int) {}
func (s *Shy) List([]held) {}
func (s *Shy) One(held) {}
func (s *Shy) Open(int) {}
func (s *Shy) Zero([0]int) {}
type Hiding func(*held)
func (s *Shy) Hide(...Hiding) {}
type Hue int
const ( First Hue = 1 + iota; Second; Third; Fourth; Fifth )
func (s *Shy) Paint(Hue) {}
type Single int
const Sole Single = 7
func (s *Shy) Pick(Single) {}

type Odd struct{}
type Nothing struct{}
func AnOdd() *Odd { return nil }
func MakeOdd() *Odd { return nil }
func NewOdd() *Odd { return nil }
func OddOk() (*Odd, bool) { return nil, false }
func (o *Odd) Call(f func(...int)) {}
func (o *Odd) Empty(*Nothing) {}
func (o *Odd) Pick(f func(int) bool) {}
func (o *Odd) Three(f func() (a, b, c int)) {}
func (o *Odd) Seq() func(func(int) bool) { return nil }
func (o *Odd) Back() func(func(int) bool) int { return nil }
func (o *Odd) Every() func(func(int)) { return nil }
func (o *Odd) Pairs() (func(func(int) bool), error) { return nil, nil }
func (o *Odd) Secret() func(func(held) bool) { return nil }
func (o *Odd) Two() func(func(int) bool, int) { return nil }

type Lasting struct{}
type Spans struct { Size int; Every time.Duration }
func NewLasting(n int, d time.Duration, s Spans) *Lasting { return nil }
func (l *Lasting) Set(n int, d time.Duration) {}

type Texts = Map[string, int]
type Twice[T comparable] = Map[T, T]
type Many[A, B, C, D, E any] struct{}
func (m Many[A, B, C, D, E]) Do() {}
`

const (
	hiddenHeld = "needs the type held, which is not exported"
	noIterator = "returns a function or a channel"
)

// finds are types with what is to be found of them.
var finds = []struct {
	s             Subject
	want          error
	texts, source []string
	leftOut       string
}{
	{s: Subject{Type: "Map"}, texts: []string{"NewMap()"}, source: []string{
		"type object = *target.Map[uint32, uint32]", "Made(target.NewMap[uint32, uint32](), nil)",
		`{"Set(1, 2)", []int{0, 1}, func(v any) []any { o := v.(object); o.Set(1, 2); return nil }}`,
		"return Results(o.AddAll(3))",
		`{"Each(returns(true))", []int{0}, func(v any) []any { o := v.(object); var heard Heard; ` +
			"o.Each(func(a0 uint32, a1 uint32) (bool) { heard.Add(a0, a1); return true }); " +
			"return Results(&heard) }}",
		`{"All()", []int{}, func(v any) []any { o := v.(object); var heard Heard; ` +
			"o.All()(func(a0 uint32) (bool) { heard.Add(a0); return true }); return Results(&heard) }}",
		`{"Compute(1, returns(2, false))", []int{0, 1}, func(v any) []any { o := v.(object); ` +
			"var heard Heard; return append(Results(o.Compute(1, func(a0 uint32, a1 bool) (uint32, bool) " +
			"{ heard.Add(a0, a1); return 2, false })), &heard) }}",
		`"Compute(1, returns(3, true))", []int{0, 5}`},
		leftOut: "Watch returns a function or a channel"},
	{s: Subject{Type: "Map", New: "NewStringMap"}, texts: []string{"NewStringMap()"}, source: []string{
		"type object = *target.Map[string, uint32]", "target.NewStringMap[uint32]()"}},
	{s: Subject{Type: "Ring"},
		texts: []string{`MakeRing(Config{}, []byte{1, 2}, [2]bool{true, false})`, `Open(2, "a")`},
		source: []string{`o, err := target.Open(2, "a"); return Made(&o, err)`,
			"o := target.MakeRing(target.Config{}, []byte{1, 2}, [2]bool{true, false}); return Made(&o, nil)",
			`{"Fill(room)", []int{0}, func(v any) []any { o := v.(object); var heard Heard; ` +
				"o.Fill(Room[target.Config](&heard)); return Results(&heard) }}",
			`{"Drain(channel(1))", []int{0}, func(v any) []any { o := v.(object); ` +
				"return Results(o.Drain(Channel[uint8](1))) }}",
			`{"Drain(channel())", []int{1}`, "o.Pass(Room[uint8](&heard))"},
		leftOut: "Borrow needs a pointer to Handle, whose fields are not exported; Odd needs a channel of " +
			"a value of the interface Lock; Read needs a value of " +
			"the interface Lock; Watch needs an unsafe pointer"},
	{s: Subject{Type: "Pool"}, texts: []string{"NewPool(&Config{}, returns())"}, source: []string{
		"var heard Heard; return Made(target.NewPool(Pointer[target.Config](target.Config{}), " +
			"func(a0 uint32) () { heard.Add(a0); return  }), nil)", "NewPool(&Config{Size: 16}, returns())",
		`{"Wait(cancelled)", []int{1}`, "return Results(o.Wait(Cancelled()))",
		`{"Dump(writer)", []int{0}, func(v any) []any { o := v.(object); var heard Heard; ` +
			"return append(Results(o.Dump(heard.Writer())), &heard) }}",
		`{"Fill(reader(\"ab\"))", []int{0}`, `o.Fill(Reader("ab")); return nil`,
		`{"Name(text(\"b\"))", []int{1}`, `o.Name(Text("b")); return nil`,
		`{"Merge({1: true, 2: false})", []int{0}`, "o.Merge(map[int]bool{3: true})",
		`{"Swap(&2)", []int{1}`, "return Results(o.Swap(Pointer[uint8](2)))",
		`"Set(High)", []int{0}`, `"Set(Low)", []int{1}`, `"Set(Absent)", []int{2}`,
		`{"Do(returns(\"a\", failed))", []int{3}`,
		`return append(Results(o.Do(func() (string, error) { heard.Add(); return "a", Failed() })), ` +
			"&heard)"}},
	{s: Subject{Type: "Ring", New: "zero"}, texts: []string{"Ring{}"},
		source: []string{"return new(target.Ring), nil"}},
	{s: Subject{Type: "Lock"}, texts: []string{"New()"}, source: []string{"type object = target.Lock\n",
		"return Results(o.Acquire(target.Config{}))"}},
	{s: Subject{Type: "Short"}, texts: []string{"Short{}"}, source: []string{"target.Short[string]"}},
	{s: Subject{Type: "Only"}, want: ErrTarget, texts: []string{"S interface{Less(S) bool}"}},
	{s: Subject{Type: "Shy"}, texts: []string{"Shy{}"}, source: []string{`"Open(1)"`,
		`"Zero([0]int{})"`, `"Pick(1)"`, `{Name: "Paint", Quiet: true, Values: []int{4},`},
		leftOut: "Call " + hiddenHeld + "; Deep needs a value of the type int, which is too deep in a list " +
			"in a list in a list in a list; Give " + hiddenHeld +
			"; Hide needs a function with the type held, which is not exported; Inside " + hiddenHeld +
			"; Keys " + hiddenHeld + "; List " + hiddenHeld + "; One " + hiddenHeld},
	{s: Subject{Type: "Odd"}, texts: []string{"NewOdd()", "MakeOdd()", "AnOdd()"}, source: []string{
		"o.Call(func(a0 ...int) ", "o.Empty(Pointer[target.Nothing](target.Nothing{}))",
		`{"Pick(returns(false))", []int{1}`, `{Name: "Three", Quiet: false, Values: []int{9},`,
		`"Seq()"`}, leftOut: "Back " + noIterator + "; Every " + noIterator + "; Pairs " + noIterator +
		"; Secret " + noIterator + "; Two " + noIterator},
	{s: Subject{Type: "Lasting"}, texts: []string{"NewLasting(2, 2s, Spans{})"}, source: []string{
		"target.NewLasting(2, 2_000_000_000, target.Spans{})",
		`"NewLasting(1, 1s, Spans{Size: 2, Every: 2s})"`,
		"target.NewLasting(1, 1_000_000_000, target.Spans{Size: 2, Every: 2_000_000_000})",
		`{"Set(2, 1s)", []int{1, 0}`, "o.Set(1, 3_000_000_000)", `"Set(1, 0)"`}},
	{s: Subject{Type: "Texts"}, want: ErrTarget,
		texts: []string{"Texts is Map[string, int], and type arguments are chosen by the search: name Map"}},
	{s: Subject{Type: "Twice"}, want: ErrTarget, texts: []string{"Twice is Map[T, T]", "name Map"}},
	{s: Subject{Type: "Many"}, want: ErrTarget,
		texts: []string{"Many: 5 type parameters, more than 4: embed it in a structure"}},
	{s: Subject{Type: "Alone"}, want: ErrTarget, texts: []string{"is an interface, and no function"}},
	{s: Subject{Type: "Option"}, want: ErrTarget, texts: []string{"no method of Option", "it has none"}},
	{s: Subject{Type: "held"}, want: ErrTarget, texts: []string{"exports no type held", "Alone, Bytes,"}},
}

// checked returns a package with this source.
func checked(t *testing.T, source string) *types.Package {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "parts.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := types.Config{Importer: importer.Default()}
	pkg, err := c.Check("example.com/parts", files, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// TestFind: what is found of each type, and that the driver which is written of it has no error but that
// it cannot import the package.
func TestFind(t *testing.T) {
	pkg := checked(t, parts)
	files := token.NewFileSet()
	for _, c := range finds {
		found, err := find(pkg, c.s)
		if !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.s, err, c.want)
			continue
		}
		if err != nil {
			for _, want := range c.texts {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%+v: %q is missing in: %v", c.s, want, err)
				}
			}
			continue
		}
		source := string(found.source("Name", false))
		if _, err := parser.ParseFile(files, "main.go", source, 0); err != nil {
			t.Errorf("%+v: %v", c.s, err)
		}
		for _, want := range c.source {
			if !strings.Contains(source, want) {
				t.Errorf("%+v: the driver lacks %q:\n%s", c.s, want, source)
			}
		}
		if strings.Contains(source, "Each(returns(false))") {
			t.Errorf("%+v: a function ends an iteration where no order is promised", c.s)
		}
		var ways []string
		for _, w := range found.ways {
			ways = append(ways, w.calls[0].text)
		}
		if !slices.Equal(ways, c.texts) {
			t.Errorf("%+v: made by %q, want %q", c.s, ways, c.texts)
		}
		if got := strings.Join(found.leftOut, "; "); c.leftOut != "" && got != c.leftOut {
			t.Errorf("%+v: left out are %q, want %q", c.s, got, c.leftOut)
		}
	}
}

// TestDriverPath: a driver may import what is internal.
func TestDriverPath(t *testing.T) {
	for path, want := range map[string]string{
		"a.b/c": driverModule, "a.b/c/internal/d": "a.b/c/" + driverModule,
		"a.b/internal/x/internal": "a.b/internal/x/" + driverModule, "a.b/internals": driverModule,
	} {
		if got := driverPath(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	for path, want := range map[string]string{"a.b/c": "v0.0.0", "a.b/c/v3": "v3.0.0",
		"gopkg.in/y.v2": "v2.0.0"} {
		if got := anyVersion(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestOwnChance: functions of the runtime's random numbers get a body, and each line keeps its number.
func TestOwnChance(t *testing.T) {
	const text = `package p

import _ "unsafe"

// draw draws.
//go:noescape
//go:linkname draw runtime.cheaprand
func draw() uint32

//go:linkname below runtime.fastrandn
func below(n uint32) uint32

//go:linkname nameless runtime.fastrandn
func nameless(uint32) uint32

//go:linkname hash runtime.memhash
func hash(n uint32) uint32

func plain() uint32 { return 1 }
`
	const head = `package p; import samecycleChance "` + shims + "rand2\"\n"
	want := strings.NewReplacer("package p\n", head,
		"//go:noescape\n//go:linkname draw runtime.cheaprand", "//\n//",
		"draw() uint32", "draw() uint32 { return uint32(samecycleChance.Uint64()) }",
		"//go:linkname below runtime.fastrandn", "//",
		"below(n uint32) uint32",
		"below(n uint32) uint32 { return uint32(samecycleChance.Uint64N(uint64(n))) }",
	).Replace(text)
	if got := string(ownChance([]byte(text))); got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
	const none = "package p\n\nfunc f() {}\n"
	if got := string(ownChance([]byte(none))); got != none {
		t.Errorf("without any it is\n%s", got)
	}
}

// TestNameModule: a copy without a go.mod gets one with its path, another one keeps its own.
func TestNameModule(t *testing.T) {
	const own = "module own\n"
	for text, want := range map[string]string{"": "module a.b/c\n\ngo 1.20\n", own: own} {
		folder := t.TempDir()
		file := filepath.Join(folder, "go.mod")
		if text != "" {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		err := nameModule(folder, "a.b/c")
		if got, e := os.ReadFile(file); err != nil || e != nil || string(got) != want {
			t.Errorf("%q is %q, want %q: %v, %v", text, got, want, err, e)
		}
	}
}

// TestDoubt: what is of chance in a folder is noted there, and an import that is refused waits until the
// folder is used.
func TestDoubt(t *testing.T) {
	c := &copier{doubts: map[string]*doubt{}}
	c.doubt("a/x.go", []byte("package a\n\n//go:linkname r runtime.cheaprand\nfunc r() uint32\n"), nil, nil)
	c.doubt("b/y.go", []byte("package b\nimport \""+shims+"time\"\n"), []note{{"it", "note", ""}},
		ErrSource)
	a, b := c.doubts["a"], c.doubts["b"]
	const chance = "random numbers of the runtime"
	if !slices.Equal(a.notes, []note{{chance, "x.go:3: " + chance, "x.go"}}) || a.chance ||
		a.refused != nil {
		t.Errorf("a: %+v", a)
	}
	if !slices.Equal(b.notes, []note{{"it", "note", "y.go"}}) || !b.chance || b.refused != ErrSource {
		t.Errorf("b: %+v", b)
	}
}

// TestFind_Handed: methods that return another type of the package with methods to call are named.
func TestFind_Handed(t *testing.T) {
	const source = `package handed

import "time"

type Store struct{}
func (s *Store) Begin() (*Batch, error) { return nil, nil }
func (s *Store) Cursor() Cursor { return nil }
func (s *Store) Find() (int, Entry) { return 0, Entry{} }
func (s *Store) Clone() *Store { return nil }
func (s *Store) Level() Level { return 0 }
func (s *Store) Size() Size { return 0 }
func (s *Store) Now() time.Time { return time.Time{} }
func (s *Store) Len() int { return 0 }
type Batch struct{}
func (b *Batch) Commit() {}
type Cursor interface{ Next() bool }
type Entry struct{}
func (e *Entry) Delete() {}
type Level int
func (l Level) String() string { return "" }
type Size int
func (s Size) bytes() int { return 0 }
`
	found, err := find(checked(t, source), Subject{Type: "Store"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Begin returns *Batch", "Cursor returns Cursor", "Find returns Entry"}
	if !slices.Equal(found.handed, want) {
		t.Errorf("handed are %q, want %q", found.handed, want)
	}
}
