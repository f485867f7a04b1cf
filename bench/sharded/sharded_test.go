package sharded

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/samecycle/samecycle/bench"
)

// Each store keeps what is put, and a cleanup takes out what is stale and nothing else.
func TestStores_DoTheSame(t *testing.T) {
	for _, kind := range stores() {
		s := kind.make()
		for key := range uint64(100) {
			s.put(key, 7, stale)
			s.put(key, valueOf(key), key%2)
		}
		if removed := s.cleanup(); removed != 50 {
			t.Errorf("%s removed %d entries, want 50", kind.name, removed)
		}
		for key := range uint64(101) {
			want := key%2 == fresh && key < 100
			if v, ok := s.get(key); ok != want || ok && v != valueOf(key) {
				t.Errorf("%s: key %d has %d, %v", kind.name, key, v, ok)
			}
		}
	}
}

// Each lock keeps readers and writers apart, also on more threads than processors.
func TestLocks_Exclude(t *testing.T) {
	for _, kind := range allLocks {
		g := &guarded{locker: kind.make()}
		if wrong := g.use(4, 4000, 3); wrong != 0 {
			t.Errorf("%s: %d wrong results", kind.name, wrong)
		}
	}
}

// openLock keeps nobody out.
type openLock struct{ _ byte }

func (*openLock) RLock()   {}
func (*openLock) RUnlock() {}
func (*openLock) Lock()    {}
func (*openLock) Unlock()  {}

// What a measurement checks can go wrong: a lock that changes what it protects, a map that answers with
// the value of another key, or with none.
func TestChecks_CanFail(t *testing.T) {
	g := &guarded{locker: &openLock{}}
	if wrong := g.use(1, 100, 2); wrong != 0 {
		t.Errorf("alone, a lock that does nothing is wrong %d times", wrong)
	}
	g.a++ // half a write
	if g.read() != 1 {
		t.Error("a reader does not notice half a write")
	}
	s := newOurs(0)
	c := drawCalls(1, 0, 1000, 0)
	if wrong := c.run(s, false); wrong != 1000 {
		t.Errorf("of 1000 keys that are absent %d are noticed", wrong)
	}
	for key := range uint64(mapKeys) {
		s.put(key, valueOf(key)+1, fresh)
	}
	if wrong := c.run(s, true); wrong != 1000 {
		t.Errorf("of 1000 wrong values %d are noticed", wrong)
	}
}

// The variants of the repair remove the same entries.
func TestRepair_RemovesAQuarter(t *testing.T) {
	for _, c := range repairCells() {
		for _, s := range c.subjects {
			if s.Prepare != nil {
				if err := s.Prepare(); err != nil {
					t.Fatal(err)
				}
			}
			if wrong := s.Run(); wrong != 0 {
				t.Errorf("%s, %s: %d entries too few are removed", c.name, s.Name, wrong)
			}
		}
	}
}

// quick are comparisons of which a pass is short.
func quick(t *testing.T, dir string, only ...string) Results {
	t.Helper()
	o := Options{Root: "../..", Dir: dir, Only: only, Rounds: 1, Seed: 3, Say: t.Logf}
	if err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	r, err := read(filepath.Join(dir, jsonFile))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A run of some comparisons leaves the others; page and pictures have what was measured.
func TestRun_KeepsOtherRows(t *testing.T) {
	dir := t.TempDir()
	quick(t, dir, "lock/read")
	r := quick(t, dir, "map/get/2", "repair/shipped")
	var names []string
	for _, c := range r.Comparisons {
		names = append(names, c.Name)
		for _, f := range c.Figures {
			if f.NS <= 0 || f.Ratio <= 0 || f.Failed != "" {
				t.Errorf("%s: %+v", c.Name, f)
			}
		}
	}
	want := "lock/read lock/readers/2 lock/readers/4 lock/readers/8 map/get/2 repair/shipped"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the results have %s, want %s", got, want)
	}
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range append(names, "-seed 3", r.Commit, "go1.", "sync.RWMutex", "concurrent-map") {
		if !strings.Contains(string(text), s) {
			t.Errorf("the page lacks %q", s)
		}
	}
	for _, file := range []string{"map.svg", "lock.svg"} {
		svg, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(svg), ours) {
			t.Errorf("%s: %v, or it does not name the map", file, err)
		}
	}
	if err := Page(dir); err != nil {
		t.Error(err)
	}
}

func TestRun_RefusesNames(t *testing.T) {
	if err := Run(context.Background(), Options{Only: []string{"locks"}}); !errors.Is(err, ErrOnly) {
		t.Errorf("%v, want %v", err, ErrOnly)
	}
}

// A subject that is wrong has no figure, and the page says why; a damaged file of figures is named.
func TestMeasure_WrongResult(t *testing.T) {
	row, err := measure(context.Background(), cell{name: "lock/bad", subjects: []bench.Subject{
		{Name: ours, Ops: 1, Run: func() int { return 0 }},
		{Name: "bad", Ops: 1, Run: func() int { return 1 }},
	}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	text := page(Results{Comparisons: []Comparison{row}})
	if row.Figures[1].NS != 0 || !strings.Contains(text, "failed: bad: result is wrong") {
		t.Errorf("%+v\n%s", row, text)
	}
	file := filepath.Join(t.TempDir(), jsonFile)
	if err := os.WriteFile(file, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	var syntax *json.SyntaxError
	if _, err := read(file); !errors.As(err, &syntax) || !strings.Contains(err.Error(), file) {
		t.Errorf("%v", err)
	}
}
