package foreign

import (
	"os"
	"path/filepath"
	"testing"
)

// TestExport_SeveralInOneFolder: tests of several failures build in one folder, beside code that has names
// of theirs.
func TestExport_SeveralInOneFolder(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source, err := filepath.Abs(shelf)
	if err != nil {
		t.Fatal(err)
	}
	write("go.mod", "module user\n\ngo 1.26.0\n\nrequire example.com/shelf v0.0.0\n\n"+
		"replace example.com/shelf => "+source+"\n")
	write("own_test.go", "package user_test\n\ntype call struct{}\n\n"+
		"var before, actors, tries = call{}, 1, 2\n")
	for _, name := range []string{"Counter", "Torn"} {
		w, r := typed(t, Subject{Type: name}, Options{})
		_, text := exportedOf(t, w, r)
		write(name+"_test.go", string(text))
	}
	if out, err := goCommand(t.Context(), folder, "vet", "-mod=mod", "."); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestOwnNames: all that means a declaration of the package gets the suffix, and nothing else does.
func TestOwnNames(t *testing.T) {
	const before = `package p

import "fmt"

// cell is one.
type cell struct{ call, n int }

type pair struct{ cell }

// An op is a call.
var op = cell{call: 1}

func call(fmt int, x pair) int { n := x.cell.call; return n + x.call + op.n }

func (c cell) pair() int { return fmt.Sprint(call(1, pair{})) }
`
	const want = `package p

import "fmt"

// cell_1 is one.
type cell_1 struct{ call, n int }

type pair_1 struct{ cell_1 }

// An op_1 is a call.
var op_1 = cell_1{call: 1}

func call_1(fmt int, x pair_1) int { n := x.cell_1.call; return n + x.call + op_1.n }

func (c cell_1) pair() int { return fmt.Sprint(call_1(1, pair_1{})) }
`
	got, err := ownNames([]byte(before), "_1")
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := ownNames([]byte("package"), "_1"); err == nil {
		t.Error("what does not parse is no error")
	}
}
