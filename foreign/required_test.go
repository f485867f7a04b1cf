package foreign

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

const requires = "./testdata/requires"

// TestRequired_Found: a fault in a module that the target's requires by a replacement is found, told with its
// place there, and found again by its token; so is one in what goroutines do that the other module starts.
func TestRequired_Found(t *testing.T) {
	for name, want := range map[string][]string{
		"Total": {"{Total{}} Add() || Add()", "inner.go:16 (inner.(*Counter).Add)"},
		"Sum":   {"{Sum{}} Add() || Value()", "inner.Both"},
	} {
		t.Run(name, func(t *testing.T) {
			w, r := typedIn(t, requires, Subject{Type: name}, Options{Executions: 500, Preemptions: 1})
			i := slices.IndexFunc(r.Results, func(s driver.Result) bool { return s.Status == driver.Found })
			if i < 0 {
				t.Fatalf("status %s", r.Status())
			}
			for _, want := range want {
				if !strings.Contains(r.Text(), want) {
					t.Errorf("the report lacks %q", want)
				}
			}
			again, err := w.Replay(t.Context(), r.Results[i].Token)
			if err != nil || again.Status() != driver.Found {
				t.Errorf("the replay is %s, %v", again.Text(), err)
			}
		})
	}
}

// TestRequired_Clean: what is right with another module is clean, what that module has and nobody needs is
// not copied.
func TestRequired_Clean(t *testing.T) {
	w, r := typedIn(t, requires, Subject{Type: "Exact"}, Options{Executions: 100_000, Preemptions: 1})
	if r.Results[0].Status != driver.Clean || len(r.Outside) != 0 {
		t.Errorf("%s, outside is %q", r.Text(), r.Outside)
	}
	const note = "example.com/required/inner/internal/odd/odd.go:4:8: import of os, which asks the system"
	if !slices.Equal(r.Notes, []string{note}) {
		t.Errorf("notes %q", r.Notes)
	}
	if len(w.others) != 1 || exists(filepath.Join(w.others[0].copy, "big", "big.go")) {
		t.Errorf("copied are %+v", w.others)
	}
}

// TestRequired_Races: with races a module that starts nothing is copied, too.
func TestRequired_Races(t *testing.T) {
	r := withCell(t, Options{Races: true}, `package dep
type Cell struct{ N int }
func (c *Cell) Inc() { c.N++ }
`)
	if r.Status() != driver.Found || !strings.Contains(r.Text(), "read of c.N by actor") &&
		!strings.Contains(r.Text(), "write of c.N by actor") {
		t.Errorf("%s", r.Text())
	}
}

// withCell explores a type that has a Cell of a package of another module, whose source is given, and more
// methods.
func withCell(t *testing.T, o Options, source string, methods ...string) Report {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"dep/go.mod": "module example.com/dep\n\ngo 1.20\n",
		"dep/dep.go": source,
		"own/go.mod": "module example.com/own\n\ngo 1.24\n\nrequire example.com/dep v1.0.0\n\n" +
			"replace example.com/dep v1.0.0 => ../dep\n",
		"own/own.go": "package own\n\nimport (\n\t\"sync/atomic\"\n\n\t\"example.com/dep\"\n)\n\n" +
			"type T struct {\n\tdep.Cell\n\tn atomic.Int32\n}\n\n" +
			"func (t *T) Num() int32 { return t.n.Add(1) }\n" + strings.Join(methods, "\n"),
	} {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
			os.WriteFile(file, []byte(text), 0o444)); err != nil {
			t.Fatal(err)
		}
	}
	o.Subject, o.Seed, o.Executions, o.Preemptions = Subject{Type: "T"}, 1, 500, 1
	r, err := Explore(t.Context(), filepath.Join(folder, "own"), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRequired_Outside: a module that builds with no shims, and one that starts goroutines when it is loaded,
// are not copied, and no search is plainly clean then.
func TestRequired_Outside(t *testing.T) {
	for name, source := range map[string]string{
		"size": "package dep\n\nimport (\n\t\"sync\"\n\t\"unsafe\"\n)\n\n" +
			"type Cell struct{ mu sync.RWMutex }\n\n" +
			"func (c *Cell) Get() bool { return c.mu.TryLock() }\n\n" +
			"var _ [24 - unsafe.Sizeof(sync.RWMutex{})]byte\n",
		"start": "package dep\n\ntype Cell struct{ N int }\n\nfunc (c *Cell) Get() int { return 0 }\n\n" +
			"var never = make(chan int)\n\nfunc init() { go func() { <-never }() }\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := withCell(t, Options{}, source)
			if !slices.Equal(r.Outside, []string{"example.com/dep"}) {
				t.Errorf("outside is %q", r.Outside)
			}
			for _, want := range []string{"; without goroutines that run beside the actors; " +
				"without 1 package in no copy\n", "those of:\n  example.com/dep.init.0\n",
				"in no copy, so what these packages share and start is not explored:\n  example.com/dep\n"} {
				if name == "start" && !strings.Contains(r.Text(), want) {
					t.Errorf("the report lacks %q:\n%s", want, r.Text())
				}
			}
		})
	}
}

// TestRequired_Kept: packages that use C, or that a driver is made with, are in no copy; nor are, without a
// note, those that share nothing.
func TestRequired_Kept(t *testing.T) {
	folder := t.TempDir()
	pack := func(module, source string, cgo bool, imports ...string) listed {
		dir := filepath.Join(folder, filepath.FromSlash(module))
		if err := errors.Join(os.MkdirAll(dir, 0o755),
			os.WriteFile(filepath.Join(dir, "a.go"), []byte(source), 0o644)); err != nil {
			t.Fatal(err)
		}
		p := listed{ImportPath: module, Dir: dir, GoFiles: []string{"a.go"}, Imports: imports}
		if cgo {
			p.CgoFiles, p.GoFiles = p.GoFiles, nil
		}
		p.Module = &struct{ Path, Dir, GoVersion string }{module, dir, ""}
		return p
	}
	w := &Work{module: origin{path: "own"}}
	const shares, quiet = "package a\n\nvar c chan int\n", "package a\n"
	all, err := w.required([]listed{pack("quiet", quiet, false), pack("c", shares, true),
		pack("tool", shares, false), pack("taken", "package a\n\nimport _ \"sync\"\n", false),
		pack("apart", shares, false), pack(driverPackage, quiet, false, "tool"),
		pack("own", shares, false, "quiet", "c", "tool", "taken")}, []string{"own"})
	if err != nil || len(all) != 1 || all[0].path != "taken" ||
		!slices.Equal(w.outside, []string{"c", "tool"}) {
		t.Errorf("%+v, outside %q, %v", all, w.outside, err)
	}
}

// TestRequired_Ends: a module whose goroutines have ended when it is loaded is copied.
func TestRequired_Ends(t *testing.T) {
	r := withCell(t, Options{}, "package dep\n\ntype Cell struct{ N int }\n\n"+
		"func (c *Cell) Get() int { return 0 }\n\n"+
		"func init() {\n\tdone := make(chan int)\n\tgo func() { done <- 1 }()\n\t<-done\n}\n")
	if len(r.Outside) > 0 || r.Status() != driver.Clean {
		t.Errorf("%s, outside is %q", r.Status(), r.Outside)
	}
}

// TestUncopied: the modules whose functions have started goroutines are left out, the innermost of nested
// ones, and all if it is not known which, or if that did not help.
func TestUncopied(t *testing.T) {
	w := &Work{others: []origin{{path: "a.com/m"}, {path: "a.com/m/v2"}, {path: "b.com/n"}}}
	got := w.modulesOf([]string{"a.com/m/v2/p.init.0", "a.com/m/v2.F", "a.com/mm.F", "main.init"})
	if !slices.Equal(got, []string{"a.com/m/v2"}) {
		t.Errorf("modules %q", got)
	}
	failed := func(modules ...string) error {
		return fmt.Errorf("x: %w", &requiredError{modules: modules, err: ErrTarget})
	}
	u, helps := uncopied{}.without(failed("a", "b"))
	if !helps || !u.has("a") || u.has("c") {
		t.Errorf("%+v, %t", u, helps)
	}
	if u, helps = u.without(failed("c", "a")); !helps || !u.has("b") || !u.has("c") || u.has("d") {
		t.Errorf("%+v, %t", u, helps)
	}
	for _, err := range []error{failed("a"), failed()} {
		if all, helps := u.without(err); !helps || !all.has("d") {
			t.Errorf("%v: %+v, %t", err, all, helps)
		}
	}
	if _, helps = (uncopied{all: true}).without(failed("a")); helps {
		t.Error("nothing is left to leave out")
	}
	if _, helps = u.without(ErrTarget); helps {
		t.Error("it has another reason")
	}
}

// TestRequired_Strays: what goroutines do that a package in no copy starts is not taken for steps of actors.
func TestRequired_Strays(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("NOT RUN: goroutines are told apart on amd64 and arm64 alone, and this is " + runtime.GOARCH)
	}
	r := withCell(t, Options{}, "package dep\n\nimport (\n\t\"sync\"\n\t\"unsafe\"\n)\n\n"+
		"type Cell struct{ wg sync.WaitGroup }\n\n"+
		"func (c *Cell) Go(n int, f func()) {\n\tfor i := 0; i < n; i++ {\n\t\tc.wg.Add(1)\n"+
		"\t\tgo func() { defer c.wg.Done(); f() }()\n\t}\n\tc.wg.Wait()\n}\n\n"+
		"var _ [24 - unsafe.Sizeof(sync.RWMutex{})]byte\n",
		"func (t *T) Both() { t.Cell.Go(2, func() { t.n.Add(1) }) }")
	i := slices.IndexFunc(r.LeftOut, func(s string) bool { return strings.HasPrefix(s, "Both: ") })
	if i < 0 || !strings.Contains(r.LeftOut[i], "a goroutine that is no actor comes to a step (Add)") {
		t.Errorf("%s", r.Text())
	}
}

// once is the driver of an adapter: a map of one key, which is there once a Total has counted.
const once = `package main

import (
	"example.com/requires"

	. "github.com/samecycle/samecycle/foreign/driver"
)

type target struct {
	total requires.Total
	value uint32
}

func (t *target) Do(c Call) Answer {
	if t.total.Add() == 1 {
		t.value = c.Value
		return Answer{Value: c.Value}
	}
	return Answer{Value: t.value, OK: true}
}

func main() {
	Main(Target{New: func() Map { return &target{} }, Suites: []Suite{Single(Program{Name: "once",
		Actors: [][]Call{{With(LoadOrStore, 1, 11)}, {With(LoadOrStore, 1, 21)}}})}})
}
`

// TestRequired_Adapter: what a target with an adapter requires is copied, too, and a fault there is found.
func TestRequired_Adapter(t *testing.T) {
	e := edits{adapter: &adapter{target: "example.com/requires", main: map[string]string{
		"main.go": "haxmap.go.txt"}}, driver: func(string, []byte) []byte { return []byte(once) }}
	w, err := prepare(t.Context(), Target{Name: requires}, Options{}, e)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}()
	r, err := w.Explore(t.Context())
	if err != nil || r.Status() != driver.Found || !strings.Contains(r.Text(), "inner.go:16") {
		t.Errorf("%s, %v", r.Text(), err)
	}
}
