package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/foreign/driver"
)

// TestMinimiseAndExport adds two calls on another key to a program of haxmap that fails, and one more
// actor. They go, the page and the test of the rest stay, and the test fails in a module that uses
// haxmap, but not with a map that keeps its promises.
func TestMinimiseAndExport(t *testing.T) {
	e, changed := watched(edits{driver: func(_ string, text []byte) []byte {
		text = bytes.Replace(text, []byte("initial, Actors: [][]Call{a, b}"),
			[]byte("initial, Actors: [][]Call{a, b, {OnKey(Load, 3)}}"), 1)
		return bytes.Replace(text,
			[]byte("[]Call{With(LoadOrStore, 1, 11)}, []Call{With(LoadOrStore, 1, 21)}"),
			[]byte("[]Call{OnKey(Load, 2), With(LoadOrStore, 1, 11)}, "+
				"[]Call{With(LoadOrStore, 1, 21), OnKey(Delete, 2)}"), 1)
	}})
	w := prepared(t, haxmap, e)
	if !*changed {
		t.Fatal("the driver has changed: write the edit anew")
	}
	first := explored(t, w)["get-or-set"]
	small, err := w.Minimise(t.Context(), first.Token)
	if err != nil {
		t.Fatal(err)
	}
	s := small.Results[0]
	if !strings.Contains(s.Token, "get-or-set-1.1-2.2-3.1~") || s.Status != driver.Found ||
		len(s.Notes) < 2 || s.Program != "{} GetOrSet(1, 11) || GetOrSet(1, 21)" {
		t.Errorf("left is %s: %s %q", s.Program, s.Token, s.Notes)
	}
	replayed(t, w, s)
	for _, want := range []string{"actor 2", "11 stored", "srcdoc=", "map.go:"} {
		if !strings.Contains(s.HTML, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	text, err := small.Export("user_test")
	if err != nil {
		t.Fatal(err)
	}
	inUsersModule(t, text, w.module.dir)
	folder := t.TempDir()
	small.WritePages(folder)
	path := small.Results[0].Page
	if page, err := os.ReadFile(path); err != nil || string(page) != s.HTML || filepath.Dir(path) != folder {
		t.Errorf("page %s: %v", path, err)
	}
}

// inUsersModule runs the test in a module of its own, with haxmap, which takes its time between its look and
// its store, and with a map under a lock.
func inUsersModule(t *testing.T, text []byte, source string) {
	t.Helper()
	if bytes.Contains(text, []byte("samecycle/")) {
		t.Error("the test imports this project")
	}
	folder := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const module = "module user\n\ngo 1.26.0\n\nrequire github.com/alphadose/haxmap v1.4.1\n"
	const look = "// Get() failed because element is absent\n"
	wide := changedCopy(t, source, "map.go", look, look+"\tpause()\n")
	write("go.mod", module+"\nreplace github.com/alphadose/haxmap => "+wide+"\n")
	write("failure_test.go", string(text))
	out, err := goCommand(t.Context(), folder, "test", "-mod=mod", ".")
	if err == nil || !strings.Contains(string(out), "no order explains") {
		t.Errorf("haxmap passes: %v\n%s", err, out)
	}
	write("go.mod", module+"\nreplace github.com/alphadose/haxmap => ./repaired\n")
	write("repaired/go.mod", "module github.com/alphadose/haxmap\n\ngo 1.26.0\n")
	write("repaired/map.go", repaired)
	write("failure_test.go", strings.Replace(string(text), " = 10 * time", " = 1 * time", 1))
	if out, err := goCommand(t.Context(), folder, "test", "-mod=mod", "."); err != nil {
		t.Errorf("a map under a lock fails: %v\n%s", err, out)
	}
}

// repaired has the methods of haxmap that the adapter calls.
const repaired = `package haxmap

import "sync"

type Map[K, V comparable] struct {
	mu sync.Mutex
	m  map[K]V
}

func New[K, V comparable]() *Map[K, V] { return &Map[K, V]{m: map[K]V{}} }

func (m *Map[K, V]) Get(k K) (V, bool) { return m.do(k, func(V, bool) {}) }

func (m *Map[K, V]) Set(k K, v V) { m.do(k, func(V, bool) { m.m[k] = v }) }

func (m *Map[K, V]) Del(k K) { m.GetAndDel(k) }

func (m *Map[K, V]) GetAndDel(k K) (V, bool) { return m.do(k, func(V, bool) { delete(m.m, k) }) }

func (m *Map[K, V]) GetOrSet(k K, v V) (V, bool) {
	old, ok := m.do(k, func(_ V, ok bool) {
		if !ok {
			m.m[k] = v
		}
	})
	if !ok {
		return v, false
	}
	return old, true
}

func (m *Map[K, V]) CompareAndSwap(k K, old, v V) (done bool) {
	m.do(k, func(now V, ok bool) {
		if done = ok && now == old; done {
			m.m[k] = v
		}
	})
	return done
}

func (m *Map[K, V]) do(k K, f func(V, bool)) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.m[k]
	f(v, ok)
	return v, ok
}
`

// TestExport_Pieces: the test of each target has what it needs; what has no refused history is refused.
func TestExport_Pieces(t *testing.T) {
	for _, a := range adapters {
		token := "sx1~" + strings.ReplaceAll(a.target, "/", "%2F") + "%40v1.0.0%23p~k0~ab."
		token += fmt.Sprintf("~%08x", crc32.ChecksumIEEE([]byte(token)))
		r := Report{Report: driver.Report{Results: []driver.Result{{
			Status: driver.Found, Kind: "verdict", Token: token,
		}}}}
		text, err := r.Export("user_test")
		if err != nil {
			t.Fatalf("%s: %v", a.target, err)
		}
		own := token[strings.LastIndexByte(token, '~')+1:]
		for _, want := range []string{"func newMap_OWN() Map_OWN", "type cell_OWN struct", "var names_OWN",
			"func (s cell_OWN) step(", "func TestFailure_p_OWN(", "\n// tries_OWN is"} {
			want = strings.ReplaceAll(want, "OWN", own)
			if !bytes.Contains(text, []byte(want)) {
				t.Errorf("%s: the test lacks %q", a.target, want)
			}
		}
		if a.files != nil { // it needs no module, so the compiler can tell
			path := filepath.Join(t.TempDir(), "x_test.go")
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := goCommand(t.Context(), ".", "vet", path); err != nil {
				t.Errorf("%s: %v", a.target, err)
			}
		}
		r.Results[0].Kind = "deadlock"
		if _, err := r.Export("user_test"); !errors.Is(err, ErrExport) {
			t.Errorf("a deadlock has no answers, yet: %v", err)
		}
	}
}
