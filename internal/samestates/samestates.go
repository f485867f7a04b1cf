// Package samestates compares the states that TLC reaches with those of a program, for the tests of the
// models.
package samestates

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/samecycle/samecycle/internal/tlc"
)

// Tool finds TLC. It skips the test where a program is missing that TLC needs: the comparison is NOT RUN
// then, not passed. Every other reason is a failure.
func Tool(t testing.TB) *tlc.Tool {
	t.Helper()
	if testing.Short() {
		t.Skip("NOT RUN: short, without TLC")
	}
	tool, err := tlc.Find(t.Context(), func(s string) { t.Log(s) })
	var missing *tlc.MissingError
	if errors.As(err, &missing) {
		t.Skipf("NOT RUN: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// Machines share TLC's JVMs among the runs of one test.
func Machines(t testing.TB) *tlc.Machines {
	t.Helper()
	m := Tool(t).Machines(t.Context())
	t.Cleanup(m.Close)
	return m
}

// RunOf is the run of that name in the manifest of a folder.
func RunOf(t testing.TB, dir, name string) tlc.Entry {
	t.Helper()
	m, err := tlc.LoadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	e, err := m.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Copy copies the modules of a specification into a folder of its own, edited.
func Copy(t testing.TB, from string, edits ...tlc.Edit) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files, err := filepath.Glob(filepath.Join(from, "*.tla"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no modules in %s: %v", from, err)
	}
	for _, path := range files {
		Write(t, filepath.Join(dir, filepath.Base(path)), Read(t, path))
	}
	for _, e := range edits {
		path := filepath.Join(dir, e.Module+".tla")
		text := Read(t, path)
		if n := strings.Count(text, e.Old); n != 1 {
			t.Fatalf("%s has %q %d times, want once", e.Module, e.Old, n)
		}
		Write(t, path, strings.Replace(text, e.Old, e.New, 1))
	}
	return dir
}

// Read is the text of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Write makes a file of a text.
func Write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Set is a set of states by the hash of their canonical text. The texts themselves are read again when
// two sets differ.
type Set struct {
	hashes map[xxh3.Uint128]bool
	each   func(f func(text string)) error
}

// NewSet reads the states that each calls its argument with; it must do the same each time.
func NewSet(each func(f func(text string)) error) (Set, error) {
	set := Set{map[xxh3.Uint128]bool{}, each}
	err := each(func(text string) { set.hashes[xxh3.HashString128(text)] = true })
	return set, err
}

// Len is the number of states.
func (x Set) Len() int { return len(x.hashes) }

// onlyIn returns up to three states that other lacks, and how many there are.
func (x Set) onlyIn(other Set) (some []string, n int) {
	for h := range x.hashes {
		if !other.hashes[h] {
			n++
		}
	}
	if n == 0 {
		return nil, 0
	}
	if err := x.each(func(text string) {
		if len(some) < 3 && !other.hashes[xxh3.HashString128(text)] {
			some = append(some, text)
		}
	}); err != nil {
		some = append(some, err.Error())
	}
	return some, n
}

// Difference is "" if the sets are equal.
func Difference(spec, model Set) string {
	a, n := spec.onlyIn(model)
	b, m := model.onlyIn(spec)
	if n+m == 0 {
		return ""
	}
	return fmt.Sprintf("%d states in TLC only, such as\n%s\n%d states in the model only, such as\n%s",
		n, strings.Join(a, "\n"), m, strings.Join(b, "\n"))
}

// Reader calls f with the canonical text of each state of a dump.
type Reader func(dump io.Reader, f func(text string)) error

// ErrDump is what a dump wraps that has other states than TLC reports: a comparison with it says nothing.
var ErrDump = errors.New("the dump is not TLC's states")

// TLC returns all states that TLC reaches in a run that holds.
func TLC(t testing.TB, jvms *tlc.Machines, job tlc.Job, read Reader) (Set, tlc.Result) {
	t.Helper()
	dump := filepath.Join(t.TempDir(), "states")
	job.Args = append(job.Args, "-dump", dump)
	r := Run(t, jvms, job)
	set, err := dumped(dump+".dump", read, r.Distinct)
	if err != nil {
		t.Fatal(err)
	}
	return set, r
}

// dumped reads a dump of so many distinct states.
func dumped(path string, read Reader, distinct int64) (Set, error) {
	set, err := NewSet(func(f func(string)) error {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		return read(file, f)
	})
	if err == nil && int64(set.Len()) != distinct {
		err = fmt.Errorf("%w: TLC reports %d distinct states, its dump has %d", ErrDump, distinct, set.Len())
	}
	return set, err
}

// Run is a run of TLC that must hold.
func Run(t testing.TB, jvms *tlc.Machines, job tlc.Job) tlc.Result {
	t.Helper()
	r, err := jvms.Run(t.Context(), job, tlc.Family{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != tlc.OK {
		t.Fatalf("TLC: %s %s %s", r.Outcome, r.Property, r.Message)
	}
	return r
}
