package foreign

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestChangeImports(t *testing.T) {
	const before = `// A file that says "sync/atomic" where it is no import.
package p

import (
	"fmt"
	sy "sync" // "sync"
	"sync/atomic"
)

import _ "sync"

const text = "sync/atomic" // ö, so that bytes and columns differ
` + "var raw, x = `\"sync\"`, sy.Mutex{}\n"
	const after = `// A file that says "sync/atomic" where it is no import.
package p

import (
	"fmt"
	sy "a/b" // "sync"
	"c/atomic"
)

import _ "a/b"

const text = "sync/atomic" // ö, so that bytes and columns differ
` + "var raw, x = `\"sync\"`, sy.Mutex{}\n"
	changes := map[string]string{"sync": "a/b", "sync/atomic": "c/atomic"}
	got, notes, err := changeImports("f.go", []byte(before), changes)
	if err != nil || len(notes) != 0 || string(got) != after {
		t.Errorf("%v, %v:\n%s", err, notes, got)
	}
}

// TestChangeImports_Renamed: what a shim has by another name is called so, of the package alone.
func TestChangeImports_Renamed(t *testing.T) {
	const empty = "TO" + "DO"
	before := "package p\n\nimport ctx \"context\"\n\nvar a, b = ctx.NAME(), other.NAME\n\n" +
		"func f(ctx struct{ NAME int }) int { return ctx.NAME }\n\nvar c = ctx.NAME\n"
	after := "package p\n\nimport ctx \"a/b\"\n\nvar a, b = ctx.Background(), other.NAME\n\n" +
		"func f(ctx struct{ NAME int }) int { return ctx.NAME }\n\nvar c = ctx.Background\n"
	got, _, err := changeImports("f.go", []byte(strings.ReplaceAll(before, "NAME", empty)),
		map[string]string{"context": "a/b"})
	if want := strings.ReplaceAll(after, "NAME", empty); err != nil || string(got) != want {
		t.Errorf("%v:\n%s", err, got)
	}
}

// TestChangeImports_Dotted: so are the names of a package that is imported with a dot, one of several, where
// nothing else of the file has the name.
func TestChangeImports_Dotted(t *testing.T) {
	const empty = "TO" + "DO"
	before := "package p\n\nimport (\n\t. \"context\"\n\t. \"sync\"\n)\n\nvar a = NAME()\n\n" +
		"type s struct{ NAME int }\n\nvar b, c = s{NAME: 1}.NAME, NAME\n\n" +
		"func f(NAME int) int { return NAME }\n"
	after := "package p\n\nimport (\n\t. \"a/b\"\n\t. \"a/c\"\n)\n\nvar a = Background()\n\n" +
		"type s struct{ NAME int }\n\nvar b, c = s{NAME: 1}.NAME, Background\n\n" +
		"func f(NAME int) int { return NAME }\n"
	got, _, err := changeImports("f.go", []byte(strings.ReplaceAll(before, "NAME", empty)),
		map[string]string{"context": "a/b", "sync": "a/c"})
	if want := strings.ReplaceAll(after, "NAME", empty); err != nil || string(got) != want {
		t.Errorf("%v:\n%s", err, got)
	}
}

func TestRefusedImports(t *testing.T) {
	for _, path := range []string{"math/rand", "math/rand/v2", "hash/maphash", "crypto/rand",
		"internal/race"} {
		text := []byte("package p\n\nimport \"" + path + "\"\n")
		if _, _, err := changeImports("f.go", text, nil); !errors.Is(err, ErrSource) {
			t.Errorf("import of %s: %v", path, err)
		}
		shim := map[string]string{path: "ours/shim"}
		if _, _, err := changeImports("f.go", text, shim); err != nil {
			t.Errorf("import of %s with a shim: %v", path, err)
		}
	}
	if _, _, err := changeImports("f.go", []byte("package"), nil); !errors.Is(err, ErrSource) {
		t.Errorf("a file that does not parse: %v", err)
	}
}

func TestNotes(t *testing.T) {
	const text = `package p

import "time"
import "io"

func f(c chan int) {
	go f(c)
	c <- 1
	<-c
	select {}
	io.Pipe()
	own{}.io.Pipe()
}
`
	_, notes, err := changeImports("f.go", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []note{{what: "time", text: "f.go:3:8: import of time, which reads the clock or waits"},
		{what: "io.Pipe", text: "f.go:11:2: io.Pipe, which waits unseen"}}
	if !slices.Equal(notes, want) {
		t.Errorf("%q, want %q", notes, want)
	}
}

// differences holds each copied file against its original: it should have as many lines, and those
// that differ should be imports of a path that the adapter changes. It returns what is otherwise.
func differences(t *testing.T, w *Work) []string {
	t.Helper()
	a, err := w.Target.adapter()
	if err != nil || len(w.files) == 0 {
		t.Fatalf("%d files copied, %v", len(w.files), err)
	}
	var found []string
	changes, changed := a.changes(), 0
	for _, f := range w.files {
		before, paths := importLines(t, f.from)
		after, _ := importLines(t, f.to)
		if len(before) != len(after) {
			found = append(found, fmt.Sprintf("%s: %d lines, the original has %d", f.to, len(after),
				len(before)))
			continue
		}
		for i := range before {
			if before[i] == after[i] {
				continue
			}
			changed++
			path := paths[i+1]
			want := strings.Replace(before[i], strconv.Quote(path), strconv.Quote(changes[path]), 1)
			if path == "" || after[i] != want {
				found = append(found, fmt.Sprintf("%s:%d: %q, the original has %q", f.to, i+1, after[i],
					before[i]))
			}
		}
	}
	if changed == 0 {
		found = append(found, "no import was changed: the explorer would see nothing")
	}
	return found
}

// importLines returns the lines of a file, and which paths it imports in which lines from 1.
func importLines(t *testing.T, path string) ([]string, map[int]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[int]string{}
	for _, spec := range file.Imports {
		lines[files.Position(spec.Pos()).Line], _ = strconv.Unquote(spec.Path.Value)
	}
	return strings.Split(string(text), "\n"), lines
}
